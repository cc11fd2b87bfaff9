/**
 * Conversations between a till (T) and a terminal (P), as bytes: published ones, and what follows
 * from the standard (ZVT PA00P015, PA00P016) for a terminal without cards. Each line is a packet;
 * `✓`: the other side answers it with 80 00 00. Of the terminal's packets, what differs from one
 * terminal to another is named by its kind: `dd` two decimal digits, `xx` a byte, `a|b` one of two,
 * `..` any bytes. `P?` may be left out; `PRINT` stands for the lines or blocks of a receipt; behind
 * `=` is what a terminal really said.
 *
 * `@`: what happens at the lane. `approve`: the customer has, and the till is told; `end`: the lane
 * has decided, as the till answered; `late`: what the till sends from now on comes too late to
 * cancel; `busy`, `ready`; `wait` so many milliseconds.
 */
import type { Currency } from '../../main/core/domain/money.ts';

export interface Conversation {
  readonly name: string;
  readonly currency?: Currency;
  /**
   * Amount of the payment, refund or booking. Its receipt and trace number are the same unless both
   * are given.
   */
  readonly amountMinor?: number;
  readonly receipt?: number;
  readonly trace?: number;
  /** The payment that is refunded or booked. */
  readonly original?: {
    readonly receipt: number;
    readonly trace: number;
    readonly amountMinor: number;
  };
  /**
   * The lane's answer to a refund or a booking, or to a request for the last receipt; by default it
   * carries it out.
   */
  readonly lane?:
    | 'alreadyRefunded'
    | 'amountDiffers'
    | 'unknownReservation'
    | 'amountTooHigh'
    | 'noOpenOnes'
    | 'oneOpen'
    | 'twoOpen'
    | 'lastPaid'
    | 'lastCancelled';
  readonly said: string;
}

const tid = '29 dd dd dd dd';
const cardName = '8B F1 F4 4D 6F 62 69 6C 65 20 77 61 6C 6C 65 74 00';
/** Payment type: some tills print a line for a signature after 60. */
const type = '19 70';
const cancelled = '3C F0 F2 F1 43 61 6E 63 65 6C 6C 65 64 20 61 74 20 74 68 65 20 74 69 6C 6C';
const at1015 = '0C 10 15 00 0D 11 22';
/**
 * The shortest end of a payment that was told as paid and not taken; a terminal may end it without
 * saying so again.
 */
const taken = 'P 04 0F xx 27 6C .. ✓';
/** A registration without printing, intermediate status or TLV. */
const registered = (currency: '09 78' | '02 08'): string => `
      T 06 00 06 12 34 56 00 ${currency}
      P 80 00 00
      P 06 0F 0A 19 00 ${tid} 49 ${currency} ✓`;

