import { afterEach, describe, expect, test } from 'vitest';
import { resultCodeOf } from '../../main/tills/zvt/packets.ts';
import { Counter } from '../support/counter.ts';
import { until } from '../support/processes.ts';
import { someOf } from '../support/long.ts';
import { wine } from '../support/wine.ts';

let counter: Counter;
afterEach(() => counter?.close());

const ok = Uint8Array.of(0x80, 0x00, 0x00);

/**
 * Takes the next sale from the till's key to captured, which an earlier payment must not prevent.
 */
async function nextSaleIsPaid(): Promise<void> {
  const before = (await counter.state()).payments.length;
  const payment = counter.till.pay(777, 'DKK');
  await until(async () => (await counter.state()).payments.length > before, 'the next payment');
  await counter.customerPays();
  expect(await payment).toMatchObject({ ended: { by: 'completion' } });
  expect(await counter.serviceSays('Captured')).toMatchObject({ captureCount: 1, amount: 7.77 });
}

describe.each(someOf(['initiate', 'prepare'] as const, 1))(
  'the process is killed, in the %s flow',
  (flow) => {
    test('while the customer is waited for: after the restart the payment is cancelled, the till can ask, the next one works', async () => {
      counter = await Counter.open({ transport: 'serial', flow, pollDelayMs: 1_000 });
      void counter.till.pay(500, 'DKK');
      await counter.serviceSays(flow === 'initiate' ? 'Initiated' : 'Prepared');
      await counter.restartDaemon();
      expect(await counter.lastPayment()).toMatchObject({
        status: 'CancelledByClient',
        captureCount: 0,
      });
      const repeated = await counter.till.repeatReceipt();
      expect(resultCodeOf(repeated.statusInformations[0] as never)).toBe(0x6c);
      expect((await counter.state()).violations).toMatchObject({ earlyPolls: 0 });
      await nextSaleIsPaid();
    });

    test('and the customer approves meanwhile: nobody was told "paid", so the reservation is cancelled', async () => {
      counter = await Counter.open({ transport: 'tcp', flow });
      void counter.till.pay(500, 'DKK');
      await counter.serviceSays(flow === 'initiate' ? 'Initiated' : 'Prepared');
      await counter.customer('checkin');
      await counter.serviceSays('IssuedToUser');
      await counter.daemon.end('SIGKILL');
      await counter.customer('acceptpayment');
      expect((await counter.lastPayment())?.status).toBe('Reserved');
      await counter.startDaemon();
      expect(await counter.lastPayment()).toMatchObject({
        status: 'CancelledByClient',
        captureCount: 0,
      });
      counter.till = await counter.connectTill();
      await nextSaleIsPaid();
    });
  },
);

describe('the process is killed', () => {
  test('after the till took "paid" and before the capture was confirmed: it is captured, once', async () => {
    counter = await Counter.open({ transport: 'serial' });
    await counter.fault({ operation: 'capturePayment', kind: 'timeoutBefore', times: 100 });
    const payment = counter.till.pay(500, 'DKK');
    await counter.customerPays();
    expect(await payment).toMatchObject({ ended: { by: 'completion' } });
    await counter.daemon.end('SIGKILL');
    expect((await counter.lastPayment())?.status).toBe('Reserved');
    await counter.noFaults();
    await counter.till.close();
    await counter.startDaemon();
    expect(await counter.lastPayment()).toMatchObject({ status: 'Captured', captureCount: 1 });
    counter.till = await counter.connectTill();
    expect(resultCodeOf((await counter.till.repeatReceipt()).statusInformations[0] as never)).toBe(
      0x00,
    );
    await nextSaleIsPaid();
  });

  test('after the capture was done and its answer lost: still captured once', async () => {
    counter = await Counter.open({ transport: 'tcp' });
    await counter.fault({ operation: 'capturePayment', kind: 'timeoutAfter', times: 100 });
    const payment = counter.till.pay(500, 'DKK');
    await counter.customerPays();
    await payment;
    await counter.serviceSays('Captured');
    await counter.noFaults();
    await counter.restartDaemon();
    expect(await counter.lastPayment()).toMatchObject({ status: 'Captured', captureCount: 1 });
  });

  test('while the till was being told "paid" and had not acknowledged: it is cancelled, and the till hears so', async () => {
    counter = await Counter.open({ transport: 'tcp' });
    counter.till.respondTo = (packet) => (packet === 'statusInformation' ? null : ok);
    void counter.till.pay(500, 'DKK');
    await counter.customerPays();
    await until(
      () => counter.daemon.stderr.includes('captureIntended'),
      'the result to be on its way',
    );
    await counter.restartDaemon();
    expect(await counter.lastPayment()).toMatchObject({
      status: 'CancelledByClient',
      captureCount: 0,
    });
    expect(resultCodeOf((await counter.till.repeatReceipt()).statusInformations[0] as never)).toBe(
      0x6c,
    );
  });

  test('while the create request is unanswered: what it created is found and cancelled', async () => {
    counter = await Counter.open({ transport: 'tcp' });
    await counter.fault({ operation: 'initiatePayment', kind: 'timeoutAfter', times: 100 });
    void counter.till.pay(500, 'DKK');
    await counter.serviceSays('Initiated');
    await counter.noFaults();
    await counter.restartDaemon();
    expect(await counter.lastPayment()).toMatchObject({ status: 'CancelledByClient' });
    await nextSaleIsPaid();
  });

  test('before a prepared payment has reached the service: it is made certain by its key and cancelled, and the journal has nothing open', async () => {
    counter = await Counter.open({ transport: 'tcp', flow: 'prepare' });
    await counter.fault({ operation: 'preparePayment', kind: 'timeoutBefore', times: 100 });
    void counter.till.pay(500, 'DKK');
    await until(
      () => counter.daemon.log().some(({ msg }) => msg === 'sale'),
      'the sale to be on disk',
    );
    await counter.daemon.end('SIGKILL');
    expect((await counter.state()).payments).toEqual([]);
    await counter.noFaults();
    await counter.till.close();
    await counter.startDaemon();
    expect((await counter.state()).payments).toMatchObject([
      { status: 'CancelledByClient', captureCount: 0 },
    ]);
    expect(counter.daemon.log().filter(({ type }) => type === 'attemptFailed')).toEqual([]);
    counter.till = await counter.connectTill();
    await nextSaleIsPaid();
  });

  test('and the service is away at the restart: the lane opens when it is back, and not before it has settled what was open', async () => {
    counter = await Counter.open({ transport: 'tcp' });
    void counter.till.pay(500, 'DKK');
    await counter.serviceSays('Initiated');
    await counter.daemon.end('SIGKILL');
    await counter.fault({ operation: 'cancelPayment', kind: 'status500', times: 1_000 });
    counter.launchDaemon();
    await until(
      () => counter.daemon.stderr.includes('attemptFailed'),
      'the first failed cancellation',
    );
    expect(counter.daemon.lines).toEqual([]);
    await counter.noFaults();
    counter.started = await counter.daemon.ready();
    expect(await counter.lastPayment()).toMatchObject({ status: 'CancelledByClient' });
  });
});

