import { describe, expect, test } from 'vitest';
import { type Log, type LogLine, silentLog } from '../../../../main/core/domain/log.ts';
import { openRefusals } from '../../../../main/wallets/callbacks/refusals.ts';
import { ManualClock, settled } from '../../support/manual-clock.ts';

function open() {
  const clock = new ManualClock();
  const lines: Record<string, unknown>[] = [];
  const warn: LogLine = (fields, message) => void lines.push({ ...fields, message });
  const log: Log = { ...silentLog, warn };
  const refusals = openRefusals({ clock, log });
  const here = new AbortController().signal;
  /**
   * Milliseconds until the sender has an answer; `hung up` when the connection is closed at once.
   */
  async function waitOf(
    address: string,
    path = '/callbacks/agreements',
  ): Promise<number | 'hung up'> {
    const fromMs = clock.monotonicMs();
    let result: 'answer' | 'hangUp' | null = null;
    void refusals.refused({ address, path }, here).then((how) => (result = how));
    await settled();
    while (result === null) await clock.pass(50);
    return result === 'answer' ? clock.monotonicMs() - fromMs : 'hung up';
  }
  return { clock, lines, refusals, here, waitOf };
}

async function times<Result>(
  count: number,
  run: (nth: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let nth = 1; nth <= count; nth += 1) results.push(await run(nth));
  return results;
}

describe('who is refused', () => {
  test('five times hears it at once, then ever later, up to four seconds: the service waits for ten', async () => {
    const { waitOf } = open();
    expect(await times(11, () => waitOf('1.2.3.4'))).toEqual([
      0, 0, 0, 0, 0, 250, 500, 1_000, 2_000, 4_000, 4_000,
    ]);
  });

  test('does not slow another address', async () => {
    const { waitOf } = open();
    await times(8, () => waitOf('1.2.3.4'));
    expect(await waitOf('1.2.3.5')).toBe(0);
  });

  test('is the same one in the whole of an IPv6 network, and however its IPv4 address is written', async () => {
    const { waitOf } = open();
    await times(5, (nth) => waitOf(`2001:db8:0:7::${nth}`));
    expect(await waitOf('2001:db8::7:1:2:3:4')).toBe(250);
    expect(await waitOf('2001:db8:0:8::1')).toBe(0);
    await times(5, () => waitOf('::ffff:10.0.0.1'));
    expect(await waitOf('10.0.0.1')).toBe(250);
  });

  test('is forgotten after ten quiet minutes', async () => {
    const { clock, waitOf } = open();
    await times(5, () => waitOf('1.2.3.4'));
    await clock.pass(10 * 60_000 - 1);
    expect(await waitOf('1.2.3.4')).toBe(250);
    await clock.pass(10 * 60_000);
    expect(await waitOf('1.2.3.4')).toBe(0);
  });

  test('is forgotten when a thousand others came since: the memory is bounded', async () => {
    const { waitOf } = open();
    await times(5, () => waitOf('1.2.3.4'));
    await times(5, () => waitOf('1.2.3.5'));
    await times(998, (nth) => waitOf(`10.0.${nth >> 8}.${nth & 255}`));
    expect(await waitOf('1.2.3.4')).toBe(250);
    await waitOf('10.9.9.9');
    expect(await waitOf('1.2.3.5')).toBe(0);
  });

  test('as one of more than a hundred that wait is hung up on, until one has heard or gone', async () => {
    const { refusals, waitOf } = open();
    await times(5, () => waitOf('1.2.3.4'));
    const leaving = new AbortController();
    const waiting = Array.from({ length: 100 }, () =>
      refusals.refused({ address: '1.2.3.4', path: '/' }, leaving.signal),
    );
    expect(await waitOf('1.2.3.4')).toBe('hung up');
    leaving.abort();
    await Promise.all(waiting);
    expect(await waitOf('1.2.3.4')).toBe(4_000);
  });

  test('hears it at once when the receiver ends', async () => {
    const { refusals, waitOf, here } = open();
    await times(5, () => waitOf('1.2.3.4'));
    const waiting = refusals.refused({ address: '1.2.3.4', path: '/' }, here);
    refusals.close();
    expect(await waiting).toBe('answer');
  });
});

describe('the log', () => {
  const message = 'a request without the right credentials was refused';
  const more = 'more requests without the right credentials were refused';

  test('tells the first refusal of an address at once, and the others once a minute with their number', async () => {
    const { clock, lines, waitOf } = open();
    await times(4, () => waitOf('1.2.3.4', '/oauth2/token'));
    expect(lines).toEqual([{ address: '1.2.3.4', path: '/oauth2/token', message }]);
    await clock.pass(60_000);
    expect(lines.slice(1)).toEqual([{ address: '1.2.3.4', refused: 3, message: more }]);
    await clock.pass(10 * 60_000);
    expect(lines).toHaveLength(2);
    await waitOf('1.2.3.4');
    expect(lines.slice(2)).toEqual([
      { address: '1.2.3.4', path: '/callbacks/agreements', message },
    ]);
  });

  test('has everybody when the receiver ends', async () => {
    const { lines, refusals, waitOf } = open();
    await times(3, () => waitOf('1.2.3.4'));
    refusals.close();
    expect(lines.slice(1)).toEqual([{ address: '1.2.3.4', refused: 2, message: more }]);
  });

  test('of very many addresses has at most twenty-one lines a minute, and none is left uncounted', async () => {
    const { clock, lines, waitOf } = open();
    await times(2_000, (nth) => waitOf(`10.0.${nth >> 8}.${nth & 255}`));
    expect(lines).toHaveLength(10);
    await clock.pass(60_000);
    expect(lines).toHaveLength(21);
    expect(lines.at(-1)).toEqual({ address: 'others', refused: 1_980, message: more });
    expect(lines.reduce((sum, { refused = 1 }) => sum + (refused as number), 0)).toBe(2_000);
    await clock.pass(60_000);
    expect(lines).toHaveLength(21);
  });
});
