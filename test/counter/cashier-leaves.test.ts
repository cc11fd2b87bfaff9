/** Leaving a cancellation that nobody answers, over a service that really does not answer. */
import type { Browser, BrowserContext, Locator, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { CommandOutcome } from '../../main/sandbox/till/register.ts';
import { resultCodeOf } from '../../main/tills/zvt/packets.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { launchChromium } from '../support/browser.ts';
import { Counter } from '../support/counter.ts';
import { until } from '../support/processes.ts';
import { someOf } from '../support/long.ts';

const leaveAfterMs = 2_000;
const hourSeconds = 3_600;
/**
 * Longer than a cashier needs to leave a payment. A cancel that was accepted counts when the next
 * poll shows it.
 */
const awaitedSeconds = 20;
const amountMinor = 12_300;

let browser: Browser;
let counter: Counter;
let context: BrowserContext;
let cashier: Page;
const mistakes: string[] = [];

beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());
afterEach(async () => {
  await context?.close();
  await counter?.close();
  expect(mistakes.splice(0)).toEqual([]);
});

interface Options {
  readonly transport?: 'serial' | 'tcp';
  readonly hasTouch?: boolean;
}

/** Starts a sale at the till, until the customer is waited for. */
async function saleUnderWay({
  transport = 'tcp',
  hasTouch = false,
}: Options = {}): Promise<{ payment: Promise<CommandOutcome> }> {
  counter = await Counter.open({ leaveAfterMs, transport });
  context = await browser.newContext({ viewport: { width: 1024, height: 768 }, hasTouch });
  cashier = await context.newPage();
  cashier.on('pageerror', (error) => mistakes.push(error.message));
  await cashier.goto(`${counter.started.screens}/cashier/?lang=en`);
  await state('idle');
  const payment = counter.till.pay(amountMinor, 'DKK');
  await state('waitingForCustomer');
  return { payment };
}

/**
 * Only a poll that was told to wait is waited for so long: one without an answer is given up after
 * half a second.
 */
async function pollsMustWait(retryAfterSeconds: number): Promise<void> {
  await counter.fault({ operation: 'getPayment', kind: 'status429', retryAfterSeconds });
  await counter.daemon.logs('the wallet service refused a request');
}

/** Its cancels stay unanswered; `timeoutAfter`: they are done all the same. */
const cancelsAreSilent = (kind: 'timeoutBefore' | 'timeoutAfter'): Promise<void> =>
  counter.fault({ operation: 'cancelPayment', kind, times: 1_000 });

const state = (kind: string): Promise<void> => cashier.locator(`[data-state="${kind}"]`).waitFor();
const at = (id: string): Locator => cashier.getByTestId(id);
/** The text with plain spaces, as a person reads it. */
const read = async (what: Locator): Promise<string> =>
  (await what.innerText()).replaceAll(/\s+/g, ' ');
const statuses = async (): Promise<string[]> =>
  (await counter.state()).payments.map(({ status }) => status);

async function expectWarning(): Promise<void> {
  expect(await read(cashier.locator('#leave-title'))).toBe('Leave without knowing the result?');
  expect(await read(cashier.locator('#leave-says'))).toContain(
    'Nobody knows yet whether the customer approved. Do not hand over the goods.',
  );
  await expectAccessible(cashier);
}

