/** The packets that we send to a till, filled in. */
import { localMinute } from '../../core/domain/local-time.ts';
import type { Approach } from '../../core/domain/beacons.ts';
import type { ClosingTold, DayTotalsTold } from '../../core/domain/day.ts';
import type { Language } from '../../core/domain/languages.ts';
import type { Currency } from '../../core/domain/money.ts';
import type { BookingTicket } from '../../core/domain/sale.ts';
import { receiptDigits } from '../../core/domain/receipt-number.ts';
import type { Hindrance, OpenReservation, PaymentProgress } from '../../core/lane/till-port.ts';
import { encodeBcd } from './bcd.ts';
import { BMP, encodeFields, lengthDigits } from './bitmaps.ts';
import { encodeCurrency } from './currency.ts';
import type { CustomerData } from './customer.ts';
import { encodePacket } from './packets.ts';
import { type ZvtRefusal, RESULT, type Result } from './result-codes.ts';
import type { Registration } from './registration.ts';
import { defaultTerminalId, softwareName } from './terminal.ts';
import { encodeAscii, encodeText } from './text.ts';
import { isBooking, isOfTest, isRefund, type Ticket } from './ticket.ts';
import { encodeTlv, TAG, type TlvObject } from './tlv.ts';
import { tillTexts } from './texts.ts';

export interface StatusOptions {
  readonly namesCurrency: boolean;
  readonly language: Language;
  readonly allowsTlv: boolean;
  readonly readsValueAdded?: boolean;
  readonly terminalId?: string;
  /** Whether no real money moves here. */
  readonly isTest?: boolean;
  readonly customer?: CustomerData;
}

const byte = (value: number): Uint8Array => Uint8Array.of(value);
const inBcd = (terminalId: string): Uint8Array => encodeBcd(Number(terminalId), 4);
/**
 * The payment type of a status information: with PIN. Online without one (60) makes some tills
 * print a line for a signature.
 */
const paidWithPin = 0x70;
/**
 * For a till with TLV: no signature is needed, and no card was inserted. Captured terminals put
 * these two directly into the container. Some tills stop at the first tag that they do not know,
 * such as 2F, where the standard has them too.
 */
const paymentType: readonly TlvObject[] = [
  { tag: TAG.cardholderAuthentication, value: Uint8Array.of(0x00) },
  { tag: TAG.technology, value: Uint8Array.of(0x02) },
];
const cardName = Uint8Array.of(...encodeAscii('Mobile wallet'), 0);

/** 04 0F. `namesCurrency`: only for a till that named one itself (some cannot read the bitmap). */
export function statusInformation(
  ticket: Ticket | BookingTicket,
  { code, words }: Result,
  {
    namesCurrency,
    language,
    allowsTlv,
    readsValueAdded = false,
    terminalId = defaultTerminalId,
    isTest = false,
    customer,
  }: StatusOptions,
): Uint8Array {
  const { date, time } = bcdTime(ticket.startedAtMs);
  const fields = new Map<number, Uint8Array>([
    [BMP.resultCode, byte(code)],
    [BMP.amount, encodeBcd(ticket.amountMinor, 6)],
    [BMP.traceNumber, encodeBcd(ticket.traceNumber, 3)],
    [BMP.time, time],
    [BMP.date, date.subarray(2)],
    [BMP.statusByte, byte(paidWithPin)],
    [BMP.terminalId, inBcd(terminalId)],
    [BMP.receiptNumber, encodeBcd(ticket.receiptNumber, 2)],
    [BMP.cardName, cardName],
  ]);
  if (isRefund(ticket) || isBooking(ticket))
    fields.set(BMP.originalTraceNumber, encodeBcd(ticket.originalTraceNumber, 3));
  if (namesCurrency) fields.set(BMP.currency, encodeCurrency(ticket.currency));
  const texts = tillTexts[language];
  const text = [
    words?.(texts),
    heldUntil(ticket, language),
    customer?.text ?? undefined,
    isTest || isOfTest(ticket) ? texts.receipt.test : undefined,
  ].filter((part) => part !== undefined);
  if (text.length > 0) fields.set(BMP.additionalText, encodeAscii(text.join('; ')));
  const objects = [
    ...(code === RESULT.ok ? paymentType : []),
    ...(readsValueAdded ? (customer?.objects ?? []) : []),
  ];
  if (allowsTlv && objects.length > 0) fields.set(BMP.tlv, encodeTlv(objects));
  return encodePacket('statusInformation', { fields });
}