export const conversations: readonly Conversation[] = [
  {
    name: 'registration of a till that takes text blocks',
    currency: 'EUR',
    said: `
      T 06 00 10 12 34 56 3E 09 78 03 03 06 06 26 04 0A 02 06 D3
      P 80 00 00
      P 06 0F xx 19 00 ${tid} 49 09 78 .. ✓`,
  },
  {
    name: 'registration with everything that a till can say',
    currency: 'EUR',
    said: `
      T 06 00 63 00 00 00 FE 09 78 03 00 06 59 10 02 16 02 12 01 40 1A 02 10 00 26 28 0A 02 04 0F 0A 02 06 0F 0A 02 06 1E 0A 02 04 FF 0A 02 06 D8 0A 02 06 DB 0A 02 06 D9 0A 02 06 DA 0A 02 06 DD 0A 02 06 D3 27 03 14 01 FF 28 10 15 02 44 45 15 02 45 4E 15 02 46 52 15 02 49 54 40 02 C0 00 1F 04 02 F1 00 1F 05 01 00
      P 80 00 00
      P 06 0F xx 19 00 ${tid} 49 09 78 .. ✓`,
  },
  {
    name: 'registration, then one in another currency: the first one stays',
    said: `
      T 06 00 25 12 34 56 BE 02 08 03 01 06 1B 12 01 48 1A 02 08 00 26 08 0A 02 06 D3 0A 02 04 01 27 03 14 01 FE 1F 04 02 A0 00
      P 80 00 00
      P 06 0F xx 19 00 ${tid} 49 02 08 .. ✓
      T 06 00 06 12 34 56 9E 07 52
      P 84 1E 03 6F 02 08
      T 06 01 0A 04 00 00 00 00 12 34 49 02 08
      P 80 00 00
      P 04 FF xx FF dd 06 xx 24 xx 07 xx .. ✓ = 04 FF 18 FF 03 06 14 24 12 07 10 53 63 61 6E 20 74 68 65 20 51 52 20 63 6F 64 65`,
  },
  {
    name: 'registration that offers message numbers: they are not taken',
    currency: 'EUR',
    said: `
      T 06 00 14 00 00 00 9E 09 78 06 0C 26 04 0A 02 06 D3 1F 73 03 00 00 00
      P 80 00 00
      P 06 0F xx 19 00 ${tid} 49 09 78 .. ✓
      T 05 01 05 12 34 56 03 02
      P 80 00 00
      P 06 0F 01 00 ✓`,
  },
  {
    name: 'log-off has no completion',
    said: `
      T 06 02 00
      P 80 00 00`,
  },
  {
    name: 'status enquiries: the version and its status, without it, and while something runs',
    said: `
      T 05 01 05 12 34 56 03 04
      P 80 00 00
      P 06 0F xx F0 Fx Fx .. 00 .. ✓
      T 05 01 03 12 34 56
      P 80 00 00
      P 06 0F xx F0 Fx Fx .. 00 ✓
      @ busy
      T 05 01 05 12 34 56 03 07
      P 80 00 00
      P 06 0F 01 9C ✓`,
  },
  {
    name: 'payment of which the till builds the receipt',
    currency: 'EUR',
    amountMinor: 5_050,
    receipt: 163,
    said: `
      T 06 00 06 12 34 56 08 09 78
      P 80 00 00
      P 06 0F 0A 19 00 ${tid} 49 09 78 ✓
      T 06 01 07 04 00 00 00 00 50 50
      P 80 00 00
      P 04 FF 01 0E ✓
      @ approve
      P 04 0F 32 27 00 04 00 00 00 00 50 50 0B 00 01 63 ${at1015} ${type} ${tid} 49 09 78 87 01 63 ${cardName} ✓
      @ end
      P 06 0F 00 ✓`,
  },
  {
    name: 'payment with its receipt, final with the answer to the last print packet',
    amountMinor: 10_100,
    receipt: 42,
    said: `
      T 06 00 25 12 34 56 BE 02 08 03 01 06 1B 12 01 48 1A 02 08 00 26 08 0A 02 06 D3 0A 02 04 01 27 03 14 01 FE 1F 04 02 A0 00
      P 80 00 00
      P 06 0F xx 19 00 ${tid} 49 02 08 .. ✓
      T 06 01 0E 04 00 00 00 01 01 00 49 02 08 19 40 06 00
      P 80 00 00
      P 04 FF xx FF dd 06 xx 24 xx 07 xx .. ✓ = 04 FF 18 FF 03 06 14 24 12 07 10 53 63 61 6E 20 74 68 65 20 51 52 20 63 6F 64 65
      @ approve
      P 04 0F xx 27 00 04 00 00 00 01 01 00 0B 00 00 42 ${at1015} ${type} ${tid} 49 02 08 87 00 42 ${cardName} .. ✓
      PRINT ✓
      @ end
      P 06 0F 00 ✓`,
  },
  {
    name: 'payment at a till without paper: it is not taken',
    amountMinor: 10_100,
    receipt: 42,
    said: `
      T 06 00 06 12 34 56 82 02 08
      P 80 00 00
      P 06 0F 0A 19 00 ${tid} 49 02 08 ✓
      T 06 01 0A 04 00 00 00 01 01 00 49 02 08
      P 80 00 00
      @ approve
      P 04 0F 32 27 00 .. ✓
      P 06 D1 ..
      T 84 CC 00
      @ end
      ${taken}
      P 06 1E 01 6C ✓`,
  },
  {
    name: 'payment that is cancelled while the customer has not approved',
    amountMinor: 10_100,
    receipt: 43,
    said: `
      T 06 00 06 12 34 56 08 02 08
      P 80 00 00
      P 06 0F 0A 19 00 ${tid} 49 02 08 ✓
      T 06 01 0A 04 00 00 00 01 01 00 49 02 08
      P 80 00 00
      P 04 FF 01 0E ✓
      T 06 B0 00
      P 80 00 00
      P 04 0F 4B 27 6C 04 00 00 00 01 01 00 0B 00 00 43 ${at1015} ${type} ${tid} 49 02 08 87 00 43 ${cancelled} ${cardName} ✓
      P 06 1E 01 6C ✓`,
  },
  {
    name: 'abort that comes too late: the payment goes on',
    amountMinor: 10_100,
    receipt: 44,
    said: `
      T 06 01 0A 04 00 00 00 01 01 00 49 02 08
      P 80 00 00
      @ late
      T 06 B0 00
      P 84 83 00
      @ approve
      P 04 0F 32 27 00 04 00 00 00 01 01 00 0B 00 00 44 ${at1015} ${type} ${tid} 49 02 08 87 00 44 ${cardName} ✓
      @ end
      P 06 0F 00 ✓`,
  },
  {
    name: 'abort that crosses a packet of the terminal',
    amountMinor: 10_100,
    receipt: 45,
    said: `
      T 06 00 06 12 34 56 08 02 08
      P 80 00 00
      P 06 0F 0A 19 00 ${tid} 49 02 08 ✓
      T 06 01 0A 04 00 00 00 01 01 00 49 02 08
      P 80 00 00
      P 04 FF 01 0E
      T 06 B0 00
      P 80 00 00
      T 80 00 00
      P 04 0F 4B 27 6C 04 00 00 00 01 01 00 0B 00 00 45 ${at1015} ${type} ${tid} 49 02 08 87 00 45 ${cancelled} ${cardName} ✓
      P 06 1E 01 6C ✓`,
  },
  {
    name: 'abort while nothing runs',
    said: `
      T 06 B0 00
      P 80 00 00`,
  },
  {
    name: 'abort between the result and its answer, which decides',
    amountMinor: 10_100,
    receipt: 44,
    said: `
      T 06 01 0A 04 00 00 00 01 01 00 49 02 08
      P 80 00 00
      @ approve
      P 04 0F 32 27 00 ..
      @ late
      T 06 B0 00
      P 84 83 00
      T 80 00 00
      @ end
      P 06 0F 00 ✓`,
  },
  {
    name: 'goods that come later, and for a part: what was handed out is taken',
    amountMinor: 2_500,
    receipt: 46,
    said: `
      T 06 01 0C 04 00 00 00 00 25 00 02 03 49 02 08
      P 80 00 00
      @ approve
      P 04 0F 32 27 00 04 00 00 00 00 25 00 0B 00 00 46 ${at1015} ${type} ${tid} 49 02 08 87 00 46 ${cardName}
      T 84 9C 00
      @ wait 2000
      P 04 0F 32 27 00 04 00 00 00 00 25 00 0B 00 00 46 ${at1015} ${type} ${tid} 49 02 08 87 00 46 ${cardName}
      T 84 9D 07 04 00 00 00 00 15 00
      @ end
      P 06 0F 00 ✓`,
  },
  {
    name: 'goods that cannot be handed out: nothing is taken',
    amountMinor: 2_500,
    receipt: 46,
    said: `
      T 06 01 0C 04 00 00 00 00 25 00 02 03 49 02 08
      P 80 00 00
      @ approve
      P 04 0F 32 27 00 ..
      T 84 66 00
      @ end
      ${taken}
      P 06 1E 01 6C ✓`,
  },
  {
    name: 'reservation with a reference of the till, nothing printed',
    currency: 'EUR',
    amountMinor: 2_500,
    receipt: 231,
    trace: 975,
    said: `
      T 06 22 1E 19 40 49 09 78 04 00 00 00 00 25 00 06 10 E9 0E 1F 62 02 41 43 1F 63 06 33 38 34 48 48 32
      P 80 00 00
      @ approve
      P 04 0F xx 27 00 04 00 00 00 00 25 00 0B 00 09 75 ${at1015} ${type} ${tid} 49 09 78 87 02 31 ${cardName} .. ✓
      @ end
      P 06 0F 00 ✓`,
  },
  {
    name: 'reservation, booked for less by what was not used',
    currency: 'EUR',
    amountMinor: 1_205,
    receipt: 233,
    trace: 981,
    original: { receipt: 231, trace: 975, amountMinor: 2_500 },
    said: `${registered('09 78')}
      T 06 23 0F 19 40 87 02 31 49 09 78 04 00 00 00 00 12 95
      P 80 00 00
      P 04 0F xx 27 00 04 00 00 00 00 12 05 0B 00 09 81 37 00 09 75 ${at1015} ${type} ${tid} 49 09 78 87 02 33 .. ✓
      P 06 0F 00 ✓`,
  },
  {
    name: 'reservation, booked by what was used',
    amountMinor: 1_205,
    receipt: 233,
    trace: 981,
    original: { receipt: 231, trace: 975, amountMinor: 2_500 },
    said: `${registered('02 08')}
      T 06 24 0D 87 02 31 04 00 00 00 00 12 05 49 02 08
      P 80 00 00
      P 04 0F xx 27 00 04 00 00 00 00 12 05 0B 00 09 81 37 00 09 75 ${at1015} ${type} ${tid} 49 02 08 87 02 33 .. ✓
      P 06 0F 00 ✓`,
  },
  {
    name: 'reservation, booked for more than it is',
    lane: 'amountTooHigh',
    said: `${registered('02 08')}
      T 06 24 0D 87 02 31 04 00 00 00 00 99 00 49 02 08
      P 80 00 00
      P 04 0F xx 27 B7 .. ✓
      P 06 1E 01 B7 ✓`,
  },
  {
    name: 'reservation that does not exist',
    lane: 'unknownReservation',
    said: `${registered('02 08')}
      T 06 23 0A 87 09 99 04 00 00 00 00 00 00
      P 80 00 00
      P 04 0F xx 27 B8 .. ✓
      P 06 1E 01 B8 ✓`,
  },
  {
    name: 'reservation that is given back',
    currency: 'EUR',
    amountMinor: 2_500,
    receipt: 232,
    trace: 977,
    original: { receipt: 231, trace: 975, amountMinor: 2_500 },
    said: `${registered('09 78')}
      T 06 25 08 19 40 87 02 31 49 09 78
      P 80 00 00
      P 04 0F xx 27 00 04 00 00 00 00 25 00 0B 00 09 77 37 00 09 75 ${at1015} ${type} ${tid} 49 09 78 87 02 32 .. ✓
      P 06 0F 00 ✓`,
  },
  {
    name: 'which reservations are open? none',
    lane: 'noOpenOnes',
    said: `${registered('02 08')}
      T 06 23 03 87 FF FF
      P 80 00 00
      P 06 1E 04 B8 87 FF FF ✓`,
  },
  {
    name: 'which reservations are open? the first one',
    lane: 'oneOpen',
    said: `${registered('02 08')}
      T 06 23 03 87 FF FF
      P 80 00 00
      P 06 1E 04 B8 87 01 23 ✓`,
  },
  {
    name: 'which reservations are open? all, to a till with TLV',
    lane: 'twoOpen',
    said: `${registered('02 08')}
      T 06 23 05 87 FF FF 06 00
      P 80 00 00
      P 06 1E 10 B8 87 01 23 06 0A 23 08 08 02 01 23 08 02 45 67 ✓`,
  },
  {
    name: 'last receipt: data only',
    amountMinor: 10_100,
    receipt: 42,
    lane: 'lastPaid',
    said: `
      T 06 00 06 12 34 56 82 02 08
      P 80 00 00
      P 06 0F 0A 19 00 ${tid} 49 02 08 ✓
      T 06 20 05 12 34 56 03 03
      P 80 00 00
      P 04 0F 32 27 00 04 00 00 00 01 01 00 0B 00 00 42 ${at1015} ${type} ${tid} 49 02 08 87 00 42 ${cardName} ✓
      P 06 0F 00 ✓`,
  },
  {
    name: 'last receipt: print only',
    amountMinor: 10_100,
    receipt: 42,
    lane: 'lastPaid',
    said: `
      T 06 00 06 12 34 56 82 02 08
      P 80 00 00
      P 06 0F 0A 19 00 ${tid} 49 02 08 ✓
      T 06 20 03 12 34 56
      P 80 00 00
      PRINT ✓
      P 06 0F 00 ✓`,
  },
  {
    name: 'last receipt: of what failed, nothing is printed',
    amountMinor: 10_100,
    receipt: 43,
    lane: 'lastCancelled',
    said: `
      T 06 00 06 12 34 56 82 02 08
      P 80 00 00
      P 06 0F 0A 19 00 ${tid} 49 02 08 ✓
      T 06 20 05 12 34 56 03 01
      P 80 00 00
      P 04 0F 4B 27 6C 04 00 00 00 01 01 00 0B 00 00 43 ${at1015} ${type} ${tid} 49 02 08 87 00 43 ${cancelled} ${cardName} ✓
      P 06 0F 00 ✓`,
  },
  {
    name: 'last receipt: there is none yet',
    said: `
      T 06 20 03 12 34 56
      P 80 00 00
      P 06 1E 01 83 ✓`,
  },
  {
    name: 'reversal with the amount as a check',
    amountMinor: 10_100,
    receipt: 47,
    original: { receipt: 42, trace: 42, amountMinor: 10_100 },
    said: `${registered('02 08')}
      T 06 30 10 12 34 56 87 00 42 04 00 00 00 01 01 00 49 02 08
      P 80 00 00
      @ approve
      P 04 0F 36 27 00 04 00 00 00 01 01 00 0B 00 00 47 37 00 00 42 ${at1015} ${type} ${tid} 49 02 08 87 00 47 ${cardName} ✓
      @ end
      P 06 0F 00 ✓`,
  },
  {
    name: 'reversal of what was reversed',
    lane: 'alreadyRefunded',
    said: `${registered('02 08')}
      T 06 30 06 12 34 56 87 00 42
      P 80 00 00
      P 04 0F 16 27 B4 3C F0 F1 F6 41 6C 72 65 61 64 79 20 72 65 66 75 6E 64 65 64 ✓
      P 06 1E 01 B4 ✓`,
  },
  {
    name: 'reversal whose amount is not that of the payment',
    lane: 'amountDiffers',
    said: `${registered('02 08')}
      T 06 30 0D 12 34 56 87 00 41 04 00 00 00 01 01 00
      P 80 00 00
      P 04 0F xx 27 B5 .. ✓
      P 06 1E 01 B5 ✓`,
  },
  {
    name: 'reversal without its password, for which the receipt number is taken',
    said: `
      T 06 30 03 87 00 42
      P 84 9A 00`,
  },
  {
    name: 'refund by a receipt number',
    amountMinor: 500,
    receipt: 18,
    trace: 42,
    original: { receipt: 17, trace: 41, amountMinor: 500 },
    said: `${registered('02 08')}
      T 06 31 10 12 34 56 04 00 00 00 00 05 00 49 02 08 87 00 17
      P 80 00 00
      @ approve
      P 04 0F 36 27 00 04 00 00 00 00 05 00 0B 00 00 42 37 00 00 41 ${at1015} ${type} ${tid} 49 02 08 87 00 18 ${cardName} ✓
      @ end
      P 06 0F 00 ✓`,
  },
  {
    name: 'diagnosis of the line',
    said: `
      T 06 70 05 06 03 1B 01 01
      P 80 00 00
      P? 04 FF 01 xx ✓
      P? 04 01 08 AA dd dd dd 0C dd dd dd ✓
      P 06 0F 00 ✓`,
  },
  {
    name: 'initialisation and reset',
    said: `
      T 06 93 03 12 34 56
      P 80 00 00
      P 06 0F 00 ✓
      T 06 18 00
      P 80 00 00
      P 06 0F 00 ✓`,
  },
  {
    name: 'what a terminal without cards does not do',
    said: `
      T 06 95 06 12 34 56 65 43 21
      P 84 83 00
      T 06 E1 08 F0 03 F1 F0 F3 4F 6B 3F
      P 84 83 00
      T 06 C0 0F 0F 19 10 FC 02 06 08 1F 15 01 D0 1F 60 01 07
      P 84 83 00
      T 0F A1 02 00 01
      P 84 83 00
      T 08 50 02 FA 00
      P 84 83 00`,
  },
  {
    name: 'a stray answer before a command is passed over',
    said: `
      T 80 00 00
      T 06 B0 00
      P 80 00 00`,
  },
];

