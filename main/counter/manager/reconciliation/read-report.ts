/**
 * Reads a period of the reporting interface (document 3) into the store. What is stored and final
 * is not requested again.
 */
import type { Clock } from '../../../core/domain/clock.ts';
import type { Reporting } from '../../../wallets/v10/reporting/reporting-client.ts';
import type {
  ReportedTransaction,
  ReportedTransfer,
} from '../../../wallets/v10/reporting/reporting-schemas.ts';
import { dayMs, maxDaysCarried, transferDays, utcDayEndMs } from './period.ts';
import type { ReportRequest, ReadProgress, ReportReader } from './report-reader.ts';

/** How far back lines without a transfer are requested. */
const maxWaitMs = maxDaysCarried * dayMs;

/** The service may still add to a day that is just over. */
const settlesAfterMs = dayMs;

export interface ReportingReaderOptions {
  readonly reporting: Pick<Reporting, 'transactions' | 'transfers' | 'paymentPoints'>;
  /** The stores of this counter's points of sale. */
  readonly storeIds: readonly string[];
  readonly clock: Clock;
}

type ReadOptions = ReportingReaderOptions & ReportRequest;

export const reportingReader = (options: ReportingReaderOptions): ReportReader => ({
  points: options.storeIds,
  read: (request) => readPeriod({ ...options, ...request }),
});

async function readPeriod(options: ReadOptions): Promise<void> {
  const { reporting, store, span, again, clock, signal } = options;
  const days = transferDays(span);
  const isAllSettled = options.storeIds.every((id) =>
    days.every((day) => store.isDaySettled(id, day)),
  );
  // Everything is final, so the service is not needed.
  if (isAllSettled && !again) return;
  const points = await paymentPoints(options);
  const startedAtMs = clock.wallMs();
  const wanted = points.map((pointId) => ({
    pointId,
    days: again ? days : days.filter((day) => !store.isDaySettled(pointId, day)),
  }));

  for (const { pointId, days: missing } of wanted) {
    const [first, last] = [missing[0], missing.at(-1)];
    if (first === undefined || last === undefined) continue;
    const transfers: ReportedTransfer[] = [];
    for await (const transfer of reporting.transfers(
      { paymentpointid: pointId, startdate: first, enddate: last },
      { signal },
    ))
      transfers.push(transfer);
    store.keepTransfers(pointId, transfers);
  }

  const tally: Tally = { doneTransfers: 0, totalTransfers: null, transactions: 0 };
  await readTransfers(options, tally, points, days);
  for (const { pointId, days: missing } of wanted) {
    if (missing.length === 0) continue;
    await readWaiting(options, tally, pointId);
    store.keepDays(
      pointId,
      missing,
      startedAtMs,
      (day) => startedAtMs >= utcDayEndMs(day) + settlesAfterMs,
    );
  }
}

/**
 * This counter's stores as the service names them; if none matches, all of the merchant's points.
 */
async function paymentPoints({ reporting, storeIds, signal }: ReadOptions): Promise<string[]> {
  const ours = new Set(storeIds.map((id) => id.toLowerCase()));
  const ownPoints: string[] = [];
  const ofSale: string[] = [];
  for await (const { id, productType } of reporting.paymentPoints({ signal })) {
    if (ours.has(id.toLowerCase())) ownPoints.push(id.toLowerCase());
    if (productType.toLowerCase() === 'pointofsale') ofSale.push(id.toLowerCase());
  }
  return ownPoints.length > 0 ? ownPoints : ofSale;
}

type Tally = { -readonly [Count in keyof ReadProgress]: ReadProgress[Count] };

async function readTransfers(
  { reporting, store, again, signal, progress }: ReadOptions,
  tally: Tally,
  points: readonly string[],
  days: readonly string[],
): Promise<void> {
  const span = { fromMs: Date.parse(days[0] ?? ''), toMs: utcDayEndMs(days.at(-1) ?? '') };
  const unread = points.flatMap((pointId) =>
    store.unreadTransfers(pointId, span, again).map((transfer) => ({ pointId, transfer })),
  );
  tally.totalTransfers = unread.length;
  progress({ ...tally });
  for (const { pointId, transfer } of unread) {
    const lines: ReportedTransaction[] = [];
    for await (const line of reporting.transactions(
      { transferid: transfer.transferId },
      { signal },
    )) {
      lines.push(line);
      tally.transactions += 1;
      if (lines.length % 1_000 === 0) progress({ ...tally });
    }
    store.keepTransferLines(pointId, transfer, lines);
    tally.doneTransfers += 1;
    progress({ ...tally });
  }
}

async function readWaiting(
  { reporting, store, span, clock, signal, progress }: ReadOptions,
  tally: Tally,
  pointId: string,
): Promise<void> {
  const sinceMs = Math.max(span.fromMs, clock.wallMs() - maxWaitMs);
  const lines: ReportedTransaction[] = [];
  for await (const line of reporting.transactions(
    { paymentpointid: pointId, startdate: new Date(sinceMs).toISOString() },
    { signal },
  )) {
    tally.transactions += 1;
    if (tally.transactions % 1_000 === 0) progress({ ...tally });
    if (!line.transferReference) lines.push(line);
  }
  store.keepWaitingLines(pointId, sinceMs, lines);
}