describe('the service forgets the point of sale', () => {
  test('the next sale says so, the lane opens it anew, and the one after that is paid', async () => {
    counter = await Counter.open({ transport: 'tcp' });
    await counter.restartService();
    expect((await counter.till.pay(500, 'DKK')).ended).toEqual({ by: 'abort', code: 0x6b });
    await until(async () => (await counter.state()).pointsOfSale.length === 1, 'the point of sale');
    await until(
      async () =>
        (await counter.till.statusEnquiry()).ended?.by === 'completion' &&
        (await counter.till.diagnosis()).ended?.by === 'completion',
      'the lane to be open',
    );
    await nextSaleIsPaid();
  });
});

/** Ports that socat removes are not like an adapter that is unplugged. */
describe.skipIf(wine !== null)('the cable is pulled', () => {
  test('while the customer is waited for, for some seconds: the payment goes on and is paid', async () => {
    counter = await Counter.open({ transport: 'serial' });
    const payment = counter.till.pay(500, 'DKK');
    await counter.serviceSays('Initiated');
    await counter.cable?.pull();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await counter.cable?.plugIn();
    void payment;
    // The till's own port came back too; it waits on for its result.
    await counter.till.reopen();
    await counter.customerPays();
    expect(await payment).toMatchObject({ ended: { by: 'completion' } });
    expect(await counter.serviceSays('Captured')).toMatchObject({ captureCount: 1 });
  });

  test('when the result is due: it is delivered as soon as the cable is back', async () => {
    counter = await Counter.open({ transport: 'serial' });
    const payment = counter.till.pay(500, 'DKK');
    await counter.serviceSays('Initiated');
    await counter.cable?.pull();
    await counter.customerPays();
    await until(
      () => counter.daemon.stderr.includes('captureIntended'),
      'the reservation to be seen',
    );
    await counter.cable?.plugIn();
    await counter.till.reopen();
    expect(await payment).toMatchObject({ ended: { by: 'completion' } });
    expect(await counter.serviceSays('Captured')).toMatchObject({ captureCount: 1 });
  });
});

/** Windows has no signals, and a service is stopped in another way there. */
describe.skipIf(wine !== null)('the daemon is asked to stop', () => {
  test.each(['waiting for the customer', 'idle', 'with a service that does not answer'])(
    'while it is %s: it ends cleanly and loses nothing',
    async (when) => {
      counter = await Counter.open({ transport: 'tcp' });
      let payment: ReturnType<typeof counter.till.pay> | null = null;
      if (when !== 'idle') {
        payment = counter.till.pay(500, 'DKK');
        await counter.serviceSays('Initiated');
      }
      if (when.startsWith('with'))
        await counter.fault({ operation: '*', kind: 'timeoutBefore', times: 1_000 });
      counter.daemon.child.kill('SIGTERM');
      expect(await counter.daemon.exited).toEqual({ code: 0, signal: null });
      if (payment !== null) expect((await payment).ended).toEqual({ by: 'abort', code: 0x6c });
      await counter.noFaults();
      if (when.startsWith('waiting'))
        expect((await counter.lastPayment())?.status).toBe('CancelledByClient');
      await counter.startDaemon();
      if (when !== 'idle') expect((await counter.lastPayment())?.status).toBe('CancelledByClient');
      counter.till = await counter.connectTill();
      await nextSaleIsPaid();
    },
  );
});
