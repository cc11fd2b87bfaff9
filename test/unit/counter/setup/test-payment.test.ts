import { expect, test } from 'vitest';
import type { TestCounter, TestProgress } from '../../../../main/counter/setup/setup-host.ts';
import { TestPayment } from '../../../../main/counter/setup/test-payment.ts';
import { ManualClock, settled } from '../../support/manual-clock.ts';

/** A counter whose payment is in the state that a test sets. */
class ScriptedCounter implements TestCounter {
  readonly api: TestCounter['api'];
  constructor(api: TestCounter['api'] = null) {
    this.api = api;
  }
  readonly done: string[] = [];
  at: TestProgress | null = null;
  captured = false;
  changed: () => void = () => {};
  reach(step: TestProgress['step'], reason: string | null = null): Promise<void> {
    this.at = { step, amountMinor: 100, currency: 'DKK', reason };
    this.changed();
    return settled();
  }
  progress = (): TestProgress | null => this.at;
  refusedPage: TestCounter['refusedPage'] = () => null;
  isCaptured = (): boolean => this.captured;
  pay = async (amountMinor: number): Promise<void> => void this.done.push(`pay ${amountMinor}`);
  scan = async (): Promise<void> => void this.done.push('scan');
  approve = async (): Promise<void> => void this.done.push('approve');
  close = async (): Promise<void> => void this.done.push('close');
}
function begin(by: 'own' | 'till', api: TestCounter['api'] = null) {
  const clock = new ManualClock();
  const counter = new ScriptedCounter(api);
  let passed = 0;
  const payment = new TestPayment({
    with: by,
    clock,
    open: async (changed) => {
      counter.changed = changed;
      return counter;
    },
    passed: () => (passed += 1),
  });
  return { clock, counter, payment, passed: () => passed };
}

test('a test payment has passed when the service has the money, and the customer’s part was played once', async () => {
  const { clock, counter, payment, passed } = begin('own');
  await settled();
  for (const step of [
    'askedByTill',
    'waitingForCustomer',
    'waitingForCustomer',
    'approveInApp',
    'paid',
  ] as const) {
    await counter.reach(step);
    await clock.pass(1_000);
  }
  expect(payment.state.state).toBe('running');
  counter.captured = true;
  await clock.pass(1_000);
  expect(payment.state).toMatchObject({
    state: 'passed',
    steps: [
      'starting',
      'askedByTill',
      'waitingForCustomer',
      'approveInApp',
      'tillTold',
      'captured',
    ],
  });
  expect(payment.state.with).toBe('own');
  expect(counter.done).toEqual(['pay 100', 'scan', 'approve', 'close']);
  expect(passed()).toBe(1);
});

test('a page that was refused is told while its request is waited for', async () => {
  const { counter, payment } = begin('till');
  await settled();
  expect(payment.state).toMatchObject({ state: 'ready', refusedPage: null });
  counter.refusedPage = () => ({ page: 'https://shop.example', code: 'origin-refused' });
  expect(payment.state).toMatchObject({
    state: 'ready',
    refusedPage: { page: 'https://shop.example', code: 'origin-refused' },
  });
});

test('one that the service never confirms has failed, and one that is refused says why', async () => {
  const unconfirmed = begin('own');
  await settled();
  await unconfirmed.counter.reach('paid');
  await unconfirmed.clock.pass(20_000);
  expect(unconfirmed.payment.state).toMatchObject({
    state: 'failed',
    detail: expect.stringContaining('confirm'),
  });
  const refused = begin('till');
  await settled();
  await refused.counter.reach('notPaid', 'amountMismatch');
  expect(refused.payment.state).toMatchObject({
    state: 'failed',
    detail: expect.stringContaining('amountMismatch'),
  });
  expect(refused.passed() + unconfirmed.passed()).toBe(0);
});

test('one of the real till waits for its key, and lets go of the line when nobody presses it, or when it is stopped', async () => {
  const waiting = begin('till');
  await settled();
  expect(waiting.payment.state.state).toBe('ready');
  expect(waiting.counter.done).toEqual([]);
  await waiting.clock.pass(11 * 60_000);
  expect(waiting.payment.state.state).toBe('failed');
  expect(waiting.counter.done).toEqual(['close']);
  const stopped = begin('till');
  await settled();
  await stopped.payment.stop();
  expect(stopped.payment.state.state).toBe('stopped');
  expect(stopped.counter.done).toEqual(['close']);
});

test('one whose customer cannot be played has failed, and says why', async () => {
  const { clock, counter, payment } = begin('till');
  counter.scan = () => Promise.reject(new Error('there is no lane 1'));
  await settled();
  await counter.reach('waitingForCustomer');
  await clock.pass(1_000);
  expect(payment.state).toMatchObject({ state: 'failed', detail: 'there is no lane 1' });
});

test('a till that is a program is told where to ask, and finds its result for a while after the payment', async () => {
  const api = { url: 'http://127.0.0.1:4182', certificate: null, resolve: null };
  const { clock, counter, payment } = begin('till', api);
  await settled();
  expect(payment.state).toMatchObject({ state: 'ready', api });
  counter.captured = true;
  await counter.reach('paid');
  await settled();
  expect([payment.state.state, counter.done]).toEqual(['passed', []]);
  await clock.pass(31_000);
  expect(counter.done).toEqual(['close']);
});
