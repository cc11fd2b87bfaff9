import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSerialWire } from '../../../../main/counter/devices/serial-port.ts';
import { sleep } from '../../../../main/core/domain/clock.ts';
import { systemIds } from '../../../../main/core/domain/ids.ts';
import type { Currency } from '../../../../main/core/domain/money.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import type { OpenSerialWire } from '../../../../main/core/domain/wire.ts';
import type { Session } from '../../../../main/counter/server/session.ts';
import { emptyDraft } from '../../../../main/counter/setup/draft.ts';
import { DraftStore } from '../../../../main/counter/setup/draft-store.ts';
import { Settings } from '../../../../main/counter/settings/schema.ts';
import { keptOf } from '../../../../main/counter/setup/kept-till.ts';
import { PortsSeen } from '../../../../main/counter/setup/ports.ts';
import { shownBytes } from '../../../../main/counter/setup/shown-bytes.ts';
import { Register } from '../../../../main/sandbox/till/register.ts';
import { TillJudge } from '../../../../main/counter/setup/till-judge.ts';
import { TillListener } from '../../../../main/counter/setup/till-listener.ts';
import { TillSetup } from '../../../../main/counter/setup/till-setup.ts';
import { Tokens } from '../../../../main/tills/http/tokens.ts';
import { blockOf } from '../../../../main/tills/concert/blocks.ts';
import { encodeBcd } from '../../../../main/tills/zvt/bcd.ts';
import { BMP } from '../../../../main/tills/zvt/bitmaps.ts';
import { encodeCurrency } from '../../../../main/tills/zvt/currency.ts';
import { encodePacket } from '../../../../main/tills/zvt/packets.ts';
import { encodeBlock } from '../../../../main/tills/zvt/serial-framing.ts';
import {
  PointOfSaleAsked,
  TillInput,
  type TillLine,
} from '../../../../preload/procedures/setup-fields.ts';
import { Refusal } from '../../../../preload/procedures/procedure.ts';
import type { Heard } from '../../../../preload/procedures/setup-till.ts';
import { SerialCable, until } from '../../../support/processes.ts';
import { bytesOf } from '../../tills/zvt/support.ts';
import { ManualClock, settled } from '../../support/manual-clock.ts';
import { SteadyClock } from '../../support/steady-clock.ts';

const registration = encodePacket('registration', {
  parts: [encodeBcd(123_456, 3), Uint8Array.of(0x8a), encodeCurrency('DKK')],
});
const opi = '<?xml version="1.0"?><CardServiceRequest RequestType="CardPayment"/>';
const prefixed = Uint8Array.of(0, registration.length, ...registration);
const concert = 'CZ0040300CF006secretCJ012330538600012CA00201CB0041010CD0010CE003208';
/**
 * A session of a till of Concert: its enquiry, and the block that it sends to a terminal that
 * answers.
 */
const enquiry = Uint8Array.of(5);
const blockOfConcert = Buffer.from(blockOf(Buffer.from('0100001234010208          A010B010')));
/** Seven data bits with parity, as a line of eight without parity receives them. */
const withParity = (bytes: Uint8Array, parity: 'even' | 'odd'): Buffer =>
  Buffer.from(
    Array.from(bytes, (byte) => {
      const ones = byte.toString(2).replaceAll('0', '').length;
      return ones % 2 === (parity === 'even' ? 0 : 1) ? byte : byte | 0x80;
    }),
  );
/** The bytes of a block as received at another baud rate. */
const garbage = Uint8Array.of(0xfe, 0x80, 0xe6, 0xf8, 0x00, 0xfe, 0x9e, 0xc3);

const judgeOf = (transport: 'serial' | 'tcp', bytes: Uint8Array | string): TillJudge => {
  const judge = new TillJudge(transport);
  for (const byte of Buffer.from(bytes)) judge.push(Uint8Array.of(byte));
  return judge;
};
const heardOn = (transport: 'serial' | 'tcp', bytes: Uint8Array | string) =>
  judgeOf(transport, bytes).verdict();

