import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { openTestCounter } from '../../../../main/counter/app/test-counter.ts';
import { systemIds } from '../../../../main/core/domain/ids.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { defaultApi, LaneSettings } from '../../../../main/counter/settings/schema.ts';
import type { TestCounter } from '../../../../main/counter/setup/setup-host.ts';
import { Tokens } from '../../../../main/tills/http/tokens.ts';
import { curlLine } from '../../../../renderer/setup/curl.ts';
import { freePort } from '../../../support/free-port.ts';
import { isLong } from '../../../support/long.ts';
import { selfSigned } from '../../../support/self-signed.ts';
import { until } from '../../../support/processes.ts';
import { SteadyClock } from '../../support/steady-clock.ts';
import { key, message, payment, poiId, protect, reveal } from '../../tills/nexo/support.ts';

let counter: TestCounter | undefined;
let till: Socket | undefined;
afterEach(async () => {
  till?.destroy();
  await counter?.close();
});

/**
 * Ten times as fast, because the waits of the lane, the till and the simulated customer prove
 * nothing.
 */
const system = { clock: new SteadyClock(10), ids: systemIds, log: silentLog };
const secrets = { environment: {}, safe: null, folder: '' };
const none = { find: () => null, holds: () => false };
const pointOfSale = {
  merchantPosId: 'shop-1',
  storeId: '5a1e0000-0000-4000-8000-000000000010',
  name: 'Kasse 1',
  beaconTypes: ['QR'],
};

test('the customer of a test payment is played for a till of Concert too', async () => {
  const port = await freePort();
  const lane = LaneSettings.parse({
    id: '1',
    name: 'Kasse 1',
    currency: 'DKK',
    pointOfSale,
    till: { protocol: 'concert', transport: 'tcp', port },
  });
  const opened = await openTestCounter(
    { lane, api: null, tokens: none, secrets, changed() {} },
    system,
  );
  counter = opened;
  const isAt = (step: string) =>
    until(() => opened.progress()?.step === step, `${step}, not ${opened.progress()?.step}`, 5_000);
  let receivedHex = '';
  till = connect(port, '127.0.0.1', () =>
    till?.write('CZ0040300CJ012330538600012CA00201CB003100CD0010CE003208'),
  );
  till.on('data', (bytes) => {
    receivedHex += bytes.toString('latin1');
  });
  await isAt('waitingForCustomer');
  await opened.scan();
  await isAt('approveInApp');
  await opened.approve();
  await isAt('paid');
  await until(() => receivedHex.includes('AE00210'), 'the answer');
  await until(() => opened.isCaptured(), 'the capture');
});

