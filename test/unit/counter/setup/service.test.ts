import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Clock } from '../../../../main/core/domain/clock.ts';
import { systemIds } from '../../../../main/core/domain/ids.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { type ServiceAddress, ServiceInSetup } from '../../../../main/counter/setup/service.ts';
import { Simulator } from '../../../../main/sandbox/simulator/simulator.ts';
import { fetchHttp } from '../../../../main/wallets/http/http.ts';
import { profileNamed } from '../../../../main/wallets/v10/v10-profile.ts';
import { selfSigned } from '../../../support/self-signed.ts';
import { impatient, steadyClock } from '../../support/steady-clock.ts';

/** The clock for a client whose time limits are twenty times shorter. */
const hasty = impatient(steadyClock, 20);

let simulator: Simulator;
let address: ServiceAddress;
const closing: (() => void)[] = [];
beforeEach(async () => {
  simulator = new Simulator({
    profile: profileNamed('generic'),
    clock: steadyClock,
    ids: systemIds,
  });
  await simulator.start({ port: 0 });
  const { baseUrl, authUrl, credentials } = simulator;
  address = { baseUrl, authUrl, ...credentials, tokenFor: 'merchant', profile: 'generic' };
});
afterEach(async () => {
  for (const close of closing.splice(0)) close();
  await simulator.stop();
});
const service = (
  change: Partial<ServiceAddress> = {},
  clock: Clock = steadyClock,
): ServiceInSetup =>
  new ServiceInSetup(
    { ...address, ...change },
    { send: fetchHttp, clock, log: silentLog, clientVersion: '1.2.3' },
  );
const reason = (change: Partial<ServiceAddress>, clock?: Clock): Promise<unknown> =>
  service(change, clock)
    .test()
    .catch(({ code, field, facts }: { code: string; field: string | null; facts: object }) => ({
      code,
      field,
      facts,
    }));
const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;
const serving = async (
  listener: RequestListener,
  create: (listener: RequestListener) => Server = createServer,
): Promise<number> => {
  const server = create(listener);
  closing.push(() => server.close().closeAllConnections());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return portOf(server);
};

