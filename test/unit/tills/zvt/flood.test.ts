import { EventEmitter } from 'node:events';
import type { createServer, Socket } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { type Log, silentLog } from '../../../../main/core/domain/log.ts';
import { Turns } from '../../../../main/core/domain/turns.ts';
import { NoticeBoard } from '../../../../main/counter/manager/health/notice-board.ts';
import { ApduStream } from '../../../../main/tills/zvt/apdu.ts';
import { hex } from '../../../../main/tills/zvt/packets.ts';
import { PrefixedStream } from '../../../../main/tills/zvt/tcp-framing.ts';
import { createZvtTill } from '../../../../main/tills/zvt/till.ts';
import { ManualClock, settled } from '../../support/manual-clock.ts';
import { ack, authorisation, bytesOf, Cable, ScriptedViews, ticket } from './support.ts';

const maxSteps = 16;
const statusEnquiry = '05 01 00';
const registration = '06 00 06 12 34 56 00 02 08';
const times = (count: number, packet: string): Uint8Array => bytesOf(`${packet} `.repeat(count));

/** A connection of a till, as far as the terminal uses it. */
class Peer extends EventEmitter {
  readonly remoteAddress: string;
  readonly remotePort = 40_000;
  readonly writableLength = 0;
  readonly writableEnded = false;
  destroyed = false;
  isPaused = false;
  /** The packets that it was sent. */
  readonly heard: string[] = [];

  constructor(remoteAddress: string) {
    super();
    this.remoteAddress = remoteAddress;
  }
  send(bytes: Uint8Array): void {
    this.emit('data', bytes);
  }
  write(bytes: Uint8Array, done: () => void): void {
    this.heard.push(hex(bytes));
    queueMicrotask(done);
  }
  pause(): void {
    this.isPaused = true;
  }
  resume(): void {
    this.isPaused = false;
  }
  destroy(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    queueMicrotask(() => this.emit('close'));
  }
}

/** Lanes of one daemon: one event loop, whose turns the test begins. */
class Shop {
  readonly clock = new ManualClock();
  readonly notices = new NoticeBoard(this.clock);
  readonly logged: string[] = [];
  readonly #planned: (() => void)[] = [];
  readonly #turns = new Turns({
    maxSteps,
    nextTurn: (run) => void this.#planned.push(run),
    nowMs: () => 0,
  });

  async lane(): Promise<Lane> {
    const commands = new ScriptedViews();
    let accept = (_socket: Socket): void => {};
    const server = Object.assign(new EventEmitter(), {
      listen: (_port: number, _host: string, listening: () => void) => listening(),
      address: () => ({ port: 20_007 }),
      close: (closed: () => void) => closed(),
    });
    const line = (_fields: object, message: string): void => void this.logged.push(message);
    const log: Log = { ...silentLog, info: line, warn: line, error: line };
    const till = createZvtTill({
      settings: { protocol: 'zvt', transport: 'tcp', host: '127.0.0.1', port: 0 },
      currency: 'DKK',
      beacons: ['QR'],
      laneName: 'Check-out 1',
      softwareVersion: '1.2.3',
      clock: this.clock,
      log,
      notices: this.notices,
      openSerialWire: () => Promise.reject(new Error('no serial port here')),
      turns: this.#turns,
      createTcpServer: ((_options: unknown, onConnection: typeof accept) => {
        accept = onConnection;
        return server;
      }) as unknown as typeof createServer,
    });
    await till.open(commands);
    const connect = (address = '127.0.0.1'): Peer => {
      const peer = new Peer(address);
      accept(peer as unknown as Socket);
      return peer;
    };
    return { commands, till, connect };
  }

  async turn(): Promise<void> {
    for (const run of this.#planned.splice(0)) run();
    await settled();
  }

  async turnsUntil(isSo: () => boolean): Promise<number> {
    for (let turns = 0; ; turns += 1) {
      if (isSo()) return turns;
      if (turns > 50_000) throw new Error(`it never became so: ${isSo.toString()}`);
      await this.turn();
    }
  }
}

