import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { NoticeBoard } from '../../../../main/counter/manager/health/notice-board.ts';
import { createConcertTill } from '../../../../main/tills/concert/till.ts';
import type { Till } from '../../../../main/core/lane/till-port.ts';
import { ManualClock, settled } from '../../support/manual-clock.ts';
import { eventually, ScriptedViews, ticket } from '../zvt/support.ts';

/** Longer than the pause that ends a message. */
const pauseMs = 250;

const request = 'CZ0040300CJ012012345678901CA00201CE003208BF0010CD0010CB0041234';
/** A block as a till puts its message into one. */
const block = (text: string): string => {
  const checked = `${text}\x03`;
  return `\x02${checked}${String.fromCharCode(Buffer.from(checked, 'latin1').reduce((sum, byte) => sum ^ byte, 0))}`;
};
const identification = 'CZ0040300CA00201CD001I';
const paid =
  'CZ0040300AE00210CJ012012345678901CA00201CB0041234CD0010CE003208BF0010CC003607AC0040001';
/**
 * The fields that OCA's module for Odoo checks in an answer: the tags that it needs, and those that
 * must be as requested.
 */
const fieldsOf = (message: string): Record<string, string> => {
  const fields: Record<string, string> = {};
  for (let at = 0; at < message.length; ) {
    const length = Number(message.slice(at + 2, at + 5));
    fields[message.slice(at, at + 2)] = message.slice(at + 5, at + 5 + length);
    at += 5 + length;
  }
  return fields;
};

/** A terminal on loopback whose lane does what the test says. */
class Line {
  readonly clock = new ManualClock();
  readonly commands = new ScriptedViews();
  readonly notices = new NoticeBoard(this.clock);
  readonly logged: string[] = [];
  readonly till: Till;

  constructor(settings: { from?: readonly string[] }) {
    const keep = (fields: object, message: string): void =>
      void this.logged.push(`${message} ${JSON.stringify(fields)}`);
    this.till = createConcertTill({
      settings: { protocol: 'concert', transport: 'tcp', host: '127.0.0.1', port: 0, ...settings },
      clock: this.clock,
      log: { ...silentLog, info: keep, warn: keep },
      notices: this.notices,
      openSerialWire: () => Promise.reject(new Error('no serial port here')),
    });
  }

  async socket({ allowHalfOpen = false } = {}): Promise<Register> {
    const port = Number(this.till.address.split(':').at(-1));
    const socket = connect({ host: '127.0.0.1', port, noDelay: true, allowHalfOpen });
    await once(socket, 'connect');
    return new Register(socket, this);
  }
}

/** A till's end of a connection. */
class Register {
  readonly socket: Socket;
  readonly #line: Line;
  heard = '';
  /** Whether the terminal has closed its half. */
  ended = false;
  closed = false;
  constructor(socket: Socket, line: Line) {
    this.socket = socket;
    this.#line = line;
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      this.heard += bytes.toString('latin1');
    });
    socket.on('end', () => {
      this.ended = true;
    });
    socket.on('close', () => {
      this.closed = true;
    });
  }
  /** Sends the parts, and waits until the terminal can tell that nothing follows. */
  async ask(...parts: string[]): Promise<void> {
    for (const part of parts) {
      this.socket.write(part, 'latin1');
      await this.#arrived();
    }
    await this.#line.clock.pass(pauseMs);
  }
  async answered(): Promise<string> {
    await eventually(() => this.heard !== '' || this.closed);
    const heard = this.heard;
    this.heard = '';
    return heard;
  }
  async #arrived(): Promise<void> {
    for (let turn = 0; turn < 200; turn += 1) await settled();
  }
}

let line: Line;
afterEach(() => line.till.close());
const open = async (settings: { from?: readonly string[] } = {}): Promise<Line> => {
  line = new Line(settings);
  await line.till.open(line.commands);
  return line;
};
const asking = async (message = request): Promise<Register> => {
  await open();
  const register = await line.socket();
  await register.ask(message);
  return register;
};

