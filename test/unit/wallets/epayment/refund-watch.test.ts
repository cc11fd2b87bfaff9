import { expect, test } from 'vitest';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { epaymentProfile } from '../../../../main/wallets/epayment/epayment-profile.ts';
import { ChangeGate } from '../../../../main/wallets/epayment/point-of-sale/change-gate.ts';
import { refundIdOf } from '../../../../main/wallets/epayment/point-of-sale/epayment-names.ts';
import { createRefundClient } from '../../../../main/wallets/epayment/point-of-sale/epayment-refunds.ts';
import { merchantAccess } from '../../../../main/wallets/http/access.ts';
import type { HttpSend } from '../../../../main/wallets/http/http.ts';
import { Transport } from '../../../../main/wallets/http/transport.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const minuteMs = 60_000;

/** Polls as a lane does. @returns each look with what it told, by its second */
function looking(log: { answer: Awaited<ReturnType<HttpSend>> | null }) {
  const clock = new ManualClock();
  const transport = new Transport({
    baseUrl: 'http://127.0.0.1:1',
    profile: epaymentProfile,
    access: merchantAccess('any'),
    send: async () => log.answer ?? Promise.reject(new Error('no network')),
    clock,
    log: silentLog,
  });
  const watch = createRefundClient({ transport, gate: new ChangeGate(clock), clock }).watchRefund(
    refundIdOf('1-000001-0badcafe', 'key-1'),
  );
  const looks: { second: number; told: string }[] = [];
  void (async () => {
    for (;;) {
      const answer = await watch.poll(new AbortController().signal);
      looks.push({
        second: clock.monotonicMs() / 1000,
        told: answer.kind === 'seen' ? answer.status : answer.kind,
      });
    }
  })();
  return { clock, looks };
}

const empty = { status: 200, body: '[]', retryAfterMs: null };

test('a refund whose event does not show is looked for each second while a till waits, and then ever more seldom; after ten minutes it is missing', async () => {
  const { clock, looks } = looking({ answer: empty });
  await clock.pass(24 * 60 * minuteMs);
  expect(looks.slice(0, 31).map(({ second }) => second)).toEqual(
    Array.from({ length: 31 }, (_, second) => second),
  );
  expect(looks.length).toBeLessThan(31 + 10 + 12 * 24);
  expect((looks.at(-1)?.second ?? 0) - (looks.at(-2)?.second ?? 0)).toBe(300);
  for (const { second, told } of looks)
    expect([second, told]).toEqual([second, second < 600 ? 'initiated' : 'missing']);
});

test('one whose log is refused is missing as long after; while the service is silent nothing is said of it', async () => {
  const log: Parameters<typeof looking>[0] = {
    answer: { status: 403, body: '{}', retryAfterMs: null },
  };
  const { clock, looks } = looking(log);
  await clock.pass(11 * minuteMs);
  for (const { second, told } of looks)
    expect([second, told]).toEqual([second, second < 600 ? 'unknown' : 'missing']);
  const silent = looking({ answer: null });
  await silent.clock.pass(30 * minuteMs);
  expect(new Set(silent.looks.map(({ told }) => told))).toEqual(new Set(['unknown']));
});
