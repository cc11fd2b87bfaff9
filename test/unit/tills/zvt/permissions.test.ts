import { once } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import type { Register } from '../../../../main/sandbox/till/register.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { addressFilter, tcpPeer } from '../../../../main/tills/line/peer.ts';
import { barredFromRefunds } from '../../../../main/tills/zvt/permissions.ts';
import { settled } from '../../support/manual-clock.ts';
import {
  bytesOf,
  Cable,
  eventually,
  refundTicket,
  registered as cableRegistered,
  TcpLine,
  ticket,
} from './support.ts';

const bookTotal = '06 24 03 87 02 31';

let line: TcpLine;
afterEach(() => line.till.close());
const open = async (settings: Parameters<typeof TcpLine.open>[0] = {}): Promise<TcpLine> =>
  (line = await TcpLine.open(settings));
const connect = (password: string) => line.register(undefined, password);
const refundsAsked = (): string[] =>
  line.commands.asked.filter((asked) => asked.startsWith('refund'));
const words = (outcome: Awaited<ReturnType<Register['reverse']>>): string =>
  Buffer.from(outcome.statusInformations[0]?.get(0x3c) ?? []).toString('latin1');

describe('a port that other machines reach', () => {
  const warning =
    'other machines reach the port of the till, and neither till.password nor till.from is set';
  test.each([
    ['0.0.0.0', {}, [warning]],
    ['0.0.0.0', { password: '123456' }, []],
    ['0.0.0.0', { from: ['192.168.1.40'] }, []],
    ['127.0.0.1', {}, []],
    ['localhost', {}, []],
  ])('%s with %j warns in the log: %j', async (host, settings, warnings) => {
    await open({ host, ...settings });
    expect(line.warnings).toEqual(warnings);
    expect(line.notices.list()).toEqual([]);
  });
});

describe('a refund over TCP', () => {
  test('is not taken from a connection that has not registered; a payment is', async () => {
    await open();
    const till = await line.register();
    const refused = await till.reverse(17);
    expect(refused.ended).toEqual({ by: 'abort', code: 0xb5 });
    expect(words(refused)).toBe('Till must register first, or set its password in setup');
    expect(refundsAsked()).toEqual([]);
    expect(line.notices.list()).toMatchObject([
      { code: 'tillRefundRefused', subject: '127.0.0.1' },
    ]);
    void till.pay(1234, 'DKK');
    await line.asked('sale 1234 DKK');
  });

  test.each([
    ['never answered', ''],
    ['refused', '848300'],
  ])(
    'is not taken from a connection whose registration it has %s the end of',
    async (_how, answer) => {
      await open();
      const socket = await line.socket();
      socket.write(Buffer.from('060006123456000208', 'hex'));
      await once(socket, 'data');
      for (let turn = 0; turn < 50; turn += 1) await settled();
      socket.write(Buffer.from(`${answer}063006123456870017`, 'hex'));
      await eventually(() => line.notices.list().length > 0);
      expect(refundsAsked()).toEqual([]);
      socket.destroy();
    },
  );

  test('may follow the answer that completes the registration in the same bytes', async () => {
    await open();
    const socket = await line.socket();
    socket.write(Buffer.from('060006123456000208', 'hex'));
    await once(socket, 'data');
    for (let turn = 0; turn < 50; turn += 1) await settled();
    socket.write(Buffer.from('800000063006123456870017', 'hex'));
    await line.asked('refund of 17: all DKK');
    socket.destroy();
  });

  test('is over with the log-off', async () => {
    await open();
    const till = await line.registered();
    await till.logOff();
    expect((await till.reverse(17)).ended).toMatchObject({ code: 0xb5 });
    expect(refundsAsked()).toEqual([]);
  });

  test('is never taken when the settings say so, on a serial line neither', async () => {
    await open({ refunds: false });
    const refused = await (await line.registered()).reverse(17);
    expect(words(refused)).toBe('No refunds by this till: ask the manager, or allow them in setup');
    const cable = new Cable({ refunds: false });
    await cable.plugIn();
    await cable.send('06 30 06 12 34 56 87 00 17');
    expect([...line.commands.asked, ...cable.commands.asked]).toEqual([]);
  });

  test('names its largest amount and its address to the lane', async () => {
    await open({ refunds: 5_000 });
    const till = await line.registered();
    line.commands.refund = { accepted: false, reason: 'overTillLimit' };
    expect(words(await till.reverse(17))).toBe('More than this till may refund: ask the manager');
    expect(line.commands.refundRequests).toMatchObject([
      { limitMinor: 5_000, from: expect.stringMatching(/^127\.0\.0\.1:\d+$/) },
    ]);
  });

  test.each([
    ['from another device, without a password', {}, 'network', false, true, 'refundsOff'],
    [
      'from another device, allowed by the settings',
      { refunds: true },
      'network',
      false,
      true,
      null,
    ],
    [
      'from another device, allowed by the settings, not registered',
      { refunds: true },
      'network',
      false,
      false,
      'notRegistered',
    ],
    [
      'from another device, with the password',
      { password: '123456' },
      'network',
      true,
      false,
      null,
    ],
    ['over a cable', {}, 'serial', false, false, null],
  ] as const)('%s: %s', (_what, permissions, kind, proven, registered, bar) => {
    expect(
      barredFromRefunds(permissions, {
        peer: { name: 'x', address: 'x', kind },
        proven,
        registered,
      }),
    ).toBe(bar);
  });
});