describe('what a till says, before anybody answers', () => {
  test.each<[string, 'serial' | 'tcp', Uint8Array | string, object]>([
    ['nothing', 'serial', '', { what: 'nothing' }],
    ['two bytes', 'serial', Uint8Array.of(5, 6), { what: 'unclear' }],
    [
      'a block of ZVT',
      'serial',
      encodeBlock(registration),
      { what: 'zvt', meaning: expect.stringContaining('Registration 06 00') },
    ],
    [
      'a block of ZVT after noise',
      'serial',
      Buffer.concat([garbage, encodeBlock(registration)]),
      { what: 'zvt' },
    ],
    [
      'a block whose checksum is wrong',
      'serial',
      encodeBlock(registration).with(6, 0x55),
      { what: 'zvtDamaged' },
    ],
    [
      'a bare packet on a serial line',
      'serial',
      registration,
      { what: 'otherProtocol', protocol: 'zvtTcp' },
    ],
    [
      'a bare packet over TCP',
      'tcp',
      registration,
      { what: 'zvt', meaning: expect.stringContaining('Registration') },
    ],
    [
      'a serial block over TCP',
      'tcp',
      encodeBlock(registration),
      { what: 'zvt', meaning: expect.stringContaining('Registration') },
    ],
    ['O.P.I. over TCP', 'tcp', `\0\0\0\x44${opi}`, { what: 'otherProtocol', protocol: 'opi' }],
    ['O.P.I. on a serial line', 'serial', opi, { what: 'otherProtocol', protocol: 'opi' }],
    [
      'other XML',
      'serial',
      '<?xml version="1.0"?><Hello/>',
      { what: 'otherProtocol', protocol: 'xml' },
    ],
    [
      'a receipt',
      'serial',
      '\x1b@\x1b!\x30TOTAL  12,34\n',
      { what: 'otherProtocol', protocol: 'printer' },
    ],
    ['text', 'serial', 'AT+GMR\r\nAT+GMR\r\n', { what: 'otherProtocol', protocol: 'text' }],
    [
      'a bare packet behind its length',
      'tcp',
      prefixed,
      { what: 'zvt', meaning: expect.stringContaining('Registration') },
    ],
    [
      'a payment of Concert over TCP',
      'tcp',
      concert,
      { what: 'otherProtocol', protocol: 'concert' },
    ],
    [
      'the enquiries of Concert on a serial line',
      'serial',
      Uint8Array.of(5, 4, 5),
      { what: 'otherProtocol', protocol: 'concert' },
    ],
    ['one enquiry', 'serial', Uint8Array.of(5), { what: 'unclear' }],
    [
      'an enquiry of Concert and its block',
      'serial',
      Buffer.concat([enquiry, blockOfConcert]),
      { what: 'otherProtocol', protocol: 'concert' },
    ],
    [
      'a block of Concert alone',
      'serial',
      blockOfConcert,
      { what: 'otherProtocol', protocol: 'concert' },
    ],
    [
      'with even parity',
      'serial',
      withParity(Buffer.concat([enquiry, blockOfConcert]), 'even'),
      { what: 'otherProtocol', protocol: 'concert' },
    ],
    [
      'the same without its enquiry',
      'serial',
      withParity(blockOfConcert, 'even'),
      { what: 'otherProtocol', protocol: 'concert' },
    ],
    [
      'its beginning',
      'serial',
      Buffer.from('058230b130303030b1b233b4', 'hex'),
      { what: 'otherProtocol', protocol: 'concert' },
    ],
    ['a block of another protocol', 'serial', blockOf(Buffer.from('P00')), { what: 'noise' }],
    [
      'a block of Concert with a wrong LRC',
      'serial',
      blockOfConcert.with(-1, 0),
      { what: 'otherProtocol', protocol: 'text' },
    ],
    [
      'a block of Concert over TCP',
      'tcp',
      blockOf(Buffer.from(concert)),
      { what: 'otherProtocol', protocol: 'concert' },
    ],
    [
      'a block of another protocol over TCP',
      'tcp',
      blockOf(Buffer.from('P0000000100000000')),
      { what: 'otherProtocol', protocol: 'text' },
    ],
    [
      'a program',
      'tcp',
      'POST /v1/payments HTTP/1.1\r\n',
      { what: 'otherProtocol', protocol: 'http' },
    ],
    [
      'a till of Nexo, by its address',
      'tcp',
      'POST /nexo/ HTTP/1.1\r\n',
      { what: 'otherProtocol', protocol: 'nexo' },
    ],
    [
      'a till of Nexo, by what it says',
      'tcp',
      'POST / HTTP/1.1\r\n\r\n{"SaleToPOIRequest":{',
      { what: 'otherProtocol', protocol: 'nexo' },
    ],
    [
      'a browser',
      'tcp',
      'GET / HTTP/1.1\r\nHost: 10.0.0.1\r\n',
      { what: 'otherProtocol', protocol: 'http' },
    ],
    [
      'a scanner that tries TLS',
      'tcp',
      Uint8Array.of(0x16, 3, 1, 2, 0, 1),
      { what: 'otherProtocol', protocol: 'tls' },
    ],
    ['noise', 'serial', garbage, { what: 'noise' }],
  ])('%s', (_what, transport, bytes, verdict) =>
    expect(heardOn(transport, bytes)).toMatchObject(verdict),
  );

  test.each<[string, 'serial' | 'tcp', Uint8Array | string, object]>([
    ['Concert over TCP', 'tcp', concert, { what: 'concert' }],
    ['Concert on a serial line', 'serial', Uint8Array.of(5, 4, 5), { what: 'concert' }],
    ['ZVT over TCP', 'tcp', registration, { what: 'otherProtocol', protocol: 'zvt' }],
    [
      'ZVT on a serial line',
      'serial',
      encodeBlock(registration),
      { what: 'otherProtocol', protocol: 'zvt' },
    ],
    ['O.P.I.', 'tcp', opi, { what: 'otherProtocol', protocol: 'opi' }],
  ])('where Concert is waited for: %s', (_what, transport, bytes, verdict) => {
    expect(judgeOf(transport, bytes).verdict('concert')).toMatchObject(verdict);
  });

  const eight = { dataBits: 8, parity: 'none' };
  test.each<[string, Uint8Array, object | null]>([
    ['enquiries alone: either', Uint8Array.of(5, 5, 5), null],
    ['enquiries and EOT without parity', Uint8Array.of(5, 4, 5), eight],
    ['with even parity', Uint8Array.of(5, 0x84, 5), { dataBits: 7, parity: 'even' }],
    ['with odd parity', Uint8Array.of(0x85, 4, 0x85), { dataBits: 7, parity: 'odd' }],
    ['a block without parity', Buffer.concat([enquiry, blockOfConcert]), eight],
    [
      'a block with even parity',
      withParity(Buffer.concat([enquiry, blockOfConcert]), 'even'),
      { dataBits: 7, parity: 'even' },
    ],
    [
      'a block with odd parity',
      withParity(Buffer.concat([enquiry, blockOfConcert]), 'odd'),
      { dataBits: 7, parity: 'odd' },
    ],
    [
      'the beginning of a block with even parity',
      Buffer.from('058230b130303030b1b233b4', 'hex'),
      { dataBits: 7, parity: 'even' },
    ],
    [
      'a block with a byte of eight bits',
      Buffer.concat([enquiry, blockOf(Buffer.from(`${concert}CG001\xe9`, 'latin1'))]),
      null,
    ],
    ['noise', garbage, null],
  ])('data bits and parity of a till of Concert: %s', (_what, bytes, format) =>
    expect(judgeOf('serial', bytes).format).toEqual(format),
  );

  const amount = [BMP.amount, encodeBcd(100, 6)] as const;
  const paying = (...fields: readonly (readonly [number, Uint8Array])[]) =>
    encodePacket('authorisation', { fields: new Map(fields) });
  test.each<[string, 'serial' | 'tcp', Uint8Array, string | null]>([
    ['a till that registers', 'tcp', registration, null],
    ['that pays first, without a currency', 'tcp', paying(amount), 'noRegistration'],
    ['and on a serial line', 'serial', encodeBlock(paying(amount)), 'noRegistration'],
    [
      'that pays first, and names its currency',
      'tcp',
      paying(amount, [BMP.currency, encodeCurrency('DKK')]),
      null,
    ],
    [
      'that pays after it has registered',
      'tcp',
      Buffer.concat([registration, paying(amount)]),
      null,
    ],
    ['whose blocks come over TCP', 'tcp', encodeBlock(registration), 'blocksOverTcp'],
    [
      'whose password stands before the amount',
      'tcp',
      bytesOf('06 01 0D 12 34 56 04 00 00 00 00 12 34 49 09 78'),
      'passwordInPayment',
    ],
    [
      'whose password stands behind the amount',
      'serial',
      encodeBlock(bytesOf('06 01 0A 04 00 00 00 00 12 34 01 02 03')),
      'passwordInPayment',
    ],
  ])('which profile fits: %s', (_what, transport, bytes, profile) =>
    expect(judgeOf(transport, bytes).profile).toBe(profile),
  );

  test('a till that registers in another currency than the lane is named', () => {
    const profileFor = (lane: Currency | null): string | null => {
      const judge = new TillJudge('tcp', lane);
      judge.push(bytesOf('06 00 10 00 00 00 BE 09 78 03 01 06 06 26 04 0A 02 06 D3'));
      return judge.profile;
    };
    expect([profileFor('DKK'), profileFor('EUR'), profileFor(null)]).toEqual([
      'currencyOfLane',
      null,
      null,
    ]);
  });
});

