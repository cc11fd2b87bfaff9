import { describe, expect, test } from 'vitest';
import { notPaidReasons, notRefundedReasons } from '../../../../main/core/domain/reasons.ts';
import type { Hindrance, PaymentAnswer } from '../../../../main/core/lane/till-port.ts';
import { describe as inWords } from '../../../../main/tills/zvt/describe.ts';
import { negativeAnswer } from '../../../../main/tills/zvt/packets.ts';
import {
  booked,
  bookingRefusal,
  cashbackRefusal,
  hindranceCodes,
  raiseRefusal,
  RESULT,
  refundRefusal,
  resultOf,
  resultToldAgain,
  saleRefusal,
  TERMINAL_STATUS,
  wholeCaptured,
} from '../../../../main/tills/zvt/result-codes.ts';
import { tillTexts } from '../../../../main/tills/zvt/texts.ts';
import type { BookingRefused, Refused, RefundRefusal } from '../../../../main/tills/zvt/words.ts';
import { ack, Cable, refundTicket, ticket } from './support.ts';

/** The names of all reasons. With one missing it does not compile. */
const namesOf = <Name extends string>(all: Record<Name, true>): Name[] =>
  Object.keys(all) as Name[];
const saleRefusals = namesOf<Refused<PaymentAnswer>>({
  notReady: true,
  serviceUnreachable: true,
  wrongCurrency: true,
  amountTooSmall: true,
  amountTooHigh: true,
  storageFailed: true,
  noReservations: true,
});
const refundRefusals = namesOf<RefundRefusal | 'refundOpen'>({
  notReady: true,
  serviceUnreachable: true,
  wrongCurrency: true,
  amountTooSmall: true,
  storageFailed: true,
  unknownReceipt: true,
  alreadyRefunded: true,
  amountTooHigh: true,
  amountDiffers: true,
  receiptNumberMissing: true,
  overTillLimit: true,
  refundsOff: true,
  notRegistered: true,
  refundOpen: true,
});
const bookingRefusals = namesOf<BookingRefused>({
  notReady: true,
  wrongCurrency: true,
  unknownReservation: true,
  alreadyBooked: true,
  reservationReleased: true,
  reservationExpired: true,
  notHeld: true,
  unclear: true,
  notRegistered: true,
  amountTooHigh: true,
  amountDiffers: true,
  wholeAmountOnly: true,
  storageFailed: true,
});
const hindrances = namesOf<Hindrance>({
  serviceUnreachable: true,
  starting: true,
  needsPerson: true,
});

/**
 * The codes on which a till acts by itself: end of day, initialisation, diagnosis, activation (ZVT
 * PA00P015, section 11.1).
 */
const actedUpon = [0xf0, 0x51, 0xc2, 0xe4];

const results: readonly (readonly [string, number])[] = [
  ...notPaidReasons.flatMap((reason) =>
    (['confirmed', 'decided', 'contested'] as const).flatMap((certainty): [string, number][] => [
      [`not paid: ${reason}`, resultOf({ paid: false, reason }).code],
      [
        `not paid: ${reason}, told again, ${certainty}`,
        resultToldAgain({ outcome: { paid: false, reason }, certainty }).code,
      ],
    ]),
  ),
  ...notRefundedReasons.map((reason): [string, number] => [
    `not refunded: ${reason}`,
    resultOf({ refunded: false, reason }).code,
  ]),
  ...saleRefusals.map((reason): [string, number] => [
    `sale refused: ${reason}`,
    saleRefusal(reason).code,
  ]),
  ...refundRefusals.map((reason): [string, number] => [
    `refund refused: ${reason}`,
    refundRefusal(reason, 1).code,
  ]),
  ...bookingRefusals.map((reason): [string, number] => [
    `booking refused: ${reason}`,
    bookingRefusal(reason).code,
  ]),
  ...hindrances.map((hindrance): [string, number] => [
    `diagnosis: ${hindrance}`,
    hindranceCodes[hindrance],
  ]),
  ...Object.entries({ booked, wholeTaken: wholeCaptured, raiseRefusal, cashbackRefusal }).map(
    ([name, { code }]): [string, number] => [name, code],
  ),
];

describe('no code that makes a till act by itself is sent', () => {
  test.each(results)('%s', (_reason, code) => {
    expect(actedUpon).not.toContain(code);
  });

  test('nor has any code that is sent such a meaning', () => {
    for (const code of [...Object.values(RESULT), ...Object.values(TERMINAL_STATUS)])
      expect(actedUpon).not.toContain(code);
  });

  test.each(
    (['ready', 'busy', 'notReady'] as const).flatMap((ready) =>
      [null, ...hindrances].map((hindrance) => [ready, hindrance] as const),
    ),
  )(
    'to a status enquiry while the lane is %s, %s; and memory or journal are never "full" because of the service',
    async (ready, hindrance) => {
      const cable = await new Cable().plugIn();
      cable.commands.ready = ready;
      cable.commands.hindered = hindrance;
      const [, , told] = await cable.send('05 01 05 12 34 56 03 02');
      expect(
        [...actedUpon, 0xb1, 0xb2].map((code) => `06 0F 01 ${code.toString(16).toUpperCase()}`),
      ).not.toContain(told);
    },
  );
});

