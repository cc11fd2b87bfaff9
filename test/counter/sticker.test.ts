/** A sticker with every part as a process of its own: the service, the callback receiver, the daemon and the till. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
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

/** By the command, with the settings of a counter of the sales unit. */
async function register({ baseUrl, epayment }: SimulatorReady, url: string): Promise<void> {
  const wallet = { ...epayment, service: 'epayment', environment: 'test', country: 'DK', baseUrl };
  const pointOfSale = { merchantPosId: 'till-1', name: 'Check-out 1' };
  const lane = { id: 'K1', name: 'Check-out 1', currency: 'DKK', pointOfSale, till: { protocol: 'http' } };
  writeFileSync(join(folder, 'counter.json'), JSON.stringify({ wallet, lanes: [lane] }), { mode: 0o600 });
  const settings = { epayment: [{ url, secret: { file: 'epayment-secret' } }], followers: [{ token, stickers: [merchantQrId] }] };
  writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings), { mode: 0o600 });
  const command = new Product('callbacks', ['register', '--settings', join(folder, 'settings.json'), '--counter', join(folder, 'counter.json')]);
  expect((await command.exited).code, command.stderr).toBe(0);
}

test.runIf(isLong)(
  'a customer scans before the amount, and another after it, behind a receiver that was killed between them: both pay, and nobody twice',
  async () => {
    const port = await freePort();
    counter = await Counter.open({
      service: 'epayment',
      flow: 'prepare',
      async more(credentials) {
        await register(credentials, `http://127.0.0.1:${port}/callbacks/epayment`);
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