/**
 * 04 0F of a closing or of totals. All payments stand in the last pair of `60`, "others". A sum
 * cannot be below 0, and a count not above 255: the exact figures are in print. @param laneCurrency
 * what is in another one has no field
 */
export function dayInformation(
  day: ClosingTold | DayTotalsTold,
  laneCurrency: Currency,
): Uint8Array {
  const { payments, refunds } = day.figures.find(({ currency }) => currency === laneCurrency) ?? {
    payments: nothingMoved,
    refunds: nothingMoved,
  };
  const sum = encodeBcd(Math.max(0, payments.sumMinor - refunds.sumMinor), 6);
  const { first, last } = day.receipts ?? { first: 0, last: 0 };
  const cardPairs = new Uint8Array(6 * 7);
  const { date, time } = bcdTime('atMs' in day ? day.atMs : day.toMs);
  return encodePacket('statusInformation', {
    fields: new Map([
      [BMP.resultCode, byte(RESULT.ok)],
      [BMP.amount, sum],
      [
        BMP.singleTotals,
        Uint8Array.of(
          ...encodeBcd(first, 2),
          ...encodeBcd(last, 2),
          ...cardPairs,
          Math.min(0xff, payments.count),
          ...sum,
        ),
      ],
      [BMP.traceNumber, encodeBcd('number' in day ? day.number % 1_000_000 : day.traceNumber, 3)],
      [BMP.time, time],
      [BMP.date, date.subarray(2)],
    ]),
  });
}
const nothingMoved = { count: 0, sumMinor: 0 } as const;

/** The last day of a reservation, which is told when it is made, long before it ends. */
function heldUntil(ticket: Ticket | BookingTicket, language: Language): string | undefined {
  if (!('heldUntilMs' in ticket) || ticket.heldUntilMs == null) return undefined;
  return tillTexts[language].heldUntil({ time: localMinute(ticket.heldUntilMs) });
}

/**
 * How many reservations are listed, so that the list fits even the shortest packet that tills take.
 */
const maxListedReservations = 50;

/**
 * 06 1E B8 with the first open reservation, or FFFF for none; `withTlv`: all of them (ZVT PA00P015,
 * 06 23 with receipt FFFF).
 */
export function openReservationsAnswer(
  open: readonly OpenReservation[],
  { withTlv, language }: { withTlv: boolean; language: Language },
): Uint8Array {
  const [first] = open;
  if (first === undefined)
    return encodePacket('abort', {
      parts: [byte(RESULT.reservationError)],
      fields: new Map([[BMP.receiptNumber, noReceipt]]),
    });
  const fields = new Map<number, Uint8Array>([
    [BMP.receiptNumber, encodeBcd(first.receiptNumber, 2)],
  ]);
  if (withTlv) {
    const numbers = open
      .slice(0, maxListedReservations)
      .map(({ receiptNumber }) => ({ tag: TAG.receiptNumber, value: encodeBcd(receiptNumber, 2) }));
    const ending = open
      .filter(({ isEndingSoon }) => isEndingSoon)
      .map(({ receiptNumber }) => receiptDigits(receiptNumber));
    const endingWords = tillTexts[language].endingSoon({ receipts: ending.slice(0, 5).join(', ') });
    const warning =
      ending.length === 0 ? [] : [{ tag: TAG.extendedErrorText, value: encodeText(endingWords) }];
    fields.set(
      BMP.tlv,
      encodeTlv([{ tag: TAG.openReservations, value: encodeTlv(numbers) }, ...warning]),
    );
  }
  return encodePacket('abort', { parts: [byte(RESULT.reservationError)], fields });
}
export const noReceipt = Uint8Array.of(0xff, 0xff);

/** 04 0F for a command that never began: a result code without numbers. */
export function refusalInformation({ code, words }: ZvtRefusal, language: Language): Uint8Array {
  return encodePacket('statusInformation', {
    fields: new Map([
      [BMP.resultCode, byte(code)],
      [BMP.additionalText, encodeAscii(words(tillTexts[language]))],
    ]),
  });
}

/** Intermediate status codes (ZVT PA00P015, table 17) for tills that take no text. */
const progressCodes: Readonly<Record<PaymentProgress, number>> = {
  contactingService: 0x0e,
  waitingForCustomer: 0x0a,
  customerFound: 0x0e,
  approveInApp: 0x04,
  cancelling: 0x0e,
};
const seeText = 0xff;
/** The new limit T4, in minutes. */
const timeoutMinutes = encodeBcd(3, 1);

