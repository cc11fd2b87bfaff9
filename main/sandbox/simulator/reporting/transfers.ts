/**
 * The daily transfer of what was paid to the merchant's bank (document 4, section 5): for each payment point and currency the sum of
 * what was not transferred yet, less fees. A sum that leaves nothing to pay out is carried over to the next day, and its fees with it:
 * a payment is charged once, when it is transferred.
 */
import type { Account, Movement, ProductType, Transfer } from '../ledger.ts';
import type { World } from '../world.ts';

/** Document 4, section 5. 06 stands for an online product that is no `productType` of its own. */
const productCodes: Readonly<Record<ProductType, string>> = { PointOfSale: '01', MyShop: '02', Subscription: '03', Invoice: '04', 'App payments': '08' };

export function transferWaiting(world: World, account: Account): void {
  for (const [key, movements] of account.waiting) if (transfer(world, account, movements)) account.waiting.delete(key);
}

/** False when nothing is left to pay out. */
function transfer(world: World, account: Account, waiting: Movement[]): boolean {
  const { transactionFeeMinor, serviceFeePerMille } = world.policy;
  const { merchantVat, paymentPointId, product, currency } = waiting[0] as Movement;
  const payments = waiting.filter(({ type }) => type === 'Payment');
  const serviceFeeMinor = perMilleOf(sum(payments), serviceFeePerMille);
  const totalMinor = sum(waiting) - payments.length * transactionFeeMinor - serviceFeeMinor;
  if (totalMinor <= 0) return false;

  const atMs = world.ledger.nowMs(merchantVat);
  const reference = transferReference(world, account, { product, paymentPointId, atMs });
  const booked: Transfer = { id: world.ids.uuid(), reference, merchantVat, paymentPointId, totalMinor, currency, atMs, movements: waiting };
  for (const movement of waiting) movement.transfer = booked;
  const out = { merchantVat, paymentPointId, product, currency };
  const fees =
    transactionFeeMinor === 0 ? [] : payments.map(({ about }) => ({ ...out, type: 'TransactionFee' as const, amountMinor: -transactionFeeMinor, about }));
  const serviceFees = serviceFeeMinor === 0 ? [] : [{ ...out, type: 'ServiceFee' as const, amountMinor: -serviceFeeMinor, about: {} }];
  world.ledger.book(booked, [...fees, ...serviceFees, { ...out, type: 'Transfer', amountMinor: -totalMinor, about: {} }]);
  return true;
}

const sum = (movements: readonly Movement[]): number => movements.reduce((sumMinor, { amountMinor }) => sumMinor + amountMinor, 0);

/** In whole numbers, half up. Refunds give no fee back. */
const perMilleOf = (amountMinor: number, perMille: number): number => Math.floor((amountMinor * perMille + 500) / 1_000);

/** 20 characters: product 2, payment point 8, running number 3, DDMMYY, check digit (document 4, section 5). */
function transferReference(
  world: World,
  account: Account,
  { product, paymentPointId, atMs }: { product: ProductType; paymentPointId: string; atMs: number },
): string {
  const prefix = productCodes[product] + pointNumber(world, paymentPointId);
  const before = account.transfers.filter(({ reference }) => reference.startsWith(prefix)).length;
  const running = String((before % 999) + 1).padStart(3, '0');
  const [year = '', month = '', day = ''] = new Date(atMs).toISOString().split(/[-T]/);
  const text = `${prefix}${running}${day}${month}${year.slice(2)}`;
  return text + checkDigit(text);
}

/** A store's location id ("PoS: location id"); of what has no number, one that follows from its id. */
function pointNumber(world: World, paymentPointId: string): string {
  const locationId = world.stores.get(paymentPointId)?.merchantLocationId;
  return (locationId ?? String(Number.parseInt(paymentPointId.slice(0, 8), 16) % 100_000_000)).padStart(8, '0').slice(-8);
}

/** The documents name no method: mod 10 as on payment cards (Luhn); a letter counts as two digits, A = 10, as in an ISIN. */
export function checkDigit(text: string): string {
  const digits = Array.from(text, (character) => Number.parseInt(character, 36)).join('');
  let total = 0;
  for (let place = 0; place < digits.length; place += 1) {
    const digit = Number(digits[digits.length - 1 - place]);
    const weighted = place % 2 === 0 ? digit * 2 : digit;
    total += weighted > 9 ? weighted - 9 : weighted;
  }
  return String((10 - (total % 10)) % 10);
}
