/** CRC-16/KERMIT: polynomial 1021 reflected, start 0, no final xor (ZVT PA00P016, section 3). */
const table = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0x8408 : crc >>> 1;
  return crc;
});

export function crc16(bytes: ArrayLike<number>, start = 0): number {
  let crc = start;
  for (let at = 0; at < bytes.length; at += 1)
    crc = (crc >>> 8) ^ (table[(crc ^ (bytes[at] ?? 0)) & 0xff] ?? 0);
  return crc;
}
