import { writeFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { resultCodeOf } from '../../main/tills/zvt/packets.ts';
import { RESULT } from '../../main/tills/zvt/result-codes.ts';
import { ContractClient } from '../support/contract-client.ts';
import { Counter, type ServiceEpayment } from '../support/counter.ts';
import { isLong } from '../support/long.ts';
import { SerialCable, until } from '../support/processes.ts';
import { comPort, wine } from '../support/wine.ts';

let counter: Counter;
let scanner: SerialCable | undefined;
afterEach(async () => {
  await counter?.close();
  await scanner?.remove();
});

const paid = { ended: { by: 'completion' }, refused: null };
const last = async (): Promise<ServiceEpayment | undefined> => (await counter.epayments()).at(-1);
const refundsIn = (payment: ServiceEpayment | undefined) =>
  payment?.events.filter(({ name, success }) => name === 'REFUNDED' && success).length ?? 0;
const operations = async (): Promise<string[]> =>
  (await counter.requests()).map(({ path }) => path);

async function pay(amountMinor: number): Promise<void> {
  const screen = new ContractClient(await ContractClient.open(counter.started.screens));
  screen.watch({ screen: 'customer', laneId: null });
  const payment = counter.till.pay(amountMinor, 'DKK');
  const code = () =>
    screen.view?.lane?.state.kind === 'waitingForCustomer'
      ? screen.view.lane.state.ownCode
      : undefined;
  await until(() => code()?.kind === 'picture', 'the code on the screen');
  await counter.customerApproves();
  expect(await payment).toMatchObject(paid);
  await until(() => screen.view?.lane?.state.kind === 'paid', 'the thanks');
  expect(JSON.stringify(screen.view)).not.toContain('data:image/png');
  screen.close();
}

/** Requests the refund of a whole receipt until it is refunded. */
async function askUntilRefunded(receiptNumber: number): Promise<void> {
  await until(async () => {
    const { statusInformations } = await counter.till.reverse(receiptNumber);
    const told = statusInformations.at(-1);
    return told !== undefined && resultCodeOf(told) === RESULT.ok;
  }, 'the refund');
}

/** Waits until the refund is stored, so that nothing is left to refund. */
const refundIsKnown = () =>
  until(
    async () =>
      (await counter.till.reverse(1)).refused !== null ||
      counter.daemon.stderr.includes('"type":"captured"'),
    'the refund in the books',
  );

async function comeBack(): Promise<void> {
  await counter.till.close();
  await counter.startDaemon();
  counter.till = await counter.connectTill();
  await counter.till.register({ currency: 'DKK', config: 0 });
}

test('paid and refunded over the ePayment service, killed while the capture and while the refund is not confirmed: each once', async () => {
  counter = await Counter.open({ service: 'epayment' });
  await counter.till.register({ currency: 'DKK', config: 0 });
  await counter.fault({ operation: 'captureEpayment', kind: 'timeoutAfter', times: 100 });
  await pay(1010);
  await until(async () => (await last())?.captured === 1010, 'the capture');
  await counter.daemon.end('SIGKILL');
  await counter.noFaults();
  await comeBack();

  await counter.fault({ operation: 'refundEpayment', kind: 'timeoutAfter', times: 100 });
  void counter.till.reverse(1);
  await until(async () => (await last())?.refunded === 1010, 'the refund at the service');
  await counter.daemon.end('SIGKILL');
  await counter.noFaults();
  await comeBack();
  await refundIsKnown();
  const payment = await last();
  expect(payment).toMatchObject({ state: 'AUTHORIZED', captured: 1010, refunded: 1010 });
  expect(refundsIn(payment)).toBe(1);
  expect(payment?.events.filter(({ name }) => name === 'CAPTURED')).toHaveLength(1);
  // The point-of-sale interface is at the same address, and received no request.
  expect((await operations()).filter((path) => path.includes('/v10/'))).toEqual([]);
});

test('a customer whose own code was scanned before the amount gets the request on their phone', async () => {
  scanner = await new SerialCable().plugIn();
  const path = wine === null ? scanner.terminalPath : comPort(wine, scanner.terminalPath);
  counter = await Counter.open({
    service: 'epayment',
    flow: 'prepare',
    more: async () => ({ lane: { scanner: { path } } }),
  });
  await counter.till.register({ currency: 'DKK', config: 0 });
  const body = JSON.stringify({
    msn: counter.credentials.epayment.merchantSerialNumber,
    mayPush: true,
  });
  await fetch(`${counter.credentials.baseUrl}/simulator/epayment/set-sales-unit`, {
    method: 'POST',
    body,
  });
  const cashier = new ContractClient(await ContractClient.open(counter.started.screens));
  cashier.watch({ screen: 'cashier', laneId: null });
  await until(
    () => cashier.view?.lane?.named?.isNamed === false,
    'the cashier to be asked for a customer',
  );
  await cashier.value('nameCustomer', {
    laneId: '1',
    by: { scanned: 'https://qr.vipps.no/p/simulated-4520031801' },
  });
  await until(() => cashier.view?.lane?.named?.isNamed === true, 'the customer on the screen');
  await cashier.value('nameCustomer', { laneId: '1', by: null });
  // This customer is not charged. The scanner at the serial port reads the next customer's code.
  writeFileSync(scanner.tillPath, 'https://pay.example/p/another-wallet\r\n');
  await until(
    () => cashier.view?.lane?.named?.refused === 'otherWallet',
    'another wallet to be refused',
  );
  writeFileSync(scanner.tillPath, 'https://qr.vipps.no/p/simulated-4520031801\r\n');
  await until(
    () => cashier.view?.lane?.named?.isNamed === true,
    'the scanned customer on the screen',
  );
  const payment = counter.till.pay(700, 'DKK');
  await counter.customerApproves();
  expect(await payment).toMatchObject(paid);
  await until(async () => (await last())?.captured === 700, 'the capture');
  expect(cashier.view?.lane?.named?.isNamed).toBe(false);
  cashier.close();
});

test.runIf(isLong)(
  'from the point-of-sale interface to the ePayment service while a payment is open: what was begun is settled and refunded where it was begun',
  async () => {
    counter = await Counter.open();
    await counter.till.register({ currency: 'DKK', config: 0 });
    await counter.fault({ operation: 'capturePayment', kind: 'status500', times: 1_000 });
    const payment = counter.till.pay(500, 'DKK');
    await counter.customerPays();
    expect(await payment).toMatchObject(paid);
    await counter.daemon.end('SIGKILL');
    counter.uses = 'changed';
    await comeBack();
    // The new service takes payments while the old one has not confirmed yet.
    await pay(700);
    await until(async () => (await last())?.captured === 700, 'the capture');
    expect(await counter.lastPayment()).toMatchObject({ status: 'Reserved', amount: 5 });
    await counter.noFaults();
    await counter.restartDaemon();
    await counter.till.register({ currency: 'DKK', config: 0 });
    expect(await counter.serviceSays('Captured')).toMatchObject({ captureCount: 1 });

    await askUntilRefunded(1);
    await until(
      async () => (await counter.state()).refunds.at(-1)?.status === 'Captured',
      'the refund at the service before',
    );
    await askUntilRefunded(2);
    expect(await last()).toMatchObject({ captured: 700, refunded: 700 });
    const ofBefore = (await counter.lastPayment())?.paymentId ?? '';
    const ofNow = (await last())?.reference ?? '';
    for (const path of await operations())
      expect(path.includes('/v10/') ? path.includes(ofNow) : path.includes(ofBefore)).toBe(false);
    expect(Object.values((await counter.state()).violations).every((count) => count === 0)).toBe(
      true,
    );
  },
);

describe.runIf(isLong)(
  'killed while nothing is decided for the shop: not paid, and nothing stays reserved',
  () => {
    const isThere = () =>
      until(async () => (await counter.epayments()).length === 1, 'the payment at the service');
    const phases = {
      'whether it was created is not known': async () => {
        await counter.fault({ operation: 'createEpayment', kind: 'timeoutAfter', times: 100 });
        void counter.till.pay(500, 'DKK');
        await isThere();
      },
      'its code is shown': async () => {
        void counter.till.pay(500, 'DKK');
        await isThere();
        await until(
          async () =>
            (await operations()).some((path) => path.startsWith('/epayment/v1/payments/1-')),
          'the first poll',
        );
      },
      'it is approved, and nobody has seen that': async () => {
        await counter.fault({ operation: 'getEpayment', kind: 'timeoutBefore', times: 1_000 });
        void counter.till.pay(500, 'DKK');
        await counter.customerApproves();
      },
      'the till is being told': async () => {
        counter.till.respondTo = (packet) =>
          packet === 'statusInformation' ? null : Uint8Array.of(0x80, 0, 0);
        void counter.till.pay(500, 'DKK');
        await isThere();
        await until(
          () => counter.daemon.log().some(({ type }) => type === 'created'),
          'the answer',
        );
        await until(
          async () =>
            (await operations()).some((path) => path.startsWith('/epayment/v1/payments/1-')),
          'the first poll',
        );
        await counter.customerApproves();
        await until(
          () => counter.daemon.log().some(({ type }) => type === 'captureIntended'),
          'the offer',
        );
      },
    };
    test.each(Object.entries(phases))('%s', async (_phase, begin) => {
      counter = await Counter.open({ service: 'epayment' });
      await counter.till.register({ currency: 'DKK', config: 0 });
      await begin();
      await counter.daemon.end('SIGKILL');
      await counter.noFaults();
      await comeBack();
      await until(async () => {
        const { state, cancelled } = (await last()) ?? {};
        return state === 'TERMINATED' || cancelled === 500;
      }, 'the release');
      expect(await last()).toMatchObject({ captured: 0 });
      expect(await counter.epayments()).toHaveLength(1);
      await pay(700);
      expect(await last()).toMatchObject({ state: 'AUTHORIZED', cancelled: 0 });
    });
  },
);
