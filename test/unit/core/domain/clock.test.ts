import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LoopClock } from '../../../../main/core/domain/clock.ts';
import { FakeLoop } from '../../support/fake-loop.ts';

const dayMs = 24 * 60 * 60_000;

let loop: FakeLoop;
let clock: LoopClock;
beforeEach(() => {
  loop = new FakeLoop();
  clock = new LoopClock(loop);
  clock.watch();
  loop.pass(1_000);
});

/** A deadline for an answer, as `ZvtExchange` has one: the answer cancels it. */
function awaitAnswer(withinMs: number): {
  readonly expired: ReturnType<typeof vi.fn>;
  readonly answer: () => void;
  readonly answered: ReturnType<typeof vi.fn>;
} {
  const expired = vi.fn();
  const answered = vi.fn();
  const cancel = clock.after(withinMs, expired);
  const answer = (): void => {
    if (expired.mock.calls.length > 0) return;
    cancel();
    answered();
  };
  return { expired, answered, answer };
}

describe('a process that stands still', () => {
  test.each([0.2, 1, 7, 20, 3_600])(
    'of %f s, expires no deadline before it has read what was sent meanwhile',
    (seconds) => {
      const awaited = awaitAnswer(5_000);
      loop.pass(10);
      loop.send(awaited.answer);
      loop.standStill(seconds * 1_000);
      expect(awaited.expired).not.toHaveBeenCalled();
      loop.pass(10_000);
      expect(awaited.answered).toHaveBeenCalledOnce();
      expect(awaited.expired).not.toHaveBeenCalled();
    },
  );

  test.each([1, 50, 149, 260, 7_000])(
    'leaves a deadline that is due within %i ms the time that a serial port takes to be read',
    (dueInMs) => {
      const awaited = awaitAnswer(dueInMs);
      loop.standStill(7_000);
      loop.pass(90);
      awaited.answer();
      loop.pass(10_000);
      expect(awaited.answered).toHaveBeenCalledOnce();
      expect(awaited.expired).not.toHaveBeenCalled();
    },
  );

  test('leaves a deadline as much time as it had, because an answer may be on its way again only then', () => {
    const awaited = awaitAnswer(5_000);
    loop.pass(1_000);
    loop.standStill(60_000);
    loop.pass(3_700);
    expect(awaited.expired).not.toHaveBeenCalled();
    loop.pass(1_000);
    expect(awaited.expired).toHaveBeenCalledOnce();
  });

  test('reads what was sent meanwhile as if it had just been sent', () => {
    const sentAtMs = clock.monotonicMs();
    let readAtMs = 0;
    loop.send(() => (readAtMs = clock.monotonicMs()));
    loop.standStill(60_000);
    loop.pass(0);
    expect(readAtMs - sentAtMs).toBeGreaterThanOrEqual(0);
    expect(readAtMs - sentAtMs).toBeLessThanOrEqual(250);
  });

  test('never makes the monotonic clock go back', () => {
    let lastMs = clock.monotonicMs();
    for (const [standMs, passMs] of [
      [200, 30],
      [7_000, 0],
      [260, 99],
      [20_000, 1_000],
      [149, 1],
    ] as const) {
      loop.standStill(standMs);
      expect(clock.monotonicMs()).toBeGreaterThanOrEqual(lastMs);
      loop.pass(passMs);
      expect(clock.monotonicMs()).toBeGreaterThanOrEqual(lastMs);
      lastMs = clock.monotonicMs();
    }
  });

  test('twice in a row expires no deadline either', () => {
    const awaited = awaitAnswer(5_000);
    loop.standStill(7_000);
    loop.pass(150);
    loop.send(awaited.answer);
    loop.standStill(9_000);
    expect(awaited.expired).not.toHaveBeenCalled();
    loop.pass(10_000);
    expect(awaited.answered).toHaveBeenCalledOnce();
  });

  test('does not stop the elapsed time, by which a token and a session age', () => {
    const elapsed = clock.elapsedMs();
    const signedOut = vi.fn();
    clock.after(60_000, signedOut, 'elapsedMs');
    loop.standStill(120_000);
    expect(clock.elapsedMs() - elapsed).toBe(120_000);
    loop.pass(600);
    expect(signedOut).toHaveBeenCalledOnce();
  });

  test('again and again, in every turn, holds no timer for good', () => {
    const run = vi.fn();
    clock.after(1_000, run);
    for (let turn = 0; turn < 20; turn += 1) {
      loop.standStill(2_000);
      loop.pass(0);
    }
    expect(run).toHaveBeenCalledOnce();
  });

  test('delays timers that are set afterwards by half a second at most', () => {
    loop.standStill(7_000);
    const run = vi.fn();
    clock.after(1, run);
    loop.pass(700);
    expect(run).toHaveBeenCalledOnce();
  });
});

test('a timer that is due together with input runs after it', () => {
  const order: string[] = [];
  clock.after(1_000, () => order.push('timer'));
  loop.pass(999);
  loop.send(() => order.push('input'));
  loop.standStill(1);
  loop.pass(0);
  expect(order).toEqual(['input', 'timer']);
});

test('a cancelled timer does not run, also when it was due before the process read', () => {
  const run = vi.fn();
  const cancel = clock.after(100, run);
  loop.send(cancel);
  loop.standStill(100);
  loop.pass(10_000);
  expect(run).not.toHaveBeenCalled();
});

test('a timer that fires early is not the end of the delay', () => {
  const run = vi.fn();
  loop.earlyMs = 0.6;
  clock.after(1_000, run);
  loop.pass(999.5);
  expect(run).not.toHaveBeenCalled();
  loop.pass(1);
  expect(run).toHaveBeenCalledOnce();
});

test.each([30 * dayMs, Number.MAX_SAFE_INTEGER])(
  'a delay of %i ms is in force for as long, although no timer of Node is',
  (delayMs) => {
    // Without ticks, which would be 26 million.
    const quiet = new FakeLoop();
    const run = vi.fn();
    new LoopClock(quiet).after(delayMs, run);
    quiet.pass(29 * dayMs);
    expect(run).not.toHaveBeenCalled();
    quiet.pass(dayMs);
    expect(run).toHaveBeenCalledTimes(delayMs === 30 * dayMs ? 1 : 0);
  },
);

/**
 * `clock-child.ts` is the receiver: it stands still on command, while an answer lies in its socket.
 */
describe('the system clock', () => {
  const children: (() => void)[] = [];
  afterEach(() => {
    for (const end of children.splice(0)) end();
  });

  test.each(['stopped', 'busy'] as const)(
    'of a process that is %s reads an answer in its socket before it expires the deadline',
    async (how) => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      const child = fork(fileURLToPath(new URL('clock-child.ts', import.meta.url)), [
        how,
        String((server.address() as AddressInfo).port),
      ]);
      children.push(
        () => child.kill('SIGKILL'),
        () => server.close(),
      );
      const messages: unknown[] = [];
      child.on('message', (message) => messages.push(message));
      const [socket] = (await once(server, 'connection')) as [Socket];
      await vi.waitFor(() => expect(messages).toEqual(['waits']), 10_000);
      if (how === 'stopped') child.kill('SIGSTOP');
      else child.send('be busy');
      await new Promise((resolve) => setTimeout(resolve, 50));
      socket.write('answer');
      await new Promise((resolve) => setTimeout(resolve, 1_200));
      if (how === 'stopped') child.kill('SIGCONT');
      await vi.waitFor(() => expect(messages).toEqual(['waits', 'answered']), 10_000);
    },
  );
});
