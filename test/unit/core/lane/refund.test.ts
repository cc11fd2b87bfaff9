import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { managerRefundId } from '../../../../main/core/domain/ids.ts';
import type { ManagerRefundAnswer } from '../../../../main/core/lane/refunds.ts';
import type {
  Refund,
  RefundEvent,
  RefundRequest,
} from '../../../../main/core/settlement/refund.ts';
import type { RefundAnswer, RefundTicket } from '../../../../main/core/lane/till-port.ts';
import type { RefundPollAnswer } from '../../../../main/core/lane/wallet-port.ts';
import { pointOfSaleCapabilities } from '../../../../main/wallets/v10/point-of-sale/point-of-sale-capabilities.ts';
import { settled } from '../../support/manual-clock.ts';
import { money, refundId, reserved, World } from './support.ts';

const seen = (status: Extract<RefundPollAnswer, { kind: 'seen' }>['status']): RefundPollAnswer => ({
  kind: 'seen',
  status,
});
const refundReserved = seen('reserved');
const initiated = (times: number): RefundPollAnswer[] =>
  Array.from({ length: times }, () => seen('initiated'));

const inOneStep = { ...pointOfSaleCapabilities, refunds: 'oneStep' } as const;

let world: World;
/** Receipt number of the payment of 12.34. */
let receiptNumber: number;
let saleId: string;

async function pay(amountMinor = money.amountMinor): Promise<void> {
  world.pollAnswers = [{ ...reserved, amountMinor }];
  const answer = world.commands.requestSale({ ...money, amountMinor });
  if (!answer.accepted) throw new Error(answer.reason);
  await world.clock.pass(1_000);
  ({ receiptNumber, saleId } = answer.sale);
  world.left.length = 0;
}
beforeEach(async () => {
  world = await new World().open();
  await pay();
});
afterEach(() => world.remove());

const ask = (amountMinor: number | null = null): RefundAnswer =>
  world.commands.requestRefund({ receiptNumber, amountMinor, currency: 'DKK' });
function accepted(answer: ManagerRefundAnswer): RefundTicket {
  if (!answer.accepted) throw new Error(answer.reason);
  return answer.refund;
}
const byManager = (about: object = {}): ManagerRefundAnswer =>
  world.lane.refundByManager({
    actionId: 'a3c70000-0000-4000-8000-000000000001',
    sale: { saleId },
    amountMinor: 234,
    note: 'broken',
    name: 'Anna',
    ...about,
  });
/** A refund whose create request is never answered. */
async function lose(amountMinor: number | null = null): Promise<RefundRequest> {
  Object.defineProperty(world, 'createRefundAnswer', { get: () => new Promise(() => {}) });
  const { refundOrderId } = accepted(ask(amountMinor));
  await settled();
  return (world.journal.refundOfOrder(refundOrderId) as Refund).request;
}
/** Kills the daemon and starts it again, as far as it opens without time passing. */
async function restart(prepare = (_world: World): void => {}): Promise<void> {
  world.close();
  world = new World(world.folder);
  prepare(world);
  void world.open();
  await settled();
}
const storyOfRefund = (): string[] =>
  world.journal
    .story(saleId)
    .filter(({ refundOrderId }) => refundOrderId !== null)
    .map(({ event }) => event.type);

