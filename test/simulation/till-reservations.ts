import { decodeBcd, encodeBcd } from '../../main/tills/zvt/bcd.ts';
import { BMP, parseFields } from '../../main/tills/zvt/bitmaps.ts';
import { encodePacket } from '../../main/tills/zvt/packets.ts';
import { parseTlv, TAG } from '../../main/tills/zvt/tlv.ts';
import type { Chance } from './random.ts';
import { amountFields } from './till-fields.ts';
import { type TillCommand, type TillRequest, unheard } from './till-request.ts';

/** A command, and the request that it makes; null where it is about no money. */
interface ReservationCommand extends TillCommand {
  readonly request: TillRequest | null;
}

/** A reservation that the till intends to decide about, and how many more times it will try. */
interface ToDecide {
  readonly reservation: TillRequest;
  attemptsLeft: number;
}

/**
 * What a till does with reservations: makes them, captures and releases them, and asks for the list
 * of open ones.
 */
export class TillReservations {
  readonly #chance: Chance;
  /** All of the till. */
  readonly #requests: readonly TillRequest[];
  readonly #nextAmount: () => number;
  #left: number;
  #wrongNumbersLeft = 3;
  readonly #toDecide: ToDecide[] = [];
  readonly #bookings = new Map<TillRequest, TillCommand>();

  constructor(chance: Chance, requests: readonly TillRequest[], nextAmount: () => number) {
    this.#chance = chance;
    this.#requests = requests;
    this.#nextAmount = nextAmount;
    this.#left = chance.between(1, 8);
  }

  /** Whether all are made and decided. */
  get areDone(): boolean {
    return this.#left === 0 && this.#toDecide.length === 0;
  }

