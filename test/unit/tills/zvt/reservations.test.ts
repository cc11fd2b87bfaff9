import { describe, expect, test } from 'vitest';
import type { BookingTicket } from '../../../../main/core/domain/sale.ts';
import { decodeText } from '../../../../main/tills/zvt/text.ts';
import { ack, bytesOf, Cable, eventually, registered, TcpLine, ticket } from './support.ts';

const reservation = '06 22 0C 19 40 49 02 08 04 00 00 00 00 12 34';
/** Conversations 14 to 17 of the reference, in DKK. */
const partialReversal = '06 23 0F 19 40 87 02 31 49 02 08 04 00 00 00 00 12 95';
const bookTotal = '06 24 0D 87 02 31 04 00 00 00 00 12 05 49 02 08';
const giveBack = '06 25 08 19 40 87 02 31 49 02 08';
const enquiry = '06 23 03 87 FF FF';
const booking: BookingTicket = {
  saleId: ticket.saleId,
  orderId: ticket.orderId,
  kind: 'capture',
  amountMinor: 1_205,
  reservedMinor: 2_500,
  currency: 'DKK',
  receiptNumber: 233,
  traceNumber: 981,
  originalReceiptNumber: 231,
  originalTraceNumber: 975,
  startedAtMs: ticket.startedAtMs,
};
const bookedStatus = /^04 0F .. 27 00 04 00 00 00 00 12 05 0B 00 09 81 37 00 09 75 .* 87 02 33 /;
const textIn = (packet: string | undefined): string => decodeText(bytesOf(packet ?? ''));

const line = async (prepare: (cable: Cable) => void = () => {}, cable?: Cable): Promise<Cable> => {
  const there = cable ?? (await new Cable().plugIn());
  there.commands.booking = { accepted: true, booking };
  there.commands.open = [];
  prepare(there);
  return there;
};
/** What the terminal sends after a command that it refuses, up to the command's end. */
const declined = async (
  command: string,
  prepare: (cable: Cable) => void = () => {},
): Promise<string[]> => {
  const cable = await line(prepare);
  const said = [
    ...(await cable.send(command)),
    ...(await cable.send(ack)),
    ...(await cable.send(ack)),
  ];
  return said.filter((packet) => packet !== 'ACK');
};

describe('06 22, a reservation', () => {
  test('is asked for, told with how long it is held, and completed; nothing is printed', async () => {
    const cable = await line(undefined, await registered('82'));
    expect(await cable.send(reservation)).toEqual(['ACK', ack]);
    expect(cable.commands.asked).toEqual(['reserve 1234 DKK']);
    const heldUntilMs = new Date(2026, 10, 28, 9, 5).getTime();
    const offer = cable.till.offerPaid({ ...ticket, heldUntilMs });
    const [status] = await cable.heard();
    expect(status).toMatch(/^04 0F .. 27 00 04 00 00 00 00 12 34 /);
    expect(textIn(status)).toContain('Held until 2026-11-28 09:05');
    await cable.send(ack);
    expect(await offer).toBe('acknowledged');
    cable.till.conclude({ ...ticket, heldUntilMs }, { paid: false, reason: 'held' });
    expect(await cable.heard()).toEqual(['06 0F 00']);
  });

  test.each([
    ['by a trace number', '06 22 0E 04 00 00 00 00 12 34 49 02 08 0B 00 00 42'],
    [
      'by a long trace number',
      '06 22 14 04 00 00 00 00 12 34 49 02 08 0B 00 00 00 06 04 1F 2B 01 42',
    ],
    ['by its kind', '06 22 10 04 00 00 00 00 12 34 49 02 08 06 04 1F 06 01 03'],
  ])('is not raised %s: it would be a second one', async (_how, command) => {
    const [accepted, status, end] = await declined(command);
    expect(accepted).toBe(ack);
    expect(textIn(status)).toContain('A reservation cannot be raised');
    expect([status?.slice(0, 14), end]).toEqual([
      expect.stringMatching(/^04 0F .. 27 83/),
      '06 1E 01 83',
    ]);
  });

  test('is 84 83 where the lane takes none, and 84 9A without an amount', async () => {
    expect(
      await declined(
        reservation,
        ({ commands }) => (commands.sale = { accepted: false, reason: 'noReservations' }),
      ),
    ).toEqual(['84 83 00']);
    expect(await declined('06 22 03 49 02 08')).toEqual(['84 9A 00']);
  });
});