describe('a till’s refund', () => {
  test('has its intent on disk before anything leaves, and is paid out when the till has taken it over', async () => {
    world.refundPollAnswers = [seen('initiated'), refundReserved];
    const refund = accepted(ask());
    expect(refund).toMatchObject({
      saleId,
      amountMinor: 1234,
      receiptNumber: 2,
      traceNumber: 2,
      originalReceiptNumber: 1,
      originalTraceNumber: 1,
    });
    expect(refund.refundOrderId).toMatch(/^1-R000002-[0-9a-f]{8}$/);
    await world.clock.pass(2_000);
    expect(world.whatLeft()).toEqual([
      'createRefund',
      'offerRefunded',
      'refunded',
      'captureRefund',
    ]);
    expect(world.onDiskWhen('createRefund')).toEqual(['refundRequested']);
    expect(world.onDiskWhen('offerRefunded')?.at(-1)).toBe('captureIntended');
    expect(world.onDiskWhen('refunded')?.at(-1)).toBe('tillAcknowledged');
    expect(world.onDiskWhen('captureRefund')?.at(-1)).toBe('tillAcknowledged');
    expect(world.refundOutcomes).toEqual([{ refunded: true }]);
    expect(world.commands.lastFinished()).toMatchObject({
      refund: { refundOrderId: refund.refundOrderId },
      outcome: { refunded: true },
    });
    expect(storyOfRefund().at(-1)).toBe('captured');
  });

  test('that the till never takes over is cancelled', async () => {
    world.refundPollAnswers = [refundReserved];
    world.tillAnswer = 'notAcknowledged';
    ask();
    await world.clock.pass(2_000);
    expect(world.whatLeft()).toEqual([
      'createRefund',
      'offerRefunded',
      'notRefunded',
      'cancelRefund',
    ]);
    expect(world.onDiskWhen('cancelRefund')?.at(-1)).toBe('cancelIntended');
    expect(world.refundOutcomes).toEqual([{ refunded: false, reason: 'notDelivered' }]);
  });

  test('is given up when the till aborts it, and when the till is gone', async () => {
    for (const [stop, reason] of [
      [(id: string) => world.commands.abortRefund(id), 'cancelledByTill'],
      [(id: string) => world.commands.tillLost(id), 'tillGone'],
    ] as const) {
      const { refundOrderId } = accepted(ask());
      await settled();
      stop(refundOrderId);
      await world.clock.pass(1_000);
      expect(world.refundOutcomes.at(-1)).toEqual({ refunded: false, reason });
      expect(world.whatLeft().splice(-1)).toEqual(['cancelRefund']);
    }
    expect(accepted(ask()).amountMinor).toBe(1234);
  });

  test('is cancelled at growing pauses, whatever a poll from before still says', async () => {
    world.settleAnswer = { kind: 'unknown', detail: 'no answer' };
    world.refundPollAnswers = [refundReserved];
    const { refundOrderId } = accepted(ask());
    await settled();
    world.commands.tillLost(refundOrderId);
    await world.clock.pass(3_400);
    expect(world.whatLeft().filter((what) => what === 'cancelRefund')).toHaveLength(3);
  });

  test('whose amount is a check is refused unless it is the whole payment', async () => {
    const asked = (amountMinor: number | null) =>
      world.commands.requestRefund({
        receiptNumber,
        amountMinor,
        currency: 'DKK',
        wholeOnly: true,
      });
    expect([asked(500), asked(1_235)]).toEqual(
      [500, 1_235].map(() => ({ accepted: false, reason: 'amountDiffers' })),
    );
    expect(world.whatLeft()).not.toContain('createRefund');
    expect(asked(1_234)).toMatchObject({ accepted: true });
  });

  test('cannot be aborted once it is reserved: the till is just being told', async () => {
    world.refundPollAnswers = [refundReserved];
    Object.defineProperty(world, 'tillAnswer', { get: () => new Promise(() => {}) });
    const { refundOrderId } = accepted(ask());
    expect(world.commands.abortRefund(refundOrderId)).toBe('aborting');
    await world.clock.pass(1_000);
    const second = accepted(ask()).refundOrderId;
    world.refundPollAnswers = [refundReserved];
    await world.clock.pass(1_000);
    expect(world.commands.abortRefund(second)).toBe('tooLate');
    expect(world.commands.abortRefund('unheard-of')).toBe('aborting');
  });

  test('has half a minute', async () => {
    world.refundPollAnswers = initiated(60);
    ask();
    await world.clock.pass(29_999);
    expect(world.refundOutcomes).toEqual([]);
    await world.clock.pass(1);
    expect(world.refundOutcomes).toEqual([{ refunded: false, reason: 'timedOut' }]);
    expect(world.whatLeft()).toEqual(['createRefund', 'notRefunded', 'cancelRefund']);
    await world.clock.pass(60_000);
    expect(world.whatLeft()).toHaveLength(3);
  });

  test('whose creation has no answer is looked up, not repeated', async () => {
    world.createRefundAnswer = { kind: 'unknown', detail: 'no answer' };
    world.lookUpRefundAnswer = { kind: 'found', refundId };
    world.refundPollAnswers = [refundReserved];
    ask();
    await world.clock.pass(2_000);
    expect(world.whatLeft()).toEqual([
      'createRefund',
      'lookUpRefund',
      'offerRefunded',
      'refunded',
      'captureRefund',
    ]);
  });

  test('that the service refuses says why, and leaves the sale as it was', async () => {
    world.createRefundAnswer = { kind: 'refused', reason: 'balanceTooLow', detail: '1368' };
    ask();
    await settled();
    expect(world.refundOutcomes).toEqual([{ refunded: false, reason: 'balanceTooLow' }]);
    expect(world.journal.paidSale('1', receiptNumber)).toMatchObject({ refundedMinor: 0 });
    expect(world.commands.readiness()).toBe('ready');
  });
});