export function intermediateStatus(
  progress: PaymentProgress,
  { allowsTlv, language, charset }: Pick<Registration, 'allowsTlv' | 'language' | 'charset'>,
  approach: Approach,
): Uint8Array {
  if (!allowsTlv)
    return encodePacket('intermediateStatus', { parts: [byte(progressCodes[progress])] });
  const texts = tillTexts[language];
  const text = encodeText(
    progress === 'waitingForCustomer' ? texts.approach[approach] : texts.progress[progress],
    charset,
  );
  const lines = encodeTlv([
    { tag: TAG.displayTexts, value: encodeTlv([{ tag: TAG.textLine, value: text }]) },
  ]);
  return encodePacket('intermediateStatus', {
    parts: [byte(seeText), timeoutMinutes],
    fields: new Map([[BMP.tlv, lines]]),
  });
}

export const completion: Uint8Array = encodePacket('completion');

export function registrationCompletion(
  currency: Currency | null,
  agreed: readonly TlvObject[] = [],
  terminalId = defaultTerminalId,
): Uint8Array {
  const fields = new Map<number, Uint8Array>([
    [BMP.statusByte, byte(0x00)],
    [BMP.terminalId, inBcd(terminalId)],
  ]);
  if (currency !== null) fields.set(BMP.currency, encodeCurrency(currency));
  if (agreed.length > 0) fields.set(BMP.tlv, encodeTlv(agreed));
  return encodePacket('completion', { rest: encodeFields(fields) });
}

export interface StatusAbout {
  readonly terminalId: string;
  readonly softwareVersion: string;
  readonly hindrance: Hindrance | null;
  readonly atMs: number;
}

/**
 * The answer to a status enquiry: LLLVAR version, then the status, both untagged, then the
 * container (ZVT PA00P015, 05 01).
 */
export function statusCompletion(
  status: number,
  version: string | null,
  about: StatusAbout | null = null,
): Uint8Array {
  const text = encodeAscii(version ?? '');
  const versionBytes = version === null ? [] : [...lengthDigits(text.length, 3), ...text];
  const container =
    about === null ? [] : encodeFields(new Map([[BMP.tlv, encodeTlv(terminalObjects(about))]]));
  return encodePacket('completion', { rest: Uint8Array.of(...versionBytes, status, ...container) });
}

/** Tag 1F55: which of two bytes' bits keep payments from being taken. */
const locks: Readonly<Record<Hindrance, readonly [number, number]>> = {
  serviceUnreachable: [0x00, 0x10],
  starting: [0x02, 0x00],
  needsPerson: [0x08, 0x00],
};

function terminalObjects({
  terminalId,
  softwareVersion,
  hindrance,
  atMs,
}: StatusAbout): TlvObject[] {
  const { date, time } = bcdTime(atMs);
  return [
    { tag: TAG.terminalId, value: inBcd(terminalId) },
    {
      tag: TAG.terminal,
      value: encodeTlv([
        { tag: TAG.terminalName, value: encodeAscii(softwareName) },
        { tag: TAG.terminalVersion, value: encodeAscii(softwareVersion) },
        { tag: TAG.terminalSerialNumber, value: inBcd(terminalId) },
        { tag: TAG.terminalState, value: byte(0x00) },
      ]),
    },
    {
      tag: TAG.timeStamp,
      value: encodeTlv([
        { tag: TAG.fullDate, value: date },
        { tag: TAG.fullTime, value: time },
      ]),
    },
    ...(hindrance === null
      ? []
      : [{ tag: TAG.terminalLocks, value: Uint8Array.from(locks[hindrance]) }]),
  ];
}

/** YYYYMMDD and HHMMSS. */
function bcdTime(atMs: number): { date: Uint8Array; time: Uint8Array } {
  const at = new Date(atMs);
  return {
    date: encodeBcd(at.getFullYear() * 10_000 + (at.getMonth() + 1) * 100 + at.getDate(), 4),
    time: encodeBcd(at.getHours() * 10_000 + at.getMinutes() * 100 + at.getSeconds(), 3),
  };
}

export const abort = (code: number): Uint8Array => encodePacket('abort', { parts: [byte(code)] });

/**
 * A registration in a currency that this counter does not take: 84 1E with the code and our
 * currency.
 */
export function wrongCurrencyAnswer(ours: Currency): Uint8Array {
  return Uint8Array.of(0x84, 0x1e, 0x03, RESULT.wrongCurrency, ...encodeCurrency(ours));
}
