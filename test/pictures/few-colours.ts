import { crc32, deflateSync } from 'node:zlib';

/** An image as pngjs holds it: four bytes for each pixel, red, green, blue and opacity. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** Enough for every area, and for most shades at the edges of letters. */
const maxColours = 64;

/**
 * The picture in its most frequent colours, as its pixels and as a file: a PNG with a palette, a
 * third of the size, which no library here writes. Those colours are exact, every other one becomes
 * the nearest of them.
 */
export function inFewColours({ width, height, data }: Pixels): {
  readonly pixels: Pixels;
  readonly file: () => Buffer;
} {
  const colours = Uint32Array.from(
    { length: width * height },
    (_, pixel) => (data[pixel * 4]! << 16) | (data[pixel * 4 + 1]! << 8) | data[pixel * 4 + 2]!,
  );
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  // Equally frequent colours have an order too: the same picture is the same file.
  const palette = [...counts]
    .sort(([a, many], [b, more]) => more - many || a - b)
    .slice(0, maxColours)
    .map(([colour]) => colour);
  const indices = new Map([...counts.keys()].map((colour) => [colour, nearest(colour, palette)]));
  const reduced = new Uint8Array(data.length).fill(255);
  colours.forEach((colour, pixel) => {
    const entry = palette[indices.get(colour)!]!;
    reduced[pixel * 4] = entry >> 16;
    reduced[pixel * 4 + 1] = (entry >> 8) & 255;
    reduced[pixel * 4 + 2] = entry & 255;
  });
  const file = (): Buffer => {
    // Each row begins with the byte for its filter; 0 is none.
    const rows = Buffer.alloc((width + 1) * height);
    colours.forEach(
      (colour, pixel) => (rows[pixel + Math.floor(pixel / width) + 1] = indices.get(colour)!),
    );
    return png(width, height, palette, rows);
  };
  return { pixels: { width, height, data: reduced }, file };
}

function nearest(colour: number, palette: readonly number[]): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const [index, one] of palette.entries()) {
    const red = (one >> 16) - (colour >> 16);
    const green = ((one >> 8) & 255) - ((colour >> 8) & 255);
    const blue = (one & 255) - (colour & 255);
    const distance = red * red + green * green + blue * blue;
    if (distance < least) [best, least] = [index, distance];
  }
  return best;
}

/** See https://www.w3.org/TR/png-3/#11Chunks */
function png(width: number, height: number, colours: readonly number[], rows: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits for each pixel, which name a colour of the palette.
  header.set([8, 3], 8);
  const palette = Buffer.from(
    colours.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]),
  );
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, content: Buffer): Buffer {
  const typeAndContent = Buffer.concat([Buffer.from(type), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(typeAndContent));
  return Buffer.concat([length, typeAndContent, sum]);
}
