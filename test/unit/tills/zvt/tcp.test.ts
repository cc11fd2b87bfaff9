import { EventEmitter, once } from 'node:events';
import type { createServer, Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { afterEach, describe, expect, test } from 'vitest';
import { BMP } from '../../../../main/tills/zvt/bitmaps.ts';
import { resultCodeOf } from '../../../../main/tills/zvt/packets.ts';
import { settled } from '../../support/manual-clock.ts';
import { bytesOf, eventually, refundTicket, TcpLine, ticket } from './support.ts';

let line: TcpLine;
afterEach(() => line.till.close());
const open = async (createTcpServer?: typeof createServer): Promise<TcpLine> => {
  line = await TcpLine.open({}, createTcpServer);
  return line;
};

describe('the till of the demonstration', () => {
  test('reverses a sale: refunded, with the receipt numbers of both', async () => {
    const { commands, till } = await open();
    const register = await line.register();
    await register.register({ currency: 'DKK' });
    const outcome = register.reverse(17);
    await line.asked('refund of 17: all DKK');
    expect(await till.offerRefunded(refundTicket)).toBe('acknowledged');
    till.concludeRefund(refundTicket, { refunded: true });
    const { ended, statusInformations, printed } = await outcome;
    expect(ended).toMatchObject({ by: 'completion' });
    expect(resultCodeOf(statusInformations[0] as never)).toBe(0);
    expect(printed.join('\n')).toMatch(/REFUND\n[^]*DKK 12\.34\n[^]*Original receipt +0017/);
    commands.last = { refund: refundTicket, outcome: { refunded: true }, certainty: 'confirmed' };
    const repeated = await register.repeatReceipt();
    expect([...(repeated.statusInformations[0]?.get(BMP.originalTraceNumber) ?? [])]).toEqual([
      0, 0, 0x41,
    ]);
    await register.close();
  });

  test('refunds a part of it, and is told when there is nothing left', async () => {
    const { commands } = await open();
    const register = await line.registered();
    commands.refund = { accepted: false, reason: 'alreadyRefunded' };
    expect((await register.reverse(17, 500, 'DKK')).ended).toEqual({ by: 'abort', code: 0xb4 });
    expect((await register.refund(17, 500, 'DKK')).ended).toEqual({ by: 'abort', code: 0xb4 });
    expect((await register.refund(null, 500, 'DKK')).ended).toEqual({ by: 'abort', code: 0xb5 });
    expect(commands.asked).toEqual(['refund of 17: 500 DKK', 'refund of 17: 500 DKK']);
    await register.close();
  });
});

describe('a till that hangs up', () => {
  test('while its refund is under way is lost, and is told nothing any more', async () => {
    const { till } = await open();
    const register = await line.registered();
    void register.reverse(17);
    await line.asked('refund of 17: all DKK');
    await register.close();
    await line.asked(`lost ${refundTicket.refundOrderId}`);
    expect(await till.offerRefunded(refundTicket)).toBe('notAcknowledged');
  });

  test('instead of answering the result does not acknowledge it', async () => {
    const { till } = await open();
    const register = await line.registered();
    register.respondTo = (packet) => {
      if (packet === 'statusInformation') void register.close();
      return null;
    };
    void register.reverse(17);
    await line.asked('refund of 17: all DKK');
    expect(await till.offerRefunded(refundTicket)).toBe('notAcknowledged');
    await line.asked(`lost ${refundTicket.refundOrderId}`);
  });

  test('and never hears the end asks again over a new connection: told, not repeated', async () => {
    const { commands, till } = await open();
    const part = { ...refundTicket, amountMinor: 500 };
    commands.refund = { accepted: true, refund: part };
    const first = await line.registered();
    void first.reverse(17, 500, 'DKK');
    await line.asked('refund of 17: 500 DKK');
    expect(await till.offerRefunded(part)).toBe('acknowledged');
    commands.last = { refund: part, outcome: { refunded: true }, certainty: 'confirmed' };
    await first.close();
    await line.asked(`lost ${part.refundOrderId}`);
    const second = await line.registered();
    const outcome = await second.reverse(17, 500, 'DKK');
    expect(outcome.ended).toMatchObject({ by: 'completion' });
    expect(commands.asked.filter((asked) => asked.startsWith('refund'))).toHaveLength(1);
    await second.close();
  });

  test('is not the other till at the same terminal, which asks while it runs and is told to wait', async () => {
    const { commands } = await open();
    const [first, second] = [await line.registered(), await line.registered()];
    void first.reverse(17);
    await line.asked('refund of 17: all DKK');
    commands.refund = { accepted: false, reason: 'busy' };
    expect((await second.reverse(17)).refused).toBe(0x9c);
    await second.close();
    await eventually(() => commands.links.at(-1)?.state === 'connected');
    expect(commands.asked.filter((asked) => asked.startsWith('lost'))).toEqual([]);
    await first.close();
  });
});

test('a till that answers no intermediate status is hung up, and its result does not wait for it', async () => {
  const { clock, till } = await open();
  const register = await line.register();
  await register.register({ currency: 'DKK', config: 0x08 });
  register.respondTo = () => null;
  const payment = register.pay(1234, 'DKK');
  await line.asked('sale 1234 DKK');
  const offer = till.offerPaid(ticket);
  for (let turn = 0; turn < 100; turn += 1) await settled();
  await clock.pass(5_000);
  expect(await offer).toBe('notAcknowledged');
  expect((await payment).ended).toBeNull();
});

test('what one till agrees does not change what another’s payment needs', async () => {
  const { till } = await open();
  const [first, second] = [await line.register(), await line.register()];
  await first.register({ currency: 'DKK' });
  const payment = first.pay(1234, 'DKK');
  await line.asked('sale 1234 DKK');
  await second.logOff();
  expect(await till.offerPaid(ticket)).toBe('acknowledged');
  till.conclude(ticket, { paid: true });
  expect((await payment).printed.join('\n')).toMatch(/PAID/);
  await Promise.all([first.close(), second.close()]);
});

describe('a connection that is no till', () => {
  test('and sends a packet byte by byte has T3 for all of it', async () => {
    await open();
    const socket = await line.socket();
    const closed = once(socket, 'close');
    for (const byte of bytesOf('06 01 0A')) {
      socket.write(Uint8Array.of(byte));
      for (let turn = 0; turn < 50; turn += 1) await settled();
      await line.clock.pass(2_000);
    }
    await closed;
    expect(line.commands.asked).toEqual([]);
  });

  test('and sends the longest packet that there is is answered', async () => {
    await open();
    const socket = await line.socket();
    const answer = once(socket, 'data');
    socket.write(
      Uint8Array.from(
        { length: 5 + 0xffff },
        (_, index) => [0x06, 0xf0, 0xff, 0xff, 0xff][index] ?? 0,
      ),
    );
    expect([...((await answer)[0] as Buffer)]).toEqual([0x84, 0x83, 0x00]);
    socket.destroy();
  });

  test('and asks without reading the answers is closed before it fills the memory', async () => {
    let connected = (_socket: Socket): void => {};
    const server = Object.assign(new EventEmitter(), {
      listen: (_port: number, _host: string, done: () => void) => done(),
      address: () => ({ port: 1 }),
      close: (done: () => void) => done(),
    });
    await open(((options: unknown, onConnection: typeof connected) => {
      // A till that vanished must not keep its place for hours.
      expect(options).toMatchObject({ keepAlive: true, keepAliveInitialDelay: 30_000 });
      connected = onConnection;
      return server;
    }) as unknown as typeof createServer);
    const socket = new Duplex({ read() {}, write() {} });
    connected(socket as Socket);
    // An unknown command, three bytes, is answered with three bytes. What comes after the
    // connection was given up is not obeyed.
    const flood = Array.from(
      { length: 3 * 22_000 },
      (_, index) => [0x0f, 0x99, 0x00][index % 3] as number,
    );
    socket.push(Uint8Array.from([...flood, ...bytesOf('06 01 0A 04 00 00 00 00 12 34 49 02 08')]));
    await eventually(() => socket.destroyed);
    expect(line.commands.asked).toEqual([]);
    expect(socket.writableLength).toBeLessThan(70_000);
    await eventually(() => line.commands.links.at(-1)?.state === 'open');
  });
});
