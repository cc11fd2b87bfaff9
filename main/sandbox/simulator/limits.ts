/**
 * The limits of users (interface document 1, "Limits"): for an identified Danish user a limit of subscription payments in a month, and for a user who is
 * known by a registration number alone a limit of payments in a day, in stores and by subscriptions together. Months and days are those of UTC. A refund
 * does not raise what is left, because the document does not say that it does.
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
  // Few users have a limit, and summing up all payments takes time.
  if (phone.dayLimitMinor === Number.POSITIVE_INFINITY) return true;
  const at = world.at();
  return paidInStores(world, phone, dayOf(at)) + world.spending.onDay(phone.phoneNumber, at) + amountMinor <= phone.dayLimitMinor;
}

/** The payments that were reserved on that day and not released, in minor units. */
function paidInStores({ payments }: World, { phoneNumber }: Phone, day: string): number {
  let sumMinor = 0;
  for (const { phone, status, terms, capturedMinor, history } of payments.values())
    if (phone?.phoneNumber === phoneNumber && history.some((moved) => moved.status === 'Reserved' && dayOf(moved.at) === day))
      sumMinor += status === 'Captured' ? capturedMinor : status === 'Reserved' ? (terms?.amountMinor ?? 0) : 0;
  return sumMinor;
}
