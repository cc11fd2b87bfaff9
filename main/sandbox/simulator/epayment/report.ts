/**
 * Each sales unit's ledger: captures and refunds by day, and their payouts (document 5, section 5).
 */
import type { LedgerEntry } from '../../../wallets/epayment/report/report-operations.ts';
import { dayOf } from '../spending.ts';
import { ServiceError } from '../service-error.ts';
import type { Epayments, SalesUnit } from './epayment-registry.ts';

const pageLength = 1_000;

export const ledgerIdOf = ({ msn }: SalesUnit): string => `ledger-${msn}`;
export const handleOf = ({ msn }: SalesUnit): string => `api:${msn}`;

/** @throws ServiceError 404 */
export function checkLedger(unit: SalesUnit, ledgerId: string): void {
  if (ledgerId !== ledgerIdOf(unit)) throw new ServiceError(404, null, 'There is no such ledger');
}

/**
 * Oldest first. The last entry of a past day is its payout, unless the balance is not above 0,
 * which is then carried over.
 */
function entriesOf({ payments, world }: Epayments, unit: SalesUnit): LedgerEntry[] {
  const moved = [...payments.values()]
    .filter((payment) => payment.unit === unit)
    .flatMap(({ reference, events }) => events.map((event) => ({ reference, ...event })))
    .filter(({ name, success }) => success && (name === 'CAPTURED' || name === 'REFUNDED'))
    .toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  const entries: LedgerEntry[] = [];
  let balance = 0;
  let payouts = 0;
  const add = (
    time: string,
    entry: Pick<LedgerEntry, 'entryType' | 'amount' | 'pspReference' | 'reference'>,
  ): void => {
    const balanceBefore = balance;
    balance += entry.amount;
    entries.push({
      ...entry,
      time,
      ledgerDate: dayOf(time),
      currency: unit.currency,
      balanceBefore,
      balanceAfter: balance,
      recipientHandle: handleOf(unit),
    });
  };
  const payOut = (day: string): void => {
    if (balance <= 0) return;
    payouts += 1;
    const reference = `02${unit.msn}001${day.replaceAll('-', '')}`;
    add(`${day}T23:59:59.999Z`, {
      entryType: 'payout-scheduled',
      amount: -balance,
      pspReference: `${ledgerIdOf(unit)}-${payouts}`,
      reference,
    });
  };
  let day = '';
  for (const { at, name, amountMinor, pspReference, reference } of moved) {
    if (day !== '' && dayOf(at) !== day) payOut(day);
    day = dayOf(at);
    const isCapture = name === 'CAPTURED';
    add(at, {
      entryType: isCapture ? 'capture' : 'refund',
      amount: isCapture ? amountMinor : -amountMinor,
      pspReference,
      reference,
    });
  }
  if (day !== '' && dayOf(world.at()) !== day) payOut(day);
  return entries;
}

/** The cursor is the number of entries before it. */
function page(entries: readonly LedgerEntry[], cursor: string | undefined) {
  const from = Number(cursor ?? 0) || 0;
  const items = entries.slice(from, from + pageLength);
  return {
    items,
    cursor: String(from + items.length),
    hasMore: from + items.length < entries.length,
  };
}

export function ledgerDay(
  epayments: Epayments,
  unit: SalesUnit,
  day: string,
  cursor: string | undefined,
) {
  const entries = entriesOf(epayments, unit).filter(({ ledgerDate }) => ledgerDate === day);
  return { ...page(entries, cursor), tryLater: dayOf(epayments.world.at()) <= day };
}

export function ledgerFeed(epayments: Epayments, unit: SalesUnit, cursor: string | undefined) {
  const read = page(entriesOf(epayments, unit), cursor);
  return { ...read, tryLater: !read.hasMore };
}
