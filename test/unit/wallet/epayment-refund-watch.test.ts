import { expect, test } from 'vitest';
import { silentLog } from '../../../main/domain/log.ts';
import { epaymentProfile } from '../../../main/wallet/epayment/profile.ts';
import { ChangeGate } from '../../../main/wallet/epayment/point-of-sale/change-gate.ts';
import { refundIdOf } from '../../../main/wallet/epayment/point-of-sale/names.ts';
import { createRefundClient } from '../../../main/wallet/epayment/point-of-sale/refunds.ts';
import { merchantAccess } from '../../../main/wallet/http/access.ts';
import { Transport } from '../../../main/wallet/http/transport.ts';
import { ManualClock } from '../support/manual-clock.ts';

test('a refund whose event does not show is looked for each second while a till waits, and then ever more seldom', async () => {
  const clock = new ManualClock();
  const transport = new Transport({
    baseUrl: 'http://127.0.0.1:1',
    profile: epaymentProfile,
    access: merchantAccess('any'),
    send: async () => ({ status: 200, body: '[]', retryAfterMs: null }),
    clock,
    log: silentLog,
  });
  const watch = createRefundClient({ transport, gate: new ChangeGate(clock), clock }).watchRefund(refundIdOf('1-000001-0badcafe', 'key-1'));
  const looks: number[] = [];
  void (async () => {
    for (;;) {
      expect(await watch.poll(new AbortController().signal)).toEqual({ kind: 'seen', status: 'initiated' });
      looks.push(clock.monotonicMs() / 1000);
    }
  })();
  await clock.pass(24 * 3_600_000);
  expect(looks.slice(0, 31)).toEqual(Array.from({ length: 31 }, (_, second) => second));
  expect(looks.length).toBeLessThan(31 + 10 + 12 * 24);
  expect((looks.at(-1) as number) - (looks.at(-2) as number)).toBe(300);
});