describe('a registration', () => {
  test('of a stranger changes nothing for a till that never registers', async () => {
    await open();
    const stranger = await line.register();
    await stranger.register({ currency: 'DKK' });
    const till = await line.register();
    const payment = till.pay(1234, 'DKK');
    await line.asked('sale 1234 DKK');
    await stranger.logOff();
    expect(await line.till.offerPaid(ticket)).toBe('acknowledged');
    line.till.conclude(ticket, { paid: true });
    expect((await payment).printed).toEqual([]);
  });

  test('with the password is the till’s on its next connection too, until it logs off with it', async () => {
    await open({ password: '111222' });
    const first = await connect('111222');
    await first.register({ currency: 'DKK' });
    await first.close();
    const second = await connect('111222');
    void second.pay(1234, null);
    await line.asked('sale 1234 DKK');
  });
});

describe('a password', () => {
  test('that is wrong refuses each command that carries one, and is noted; a payment carries none', async () => {
    await open({ password: '111222' });
    const till = await connect('123456');
    expect((await till.register({ currency: 'DKK' })).refused).toBe(0x37);
    expect((await till.reverse(17)).refused).toBe(0x37);
    expect((await till.repeatReceipt()).refused).toBe(0x37);
    expect(line.notices.list()).toMatchObject([{ code: 'tillPasswordWrong', count: 3 }]);
    void till.pay(1234, 'DKK');
    await line.asked('sale 1234 DKK');
    expect(refundsAsked()).toEqual([]);
  });

  test('that is right needs no registration', async () => {
    await open({ password: '111222' });
    const till = await connect('111222');
    void till.reverse(17);
    await line.asked('refund of 17: all DKK');
  });

  test('is guessed slowly, on however many connections, and the till that has proven it goes on', async () => {
    await open({ password: '111222' });
    const proven = await connect('111222');
    expect((await proven.statusEnquiry()).refused).toBeNull();
    await guessPasswords(6);
    const early = (await connect('000000')).reverse(17);
    const right = (await connect('111222')).reverse(17);
    await heldBack(2);
    await line.clock.pass(3_999);
    expect(line.notices.list()).toMatchObject([
      {
        code: 'tillPasswordGuessed',
        subject: '127.0.0.1',
        detail: 'Check-out 1, with Reversal',
        count: 1,
      },
      { code: 'tillPasswordWrong', count: 5 },
    ]);
    expect(refundsAsked()).toEqual([]);
    await line.clock.pass(1);
    expect((await early).refused).toBe(0x37);
    await line.asked('refund of 17: all DKK');
    void right;
    void proven.reverse(18);
    await line.asked('refund of 18: all DKK');
  });

  test('takes a connection longer and longer, until a try would come after its till has given up', async () => {
    await open({ password: '111222' });
    await guessPasswords(6);
    const guessers = await Promise.all(Array.from({ length: 14 }, () => connect('000000')));
    const guess = async (waitMs: number): Promise<void> => {
      const answers = guessers.map((guesser) => guesser.reverse(17));
      await heldBack(guessers.length);
      await line.clock.pass(waitMs);
      expect((await Promise.all(answers)).map(({ refused }) => refused)).toEqual(
        guessers.map(() => 0x37),
      );
    };
    await guess(4_000);
    await guess(4_000);
    const [guesser] = guessers;
    expect((await guesser?.reverse(17))?.refused).toBe(0x9c);
    await line.clock.pass(4_000);
    const last = guesser?.reverse(17);
    await heldBack(1);
    await line.clock.pass(4_000);
    expect((await last)?.refused).toBe(0x37);
  });

  test('that others of the address guess keeps nobody from paying: who registers is taken without it, and has to show it for refunds', async () => {
    await open({ password: '111222' });
    await guessPasswords(6);
    const [honest, stranger] = [await connect('111222'), await connect('000000')];
    for (const till of [honest, stranger])
      expect((await till.register({ currency: 'DKK', config: 0 })).ended).toMatchObject({
        by: 'completion',
      });
    const payment = honest.pay(1234, 'DKK');
    await line.asked('sale 1234 DKK');
    line.till.conclude(ticket, { paid: false, reason: 'timedOut' });
    await payment;
    line.commands.open = [];
    // Its registration's password is compared before the first command that needs one; a booking
    // carries none.
    const capture = stranger.command(bytesOf(bookTotal));
    const refund = honest.reverse(17);
    await heldBack(2);
    expect([
      ...refundsAsked(),
      ...line.commands.asked.filter((asked) => asked.startsWith('book')),
    ]).toEqual([]);
    await line.clock.pass(4_000);
    await line.asked('refund of 17: all DKK');
    expect((await capture).refused).toBe(0x37);
    expect(line.commands.asked.filter((asked) => asked.startsWith('book'))).toEqual([]);
    // Nor is it registered any more, now that what it registered with is known to be wrong.
    await line.clock.pass(4_000);
    expect((await stranger.command(bytesOf(bookTotal))).ended).toMatchObject({ by: 'abort' });
    void refund;
  });

  test('keeps the place of its connection, however many others register or speak', async () => {
    await open();
    const till = await line.registered();
    const payment = till.pay(1234, 'DKK');
    await line.asked('sale 1234 DKK');
    expect(await line.till.offerPaid(ticket)).toBe('acknowledged');
    line.till.conclude(ticket, { paid: true });
    await payment;
    for (let other = 0; other < 20; other += 1) await line.registered();
    expect((await till.statusEnquiry()).ended).toMatchObject({ by: 'completion' });
  });
});

