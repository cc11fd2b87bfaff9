/** What users are told about payments that could not be taken. */
import { nextLocalTime } from '../local-time.ts';
import type { SimulatedAgreement, SimulatedSubscriptionPayment } from './subscription-model.ts';
import type { SubscriptionRegistry } from './subscription-registry.ts';

interface NoticeSchedule {
  /** To be called after attempts to take payments. */
  readonly arm: () => void;
}

/**
 * "SMS for failing payments: sent 10:00 in Denmark, 11:00 in Finland" (interface document 1,
 * "Limits").
 */
const smsTimes = {
  DK: { timeZone: 'Europe/Copenhagen', hours: 10 },
  FI: { timeZone: 'Europe/Helsinki', hours: 11 },
} as const;

export function noticeSchedule(registry: SubscriptionRegistry): NoticeSchedule {
  const { world } = registry;
  const { clock } = world;

  /** Runs `act` at its time on each day on which there are such payments. */
  function daily(
    payments: () => readonly Unpaid[],
    nextMs: (nowMs: number) => number,
    act: (payments: readonly Unpaid[]) => void,
  ): () => void {
    let isArmed = false;
    return function arm(): void {
      if (isArmed || payments().length === 0) return;
      isArmed = true;
      clock.atWall(nextMs(clock.wallMs()), () => {
        isArmed = false;
        act(payments());
        arm();
      });
    };
  }

  const messages = (['DK', 'FI'] as const).map((country) =>
    daily(
      () =>
        world.rules < 3
          ? []
          : suspended(registry).filter(({ agreement }) => agreement?.countryCode === country),
      (nowMs) => nextLocalTime(nowMs, smsTimes[country].timeZone, smsTimes[country].hours, 0),
      (payments) => sendTextMessages(registry, payments),
    ),
  );
  // "The user is notified at about 08:30 on each day of the grace period" (document 1,
  // "Subscription payment request", rule 4).
  const notices = daily(
    () => suspended(registry),
    (nowMs) => nextLocalTime(nowMs, 'UTC', 8, 30),
    (payments) => notify(registry, payments),
  );

  return { arm: () => [notices, ...messages].forEach((arm) => arm()) };
}

type Unpaid = SimulatedSubscriptionPayment;

const suspended = ({ pending }: SubscriptionRegistry): Unpaid[] =>
  [...pending.values()]
    .flatMap((payments) => [...payments])
    .filter(({ status }) => status === 'Suspended');

/**
 * Without the payments of agreements that have ended, because the user cannot pay those manually
 * either.
 */
const active = (
  payments: readonly Unpaid[],
): { payment: Unpaid; agreement: SimulatedAgreement; phoneNumber: string }[] =>
  payments.flatMap((payment) => {
    const { agreement } = payment;
    return agreement?.status === 'Accepted'
      ? [{ payment, agreement, phoneNumber: agreement.phoneNumber ?? '' }]
      : [];
  });

function notify(registry: SubscriptionRegistry, payments: readonly Unpaid[]): void {
  const at = registry.world.at();
  for (const { payment, agreement, phoneNumber } of active(payments))
    registry.notices.push({ payment, phoneNumber, at, isPushed: hasPush(registry, agreement) });
}

function sendTextMessages(
  { world, textMessages }: SubscriptionRegistry,
  payments: readonly Unpaid[],
): void {
  const at = world.at();
  for (const { payment, phoneNumber } of active(payments))
    textMessages.push({ payment, phoneNumber, at });
}

/** "Honoured only by app versions from 5.0.0" (document 1, "Agreement"). */
export function hasPush(
  { world }: SubscriptionRegistry,
  { notificationsOn, phoneNumber }: SimulatedAgreement,
): boolean {
  const [majorVersion] = world.phoneByNumber(phoneNumber ?? '').appVersion.split('.');
  return notificationsOn || Number(majorVersion) < 5;
}
