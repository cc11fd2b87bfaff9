import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { RESULT } from '../../main/tills/zvt/result-codes.ts';
import { PagePool, launchChromium } from '../support/browser.ts';
import { Counter } from '../support/counter.ts';
import { ContractLine } from '../support/manager-books.ts';
import { someOf } from '../support/long.ts';
import { openManager, signIn } from '../support/manager.ts';
import { until } from '../support/processes.ts';

/**
 * The service's process is stopped in the middle of everything: it takes connections and answers
 * nothing, as a service behind a broken gateway.
 */

let browser: Browser;
let counter: Counter;
let cashier: Page;
let customer: Page;

beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());
beforeEach(async () => {
  counter = await Counter.open();
  const context = await browser.newContext({ viewport: { width: 1024, height: 768 } });
  [cashier, customer] = [await context.newPage(), await context.newPage()];
  await cashier.goto(`${counter.started.screens}/cashier/?lang=en`);
  await customer.goto(`${counter.started.screens}/customer/?lang=en`);
  await sentence(cashier, 'Ready');
});
afterEach(async () => {
  counter.service.child.kill('SIGCONT');
  await cashier.context().close();
  await counter.close();
});

const freeze = (): boolean => counter.service.child.kill('SIGSTOP');
const thaw = (): boolean => counter.service.child.kill('SIGCONT');
const sentence = (page: Page, text: string | RegExp): Promise<void> =>
  page.getByTestId('sentence').filter({ hasText: text }).waitFor({ timeout: 60_000 });
const away = 'No connection to the wallet service';
const noAnswer = /^No answer from the service for (\d+) s$/;
const isQuick = 2_500;

/** Beside the first test; what each shows is held by unit tests on given time too. */
const also = someOf(['while a customer approves', 'with nobody paying'], 1);

describe('a service that freezes', () => {
  test('the payment under way says so, the next is refused at once, and everything ends by itself', {
    timeout: 180_000,
  }, async () => {
    await counter.till.register({ currency: 'DKK' });
    freeze();
    const first = counter.till.pay(700, 'DKK');
    const asked = Date.now();
    // The customer is asked for nothing, and the cashier sees why and for how long.
    await sentence(cashier, noAnswer);
    expect(Date.now() - asked).toBeGreaterThan(2_500);
    await sentence(customer, 'One moment, please');
    expect(await customer.getByTestId('qr').count()).toBe(0);
    expect(await cashier.locator('.hint').innerText()).toBe('Keep the goods.');
    const seconds = async (): Promise<number> =>
      Number(noAnswer.exec(await cashier.getByTestId('sentence').innerText())?.[1]);
    const begun = await seconds();
    await until(async () => (await seconds()) >= begun + 2, 'the seconds to be counted up');

    expect((await first).ended).toEqual({ by: 'abort', code: RESULT.noConnection });
    await counter.daemon.logs(
      'the wallet service does not answer: no payment is begun until it does',
    );
    const before = Date.now();
    const second = await counter.till.pay(800, 'DKK');
    expect(Date.now() - before).toBeLessThan(isQuick);
    expect([second.refused, second.ended]).toContainEqual({
      by: 'abort',
      code: RESULT.noConnection,
    });
    expect((await counter.till.diagnosis()).ended).toEqual({
      by: 'abort',
      code: RESULT.noConnection,
    });

    // After how the payment ended: since when, as the clock on the wall says it.
    await cashier.locator('[data-state="notReady"]').waitFor();
    await sentence(cashier, away);
    expect(await cashier.locator('.hint').innerText()).toMatch(
      /^Take payment another way\. Since \d\d:\d\d\.$/,
    );
    expect(await cashier.getByTestId('by-hand').isDisabled()).toBe(true);
    await sentence(customer, 'You cannot pay by phone right now');
    expect(await customer.locator('main').innerText()).not.toMatch(/service|connection|wallet/i);
    expect(await customer.getByTestId('qr').count()).toBe(0);

    thaw();
    const back = Date.now();
    await sentence(cashier, 'Ready');
    const backAfterMs = Date.now() - back;
    process.stderr.write(`noticed after ${backAfterMs} ms\n`);
    expect(backAfterMs).toBeLessThan(10_000);
    await counter.daemon.logs('the wallet service answers again');
    await until(
      async () =>
        (await counter.state()).payments.every(({ status }) => status === 'CancelledByClient'),
      'what was asked while it was frozen to be cancelled',
    );
    expect((await counter.state()).payments.length).toBeLessThanOrEqual(1);

    const third = counter.till.pay(900, 'DKK');
    await sentence(customer, 'Scan to pay');
    await counter.customerPays();
    expect(await third).toMatchObject({ ended: { by: 'completion' } });
    expect(await counter.serviceSays('Captured')).toMatchObject({ amount: 9, captureCount: 1 });
  });

  test.runIf(also.includes('while a customer approves'))(
    'while a customer approves: the payment ends as paid once it answers',
    { timeout: 120_000 },
    async () => {
      const payment = counter.till.pay(700, 'DKK');
      await counter.serviceSays('Initiated');
      await sentence(cashier, /scan the code/);
      freeze();
      await sentence(cashier, noAnswer);
      await sentence(customer, 'One moment, please');
      thaw();
      await sentence(customer, 'Scan to pay');
      await sentence(cashier, /scan the code/);
      await counter.customerPays();
      expect(await payment).toMatchObject({ ended: { by: 'completion' } });
    },
  );

  test.runIf(also.includes('with nobody paying'))(
    'with nobody paying: "Check now" really asks, and the screens agree',
    { timeout: 120_000 },
    async () => {
      (await ContractLine.ofAda(counter)).close();
      const manager = await openManager({
        pages: new PagePool(browser, () => {}),
        counter,
        show: 'health',
      });
      await signIn(manager);
      const service = manager.getByTestId('health-service');
      await service.filter({ hasText: /The wallet service answers/ }).waitFor();
      await manager.getByTestId('look-again').click();
      await service.filter({ hasText: /[01] s ago/ }).waitFor();
      freeze();
      await manager.getByTestId('look-again').click();
      await service.filter({ hasText: 'The wallet service did not answer just now' }).waitFor();
      // Checked again by itself: the lane says it as soon as it is sure.
      await sentence(cashier, away);
      await service.filter({ hasText: 'The wallet service does not answer' }).waitFor();
      await manager.getByTestId('health-lane').filter({ hasText: away }).waitFor();
      thaw();
      await sentence(cashier, 'Ready');
      await manager.getByTestId('look-again').click();
      await service.filter({ hasText: /Times away since the start\s*1/ }).waitFor();
      await manager.context().close();
    },
  );
});