  /** @returns null when the till does something else now */
  next(): ReservationCommand | null {
    const chance = this.#chance;
    if (this.#left > 0 && chance.is(0.4)) {
      this.#left -= 1;
      const amountMinor = this.#nextAmount();
      const packet = encodePacket('preauthorisation', { fields: amountFields(amountMinor) });
      return {
        what: 'preauthorisation',
        packet,
        request: { ...unheard, kind: 'reservation', amountMinor },
      };
    }
    if (!this.areDone && chance.is(0.1)) {
      const fields = new Map<number, Uint8Array>([[BMP.receiptNumber, anyReceipt]]);
      if (chance.is(0.5)) fields.set(BMP.tlv, new Uint8Array(0));
      return {
        what: 'partialReversal',
        packet: encodePacket('partialReversal', { fields }),
        request: null,
      };
    }
    if (this.#toDecide.length === 0 || chance.is(0.4)) return null;
    const one = chance.one(this.#toDecide);
    one.attemptsLeft -= 1;
    if (one.attemptsLeft <= 0) this.#toDecide.splice(this.#toDecide.indexOf(one), 1);
    const booking = this.#book(one.reservation);
    this.#bookings.set(booking.request, booking);
    return booking;
  }

  /**
   * The command of a booking whose end was lost, when the till sends it again instead of asking for
   * the last receipt.
   */
  repetitionOf(request: TillRequest): TillCommand | null {
    const sent = this.#bookings.get(request);
    return sent !== undefined && this.#chance.is(0.5) ? sent : null;
  }

  /**
   * Notes that a reservation was made, or a booking done. Now and then a reservation is forgotten,
   * and a decided one is tried again.
   */
  done(request: TillRequest): void {
    const chance = this.#chance;
    if (request.kind === 'reservation' && !chance.is(0.03))
      this.#toDecide.push({ reservation: request, attemptsLeft: chance.between(3, 8) });
    if (request.kind !== 'booking') return;
    const at = this.#toDecide.findIndex(({ reservation }) => reservation === request.of);
    const one = this.#toDecide[at];
    if (
      one !== undefined &&
      (!chance.is(0.4) || (one.attemptsLeft = Math.min(one.attemptsLeft, 2)) < 1)
    )
      this.#toDecide.splice(at, 1);
  }

  /**
   * Checks the terminal's list of open reservations: only this till's own, and only those that it
   * has not decided. @returns what is wrong in it
   */
  wrongIn(list: Uint8Array): string[] {
    const parsed = parseFields(list);
    if (!parsed.ok) return ['the list of reservations cannot be read'];
    const listed = [
      parsed.fields.get(BMP.receiptNumber),
      ...parseTlv(parsed.fields.get(BMP.tlv) ?? new Uint8Array(0)).flatMap(({ tag, value }) =>
        tag === TAG.openReservations ? parseTlv(value).map((one) => one.value) : [],
      ),
    ];
    return listed.flatMap((bytes) => {
      const number = bytes === undefined ? null : decodeBcd(bytes);
      if (number === null) return [];
      const reservation = this.#requests.find(
        ({ kind, receiptNumber }) => kind === 'reservation' && receiptNumber === number,
      );
      if (reservation === undefined || reservation.belief === 'no')
        return [`reservation ${number} is listed, which the till does not know`];
      return this.#bookingDone(reservation) === undefined
        ? []
        : [`reservation ${number} is listed, which the till has decided`];
    });
  }

  /** Books the reservation rightly, wrongly, or as it was told before. */
  #book(reservation: TillRequest): ReservationCommand & { readonly request: TillRequest } {
    const chance = this.#chance;
    const done = this.#bookingDone(reservation);
    const sent = done === undefined ? undefined : this.#bookings.get(done);
    if (done !== undefined && sent !== undefined && chance.is(0.5))
      return {
        ...sent,
        request: {
          ...unheard,
          kind: 'booking',
          of: reservation,
          booking: done.booking,
          amountMinor: done.amountMinor,
        },
      };
    const reservedMinor = reservation.amountMinor as number;
    const what = chance.one([
      'bookTotal',
      'bookTotal',
      'partialReversal',
      'preauthorisationReversal',
      'preauthorisationReversalByTrace',
    ] as const);
    const isTooMuch = chance.is(0.06);
    const isWrongNumber = !isTooMuch && this.#wrongNumbersLeft > 0 && chance.is(0.05);
    if (isWrongNumber) this.#wrongNumbersLeft -= 1;
    const asksNoAmount = what !== 'preauthorisationReversalByTrace' && chance.is(0.35);
    const isBack =
      what === 'preauthorisationReversal' || what === 'preauthorisationReversalByTrace';
    const rightMinor = isBack || chance.is(0.1) ? reservedMinor : chance.between(0, reservedMinor);
    const named = isTooMuch
      ? reservedMinor + chance.between(1, 500)
      : asksNoAmount
        ? null
        : rightMinor;
    const capturedMinor = isBack
      ? 0
      : what === 'bookTotal'
        ? (named ?? reservedMinor)
        : reservedMinor - (named ?? 0);
    const fields = named === null ? new Map<number, Uint8Array>() : amountFields(named);
    const receiptNumber = isWrongNumber
      ? chance.between(9_000, 9_900)
      : (reservation.receiptNumber as number);
    if (what !== 'preauthorisationReversalByTrace')
      fields.set(BMP.receiptNumber, encodeBcd(receiptNumber, 2));
    if (what === 'preauthorisationReversalByTrace' || chance.is(0.2))
      fields.set(
        BMP.traceNumber,
        encodeBcd(
          isWrongNumber ? chance.between(900_000, 990_000) : (reservation.traceNumber as number),
          3,
        ),
      );
    const booking =
      isTooMuch || isWrongNumber ? 'impossible' : capturedMinor === 0 ? 'release' : 'capture';
    const amountMinor = capturedMinor > 0 ? capturedMinor : reservedMinor;
    return {
      what,
      packet: encodePacket(what, { fields }),
      request: { ...unheard, kind: 'booking', of: reservation, booking, amountMinor },
    };
  }

  #bookingDone(reservation: TillRequest): TillRequest | undefined {
    return this.#requests.find(
      ({ kind, of, belief }) => kind === 'booking' && of === reservation && belief === 'yes',
    );
  }
}

const anyReceipt = Uint8Array.of(0xff, 0xff);
