/** A till over HTTP with the whole product, which is killed in every phase of a payment. */
import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { PagePool, launchChromium } from '../support/browser.ts';
import { Counter } from '../support/counter.ts';
import { collectMistakes } from '../support/manager.ts';

let counter: Counter;
afterEach(() => counter?.close());

const bread = { amountMinor: 500, currency: 'DKK' };
const pay = (key: string) => counter.ask('POST', '/payments', { key, body: bread });

async function killed(): Promise<void> {
  await counter.daemon.end('SIGKILL');
  await counter.startDaemon();
}

test('killed in every phase, its key finds what it began; two clients with one key are one payment', async () => {
  counter = await Counter.open({ transport: 'http' });

  // The daemon is killed while the request to the service hangs.
  const first = randomUUID();
  await counter.fault({ operation: 'initiatePayment', kind: 'timeoutBefore', times: 100 });
  expect((await pay(first)).status).toBe(201);
  await counter.daemon.end('SIGKILL');
  await counter.noFaults();
  await counter.startDaemon();
  expect(await pay(first)).toMatchObject({
    status: 200,
    body: { status: 'notPaid', reason: 'interrupted' },
  });

  // The daemon is killed while the customer is to approve, who approves meanwhile.
  const second = randomUUID();
  const both = await Promise.all([pay(second), pay(second)]);
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 201]);
  expect(both[0].body['paymentId']).toBe(both[1].body['paymentId']);
  await counter.serviceSays('Initiated');
  await counter.customer('checkin');
  await counter.serviceSays('IssuedToUser');
  await counter.daemon.end('SIGKILL');
  await counter.customer('acceptpayment');
  await counter.startDaemon();
  expect(await pay(second)).toMatchObject({
    status: 200,
    body: { paymentId: both[0].body['paymentId'], status: 'notPaid', reason: 'interrupted' },
  });
  expect(await counter.serviceSays('CancelledByClient')).toMatchObject({ captureCount: 0 });

  // The daemon is killed after "paid", before the service has confirmed the capture.
  const third = randomUUID();
  await counter.fault({ operation: 'capturePayment', kind: 'timeoutBefore', times: 100 });
  const { body } = await pay(third);
  await counter.customerPays();
  expect(await counter.ask('GET', `/payments/${String(body['paymentId'])}?wait=30`)).toMatchObject({
    status: 200,
    body: { status: 'paid', money: 'moving' },
  });
  await counter.daemon.end('SIGKILL');
  await counter.noFaults();
  await counter.startDaemon();
  expect(await pay(third)).toMatchObject({ status: 200, body: { status: 'paid' } });
  expect(await counter.serviceSays('Captured')).toMatchObject({ captureCount: 1, amount: 5 });

  // The daemon is killed long after the payment's end, which a poll has shown.
  await killed();
  await expect
    .poll(() => pay(third), { timeout: 10_000 })
    .toMatchObject({ status: 200, body: { status: 'paid', money: 'moved' } });
  expect(
    await counter.ask('POST', '/payments', { key: third, body: { ...bread, amountMinor: 501 } }),
  ).toMatchObject({ status: 422 });
  expect((await counter.ask('GET', '/totals')).body).toMatchObject({
    payments: { count: 1, sumMinor: 500 },
    refunds: { count: 0 },
  });
  const { payments } = await counter.state();
  expect(payments.filter(({ captureCount }) => captureCount > 0)).toHaveLength(1);
});

test('a manager makes a token on the screen; the till pays with it, and is refused once it is revoked', async () => {
  counter = await Counter.open({ transport: 'http' });
  const browser = await launchChromium();
  try {
    const mistakes: string[] = [];
    const page = await new PagePool(browser, (made) => collectMistakes(made, mistakes)).open({});
    const type = async (text: string): Promise<void> => {
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
    };
    await page.goto(`${counter.started.screens}/manager/?lang=en#people`);
    await page.locator('#code:focus').waitFor();
    await type(counter.firstManagerCode);
    await page.getByTestId('manager-name').and(page.locator(':focus')).waitFor();
    await type('Ada Lund');
    await page
      .getByLabel('Choose a PIN of 4 to 8 digits', { exact: true })
      .and(page.locator(':focus'))
      .waitFor();
    await type('4711');
    await page
      .getByLabel('The same PIN once more', { exact: true })
      .and(page.locator(':focus'))
      .waitFor();
    await type('4711');

    await page.getByTestId('add-token').click();
    await page.locator('#token-name:focus').waitFor();
    await type('Kiosk 2');
    counter.token = await page.getByTestId('new-token').innerText();
    await page.getByTestId('token-kept').click();
    expect(await page.getByTestId('token').last().innerText()).toContain('Kiosk 2');

    const { body } = await pay(randomUUID());
    const { paymentId } = body as { paymentId: string };
    await counter.customerPays();
    expect(await counter.ask('GET', `/payments/${paymentId}?wait=30`)).toMatchObject({
      body: { status: 'paid' },
    });
    const refund = { amountMinor: 500, currency: 'DKK' };
    expect(
      await counter.ask('POST', `/payments/${paymentId}/refunds`, {
        key: randomUUID(),
        body: refund,
      }),
    ).toMatchObject({ status: 403 });

    await page.getByTestId('revoke').last().click();
    await page.getByTestId('revoke-now').click();
    await page.getByTestId('token').nth(1).waitFor({ state: 'detached' });
    expect((await counter.ask('GET', `/payments/${paymentId}`)).status).toBe(401);
    expect(mistakes).toEqual([]);
  } finally {
    await browser.close();
  }
});