describe('the lane refuses a refund', () => {
  const refused = (about: object, reason: string): void =>
    expect(
      world.commands.requestRefund({ receiptNumber, amountMinor: null, currency: 'DKK', ...about }),
    ).toEqual({ accepted: false, reason });

  test('of what was never sold here, or was not paid, or is older than 90 days', async () => {
    refused({ receiptNumber: 77 }, 'unknownReceipt');
    world.tillAnswer = 'notAcknowledged';
    await pay();
    refused({}, 'unknownReceipt');
    world.tillAnswer = 'acknowledged';
    await pay();
    await world.clock.pass(90 * 24 * 3_600_000 - 1_000);
    expect(world.commands.abortRefund(accepted(ask(1)).refundOrderId)).toBe('aborting');
    await world.clock.pass(1_001);
    refused({}, 'unknownReceipt');
  });

  test('in another currency, of nothing, of more than is left, of what is refunded already', async () => {
    refused({ currency: 'EUR' }, 'wrongCurrency');
    for (const amountMinor of [0, -1, 1.5, Number.NaN]) refused({ amountMinor }, 'amountTooSmall');
    refused({ amountMinor: 1235 }, 'amountTooHigh');
    world.refundPollAnswers = [refundReserved];
    accepted(ask(1000));
    await world.clock.pass(1_000);
    refused({ amountMinor: 235 }, 'amountTooHigh');
    world.refundPollAnswers = [refundReserved];
    expect(accepted(ask()).amountMinor).toBe(234);
    await world.clock.pass(1_000);
    refused({}, 'alreadyRefunded');
    refused({ amountMinor: 1 }, 'alreadyRefunded');
  });

  test('while the till waits for something else, and the other way round', async () => {
    accepted(ask(1));
    refused({ amountMinor: 1 }, 'busy');
    expect(world.commands.readiness()).toBe('busy');
    expect(world.commands.requestSale(money)).toEqual({ accepted: false, reason: 'busy' });
    world.refundPollAnswers = [refundReserved];
    await world.clock.pass(1_000);
    expect(world.commands.readiness()).toBe('ready');
    world.commands.requestSale(money);
    refused({}, 'busy');
  });

  test('that cannot be written, and nothing leaves', async () => {
    world.diskWorks = false;
    refused({}, 'storageFailed');
    await settled();
    expect(world.left).toEqual([]);
    expect(world.lane.snapshot().condition).toMatchObject({ reason: 'storageFailed' });
    world.diskWorks = true;
    accepted(ask());
    expect(world.lane.snapshot().condition).toEqual({ kind: 'open' });
  });
});

describe('a disk that refuses', () => {
  test('in the middle: nothing is offered and nothing paid out before the decision can be written', async () => {
    world.refundPollAnswers = [refundReserved];
    ask();
    await settled();
    world.diskWorks = false;
    await world.clock.pass(5_000);
    expect(world.whatLeft()).toEqual(['createRefund']);
    world.diskWorks = true;
    await world.clock.pass(1_000);
    expect(world.whatLeft()).toEqual([
      'createRefund',
      'offerRefunded',
      'refunded',
      'captureRefund',
    ]);
  });
});