test.each([
  ['over TCP', registration, '06 00 06 ** ** ** 8A 02 08'],
  [
    'on a serial line',
    encodeBlock(registration).subarray(0, 11),
    '10 02 06 00 06 ** ** ** 8A 02 08',
  ],
  [
    'with a byte that is sent twice there',
    encodeBlock(encodePacket('reversal', { parts: [encodeBcd(101_056, 3)] })).subarray(0, 11),
    '10 02 06 30 03 ** ** ** 10',
  ],
  ['in a status enquiry', Uint8Array.of(5, 1, 3, 0x12, 0x34, 0x56), '05 01 03 ** ** **'],
  [
    'of a payment',
    encodePacket('authorisation', { fields: new Map([[BMP.password, encodeBcd(123_456, 3)]]) }),
    '06 01 04 3D ** ** **',
  ],
  [
    'before the amount of a payment',
    bytesOf('06 01 0D 12 34 56 04 00 00 00 00 12 34 49 09 78'),
    '06 01 0D ** ** ** 04 00 00 00 00 12 34 49 09 78',
  ],
  [
    'behind the amount of a payment',
    bytesOf('06 01 0A 04 00 00 00 00 12 34 01 02 03'),
    '06 01 0A 04 00 00 00 00 12 34 ** ** **',
  ],
  ['which is not of ZVT', Buffer.from('a=1234'), '61 3D 31 32 33 34'],
])('the bytes that are shown hold no password: %s', (_what, bytes, text) =>
  expect(shownBytes(bytes)).toBe(text),
);

