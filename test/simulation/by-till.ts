/** The rules about reservations that tills make and decide, as checks (see `invariants.ts`). */
import type { Payment } from '../../main/core/settlement/payment.ts';
import type { Check, Outcome } from './invariants.ts';
import type { ShopTill } from './till.ts';
import type { TillRequest } from './till-request.ts';

export const byTillChecks: readonly Check[] = [
  [2, 'a till believes in a reservation when it is held', believedWhenHeld],
  [2, 'what a till was told of a reservation is what happens', bookedAsTold],
];

/** For each sale, what a till was told as done and has acknowledged. */
export function bookedByTills({
  tills,
  books,
}: Pick<Outcome, 'tills' | 'books'>): Map<string, number | 'released'> {
  const booked = new Map<string, number | 'released'>();
  for (const { requests } of tills) {
    for (const { kind, belief, booking, acknowledged, amountMinor, of } of requests) {
      if (kind !== 'booking' || belief !== 'yes' || !acknowledged || of === null) continue;
      const payment = paymentsOf(books.payments.values(), of).find(
        ({ reservation }) => reservation !== undefined,
      );
      if (payment !== undefined)
        booked.set(
          payment.sale.saleId,
          booking === 'capture' ? (amountMinor as number) : 'released',
        );
    }
  }
  return booked;
}

/** A payment is found by its amount, which is unique in a run. */
const paymentsOf = (payments: Iterable<Payment>, { amountMinor }: TillRequest): Payment[] =>
  [...payments].filter(({ sale }) => sale.by !== 'cashier' && sale.amountMinor === amountMinor);

const reservationsOf = (tills: readonly ShopTill[]): TillRequest[] =>
  tills.flatMap(({ requests }) => requests.filter(({ kind }) => kind === 'reservation'));

/**
 * When a manager decided, or the service released the reservation, before the till asked, the till
 * is told that instead.
 */
function believedWhenHeld({ tills, books, story, meddled, reservations }: Outcome): string[] {
  return reservationsOf(tills).flatMap((request) => {
    const known = paymentsOf(books.payments.values(), request);
    if (known.some(({ sale }) => meddled.has(sale.orderId))) return [];
    const held = known.filter(({ sale }) =>
      story(sale.saleId).some(({ event }) => event.type === 'tillAcknowledged'),
    );
    const { amountMinor, belief, acknowledged } = request;
    if (held.length === 0)
      return belief === 'yes'
        ? `the till believes that ${amountMinor} are reserved, and they never were`
        : [];
    if (held.length > 1 || !acknowledged)
      return `${amountMinor} are held ${held.length} times, and the till has ${acknowledged ? '' : 'not '}acknowledged it`;
    const isDecidedElsewhere = held.every(
      (payment) =>
        reservations.agreed.has(payment.sale.saleId) ||
        ('reason' in payment && payment.reason === 'expired'),
    );
    return belief === 'yes' || isDecidedElsewhere
      ? []
      : `${amountMinor} were held, and the till believes ${belief}`;
  });
}

/** Each reservation is decided once, as the till was told, and with its own receipt number. */
function bookedAsTold({ tills, books, meddled }: Outcome): string[] {
  return tills.flatMap(({ requests }) => {
    const told = requests.filter(({ kind, belief }) => kind === 'booking' && belief === 'yes');
    return [...Map.groupBy(told, ({ of }) => of as TillRequest)].flatMap(
      ([reservation, bookings]) => {
        const [first] = bookings;
        const listed = bookings.map(
          ({ booking, amountMinor, receiptNumber }) =>
            `${booking} ${amountMinor}, receipt ${receiptNumber}`,
        );
        const say = `of the reservation of ${reservation.amountMinor} the till was told: ${listed.join('; ')}`;
        const isOne = bookings.every(
          ({ booking, amountMinor, receiptNumber }) =>
            booking !== 'impossible' &&
            booking === first?.booking &&
            amountMinor === first.amountMinor &&
            receiptNumber === first.receiptNumber,
        );
        if (!isOne) return say;
        if (!bookings.some(({ acknowledged }) => acknowledged))
          return `${say}, and never acknowledged it`;
        const payment = paymentsOf(books.payments.values(), reservation).find(
          (one) => one.reservation !== undefined,
        );
        if (payment === undefined || meddled.has(payment.sale.orderId)) return [];
        const decided = payment.reservation?.booking;
        const isSame =
          decided?.kind === first?.booking &&
          decided?.amountMinor === first?.amountMinor &&
          decided?.receiptNumber === first?.receiptNumber;
        return isSame
          ? []
          : `${say}, and the journal has ${payment.kind} by ${JSON.stringify(decided ?? null)}`;
      },
    );
  });
}
