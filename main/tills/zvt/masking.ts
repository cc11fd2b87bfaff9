/**
 * Hides the bytes of a packet that a recording must not hold: passwords, card data and the
 * customer's loyalty. The lists name the bytes that may be shown; all others are hidden, above all
 * undeclared ones.
 */
import { BMP, fieldSpans, type Span } from './bitmaps.ts';
import { password } from './packet-table.ts';
import { isOfAnswerClass, parsePacket } from './packets.ts';
import { paymentWithPassword } from './payment-password.ts';
import { RESULT } from './result-codes.ts';
import { TAG, tlvSpans } from './tlv.ts';

/**
 * Numbers, amounts, times and codes of the payment and of the terminal (ZVT PA00P015, section 13).
 */
const openFields: ReadonlySet<number> = new Set([
  0x01, 0x02, 0x03, 0x04, 0x05, 0x0b, 0x0c, 0x0d, 0x19, 0x27, 0x29, 0x2a, 0x37, 0x3c, 0x49, 0x4c,
  0x60, 0x87, 0x88, 0x8a, 0x8b, 0x8c, 0xa0, 0xaa,
]);
/**
 * What tills and terminals agree on, print and show (ZVT PA00P015, section 9.4). Named one by one:
 * a tag that is read or sent one day may be the customer's.
 */
const openTags: ReadonlySet<number> = new Set([
  0x07, 0x08, 0x09, 0x0a, 0x10, 0x11, 0x12, 0x14, 0x15, 0x1a, 0x1b, 0x23, 0x24, 0x25, 0x26, 0x27,
  0x28, 0x29, 0x2a, 0x2e, 0x2f, 0x31, 0x34, 0x40, 0x45, 0xe4, 0x1f01, 0x1f02, 0x1f03, 0x1f04,
  0x1f05, 0x1f06, 0x1f07, 0x1f0e, 0x1f0f, 0x1f10, 0x1f11, 0x1f12, 0x1f16, 0x1f17, 0x1f2b, 0x1f37,
  0x1f40, 0x1f41, 0x1f42, 0x1f43, 0x1f44, 0x1f55,
]);
const texts: ReadonlySet<number> = new Set([BMP.additionalText]);
const textTags: ReadonlySet<number> = new Set([TAG.textLine, TAG.extendedErrorText]);
/** A card's number, however it is grouped. */
const cardLike = /\d(?:[ -]?\d){11,18}/g;

export type Side = 'till' | 'terminal';

/** For each byte of a whole APDU whether it is hidden: 1. */
export function maskOf(apdu: Uint8Array, from: Side): Uint8Array {
  const mask = new Uint8Array(apdu.length).fill(1);
  const header = apdu[2] === 0xff ? 5 : 3;
  mask.fill(0, 0, header);
  const data = apdu.subarray(header);
  const inData = mask.subarray(header);
  if (isOfAnswerClass(apdu)) {
    showFields(data, inData, false);
    return mask;
  }
  const odd = paymentWithPassword(apdu);
  if (odd !== null) {
    mask.fill(0);
    mask.fill(1, odd.at, odd.at + odd.password.length);
    return mask;
  }
  const parsed = parsePacket(apdu);
  if (parsed.kind !== 'packet') return mask;
  let at = 0;
  for (const [name, value] of parsed.parts) {
    if (name !== password.name) inData.fill(0, at, at + value.length);
    at += value.length;
  }
  const rest = data.subarray(at);
  const inRest = inData.subarray(at);
  // These are our own data: a state and a version, or the receipt numbers of reservations.
  if (from === 'terminal' && (parsed.name === 'completion' || parsed.name === 'abort'))
    inRest.fill(0);
  else if (parsed.name === 'printLine') showText(rest, inRest);
  // The additional text of a paid sale is hidden, because it is about the customer.
  else
    showFields(
      rest,
      inRest,
      parsed.name === 'statusInformation' && parsed.fields.get(BMP.resultCode)?.[0] === RESULT.ok,
    );
  return mask;
}

function showFields(data: Uint8Array, mask: Uint8Array, hidesText: boolean): void {
  for (const span of fieldSpans(data)) {
    mask.fill(0, span.from, span.valueFrom);
    const value = data.subarray(span.valueFrom, span.to);
    const inValue = mask.subarray(span.valueFrom, span.to);
    if (span.id === BMP.tlv) showTags(value, inValue);
    else if (texts.has(span.id)) {
      if (!hidesText) showText(value, inValue);
    } else if (openFields.has(span.id)) inValue.fill(0);
  }
}

function showTags(data: Uint8Array, mask: Uint8Array): void {
  for (const span of tlvSpans(data)) {
    mask.fill(0, span.from, span.valueFrom);
    const value = data.subarray(span.valueFrom, span.to);
    const inValue = mask.subarray(span.valueFrom, span.to);
    if (!openTags.has(span.id)) continue;
    if (isConstructed(span, data)) showTags(value, inValue);
    else if (textTags.has(span.id)) showText(value, inValue);
    else inValue.fill(0);
  }
}

const isConstructed = ({ from }: Span, data: Uint8Array): boolean =>
  ((data[from] ?? 0) & 0x20) !== 0;

function showText(value: Uint8Array, mask: Uint8Array): void {
  mask.fill(0);
  for (const { index, 0: digits } of Buffer.from(value).toString('latin1').matchAll(cardLike))
    mask.fill(1, index, index + digits.length);
}