describe('listening', () => {
  const listeners: TillListener[] = [];
  const cables: SerialCable[] = [];
  /**
   * Other protocols are disconnected after 300 of its milliseconds, and a port is tried again after
   * 1000.
   */
  const quick = new SteadyClock(10);
  afterEach(async () => {
    await Promise.all(listeners.splice(0).map((listener) => listener.stop()));
    await Promise.all(cables.splice(0).map((cable) => cable.remove()));
  });
  const listen = (
    till: ConstructorParameters<typeof TillListener>[0],
    tools: Partial<ConstructorParameters<typeof TillListener>[1]> = {},
  ): TillListener => {
    const listener = new TillListener(till, { clock: quick, openSerialWire, ...tools });
    listeners.push(listener);
    return listener;
  };
  const serial = (path: string, baudRate: 9600 | 115_200 = 9600) =>
    ({ protocol: 'zvt', transport: 'serial', path, baudRate, stopBits: 2 }) as const;
  const hears = (listener: TillListener, what: Heard['what']) =>
    until(() => listener.heard().what === what, `${what}, not ${listener.heard().what}`, 4_000);

  test('on a real line: nothing yet, then the till’s first packet, and the port is free afterwards', async () => {
    const cable = await new SerialCable().plugIn();
    cables.push(cable);
    const listener = listen(serial(cable.terminalPath));
    await hears(listener, 'nothing');
    const till = await openSerialWire(
      { path: cable.tillPath, baudRate: 9600, stopBits: 2 },
      { data() {}, lost() {} },
    );
    await till.write(encodeBlock(registration));
    await hears(listener, 'zvt');
    expect(listener.heard()).toMatchObject({
      packets: 1,
      firstBytes: expect.stringMatching(/^10 02 06 00 /),
      meaning: expect.stringContaining('Registration'),
    });
    await till.close();
    await listener.stop();
    const again = listen(serial(cable.terminalPath));
    await hears(again, 'nothing');
  });

  test('on a real line: the first block of a till of Concert tells its data bits and parity', async () => {
    const cable = await new SerialCable().plugIn();
    cables.push(cable);
    const listener = listen({ ...serial(cable.terminalPath), protocol: 'concert', stopBits: 1 });
    await hears(listener, 'nothing');
    const answered: number[] = [];
    const data = (bytes: Uint8Array) => void answered.push(...bytes);
    const till = await openSerialWire(
      { path: cable.tillPath, baudRate: 9600, stopBits: 1 },
      { data, lost() {} },
    );
    await till.write(enquiry);
    await until(() => answered.length > 0, 'the answer to the enquiry');
    await till.write(withParity(blockOfConcert, 'even'));
    await hears(listener, 'concert');
    expect(listener.heard().till).toMatchObject({ baudRate: 9600, dataBits: 7, parity: 'even' });
    await until(() => answered.length === 2, 'the acknowledgement of the block');
    // The till ends its session, and the payment is refused in one of setup's own.
    await till.write(withParity(Uint8Array.of(4), 'even'));
    await until(() => answered.length === 3, 'the enquiry of the terminal');
    expect(answered).toEqual([6, 6, 5]);
    await till.write(withParity(Uint8Array.of(6), 'even'));
    await until(() => answered.length > 20, 'the answer');
    const text = String.fromCharCode(...answered.slice(4).map((byte) => byte & 0x7f));
    // The till's number, and 7: not done.
    expect(text).toMatch(/^017/);
    expect(answered.slice(3)).toEqual([
      ...withParity(
        Uint8Array.from(answered.slice(3), (byte) => byte & 0x7f),
        'even',
      ),
    ]);
    await until(() => listener.heard().answered === 'refused', 'the refusal to be told');
    await till.close();
  });

  test('on a real line: a till of ZVT registers, and its payment is refused', async () => {
    const cable = await new SerialCable().plugIn();
    cables.push(cable);
    const listener = listen(serial(cable.terminalPath), { laneCurrency: 'DKK' });
    await hears(listener, 'nothing');
    const register = await Register.overSerial({
      path: cable.tillPath,
      open: openSerialWire,
      clock: quick,
    });
    expect(await register.register({ currency: 'DKK' })).toMatchObject({
      refused: null,
      ended: { by: 'completion' },
    });
    await hears(listener, 'zvt');
    expect(listener.heard().answered).toBe('registered');
    expect(await register.pay(1_234, 'DKK')).toMatchObject({ ended: { by: 'abort' } });
    expect(listener.heard().answered).toBe('refused');
    await register.close();
  });

  test('waits for a port that is not there yet, and says why', async () => {
    const cable = new SerialCable();
    cables.push(cable);
    const listener = listen(serial(cable.terminalPath));
    await until(() => listener.heard().detail !== null, 'a reason');
    expect(listener.heard()).toMatchObject({
      what: 'opening',
      detail: expect.stringContaining('is the cable plugged in?'),
      problem: 'absent',
    });
    await cable.plugIn();
    await hears(listener, 'nothing');
  });

  describe('over TCP', () => {
    const clients: Socket[] = [];
    afterEach(() => {
      for (const client of clients.splice(0)) client.destroy();
    });
    const listenOverTcp = async (from: string[] = []): Promise<TillListener> => {
      const listener = listen({
        protocol: 'zvt',
        transport: 'tcp',
        host: '127.0.0.1',
        port: 0,
        from,
      });
      await hears(listener, 'nothing');
      return listener;
    };
    const connectTo = async (listener: TillListener): Promise<Socket> => {
      const { till } = listener.heard();
      const socket = connect(till.transport === 'tcp' ? till.port : 0, '127.0.0.1');
      clients.push(socket);
      socket.on('error', () => {});
      await once(socket, 'connect');
      return socket;
    };
    const closed = (socket: Socket): Promise<void> =>
      new Promise((resolve) =>
        socket.resume().closed ? resolve() : socket.once('close', () => resolve()),
      );

    test('where a till connects', async () => {
      const listener = await listenOverTcp();
      (await connectTo(listener)).write(registration);
      await hears(listener, 'zvt');
    });

    const portOf = (listener: TillListener): number => {
      const { till } = listener.heard();
      return till.transport === 'tcp' ? till.port : 0;
    };

    test.each(['bare', 'lengthPrefixed'] as const)(
      'a till whose packets are %s registers, and registers again with the lane',
      async (framing) => {
        const listener = listen(
          { protocol: 'zvt', transport: 'tcp', host: '127.0.0.1', port: 0, from: [] },
          { laneCurrency: 'DKK' },
        );
        await hears(listener, 'nothing');
        let isGone = false;
        const register = await Register.overTcp({
          host: '127.0.0.1',
          port: portOf(listener),
          framing,
          gone: () => (isGone = true),
        });
        const { refused, ended } = await register.register({ currency: 'DKK' });
        expect([refused, ended?.by]).toEqual([null, 'completion']);
        expect(listener.heard()).toMatchObject({ what: 'zvt', answered: 'registered' });
        await listener.stop();
        await until(
          () => isGone,
          'the end of the connection: the till has to register with the lane',
        );
      },
    );

    test('a till whose blocks come over TCP registers', async () => {
      const listener = listen(
        { protocol: 'zvt', transport: 'tcp', host: '127.0.0.1', port: 0, from: [] },
        { laneCurrency: 'DKK' },
      );
      await hears(listener, 'nothing');
      const till = await connectTo(listener);
      const came: number[] = [];
      till.on('data', (bytes) => came.push(...bytes));
      till.write(encodeBlock(registration));
      await until(() => came.length >= 10, 'the answer');
      expect(came.slice(0, 10)).toEqual([6, ...encodeBlock(Uint8Array.of(0x80, 0, 0))]);
      till.write(Uint8Array.of(6));
      await until(() => listener.heard().answered === 'registered', 'the completion');
    });

    test('whatever moves money or tells of it is refused, registered or not', async () => {
      const listener = listen(
        { protocol: 'zvt', transport: 'tcp', host: '127.0.0.1', port: 0, from: [] },
        { laneCurrency: 'DKK' },
      );
      await hears(listener, 'nothing');
      const parts = [encodeBcd(0, 3)];
      const fields = new Map([
        [BMP.amount, encodeBcd(100, 6)],
        [BMP.receiptNumber, encodeBcd(1, 2)],
        [BMP.currency, encodeCurrency('DKK')],
      ]);
      const commands = [
        ...(
          [
            'authorisation',
            'preauthorisation',
            'partialReversal',
            'bookTotal',
            'preauthorisationReversal',
          ] as const
        ).map((name) => encodePacket(name, { fields })),
        ...(['reversal', 'refund', 'endOfDay', 'totals', 'repeatReceipt'] as const).map((name) =>
          encodePacket(name, { parts, fields }),
        ),
      ];
      for (const isRegistered of [false, true]) {
        for (const command of commands) {
          const register = await Register.overTcp({ host: '127.0.0.1', port: portOf(listener) });
          if (isRegistered) await register.register({ currency: 'DKK' });
          const { refused, ended } = await register.command(command);
          expect(
            refused !== null || ended?.by === 'abort',
            `${isRegistered} ${command[1]?.toString(16)}`,
          ).toBe(true);
          expect(listener.heard().answered).toBe('refused');
          await register.close();
        }
      }
    });

    test('a till that registers in another currency than the lane is refused, and says so', async () => {
      const listener = listen(
        { protocol: 'zvt', transport: 'tcp', host: '127.0.0.1', port: 0, from: [] },
        { laneCurrency: 'EUR' },
      );
      await hears(listener, 'nothing');
      const register = await Register.overTcp({ host: '127.0.0.1', port: portOf(listener) });
      expect((await register.register({ currency: 'DKK' })).refused).not.toBeNull();
      expect(listener.heard()).toMatchObject({
        answered: 'registrationRefused',
        profile: 'currencyOfLane',
      });
      await register.close();
    });

    test('a till of Concert has its payment refused', async () => {
      const listener = listen({
        protocol: 'concert',
        transport: 'tcp',
        host: '127.0.0.1',
        port: 0,
        from: [],
      });
      await hears(listener, 'nothing');
      const till = await connectTo(listener);
      let came = '';
      till.on('data', (bytes) => (came += bytes.toString('latin1')));
      till.write(concert);
      await until(() => came.includes('AE'), 'the answer');
      expect(came).toContain('AE00201');
      expect(listener.heard()).toMatchObject({ what: 'concert', answered: 'refused' });
    });

    test('a till that does not stop asking is hung up on', async () => {
      const listener = listen(
        { protocol: 'zvt', transport: 'tcp', host: '127.0.0.1', port: 0, from: [] },
        { laneCurrency: 'DKK' },
      );
      await hears(listener, 'nothing');
      const till = await connectTo(listener);
      till.write(Buffer.concat(Array.from({ length: 2_000 }, () => registration)));
      await closed(till);
    });

    test('says why an address cannot be listened on, for words of the page’s language', async () => {
      const { till } = (await listenOverTcp()).heard();
      const port = till.transport === 'tcp' ? till.port : 0;
      const closed = async (host: string): Promise<Heard> => {
        const listener = listen({ protocol: 'zvt', transport: 'tcp', host, port, from: [] });
        await until(() => listener.heard().detail !== null, 'a reason');
        return listener.heard();
      };
      expect(await closed('127.0.0.1')).toMatchObject({
        listening: { code: 'portTaken', facts: { count: port } },
      });
      expect(await closed('192.0.2.1')).toMatchObject({
        listening: { code: 'hostNotHere', facts: { host: '192.0.2.1' } },
      });
      expect((await listenOverTcp()).heard()).not.toHaveProperty('listening');
    });

    test('a browser is named and hung up on, and hides no till, whoever comes first', async () => {
      const listener = await listenOverTcp();
      const browser = await connectTo(listener);
      browser.write('POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
      await hears(listener, 'otherProtocol');
      expect(listener.heard().protocol).toBe('http');
      await closed(browser);
      const till = await connectTo(listener);
      till.write(registration);
      await hears(listener, 'zvt');
      const again = await connectTo(listener);
      again.write('GET / HTTP/1.1\r\n\r\n');
      await closed(again);
      expect(listener.heard()).toMatchObject({ what: 'zvt', packets: 1 });
      expect(till.closed).toBe(false);
    });

    test('what begins with a length is heard to the end of its first message before it is hung up on', async () => {
      const listener = await listenOverTcp();
      const till = await connectTo(listener);
      till.write('\0\0\0\x44');
      await until(() => listener.heard().bytes === 4, 'the length');
      till.write(opi);
      await until(() => listener.heard().protocol === 'opi', 'O.P.I.');
      await closed(till);
    });

    test.each([
      ['ZVT behind its length', Buffer.from(prefixed), 'zvt'],
      ['Concert', Buffer.from(concert), 'otherProtocol'],
      ['Concert in a block', Buffer.from(blockOf(Buffer.from(concert))), 'otherProtocol'],
    ] as const)(
      'a till of %s is not hung up on, however its first bytes are split, and none of its secrets is shown',
      async (_what, bytes, what) => {
        const listener = await listenOverTcp();
        const till = await connectTo(listener);
        till.write(bytes.subarray(0, 1));
        await until(() => listener.heard().bytes === 1, 'the first byte');
        till.write(bytes.subarray(1));
        await hears(listener, what);
        await sleep(quick, 1_000);
        expect(till.closed).toBe(false);
        expect(listener.heard().firstBytes).not.toContain(
          Buffer.from('secret')
            .toString('hex')
            .toUpperCase()
            .replaceAll(/..(?=.)/g, '$& '),
        );
      },
    );

    test('what begins as Concert and is none is hung up on', async () => {
      const listener = await listenOverTcp();
      const stranger = await connectTo(listener);
      stranger.write('CONNECT 10.0.0.1:443 HTTP/1.1\r\n\r\n');
      await closed(stranger);
    });

    test('what begins as a block and is none of Concert is hung up on', async () => {
      const listener = await listenOverTcp();
      const stranger = await connectTo(listener);
      stranger.write(Uint8Array.of(0x02, 0x30, 0x00, 0x01, 0x02, 0x1c, 0x21, 0x12, 0xa4, 0x42));
      await closed(stranger);
    });

    test('an endless stranger is hung up on at once', async () => {
      const listener = await listenOverTcp();
      const stranger = await connectTo(listener);
      stranger.write(Buffer.alloc(100_000, 'GET '));
      await closed(stranger);
      expect(listener.heard().bytes).toBeLessThan(100_000);
    });

    test('the seventeenth connection takes the place of the first', async () => {
      const listener = await listenOverTcp();
      const silent: Socket[] = [];
      for (let number = 1; number <= 16; number += 1) silent.push(await connectTo(listener));
      const till = await connectTo(listener);
      till.write(registration);
      await hears(listener, 'zvt');
      await closed(silent[0] as Socket);
      expect(silent.slice(1).filter(({ closed: isClosed }) => isClosed)).toEqual([]);
    });

    test('an address that is not among those of the till is turned away, and named', async () => {
      const listener = await listenOverTcp(['10.0.0.1']);
      const stranger = await connectTo(listener);
      await closed(stranger);
      expect(listener.heard()).toMatchObject({ what: 'nothing', turnedAway: '127.0.0.1' });
      const open = await listenOverTcp(['127.0.0.0/8']);
      (await connectTo(open)).write(registration);
      await hears(open, 'zvt');
      expect(open.heard().turnedAway).toBeNull();
    });
  });

  /** A till that sends at one baud rate. At any other, garbage is received. */
  const tillAt = (rate: number, message: Uint8Array) => {
    const opened: number[] = [];
    const open: OpenSerialWire = async ({ baudRate }, listener) => {
      opened.push(baudRate);
      const timer = clock.after(500, () => listener.data(baudRate === rate ? message : garbage));
      return { write: async () => {}, close: async () => timer() };
    };
    return { opened, open };
  };
  let clock: ManualClock;

  test('tries the other rates by itself when it hears noise, and names the right one', async () => {
    clock = new ManualClock();
    const { open, opened } = tillAt(57_600, encodeBlock(registration));
    const listener = listen(serial('COM3'), { clock, openSerialWire: open });
    await clock.pass(900);
    expect(listener.heard()).toMatchObject({
      what: 'wrongBaudRate',
      firstBytes: expect.stringMatching(/^FE 80/),
    });
    await clock.pass(5_000);
    expect(listener.heard()).toMatchObject({ what: 'zvt', till: { baudRate: 57_600 } });
    expect(opened).toEqual([9600, 19_200, 38_400, 57_600]);
  });

  describe('a till of Concert on a cable', () => {
    /** A till that sends its block when its enquiry is answered. */
    const tillOfConcert = (message: Uint8Array) => {
      const line = { opened: [] as object[], written: [] as number[], enquires: () => {} };
      const open: OpenSerialWire = async (port, listener) => {
        line.opened.push(port);
        line.enquires = () => listener.data(enquiry);
        const write = async (bytes: Uint8Array): Promise<void> => {
          line.written.push(...bytes);
          if (line.written.length === 1 && bytes[0] === 6) listener.data(message);
        };
        return { write, close: async () => {} };
      };
      return { line, open };
    };
    const cable = { ...serial('COM3'), protocol: 'concert', stopBits: 1 } as const;
    const heardFrom = async (
      message: Uint8Array,
      till: ConstructorParameters<typeof TillListener>[0] = cable,
    ) => {
      clock = new ManualClock();
      const { line, open } = tillOfConcert(message);
      const listener = listen(till, { clock, openSerialWire: open });
      await clock.pass(10);
      line.enquires();
      await clock.pass(1_000);
      return { ...line, heard: listener.heard(), found: listener.foundAt };
    };
    const evenParity = { dataBits: 7, parity: 'even' } as const;

    test('is answered, so that its first block comes, and the block is acknowledged', async () => {
      const { written, heard } = await heardFrom(blockOfConcert);
      expect(written).toEqual([6, 6]);
      expect(heard).toMatchObject({ what: 'concert', till: cable });
    });

    test('with seven data bits and even parity is recognised, on a line that hears all eight', async () => {
      const { opened, heard, found } = await heardFrom(withParity(blockOfConcert, 'even'));
      expect(opened).toEqual([
        { path: 'COM3', baudRate: 9600, stopBits: 1, dataBits: 8, parity: 'none' },
      ]);
      expect(heard).toMatchObject({ what: 'concert', till: { ...cable, ...evenParity } });
      expect(found).not.toBeNull();
    });

    test('and without parity too, where the other was set', async () => {
      const { opened, heard } = await heardFrom(blockOfConcert, { ...cable, ...evenParity });
      expect(opened).toMatchObject([{ dataBits: 8, parity: 'none' }]);
      expect(heard).toMatchObject({
        what: 'concert',
        till: { ...cable, dataBits: 8, parity: 'none' },
      });
    });

    test('where ZVT is waited for, is named with its data bits', async () => {
      const { heard } = await heardFrom(withParity(blockOfConcert, 'even'), serial('COM3'));
      expect(heard).toMatchObject({ what: 'otherProtocol', protocol: 'concert', till: evenParity });
    });

    test('shows none of its private data', async () => {
      const { heard } = await heardFrom(blockOfConcert);
      expect(heard.firstBytes.split(' ')).toHaveLength(9);
    });
  });

  test('takes what is noise at every rate for another protocol', async () => {
    clock = new ManualClock();
    const { open } = tillAt(1200, encodeBlock(registration));
    const listener = listen(serial('COM3'), { clock, openSerialWire: open });
    await clock.pass(10_000);
    expect(listener.heard()).toMatchObject({ what: 'otherProtocol', protocol: 'unknown' });
  });

  test('stops by itself when nobody asks any more', async () => {
    clock = new ManualClock();
    let open = 0;
    const listener = listen(serial('COM3'), {
      clock,
      openSerialWire: async () => {
        open += 1;
        return { write: async () => {}, close: async () => void (open -= 1) };
      },
    });
    await clock.pass(20_000);
    expect(open).toBe(1);
    listener.heard();
    await clock.pass(31_000);
    await settled();
    expect(open).toBe(0);
    expect(listener.heard().what).toBe('stopped');
  });
});

describe('a till that is saved', () => {
  const path = '/dev/ttyUSB0';
  const serial = {
    protocol: 'zvt',
    transport: 'serial',
    path,
    baudRate: 9600,
    stopBits: 2,
  } as const;
  let folder: string;
  let clock: ManualClock;
  let till: TillSetup;
  let drafts: DraftStore;
  let isPerson = true;
  /** What is received on the line once it is open; null when there is no such port. */
  let line: Uint8Array | null;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tillbeacon-till-'));
    clock = new ManualClock();
    line = new Uint8Array();
    const host = { settings: () => null, secrets: { environment: {}, safe: null, folder } };
    drafts = new DraftStore({
      path: join(folder, 'draft.json'),
      testedLanes: { testedWith: () => null },
      host,
      clock,
      log: silentLog,
    });
    till = withLine(async (_asked, listener) => {
      if (line === null) throw new Error('no such file: is the cable plugged in?');
      if (line.length > 0) listener.data(line);
      return { write: async () => {}, close: async () => {} };
    });
  });
  const withLine = (openLine: OpenSerialWire): TillSetup => {
    const host = {
      settings: () => null,
      lanes: () => [],
      openTestCounter: () => Promise.reject(new Error('no test')),
      tokens: new Tokens({
        path: join(folder, 'tokens.json'),
        clock,
        ids: systemIds,
        log: silentLog,
      }),
      apiPort: async () => null,
      secrets: { environment: {}, safe: null, folder },
      requirePerson() {
        if (!isPerson) throw new Refusal('pinNeeded', 'no person');
      },
    };
    return new TillSetup({
      drafts,
      host,
      listSerialPorts: async () => [],
      openSerialWire: openLine,
      clock,
    });
  };
  afterEach(async () => {
    await till.release();
    rmSync(folder, { recursive: true, force: true });
  });
  const screen: Session = { manager: null };
  const listenTo = async (asked: TillLine): Promise<Heard> =>
    (await till.handlers.listenToTill?.({ till: asked }, screen)) as Heard;

  test('is answered with what its port is, not with that it is being opened', async () => {
    line = null;
    expect(await listenTo(serial)).toMatchObject({
      what: 'opening',
      detail: expect.stringContaining('is the cable plugged in?'),
    });
    line = new Uint8Array();
    expect(await listenTo(serial)).toMatchObject({ what: 'nothing', detail: null });
    line = encodeBlock(registration);
    expect(await listenTo(serial)).toMatchObject({ what: 'zvt' });
  });

  test('whose port never opens is not waited for without an end', async () => {
    let opens: () => void = () => {};
    till = withLine(
      () =>
        new Promise(
          (resolve) => (opens = () => resolve({ write: async () => {}, close: async () => {} })),
        ),
    );
    const listening = listenTo(serial);
    await settled();
    await clock.pass(2_000);
    expect(await listening).toMatchObject({ what: 'opening', detail: null });
    opens();
  });

  test('is known to be there only when it was heard at that very line', async () => {
    expect(till.isHeard(serial)).toBe(false);
    await listenTo(serial);
    expect(till.isHeard(serial)).toBe(false);
    line = encodeBlock(registration);
    await listenTo(serial);
    expect(till.isHeard(serial)).toBe(true);
    // The page may release the line before or after it saves.
    await till.handlers.stopListening?.({}, screen);
    expect(till.isHeard(serial)).toBe(true);
    expect(till.isHeard({ ...serial, path: '/dev/ttyUSB7' })).toBe(false);
    expect(
      till.isHeard({
        protocol: 'zvt',
        transport: 'tcp',
        host: '127.0.0.1',
        port: 20_007,
        from: [],
      }),
    ).toBe(false);
  });

  test('and recognised as Concert is taken over without its saying anything again; as ZVT it was not heard', async () => {
    line = Uint8Array.of(5, 4, 5);
    expect(await listenTo(serial)).toMatchObject({ what: 'otherProtocol', protocol: 'concert' });
    line = new Uint8Array();
    const asConcert = { ...serial, protocol: 'concert', stopBits: 1 } as const;
    expect(await listenTo(asConcert)).toMatchObject({ what: 'concert', till: asConcert });
    expect([till.isHeard(asConcert), till.isHeard(serial)]).toEqual([true, false]);
    // Another baud rate opens the line again.
    expect(await listenTo({ ...asConcert, baudRate: 19_200 })).toMatchObject({ what: 'nothing' });
  });

  test('and is a program is tried only where its token is not readable, also when a file has brought its address', async () => {
    const pointOfSale = PointOfSaleAsked.parse({
      merchantPosId: 'shop-1',
      name: 'Kiosk',
      beaconTypes: ['QR'],
      beaconId: null,
    });
    const store = {
      merchantVat: 'DK12345678',
      store: { storeId: '5a1e0000-0000-4000-8000-000000000010' } as never,
    };
    const program = (host: string) =>
      keptOf(TillInput.parse({ transport: 'http', host, port: 0 }), null);
    const tried = async (host: string): Promise<unknown> => {
      drafts.keep({
        ...emptyDraft,
        wallet: { kind: 'simulator' },
        store,
        pointOfSale,
        till: program(host),
      });
      await till.handlers.startTestPayment?.({ with: 'till' }, screen);
      let state = till.handlers.testPaymentState?.({}, screen) as { state: string; detail: string };
      while (state.state === 'starting') {
        await new Promise(setImmediate);
        state = till.handlers.testPaymentState?.({}, screen) as typeof state;
      }
      return state.detail;
    };
    expect(await tried('127.0.0.1')).toBe('no test');
    expect(await tried('0.0.0.0')).toMatch('tokens would be readable in the network');
  });

  test('and is in the network is listened to, checked and tried only where a person vouches for the page', async () => {
    isPerson = false;
    try {
      const line = { protocol: 'zvt' as const, transport: 'tcp' as const, port: 0, from: [] };
      const program = { port: 0, tls: null, origins: [] };
      const refused = expect.objectContaining({ code: 'pinNeeded' });
      for (const host of [
        '0.0.0.0',
        '::',
        '192.168.1.20',
        'till.shop.example',
        '127.0.0.1.example',
      ]) {
        await expect(listenTo({ ...line, host })).rejects.toEqual(refused);
        await expect(till.handlers.checkTillApi?.({ ...program, host }, screen)).rejects.toEqual(
          refused,
        );
        drafts.keep({ ...emptyDraft, till: keptOf(TillInput.parse({ ...line, host }), null) });
        await expect(till.handlers.startTestPayment?.({ with: 'till' }, screen)).rejects.toEqual(
          refused,
        );
      }
      expect(await listenTo({ ...line, host: '127.0.0.1' })).toMatchObject({ what: 'nothing' });
      expect(
        await till.handlers.checkTillApi?.({ ...program, host: 'localhost' }, screen),
      ).toMatchObject({ address: expect.any(String) });
    } finally {
      isPerson = true;
    }
  });

  test('and was heard stays known, until its line is another one or its own test payment says it', async () => {
    const input = keptOf(TillInput.parse(serial), null);
    drafts.save({ step: 'till', value: input, unheard: false });
    expect(till.isHeard(serial)).toBe(true);
    expect(till.isHeard({ ...serial, path: '/dev/ttyUSB7' })).toBe(false);
    drafts.save({ step: 'till', value: input, unheard: true });
    expect(till.isHeard(serial)).toBe(false);
    drafts.tested('own');
    expect(drafts.draft).toMatchObject({ tested: 'own', unheard: true });
    drafts.tested('till');
    expect(drafts.draft).toMatchObject({ tested: 'till', unheard: false });
    drafts.tested('own');
    expect(drafts.draft?.tested).toBe('till');
  });
});

