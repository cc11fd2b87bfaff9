import { beforeEach, expect, test } from 'vitest';
import type { PaymentInput } from '../../../../main/core/settlement/payment.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { Metrics } from '../../../../main/counter/monitoring/metrics.ts';
import { watchSettlement } from '../../../../main/counter/monitoring/settlement-watch.ts';
import { Tracer } from '../../../../main/counter/monitoring/tracer.ts';
import {
  acknowledged,
  created,
  polled,
  reserved,
  sale,
  stop,
  tell,
} from '../../core/settlement/support.ts';
import { ManualClock } from '../../support/manual-clock.ts';

let clock: ManualClock;
let metrics: Metrics;
let tracer: Tracer;

beforeEach(() => {
  clock = new ManualClock();
  metrics = new Metrics(() => {});
  tracer = new Tracer({
    to: () => null,
    version: '1',
    host: 'here',
    dropped: () => {},
    clock,
    log: silentLog,
  });
});

/** Each input a second after the one before. @param from how many the watch has not seen */
async function watch(
  inputs: readonly PaymentInput[],
  from = 0,
  about: Partial<typeof sale> = {},
): Promise<string[]> {
  const observe = watchSettlement('1', tell(inputs.slice(0, from), about).payment, {
    metrics,
    tracer,
    clock,
  });
  for (let count = from + 1; count <= inputs.length; count += 1) {
    await clock.pass(1_000);
    observe(tell(inputs.slice(0, count), about).payment);
  }
  return (await metrics.page())
    .split('\n')
    .filter(
      (line) => !line.startsWith('#') && /payments_total|phase_seconds_(sum|count)/.test(line),
    );
}

const confirmed: PaymentInput = { type: 'captureAnswered', answer: { kind: 'done' } };
const cancelled: PaymentInput = { type: 'cancelAnswered', answer: { kind: 'done' } };

test('a payment counts once as paid, and each of its states for as long as it was in it', async () => {
  expect(await watch([...acknowledged, confirmed])).toEqual([
    'tillbeacon_payments_total{lane="1",outcome="paid"} 1',
    'tillbeacon_phase_seconds_sum{kind="payment",phase="creating"} 1',
    'tillbeacon_phase_seconds_count{kind="payment",phase="creating"} 1',
    'tillbeacon_phase_seconds_sum{kind="payment",phase="awaiting"} 2',
    'tillbeacon_phase_seconds_count{kind="payment",phase="awaiting"} 1',
    'tillbeacon_phase_seconds_sum{kind="payment",phase="offering"} 1',
    'tillbeacon_phase_seconds_count{kind="payment",phase="offering"} 1',
    'tillbeacon_phase_seconds_sum{kind="payment",phase="capturing"} 1',
    'tillbeacon_phase_seconds_count{kind="payment",phase="capturing"} 1',
  ]);
});

test('a payment that is not made counts by its reason, once', async () => {
  const counted = await watch([
    created,
    stop('cancelledByCashier'),
    polled('initiated'),
    cancelled,
  ]);
  expect(counted.filter((line) => line.includes('payments_total'))).toEqual([
    'tillbeacon_payments_total{lane="1",outcome="cancelledByCashier"} 1',
  ]);
});

test('a payment that a person has to look after is not counted a second time', async () => {
  const takenOver: PaymentInput = {
    type: 'cancelAnswered',
    answer: { kind: 'refused', detail: 'it is captured' },
  };
  const inputs = [
    created,
    stop('cancelledByCashier'),
    polled('initiated'),
    takenOver,
    polled('captured'),
  ];
  expect(tell(inputs).payment.kind).toBe('needsPerson');
  const counted = await watch(inputs);
  expect(counted.filter((line) => line.includes('payments_total'))).toEqual([
    'tillbeacon_payments_total{lane="1",outcome="cancelledByCashier"} 1',
  ]);
});

test('what was decided before a restart is not counted again', async () => {
  const counted = await watch([...acknowledged, confirmed], acknowledged.length);
  expect(counted.filter((line) => line.includes('payments_total'))).toEqual([]);
});

test('a reservation counts as held, and later by what becomes of it; the days between are no phase', async () => {
  const capture: PaymentInput = { type: 'captureRequested', amountMinor: sale.amountMinor };
  const counted = await watch(
    [...reserved, { type: 'tillAnswered', acknowledged: true }, capture, confirmed],
    0,
    { plannedCaptureDelay: 'LessThan14Days' },
  );
  expect(counted.filter((line) => line.includes('payments_total'))).toEqual([
    'tillbeacon_payments_total{lane="1",outcome="held"} 1',
    'tillbeacon_payments_total{lane="1",outcome="paid"} 1',
  ]);
  expect(counted.join('\n')).not.toContain('phase="held"');
});