test.each(isLong ? ['http', 'https'] : ['https'])(
  'a till that is a program pays with the line that setup shows, and with its token alone: over %s',
  async (scheme) => {
    const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-curl-'));
    try {
      const certificate = join(folder, 'api cert.pem');
      writeFileSync(certificate, selfSigned.cert);
      writeFileSync(join(folder, 'api.key'), selfSigned.key);
      const tls =
        scheme === 'http'
          ? {}
          : { host: '0.0.0.0', tls: { certificate, key: { file: join(folder, 'api.key') } } };
      const { token, prepared } = new Tokens({
        ...system,
        path: join(folder, 'tokens.json'),
      }).prepare({ name: 'Kiosk', scopes: ['pay'] });
      const lane = LaneSettings.parse({
        id: '7',
        name: 'Kasse 7',
        currency: 'DKK',
        pointOfSale,
        till: { protocol: 'http' },
      });
      const api = { settings: { ...defaultApi, ...tls, port: 0 }, token: prepared };
      // Tokens in use by this lane and by another one.
      const [own, others] = ['own', 'oth'].map((name) => `tbt_${name}${'x'.repeat(40)}`) as [
        string,
        string,
      ];
      const laneIds = new Map([
        [own, '7'],
        [others, '1'],
      ]);
      const find = (used: string) => {
        const laneId = laneIds.get(used);
        return laneId === undefined
          ? null
          : {
              tokenId: randomUUID(),
              name: 'Kiosk',
              laneId,
              scopes: ['read' as const],
              madeAtMs: 0,
            };
      };
      const opened = await openTestCounter(
        { lane, api, tokens: { find, holds: () => true }, secrets, changed() {} },
        system,
      );
      counter = opened;
      if (opened.api === null) throw new Error('nowhere to ask');
      expect(opened.api.url).toMatch(new RegExp(`^${scheme}://127.0.0.1:`));
      const asks = async (as: string) => {
        const key = '0b7f0e33-6166-442f-8cc9-e4c20ae427ba';
        const line = curlLine({
          api: opened.api as NonNullable<typeof opened.api>,
          token: as,
          key,
          amountMinor: 100,
          currency: 'DKK',
        });
        return JSON.parse((await promisify(execFile)('sh', ['-c', line])).stdout) as Record<
          string,
          unknown
        >;
      };
      expect(await asks('')).toMatchObject({ status: 401 });
      expect(await asks(others)).toMatchObject({ status: 401 });
      expect(await asks(own)).toMatchObject({ status: 403 });
      expect(await asks(token)).toMatchObject({
        status: 'pending',
        amountMinor: 100,
        currency: 'DKK',
      });
      await until(() => opened.progress()?.step === 'waitingForCustomer', 'the customer');
      await opened.scan();
      await until(() => opened.progress()?.step === 'approveInApp', 'the app');
      await opened.approve();
      await until(() => opened.isCaptured(), 'the capture');
      expect(await asks(token)).toMatchObject({ status: 'paid' });
    } finally {
      await counter?.close();
      counter = undefined;
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

test.runIf(isLong)(
  'a till of Nexo pays with the shared key, whose passphrase is looked up as in the settings',
  async () => {
    const till = {
      protocol: 'http',
      nexo: { poiId, key: { ...key, passphrase: { env: 'NEXO' } } },
    };
    const lane = LaneSettings.parse({
      id: '7',
      name: 'Kasse 7',
      currency: 'DKK',
      pointOfSale,
      till,
    });
    const api = { settings: { ...defaultApi, port: 0 }, token: null };
    const opened = await openTestCounter(
      {
        lane,
        api,
        tokens: none,
        secrets: { ...secrets, environment: { NEXO: key.passphrase } },
        changed() {},
      },
      system,
    );
    counter = opened;
    const body = JSON.stringify(protect(message('Payment', payment(Date.now(), 1))));
    const answer = fetch(`${opened.api?.url}/nexo`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    await until(() => opened.progress()?.step === 'waitingForCustomer', 'the customer');
    await opened.scan();
    await until(() => opened.progress()?.step === 'approveInApp', 'the app');
    await opened.approve();
    const { SaleToPOIResponse } = (await (await answer).json()) as {
      SaleToPOIResponse: Parameters<typeof reveal>[0];
    };
    expect(reveal(SaleToPOIResponse)).toMatchObject({
      SaleToPOIResponse: { PaymentResponse: { Response: { Result: 'Success' } } },
    });
  },
);

test('of the ePayment service, a test payment is approved by its own code', async () => {
  const pointOfSale = { merchantPosId: 'till-1', name: 'Kasse 1' };
  const lane = LaneSettings.parse({
    id: '1',
    name: 'Kasse 1',
    currency: 'DKK',
    pointOfSale,
    till: { protocol: 'zvt', transport: 'tcp', port: 0 },
  });
  const opened = await openTestCounter(
    { lane, api: null, tokens: none, secrets, changed() {} },
    system,
  );
  counter = opened;
  await opened.pay(1_250);
  await until(
    async () =>
      await opened.scan().then(
        () => true,
        () => false,
      ),
    'the code',
    5_000,
  );
  await opened.approve();
  await until(() => opened.progress()?.step === 'paid', 'paid', 5_000);
  await until(() => opened.isCaptured(), 'the capture');
});