describe('the lane that is tried', () => {
  test('has an id that no lane in use has, and its API is as the draft says', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-lane-'));
    try {
      const pointOfSale = {
        merchantPosId: 'shop-1',
        name: 'Kasse',
        beaconTypes: ['QR'],
        beaconId: null,
      };
      const lanes = ['1', '2'].map((id) => ({
        id,
        name: id,
        currency: 'DKK',
        pointOfSale: {
          ...pointOfSale,
          merchantPosId: `shop-${id}`,
          storeId: '5a1e0000-0000-4000-8000-000000000010',
        },
        till: { protocol: 'zvt', transport: 'serial', path: `COM${id}` },
      }));
      const settings = Settings.parse({ wallet: { simulator: true }, lanes });
      const host = { settings: () => settings, secrets: { environment: {}, safe: null, folder } };
      const drafts = new DraftStore({
        path: join(folder, 'draft.json'),
        testedLanes: { testedWith: () => null },
        host,
        clock: new ManualClock(),
        log: silentLog,
      });
      drafts.begin(null);
      drafts.save({
        step: 'pointOfSale',
        value: PointOfSaleAsked.parse({ ...pointOfSale, merchantPosId: 'shop-3' }),
      });
      drafts.save({
        step: 'till',
        value: keptOf(TillInput.parse({ transport: 'http', port: 4_443 }), null),
        unheard: true,
      });
      expect(drafts.laneToTry()).toMatchObject({ id: '3', till: { protocol: 'http' } });
      expect(drafts.apiToTry()).toMatchObject({ host: '127.0.0.1', port: 4_443, names: [] });
      const nexo = { poiId: 'Till-1', key: { identifier: 'a', version: 1 } };
      const save = (input: object) =>
        drafts.save({
          step: 'till',
          value: drafts.till(TillInput.parse({ transport: 'http', ...input })),
          unheard: true,
        });
      save({ nexo });
      expect(() => drafts.laneToTry()).toThrow(
        expect.objectContaining({ code: 'incomplete', facts: { step: 'till' } }),
      );
      save({ nexo: { ...nexo, key: { ...nexo.key, passphrase: 'sixteen letters!' } } });
      expect(drafts.laneToTry().till).toEqual({
        protocol: 'http',
        nexo: { ...nexo, key: { ...nexo.key, passphrase: 'sixteen letters!' } },
      });
      settings.lanes[1] = Settings.shape.lanes.element.parse({
        ...lanes[1],
        till: { protocol: 'http', nexo: { poiId: 'Till-2' } },
      });
      expect(() => save({ nexo: { poiId: 'Till-2' } })).toThrow(
        expect.objectContaining({ code: 'poiTaken', facts: { laneId: '2' } }),
      );
      drafts.begin('1');
      expect(drafts.laneToTry().id).toBe('1');
      expect(drafts.apiToTry()).toBeNull();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('the list of ports', () => {
  const port = (path: string) => ({
    path,
    name: path,
    manufacturer: null,
    serialNumber: null,
    vendorId: null,
    productId: null,
  });

  test('knows the one that was just plugged in, also when it was there and was unplugged meanwhile', () => {
    const seen = new PortsSeen();
    const plugged = (...paths: string[]) => [...seen.plugged(paths.map(port))];
    expect(plugged('a', 'b')).toEqual([]);
    expect(plugged('a', 'b', 'c')).toEqual(['c']);
    expect(plugged('a', 'b', 'c')).toEqual(['c']);
    expect(plugged('b', 'c')).toEqual(['c']);
    expect(plugged('a', 'b', 'c')).toEqual(['a', 'c']);
  });
});