describe('a payment over TCP', () => {
  test('is told at its end, with what the till holds against its request', async () => {
    const register = await asking();
    expect(line.commands.asked).toEqual(['sale 1234 DKK']);
    expect(await line.till.offerPaid(ticket)).toBe('acknowledged');
    await settled();
    expect(register.heard).toBe('');
    line.till.conclude(ticket, { paid: true });
    const answer = await register.answered();
    expect(answer).toBe(paid);
    expect(fieldsOf(answer)).toMatchObject({
      CA: '01',
      CB: '1234',
      CD: '0',
      CE: '208',
      BF: '0',
      AE: '10',
    });
  });

  test.each([
    ['bytes alone', request.split('')],
    ['in the middle of a length', [request.slice(0, 11), request.slice(11, 40), request.slice(40)]],
    ['followed by a line end', [`${request}\r\n`]],
  ])('may come as %s', async (_how, parts) => {
    await open();
    const register = await line.socket();
    await register.ask(...parts);
    expect(line.commands.asked).toEqual(['sale 1234 DKK']);
  });

  test.each([
    ['declinedByCustomer', '04'],
    ['cancelledByCustomer', '06'],
    ['timedOut', '08'],
    ['cancelledByCashier', '11'],
    ['serviceUnreachable', '07'],
  ] as const)('that ends as %s is told as not carried out, AF %s', async (reason, why) => {
    const register = await asking();
    line.till.conclude(ticket, { paid: false, reason });
    expect(fieldsOf(await register.answered())).toMatchObject({ AE: '01', AF: why, CB: '1234' });
  });

  test.each([
    ['busy', '07'],
    ['notReady', '07'],
    ['wrongCurrency', '13'],
    ['amountTooHigh', '05'],
  ] as const)('that the lane refuses as %s is AF %s', async (reason, why) => {
    await open();
    line.commands.sale = { accepted: false, reason };
    const register = await line.socket();
    await register.ask(request);
    expect(fieldsOf(await register.answered())).toMatchObject({ AE: '01', AF: why });
    expect(line.commands.asked.includes('tried 1234 DKK')).toBe(reason === 'busy');
  });
});

describe('what is refused and begins nothing', () => {
  test.each([
    ['a credit, which names no payment', request.replace('CD0010', 'CD0011'), '12'],
    ['a cancellation, which names no payment', request.replace('CD0010', 'CD0012'), '12'],
    ['an unknown action', request.replace('CD0010', 'CD001Z'), '12'],
    ['a currency that the wallet has not', request.replace('CE003208', 'CE003840'), '13'],
    ['no currency', request.replace('CE003208', ''), '09'],
    ['no amount', request.replace('CB0041234', ''), '09'],
    ['an amount of nothing', request.replace('CB0041234', 'CB00200'), '09'],
    ['an amount with a sign', request.replace('CB0041234', 'CB004-123'), '09'],
    ['an amount of 13 digits', request.replace('CB0041234', 'CB0131000000000000'), '09'],
    ['an amount twice', `${request}CB0049999`, '09'],
    ['another version', request.replace('0300', '0200'), '09'],
    ['an answer before the end', `${request}BA0011`, '10'],
    ['a cheque', `${request}CC00300C`, '10'],
    ['a duplicate without a name', 'CZ0040300CA00201CD0013', '10'],
    ['a duplicate of an unknown name', 'CZ0040300CA00201CD0013CH001A', '10'],
  ])('%s', async (_what, message, why) => {
    const register = await asking(message);
    expect(fieldsOf(await register.answered())).toMatchObject({ AE: '01', AF: why });
    expect(line.commands.asked).toEqual([]);
  });
});

test('a till that asks who is there is answered', async () => {
  const register = await asking('CZ0040301CJ012330538600404CA00201CD001I');
  expect(fieldsOf(await register.answered())).toMatchObject({
    CZ: '0301',
    CA: '01',
    CD: 'I',
    AE: '10',
  });
});