test('a hiccup of the network is "no connection", whatever the till wanted', () => {
  for (const { code } of [
    resultOf({ paid: false, reason: 'serviceUnreachable' }),
    resultOf({ refunded: false, reason: 'serviceUnreachable' }),
    saleRefusal('serviceUnreachable'),
    refundRefusal('serviceUnreachable'),
  ])
    expect(code).toBe(0xa3);
  expect(hindranceCodes.serviceUnreachable).toBe(0xa3);
});

test('every code that is sent has words in the log', () => {
  for (const code of Object.values(RESULT).filter((one) => one !== 0))
    expect(inWords(negativeAnswer(code))).not.toContain('unknown reason');
});

describe('what a till answers to a result', () => {
  const authorisation = '06 01 0A 04 00 00 00 00 12 34 49 02 08';
  test.each([
    ['66', 'failed at the till'],
    ['CC', 'cannot print'],
    ['83', 'does not have it'],
    ['A0', 'is not ready'],
  ])('84 %s, %s: nothing is paid, and the till hears so', async (code) => {
    const cable = await new Cable().plugIn();
    await cable.send(authorisation);
    await cable.heard();
    const offer = cable.till.offerPaid(ticket);
    await cable.heard();
    await cable.send(`84 ${code} 00`);
    expect(await offer).toBe('notAcknowledged');
    cable.till.conclude(ticket, { paid: false, reason: 'notDelivered' });
    expect(await cable.heard()).toEqual([expect.stringMatching(/^04 0F .. 27 6C /)]);
    expect(await cable.send(ack)).toEqual(['ACK', '06 1E 01 6C']);
  });

  test('nothing at all: the command is ended, and no second result is told into the silence', async () => {
    const cable = await new Cable().plugIn();
    await cable.send('06 30 06 12 34 56 87 00 17');
    await cable.heard();
    const offer = cable.till.offerRefunded(refundTicket);
    await cable.heard();
    await cable.clock.pass(5_000);
    expect(await offer).toBe('notAcknowledged');
    cable.till.concludeRefund(refundTicket, { refunded: false, reason: 'notDelivered' });
    expect(await cable.heard()).toEqual(['06 1E 01 6C']);
  });
});

describe('a part of the amount', () => {
  const sized = (data: string): string =>
    `06 01 ${data.split(' ').length.toString(16).padStart(2, '0')} ${data}`;
  const withObject = (object: string): string =>
    sized(
      `04 00 00 00 00 12 34 49 02 08 06 ${object.split(' ').length.toString(16).padStart(2, '0')} ${object}`,
    );
  test.each([
    ['a tip', '1F 36 06 00 00 00 00 02 34'],
    ['a cashback of nothing', '1F 25 06 00 00 00 00 00 00'],
  ])('that is %s stays in it: the amount is the sum', async (_what, object) => {
    const cable = await new Cable().plugIn();
    expect(await cable.send(withObject(object))).toEqual(['ACK', ack]);
    expect(cable.commands.asked).toEqual(['sale 1234 DKK']);
  });

  test.each([
    ['a cashback', '1F 25 06 00 00 00 00 02 34'],
    ['a cashback that cannot be read', '1F 25 06 00 00 00 00 0A 00'],
  ])('that is %s is refused with CD: nobody gets cash for it', async (_what, object) => {
    const cable = await new Cable().plugIn();
    expect(await cable.send(withObject(object))).toEqual([
      'ACK',
      ack,
      expect.stringMatching(/^04 0F .. 27 CD 3C /),
    ]);
    expect(await cable.send(ack)).toEqual(['ACK', '06 1E 01 CD']);
    expect(cable.commands.asked).toEqual([]);
  });
});

test('a payment of which another amount was captured is told again as paid, with words of its own', () => {
  const lost = resultToldAgain({ outcome: { paid: true }, certainty: 'contested' });
  const other = resultToldAgain({ outcome: { paid: true }, certainty: 'contested', movedMinor: 5 });
  const unasked = resultToldAgain({
    outcome: { paid: false, reason: 'unclear' },
    certainty: 'contested',
    movedMinor: 5,
  });
  expect([lost, other, unasked].map(({ words }) => words?.(tillTexts.en))).toEqual([
    'Unclear: ask the manager',
    'Other amount captured: ask manager',
    'Unclear: ask the manager',
  ]);
  expect(other.code).toBe(RESULT.ok);
});
