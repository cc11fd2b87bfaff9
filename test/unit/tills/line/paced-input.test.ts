import { expect, test } from 'vitest';
import { Turns } from '../../../../main/core/domain/turns.ts';
import { PacedInput } from '../../../../main/tills/line/paced-input.ts';
import { ManualClock } from '../../support/manual-clock.ts';

/** Peers whose messages are single bytes, in a loop whose turns the test begins. */
class Peers {
  readonly clock = new ManualClock();
  readonly taken: string[] = [];
  readonly idle: string[] = [];
  readonly #planned: (() => void)[] = [];
  readonly #turns: Turns;
  split: (piece: Uint8Array) => readonly Uint8Array[] = (piece) =>
    Array.from(piece, (byte) => Uint8Array.of(byte));

  constructor(maxSteps: number) {
    this.#turns = new Turns({
      maxSteps,
      nextTurn: (run) => void this.#planned.push(run),
      nowMs: () => 0,
    });
  }

  peer(name: string, delayMs: (message: Uint8Array) => number = () => 0): PacedInput {
    return new PacedInput({
      turns: this.#turns,
      clock: this.clock,
      pieceBytes: 2,
      split: (piece) => this.split(piece),
      take: ([byte]) => void this.taken.push(`${name}${byte}`),
      delayMs,
      onIdle: () => void this.idle.push(name),
    });
  }

  /** @returns what was taken since the last call, with another turn of the loop */
  turn(): readonly string[] {
    for (const run of this.#planned.splice(0)) run();
    return this.taken.splice(0);
  }
}

test('takes the messages of a quiet peer at once', () => {
  const peers = new Peers(3);
  const till = peers.peer('till ');
  till.push(Uint8Array.of(1, 2));
  expect(peers.taken).toEqual(['till 1', 'till 2']);
  expect([till.isIdle, ...peers.idle]).toEqual([true, 'till ']);
});

test('takes a few messages in a turn, of each peer one in its turn, in order', () => {
  const peers = new Peers(3);
  const flood = peers.peer('f');
  flood.push(Uint8Array.of(1, 2, 3, 4, 5, 6));
  const till = peers.peer('till ');
  till.push(Uint8Array.of(1, 2));
  expect([flood.isIdle, flood.waitingBytes]).toEqual([false, 2]);
  expect(peers.taken.splice(0)).toEqual(['f1', 'f2', 'f3']);
  expect(peers.turn()).toEqual(['f4', 'till 1', 'f5']);
  flood.push(Uint8Array.of(7));
  expect(peers.turn()).toEqual(['till 2', 'f6', 'f7']);
  expect(peers.idle).toEqual(['till ', 'f']);
});

test('keeps messages waiting that are not earned yet, and holds nobody else up', async () => {
  const peers = new Peers(3);
  const flood = peers.peer('f', ([byte]) => (byte === 2 ? 100 : 0));
  flood.push(Uint8Array.of(1, 2, 3));
  expect(peers.taken.splice(0)).toEqual(['f1']);
  peers.turn();
  peers.peer('till ').push(Uint8Array.of(1));
  expect(peers.taken.splice(0)).toEqual(['till 1']);
  await peers.clock.pass(99);
  expect([...peers.turn(), ...peers.turn()]).toEqual([]);
  await peers.clock.pass(1);
  expect(peers.turn()).toEqual(['f2', 'f3']);
});

test('takes what came before the peer hung up, before that is told', () => {
  const peers = new Peers(2);
  const till = peers.peer('till ');
  till.push(Uint8Array.of(1, 2, 3));
  till.finish(() => void peers.taken.push('gone'));
  till.push(Uint8Array.of(4));
  expect(peers.taken.splice(0)).toEqual(['till 1', 'till 2']);
  expect(peers.turn()).toEqual(['till 3', 'till 4', 'gone']);
  till.push(Uint8Array.of(5));
  expect(peers.turn()).toEqual([]);
});

test('drops what a peer has sent too fast when it hangs up, and everything when it is closed', async () => {
  const peers = new Peers(3);
  const fast = peers.peer('f', ([byte]) => (byte === 2 ? 100 : 0));
  fast.push(Uint8Array.of(1, 2));
  fast.finish(() => void peers.taken.push('gone'));
  expect(peers.taken.splice(0)).toEqual(['f1', 'gone']);
  const closed = peers.peer('c');
  closed.push(Uint8Array.of(1, 2, 3, 4, 5));
  closed.close();
  peers.taken.splice(0);
  await peers.clock.pass(1_000);
  expect([...peers.turn(), ...peers.turn()]).toEqual([]);
});

test('reads on at once where a piece completes no message', () => {
  const peers = new Peers(16);
  peers.split = (piece) => (piece.includes(9) ? [Uint8Array.of(9)] : []);
  peers.peer('till ').push(Uint8Array.of(1, 2, 3, 4, 5, 9));
  expect(peers.taken).toEqual(['till 9']);
});