describe('a manager’s refund', () => {
  test('is decided by the manager: no till is told, and the money goes out once it is reserved', async () => {
    world.refundPollAnswers = [refundReserved];
    expect(accepted(byManager())).toMatchObject({
      refundOrderId: managerRefundId('a3c70000-0000-4000-8000-000000000001'),
      saleId,
      amountMinor: 234,
    });
    await world.clock.pass(1_000);
    expect(world.whatLeft()).toEqual(['createRefund', 'captureRefund']);
    expect(world.onDiskWhen('captureRefund')?.at(-1)).toBe('captureIntended');
    expect(world.refundOutcomes).toEqual([]);
    expect(world.journal.refundsOf(saleId)).toMatchObject([
      { kind: 'refunded', request: { by: { kind: 'manager', name: 'Anna' }, note: 'broken' } },
    ]);
    expect(world.commands.lastFinished()).toMatchObject({ sale: { saleId } });
  });

  test('has nothing to do with a till’s refund, whatever id the page chooses; one of an earlier version is found', async () => {
    world.refundPollAnswers = [refundReserved, refundReserved, refundReserved];
    const ofTill = accepted(ask(100));
    await world.clock.pass(2_000);
    expect(accepted(byManager({ actionId: ofTill.refundOrderId }))).toMatchObject({
      refundOrderId: managerRefundId(ofTill.refundOrderId),
      amountMinor: 234,
    });
    await world.clock.pass(2_000);
    const [first] = world.journal.refundsOf(saleId);
    if (first === undefined) throw new Error('no refund');
    const old = {
      ...first.request,
      refundOrderId: 'a3c70000-0000-4000-8000-000000000009',
      by: { kind: 'manager', name: 'Anna' },
    } as const;
    world.journal.appendRefund('1', old.refundOrderId, [{ type: 'refundRequested', request: old }]);
    expect(accepted(byManager({ actionId: old.refundOrderId, amountMinor: 100 }))).toMatchObject({
      refundOrderId: old.refundOrderId,
    });
  });

  test('is one refund however often the button is pressed, also later and after a restart', async () => {
    const first = accepted(byManager());
    expect(accepted(byManager())).toEqual(first);
    world.refundPollAnswers = [refundReserved];
    await world.clock.pass(1_000);
    expect(accepted(byManager())).toEqual(first);
    await restart();
    expect(accepted(byManager({ sale: { receiptNumber } }))).toEqual(first);
    await world.clock.pass(1_000);
    expect(world.whatLeft()).toEqual([]);
    expect(world.journal.refundsOf(saleId)).toHaveLength(1);
  });

  test('under an action that was for another amount or sale is refused, and says for what it was', async () => {
    const first = accepted(byManager());
    expect(byManager({ amountMinor: 235 })).toEqual({
      accepted: false,
      reason: 'actionUsed',
      refund: first,
    });
    const before = saleId;
    await pay();
    expect(saleId).not.toBe(before);
    expect(byManager()).toEqual({ accepted: false, reason: 'actionUsed', refund: first });
    expect(byManager({ sale: { saleId: 'unheard-of' } })).toMatchObject({ reason: 'actionUsed' });
    await restart();
    expect(byManager()).toMatchObject({ reason: 'actionUsed' });
    expect(accepted(byManager({ sale: { saleId: before } }))).toEqual(first);
    expect(world.journal.refundsOf(saleId)).toEqual([]);
    expect(world.lane.snapshot().condition).toEqual({ kind: 'open' });
  });

  test('runs beside a sale, and beside a till’s refund of the same sale: both together are never more than was paid', async () => {
    world.commands.requestSale(money);
    accepted(byManager());
    expect(accepted(byManager({ actionId: 'second', amountMinor: 1000 })).amountMinor).toBe(1000);
    expect(byManager({ actionId: 'third', amountMinor: 1 })).toEqual({
      accepted: false,
      reason: 'refundOpen',
      askAgainMinutes: 1,
    });
    expect(world.commands.readiness()).toBe('busy');
  });

  test('finds its sale by receipt number, too, and is told what is wrong', () => {
    expect(byManager({ sale: { receiptNumber: 99 } })).toEqual({
      accepted: false,
      reason: 'unknownReceipt',
    });
    expect(byManager({ sale: { saleId: 'unheard-of' } })).toEqual({
      accepted: false,
      reason: 'unknownReceipt',
    });
    expect(byManager({ amountMinor: 1235 })).toEqual({ accepted: false, reason: 'amountTooHigh' });
    expect(accepted(byManager({ sale: { receiptNumber }, amountMinor: null })).amountMinor).toBe(
      1234,
    );
  });

  test('can be cancelled by the manager until it is decided', async () => {
    const { refundOrderId } = accepted(byManager());
    await settled();
    expect(world.lane.cancelRefundByManager(refundOrderId)).toBe('cancelling');
    await settled();
    expect(world.journal.refundsOf(saleId)).toMatchObject([
      { kind: 'notRefunded', reason: 'cancelledByManager' },
    ]);
    expect(world.lane.cancelRefundByManager(refundOrderId)).toBe('unknownRefund');
    expect(accepted(byManager({ actionId: 'another', amountMinor: null })).amountMinor).toBe(1234);
  });
});