/** Each on a connection of its own. */
async function guessPasswords(count: number): Promise<void> {
  for (let guess = 0; guess < count; guess += 1) {
    const guesser = await connect('000000');
    expect((await guesser.reverse(17)).refused).toBe(0x37);
    await guesser.close();
  }
}

/** Waits until so many commands have arrived that are carried out later. */
const heldBack = (count: number): Promise<void> => eventually(() => line.clock.waiting >= count);

describe('receipt numbers that do not exist', () => {
  const unknownReceipt = { accepted: false, reason: 'unknownReceipt' } as const;
  const guessReceipts = async (count: number): Promise<void> => {
    line.commands.refund = unknownReceipt;
    for (let guess = 1; guess <= count; guess += 1)
      expect((await (await line.registered()).reverse(40 + guess)).ended).toMatchObject({
        code: 0xb5,
      });
    line.commands.refund = { accepted: true, refund: refundTicket };
  };

  test('are answered five times, then slower and slower, on however many connections', async () => {
    await open();
    await guessReceipts(6);
    line.commands.refund = unknownReceipt;
    const seventh = (await line.registered()).reverse(47);
    await heldBack(1);
    await line.clock.pass(3_999);
    expect(refundsAsked()).toHaveLength(6);
    await line.clock.pass(1);
    expect((await seventh).ended).toMatchObject({ code: 0xb5 });
    expect(line.notices.list()).toMatchObject([
      {
        code: 'tillReceiptsGuessed',
        subject: '127.0.0.1',
        detail: 'Check-out 1, receipt 47',
        count: 2,
      },
    ]);
    // Half of them are forgotten after four hours without one.
    await line.clock.pass(4 * 60 * 60_000);
    expect((await (await line.registered()).reverse(48)).ended).toMatchObject({ code: 0xb5 });
  });

  test('that others of the address ask for do not delay the refunds of a till that was there before', async () => {
    await open();
    const till = await line.registered();
    // The terminal has read the end of the registration, which it waits for with a time-out.
    await eventually(() => line.clock.waiting === 0);
    await line.clock.pass(60_000);
    await guessReceipts(6);
    void till.reverse(17);
    await line.asked('refund of 17: all DKK');
  });

  test('do not delay the refund of a receipt that this very connection was told', async () => {
    await open();
    await guessReceipts(6);
    const till = await line.registered();
    const payment = till.pay(1234, 'DKK');
    await line.asked('sale 1234 DKK');
    expect(await line.till.offerPaid(ticket)).toBe('acknowledged');
    line.till.conclude(ticket, { paid: true });
    await payment;
    void till.reverse(ticket.receiptNumber);
    await line.asked('refund of 1: all DKK');
  });
});

