import { afterEach, describe, expect, test } from 'vitest';
import { BMP } from '../../main/tills/zvt/bitmaps.ts';
import { encodePacket, resultCodeOf } from '../../main/tills/zvt/packets.ts';
import type { CommandOutcome } from '../../main/sandbox/till/register.ts';
import { Counter } from '../support/counter.ts';
import { until } from '../support/processes.ts';
import { someOf } from '../support/long.ts';

let counter: Counter;
afterEach(() => counter?.close());

const resultOf = (outcome: CommandOutcome): number | null => {
  const last = outcome.statusInformations.at(-1);
  return last === undefined ? null : resultCodeOf(last);
};
const paid = { ended: { by: 'completion' }, refused: null };

const combinations = [
  ['serial', 'initiate'],
  ['tcp', 'prepare'],
  ['serial', 'prepare'],
  ['tcp', 'initiate'],
] as const;

// Two neighbours have every value of both.
describe.each(someOf(combinations, 2))('over %s, in the %s flow', (transport, flow) => {
  test('the till is told "paid", the money is captured once, and the next payment works', async () => {
    counter = await Counter.open({ transport, flow });
    await counter.till.register({ currency: 'DKK' });
    const payment = counter.till.pay(1010, 'DKK');
    await counter.customerPays();
    const outcome = await payment;
    expect(outcome).toMatchObject(paid);
    expect(resultOf(outcome)).toBe(0);
    expect(outcome.progress).toContain('Scan the QR code');
    expect(outcome.printed.join('\n')).toMatch(/DKK 10\.10/);
    const captured = await counter.serviceSays('Captured');
    expect(captured).toMatchObject({ amount: 10.1, currencyCode: 'DKK', captureCount: 1 });

    const next = counter.till.pay(250, 'DKK');
    await until(async () => (await counter.state()).payments.length === 2, 'the second payment');
    await counter.customerPays();
    expect(await next).toMatchObject(paid);
    await counter.serviceSays('Captured');
    expect(Object.values((await counter.state()).violations).every((count) => count === 0)).toBe(
      true,
    );
  });

  test('a customer who refuses: the till says declined, nothing is captured', async () => {
    counter = await Counter.open({ transport, flow });
    const payment = counter.till.pay(500, 'DKK');
    await counter.serviceSays(flow === 'initiate' ? 'Initiated' : 'Prepared');
    await counter.customer('checkin');
    await counter.serviceSays('IssuedToUser');
    // Seen by the daemon before the customer acts: declined is then told from cancelled.
    await until(() => counter.daemon.stderr.includes('issuedToUser'), 'the daemon to see it');
    await counter.customer('cancelpaymentbyuser');
    const outcome = await payment;
    expect(outcome.ended).toEqual({ by: 'abort', code: 0x05 });
    expect(resultOf(outcome)).toBe(0x05);
    expect(await counter.lastPayment()).toMatchObject({
      status: 'CancelledByUser',
      captureCount: 0,
    });
  });

  test('an abort at the till: cancelled at the service, told with 6C', async () => {
    counter = await Counter.open({ transport, flow });
    const payment = counter.till.pay(500, 'DKK');
    await counter.serviceSays(flow === 'initiate' ? 'Initiated' : 'Prepared');
    expect(await counter.till.abort()).toBeNull();
    expect((await payment).ended).toEqual({ by: 'abort', code: 0x6c });
    expect(await counter.serviceSays('CancelledByClient')).toMatchObject({ captureCount: 0 });
  });
});

describe('who is faster', () => {
  test('a customer who approved before the abort has paid', async () => {
    counter = await Counter.open();
    // Until then the daemon has no way to learn about it.
    await counter.fault({ operation: 'getPayment', kind: 'status429', retryAfterSeconds: 6 });
    const payment = counter.till.pay(700, 'DKK');
    await counter.daemon.logs('the wallet service refused a request');
    await counter.customer('checkin');
    await counter.customer('acceptpayment');
    expect(await counter.till.abort()).toBeNull();
    expect(await payment).toMatchObject(paid);
    expect(await counter.serviceSays('Captured')).toMatchObject({ captureCount: 1 });
  });
});

describe('a till that does not take the result', () => {
  test('because it refuses it: the reservation is cancelled', async () => {
    counter = await Counter.open({ transport: 'serial' });
    counter.till.respondTo = (packet) =>
      packet === 'statusInformation' ? Uint8Array.of(0x84, 0x66, 0x00) : Uint8Array.of(0x80, 0, 0);
    const payment = counter.till.pay(500, 'DKK');
    await counter.customerPays();
    expect((await payment).ended).toEqual({ by: 'abort', code: 0x6c });
    expect(await counter.serviceSays('CancelledByClient')).toMatchObject({ captureCount: 0 });
  });

  test('because it never answers: the reservation is cancelled', async () => {
    counter = await Counter.open();
    counter.till.respondTo = (packet) =>
      packet === 'statusInformation' ? null : Uint8Array.of(0x80, 0, 0);
    const payment = counter.till.pay(500, 'DKK');
    await counter.customerPays();
    expect((await payment).ended).toBeNull();
    expect(await counter.serviceSays('CancelledByClient')).toMatchObject({ captureCount: 0 });
  });

  test('because it hung up: cancelled, and after connecting again it hears so', async () => {
    counter = await Counter.open();
    void counter.till.pay(500, 'DKK');
    await counter.serviceSays('Initiated');
    await counter.till.close();
    await counter.serviceSays('CancelledByClient');
    counter.till = await counter.connectTill();
    const repeated = await counter.till.repeatReceipt();
    expect(resultOf(repeated)).toBe(0x6c);
    expect(repeated.ended).toMatchObject({ by: 'completion' });
  });
});

