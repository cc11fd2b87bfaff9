import { expect, test } from 'vitest';
import { Turns } from '../../../../main/core/domain/turns.ts';

/** A loop whose turns the test begins. */
class Loop {
  nowMs = 0;
  readonly #planned: (() => void)[] = [];
  readonly done: string[] = [];
  readonly nextTurn = (run: () => void): void => void this.#planned.push(run);

  get isIdle(): boolean {
    return this.#planned.length === 0;
  }

  turns(limits: { maxSteps: number; maxMs?: number }): Turns {
    return new Turns({ ...limits, nextTurn: this.nextTurn, nowMs: () => this.nowMs });
  }

  /** @returns what was done in this turn */
  turn(): readonly string[] {
    for (const run of this.#planned.splice(0)) run();
    return this.done.splice(0);
  }

  /** A peer with so many steps to carry out. */
  peer(name: string, steps: number, turns: Turns): () => void {
    let left = steps;
    const step = (): void => {
      do {
        left -= 1;
        this.done.push(name);
        if (left === 0) return;
      } while (turns.takeStep());
      turns.wait(step);
    };
    return step;
  }
}

test('a peer’s step is carried out at once while a turn has room', () => {
  const loop = new Loop();
  const turns = loop.turns({ maxSteps: 2 });
  expect([turns.takeStep(), turns.takeStep(), turns.takeStep()]).toEqual([true, true, false]);
  loop.turn();
  expect(turns.takeStep()).toBe(true);
  loop.turn();
  expect(loop.isIdle).toBe(true);
});

test('peers that wait are served in turn, one step each, a few in each turn of the loop', () => {
  const loop = new Loop();
  const turns = loop.turns({ maxSteps: 3 });
  for (const [name, steps] of [
    ['flood', 6],
    ['other', 2],
  ] as const)
    turns.wait(loop.peer(name, steps, turns));
  expect(loop.turn()).toEqual(['flood', 'other', 'flood']);
  turns.wait(loop.peer('till', 1, turns));
  expect(turns.takeStep()).toBe(false);
  expect(loop.turn()).toEqual(['other', 'flood', 'till']);
  expect(loop.turn()).toEqual(['flood', 'flood', 'flood']);
  expect(loop.turn()).toEqual([]);
  expect(loop.isIdle).toBe(true);
});

test('a turn in which a step took long begins no other one', () => {
  const loop = new Loop();
  const turns = loop.turns({ maxSteps: 16, maxMs: 4 });
  turns.wait(() => {
    loop.done.push('slow');
    loop.nowMs += 5;
  });
  turns.wait(() => void loop.done.push('next'));
  expect(loop.turn()).toEqual(['slow']);
  expect(turns.takeStep()).toBe(false);
  expect(loop.turn()).toEqual(['next']);
});

test('a step that fails holds nobody up', () => {
  const loop = new Loop();
  const turns = loop.turns({ maxSteps: 16 });
  turns.wait(() => {
    throw new Error('a bug');
  });
  turns.wait(() => void loop.done.push('next'));
  expect(() => loop.turn()).toThrow('a bug');
  expect(loop.turn()).toEqual(['next']);
});

test('who awaits its turn gets one step', async () => {
  const turns = new Turns({ maxSteps: 1 });
  const order: number[] = [];
  await Promise.all([1, 2, 3].map((peer) => turns.next().then(() => order.push(peer))));
  expect(order).toEqual([1, 2, 3]);
});
