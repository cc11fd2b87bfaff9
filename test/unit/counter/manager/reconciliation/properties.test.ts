import fc from 'fast-check';
import { expect, test } from 'vitest';
import { all, newest, period, Shop } from './reconciliation-support.ts';

/** What became of one sale: what the bank reports about it, and whether it has paid it out. */
const fate = fc.record({
  amountMinor: fc.integer({ min: 100, max: 1_000_000 }),
  bank: fc.constantFrom('same', 'other', 'nothing', 'twice'),
  transferred: fc.boolean(),
  refundMinor: fc.option(fc.integer({ min: 1, max: 100 })),
  refundReported: fc.boolean(),
});
/** An entry of the bank that this counter does not know. */
const stranger = fc.record({
  type: fc.constantFrom(
    'Payment',
    'Refund',
    'ServiceFee',
    'Adjustment',
    'ReturnedTransaction',
    'Unheard',
  ),
  amountMinor: fc.integer({ min: -5_000, max: 5_000 }),
  posName: fc.constantFrom('Check-out 1', 'Check-out 2', null),
  transferred: fc.boolean(),
});

test('every line of the bank and of the journal is in one row, and the sums equal those of the bank', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fate, { maxLength: 8 }),
      fc.array(stranger, { maxLength: 5 }),
      fc.integer({ min: -50, max: 50 }),
      async (fates, strangers, short) => {
        using shop = new Shop();
        const waiting: (() => void)[] = [];
        const ours: [orderId: string, minor: number][] = [];
        const reported: [orderId: string, minor: number][] = [];
        const report = (orderId: string, minor: number, transferred: boolean): void => {
          reported.push([orderId, minor]);
          if (transferred) shop.report(orderId, minor);
          else waiting.push(() => shop.report(orderId, minor));
        };
        fates.forEach(({ amountMinor, bank, transferred, refundMinor, refundReported }, index) => {
          const sale = shop.sale(index + 1, amountMinor);
          ours.push([sale.orderId, amountMinor]);
          if (bank !== 'nothing')
            report(sale.orderId, bank === 'other' ? amountMinor - 1 : amountMinor, transferred);
          if (bank === 'twice') report(sale.orderId, amountMinor, transferred);
          if (refundMinor === null) return;
          const refundOrderId = shop.refund(index + 1, sale, refundMinor);
          ours.push([refundOrderId, -refundMinor]);
          if (refundReported) report(refundOrderId, -refundMinor, transferred);
        });
        strangers.forEach(({ type, amountMinor, posName, transferred }, index) => {
          const add = (): void =>
            void shop.bank.line(type, amountMinor, {
              posName,
              merchantReference: `stranger-${index}`,
            });
          if (transferred) add();
          else waiting.push(add);
        });
        shop.bank.payOut('2026-11-21T03:00:00Z', { short });
        const paidOut = shop.bank.lines
          .filter(({ type }) => type !== 'Transfer')
          .reduce((sum, { amount }) => sum + amount, 0);
        for (const add of waiting) add();
        const everything = shop.bank.lines
          .filter(({ type }) => type !== 'Transfer')
          .reduce((sum, { amount }) => sum + amount, 0);
        await shop.open();

        const rows = shop.reconciliation.rows(period, all, newest, 0, 500)?.rows ?? [];
        const summary = shop.reconciliation.summary(period);
        const [dkk] = summary?.currencies ?? [];
        // Each side's money is there, once.
        expect(
          rows.reduce((sum, { bankMinor, feeMinor }) => sum + (bankMinor ?? 0) + feeMinor, 0),
        ).toBe(everything);
        const journalRows = rows
          .filter(({ oursMinor }) => oursMinor !== null)
          .map(({ orderId, oursMinor }) => `${orderId} ${oursMinor}`);
        expect(inOrder(journalRows)).toEqual(
          inOrder(ours.map(([orderId, minor]) => `${orderId} ${minor}`)),
        );
        expect(summary?.rows).toBe(rows.length);
        expect(Object.values(summary?.counts ?? {}).reduce((sum, count) => sum + count, 0)).toBe(
          rows.length,
        );
        // The transfer is the sum of its parts, with what nobody explains.
        const {
          payments,
          refunds,
          fees,
          others,
          unexplainedMinor = 0,
          transferredMinor = 0,
        } = dkk ?? {};
        expect(
          (payments?.minor ?? 0) +
            (refunds?.minor ?? 0) +
            (fees?.minor ?? 0) +
            (others?.minor ?? 0) +
            unexplainedMinor,
        ).toBe(transferredMinor);
        expect(transferredMinor).toBe(paidOut - short);
        expect(unexplainedMinor + short).toBe(0);
        // And each row says of itself what it is.
        for (const { category, oursMinor, bankMinor, kind, posName, transferReference } of rows) {
          const isMoney = kind === 'payment' || kind === 'refund';
          if (category === 'matched')
            expect([oursMinor, transferReference]).toEqual([bankMinor, '01-1']);
          if (category === 'differs') expect(oursMinor).not.toBe(bankMinor);
          if (category === 'bankOnly' || category === 'elsewhere' || category === 'fee')
            expect(oursMinor).toBeNull();
          if (category === 'elsewhere') expect(posName).toBe('Check-out 2');
          if (category === 'waiting') expect([null, oursMinor]).toContain(bankMinor);
          if (category === 'fee') expect(['transactionFee', 'serviceFee']).toContain(kind);
          if (!isMoney) expect(['fee', 'bankOnly']).toContain(category);
        }
        const reportedOrderIds = new Set(reported.map(([orderId]) => orderId));
        const oursAlone = rows
          .filter(({ bankMinor }) => bankMinor === null)
          .map(({ orderId }) => orderId);
        expect(inOrder(oursAlone)).toEqual(
          inOrder(
            ours.map(([orderId]) => orderId).filter((orderId) => !reportedOrderIds.has(orderId)),
          ),
        );
      },
    ),
    { numRuns: 40 },
  );
});

const inOrder = (texts: readonly (string | null)[]): string[] =>
  texts.map(String).toSorted((a, b) => (a < b ? -1 : 1));
