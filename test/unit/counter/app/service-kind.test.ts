import { expect, test } from 'vitest';
import { silentLog } from '../../../../main/core/domain/log.ts';
import type { Notice } from '../../../../main/core/domain/notices.ts';
import { parseSettings } from '../../../../main/counter/settings/load.ts';
import { serviceKind, warnUnchecked } from '../../../../main/counter/app/service-kind.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const lane = {
  id: '1',
  name: 'Check-out 1',
  currency: 'DKK',
  pointOfSale: {
    merchantPosId: 'one',
    storeId: '51050000-0000-4000-8000-000000000001',
    name: 'Check-out 1',
    beaconTypes: ['QR'],
  },
  till: { protocol: 'zvt', transport: 'tcp', port: 0 },
};
const service = {
  baseUrl: 'https://api.example:8443',
  authUrl: 'https://auth.example',
  clientId: 'me',
  clientSecret: 's',
  merchantVat: 'DK12345678',
};
const settings = (wallet: object) => parseSettings({ wallet, lanes: [lane] }, {});
const off = 'NODE_TLS_REJECT_UNAUTHORIZED=0';

test.each([
  [{ simulator: true }, null, 'simulated'],
  [service, null, 'real'],
  [{ ...service, testService: true }, null, 'test'],
  [{ ...service, testService: true }, off, 'testUnchecked'],
])('with the settings %j and %s switched off the service is %s', (wallet, checksOff, kind) => {
  expect(serviceKind(settings(wallet), checksOff)).toBe(kind);
});

test('the health page shows unchecked certificates for as long as they are unchecked', async () => {
  const clock = new ManualClock();
  const raised: Notice[] = [];
  const settled: string[] = [];
  const notices = {
    raise: (notice: Notice) => void raised.push(notice),
    settle: (code: string, subject: string) => void settled.push(`${code} ${subject}`),
  };
  const stop = warnUnchecked(settings({ ...service, testService: true }), off, {
    notices,
    clock,
    log: silentLog,
  });
  expect(raised).toEqual([{ code: 'testService', subject: 'api.example:8443', detail: off }]);
  // A notice is shown for a day.
  await clock.pass(23 * 3_600_000);
  expect(raised).toHaveLength(2);
  stop();
  await clock.pass(48 * 3_600_000);
  expect(raised).toHaveLength(2);
  expect(settled).toEqual(['testService api.example:8443']);
});
