/** Packed BCD, big-endian (ZVT PA00P015, encodings). */
export function encodeBcd(value: number, byteCount: number): Uint8Array {
  const bytes = new Uint8Array(byteCount);
  let rest = value;
  for (let at = byteCount - 1; at >= 0; at -= 1) {
    const twoDigits = rest % 100;
    bytes[at] = Math.floor(twoDigits / 10) * 0x10 + (twoDigits % 10);
    rest = Math.floor(rest / 100);
  }
  if (!Number.isSafeInteger(value) || value < 0 || rest > 0)
    throw new RangeError(`${value} does not fit into ${byteCount} BCD bytes`);
  return bytes;
}

/** null when a nibble is not a decimal digit. */
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
