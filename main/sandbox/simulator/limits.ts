/**
 * The limits of users. Document 1, "Limits": an identified Danish user has a limit of subscription
 * payments in a month, and a user who is known by a registration number alone has a limit of
 * payments in a day. Document 3, "App payment": the limit of a day or a year bounds the amount of
 * an app payment. The day counts what is paid in stores, by subscriptions and in the app. Days,
 * months and years are those of UTC. A refund does not raise what is left, because the documents do
 * not say that it does.
 */
import type { Phone } from './phone.ts';
import { dayOf, yearOf } from './spending.ts';
import type { World } from './world.ts';

/**
 * The highest amount of a subscription or one-off payment, of merchants in Denmark and in Finland
 * (document 1, "Limits").
 */
export const maxPaymentMinor = { DKK: 300_000_00, EUR: 2_000_00 } as const;

export const mayPayInStore = (world: World, phone: Phone, amountMinor: number): boolean =>
  world.rules < 2 || isWithinDay(world, phone, amountMinor);

export function mayPayBySubscription(world: World, phone: Phone, amountMinor: number): boolean {
  if (world.rules < 2) return true;
  const isWithinMonth =
    world.spending.inMonth(phone.phoneNumber, world.at()) + amountMinor <= phone.monthLimitMinor;
  return isWithinMonth && isWithinDay(world, phone, amountMinor);
}

export const mayPayInApp = (world: World, phone: Phone, amountMinor: number): boolean =>
  world.rules < 3 ||
  (isWithinDay(world, phone, amountMinor) && isWithinYear(world, phone, amountMinor));

function isWithinDay(world: World, phone: Phone, amountMinor: number): boolean {
  // Few users have a limit, and summing up all payments takes time.
  if (phone.dayLimitMinor === Number.POSITIVE_INFINITY) return true;
  const at = world.at();
  const { phoneNumber } = phone;
  const inAppMinor = world.rules < 3 ? 0 : world.appSpending.onDay(phoneNumber, at);
  return (
    paidInStores(world, phone, dayOf(at)) +
      world.spending.onDay(phoneNumber, at) +
      inAppMinor +
      amountMinor <=
    phone.dayLimitMinor
  );
}

function isWithinYear(world: World, phone: Phone, amountMinor: number): boolean {
  if (phone.yearLimitMinor === Number.POSITIVE_INFINITY) return true;
  const at = world.at();
  const { phoneNumber } = phone;
  const paidMinor =
    paidInStores(world, phone, yearOf(at)) +
    world.spending.inYear(phoneNumber, at) +
    world.appSpending.inYear(phoneNumber, at);
  return paidMinor + amountMinor <= phone.yearLimitMinor;
}

/** The payments that were reserved in that day or year and not released, in minor units. */
function paidInStores({ payments }: World, { phoneNumber }: Phone, period: string): number {
  let sumMinor = 0;
  for (const { phone, status, terms, capturedMinor, history } of payments.values())
    if (
      phone?.phoneNumber === phoneNumber &&
      history.some((moved) => moved.status === 'Reserved' && moved.at.startsWith(period))
    )
      sumMinor +=
        status === 'Captured'
          ? capturedMinor
          : status === 'Reserved'
            ? (terms?.amountMinor ?? 0)
            : 0;
  return sumMinor;
}