/** The lane is free, and no screen says how the sale ended. */
async function expectLeft(payment: Promise<CommandOutcome>): Promise<void> {
  await state('notPaid');
  expect(await read(at('sentence'))).toBe('Left without an answer');
  expect(await read(cashier.locator('.hint'))).toContain(
    'It is not known whether the customer approved. Do not hand over the goods',
  );
  // The note is shown at once, not only after the first attempt has failed.
  expect(await at('unsettled').count()).toBe(1);
  expect(await read(at('unsettled'))).toMatch(
    /^DKK 123\.00: cancelling, not confirmed\. Nothing to do until \d\d:\d\d\.$/,
  );
  expect(await read(cashier.locator('[data-sale]').first())).toMatch(
    /^DKK 123\.00 \d\d:\d\d Left without an answer · not confirmed yet · Receipt 1$/,
  );
  expect((await payment).ended).toEqual({ by: 'abort', code: 0x6c });
  // 6C, the amount, receipt, time and date, terminal, currency, trace; "Cancelled, not confirmed
  // yet", "Mobile wallet". Then the abort.
  expect(
    counter.onTheLine.filter(({ direction }) => direction === 'received').map(({ hex }) => hex),
  ).toEqual([
    '80 00 00',
    expect.stringMatching(
      new RegExp(
        '^04 0F 52 27 6C 04 00 00 00 01 23 00 0B 00 00 01 0C .. .. .. 0D .. .. 19 70 29 .. .. .. .. 49 02 08 87 00 01 ' +
          '3C F0 F2 F8 43 61 6E 63 65 6C 6C 65 64 2C 20 6E 6F 74 20 63 6F 6E 66 69 72 6D 65 64 20 79 65 74 8B F1 F4 4D 6F 62 69 6C 65 20 77 61 6C 6C 65 74 00$',
      ),
    ),
    '06 1E 01 6C',
  ]);
}

/** While what was left is not settled, or just as it is. */
async function nextSaleIsPaid(meanwhile: () => Promise<void> = async () => {}): Promise<void> {
  const payment = counter.till.pay(500, 'DKK');
  await meanwhile();
  await until(async () => (await counter.state()).payments.length === 2, 'the next payment');
  await counter.customerPays();
  expect(await payment).toMatchObject({ refused: null, ended: { by: 'completion' } });
  expect(await counter.serviceSays('Captured')).toMatchObject({ amount: 5, captureCount: 1 });
  await state('paid');
}

async function expectSettled(): Promise<void> {
  await at('unsettled').waitFor({ state: 'detached', timeout: 2 * awaitedSeconds * 1_000 });
  expect((await counter.state()).payments[0]).toMatchObject({
    status: 'CancelledByClient',
    captureCount: 0,
  });
  expect(Object.values((await counter.state()).violations).every((count) => count === 0)).toBe(
    true,
  );
}

/** Unit tests of the lane and the screen cover each of these ways too. */
const ways = someOf(['by touch', 'by keyboard', 'outlives a power cut'], 1);

