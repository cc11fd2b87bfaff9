/**
 * The payments of tills that send their password in 06 01, where the standard has none (ZVT
 * PA00P015, section 2.2): before amount and currency, or behind the amount alone.
 */
import { encodeApdu, decodeApdu } from './apdu.ts';
import { decodeBcd } from './bcd.ts';
import { BMP, lengths, parseFields } from './bitmaps.ts';
import { packets, password } from './packet-table.ts';
import { parsePacket } from './packets.ts';

const { classByte, instruction } = packets.authorisation;
const amountBytes = 1 + (lengths.get(BMP.amount) as number);
const currencyBytes = 1 + (lengths.get(BMP.currency) as number);

export interface PaymentWithPassword {
  readonly password: Uint8Array;
  /** Where the password begins in the packet. */
  readonly at: number;
  /** The packet as the standard has it. */
  readonly payment: Uint8Array;
}

/** null for every other packet, above all for one that the standard parser can read. */
export function paymentWithPassword(bytes: Uint8Array): PaymentWithPassword | null {
  if (bytes[0] !== classByte || bytes[1] !== instruction) return null;
  const data = decodeApdu(bytes)?.data;
  if (data === undefined) return null;
  const parsed = parsePacket(bytes);
  if (parsed.kind === 'packet' && parsed.unknown === null) return null;
  const at = passwordPlace(data);
  if (at === null) return null;
  const sent = data.subarray(at, at + password.byteCount);
  // Three bytes that are a field, such as another currency, are not the password.
  const field = parseFields(sent);
  if (field.ok && field.unknown === null) return null;
  const rest = Uint8Array.of(...data.subarray(0, at), ...data.subarray(at + password.byteCount));
  if (decodeBcd(sent) === null || decodeBcd(rest.subarray(1, amountBytes)) === null) return null;
  return {
    password: sent,
    at: bytes.length - data.length + at,
    payment: encodeApdu({ classByte, instruction, data: rest }),
  };
}

/** Exactly the two forms that tills were seen to send. */
function passwordPlace(data: Uint8Array): number | null {
  if (data.length === amountBytes + password.byteCount && data[0] === BMP.amount)
    return amountBytes;
  const isBefore =
    data.length === password.byteCount + amountBytes + currencyBytes &&
    data[password.byteCount] === BMP.amount;
  return isBefore && data[password.byteCount + amountBytes] === BMP.currency ? 0 : null;
}