interface Lane {
  readonly commands: ScriptedViews;
  readonly till: ReturnType<typeof createZvtTill>;
  readonly connect: (address?: string) => Peer;
}

describe('a connection that sends thousands of packets at once', () => {
  test('is answered a few packets in each turn, and is not read before they are taken', async () => {
    const shop = new Shop();
    const { connect } = await shop.lane();
    const flood = connect();
    flood.send(times(300, statusEnquiry));
    await settled();
    const answers = (): number => flood.heard.filter((packet) => packet === ack).length;
    expect([answers(), flood.isPaused]).toEqual([maxSteps, true]);
    let before = answers();
    while (flood.isPaused) {
      await shop.turn();
      expect(answers() - before).toBeLessThanOrEqual(maxSteps);
      before = answers();
    }
    expect(answers()).toBe(300);
  });

  test('keeps the till of another lane waiting for no more than a turn', async () => {
    const shop = new Shop();
    const [flooded, quiet] = [await shop.lane(), await shop.lane()];
    const floods = Array.from({ length: 10 }, () => flooded.connect());
    const till = quiet.connect();
    for (const flood of floods) flood.send(times(200, statusEnquiry));
    await shop.turn();
    till.send(bytesOf(statusEnquiry));
    expect(await shop.turnsUntil(() => till.heard.length > 0)).toBeLessThanOrEqual(1);
    const answers = floods.flatMap(({ heard }) => heard).filter((packet) => packet === ack);
    expect(answers.length).toBeLessThanOrEqual(3 * maxSteps);
  });

  test('is obeyed in the order in which it sent, also what came before it hung up', async () => {
    const shop = new Shop();
    const { commands, till, connect } = await shop.lane();
    const peer = connect();
    peer.send(bytesOf(authorisation));
    await shop.turn();
    await settled();
    const offer = till.offerPaid(ticket);
    await shop.turn();
    // The acknowledgement is behind more packets than a turn takes; then the connection breaks.
    peer.send(Uint8Array.from([...times(40, statusEnquiry), ...bytesOf(ack)]));
    peer.destroy();
    await settled();
    expect(commands.asked).toEqual(['sale 1234 DKK']);
    await shop.turnsUntil(() => commands.asked.length > 1);
    expect(await offer).toBe('acknowledged');
    expect(commands.asked).toEqual(['sale 1234 DKK', `lost ${ticket.saleId}`]);
  });

  test('is slowed down to what a till sends, and closed when it goes on', async () => {
    const shop = new Shop();
    const { connect } = await shop.lane();
    const flood = connect();
    flood.send(times(5_000, `${statusEnquiry} ${ack}`));
    const taken = (): number => flood.heard.filter((packet) => packet === ack).length;
    for (let turn = 0; turn < 100; turn += 1) await shop.turn();
    const atOnce = taken();
    expect(atOnce).toBeLessThanOrEqual(400);
    for (let second = 0; second < 2; second += 1) {
      await shop.clock.pass(1_000);
      for (let turn = 0; turn < 50; turn += 1) await shop.turn();
    }
    expect(taken() - atOnce).toBeLessThanOrEqual(2 * 200 + 1);
    for (let ms = 0; ms < 15_000 && !flood.destroyed; ms += 5) {
      await shop.clock.pass(5);
      await shop.turn();
    }
    expect(flood.destroyed).toBe(true);
    expect(shop.notices.list().map(({ code, detail }) => [code, detail])).toEqual([
      ['tillStranger', 'it sent more than a till does for 10 s'],
    ]);
  });

  test('writes a bounded number of lines to the log', async () => {
    const shop = new Shop();
    const { connect } = await shop.lane();
    for (let connection = 0; connection < 200; connection += 1) {
      const peer = connect();
      peer.send(times(10, '06 01 0A 04 00 00 00 00 00 00 49 02 08'));
      await shop.turn();
      peer.destroy();
      await shop.turn();
    }
    expect(shop.logged.length).toBeGreaterThan(60);
    expect(shop.logged.length).toBeLessThan(4 * 60);
  });
});

