import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { BookingRequest } from '../../../../main/core/lane/till-port.ts';
import type { PollAnswer } from '../../../../main/core/lane/wallet-port.ts';
import { settled } from '../../support/manual-clock.ts';
import { money, reserved, World } from './support.ts';

const dayMs = 24 * 3_600_000;
const settings = { plannedCaptureDelay: 'LessThan14Days' } as const;

let world: World;
let heldAnswer: PollAnswer;
beforeEach(async () => {
  world = await new World(undefined, settings).open();
  heldAnswer = {
    ...reserved,
    expiresAtMs: world.clock.wallMs() + 7 * dayMs,
    partialCapturePossible: true,
  };
});
afterEach(() => world.remove());

async function hold(): Promise<void> {
  world.pollAnswers = [heldAnswer];
  expect(world.commands.requestSale({ ...money, reserve: true })).toMatchObject({ accepted: true });
  await world.clock.pass(2_000);
  expect(world.lane.snapshot().reservations).toMatchObject([{ receiptNumber: 1, by: 'till' }]);
}
async function startAnew(): Promise<void> {
  world.close();
  world = new World(world.folder, settings);
  world.pollAnswers = [heldAnswer];
  await world.open();
  await settled();
}
const asked = (
  kind: BookingRequest['what']['kind'],
  amountMinor: number | null,
  about: Partial<BookingRequest> = {},
) =>
  world.commands.requestBooking({
    receiptNumber: 1,
    traceNumber: null,
    what: { kind, amountMinor },
    currency: 'DKK',
    ...about,
  });
/** The till asks, and acknowledges the result. */
function book(
  kind: BookingRequest['what']['kind'],
  amountMinor: number | null,
  acknowledged = true,
) {
  const answer = asked(kind, amountMinor);
  if (!answer.accepted) throw new Error(answer.reason);
  return { booking: answer.booking, end: world.commands.endBooking(answer.booking, acknowledged) };
}
const reason = (reasonIs: string) => ({ accepted: false, reason: reasonIs });

describe('a reservation that a till makes', () => {
  test('is told before it is held, holds, and is what was last', async () => {
    await hold();
    expect(world.whatLeft()).toEqual(['create', 'offerPaid', 'notPaid']);
    expect(world.outcomes).toEqual([{ paid: false, reason: 'held' }]);
    expect(world.commands.lastFinished()).toMatchObject({
      sale: { receiptNumber: 1 },
      outcome: { paid: false, reason: 'held' },
    });
    expect(world.commands.openReservations()).toMatchObject([
      { receiptNumber: 1, isEndingSoon: false },
    ]);
    expect(world.commands.readiness()).toBe('ready');
  });

  test('is cancelled when the till does not take it over', async () => {
    world.tillAnswer = 'notAcknowledged';
    world.pollAnswers = [heldAnswer];
    world.commands.requestSale({ ...money, reserve: true });
    await world.clock.pass(2_000);
    expect(world.whatLeft()).toEqual(['create', 'offerPaid', 'notPaid', 'cancel']);
    expect(world.commands.openReservations()).toEqual([]);
  });

  test('is refused where the lane takes none, and nothing begins', async () => {
    const other = await new World().open();
    expect(other.commands.requestSale({ ...money, reserve: true })).toEqual(
      reason('noReservations'),
    );
    expect(other.commands.openReservations()).toBeNull();
    expect(other.whatLeft()).toEqual([]);
    other.remove();
  });
});

