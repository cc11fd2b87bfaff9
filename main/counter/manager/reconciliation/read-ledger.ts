/**
 * Reads a period of a sales unit's ledger (document 5, section 5) into the store. A transfer is a
 * payout with everything since the payout before it. What is stored and final is not requested
 * again.
 */
import type { Clock } from '../../../core/domain/clock.ts';
import { listEpaymentEvents } from '../../../wallets/epayment/payments/payments-operations.ts';
import {
  type LedgerEntry,
  listLedgerDay,
  listLedgers,
} from '../../../wallets/epayment/report/report-operations.ts';
import { refundIdOf } from '../../../wallets/epayment/point-of-sale/epayment-names.ts';
import { ServiceRefusedError, UnexpectedAnswerError } from '../../../wallets/http/errors.ts';
import type { Transport } from '../../../wallets/http/transport.ts';
import { dayMs, maxDaysCarried, transferDays, utcDay } from './period.ts';
import type { ReportLine } from './report.ts';
import type { ReportRequest, ReportReader } from './report-reader.ts';

export interface LedgerReaderOptions {
  readonly transport: Transport;
  readonly msn: string;
  readonly clock: Clock;
}

const maxPages = 10_000;

export function ledgerReader({ transport, msn, clock }: LedgerReaderOptions): ReportReader {
  const handle = `api:${msn}`;

  async function read({ store, span, again, signal, progress }: ReportRequest): Promise<void> {
    const today = utcDay(clock.wallMs());
    const days = transferDays(span);
    const missing = days.filter(
      (day) => day <= today && (again || !store.isDaySettled(handle, day)),
    );
    const [first] = missing;
    if (first === undefined) return;
    const startedAtMs = clock.wallMs();
    const tally = { doneTransfers: 0, totalTransfers: null, transactions: 0 };
    const open = new Set<string>();
    for (const { ledgerId } of await ledgers(signal)) {
      let since: string | null = null;
      let pending: LedgerEntry[] = [];
      let fees: LedgerEntry[] = [];
      for (let day = first; day <= today && day <= (days.at(-1) ?? ''); day = following(day)) {
        const funds = await entriesOf(ledgerId, 'funds', day, signal);
        fees = [...fees, ...(await entriesOf(ledgerId, 'fees', day, signal)).entries];
        if (funds.isOpen) open.add(day);
        for (const entry of funds.entries) {
          tally.transactions += 1;
          if (since === null) {
            const carried =
              entry.balanceBefore === 0
                ? { since: first }
                : await carriedInto(ledgerId, first, signal);
            since = carried.since;
            if ('entries' in carried)
              [pending, fees] = [carried.entries, [...carried.fees, ...fees]];
          }
          if (entry.entryType !== 'payout-scheduled') {
            pending.push(entry);
            continue;
          }
          const { pspReference, reference, time, amount, currency } = entry;
          const id = pspReference ?? `${ledgerId}-${time}`;
          const lines = await linesOf(pending, fees, signal);
          const number = store.keepTransfer(handle, {
            id,
            reference,
            date: time,
            totalTransferredAmount: -amount,
            currencyCode: currency,
          });
          store.keepTransferLines(handle, { number, transferId: id }, lines);
          [pending, fees] = [[], []];
          tally.doneTransfers += 1;
        }
        progress({ ...tally });
      }
      store.keepWaitingLines(
        handle,
        Date.parse(since ?? first),
        await linesOf(pending, fees, signal),
      );
    }
    store.keepDays(handle, missing, startedAtMs, (day) => day < today && !open.has(day));
    // Days in the future count as read, but not as final.
    store.keepDays(
      handle,
      days.filter((day) => day > today),
      startedAtMs,
      () => false,
    );
  }

  async function ledgers(signal: AbortSignal) {
    const ownLedgers = new Map<string, { readonly ledgerId: string }>();
    for await (const { items } of pages('listLedgers', (cursor) =>
      transport.call(
        listLedgers,
        { query: { settlesForRecipientHandles: handle, ...cursor } },
        { signal },
      ),
    ))
      for (const ledger of items)
        if (ledger.settlesForRecipientHandles.includes(handle))
          ownLedgers.set(ledger.ledgerId, ledger);
    return ownLedgers.values();
  }

  /** `isOpen`: the day is not over at the service, and what is there is not all. */
  async function entriesOf(
    ledgerId: string,
    topic: 'funds' | 'fees',
    ledgerDate: string,
    signal: AbortSignal,
  ) {
    const entries: LedgerEntry[] = [];
    let isOpen = false;
    for await (const page of pages(
      'listLedgerDay',
      (cursor) =>
        transport.call(listLedgerDay, { ledgerId, topic, ledgerDate, query: cursor }, { signal }),
      {
        while: ({ hasMore }) => hasMore === true,
      },
    )) {
      entries.push(...page.items);
      isOpen = page.tryLater === true;
    }
    return { entries, isOpen };
  }

  /** What the first payout from `day` on pays out of the days before. */
  async function carriedInto(ledgerId: string, day: string, signal: AbortSignal) {
    const carried: { entries: LedgerEntry[]; fees: LedgerEntry[]; since: string } = {
      entries: [],
      fees: [],
      since: day,
    };
    for (let back = 1; back <= maxDaysCarried; back += 1) {
      const before = utcDay(Date.parse(day) - back * dayMs);
      const { entries } = await entriesOf(ledgerId, 'funds', before, signal);
      const behindPayout = entries.slice(
        entries.findLastIndex(({ entryType }) => entryType === 'payout-scheduled') + 1,
      );
      carried.entries.unshift(...behindPayout);
      if (behindPayout.length > 0) {
        carried.fees.unshift(...(await entriesOf(ledgerId, 'fees', before, signal)).entries);
        carried.since = before;
      }
      if (behindPayout.length < entries.length || carried.entries[0]?.balanceBefore === 0) break;
    }
    return carried;
  }

  async function linesOf(
    entries: readonly LedgerEntry[],
    fees: readonly LedgerEntry[],
    signal: AbortSignal,
  ): Promise<ReportLine[]> {
    const lines: ReportLine[] = [];
    for (const entry of entries) lines.push(await lineOf(entry, signal));
    return withRetainedFees(lines, entries, fees);
  }

  async function lineOf(entry: LedgerEntry, signal: AbortSignal): Promise<ReportLine> {
    const { entryType, amount, currency, time, reference, pspReference } = entry;
    const common = { amount, currencyCode: currency, timestamp: time };
    if (entryType === 'fees-retained') return { ...common, type: 'ServiceFee' };
    if (reference == null || (entryType !== 'capture' && entryType !== 'refund'))
      return { ...common, type: entryType, merchantReference: reference };
    const ofPayment = { ...common, paymentId: reference, posName: laneIn(reference) };
    if (entryType === 'capture')
      return { ...ofPayment, type: 'Payment', merchantReference: reference };
    const key = await keyOf(reference, pspReference ?? '', signal);
    return {
      ...ofPayment,
      type: 'Refund',
      refundId: key === null ? `${reference}/${pspReference}` : refundIdOf(reference, key),
    };
  }

  /**
   * A ledger identifies a refund by its event alone, and the event log has the key of its request;
   * null when no program of the shop asked for it.
   */
  async function keyOf(
    reference: string,
    pspReference: string,
    signal: AbortSignal,
  ): Promise<string | null> {
    try {
      const events = await transport.call(listEpaymentEvents, { reference }, { signal });
      return events.find((event) => event.pspReference === pspReference)?.idempotencyKey ?? null;
    } catch (error) {
      if (error instanceof ServiceRefusedError && error.status === 404) return null;
      throw error;
    }
  }

  return { points: [handle], read };
}