describe('the way out of a cancel that nobody answers', () => {
  test.runIf(ways.includes('by touch'))(
    'by touch, over a silent service: the lane is free, and its next sale is paid as soon as the service has confirmed the cancel',
    async () => {
      const { payment } = await saleUnderWay({ hasTouch: true });
      await pollsMustWait(awaitedSeconds);
      await cancelsAreSilent('timeoutBefore');
      const cancelledAtMs = performance.now();
      await at('cancel').tap();
      await at('leave').waitFor();
      expect(performance.now() - cancelledAtMs).toBeGreaterThan(leaveAfterMs - 10);
      await at('leave').tap();
      await expectWarning();
      await at('leave-now').tap();
      await expectLeft(payment);

      await nextSaleIsPaid(async () => {
        // The service has room for one payment at a time, so the other one is cancelled first.
        await state('contactingService');
        expect(await statuses()).toEqual(['Initiated']);
        expect(await at('unsettled').isVisible()).toBe(true);
        await counter.noFaults();
      });
      await expectSettled();
    },
  );

  test.runIf(ways.includes('by keyboard'))(
    'by keyboard, over a service whose confirmation is lost: the next sale is paid above the banner, which stays until the cancel is confirmed',
    async () => {
      const { payment } = await saleUnderWay({ transport: 'serial' });
      await pollsMustWait(awaitedSeconds);
      await cancelsAreSilent('timeoutAfter');
      await cashier.locator('[data-testid="cancel"]:not([aria-disabled])').waitFor();
      await cashier.keyboard.press('Escape');
      await at('leave').waitFor();
      await cashier.keyboard.press('Escape');
      await cashier.locator('.stay:focus').waitFor();
      await expectWarning();
      // The harmless button has the focus.
      await cashier.keyboard.press('Enter');
      await at('leave-now').waitFor({ state: 'detached' });
      await state('cancelling');
      await cashier.keyboard.press('Escape');
      await cashier.locator('.stay:focus').waitFor();
      await cashier.keyboard.press('Tab');
      await cashier.keyboard.press('Enter');
      await expectLeft(payment);

      await nextSaleIsPaid();
      await until(
        () => counter.daemon.stderr.includes('"attemptFailed"'),
        'the first attempt to have failed',
      );
      expect(await statuses()).toEqual(['CancelledByClient', 'Captured']);
      expect(await read(at('unsettled'))).toContain('DKK 123.00: cancelling, not confirmed');
      await counter.noFaults();
      await expectSettled();
    },
  );

  const truths = [
    ['the customer approved before', 'paid', 'Paid'],
    ['nobody has approved', 'notPaid', 'Cancelled on the cashier’s screen'],
  ] as const;
  test.each(someOf(truths, 1))(
    'closes by itself when the answer comes, and the truth is shown: %s',
    async (_what, kind, sentence) => {
      const { payment } = await saleUnderWay({ hasTouch: true });
      // Longer than it takes to ask for the way out, and shorter than a request to stop waits for a
      // poll.
      await pollsMustWait(9);
      if (kind === 'paid') {
        await counter.customer('checkin');
        await counter.customer('acceptpayment');
      }
      await at('cancel').tap();
      await at('leave').tap();
      await at('leave-now').waitFor();
      await state(kind);
      expect(await at('leave-now').count()).toBe(0);
      expect(await at('leave').count()).toBe(0);
      expect(await read(at('sentence'))).toBe(sentence);
      expect((await payment).ended).toMatchObject(
        kind === 'paid' ? { by: 'completion' } : { by: 'abort', code: 0x6c },
      );
      const [status] = counter.onTheLine.filter(({ hex }) => hex.startsWith('04 0F'));
      expect(status?.hex).toMatch(kind === 'paid' ? /^04 0F .. 27 00 / : /^04 0F .. 27 6C /);
      expect(
        await counter.serviceSays(kind === 'paid' ? 'Captured' : 'CancelledByClient'),
      ).toMatchObject({ captureCount: kind === 'paid' ? 1 : 0 });
      await at('unsettled').waitFor({ state: 'detached' });
    },
  );

  test.runIf(ways.includes('outlives a power cut'))(
    'once taken outlives a power cut: the banner is there again, and the cancel is repeated until it is confirmed',
    async () => {
      const { payment } = await saleUnderWay();
      await pollsMustWait(hourSeconds);
      await cancelsAreSilent('timeoutBefore');
      await at('cancel').click();
      await at('leave').click();
      await at('leave-now').click();
      await expectLeft(payment);
      const port = Number(new URL(counter.started.screens).port);
      await counter.daemon.end('SIGKILL');
      await counter.till.close();
      await state('disconnected');
      expect(await statuses()).toEqual(['Initiated']);

      counter.launchDaemon(port);
      await state('notReady');
      expect(await read(at('unsettled'))).toMatch(/^DKK 123\.00: cancelling, not confirmed/);
      await counter.noFaults();
      counter.started = await counter.daemon.ready();
      await state('idle');
      await expectSettled();
      expect(await read(cashier.locator('[data-sale]').first())).toContain(
        'Left without an answer',
      );
      counter.till = await counter.connectTill();
      expect(
        resultCodeOf((await counter.till.repeatReceipt()).statusInformations[0] as never),
      ).toBe(0x6c);
      await nextSaleIsPaid();
    },
  );
});

test('a service that answers nothing at all needs no way out: the cancel is decided in a moment, and stays in sight until it is confirmed', async () => {
  const { payment } = await saleUnderWay({ hasTouch: true });
  await counter.fault({ operation: 'getPayment', kind: 'timeoutBefore', times: 1_000 });
  await cancelsAreSilent('timeoutBefore');
  await at('cancel').tap();
  await state('notPaid');
  expect(await read(at('sentence'))).toBe('Cancelled on the cashier’s screen');
  expect((await payment).ended).toEqual({ by: 'abort', code: 0x6c });
  await at('unsettled').waitFor();
  expect(await statuses()).toEqual(['Initiated']);
  await counter.noFaults();
  await expectSettled();
});