describe('our own deadline', () => {
  test('ends a payment that nobody scans', async () => {
    counter = await Counter.open({ deadlineSeconds: 10 });
    const askedAt = Date.now();
    expect((await counter.till.pay(500, 'DKK')).ended).toEqual({ by: 'abort', code: 0x6c });
    expect(Date.now() - askedAt).toBeGreaterThan(9_900);
    await counter.serviceSays('CancelledByClient');
  });
});

describe('two tills at one terminal', () => {
  test('the second is asked to wait, and its leaving does not harm the first', async () => {
    counter = await Counter.open();
    const second = await counter.connectTill();
    const payment = counter.till.pay(500, 'DKK');
    await counter.serviceSays('Initiated');
    expect((await second.pay(900, 'DKK')).refused).toBe(0x9c);
    await second.close();
    await counter.customerPays();
    expect(await payment).toMatchObject(paid);
    expect((await counter.state()).payments).toHaveLength(1);
  });
});

describe('bad input from the till', () => {
  test('ends in a refusal, a line in the log, and a working counter', async () => {
    counter = await Counter.open();
    expect((await counter.till.pay(0, 'DKK')).ended).toEqual({ by: 'abort', code: 0xc8 });
    expect((await counter.till.pay(500, 'EUR')).ended).toEqual({ by: 'abort', code: 0x6f });
    expect(
      (await counter.till.command(Uint8Array.of(0x06, 0x01, 0x03, 0x04, 0x00, 0x00))).refused,
    ).toBe(0x9a);
    expect((await counter.till.command(Uint8Array.of(0x0f, 0x99, 0x00))).refused).toBe(0x83);
    expect(
      (await counter.till.command(encodePacket('printLine', { parts: [Uint8Array.of(0)] })))
        .refused,
    ).toBe(0x83);
    await counter.daemon.logs(
      'the till sent a packet that cannot be read',
      'the till sent a command that this terminal does not have',
    );
    const payment = counter.till.pay(500, 'DKK');
    await counter.customerPays();
    const outcome = await payment;
    expect(outcome).toMatchObject(paid);
    expect(outcome.statusInformations[0]?.get(BMP.amount)).toEqual(Buffer.from([0, 0, 0, 0, 5, 0]));
  });
});

describe('a service that misbehaves', () => {
  test.each(someOf(['html', 'malformedJson', 'wrongTypes', 'truncated'], 1))(
    'its answer to the create request is %s: asked about, then paid',
    async (kind) => {
      counter = await Counter.open();
      await counter.fault({ operation: 'initiatePayment', kind });
      const payment = counter.till.pay(500, 'DKK');
      await counter.customerPays();
      expect(await payment).toMatchObject(paid);
      expect((await counter.state()).payments).toHaveLength(1);
    },
  );

  test('it is not there: told with A3, and the next payment works', async () => {
    counter = await Counter.open();
    await counter.fault({ operation: 'initiatePayment', kind: 'reset', times: 6 });
    await counter.fault({ operation: 'listPayments', kind: 'reset', times: 6 });
    expect((await counter.till.pay(500, 'DKK')).ended).toEqual({ by: 'abort', code: 0xa3 });
    const payment = counter.till.pay(600, 'DKK');
    await counter.customerPays();
    expect(await payment).toMatchObject(paid);
    expect(await counter.serviceSays('Captured')).toMatchObject({ amount: 6 });
  });

  test('it answers polls with errors: the payment goes on', async () => {
    counter = await Counter.open();
    const payment = counter.till.pay(500, 'DKK');
    await counter.serviceSays('Initiated');
    await counter.fault({ operation: 'getPayment', kind: 'status500', times: 2 });
    await counter.fault({ operation: 'getPayment', kind: 'html', times: 1 });
    await counter.customerPays();
    expect(await payment).toMatchObject(paid);
  });

  test('it does not confirm the capture: the till has its "paid", the capture is repeated', async () => {
    counter = await Counter.open();
    await counter.fault({ operation: 'capturePayment', kind: 'status500', times: 8 });
    const payment = counter.till.pay(500, 'DKK');
    await counter.customerPays();
    expect(await payment).toMatchObject(paid);
    expect(await counter.serviceSays('Captured')).toMatchObject({ captureCount: 1 });
  });

  test('a payment that nobody knows blocks the point of sale: it is cleared, then ours begins', async () => {
    counter = await Counter.open();
    const { payments } = await counter.state();
    expect(payments).toEqual([]);
    const other = counter.till.pay(100, 'DKK');
    await counter.serviceSays('Initiated');
    await counter.daemon.end('SIGKILL');
    await other;
    // A journal that was lost with its disk: the service still has the payment.
    const { rmSync } = await import('node:fs');
    rmSync(`${counter.folder}/data`, { recursive: true });
    await counter.startDaemon();
    counter.till = await counter.connectTill();
    expect((await counter.state()).payments[0]?.status).toBe('CancelledByClient');
    const payment = counter.till.pay(500, 'DKK');
    await counter.customerPays();
    expect(await payment).toMatchObject(paid);
  });
});