/**
 * Nothing else tells which till a payment is of (document 5, section 5): a reference begins with
 * its lane.
 */
const laneIn = (reference: string): string | null =>
  /^(.+)-\d{6}-[0-9a-f]{8}$/i.exec(reference)?.[1] ?? null;

const following = (day: string): string => utcDay(Date.parse(day) + dayMs);

/**
 * A day's fees are kept back as one sum. What they are of single payments is taken from it and told
 * with these, as far as it covers them: the total stays the same. Fees that are invoiced are in no
 * transfer.
 */
function withRetainedFees(
  lines: readonly ReportLine[],
  entries: readonly LedgerEntry[],
  fees: readonly LedgerEntry[],
): ReportLine[] {
  const captured = new Map(
    entries.flatMap(({ entryType, pspReference, reference }) =>
      entryType === 'capture' && pspReference ? [[pspReference, reference]] : [],
    ),
  );
  const single = fees.flatMap(
    ({ entryType, pspReference, amount, currency, time }): ReportLine[] => {
      const reference = captured.get(pspReference ?? '');
      if (entryType !== 'capture-fee' || reference == null || amount === 0) return [];
      return [
        {
          type: 'TransactionFee',
          amount: -Math.abs(amount),
          currencyCode: currency,
          timestamp: time,
          merchantReference: reference,
        },
      ];
    },
  );
  const retained = lines.filter(({ type }) => type === 'ServiceFee');
  const [last] = retained.slice(-1);
  const sum = (of: readonly ReportLine[]): number =>
    of.reduce((minor, { amount }) => minor + amount, 0);
  if (last === undefined || single.length === 0 || sum(single) < sum(retained)) return [...lines];
  const rest = sum(retained) - sum(single);
  return [
    ...lines.filter(({ type }) => type !== 'ServiceFee'),
    ...single,
    ...(rest === 0 ? [] : [{ ...last, amount: rest }]),
  ];
}

/** @throws UnexpectedAnswerError when the pages lead nowhere */
async function* pages<
  Page extends { readonly cursor?: string | null | undefined; readonly items: readonly unknown[] },
>(
  operation: string,
  ask: (cursor: { cursor?: string }) => Promise<Page>,
  { while: goesOn = ({ items }: Page) => items.length > 0 } = {},
): AsyncGenerator<Page, void, undefined> {
  let cursor: string | null = null;
  for (let count = 0; count < maxPages; count += 1) {
    const page: Page = await ask(cursor === null ? {} : { cursor });
    yield page;
    if (!page.cursor || !goesOn(page)) return;
    if (page.cursor === cursor) break;
    cursor = page.cursor;
  }
  throw new UnexpectedAnswerError(operation, 200, 'its pages lead nowhere');
}