describe('06 23 to 06 26, what becomes of a reservation', () => {
  test.each([
    ['06 23 names what is not used', partialReversal, 'book 231/-: unused 1295 DKK'],
    ['06 23 without an amount', '06 23 03 87 02 31', 'book 231/-: unused all -'],
    [
      '06 23 by trace number',
      '06 23 0E 0B 00 09 75 04 00 00 00 00 12 95 49 02 08',
      'book -/975: unused 1295 DKK',
    ],
    ['06 24 names what is used', bookTotal, 'book 231/-: used 1205 DKK'],
    ['06 24 without an amount', '06 24 03 87 02 31', 'book 231/-: used all -'],
    ['06 25 gives back', giveBack, 'book 231/-: back all DKK'],
    [
      '06 25 with the amount as a check',
      '06 25 0D 87 02 31 04 00 00 00 00 25 00 49 02 08',
      'book 231/-: back 2500 DKK',
    ],
    [
      '06 26 by trace number and amount',
      '06 26 12 04 00 00 00 00 25 00 49 02 08 0B 00 09 75 06 04 1F 06 01 02',
      'book -/975: back 2500 DKK',
    ],
    ['a long trace number', '06 25 0B 0B 00 00 00 06 05 1F 2B 02 09 75', 'book -/975: back all -'],
  ])('%s', async (_what, command, asked) => {
    const bytes = bytesOf(command);
    bytes[2] = bytes.length - 3;
    const cable = await line();
    expect(await cable.send([...bytes].map((byte) => byte.toString(16)).join(' '))).toEqual([
      'ACK',
      ack,
      expect.stringMatching(bookedStatus),
    ]);
    expect(cable.commands.asked).toEqual([asked]);
  });

  test('is decided with the till’s acknowledgement, and then completed', async () => {
    const cable = await line();
    await cable.send(bookTotal);
    expect(cable.commands.asked).not.toContain('booked');
    expect(await cable.send(ack)).toEqual(['ACK', '06 0F 00']);
    expect(cable.commands.asked).toContain('booked');
    expect(await cable.send('06 01 0A 04 00 00 00 00 12 34 49 02 08')).toEqual(['ACK', '84 9C 00']);
    await cable.send(ack);
    expect(await cable.send(bookTotal)).toEqual(['ACK', ack, expect.stringMatching(bookedStatus)]);
  });

  test('is decided after the last line of its receipt, which has what was reserved and what is captured', async () => {
    const cable = await line(undefined, await registered('82'));
    await cable.send(bookTotal);
    const lines: string[] = [];
    let said = await cable.send(ack);
    while (said.some((packet) => packet.startsWith('06 D1'))) {
      expect(cable.commands.asked).not.toContain('booked');
      lines.push(textIn(said.find((packet) => packet.startsWith('06 D1'))).slice(4));
      said = await cable.send(ack);
    }
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/DKK 12\.05$/),
        expect.stringMatching(/^Reserved +DKK 25\.00$/),
        expect.stringMatching(/PAID$/),
        expect.stringMatching(/^Original receipt +0231$/),
        expect.stringMatching(/^Receipt +0233$/),
      ]),
    );
    expect(cable.commands.asked).toContain('booked');
    expect(said).toContain('06 0F 00');
  });

  test.each([
    ['refuses', '84 66 00'],
    ['answers with a part', '84 9D 07 04 00 00 00 00 10 00'],
  ])('is not decided when the till %s: the reservation stays as it was', async (_what, answer) => {
    const cable = await line();
    await cable.send(bookTotal);
    expect(await cable.send(answer)).toEqual(['ACK', '06 1E 01 6C']);
    expect(cable.commands.asked).toEqual([expect.any(String), 'not booked']);
  });

  test('is not decided when the till says nothing, or cannot print', async () => {
    const silent = await line();
    await silent.send(bookTotal);
    await silent.clock.pass(5_000);
    expect(silent.commands.asked).toContain('not booked');
    const without = await line(undefined, await registered('82'));
    await without.send(bookTotal);
    await without.send(ack);
    await without.send('84 CC 00');
    expect(without.commands.asked).toContain('not booked');
  });

  test('is asked about again while the till says "please wait", as often as it named', async () => {
    const cable = await line();
    await cable.send(
      '06 24 0A 87 02 31 02 01 04 00 00 00 00 12 05'.replace('06 24 0A', '06 24 0C'),
    );
    await cable.send('84 9C 00');
    await cable.clock.pass(2_000);
    expect(await cable.heard()).toEqual([expect.stringMatching(bookedStatus)]);
    expect(await cable.send('84 9C 00')).toEqual(['ACK', '06 1E 01 6C']);
    expect(cable.commands.asked).toContain('not booked');
  });

  test('cannot be aborted: the answer to 04 0F decides', async () => {
    const cable = await line();
    await cable.send(bookTotal);
    expect(await cable.send('06 B0 00')).toEqual(['ACK', '84 83 00']);
    expect(await cable.send(ack)).toEqual(['ACK', '06 0F 00']);
  });

  test.each([
    ['notHeld', 'B8'],
    ['storageFailed', 'B1'],
  ] as const)(
    'that comes to nothing after the till has taken it (%s) ends with %s',
    async (end, code) => {
      const cable = await line(({ commands }) => (commands.bookingEnd = end));
      await cable.send(bookTotal);
      expect(await cable.send(ack)).toEqual([
        'ACK',
        expect.stringMatching(new RegExp(`^04 0F .. 27 ${code} `)),
      ]);
      expect(await cable.send(ack)).toEqual(['ACK', `06 1E 01 ${code}`]);
    },
  );

  test.each([
    ['unknownReservation', 'B8', 'No such reservation'],
    ['alreadyBooked', 'B8', 'Reservation already booked'],
    ['reservationReleased', 'B8', 'Reservation cancelled'],
    ['reservationExpired', 'B8', 'Reservation expired'],
    ['unclear', 'B8', 'Unclear: ask the manager'],
    ['amountTooHigh', 'B7', 'More than is reserved'],
    ['amountDiffers', 'B7', 'Not the reserved amount'],
    ['wholeAmountOnly', 'B7', 'Only the whole amount can be booked'],
    ['wrongCurrency', '6F', 'Wrong currency'],
    ['notReady', 'A3', 'Not ready'],
    ['storageFailed', 'B1', 'The terminal cannot store payments'],
  ] as const)('is refused because of %s with %s', async (reason, code, words) => {
    const [accepted, status, end] = await declined(
      bookTotal,
      ({ commands }) => (commands.booking = { accepted: false, reason }),
    );
    expect(accepted).toBe(ack);
    expect(status).toMatch(new RegExp(`^04 0F .. 27 ${code} `));
    expect(textIn(status)).toContain(words);
    expect(end).toBe(`06 1E 01 ${code}`);
  });

  test('is told again, not done again, to a till that has not heard its end; and by 06 20', async () => {
    const cable = await line(
      ({ commands }) =>
        (commands.booking = {
          accepted: false,
          reason: 'done',
          finished: { booking, certainty: 'confirmed' },
        }),
    );
    expect(await cable.send(bookTotal)).toEqual(['ACK', ack, expect.stringMatching(bookedStatus)]);
    expect(await cable.send(ack)).toEqual(['ACK', '06 0F 00']);
    await cable.send(ack);
    expect(cable.commands.asked).toHaveLength(1);
    cable.commands.last = { booking, certainty: 'contested' };
    const said = await cable.send('06 20 05 12 34 56 03 01');
    expect(said).toEqual(['ACK', ack, expect.stringMatching(bookedStatus)]);
    expect(textIn(said[2])).toContain('Unclear: ask the manager');
  });

  test('a busy lane is 84 9C, one without reservations 84 83', async () => {
    expect(
      await declined(
        bookTotal,
        ({ commands }) => (commands.booking = { accepted: false, reason: 'busy' }),
      ),
    ).toEqual(['84 9C 00']);
    for (const command of [bookTotal, partialReversal, giveBack, enquiry])
      expect(await declined(command, ({ commands }) => (commands.open = null))).toEqual([
        '84 83 00',
      ]);
  });

  test.each([
    ['no number at all', '06 24 09 04 00 00 00 00 12 05 49 02 08'],
    ['a receipt number that is no number', '06 24 0A 87 0A 31 04 00 00 00 00 12 05'],
    ['FFFF, where it asks for nothing', '06 25 03 87 FF FF'],
    ['a trace number that is no number', '06 24 0B 0B 0F 00 01 04 00 00 00 00 12 05'],
    ['an amount that is no number', '06 24 0A 87 02 31 04 00 00 00 00 1F 05'],
    ['a seventh byte in the amount', '06 24 0B 87 02 31 04 00 00 00 00 12 05 00'],
    ['a third byte in the receipt number', '06 24 0B 87 02 31 00 04 00 00 00 00 12 05'],
    ['an amount that an unknown bitmap hides', '06 23 0C 87 02 31 19 40 77 04 00 00 00 00 12'],
    ['two amounts', '06 24 11 87 02 31 04 00 00 00 00 12 05 04 00 00 00 00 12 06'],
    ['an amount that is cut off', '06 24 08 87 02 31 04 00 00 00 12'],
    ['06 26 without an amount', '06 26 04 0B 00 09 75'],
    ['06 26 without a trace number', '06 26 0A 87 02 31 04 00 00 00 00 25 00'],
    ['a long trace number that is no number', '06 25 06 06 04 1F 2B 01 AF'],
    ['two receipt numbers', '06 25 06 87 02 31 87 02 32'],
  ])('84 9A, and nothing is asked of the lane: %s', async (_what, command) => {
    const bytes = bytesOf(command);
    bytes[2] = bytes.length - 3;
    const cable = await line();
    expect(await cable.send([...bytes].map((byte) => byte.toString(16)).join(' '))).toEqual([
      'ACK',
      '84 9A 00',
    ]);
    expect(cable.commands.asked).toEqual([]);
  });

  test('a length that lies is never carried out', async () => {
    for (const command of [
      '06 24 0E 87 02 31 04 00 00 00 00 12 05 49 02 08',
      '06 24 03 87 02 31 04 00 00 00 00 12 05',
      '06 25 FF 00 01 87 02 31',
    ]) {
      const cable = await line();
      expect(await cable.send(command)).toEqual(['ACK', '84 9A 00']);
      expect(cable.commands.asked).toEqual([]);
    }
  });

  test('a wrong password is 84 37, where the till sends one and the settings have one', async () => {
    const cable = await line(undefined, await new Cable({ password: '111222' }).plugIn());
    expect(await cable.send('06 25 07 87 02 31 3D 12 34 56')).toEqual(['ACK', '84 37 00']);
    expect(cable.commands.asked).toEqual([]);
    expect(await cable.send('06 25 07 87 02 31 3D 11 12 22')).toContain(ack);
  });
});