describe('a till', () => {
  test('that answers each packet of ours at once is never slowed down', async () => {
    const shop = new Shop();
    const { connect } = await shop.lane();
    const peer = connect();
    peer.send(bytesOf(registration));
    await settled();
    peer.send(bytesOf(ack));
    let answers = 0;
    for (let round = 0; round < 300; round += 1) {
      peer.send(bytesOf(statusEnquiry));
      await settled();
      // 80 00 00, and 06 0F, which the till answers.
      peer.send(bytesOf(ack));
      await shop.turn();
      answers = peer.heard.filter((packet) => packet.startsWith('06 0F')).length;
    }
    expect(answers).toBe(301);
    expect(shop.logged.filter((message) => message.includes('more than a till'))).toEqual([]);
  });

  test('that waits for its result is not closed for what it sends', async () => {
    const shop = new Shop();
    const { connect } = await shop.lane();
    const peer = connect();
    peer.send(bytesOf(authorisation));
    await settled();
    peer.send(times(5_000, `${statusEnquiry} ${ack}`));
    for (let ms = 0; ms < 15_000; ms += 5) {
      await shop.clock.pass(5);
      await shop.turn();
      peer.heard.splice(0);
    }
    expect(peer.destroyed).toBe(false);
  });

  test('keeps its place while others take all the rest, from another address', async () => {
    const shop = new Shop();
    const { connect } = await shop.lane();
    const till = connect('192.168.1.40');
    const speaks = (peer: Peer): void => peer.send(bytesOf(registration + ' ' + ack));
    speaks(till);
    await shop.turn();
    const strangers: Peer[] = [];
    for (let count = 0; count < 100; count += 1) {
      await shop.clock.pass(10);
      const stranger = connect('192.168.1.66');
      strangers.push(stranger);
      await shop.turn();
      speaks(stranger);
      await shop.turn();
    }
    // Each is heard later than the till, and has registered as well.
    expect(till.destroyed).toBe(false);
    expect(strangers.filter(({ destroyed }) => !destroyed)).toHaveLength(15);
    // A new connection of the till's takes the place of one of theirs, though it has said nothing
    // yet.
    const again = connect('192.168.1.40');
    for (let count = 0; count < 20; count += 1) connect('192.168.1.66');
    await shop.turn();
    expect([till.destroyed, again.destroyed]).toEqual([false, false]);
  });

  test('that comes and goes in a loop is told to the screens now and then', async () => {
    const shop = new Shop();
    const { commands, connect } = await shop.lane();
    for (let connection = 0; connection < 200; connection += 1) {
      connect().destroy();
      await settled();
    }
    expect(commands.links.length).toBeLessThanOrEqual(21);
    connect();
    await shop.clock.pass(1_000);
    expect(commands.links.at(-1)?.state).toBe('connected');
  });
});

test.each([
  ['bare', new ApduStream(), bytesOf('06 01 FF FF FF')],
  ['with its length before it', new PrefixedStream(), bytesOf('FF FF 06 01 FF FA FF')],
])('a long packet in single bytes, %s, is not copied for each of them', (_name, stream, head) => {
  const set = vi.spyOn(Uint8Array.prototype, 'set');
  const packet = new Uint8Array(20_000);
  packet.set(head);
  for (const byte of packet) expect(stream.push(Uint8Array.of(byte))).toEqual([]);
  const copied = set.mock.calls.reduce((sum, [bytes]) => sum + bytes.length, 0);
  set.mockRestore();
  expect(copied).toBeLessThan(4 * packet.length);
});

test('a cable that brings blocks without end is read a few at a time', async () => {
  const cable = await new Cable().plugIn();
  cable.acknowledgesBlocks = false;
  const block = bytesOf('10 02 05 01 00 10 03 97 42');
  const bytes = new Uint8Array(block.length * 2_000);
  for (let count = 0; count < 2_000; count += 1) bytes.set(block, count * block.length);
  void cable.sendBytes(bytes);
  expect(cable.seen.length).toBeLessThan(200);
  const first = cable.seen.length;
  for (let turn = 0; turn < 1_000; turn += 1) await settled();
  expect(cable.seen.length).toBeGreaterThan(first + 1_500);
});
