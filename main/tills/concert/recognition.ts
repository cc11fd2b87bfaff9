/** Recognises a till of Concert, and on a cable its data bits and parity. */
import type { WholeSerialFormat } from '../../core/domain/serial-format.ts';
import { BlockReader, ENQ, EOT, STX } from './blocks.ts';
import { readRequest } from './read-request.ts';
import { beginsAsV3 } from './v3.ts';

/** One may be noise. */
const minEnquiries = 2;
const sevenBits = 0x7f;
const parityBit = 0x80;

interface CableRecognition {
  readonly isConcert: boolean;
  /** Whether the till waits for an ACK, before its first block. */
  readonly isEnquiry: boolean;
  /** null while several formats fit, or none does. */
  readonly format: WholeSerialFormat | null;
  /** The first format that fits; null when none does. What came is the same in all that fit. */
  readonly likely: WholeSerialFormat | null;
}

interface Candidate extends WholeSerialFormat {
  /** Whether a till with this format can have sent the byte. */
  readonly fits: (byte: number) => boolean;
}

/**
 * A frame of seven data bits with parity is as long as one of eight without: a line of eight data
 * bits receives the parity as the eighth bit.
 */
const candidates: readonly Candidate[] = [
  { dataBits: 8, parity: 'none', fits: (byte) => byte <= sevenBits },
  { dataBits: 7, parity: 'even', fits: (byte) => !hasOddOnes(byte) },
  { dataBits: 7, parity: 'odd', fits: hasOddOnes },
];

function hasOddOnes(byte: number): boolean {
  let rest = byte;
  for (let bits = 4; bits > 0; bits >>= 1) rest ^= rest >> bits;
  return (rest & 1) === 1;
}

/** @param head as a line of eight data bits without parity has received it */
export function recogniseOnCable(head: Uint8Array): CableRecognition {
  const text = head.map((byte) => byte & sevenBits);
  const begin = text.findIndex((byte) => byte !== ENQ && byte !== EOT);
  const opening = text.subarray(0, begin < 0 ? text.length : begin);
  const enquires = begin < 0 && opening.filter((byte) => byte === ENQ).length >= minEnquiries;
  const isBlock =
    text[begin] === STX &&
    (opening.includes(ENQ) || [text, head].some((bytes) => hasMessage(bytes.subarray(begin + 1))));
  const isOpening = candidates.some(({ fits }) => head.subarray(0, opening.length + 1).every(fits));
  const isConcert = (enquires || isBlock) && isOpening;
  const [format, ...others] = candidates.filter(({ fits }) => head.every(fits));
  const likely = format && { dataBits: format.dataBits, parity: format.parity };
  return {
    isConcert,
    isEnquiry: begin < 0 && opening.at(-1) === ENQ && isOpening,
    format: isConcert && others.length === 0 ? (likely ?? null) : null,
    likely: likely ?? null,
  };
}

/** Bytes for a till with this format, on a line of eight data bits without parity. */
export function withParity(bytes: Uint8Array, format: WholeSerialFormat | null): Uint8Array {
  if (format?.dataBits !== 7) return bytes;
  const wantsOdd = format.parity === 'odd';
  return bytes.map((byte) =>
    hasOddOnes(byte & sevenBits) === wantsOdd ? byte & sevenBits : byte | parityBit,
  );
}

/** Whether a message of Concert follows an STX. The tag of version 3 is enough for that. */
export function hasMessage(bytes: Uint8Array): boolean {
  if (beginsAsV3(bytes) === true) return true;
  const reader = new BlockReader();
  for (const byte of bytes) {
    const text = reader.push(byte);
    if (text !== null) return text !== 'damaged' && readRequest(text) !== null;
  }
  return false;
}
