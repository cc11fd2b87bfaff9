/** `CLASS INSTR LEN DATA`; LEN is one byte, or FF and two bytes, low first (ZVT PA00P016, section 5.2). */
export interface Apdu {
  readonly classByte: number;
  readonly instruction: number;
  readonly data: Uint8Array;
}

const longestDataBytes = 0xffff;
export const longestApduBytes = longestDataBytes + 5;

export function encodeApdu({ classByte, instruction, data }: Apdu): Uint8Array {
  if (data.length > longestDataBytes) throw new RangeError(`an APDU holds at most ${longestDataBytes} bytes of data, got ${data.length}`);
  const header = data.length < 0xff ? [classByte, instruction, data.length] : [classByte, instruction, 0xff, data.length & 0xff, data.length >>> 8];
  const bytes = new Uint8Array(header.length + data.length);
  bytes.set(header);
  bytes.set(data, header.length);
  return bytes;
}

/** Length of the APDU at the start of `bytes`, including its header; null while the header is incomplete. */
function apduLength(bytes: Uint8Array): number | null {
  const short = bytes[2];
  if (short === undefined) return null;
  if (short !== 0xff) return 3 + short;
  const low = bytes[3];
  const high = bytes[4];
  return low === undefined || high === undefined ? null : 5 + (low | (high << 8));
}

/** null when the bytes are not exactly one APDU. */
export function decodeApdu(bytes: Uint8Array): Apdu | null {
  if (apduLength(bytes) !== bytes.length) return null;
  return { classByte: bytes[0] ?? 0, instruction: bytes[1] ?? 0, data: bytes.subarray(bytes[2] === 0xff ? 5 : 3) };
}

/** Splits a TCP stream into APDUs, however they were segmented (ZVT PA00P016, section 4). */
export class ApduStream {
  #rest = new Uint8Array(0);

  /** Whether an APDU is incomplete; the rest is due within T3. */
  get isInside(): boolean {
    return this.#rest.length > 0;
  }

  push(chunk: Uint8Array): Uint8Array[] {
    const bytes = this.#rest.length === 0 ? chunk : joined(this.#rest, chunk);
    const apdus: Uint8Array[] = [];
    let from = 0;
    for (;;) {
      const length = apduLength(bytes.subarray(from));
      if (length === null || from + length > bytes.length) break;
      apdus.push(bytes.slice(from, from + length));
      from += length;
    }
    this.#rest = bytes.slice(from);
    return apdus;
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(a.length + b.length);
  bytes.set(a);
  bytes.set(b, a.length);
  return bytes;
}
