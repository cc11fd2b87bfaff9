/** "The user is notified at about 08:30 on each day of the grace period" (interface document 1, "Subscription payment request", rule 4). In UTC. */
import type { SimulatedSubscriptionPayment } from './model.ts';
import type { SubscriptionRegistry } from './registry.ts';

interface NoticeSchedule {
  /** To be called after attempts to take payments. */
  readonly arm: () => void;
}

export function noticeSchedule(registry: SubscriptionRegistry): NoticeSchedule {
  const { clock } = registry.world;
  let isArmed = false;

  function arm(): void {
    if (isArmed || suspended(registry).length === 0) return;
    isArmed = true;
    clock.atTimeOfDay(8, 30, () => {
      isArmed = false;
      notify(registry);
      arm();
    });
  }

  return { arm };
}

const suspended = ({ pending }: SubscriptionRegistry): SimulatedSubscriptionPayment[] =>
  [...pending.values()].flatMap((payments) => [...payments]).filter(({ status }) => status === 'Suspended');

/** Without the payments of agreements that have ended, because the user cannot pay those manually either. */
function notify(registry: SubscriptionRegistry): void {
  const at = registry.world.at();
  for (const payment of suspended(registry)) {
    const { agreement } = payment;
    if (agreement?.status === 'Accepted') registry.notices.push({ payment, phoneNumber: agreement.phoneNumber ?? '', at });
  }
}
