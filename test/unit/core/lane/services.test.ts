/** A change from one wallet service to another, with payments of the first in the journal. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLog } from '../../../../main/core/domain/log.ts';
import type { ServiceName } from '../../../../main/core/domain/sale.ts';
import { epaymentCapabilities } from '../../../../main/wallets/epayment/point-of-sale/epayment-capabilities.ts';
import { settled } from '../../support/manual-clock.ts';
import { money, reserved, World } from './support.ts';

let world: World;
beforeEach(async () => {
  world = await new World().open();
});
afterEach(() => world.remove());

async function pay(): Promise<{ readonly receiptNumber: number; readonly saleId: string }> {
  world.pollAnswers = [reserved];
  const answer = world.commands.requestSale(money);
  if (!answer.accepted) throw new Error(answer.reason);
  await world.clock.pass(1_000);
  return answer.sale;
}
/** Restarts the daemon with other settings. */
async function change(...services: readonly [ServiceName, ServiceName?]): Promise<void> {
  const { capabilitiesOf } = world;
  world.close();
  world = new World(world.folder, {}, silentLog, undefined, services);
  world.capabilitiesOf = capabilitiesOf;
  void world.open();
  await settled();
}
/** The requests to the services, without what was told to tills. */
const toServices = () =>
  world.whatLeft().filter((what) => /create|capture|cancel|identify|lookUp|Refund/.test(what));
const refund = (receiptNumber: number) =>
  world.commands.requestRefund({ receiptNumber, amountMinor: null, currency: 'DKK' });

test('what was begun at the service before is settled and refunded there, and what begins now at the one in use', async () => {
  world.settleAnswer = { kind: 'unknown', detail: 'no answer' };
  const before = await pay();
  await change('epayment', 'v10');
  await world.clock.pass(1_000);
  expect(toServices()).toEqual(['capture']);
  const now = await pay();
  expect(toServices()).toEqual(['capture', 'epayment create', 'epayment capture']);
  expect(world.journal.story(now.saleId)[0]?.event).toMatchObject({
    type: 'saleRequested',
    sale: { service: 'epayment' },
  });
  expect(world.journal.story(before.saleId)[0]?.event).not.toHaveProperty('sale.service');
  world.left.length = 0;
  expect(refund(before.receiptNumber)).toMatchObject({ accepted: true });
  await settled();
  expect(toServices()).toEqual(['createRefund']);
});

test('without the service before, nothing of it is asked anywhere: it stays open in the journal, and is not refunded', async () => {
  const captured = await pay();
  world.settleAnswer = { kind: 'unknown', detail: 'no answer' };
  const open = await pay();
  await change('epayment');
  await world.clock.pass(60_000);
  expect(toServices()).toEqual([]);
  expect(world.journal.openSales('1').map(({ saleId }) => saleId)).toEqual([open.saleId]);
  expect(refund(captured.receiptNumber)).toEqual({ accepted: false, reason: 'unknownReceipt' });
  await pay();
  expect(toServices()).toEqual(['epayment create', 'epayment capture']);
});

test('a refund of the service in use is one of it also after the next change', async () => {
  await change('epayment');
  const sale = await pay();
  await change('v10', 'epayment');
  expect(refund(sale.receiptNumber)).toMatchObject({ accepted: true });
  await settled();
  expect(toServices()).toEqual(['epayment createRefund']);
});

test('a refund in one step of the service before keeps the till busy until its end is known, whatever the one in use can do', async () => {
  await change('epayment');
  const sale = await pay();
  world.capabilitiesOf = { epayment: epaymentCapabilities };
  expect(refund(sale.receiptNumber)).toMatchObject({ accepted: true });
  await settled();
  await change('v10', 'epayment');
  expect(world.lane.tillRequests.readiness()).toBe('busy');
});

test('a refund in one step that the service does not show keeps the till busy until a person has it, and closes no lane after a restart', async () => {
  await change('epayment');
  const sale = await pay();
  world.capabilitiesOf = { epayment: epaymentCapabilities };
  const begun = refund(sale.receiptNumber);
  const { refundOrderId } = begun.accepted ? begun.refund : { refundOrderId: '' };
  await settled();
  expect(world.lane.tillRequests.readiness()).toBe('busy');
  world.refundPollAnswers.push({ kind: 'seen', status: 'missing' });
  await world.clock.pass(1_000);
  expect(world.lane.tillRequests.readiness()).toBe('ready');
  expect(world.refundOutcomes).toEqual([{ refunded: false, reason: 'unclear' }]);
  const shown = {
    kind: 'refund',
    known: 'unseen',
    problem: 'refundUnseen',
    orderId: refundOrderId,
  };
  expect(world.lane.snapshot().unsettled).toMatchObject([shown]);
  expect(refund(sale.receiptNumber)).toMatchObject({
    accepted: false,
    reason: 'refundOpen',
    askAgainMinutes: null,
  });
  await change('epayment');
  expect(world.lane.tillRequests.readiness()).toBe('ready');
  expect(world.lane.snapshot().unsettled).toMatchObject([shown]);
  const { counted } = world.reader.totalsBehind(
    { sale: 0, refund: 0, capture: 0, undecided: { sales: [], refunds: [] } },
    { isHourly: false },
  );
  world.refundPollAnswers.push({ kind: 'seen', status: 'captured' });
  await world.clock.pass(1_000);
  expect(world.lane.snapshot().unsettled).toEqual([]);
  expect(world.journal.refundOfOrder(refundOrderId)).toMatchObject({ kind: 'refunded' });
  // The day may have been closed meanwhile, so the refund is in the next report.
  expect(world.reader.totalsBehind(counted, { isHourly: false }).hours).toMatchObject([
    { refunds: { count: 1 } },
  ]);
});

test.each([true, false])(
  'what a manager found in the portal of a refund that the service does not show is kept (%s), once',
  async (refunded) => {
    await change('epayment');
    const sale = await pay();
    world.capabilitiesOf = { epayment: epaymentCapabilities };
    const begun = refund(sale.receiptNumber);
    const { refundOrderId } = begun.accepted ? begun.refund : { refundOrderId: '' };
    world.refundPollAnswers = [{ kind: 'seen', status: 'missing' }];
    const found = () => world.lane.refundFoundInPortal(refundOrderId, refunded, 'Ms Moeller');
    expect(found()).toBe('unknownRefund');
    await world.clock.pass(1_000);
    world.diskWorks = false;
    expect(found()).toBe('storageFailed');
    world.diskWorks = true;
    expect(found()).toBe('kept');
    expect(found()).toBe('unknownRefund');
    expect(world.journal.refundOfOrder(refundOrderId)?.kind).toBe(
      refunded ? 'refunded' : 'notRefunded',
    );
    expect(refund(sale.receiptNumber)).toMatchObject({ accepted: !refunded });
  },
);
