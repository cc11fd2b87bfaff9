/**
 * The execution of payments (interface document 1, "Subscription payment request", rules 3 and 4):
 * first at 02:00 on the due date, again every two hours, for the last time at 23:59 of the last
 * grace day. Times are in UTC. No timer runs while no payment is pending.
 */
import type { Cancel } from '../../../core/domain/clock.ts';
import type { SimulatedSubscriptionPayment } from './subscription-model.ts';
import type { SubscriptionRegistry } from './subscription-registry.ts';
import type { Reason } from './subscription-callbacks.ts';
import { noticeSchedule } from './notices.ts';
import { announce, fail, tryToExecute } from './subscription-payments.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const lastTryMs = dayMs - minuteMs;
/** Times of the day: 02:00, 04:00 … 22:00, 23:59. */
const triesMs = [
  ...Array.from({ length: 11 }, (_, index) => (index + 1) * 120 * minuteMs),
  lastTryMs,
];
const firstTryMs = 120 * minuteMs;

const midnight = (date: string): number => Date.parse(date);

export interface ExecutionSchedule {
  /** To be called after payments are added. */
  readonly arm: () => void;
}

export function executionSchedule(registry: SubscriptionRegistry): ExecutionSchedule {
  const { clock } = registry.world;
  const notices = noticeSchedule(registry);
  let wakeAtMs = Number.POSITIVE_INFINITY;
  let cancel: Cancel = () => {};

  function arm(): void {
    const nextMs = nextTryMs(registry, clock.wallMs());
    if (nextMs >= wakeAtMs) return;
    cancel();
    wakeAtMs = nextMs;
    cancel = clock.atWall(nextMs, run);
  }

  function run(): void {
    wakeAtMs = Number.POSITIVE_INFINITY;
    const nowMs = clock.wallMs();
    const ended = [...registry.pending]
      .filter(([dueDate]) => midnight(dueDate) + firstTryMs <= nowMs)
      .flatMap(([, payments]) => tryAll(registry, [...payments], nowMs));
    announce(registry, ended);
    notices.arm();
    arm();
  }

  return { arm };
}

/** @returns the payments that have ended */
function tryAll(
  registry: SubscriptionRegistry,
  payments: readonly SimulatedSubscriptionPayment[],
  nowMs: number,
): { payment: SimulatedSubscriptionPayment; reason: Reason }[] {
  return payments.flatMap((payment) => {
    const last =
      nowMs >= midnight(payment.dueDate) + (payment.gracePeriodDays - 1) * dayMs + lastTryMs;
    const reason = tryToExecute(registry, payment) ?? (last ? fail(registry, payment) : null);
    return reason === null ? [] : [{ payment, reason }];
  });
}

/** Time of the next try by the wall clock; infinite when nothing is pending. */
function nextTryMs({ pending }: SubscriptionRegistry, nowMs: number): number {
  const firstMs = Math.min(
    ...Array.from(pending.keys(), (dueDate) => midnight(dueDate) + firstTryMs),
  );
  if (firstMs > nowMs) return firstMs;
  const todayMs = nowMs - (nowMs % dayMs);
  return (
    triesMs.map((ofDayMs) => todayMs + ofDayMs).find((tryMs) => tryMs > nowMs) ??
    todayMs + dayMs + firstTryMs
  );
}
