/**
 * A sticker with every part as a process of its own: the service, the callback receiver, the daemon
 * and the till.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { ContractClient } from '../support/contract-client.ts';
import { Counter } from '../support/counter.ts';
import { isLong } from '../support/long.ts';
import { until } from '../support/processes.ts';
import { StickerReceiver } from '../support/sticker-receiver.ts';

const receiver = new StickerReceiver();
const { merchantQrId } = receiver;
let counter: Counter;
afterEach(async () => {
  await counter?.close();
  await receiver.close();
});

const act = (name: string, body: object) =>
  fetch(`${counter.credentials.baseUrl}/simulator/epayment/${name}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });

test.runIf(isLong)(
  'a customer scans before the amount, and another after it, behind a receiver that was killed between them: both pay, and nobody twice; the code ends with the sticker',
  async () => {
    counter = await Counter.open({
      service: 'epayment',
      flow: 'prepare',
      more: async (credentials) => (await receiver.register(credentials)).forCounter,
    });
    await act('set-sales-unit', {
      msn: counter.credentials.epayment.merchantSerialNumber,
      mayPush: true,
    });
    await receiver.start();
    await counter.till.register({ currency: 'DKK', config: 0 });
    const cashier = new ContractClient(await ContractClient.open(counter.started.screens));
    cashier.watch({ screen: 'cashier', laneId: null });
    await until(
      () => counter.daemon.stderr.includes('scans of stickers come from'),
      'the receiver to be followed',
    );

    await act('check-in', { merchantQrId });
    await until(
      () => cashier.view?.lane?.named?.sticker === 'scanned',
      'the customer on the screen',
    );
    const first = counter.till.pay(700, 'DKK');
    await counter.customerApproves();
    expect(await first).toMatchObject({ ended: { by: 'completion' } });

    await receiver.kill();
    await until(
      () => counter.daemon.stderr.includes('scans of stickers do not arrive'),
      'the missing receiver to be noticed',
    );
    const second = counter.till.pay(900, 'DKK');
    await until(
      () => cashier.view?.lane?.state.kind === 'waitingForCustomer',
      'the next customer to be asked for',
    );
    await receiver.start();
    await until(
      () => counter.daemon.stderr.split('scans of stickers come from').length === 3,
      'the receiver to be followed again',
    );
    await act('check-in', { merchantQrId });
    await until(async () => (await counter.epayments()).length === 2, 'the second payment');
    await counter.customerApproves();
    expect(await second).toMatchObject({ ended: { by: 'completion' } });
    await until(
      async () => (await counter.epayments()).every(({ captured }) => captured > 0),
      'the captures',
    );
    expect((await counter.epayments()).map(({ captured }) => captured)).toEqual([700, 900]);
    cashier.close();

    const settingsFile = join(counter.folder, 'settings.json');
    const { receiver: _receiver, ...settings } = JSON.parse(readFileSync(settingsFile, 'utf8'));
    const lanes = settings.lanes.map(({ sticker: _sticker, ...lane }: { sticker: object }) => lane);
    writeFileSync(settingsFile, JSON.stringify({ ...settings, lanes }), { mode: 0o600 });
    await counter.daemon.logs('sticker code of a removed lane was ended at the service');
    expect((await act('check-in', { merchantQrId })).status).toBe(404);
  },
);
