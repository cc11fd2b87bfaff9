/**
 * What some tills do beside the standard: bitmaps that nobody knows, anywhere in a money command;
 * and any 06 0F taken for "paid".
 */
import { BMP, fieldSpans } from '../../main/tills/zvt/bitmaps.ts';
import { encodeApdu, decodeApdu } from '../../main/tills/zvt/apdu.ts';
import { encodeCurrency } from '../../main/tills/zvt/currency.ts';
import { type PacketName, packets } from '../../main/tills/zvt/packet-table.ts';
import { encodePacket, type TillAnswer } from '../../main/tills/zvt/packets.ts';
import type { Chance } from './random.ts';
import { amountFields } from './till-fields.ts';

/** Its length is not declared. */
const unknownBitmap = [0x5a, 0x99];

export class TillOddities {
  readonly #chance: Chance;
  readonly #sendsUnknownBitmaps: boolean;
  /** It asks for the status while it pays, as tills do by a timer. */
  readonly #polls: boolean;
  #poll: 'none' | 'asked' | 'accepted' = 'none';
  /** Aborts that were sent before the enquiry, and are answered before it. */
  #abortsBefore = 0;

  constructor(chance: Chance) {
    this.#chance = chance;
    this.#sendsUnknownBitmaps = chance.is(0.5);
    this.#polls = chance.is(0.5);
  }

  /** A payment, now and then in another currency than the lane's. */
  sale(amountMinor: number): { readonly packet: Uint8Array; readonly isForeign?: true } {
    const isForeign = this.#sendsUnknownBitmaps && this.#chance.is(0.3);
    // Between amount and currency stands a field, so that an unknown bitmap may come right before
    // the currency.
    const fields = amountFields(amountMinor).set(BMP.statusByte, Uint8Array.of(0x40));
    if (isForeign) fields.set(BMP.currency, encodeCurrency('EUR'));
    return {
      packet: this.spoilt('authorisation', encodePacket('authorisation', { fields })),
      ...(isForeign && { isForeign }),
    };
  }

  /** The command with an unknown bitmap before one of its fields, or behind all of them. */
  spoilt(name: PacketName, packet: Uint8Array): Uint8Array {
    const data = decodeApdu(packet)?.data;
    if (data === undefined || !this.#sendsUnknownBitmaps || this.#chance.is(0.5)) return packet;
    const { classByte, instruction, parts } = packets[name];
    const begin = parts.reduce((sum, { byteCount }) => sum + byteCount, 0);
    const places = [begin, ...fieldSpans(data.subarray(begin)).map(({ to }) => begin + to)];
    const at = this.#chance.one(places);
    return encodeApdu({
      classByte,
      instruction,
      data: Uint8Array.of(...data.subarray(0, at), ...unknownBitmap, ...data.subarray(at)),
    });
  }

  /**
   * Asks for the status in the middle of a payment. @param abortsUnanswered those that were sent
   * before
   */
  poll(put: (apdu: Uint8Array) => void, abortsUnanswered: number): void {
    if (!this.#polls || this.#poll !== 'none') return;
    this.#poll = 'asked';
    this.#abortsBefore = abortsUnanswered;
    put(encodePacket('statusEnquiry'));
  }

  /** When it asks for the status, after its payment began. */
  get pollsAfterMs(): number {
    return this.#chance.steeply(50, 20_000);
  }

  /** Until it is answered, the till sends nothing else: answers carry no number. */
  get isPolling(): boolean {
    return this.#poll !== 'none';
  }

  /** @returns whether it answers the enquiry */
  takesAnswer({ positive }: TillAnswer): boolean {
    if (this.#poll !== 'asked') return false;
    if (this.#abortsBefore > 0) {
      this.#abortsBefore -= 1;
      return false;
    }
    this.#poll = positive ? 'accepted' : 'none';
    return true;
  }

  /** @returns whether it is the end of the enquiry */
  takesEnd(name: PacketName): boolean {
    if (this.#poll !== 'accepted' || name !== 'completion') return false;
    this.#poll = 'none';
    return true;
  }

  /** The connection is another one. */
  forget(): void {
    this.#poll = 'none';
  }
}