describe('06 23 with receipt number FFFF', () => {
  const open = [
    { receiptNumber: 123, isEndingSoon: false },
    { receiptNumber: 4567, isEndingSoon: false },
  ];
  const asked = async (cable: Cable, ones: Cable['commands']['open']): Promise<string[]> => {
    cable.commands.open = ones;
    return (await cable.send(enquiry)).filter((packet) => packet !== 'ACK');
  };

  test('names none, the first, or to a till with TLV all of them', async () => {
    expect(await asked(await new Cable().plugIn(), [])).toEqual([ack, '06 1E 04 B8 87 FF FF']);
    expect(await asked(await new Cable().plugIn(), open)).toEqual([ack, '06 1E 04 B8 87 01 23']);
    expect(await asked(await registered('00', '06 00'), open)).toEqual([
      ack,
      '06 1E 10 B8 87 01 23 06 0A 23 08 08 02 01 23 08 02 45 67',
    ]);
    expect(await asked(await registered('00', '06 00'), [])).toEqual([ack, '06 1E 04 B8 87 FF FF']);
  });

  test('says which ones end soon', async () => {
    const [, answer] = await asked(await registered('00', '06 00'), [
      { receiptNumber: 123, isEndingSoon: true },
      ...open.slice(1),
    ]);
    expect(answer).toContain('1F 17');
    expect(textIn(answer)).toContain('Reservations end soon: 0123');
  });
});

