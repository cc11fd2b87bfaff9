/**
 * How APDUs lie on a TCP connection: bare (ZVT PA00P016, section 2.2), or each behind its length in
 * two bytes, high first, as some tills send them. The standard does not have the second one:
 * gateways that stand in for a terminal describe it.
 */
import type { ConnectionTap, Framing, MessageStream } from '../line/tcp-line.ts';
import { ApduStream, decodeApdu, PacketRest } from './apdu.ts';
import { t3Ms } from './link.ts';

export type TcpFraming = 'bare' | 'lengthPrefixed';

/**
 * Class bytes that a till begins a packet with (ZVT PA00P016, section 4). A web page's request
 * begins with a letter, TLS with 16.
 */
const firstBytes: ReadonlySet<number> = new Set([0x04, 0x05, 0x06, 0x08, 0x0f, 0x80, 0x84]);
const isFirstByteOfTill = (byte: number): boolean => firstBytes.has(byte);
const prefixBytes = 2;
const minApduBytes = 3;
/**
 * LEN of an APDU whose length takes two more bytes: never the first of a till, and never within a
 * length of one byte.
 */
const longLength = 0xff;

/**
 * Recognised from the first five bytes at most: with a prefix, the length has to be that of the
 * APDU in it, which has to begin as a till's. What else begins with 00 does not pass: STUN and
 * TURN, the only bytes other than HTTP and TLS that a web page can have sent over TCP, have 00 to
 * 03 or a version of DTLS where the class is. null: more bytes are needed.
 */
export function framingOf(head: Uint8Array): TcpFraming | 'stranger' | null {
  const [first, length, classByte, , dataBytes] = head;
  if (first === undefined) return null;
  if (isFirstByteOfTill(first)) return 'bare';
  if (first !== 0x00) return 'stranger';
  if (length !== undefined && length < minApduBytes) return 'stranger';
  if (classByte !== undefined && !isFirstByteOfTill(classByte)) return 'stranger';
  if (length === undefined || dataBytes === undefined) return null;
  return dataBytes !== longLength && length === minApduBytes + dataBytes
    ? 'lengthPrefixed'
    : 'stranger';
}

export function framed(framing: TcpFraming, apdu: Uint8Array): Uint8Array {
  if (framing === 'bare') return apdu;
  const bytes = new Uint8Array(prefixBytes + apdu.length);
  bytes.set([apdu.length >>> 8, apdu.length & 0xff]);
  bytes.set(apdu, prefixBytes);
  return bytes;
}

export const sourceOf = (framing: TcpFraming): MessageStream =>
  framing === 'bare' ? new ApduStream() : new PrefixedStream();

/** Splits a stream of prefixed APDUs, however they were segmented. */
export class PrefixedStream implements MessageStream {
  readonly #rest = new PacketRest();

  get isInside(): boolean {
    return !this.#rest.isEmpty;
  }

  push(chunk: Uint8Array): Uint8Array[] | null {
    const bytes = this.#rest.joined(chunk);
    if (bytes === null) return [];
    const apdus: Uint8Array[] = [];
    let from = 0;
    for (;;) {
      const length = prefixedLength(bytes, from);
      if (length === null || from + length > bytes.length) {
        this.#rest.keep(bytes.subarray(from), length);
        return apdus;
      }
      const end = from + length;
      const apdu = bytes.slice(from + prefixBytes, end);
      // Two lengths that contradict each other: neither can be trusted, nor what follows.
      if (decodeApdu(apdu) === null) return null;
      apdus.push(apdu);
      from = end;
    }
  }
}

/**
 * Length of the APDU that begins at `from`, including its prefix; null while that is incomplete.
 */
function prefixedLength(bytes: Uint8Array, from: number): number | null {
  const [high, low] = bytes.subarray(from, from + prefixBytes);
  return high === undefined || low === undefined ? null : prefixBytes + ((high << 8) | low);
}

/** @param tap sees what goes over each connection of a till; null for no recording */
export const apdus = (
  tap: ((peer: string, framing: TcpFraming) => ConnectionTap) | null,
): Framing => ({
  recognise(head, peer) {
    const framing = framingOf(head);
    if (framing === null || framing === 'stranger') return framing;
    return {
      name: framing,
      stream: sourceOf(framing),
      framed: (apdu) => framed(framing, apdu),
      tap: tap?.(peer, framing) ?? null,
    };
  },
  restWithinMs: t3Ms,
});