describe('a till that hangs up', () => {
  test('before the end is lost, and the payment is not offered as delivered', async () => {
    const register = await asking();
    register.socket.destroy();
    await eventually(() => line.commands.asked.includes(`lost ${ticket.saleId}`));
    expect(await line.till.offerPaid(ticket)).toBe('notAcknowledged');
  });

  test('after the decision asks by the name of the payment, and hears it; another payment of that amount it does not hear', async () => {
    const register = await asking(`${request}CH003A17`);
    expect(await line.till.offerPaid(ticket)).toBe('acknowledged');
    register.socket.destroy();
    await eventually(() => line.commands.links.at(-1)?.state === 'open');
    line.till.conclude(ticket, { paid: true });
    const again = await line.socket();
    await again.ask('CZ0040300CA00201CD0013CB0041234CH003A18');
    expect(fieldsOf(await again.answered())).toMatchObject({ AE: '01', AF: '10' });
    await again.ask('CZ0040300CA00201CD0013CH003A17');
    expect(fieldsOf(await again.answered())).toMatchObject({
      AE: '10',
      CB: '1234',
      CH: 'A17',
      AC: '0001',
    });
    expect(line.commands.asked.filter((asked) => asked.startsWith('sale'))).toHaveLength(1);
  });

  test('and names every payment alike is not told of any by that name', async () => {
    const register = await asking(`${request}CH003A17`);
    line.till.conclude(ticket, { paid: true });
    await register.answered();
    line.commands.sale = { accepted: true, sale: { ...ticket, saleId: 'other' } };
    await register.ask(`${request}CH003A17`);
    line.till.conclude({ ...ticket, saleId: 'other' }, { paid: false, reason: 'timedOut' });
    expect(fieldsOf(await register.answered())).toMatchObject({ AE: '01', AF: '08' });
    await register.ask('CZ0040300CA00201CD0013CH003A17');
    expect(fieldsOf(await register.answered())).toMatchObject({ AE: '01', AF: '10' });
  });
});

test('two requests and one answer: the connection is closed, nothing is told', async () => {
  const register = await asking();
  await register.ask(request.replace('CB0041234', 'CB0041999'));
  await eventually(() => register.closed);
  expect(register.heard).toBe('');
  expect(line.commands.asked).toEqual(['sale 1234 DKK', 'tried 1999 DKK', `lost ${ticket.saleId}`]);
});

describe('a connection that is no till is hung up on, and begins nothing', () => {
  test.each([
    ['a web page', 'POST / HTTP/1.1\r\nHost: 127.0.0.1:8888\r\n\r\n'],
    ['a proxy’s client', 'CONNECT 127.0.0.1:8888 HTTP/1.1\r\n\r\n'],
    ['a page with a method of its own', `${request} / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`],
    ['a request behind a page’s', `POST / HTTP/1.1\r\n\r\n${request}`],
    ['a line end before a request', `\r\n${request}`],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['a till of ZVT', '\x06\x00\x06\x12\x34\x56\x00\x02\x08'],
    ['a message without its version', request.slice(9)],
    ['a length of letters', 'CZ0O40300'],
    ['an empty record', `${request}BB000`],
    [
      'a request of HTTP in the value of a record',
      `${request}ZZ030 / HTTP/1.1\r\nHost: 127.0.0.1\r\n`,
    ],
    ['a block with a wrong LRC', `${block(request).slice(0, -1)}\x00`],
    ['a block of another protocol', block('P0000000100000000')],
    ['a block of HTTP', block('GET / HTTP/1.1\r\n')],
    ['the length and type of a STUN message', '\x02\x30\x00\x01\x02\x1c\x21\x12\xa4\x42'],
    ['an acknowledgement', '\x06'],
    ['a cancellation', '\x18\x18\x18\x04'],
    ['a block behind records', `${request}${block(request)}`],
    ['no end of records', `CZ0040300${'CF001A'.repeat(100)}`],
  ])('%s', async (_who, bytes) => {
    const register = await asking(bytes);
    await eventually(() => register.closed);
    expect(register.heard).toBe('');
    expect(line.commands.asked).toEqual([]);
    expect(line.notices.list().map(({ code }) => code)).toEqual(['tillStranger']);
  });

  test('one that never ends its record', async () => {
    await open();
    const register = await line.socket();
    await register.ask('CZ0040300CF9');
    await line.clock.pass(5_000);
    await eventually(() => register.closed);
    expect(line.commands.asked).toEqual([]);
  });

  test('an address that till.from does not name', async () => {
    await open({ from: ['192.0.2.1'] });
    const register = await line.socket();
    await eventually(() => register.closed);
    expect(line.notices.list().map(({ code }) => code)).toEqual(['tillAddressRefused']);
  });

  test('many of them make room for a till, and none takes the place of one that waits for its result', async () => {
    const register = await asking();
    const strangers = await Promise.all(Array.from({ length: 20 }, () => line.socket()));
    await eventually(() => strangers.some(({ closed }) => closed));
    line.till.conclude(ticket, { paid: true });
    expect(await register.answered()).toBe(paid);
    for (const { socket } of strangers) socket.destroy();
  });
});

