import { crc32, deflateSync } from 'node:zlib';

/** As pngjs holds one: four bytes for each pixel. */
interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** The areas and most of what is between a letter and its ground. */
const mostColours = 64;

/** A PNG with a palette: a third of the size, which no library here writes. The colours of which there is most are exact, the others the nearest of them. */
export function pngOfFewColours({ width, height, data }: Pixels): Buffer {
  const colours = Uint32Array.from(
    { length: width * height },
    (_, pixel) => data[pixel * 4]! * 0x1_00_00 + data[pixel * 4 + 1]! * 0x1_00 + data[pixel * 4 + 2]!,
  );
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  // One order among those of which there are as many: the same picture is the same file.
  const palette = [...counts]
    .sort(([a, many], [b, more]) => more - many || a - b)
    .slice(0, mostColours)
    .map(([colour]) => colour);
  const indices = new Map([...counts.keys()].map((colour) => [colour, nearest(colour, palette)]));
  // Each row begins with its filter: none.
  const rows = Buffer.alloc((width + 1) * height);
  colours.forEach((colour, pixel) => (rows[pixel + Math.floor(pixel / width) + 1] = indices.get(colour)!));
  return png(width, height, palette, rows);
}

function nearest(colour: number, palette: readonly number[]): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  palette.forEach((one, index) => {
    const distance = [16, 8, 0].reduce((sum, shift) => sum + (((one >> shift) & 255) - ((colour >> shift) & 255)) ** 2, 0);
    if (distance < least) [best, least] = [index, distance];
  });
  return best;
}

/** See https://www.w3.org/TR/png-3/#11Chunks */
function png(width: number, height: number, colours: readonly number[], rows: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits for each pixel, which name a colour of the palette.
  header.set([8, 3], 8);
  const palette = Buffer.from(colours.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
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
  const named = Buffer.concat([Buffer.from(type), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
