import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemIds } from '../../../../main/core/domain/ids.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { Simulator } from '../../../../main/sandbox/simulator/simulator.ts';
import {
  type SalesUnitAddress,
  SalesUnitInSetup,
} from '../../../../main/counter/setup/sales-unit.ts';
import { fetchHttp, type HttpSend } from '../../../../main/wallets/http/http.ts';
import { profileNamed } from '../../../../main/wallets/v10/v10-profile.ts';
import { steadyClock } from '../../support/steady-clock.ts';

let simulator: Simulator;
beforeEach(async () => {
  simulator = new Simulator({
    profile: profileNamed('generic'),
    clock: steadyClock,
    ids: systemIds,
  });
  await simulator.start({ port: 0 });
});
afterEach(() => simulator.stop());

function tested(
  change: Partial<SalesUnitAddress['keys']> = {},
  about: Partial<SalesUnitAddress> = {},
  send: HttpSend = fetchHttp,
): Promise<unknown> {
  const address = {
    baseUrl: simulator.baseUrl,
    keys: { ...simulator.salesUnit, ...change },
    isProduction: true,
    ...about,
  };
  const network = { send, clock: steadyClock, log: silentLog, clientVersion: '1.2.3' };
  return new SalesUnitInSetup(address, network)
    .test()
    .catch(({ code, field, facts }: { code: string; field: string | null; facts: object }) => ({
      code,
      field,
      facts,
    }));
}
const change = (about: object) =>
  fetch(`${simulator.baseUrl}/simulator/epayment/set-sales-unit`, {
    method: 'POST',
    body: JSON.stringify(about),
  });

test('keys that are right: the sales unit is read back, in production alone', async () => {
  expect(await tested()).toMatchObject({
    name: 'The Corner Shop',
    country: 'DK',
    clockOffSeconds: expect.any(Number),
  });
  expect(await tested({}, { isProduction: false })).toMatchObject({ name: null, country: null });
});

test.each([
  [{ clientSecret: 'wrong' }],
  [{ clientId: 'nobody' }],
  [{ subscriptionKeys: ['of-the-other-environment'] as const }],
])('a key that is wrong, or of the other environment: %j', async (keys) => {
  expect(await tested(keys)).toMatchObject({
    code: 'keysRefused',
    field: 'clientSecret',
    facts: { host: new URL(simulator.baseUrl).host, status: 401 },
  });
});

test('keys of another sales unit, and a sales unit that is not approved, are told apart from keys that are wrong', async () => {
  const refused = {
    code: 'salesUnitRefused',
    field: 'merchantSerialNumber',
    facts: { status: 403 },
  };
  expect(await tested({ msn: '654321' })).toMatchObject(refused);
  await change({ msn: '123456', isActive: false });
  expect(await tested()).toMatchObject(refused);
});

test.each([
  ['"paymentAllowed":true', '"paymentAllowed":false'],
  ['"captureType":"ReserveCapture"', '"captureType":"DirectCapture"'],
])('a sales unit that cannot be paid as a till needs it: %s is %s', async (usual, otherwise) => {
  const send: HttpSend = async (request, signal) => {
    const answer = await fetchHttp(request, signal);
    return { ...answer, body: answer.body.replace(usual, otherwise) };
  };
  expect(await tested({}, {}, send)).toMatchObject({
    code: 'salesUnitClosed',
    field: 'merchantSerialNumber',
  });
});

test('an address where nobody answers', async () => {
  await simulator.stop();
  expect(await tested()).toMatchObject({ code: 'connectionRefused' });
});