test('private data goes back to the till and into no log', async () => {
  const register = await asking(`${request}CF006secret`);
  line.till.conclude(ticket, { paid: true });
  expect(fieldsOf(await register.answered())).toMatchObject({ CF: 'secret' });
  expect(line.logged.length).toBeGreaterThan(1);
  expect(line.logged.join('\n')).not.toContain('secret');
});

test.each(['\x1d', '\x00\x01\x02', '\xff', '\r\n', '\x02\x03', 'Crème'])(
  'a value that is only repeated may hold %j, and comes back',
  async (value) => {
    const register = await asking(`${request}CF00${value.length}${value}ZT003\x00\x1d\xe9`);
    expect(line.commands.asked).toEqual(['sale 1234 DKK']);
    line.till.conclude(ticket, { paid: true });
    expect(fieldsOf(await register.answered())).toMatchObject({ AE: '10', CF: value });
  },
);

test('the example of a maker, with a separator in the private data, begins a payment', async () => {
  const register = await asking(
    'CZ0040300CJ012247300123456CA00201CB00512345CD0010CE003208CF026ORD_20221015_123456\x1d123456',
  );
  expect(line.commands.asked).toEqual(['sale 12345 DKK']);
  line.till.conclude({ ...ticket, amountMinor: 12_345 }, { paid: true });
  expect(fieldsOf(await register.answered())).toMatchObject({
    AE: '10',
    CF: 'ORD_20221015_123456\x1d123456',
  });
});

test.each([
  ['no number of the till', request.replace('CA00201', '')],
  ['a long number of the till', request.replace('CA00201', 'CA005\x1d1234')],
  ['a field twice that is not read', `${request}ZT001AZT001B`],
])('%s keeps nobody from paying', async (_what, message) => {
  await asking(message);
  expect(line.commands.asked).toEqual(['sale 1234 DKK']);
});

test('a field twice that is repeated is refused', async () => {
  const register = await asking(`${request}CF001ACF001B`);
  expect(fieldsOf(await register.answered())).toMatchObject({ AE: '01', AF: '09' });
  expect(line.commands.asked).toEqual([]);
});

test('the status of a transaction is that of its name, as with a duplicate', async () => {
  const register = await asking(`${request}CH003A17`);
  const again = await line.socket();
  const status = async (name: string): Promise<Record<string, string>> => {
    await again.ask(`CZ0040320CA00201CD001T${name}`);
    return fieldsOf(await again.answered());
  };
  expect(await status('CH003A17')).toMatchObject({ CD: 'T', AE: '01', AF: '07' });
  line.till.conclude(ticket, { paid: true });
  await register.answered();
  expect(await status('CH003A17')).toMatchObject({
    CD: 'T',
    AE: '10',
    CB: '1234',
    CH: 'A17',
    AC: '0001',
  });
  expect(await status('CH003A18')).toMatchObject({ AE: '01', AF: '10' });
  expect(await status('')).toMatchObject({ AE: '01', AF: '10' });
  expect(line.commands.asked).toEqual(['sale 1234 DKK']);
});

