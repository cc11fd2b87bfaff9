import { decodeBcd } from './bcd.ts';
import { BMP, type Fields } from './bitmaps.ts';
import { decodeCurrency } from './currency.ts';
import { packets } from './packet-table.ts';
import { hexByte, parseAnswer, parsePacket, resultCodeOf } from './packets.ts';
import { RESULT } from './result-codes.ts';
import { decodeText } from './text.ts';
import { parseTlv, TAG, type TlvObject } from './tlv.ts';

export const resultWords: Readonly<Record<number, string>> = {
  [RESULT.ok]: 'ok',
  [RESULT.declined]: 'declined',
  [RESULT.wrongPassword]: 'wrong password',
  [RESULT.notOnboarded]: 'not activated',
  [RESULT.timeoutOrAbort]: 'timeout or abort',
  [RESULT.wrongCurrency]: 'wrong currency',
  [RESULT.endOfDayNotPossible]: 'end of day not possible',
  [RESULT.functionNotPossible]: 'function not possible',
  [RESULT.parseError]: 'cannot be read',
  [RESULT.pleaseWait]: 'please wait',
  [RESULT.handedOutInPart]: 'handed out in part',
  [RESULT.noConnection]: 'no connection',
  [RESULT.storageFull]: 'storage failed',
  [RESULT.alreadyReversed]: 'already refunded',
  [RESULT.reversalNotPossible]: 'refund not possible',
  [RESULT.reservationAmount]: 'reservation: wrong amount',
  [RESULT.reservationError]: 'reservation: none such',
  [RESULT.amountTooHigh]: 'amount too high',
  [RESULT.amountTooSmall]: 'amount too small',
  [RESULT.printerNotReady]: 'cannot print',
  [RESULT.noCashback]: 'no cashback',
  [RESULT.lineNotPossible]: 'line not possible',
  [RESULT.unknownBaudRate]: 'unknown baud rate',
  [RESULT.systemError]: 'system error',
};

/**
 * A packet in words, for the log and for the demonstration's till:
 * `Authorisation 06 01: amount 12.34 DKK`.
 */
export function describe(bytes: Uint8Array): string {
  const answer = parseAnswer(bytes);
  if (answer !== null)
    return answer.positive
      ? 'Acknowledged 80 00'
      : `Refused 84 ${hexByte(answer.code)}: ${resultWords[answer.code] ?? 'unknown reason'}`;
  const parsed = parsePacket(bytes);
  if (parsed.kind === 'malformed')
    return `Unreadable${parsed.name === null ? '' : ` ${packets[parsed.name].words}`}: ${parsed.reason}`;
  if (parsed.kind === 'unknown')
    return `Unknown command ${hexByte(parsed.apdu.classByte)} ${hexByte(parsed.apdu.instruction)}`;
  const { words, classByte, instruction } = packets[parsed.name];
  const details = [
    ...partWords(parsed.parts),
    ...fieldWords(parsed.fields),
    ...(parsed.name === 'printLine' && parsed.rest.length > 0
      ? [`"${decodeText(parsed.rest)}"`]
      : []),
  ];
  return `${words} ${hexByte(classByte)} ${hexByte(instruction)}${details.length === 0 ? '' : `: ${details.join(', ')}`}`;
}

/** For a log; the text is only built when the line is written. */
export function inWords(
  bytes: Uint8Array,
  command: string,
): { readonly command: string; readonly packet: string } {
  return {
    command,
    get packet() {
      return describe(bytes);
    },
  };
}

function partWords(parts: ReadonlyMap<string, Uint8Array>): string[] {
  return [...parts].flatMap(([name, value]) => {
    const first = value[0] ?? 0;
    switch (name) {
      case 'config':
        return [`config ${hexByte(first)}`];
      case 'currency':
        return [decodeCurrency(value) ?? 'unknown currency'];
      case 'status':
        return [`status ${hexByte(first)}`];
      case 'language':
        return [`language ${hexByte(first)}`];
      case 'resultCode':
        return [resultWords[first] ?? `code ${hexByte(first)}`];
      default:
        return []; // never log the password
    }
  });
}

function fieldWords(fields: Fields): string[] {
  const words: string[] = [];
  const result = resultCodeOf(fields);
  if (result !== null) words.push(resultWords[result] ?? `code ${hexByte(result)}`);
  const amount = fields.get(BMP.amount);
  if (amount !== undefined) {
    const minor = decodeBcd(amount);
    const currency = fields.get(BMP.currency);
    const name =
      currency === undefined ? '' : ` ${decodeCurrency(currency) ?? 'in an unknown currency'}`;
    words.push(
      minor === null
        ? 'amount unreadable'
        : `amount ${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}${name}`,
    );
  }
  const receipt = fields.get(BMP.receiptNumber);
  if (receipt !== undefined) words.push(`receipt ${decodeBcd(receipt)}`);
  const trace = fields.get(BMP.traceNumber);
  if (trace !== undefined) words.push(`trace ${decodeBcd(trace)}`);
  const original = fields.get(BMP.originalTraceNumber);
  if (original !== undefined) words.push(`original trace ${decodeBcd(original)}`);
  const text = fields.get(BMP.additionalText);
  if (text !== undefined) words.push(`"${decodeText(text)}"`);
  const displayed = displayText(fields);
  if (displayed !== null) words.push(`"${displayed}"`);
  for (const line of printedText(fields) ?? []) words.push(`"${line}"`);
  return words;
}

/** The text of an intermediate status (tag 24, lines 07); null when it has none. */
export const displayText = (fields: Fields): string | null =>
  textLines(fields, TAG.displayTexts)?.join(' ') ?? null;
/** The lines of a text block (tag 25, lines 07); null when it has none. */
export const printedText = (fields: Fields): string[] | null => textLines(fields, TAG.printTexts);

function textLines(fields: Fields, within: number): string[] | null {
  const container = fields.get(BMP.tlv);
  if (container === undefined) return null;
  const texts = parseTlv(container).find(({ tag }) => tag === within);
  if (texts === undefined) return null;
  return parseTlv(texts.value).flatMap(({ tag, value }: TlvObject) =>
    tag === TAG.textLine ? [decodeText(value)] : [],
  );
}
