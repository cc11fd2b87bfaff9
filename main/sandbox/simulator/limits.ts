/**
 * What users may pay (interface document 1, "Limits"): a Danish one who is identified so much by subscriptions in a month, one who is known by a
 * registration number alone so much in a day, in stores and by subscriptions together. Months and days are those of UTC. A refund gives nothing
 * back: the document does not say that it does.
 */
import type { Phone } from './phone.ts';
import { dayOf } from './spending.ts';
import type { World } from './world.ts';

export const mayPayInStore = (world: World, phone: Phone, amountMinor: number): boolean => world.rules < 2 || isWithinDay(world, phone, amountMinor);

export function mayPayBySubscription(world: World, phone: Phone, amountMinor: number): boolean {
  if (world.rules < 2) return true;
  const isWithinMonth = world.spending.inMonth(phone.phoneNumber, world.at()) + amountMinor <= phone.monthLimitMinor;
  return isWithinMonth && isWithinDay(world, phone, amountMinor);
}

function isWithinDay(world: World, phone: Phone, amountMinor: number): boolean {
  // Few users have one, and looking through all payments takes its time.
  if (phone.dayLimitMinor === Number.POSITIVE_INFINITY) return true;
  const at = world.at();
  return paidInStores(world, phone, dayOf(at)) + world.spending.onDay(phone.phoneNumber, at) + amountMinor <= phone.dayLimitMinor;
}

/** What was reserved on that day and not released. */
function paidInStores({ payments }: World, { phoneNumber }: Phone, day: string): number {
  let sumMinor = 0;
  for (const { phone, status, terms, capturedMinor, history } of payments.values())
    if (phone?.phoneNumber === phoneNumber && history.some((moved) => moved.status === 'Reserved' && dayOf(moved.at) === day))
      sumMinor += status === 'Captured' ? capturedMinor : status === 'Reserved' ? (terms?.amountMinor ?? 0) : 0;
  return sumMinor;
}