describe('a booking', () => {
  test('is captured when the till has taken it over, the numbers on disk before it is told, the decision before it is sent', async () => {
    await hold();
    const answer = asked('unused', 234);
    expect(answer).toMatchObject({
      accepted: true,
      booking: {
        kind: 'capture',
        amountMinor: 1_000,
        reservedMinor: 1234,
        receiptNumber: 2,
        originalReceiptNumber: 1,
      },
    });
    expect(world.journal.openSales('1')[0]?.events.at(-1)?.type).toBe('bookingRequested');
    expect(world.commands.readiness()).toBe('busy');
    expect(world.captured).toEqual([]);
    if (answer.accepted) expect(world.commands.endBooking(answer.booking, true)).toBe('booked');
    expect(world.onDiskWhen('capture')?.at(-1)).toBe('captureIntended');
    await settled();
    expect(world.captured).toEqual([{ amountMinor: 1_000, currency: 'DKK' }]);
    expect(world.commands.lastFinished()).toMatchObject({
      booking: { kind: 'capture', amountMinor: 1_000, receiptNumber: 2 },
      certainty: 'confirmed',
    });
    expect(world.journal.nextNumbers('1')).toEqual({ receiptNumber: 3, traceNumber: 3 });
    expect(world.commands.readiness()).toBe('ready');
  });

  test('is refunded by its own receipt number, not by that of the reservation', async () => {
    await hold();
    book('used', 1_000);
    await settled();
    const refund = { amountMinor: null, currency: 'DKK' } as const;
    expect(world.commands.requestRefund({ ...refund, receiptNumber: 1 })).toEqual(
      reason('unknownReceipt'),
    );
    expect(world.commands.requestRefund({ ...refund, receiptNumber: 2 })).toMatchObject({
      accepted: true,
      refund: { amountMinor: 1_000, originalReceiptNumber: 2, receiptNumber: 3 },
    });
  });

  test('that the till does not take over changes nothing, and its numbers are not given again', async () => {
    await hold();
    expect(book('used', 1_000, false).end).toBe('notAcknowledged');
    expect(world.commands.openReservations()).toMatchObject([{ receiptNumber: 1 }]);
    expect(world.captured).toEqual([]);
    expect(world.commands.lastFinished()).toMatchObject({ sale: { receiptNumber: 1 } });
    expect(book('used', 900).booking.receiptNumber).toBe(3);
    await settled();
    expect(world.captured).toEqual([{ amountMinor: 900, currency: 'DKK' }]);
  });

  test.each([
    ['back', null],
    ['back', 1234],
    ['used', 0],
    ['unused', 1234],
  ] as const)('of %s %s gives all of it back', async (kind, amountMinor) => {
    await hold();
    expect(book(kind, amountMinor)).toMatchObject({
      booking: { kind: 'release', amountMinor: 1234 },
      end: 'booked',
    });
    await settled();
    expect(world.whatLeft().at(-1)).toBe('cancel');
    expect(world.onDiskWhen('cancel')?.at(-1)).toBe('cancelIntended');
    expect(world.commands.lastFinished()).toMatchObject({ booking: { kind: 'release' } });
    expect(world.captured).toEqual([]);
  });

  test('of all of it: an amount that is left out', async () => {
    await hold();
    expect(book('unused', null).booking).toMatchObject({ kind: 'capture', amountMinor: 1234 });
  });

  test('is refused by name, and changes nothing', async () => {
    await hold();
    expect(asked('used', 1235)).toEqual(reason('amountTooHigh'));
    expect(asked('unused', 1235)).toEqual(reason('amountTooHigh'));
    expect(asked('back', 1233)).toEqual(reason('amountDiffers'));
    expect(asked('used', 1, { currency: 'EUR' })).toEqual(reason('wrongCurrency'));
    expect(asked('used', 1, { receiptNumber: 2 })).toEqual(reason('unknownReservation'));
    expect(asked('used', 1, { traceNumber: 2 })).toEqual(reason('unknownReservation'));
    expect(asked('used', 1, { receiptNumber: null, traceNumber: 9 })).toEqual(
      reason('unknownReservation'),
    );
    world.diskWorks = false;
    expect(asked('used', 1)).toEqual(reason('storageFailed'));
    world.diskWorks = true;
    expect(world.journal.openSales('1')[0]?.events.at(-1)?.type).toBe('tillAcknowledged');
    expect(asked('used', 1, { receiptNumber: null, traceNumber: 1 })).toMatchObject({
      accepted: true,
    });
    expect(asked('used', 1)).toEqual(reason('busy'));
  });

  test('of a part is refused where the service captures all or nothing, and the reservation stays open', async () => {
    heldAnswer = { ...reserved, expiresAtMs: null, partialCapturePossible: false };
    await hold();
    expect(asked('used', 1_000)).toEqual(reason('wholeAmountOnly'));
    expect(book('used', 1234).end).toBe('booked');
  });

  test('of another lane is not found', async () => {
    await hold();
    world.close();
    const other = await new World(world.folder, { ...settings, id: '2' }).open();
    expect(
      other.commands.requestBooking({
        receiptNumber: 1,
        traceNumber: 1,
        what: { kind: 'back', amountMinor: null },
        currency: null,
      }),
    ).toEqual(reason('unknownReservation'));
    expect(other.commands.openReservations()).toEqual([]);
    other.close();
    world = new World(world.folder, settings);
  });

  test('that is asked for again is told again, not done again; anything else is refused', async () => {
    await hold();
    const first = book('used', 1_000);
    await settled();
    expect(asked('used', 1_000)).toEqual({
      accepted: false,
      reason: 'done',
      finished: { booking: first.booking, certainty: 'confirmed' },
    });
    expect(asked('unused', 234)).toMatchObject(reason('done'));
    expect(asked('used', 999)).toEqual(reason('alreadyBooked'));
    expect(asked('back', null)).toEqual(reason('alreadyBooked'));
    await startAnew();
    expect(asked('used', 1_000)).toMatchObject({
      reason: 'done',
      finished: { booking: { receiptNumber: 2 } },
    });
    await world.clock.pass(620_000);
    expect(asked('used', 1_000)).toEqual(reason('alreadyBooked'));
    expect(world.captured).toEqual([]);
  });

  test('is not told as a till’s when a manager decided', async () => {
    await hold();
    book('used', 1_000, false);
    world.lane.captureReservation(
      world.lane.snapshot().reservations[0]?.saleId ?? '',
      1_000,
      'Anna',
    );
    await settled();
    expect(asked('used', 1_000)).toEqual(reason('alreadyBooked'));
    expect(world.commands.lastFinished()).toMatchObject({
      sale: { receiptNumber: 1 },
      capturedMinor: 1_000,
    });
    expect(
      world.commands.requestRefund({ receiptNumber: 1, amountMinor: null, currency: 'DKK' }),
    ).toMatchObject({ accepted: true });
  });

  test('loses to a manager who was faster, and says so', async () => {
    await hold();
    const answer = asked('used', 1_000);
    world.lane.releaseReservation(world.lane.snapshot().reservations[0]?.saleId ?? '');
    expect(answer.accepted && world.commands.endBooking(answer.booking, true)).toBe('notHeld');
    await settled();
    expect(world.captured).toEqual([]);
    expect(asked('used', 1_000)).toEqual(reason('reservationReleased'));
  });

  test('when the disk refuses the decision: nothing is captured, and the till hears that', async () => {
    await hold();
    const answer = asked('used', 1_000);
    world.diskWorks = false;
    expect(answer.accepted && world.commands.endBooking(answer.booking, true)).toBe(
      'storageFailed',
    );
    world.diskWorks = true;
    await settled();
    expect(world.captured).toEqual([]);
    expect(world.lane.snapshot().reservations).toHaveLength(1);
  });

  test('a crash before the till has taken it over: it is held as it was, and the lane is free', async () => {
    await hold();
    asked('used', 1_000);
    await startAnew();
    expect(world.commands.readiness()).toBe('ready');
    expect(world.lane.snapshot().reservations).toHaveLength(1);
    expect(world.commands.lastFinished()).toMatchObject({
      sale: { receiptNumber: 1 },
      outcome: { reason: 'held' },
    });
    expect(world.captured).toEqual([]);
    expect(book('used', 1_000).booking.receiptNumber).toBe(3);
  });

  test('a crash after the decision: it is captured, once, and told as what was last', async () => {
    await hold();
    world.settleAnswer = { kind: 'unknown', detail: 'no answer' };
    book('used', 1_000);
    await settled();
    await startAnew();
    expect(world.captured).toEqual([{ amountMinor: 1_000, currency: 'DKK' }]);
    expect(world.commands.lastFinished()).toMatchObject({
      booking: { amountMinor: 1_000, receiptNumber: 2 },
    });
  });

  test('one that has lapsed says that', async () => {
    await hold();
    world.pollAnswers = [{ ...reserved, status: 'expired' }];
    await world.clock.pass(8 * dayMs);
    expect(asked('used', 1_000)).toEqual(reason('reservationExpired'));
  });
});

test('a reservation by hand is not listed to tills, which would cancel what they do not know; by its number it is booked', async () => {
  world.pollAnswers = [heldAnswer];
  world.lane.payByHand({
    actionId: 'ac700000-0000-4000-8000-000000000001',
    amountMinor: 1234,
    orderText: null,
    reserve: true,
  });
  await world.clock.pass(2_000);
  expect(world.commands.openReservations()).toEqual([]);
  expect(asked('used', 1_000)).toMatchObject({ accepted: true });
});