describe('what over TCP is no till', () => {
  test.each([
    ['a web page', 'POST / HTTP/1.1\r\nHost: 127.0.0.1:20007\r\n\r\n'],
    ['TLS', '\x16\x03\x01\x02\x00\x01'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['zeros', '\0\0\0\0\0\0'],
    ['a serial block', '\x10\x02\x06\x00\x04'],
  ])('%s is hung up at its first byte, unanswered, and noted', async (_who, head) => {
    await open();
    const socket = await line.socket();
    const heard: Buffer[] = [];
    socket.on('data', (chunk) => heard.push(chunk));
    const closed = once(socket, 'close');
    socket.write(
      Buffer.concat([
        Buffer.from(head, 'latin1'),
        Buffer.alloc(300),
        Buffer.from('0601060400000000123406300600000087 0017'.replace(' ', ''), 'hex'),
      ]),
    );
    await closed;
    expect(line.commands.asked).toEqual([]);
    expect(heard).toEqual([]);
    expect(line.notices.list()).toMatchObject([
      { code: 'tillStranger', subject: '127.0.0.1', count: 1 },
    ]);
  });

  test.each([
    ['unknown commands', '0f9900'],
    ['answers that nobody waits for', '800000'],
    ['packets that cannot be read', '060003123456'],
  ])('%s in a row are hung up after a few', async (_what, packet) => {
    await open();
    const socket = await line.socket();
    const closed = once(socket, 'close');
    socket.resume();
    socket.write(Buffer.from(packet.repeat(6), 'hex'));
    for (let turn = 0; turn < 50; turn += 1) await settled();
    expect(socket.destroyed).toBe(false);
    socket.write(Buffer.from(`${packet}06010A04000000001234490208`, 'hex'));
    await closed;
    expect(line.commands.asked).toEqual([]);
    expect(line.notices.list()).toMatchObject([{ code: 'tillStranger' }]);
  });

  test('on a serial line they are what a clumsy till sends, and it goes on', async () => {
    const cable = await cableRegistered('00');
    for (let time = 0; time < 20; time += 1) await cable.send('0F 99 00');
    await cable.send('06 01 0A 04 00 00 00 00 12 34 49 02 08');
    expect(cable.commands.asked).toEqual(['sale 1234 DKK']);
  });

  test('an address that till.from does not name is hung up, unheard', async () => {
    await open({ from: ['127.0.0.9', '10.0.0.0/8'] });
    const stranger = await line.socket();
    await once(stranger, 'close');
    expect(line.notices.list()).toMatchObject([
      { code: 'tillAddressRefused', subject: '127.0.0.1' },
    ]);
    const till = await line.register('127.0.0.9');
    void till.pay(1234, 'DKK');
    await line.asked('sale 1234 DKK');
  });

  test('silent and idle connections make room for a till that speaks, and none of a payment is lost to others', async () => {
    await open();
    const paying = await line.register();
    const payment = paying.pay(1234, 'DKK');
    await line.asked('sale 1234 DKK');
    const others = await Promise.all(Array.from({ length: 20 }, () => line.socket()));
    for (let each = 0; each < 20; each += 1) {
      const socket = await line.socket();
      socket.write(Buffer.from('050100', 'hex'));
      await once(socket, 'data');
      others.push(socket);
    }
    const till = await line.registered();
    void till.reverse(17);
    await line.asked(`refund of 17: all DKK`);
    await eventually(() => others.filter(({ destroyed }) => destroyed).length >= 40 - 14);
    line.till.conclude(ticket, { paid: false, reason: 'timedOut' });
    expect((await payment).ended).toMatchObject({ by: 'abort' });
    for (const socket of others) socket.destroy();
  });
});

test('addresses and networks, in both families', () => {
  const may = addressFilter(['192.168.1.40', '10.0.0.0/8', 'fd00::/8', '::1']);
  expect(['192.168.1.40', '10.200.3.4', 'fd12::1', '::1'].map(may)).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(['192.168.1.41', '127.0.0.1', 'fe80::1', 'unknown'].map(may)).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect(tcpPeer('::ffff:192.168.1.40', 5)).toEqual({
    name: '192.168.1.40:5',
    address: '192.168.1.40',
    kind: 'network',
  });
  expect(tcpPeer('::1', 5)).toEqual({ name: '[::1]:5', address: '::1', kind: 'loopback' });
  expect(tcpPeer('::ffff:127.0.0.1', 5).kind).toBe('loopback');
});

test('a till that asks for what we lack, again and again, is told of in the log once, and at every tenfold', async () => {
  const lines: string[] = [];
  const cable = new Cable(
    {},
    {
      ...silentLog,
      warn: ({ count }, message) => void lines.push(`${message} (${String(count)})`),
    },
  );
  await cable.plugIn();
  for (let time = 0; time < 120; time += 1) await cable.send('0F 99 00');
  expect(lines).toEqual(
    [1, 10, 100].map(
      (count) => `the till sent a command that this terminal does not have (${count})`,
    ),
  );
});
