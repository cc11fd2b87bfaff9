/** Packed BCD, big-endian (ZVT PA00P015, encodings). */
export function encodeBcd(value: number, byteCount: number): Uint8Array {
  const digits = String(value).padStart(byteCount * 2, '0');
  if (!Number.isSafeInteger(value) || value < 0 || digits.length > byteCount * 2) throw new RangeError(`${value} does not fit into ${byteCount} BCD bytes`);
  return Uint8Array.from({ length: byteCount }, (_, index) => Number.parseInt(digits.slice(index * 2, index * 2 + 2), 16));
}

/** null when a half-byte is no decimal digit. */
export function decodeBcd(bytes: Uint8Array): number | null {
  let value = 0;
  for (const byte of bytes) {
    const high = byte >>> 4;
    const low = byte & 0x0f;
    if (high > 9 || low > 9) return null;
    value = value * 100 + high * 10 + low;
  }
  return value;
}
