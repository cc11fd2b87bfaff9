/** A counter whose receiver goes away and comes back. */
import { expect, test } from 'vitest';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { followScans } from '../../../../main/wallets/callbacks/scan-link.ts';
import type { HttpSend } from '../../../../main/wallets/http/http.ts';
import { ManualClock, settled } from '../../support/manual-clock.ts';

const secondMs = 1_000;

test('a receiver that is back is known at once, and no scan of the meantime is missed', async () => {
  const clock = new ManualClock();
  let isThere = true;
  const asked: string[] = [];
  const failures: (string | null)[] = [];
  const scans: string[] = [];
  /** Delays the answer for as long as the request says, as the receiver does. */
  const send: HttpSend = async ({ url }, signal) => {
    if (!isThere) throw new Error('no route');
    const { search } = new URL(url);
    asked.push(search);
    const isBack = search === '?since=7&wait=0';
    if (search !== '' && !isBack)
      await new Promise((_answer, reject) =>
        signal?.addEventListener('abort', () => reject(new Error('no route'))),
      );
    const scan = { customerToken: 'meanwhile', merchantQrId: 'K1', msn: '123456', atMs: 0 };
    return {
      status: 200,
      retryAfterMs: null,
      body: JSON.stringify({ last: isBack ? 8 : 7, scans: isBack ? [scan] : [] }),
    };
  };
  const end = followScans({
    url: 'https://receiver.example',
    token: 'token',
    send,
    clock,
    log: silentLog,
    scanned: ({ customerToken }) => void scans.push(customerToken),
    failed: (detail) => void failures.push(detail),
  });
  await settled();
  await clock.pass(secondMs);
  expect(asked).toEqual(['', '?since=7']);
  isThere = false;
  await clock.pass(40 * secondMs);
  expect(failures).toEqual([null, 'no route']);
  isThere = true;
  await clock.pass(15 * secondMs);
  expect(failures.at(-1)).toBeNull();
  expect([asked.slice(2), scans]).toEqual([['?since=7&wait=0', '?since=8'], ['meanwhile']]);
  end();
});
