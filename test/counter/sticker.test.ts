/** A sticker with every part as a process of its own: the service, the callback receiver, the daemon and the till. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { systemClock } from '../../main/domain/clock.ts';
import { silentLog } from '../../main/domain/log.ts';
import { salesUnitAccess } from '../../main/wallet/epayment/access.ts';
import { epaymentProfile } from '../../main/wallet/epayment/profile.ts';
import { registerWebhook } from '../../main/wallet/epayment/webhooks/operations.ts';
import { fetchHttp } from '../../main/wallet/http/http.ts';
import { Transport } from '../../main/wallet/http/transport.ts';
import { ContractClient } from '../support/contract-client.ts';
import { Counter } from '../support/counter.ts';
import { isLong } from '../support/long.ts';
import { Product, type SimulatorReady, until } from '../support/processes.ts';

const merchantQrId = 'shop-1-lane-1';
const token = 'the-token-of-this-counter-0123456789';
let counter: Counter;
let receiver: Product;
const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-receiver-'));
afterEach(async () => {
  await counter?.close();
  await receiver?.end();
  rmSync(folder, { recursive: true, force: true });
});

const act = (name: string, body: object) => fetch(`${counter.credentials.baseUrl}/simulator/epayment/${name}`, { method: 'POST', body: JSON.stringify(body) });
const startReceiver = async (port: number): Promise<void> => {
  receiver = new Product('callbacks', ['--settings', join(folder, 'settings.json'), '--data', folder, '--port', String(port)]);
  await receiver.ready();
};

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

/** Registered as an installer does, with the keys of the sales unit. */
async function registered({ baseUrl, epayment }: SimulatorReady, url: string): Promise<string> {
  const { clientId, clientSecret, subscriptionKey, merchantSerialNumber: msn } = epayment;
  const system = { name: 'test', version: '1', pluginName: 'test', pluginVersion: '1' };
  const parts = { baseUrl, send: fetchHttp, clock: systemClock, log: silentLog };
  const access = salesUnitAccess({ ...parts, keys: { clientId, clientSecret, subscriptionKeys: [subscriptionKey], msn }, system });
  const transport = new Transport({ ...parts, profile: epaymentProfile, access });
  return (await transport.call(registerWebhook, { body: { url, events: ['user.checked-in.v1'] } })).secret;
}

test.runIf(isLong)(
  'a customer scans before the amount, and another after it, behind a receiver that was killed between them: both pay, and nobody twice',
  async () => {
    const port = await freePort();
    counter = await Counter.open({
      service: 'epayment',
      flow: 'prepare',
      async more(credentials) {
        const url = `http://127.0.0.1:${port}/callbacks/epayment`;
        const secret = await registered(credentials, url);
        writeFileSync(join(folder, 'settings.json'), JSON.stringify({ epayment: [{ url, secret }], followers: [{ token, stickers: [merchantQrId] }] }), {
          mode: 0o600,
        });
        return { settings: { receiver: { url: `http://127.0.0.1:${port}`, token } }, lane: { sticker: { id: merchantQrId } } };
      },
    });
    await act('set-sales-unit', { msn: counter.credentials.epayment.merchantSerialNumber, mayPush: true });
    await startReceiver(port);
    await counter.till.register({ currency: 'DKK', config: 0 });
    const cashier = new ContractClient(await ContractClient.open(counter.started.screens));
    cashier.watch({ screen: 'cashier', laneId: null });
    await until(() => counter.daemon.stderr.includes('scans of stickers come from'), 'the receiver to be followed');

    await act('check-in', { merchantQrId });
    await until(() => cashier.view?.lane?.named?.sticker === 'scanned', 'the customer on the screen');
    const first = counter.till.pay(700, 'DKK');
    await counter.customerApproves();
    expect(await first).toMatchObject({ ended: { by: 'completion' } });

    await receiver.end('SIGKILL');
    await until(() => counter.daemon.stderr.includes('scans of stickers do not arrive'), 'the missing receiver to be noticed');
    const second = counter.till.pay(900, 'DKK');
    await until(() => cashier.view?.lane?.state.kind === 'waitingForCustomer', 'the next customer to be asked for');
    await startReceiver(port);
    await until(() => counter.daemon.stderr.split('scans of stickers come from').length === 3, 'the receiver to be followed again');
    await act('check-in', { merchantQrId });
    await until(async () => (await counter.epayments()).length === 2, 'the second payment');
    await counter.customerApproves();
    expect(await second).toMatchObject({ ended: { by: 'completion' } });
    await until(async () => (await counter.epayments()).every(({ captured }) => captured > 0), 'the captures');
    expect((await counter.epayments()).map(({ captured }) => captured)).toEqual([700, 900]);
    cashier.close();
  },
);
