import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { sleep } from '../../../../main/core/domain/clock.ts';
import { Register } from '../../../../main/sandbox/till/register.ts';
import { TillListener } from '../../../../main/counter/setup/till-listener.ts';
import { blockOf } from '../../../../main/tills/concert/blocks.ts';
import { encodeBcd } from '../../../../main/tills/zvt/bcd.ts';
import { BMP } from '../../../../main/tills/zvt/bitmaps.ts';
import { encodeCurrency } from '../../../../main/tills/zvt/currency.ts';
import { encodePacket } from '../../../../main/tills/zvt/packets.ts';
import { encodeBlock } from '../../../../main/tills/zvt/serial-framing.ts';
import type { Heard } from '../../../../preload/procedures/setup-till.ts';
import { until } from '../../../support/processes.ts';
import { registration, opi, prefixed, concert, listening } from './till-support.ts';

describe('listening over TCP', () => {
  const { quick, listen, hears } = listening();
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