/**
 * Packets of other terminals and tills, captured: all have to be read, and none may be taken for
 * broken.
 */
export const captured: readonly string[] = [
  '06 0F 0A 19 00 29 29 00 10 06 49 09 78',
  '06 0F 11 19 00 29 52 00 12 33 49 09 78 06 05 27 03 14 01 FF',
  '06 0F 0B F0 F0 F7 32 2E 31 34 2E 31 35 00',
  '04 FF 16 01 01 06 12 24 10 07 0E 45 4E 54 45 52 20 50 49 4E 20 26 20 4F 4B',
  '04 FF 2E 0A 01 06 2A 24 28 07 26 4B 61 72 74 65 20 76 6F 72 68 61 6C 74 65 6E 0A 65 69 6E 73 74 65 63 6B 65 6E 2F 64 75 72 63 68 7A 69 65 68 65 6E',
  '04 0F 39 27 6C 29 29 00 10 06 3C F0 F1 F9 41 62 62 72 75 63 68 20 64 75 72 63 68 20 4B 75 6E 64 65 8A 0D 06 17 24 15 07 13 41 62 62 72 75 63 68 20 64 75 72 63 68 20 4B 75 6E 64 65',
  '06 1E 2E 6C 06 2B 1F 16 05 FF 00 00 14 41 1F 17 20 41 62 62 72 75 63 68 20 64 75 72 63 68 20 65 78 74 65 72 6E 65 73 20 4B 6F 6D 6D 61 6E 64 6F 21',
  '04 0F 5A 27 00 04 00 00 00 00 25 00 49 09 78 0C 22 55 58 0D 04 05 22 F0 F8 55 98 83 EE EE EE 80 74 87 02 31 3B 37 35 30 30 37 31 00 00 0B 00 09 75 19 60 29 52 52 35 35 0E 24 05 8A 06 8C 01 8B F1 F1 4D 61 73 74 65 72 43 61 72 64 00 2A 38 30 34 30 31 31 39 32 36 20 20 20 20 20 20',
  '04 0F 49 27 00 04 00 00 00 00 01 00 0C 17 28 46 0D 04 16 60 F0 F5 F3 00 00 00 00 01 00 00 00 00 01 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00',
  '04 0F 09 27 77 0C 17 15 48 0D 04 16',
  '06 0F 02 27 E0',
];

/** Whole blocks of the serial line: every 10 of the packet is doubled, the checksum is not. */
export const blocks: readonly (readonly [apdu: string, block: string])[] = [
  ['06 50 03 12 34 56', '10 02 06 50 03 12 34 56 10 03 C4 AF'],
  [
    '06 0F 0B F0 F0 F7 32 2E 31 34 2E 31 35 00',
    '10 02 06 0F 0B F0 F0 F7 32 2E 31 34 2E 31 35 00 10 03 B1 11',
  ],
  [
    `04 0F 4D 27 00 04 00 00 00 00 10 10 60 F0 F5 F3 00 10 00 10 ${'00 '.repeat(42)}01 00 00 00 00 10 10 0B 00 00 99 0C 21 05 00 0D 11 22`,
    `10 02 04 0F 4D 27 00 04 00 00 00 00 10 10 10 10 60 F0 F5 F3 00 10 10 00 10 10 ${'00 '.repeat(42)}01 00 00 00 00 10 10 10 10 0B 00 00 99 0C 21 05 00 0D 11 22 10 03 83 6F`,
  ],
];