describe('after a restart', () => {
  test('a refund that was not decided is cancelled before the lane opens', async () => {
    accepted(ask());
    await settled();
    const cancelled = Promise.withResolvers<{ kind: 'done' }>();
    await restart((fresh) =>
      Object.defineProperty(fresh, 'settleAnswer', { get: () => cancelled.promise }),
    );
    expect(world.whatLeft()).toEqual(['notRefunded', 'cancelRefund']);
    expect(world.commands.requestSale(money)).toEqual({ accepted: false, reason: 'notReady' });
    expect(byManager()).toEqual({ accepted: false, reason: 'notReady' });
    cancelled.resolve({ kind: 'done' });
    await settled();
    expect(world.commands.readiness()).toBe('ready');
    expect(storyOfRefund()).toEqual(['refundRequested', 'created', 'cancelIntended', 'ended']);
    expect(world.commands.lastFinished()).toMatchObject({
      outcome: { refunded: false, reason: 'interrupted' },
    });
    expect(world.lane.snapshot().refund).toMatchObject({
      outcome: { refunded: false, reason: 'interrupted' },
    });
  });

  test('one that may have been created is asked about with its key, as often as it takes, and cancelled', async () => {
    await lose();
    await restart((fresh) => (fresh.lookUpRefundAnswer = { kind: 'unknown', detail: 'no answer' }));
    await world.clock.pass(400);
    // The refund cannot be in the way of the next sale, so the counter opens while the look-up goes
    // on.
    expect(world.commands.readiness()).toBe('ready');
    expect(world.lane.snapshot().unsettled).toMatchObject([
      { kind: 'refund', intent: 'cancel', amountMinor: 1234, problem: null },
    ]);
    world.lookUpRefundAnswer = { kind: 'found', refundId };
    await world.clock.pass(200);
    expect(world.whatLeft()).toEqual([
      'notRefunded',
      'identifyRefund',
      'identifyRefund',
      'cancelRefund',
    ]);
    expect(world.onDiskWhen('identifyRefund')).toEqual(['refundRequested', 'cancelIntended']);
    expect(world.commands.readiness()).toBe('ready');
  });

  test('one that was told "refunded" is paid out, and nobody is told again', async () => {
    world.refundPollAnswers = [refundReserved];
    world.settleAnswer = { kind: 'unknown', detail: 'no answer' };
    accepted(ask());
    await world.clock.pass(1_000);
    expect(world.lane.snapshot().unsettled).toMatchObject([{ kind: 'refund', intent: 'capture' }]);
    await restart();
    expect(world.whatLeft()).toEqual(['captureRefund']);
    expect(world.journal.openRefunds('1')).toEqual([]);
  });
});

describe('a refund whose end nobody knows', () => {
  const refundOpen = { accepted: false, reason: 'refundOpen', askAgainMinutes: 1 } as const;
  /**
   * Requests a refund that is lost with the daemon and looked up in vain, until the lane is open
   * again.
   */
  const loseAndOpen = async (amountMinor: number | null = null): Promise<void> => {
    await lose(amountMinor);
    await restart((fresh) => (fresh.lookUpRefundAnswer = { kind: 'unknown', detail: 'no answer' }));
    await world.clock.pass(400);
    expect(world.commands.readiness()).toBe('ready');
  };

  test('is told as that to till and manager, and when to ask again: neither as refunded nor as not', async () => {
    await loseAndOpen();
    expect(ask()).toEqual(refundOpen);
    expect(ask(1234)).toEqual(refundOpen);
    expect(ask(1)).toEqual(refundOpen);
    expect(byManager()).toEqual(refundOpen);
    expect(ask(1235)).toEqual({ accepted: false, reason: 'amountTooHigh' });
    await world.clock.pass(64_000);
    expect(ask()).toEqual({ ...refundOpen, askAgainMinutes: 2 });
    world.lookUpRefundAnswer = { kind: 'found', refundId };
    await world.clock.pass(120_000);
    expect(accepted(ask()).amountMinor).toBe(1234);
  });

  test('does not stand in the way of what is certainly left', async () => {
    await loseAndOpen(1000);
    expect(ask(235)).toEqual(refundOpen);
    expect(accepted(ask()).amountMinor).toBe(234);
    await settled();
    expect(world.commands.readiness()).toBe('busy');
    expect(byManager({ amountMinor: 1 })).toEqual(refundOpen);
  });

  test('is certain with one answer to its key, before the lane opens: the same refund then works at once', async () => {
    const lost = await lose();
    await restart((fresh) => (fresh.lookUpRefundAnswer = { kind: 'found', refundId }));
    expect(world.identified).toEqual([lost.idempotencyKey]);
    expect(world.whatLeft()).toEqual(['notRefunded', 'identifyRefund', 'cancelRefund']);
    expect(storyOfRefund()).toEqual(['refundRequested', 'cancelIntended', 'created', 'ended']);
    expect(accepted(ask()).amountMinor).toBe(1234);
  });

  test('but that a person has to see to, has no time at which it will be settled', async () => {
    accepted(ask());
    await settled();
    world.settleAnswer = { kind: 'refused', reason: 'other', code: '1352', detail: '1352' };
    world.commands.tillLost(world.journal.openRefunds('1')[0]?.refundOrderId as string);
    world.refundPollAnswers = [seen('captured')];
    await world.clock.pass(1_000);
    expect(ask()).toEqual({ ...refundOpen, askAgainMinutes: null });
  });

  test('was left so by the version before this one: its journal is understood, and settled by its key', async () => {
    const lost = await lose();
    // The same text that that version wrote.
    const body = (event: object): string => JSON.stringify(event);
    const before = [
      body({ type: 'cancelIntended', reason: 'interrupted' }),
      ...Array.from({ length: 4 }, () =>
        body({
          type: 'attemptFailed',
          detail: 'the service knows none; the request may still be on its way',
        }),
      ),
    ];
    world.journal.appendRefund(
      '1',
      lost.refundOrderId,
      before.map((line) => JSON.parse(line) as RefundEvent),
    );
    expect(world.journal.refundsOf(saleId)).toMatchObject([
      { kind: 'cancelling', refundId: null, failedAttempts: 4 },
    ]);
    await restart((fresh) => (fresh.lookUpRefundAnswer = { kind: 'found', refundId }));
    expect(world.identified).toEqual([lost.idempotencyKey]);
    expect(world.whatLeft()).toEqual(['identifyRefund', 'cancelRefund']);
    expect(accepted(ask()).amountMinor).toBe(1234);
  });
});

