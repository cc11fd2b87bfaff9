/**
 * `CLASS INSTR LEN DATA`; LEN is one byte, or FF and two bytes, low first (ZVT PA00P016, section
 * 5.2).
 */
export interface Apdu {
  readonly classByte: number;
  readonly instruction: number;
  readonly data: Uint8Array;
}

const maxDataBytes = 0xffff;
export const maxApduBytes = maxDataBytes + 5;

export function encodeApdu({ classByte, instruction, data }: Apdu): Uint8Array {
  if (data.length > maxDataBytes)
    throw new RangeError(`an APDU holds at most ${maxDataBytes} bytes of data, got ${data.length}`);
  const header =
    data.length < 0xff
      ? [classByte, instruction, data.length]
      : [classByte, instruction, 0xff, data.length & 0xff, data.length >>> 8];
  const bytes = new Uint8Array(header.length + data.length);
  bytes.set(header);
  bytes.set(data, header.length);
  return bytes;
}

/**
 * Length of the APDU that begins at `from`, including its header; null while the header is
 * incomplete.
 */
function apduLength(bytes: Uint8Array, from = 0): number | null {
  const short = bytes[from + 2];
  if (short === undefined) return null;
  if (short !== 0xff) return 3 + short;
  const low = bytes[from + 3];
  const high = bytes[from + 4];
  return low === undefined || high === undefined ? null : 5 + (low | (high << 8));
}

/** null when the bytes are not exactly one APDU. */
export function decodeApdu(bytes: Uint8Array): Apdu | null {
  if (apduLength(bytes) !== bytes.length) return null;
  return {
    classByte: bytes[0] ?? 0,
    instruction: bytes[1] ?? 0,
    data: bytes.subarray(bytes[2] === 0xff ? 5 : 3),
  };
}

/** Splits a TCP stream into APDUs, however they were segmented (ZVT PA00P016, section 4). */
export class ApduStream {
  readonly #rest = new PacketRest();

  /** Whether an APDU is incomplete; the rest is due within T3. */
  get isInside(): boolean {
    return !this.#rest.isEmpty;
  }

  push(chunk: Uint8Array): Uint8Array[] {
    const bytes = this.#rest.joined(chunk);
    if (bytes === null) return [];
    const apdus: Uint8Array[] = [];
    let from = 0;
    for (;;) {
      const length = apduLength(bytes, from);
      if (length === null || from + length > bytes.length) {
        this.#rest.keep(bytes.subarray(from), length);
        return apdus;
      }
      apdus.push(bytes.slice(from, from + length));
      from += length;
    }
  }
}

/**
 * The begin of a packet whose rest is to come: in a buffer for the whole of it, so that one which
 * comes in single bytes is not copied for each.
 */
export class PacketRest {
  #bytes = new Uint8Array(0);
  #length = 0;

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  /** @returns what came so far, with the chunk; null while the packet is incomplete */
  joined(chunk: Uint8Array): Uint8Array | null {
    if (this.#length === 0) return chunk;
    const length = this.#length + chunk.length;
    const isComplete = length >= this.#bytes.length;
    const bytes = isComplete ? new Uint8Array(length) : this.#bytes;
    if (isComplete) bytes.set(this.#bytes.subarray(0, this.#length));
    bytes.set(chunk, this.#length);
    this.#length = length;
    return isComplete ? bytes : null;
  }

  /** @param packetLength null while it is not known */
  keep(begin: Uint8Array, packetLength: number | null): void {
    this.#bytes = new Uint8Array(packetLength ?? begin.length);
    this.#bytes.set(begin);
    this.#length = begin.length;
  }
}