describe('a till that sends blocks', () => {
  // The payment of a till that was recorded, caisseFacile.
  const message = 'CZ0040320CA00201CE003978BA0010CD0010CB012000000001250TI006123456LB006CAISSE';
  const eur = { ...ticket, amountMinor: 1_250, currency: 'EUR' } as const;

  test('is answered in a block, and its acknowledgement changes nothing', async () => {
    const register = await asking(`\x02${message}\x03\x37`);
    expect(line.commands.asked).toEqual(['sale 1250 EUR']);
    line.till.conclude(eur, { paid: true });
    const answer = block('CZ0040320AE00210CA00201CB012000000001250CD0010CE003978CC003607AC0040001');
    expect(await register.answered()).toBe(answer);
    await register.ask('\x06\x04');
    expect([register.heard, register.closed, line.commands.asked.length]).toEqual(['', false, 1]);
  });

  test.each([
    ['byte by byte', block(request).split('')],
    ['with a line end behind it', [`${block(request)}\r\n`]],
    ['with an end of the text in a value', [block(`${request}CF003\x03\x02\x03`)]],
    ['as E', [block('01000012340102080123456789')]],
  ])('may send one %s', async (_how, parts) => {
    await open();
    const register = await line.socket();
    await register.ask(...parts);
    expect(line.commands.asked).toEqual(['sale 1234 DKK']);
  });

  test('cancels with CAN, once', async () => {
    const register = await asking(block(request));
    await register.ask('\x18\x18\x18\x04');
    expect(line.commands.asked).toEqual(['sale 1234 DKK', 'abort']);
    line.till.conclude(ticket, { paid: false, reason: 'cancelledByTill' });
    expect(await register.answered()).toContain('AE00201AF00211');
    await register.ask('\x18\x18\x18\x04');
    expect(line.commands.asked).toHaveLength(2);
  });

  test('whose records are not whole is refused', async () => {
    const register = await asking(block('CZ0040300CD0010CB0991234'));
    expect(await register.answered()).toBe(block('CZ0040300AE00201AF00209CD0010'));
    expect(line.commands.asked).toEqual([]);
  });

  test('and asks again before it is answered is hung up on', async () => {
    const register = await asking(block(request));
    await register.ask(block(request.replace('CB0041234', 'CB0041999')));
    await eventually(() => register.closed);
    expect(line.commands.asked).toEqual([
      'sale 1234 DKK',
      'tried 1999 DKK',
      `lost ${ticket.saleId}`,
    ]);
  });

  test('and never ends one is hung up on', async () => {
    const register = await asking(block(request).slice(0, -2));
    await line.clock.pass(5_000);
    await eventually(() => register.closed);
    expect(line.commands.asked).toEqual([]);
  });
});

describe('a till that reads until the terminal closes', () => {
  const answeredOnce = async (message: string): Promise<Register> => {
    await open();
    const register = await line.socket({ allowHalfOpen: true });
    await register.ask(message);
    await register.answered();
    return register;
  };
  const passes = async (ms: number): Promise<void> => {
    await line.clock.pass(ms);
    for (let turn = 0; turn < 200; turn += 1) await settled();
  };

  test.each([
    ['records', identification],
    ['a block', block(identification)],
  ])('is closed to after the answer to %s, and wholly soon after', async (_what, message) => {
    const register = await answeredOnce(message);
    await passes(1_000);
    expect(register.ended).toBe(false);
    await passes(1_000);
    expect([register.ended, register.closed]).toEqual([true, false]);
    register.socket.on('error', () => {});
    await passes(3_000);
    await eventually(() => line.commands.links.at(-1)?.state === 'open');
    register.socket.destroy();
  });

  test('is not closed to while its payment runs, nor between two quick requests', async () => {
    const register = await answeredOnce(identification);
    for (let time = 0; time < 3; time += 1) {
      await passes(800);
      await register.ask(identification);
      await register.answered();
    }
    await register.ask(request);
    await passes(60_000);
    expect(register.ended).toBe(false);
    line.till.conclude(ticket, { paid: true });
    expect(await register.answered()).toBe(paid);
    await passes(2_000);
    expect(register.ended).toBe(true);
  });

  test('and asks after that begins nothing, and is hung up on', async () => {
    const register = await answeredOnce(identification);
    await passes(2_000);
    await register.ask(request);
    await eventually(() => line.commands.links.at(-1)?.state === 'open');
    expect(line.commands.asked).toEqual([]);
    expect(line.notices.list()).toEqual([]);
  });

  test('is waited for with the rest of its next request', async () => {
    const register = await answeredOnce(identification);
    await passes(1_000);
    await register.ask(identification.slice(0, 5));
    await passes(1_000);
    expect(register.ended).toBe(false);
    await register.ask(identification.slice(5));
    expect(fieldsOf(await register.answered())).toMatchObject({ AE: '10' });
  });
});
