/**
 * The daily transfer to the merchant's bank (document 4, section 5): for each payment point and
 * currency the sum of the movements that were not transferred yet, less fees. A sum that is not
 * above 0 after fees is carried over to the next day. Fees are charged once, with the transfer.
 */
import type { Ids } from '../../../core/domain/ids.ts';
import type { Account, Ledger, Movement, NewMovement, ProductType, Transfer } from '../ledger.ts';
import type { Store } from '../point-of-sale/point-of-sale-model.ts';
import type { Policy } from '../policy.ts';
import type { WorldClock } from '../world-clock.ts';

/** Document 4, section 5. Code 06 is that of an online product without a `productType`. */
const productCodes: Readonly<Record<ProductType, string>> = {
  PointOfSale: '01',
  MyShop: '02',
  Subscription: '03',
  Invoice: '04',
  'App payments': '08',
};

interface Context {
  readonly clock: WorldClock;
  readonly ids: Ids;
  readonly ledger: Ledger;
  readonly policy: Policy;
  readonly stores: ReadonlyMap<string, Store>;
}

export function scheduleDailyTransfers(context: Context): void {
  const { clock, ledger, policy } = context;
  let isScheduled = false;
  // A sum that was carried over changes only with further movements, so the next transfer is
  // scheduled with the next movement.
  ledger.onRecord(() => {
    if (isScheduled) return;
    isScheduled = true;
    clock.atTimeOfDay(policy.transfersAt.hours, policy.transfersAt.minutes, () => {
      isScheduled = false;
      for (const account of ledger.accounts.values()) transferAccount(context, account);
    });
  });
}

function transferAccount(context: Context, account: Account): void {
  for (const [key, [first, ...rest]] of account.waiting)
    if (first !== undefined && transfer(context, account, first, [first, ...rest]))
      account.waiting.delete(key);
}

/** @returns false when nothing is left to pay out */
function transfer(
  context: Context,
  account: Account,
  first: Movement,
  waiting: Movement[],
): boolean {
  const { ids, ledger } = context;
  const { transactionFeeMinor, serviceFeePerMille } = context.policy;
  const { merchantVat, paymentPointId, product, currency } = first;
  const payments = waiting.filter(({ type }) => type === 'Payment');
  const serviceFeeMinor = perMilleOf(sum(payments), serviceFeePerMille);
  const totalMinor = sum(waiting) - payments.length * transactionFeeMinor - serviceFeeMinor;
  if (totalMinor <= 0) return false;

  const atMs = ledger.nowMs(merchantVat);
  const reference = transferReference(context, account, first, atMs);
  const added: Transfer = {
    id: ids.uuid(),
    reference,
    merchantVat,
    paymentPointId,
    totalMinor,
    currency,
    atMs,
    movements: waiting,
  };
  for (const movement of waiting) movement.transfer = added;
  const out = { merchantVat, paymentPointId, product, currency };
  const fees = payments.map(
    ({ about }): NewMovement => ({
      ...out,
      type: 'TransactionFee',
      amountMinor: -transactionFeeMinor,
      about,
    }),
  );
  const serviceFee: NewMovement = {
    ...out,
    type: 'ServiceFee',
    amountMinor: -serviceFeeMinor,
    about: {},
  };
  const charged = [...fees, serviceFee].filter(({ amountMinor }) => amountMinor !== 0);
  ledger.addTransfer(added, [
    ...charged,
    { ...out, type: 'Transfer', amountMinor: -totalMinor, about: {} },
  ]);
  return true;
}

const sum = (movements: readonly Movement[]): number =>
  movements.reduce((sumMinor, { amountMinor }) => sumMinor + amountMinor, 0);

/** Rounds to whole minor units, half up. Refunds give no fee back. */
const perMilleOf = (amountMinor: number, perMille: number): number =>
  Math.floor((amountMinor * perMille + 500) / 1_000);

/**
 * 20 characters: product 2, payment point 8, running number 3, DDMMYY, check digit (document 4,
 * section 5).
 */
function transferReference(
  { stores }: Context,
  account: Account,
  { product, paymentPointId }: Movement,
  atMs: number,
): string {
  const prefix = productCodes[product] + pointNumber(stores, paymentPointId);
  const before = account.transfers.filter(({ reference }) => reference.startsWith(prefix)).length;
  const running = String((before % 999) + 1).padStart(3, '0');
  const [year = '', month = '', day = ''] = new Date(atMs).toISOString().split(/[-T]/);
  const text = `${prefix}${running}${day}${month}${year.slice(2)}`;
  return text + checkDigit(text);
}

/**
 * A store's location id ("PoS: location id"). The documents define no number for other payment
 * points, so theirs is derived from their id.
 */
function pointNumber(stores: ReadonlyMap<string, Store>, paymentPointId: string): string {
  const locationId = stores.get(paymentPointId)?.merchantLocationId;
  return (locationId ?? String(Number.parseInt(paymentPointId.slice(0, 8), 16) % 100_000_000))
    .padStart(8, '0')
    .slice(-8);
}

/**
 * The documents name no method. This is mod 10 as on payment cards (Luhn), with letters as two
 * digits, A = 10, as in an ISIN.
 */
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