describe('what can be seen of a refund', () => {
  test('how far it is, then how it ended, for a while', async () => {
    expect(world.lane.snapshot().refund).toBeNull();
    world.refundPollAnswers = [refundReserved];
    accepted(ask(5));
    expect(world.lane.snapshot().refund).toMatchObject({
      refund: { kind: 'creating' },
      outcome: null,
      remainingMs: 30_000,
    });
    await world.clock.pass(1_000);
    expect(world.lane.snapshot().refund).toMatchObject({
      refund: { kind: 'refunded', request: { amountMinor: 5 } },
      outcome: { refunded: true },
    });
    await world.clock.pass(15_000);
    expect(world.lane.snapshot().refund).toBeNull();
  });

  test('money that went out although it was cancelled needs a person, and still does after a restart', async () => {
    accepted(ask());
    await settled();
    world.settleAnswer = { kind: 'refused', reason: 'other', code: '1352', detail: '1352' };
    world.commands.tillLost(world.journal.openRefunds('1')[0]?.refundOrderId as string);
    world.refundPollAnswers = [seen('captured')];
    await world.clock.pass(1_000);
    const unsettled = [{ kind: 'refund', intent: 'cancel', problem: 'paidOutUnasked', saleId }];
    expect(world.lane.snapshot().unsettled).toMatchObject(unsettled);
    await restart();
    expect(world.lane.snapshot().unsettled).toMatchObject(unsettled);
    expect(world.commands.readiness()).toBe('ready');
  });
});

test('a lane that closes gives up what is not decided, and leaves the rest to the next start', async () => {
  accepted(byManager());
  accepted(ask(1));
  await settled();
  const closing = world.lane.close();
  await world.clock.pass(1_500);
  await closing;
  expect(
    world.journal.refundsOf(saleId).map((refund) => 'reason' in refund && refund.reason),
  ).toEqual(['interrupted', 'interrupted']);
});

test('a refund in one step is what the till did last until the service has told, also after a restart: the till is to wait, and is told no older receipt', async () => {
  world.capabilities = inOneStep;
  await lose(234);
  expect(world.commands.readiness()).toBe('busy');
  await restart((next) => {
    next.capabilities = inOneStep;
    next.lookUpRefundAnswer = { kind: 'unknown', detail: 'no answer' };
  });
  expect(world.commands.readiness()).toBe('busy');
  world.lookUpRefundAnswer = { kind: 'found', refundId };
  world.refundPollAnswers = [seen('captured')];
  await world.clock.pass(10_000);
  expect(world.commands.readiness()).toBe('ready');
  expect(world.commands.lastFinished()).toMatchObject({ outcome: { refunded: true } });
});
