/** The totals of a day, and its closing. */
import { z } from 'zod';
import type { ClosingTold } from '../../core/domain/day.ts';
import { totalsOf } from './bodies.ts';
import type { GetTotalsRequest, ReconciliationRequest } from './messages.ts';
import { closingNamed, isStillUsed, messageName, senderOf } from './names.ts';
import {
  failure,
  nameUsed,
  type NexoRefusal,
  notClosed,
  notFound,
  notOffered,
  success,
} from './outcomes.ts';
import type { Message, TerminalOptions } from './terminal-message.ts';

/** `number` of the closing; null when it was refused. */
const ReconciliationBound = z.object({ number: z.int().nullable(), atMs: z.number() });

export function reconcile(
  { header, lane, poiId, address, seal }: Message,
  { ReconciliationType, POIReconciliationID }: z.output<typeof ReconciliationRequest>,
  options: TerminalOptions,
): object {
  const reconciliation = ({ number, ...closing }: ClosingTold): object => ({
    Response: success(),
    ReconciliationType,
    POIReconciliationID: String(number),
    TransactionTotals: totalsOf(closing, poiId),
  });
  const refused = (refusal: NexoRefusal): object => ({
    Response: failure(refusal),
    ReconciliationType,
  });
  const { refusals } = options;
  const last = lane.lastClosing();
  const place = { lane, poiId };
  switch (ReconciliationType) {
    case 'SaleReconciliation': {
      // A repetition, because the answer was lost.
      const before = closingNamed(place, messageName(header), options.clock.wallMs());
      if (before !== null) return reconciliation(before);
      // A recording: a till that uses the name again protects the message anew.
      const message = seal === null ? null : ['reconciliation', seal];
      const bound =
        message === null
          ? null
          : (ReconciliationBound.safeParse(refusals.boundTo(place, message)).data ?? null);
      const closed = bound?.number == null ? null : lane.closing(bound.number);
      if (closed !== null) return reconciliation(closed);
      if (bound !== null && !isStillUsed(bound.atMs, options.clock.wallMs()))
        return refused(nameUsed);
      const answer = lane.closeDay(senderOf(address, messageName(header), null, poiId));
      if (message !== null && (bound === null || answer.closed))
        refusals.bind(place, message, {
          number: answer.closed ? answer.closing.number : null,
          atMs: options.clock.wallMs(),
        } satisfies z.input<typeof ReconciliationBound>);
      return answer.closed ? reconciliation(answer.closing) : refused(notClosed[answer.reason]);
    }
    case 'PreviousReconciliation':
      if (
        last === null ||
        (POIReconciliationID !== undefined && POIReconciliationID !== String(last.number))
      )
        return refused(notFound('Only the last closing of this lane can be told again.'));
      return reconciliation(last);
    default:
      return refused(notOffered(`ReconciliationType ${ReconciliationType} is not available here.`));
  }
}

export function totals(
  { lane, poiId }: Message,
  { TotalDetails = [], TotalFilter = {} }: z.output<typeof GetTotalsRequest>,
): object {
  const period = String(lane.lastClosing()?.number ?? 0);
  const split = [...TotalDetails, ...Object.keys(TotalFilter)].filter((by) => by !== 'POIID');
  const refused = (refusal: NexoRefusal): object => ({
    Response: failure(refusal),
    POIReconciliationID: period,
  });
  if (split.length > 0)
    return refused(notOffered(`Totals by ${split.join(', ')} are not kept here.`));
  if (TotalFilter['POIID'] !== undefined && TotalFilter['POIID'] !== poiId)
    return refused(notFound('There is no such POIID here.'));
  const day = lane.dayTotals();
  if (day === null) return refused(notClosed.noClosings);
  return {
    Response: success(),
    POIReconciliationID: period,
    TransactionTotals: totalsOf(day, poiId),
  };
}