describe('over TCP', () => {
  test('a connection that has not registered decides nothing, and learns no number', async () => {
    const tcp = await TcpLine.open();
    tcp.commands.booking = { accepted: true, booking };
    tcp.commands.open = [{ receiptNumber: 231, isEndingSoon: false }];
    for (const command of [bookTotal, partialReversal, giveBack, enquiry]) {
      const { ended, statusInformations } = await (await tcp.register()).command(bytesOf(command));
      expect(ended).toEqual({ by: 'abort', code: 0xb8 });
      expect(statusInformations).toHaveLength(1);
    }
    expect(tcp.commands.asked).toEqual([]);
    const till = await tcp.registered();
    expect((await till.command(bytesOf(bookTotal))).ended).toMatchObject({ by: 'completion' });
    await tcp.till.close();
  });

  test("the demonstration's till asks in the words of the standard, and reads the list of what is open", async () => {
    const tcp = await TcpLine.open();
    tcp.commands.booking = { accepted: true, booking };
    tcp.commands.open = [];
    const till = await tcp.registered();
    await till.capture(231, { usedMinor: 1_205 }, 'DKK');
    await till.capture(231, { unusedMinor: 1_295 }, 'DKK');
    await till.capture(231, null);
    await till.release(231);
    expect(tcp.commands.asked.filter((asked) => asked.startsWith('book '))).toEqual([
      'book 231/-: used 1205 DKK',
      'book 231/-: unused 1295 DKK',
      'book 231/-: used all -',
      'book 231/-: back all -',
    ]);
    expect(await till.openReservations()).toEqual([]);
    tcp.commands.open = [
      { receiptNumber: 231, isEndingSoon: true },
      { receiptNumber: 4567, isEndingSoon: false },
    ];
    expect(await till.openReservations()).toEqual([231, 4567]);
    tcp.commands.open = null;
    expect(await till.openReservations()).toBeNull();
    tcp.commands.open = [];
    void till.reserve(1234, 'DKK');
    await eventually(() => tcp.commands.asked.includes('reserve 1234 DKK'));
    await tcp.till.close();
  });

  test('numbers that are guessed are answered later and later', async () => {
    const tcp = await TcpLine.open();
    tcp.commands.open = [];
    const till = await tcp.registered();
    for (let guess = 0; guess < 6; guess += 1)
      expect((await till.command(bytesOf(bookTotal))).ended).toEqual({ by: 'abort', code: 0xb8 });
    const tries = [
      till.command(bytesOf(bookTotal)),
      (await tcp.registered()).command(bytesOf(bookTotal)),
    ];
    await eventually(() => tcp.clock.waiting >= tries.length);
    await tcp.clock.pass(3_999);
    expect(tcp.commands.asked).toHaveLength(6);
    await tcp.clock.pass(1);
    for (const one of tries) expect((await one).ended).toEqual({ by: 'abort', code: 0xb8 });
    await tcp.till.close();
  });

  test('a connection that ends in the middle decides nothing; what another peer says in between is no answer', async () => {
    const tcp = await TcpLine.open();
    tcp.commands.booking = { accepted: true, booking };
    tcp.commands.open = [];
    const till = await tcp.registered();
    till.respondTo = (packet) => (packet === 'statusInformation' ? null : bytesOf(ack));
    void till.command(bytesOf(bookTotal));
    await eventually(() => tcp.commands.asked.length === 1);
    const stranger = await tcp.socket();
    stranger.write(bytesOf(`${ack} 84 9D 07 04 00 00 00 00 00 01 ${ack}`));
    expect((await (await tcp.register()).abort()) ?? 'fine').toBe('fine');
    await till.close();
    await eventually(() => tcp.commands.asked.length === 2);
    expect(tcp.commands.asked.at(-1)).toBe('not booked');
    stranger.destroy();
    await tcp.till.close();
  });
});
