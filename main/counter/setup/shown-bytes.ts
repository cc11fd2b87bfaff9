import { BMP } from '../../tills/zvt/bitmaps.ts';
import { packets, password } from '../../tills/zvt/packet-table.ts';
import { hex, hexByte } from '../../tills/zvt/packets.ts';

const withPassword = Object.values(packets).filter(({ parts }) =>
  parts.some(({ name }) => name === password.name),
);
const { classByte: commandClass, instruction: paymentInstruction } = packets.authorisation;
/**
 * What precedes a password, in hex: the head of a command that begins with it, or its bitmap
 * somewhere in a payment.
 */
const heads = [
  ...withPassword.map(
    ({ classByte, instruction }) => `${hex(Uint8Array.of(classByte, instruction))} [0-9A-F]{2}`,
  ),
  `${hex(Uint8Array.of(commandClass, paymentInstruction))}(?: [0-9A-F]{2})*? ${hexByte(BMP.password)}`,
];
/** Where tills send one although a payment has none: see `payment-password.ts`. */
const passwordFirst = /\b(06 01 0D)(?: [0-9A-F]{2}){3}(?= 04 )/g;
const passwordLast =
  /\b(06 01 0A 04(?: (?:10 10|[0-9A-F]{2})){6})(?! (?:49|87|0D|0E|17|3A) )(?: (?:10 10|[0-9A-F]{2})){3}/g;
/** On a serial line a byte 10 comes twice. */
const passwordInHex = new RegExp(
  `\\b(${heads.join('|')})(?: (?:10 10|[0-9A-F]{2})){${password.byteCount}}`,
  'g',
);

/** Upper-case hex, for support, without the passwords in it. */
export function shownBytes(bytes: Uint8Array): string {
  const hidden = `$1${' **'.repeat(password.byteCount)}`;
  return [passwordInHex, passwordFirst, passwordLast].reduce(
    (text, pattern) => text.replaceAll(pattern, hidden),
    hex(bytes),
  );
}