describe('credentials', () => {
  test('that are right are told so, with how long a token lasts and how many stores the merchant has', async () => {
    expect(await service().test()).toMatchObject({
      expiresInSeconds: 3700,
      stores: 2,
      clockOffSeconds: expect.any(Number),
    });
    expect(await service({ merchantVat: null }).test()).toMatchObject({
      expiresInSeconds: 3700,
      stores: null,
    });
    expect(await service({ tokenFor: 'integrator' }).test()).toMatchObject({ stores: 2 });
  });

  test('that are wrong are the client’s', async () => {
    expect(await reason({ clientSecret: 'wrong' })).toMatchObject({
      code: 'clientRefused',
      field: 'clientSecret',
      facts: { status: 401 },
    });
    expect(await reason({ clientId: 'nobody' })).toMatchObject({ code: 'clientRefused' });
  });

  test('that are right, for another merchant, are told apart from those that are wrong', async () => {
    expect(await reason({ merchantVat: 'DK11111111' })).toMatchObject({
      code: 'merchantRefused',
      field: 'merchantVat',
    });
  });

  test('at an address where somebody else answers', async () => {
    const port = await serving((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Router</h1>'),
    );
    const missing = await serving((_request, response) => response.writeHead(404).end());
    expect(await reason({ authUrl: `http://127.0.0.1:${port}` })).toMatchObject({
      code: 'wrongAddress',
      field: 'authUrl',
      facts: { status: 200 },
    });
    expect(await reason({ authUrl: `http://127.0.0.1:${missing}` })).toMatchObject({
      code: 'wrongAddress',
      field: 'authUrl',
      facts: { status: 404 },
    });
    expect(await reason({ baseUrl: `http://127.0.0.1:${missing}` })).toMatchObject({
      code: 'wrongAddress',
      field: 'baseUrl',
      facts: { status: 404 },
    });
  });

  test('whose service is of another environment than the token service', async () => {
    const port = await serving((_request, response) => response.writeHead(401).end());
    expect(await reason({ baseUrl: `http://127.0.0.1:${port}` })).toMatchObject({
      code: 'wrongAddress',
      field: 'baseUrl',
      facts: { status: 401 },
    });
  });

  test('at a name that does not exist, and at a port where nobody listens', async () => {
    const server = createTcpServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const free = portOf(server);
    await new Promise((resolve) => server.close(resolve));
    expect(await reason({ authUrl: 'http://no-such-name.invalid' })).toMatchObject({
      code: 'hostNotFound',
      facts: { host: 'no-such-name.invalid' },
    });
    expect(await reason({ authUrl: `http://127.0.0.1:${free}` })).toMatchObject({
      code: 'connectionRefused',
      field: 'authUrl',
    });
  });

  test('at a service that is silent, or fails', async () => {
    const silent = await serving(() => {});
    const failing = await serving((_request, response) => response.writeHead(503).end());
    expect(await reason({ authUrl: `http://127.0.0.1:${silent}` }, hasty)).toMatchObject({
      code: 'noAnswer',
    });
    expect(await reason({ authUrl: `http://127.0.0.1:${failing}` })).toMatchObject({
      code: 'serviceFailing',
      facts: { status: 503 },
    });
  });

  test('when this machine’s clock is off: that is the reason, whatever the service says', async () => {
    const hourAhead: Clock = { ...impatient(steadyClock, 1), wallMs: () => Date.now() + 3_600_000 };
    expect(await reason({ clientSecret: 'wrong' }, hourAhead)).toMatchObject({
      code: 'clockWrong',
      facts: { seconds: expect.closeTo(3600, -1) },
    });
    expect(await service({}, hourAhead).test()).toMatchObject({
      clockOffSeconds: expect.closeTo(3600, -1),
    });
  });

  test('over TLS: nobody vouches for the certificate, or there is no TLS', async () => {
    const port = await serving(
      (_request, response) => response.end(),
      (listener) => createTlsServer(selfSigned, listener),
    );
    expect(await reason({ authUrl: `https://127.0.0.1:${port}` })).toMatchObject({
      code: 'certificateWrong',
      facts: { detail: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    });
    expect(await reason({ authUrl: address.authUrl.replace('http:', 'https:') })).toMatchObject({
      code: 'notTls',
    });
  });

  test('of a version that the provider has blocked', async () => {
    const port = await serving((_request, response) =>
      response.writeHead(400).end(JSON.stringify({ code: '1161', message: 'blocked' })),
    );
    expect(await reason({ baseUrl: `http://127.0.0.1:${port}` })).toMatchObject({
      code: 'versionRefused',
      facts: { code: '1161' },
    });
  });
});

describe('what there is at the service', () => {
  const at = { merchantBrandId: 'MPPOSCERT1', merchantLocationId: '00001' };

  test('stores, by merchant or by brand and location, with what people know them by', async () => {
    const stores = await service().stores(null);
    expect(stores).toHaveLength(2);
    expect(stores[0]).toMatchObject({
      name: expect.any(String),
      street: expect.any(String),
      city: expect.any(String),
    });
    const { merchantBrandId, merchantLocationId } = stores[0] ?? at;
    expect(
      await service().stores({
        merchantBrandId: merchantBrandId ?? '',
        merchantLocationId: merchantLocationId ?? '',
      }),
    ).toContainEqual(stores[0]);
  });

  test('points of sale, by own number, by beacon and by store', async () => {
    const storeId = simulator.storeIds[0] as string;
    const beaconId = '123456789012345';
    await service().create(
      {
        merchantPosId: 'lane-1',
        storeId,
        name: 'Kasse 1',
        beaconTypes: ['QR'],
        beaconId,
        requirePaymentBeforeCheckin: true,
      },
      'key-1',
    );
    const [found] = await service().pointsOfSale({ merchantPosId: 'lane-1' });
    expect(found).toMatchObject({ name: 'Kasse 1', beaconId, requirePaymentBeforeCheckin: true });
    expect(await service().pointsOfSale({ beaconId })).toEqual([found]);
    expect(await service().pointsOfSale({ storeId })).toEqual([found]);
    expect(await service().pointsOfSale({ merchantPosId: 'lane-2' })).toEqual([]);
    await expect(
      service().create(
        { merchantPosId: 'lane-2', storeId, name: 'Kasse 2', beaconTypes: ['QR'], beaconId },
        'key-2',
      ),
    ).rejects.toMatchObject({
      code: 'beaconTaken',
      field: 'beaconId',
    });
  });
});
