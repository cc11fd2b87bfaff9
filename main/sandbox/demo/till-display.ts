import type { DemoDisplay } from '../../../preload/contract.ts';
import type { Currency } from '../../core/domain/money.ts';
import { decodeBcd } from '../../tills/zvt/bcd.ts';
import { BMP } from '../../tills/zvt/bitmaps.ts';
import { hexByte, resultCodeOf } from '../../tills/zvt/packets.ts';
import { hindranceCodes, TERMINAL_STATUS } from '../../tills/zvt/result-codes.ts';
import { decodeText } from '../../tills/zvt/text.ts';
import type { CommandOutcome } from '../till/register.ts';

export type DemoCommand = NonNullable<DemoDisplay['command']>;

export const display = (
  kind: DemoDisplay['kind'],
  about: Partial<DemoDisplay> = {},
): DemoDisplay => ({
  kind,
  command: null,
  amount: null,
  text: null,
  ...about,
});

/** What a till shows after a command: only what the terminal's bytes say. */
export function displayOf(
  command: DemoCommand,
  outcome: CommandOutcome,
  currency: Currency,
): DemoDisplay {
  const { refused, ended } = outcome;
  if (refused !== null) return display('refused', { command, text: hexByte(refused) });
  const last = outcome.statusInformations.at(-1);
  const amountField = last?.get(BMP.amount);
  const amountMinor = amountField === undefined ? null : decodeBcd(amountField);
  const amount = amountMinor === null ? null : { amountMinor, currency };
  if (command === 'endOfDay' && ended?.by === 'completion')
    return display('dayClosed', { command, amount });
  if (last !== undefined) {
    // A repeated receipt may be that of a payment or of a refund.
    const isRefund = command === 'refund' || last.has(BMP.originalTraceNumber);
    const text = last.get(BMP.additionalText);
    if (resultCodeOf(last) === 0)
      return display(isRefund ? 'refunded' : 'paid', { command, amount });
    return display(isRefund ? 'notRefunded' : 'notPaid', {
      command,
      amount,
      text: text === undefined ? null : decodeText(text),
    });
  }
  if (ended === null) return display(command === 'logOff' ? 'done' : 'lost', { command });
  if (ended.by === 'abort') {
    if (command !== 'diagnosis')
      return display('notPossible', { command, text: hexByte(ended.code) });
    return display(ended.code === hindranceCodes.needsPerson ? 'needsPerson' : 'serviceAway', {
      command,
    });
  }
  if (command === 'status') return display(statusKind(ended.rest), { command });
  return display(command === 'diagnosis' ? 'serviceAnswers' : 'done', { command });
}

/**
 * The status of `06 0F` stands behind the software's version, which has three digits of length
 * before it (ZVT PA00P015, 05 01).
 */
function statusKind(rest: Uint8Array): DemoDisplay['kind'] {
  const [a = 0, b = 0, c = 0] = rest;
  const status = a < 0xf0 ? rest[0] : rest[3 + (a & 0x0f) * 100 + (b & 0x0f) * 10 + (c & 0x0f)];
  if (status === TERMINAL_STATUS.ready) return 'statusReady';
  return status === TERMINAL_STATUS.outOfOrder ? 'statusOutOfOrder' : 'statusWait';
}
