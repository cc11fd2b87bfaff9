import { inflateSync } from 'node:zlib';
import { PDFDocument, PDFName, PDFRawStream } from '@cantoo/pdf-lib';
import jsQR from 'jsqr';
import { toBuffer } from 'qrcode';
import { beforeAll, describe, expect, test } from 'vitest';
import { codeMm, pictureMm, stickerSheet } from '../../../../main/counter/setup/sticker-sheet.ts';

const qr = 'walletpos://pos?id=4f9d6a10-0a53-4e86-8b9a-6b6e2a1d9a11&source=qr';
const mm = (points: number): number => (points * 25.4) / 72;

interface Box {
  readonly left: number;
  readonly bottom: number;
  readonly width: number;
  readonly height: number;
}

/** The drawn images of the page, and how many pixels each has. */
async function pictures(
  pdf: Uint8Array,
): Promise<{ widthMm: number; heightMm: number; pixels: number }[]> {
  const document = await PDFDocument.load(pdf);
  const streams = document.context
    .enumerateIndirectObjects()
    .flatMap(([, object]) => (object instanceof PDFRawStream ? [object] : []));
  const widths = streams
    .map(({ dict }) => Number(dict.get(PDFName.of('Width'))?.toString()))
    .filter((width) => width > 0);
  const content = streams
    .map((stream) => (stream.dict.has(PDFName.of('Width')) ? '' : unpacked(stream)))
    .join('\n');
  return [...content.matchAll(/(\d{2,}\S*) 0 0 (\d{2,}\S*) 0 0 cm\n[^Q]*?Do/g)].map(
    ([, width, height]) => ({
      widthMm: Math.round(mm(Number(width))),
      heightMm: Math.round(mm(Number(height))),
      pixels: widths[0] ?? 0,
    }),
  );
}

const unpacked = (stream: PDFRawStream): string =>
  (stream.dict.has(PDFName.of('Filter'))
    ? inflateSync(stream.getContents())
    : Buffer.from(stream.getContents())
  ).toString('latin1');

/** The filled boxes of the page, as a printer reads them, in millimetres; and its words. */
async function read(
  pdf: Uint8Array,
): Promise<{ boxes: Box[]; words: string[]; widthMm: number; heightMm: number }> {
  const document = await PDFDocument.load(pdf);
  const page = document.getPage(0);
  const contents = page.node.normalizedEntries().Contents;
  const content = (contents?.asArray() ?? [])
    .map((reference) => document.context.lookup(reference))
    .filter((stream): stream is PDFRawStream => stream instanceof PDFRawStream)
    .map(unpacked)
    .join('\n');
  // Each code is one filled shape of boxes, in modules, below its own corner and scale.
  const boxes = content.split(/\bq\n/).flatMap((drawing): Box[] => {
    const at = /1 0 0 1 (\S+) (\S+) cm/.exec(drawing);
    const scale = /(\S+) 0 0 -(\S+) 0 0 cm/.exec(drawing);
    if (at === null || scale === null || !/\nf\n/.test(drawing)) return [];
    const [, x = 0, y = 0] = at.map(Number);
    const size = Number(scale[1]);
    return [...drawing.matchAll(/(\S+) (\S+) m\n\S+ \S+ l\n(\S+) (\S+) l\n\S+ \S+ l\nh/g)].map(
      (box) => {
        const [, left = 0, top = 0, right = 0, bottom = 0] = box.map(Number);
        return {
          left: mm(x + left * size),
          bottom: mm(y - bottom * size),
          width: mm((right - left) * size),
          height: mm((bottom - top) * size),
        };
      },
    );
  });
  const words = [...content.matchAll(/<([0-9A-F]+)> Tj/g)].map(([, hex = '']) =>
    Buffer.from(hex, 'hex').toString('latin1'),
  );
  return { boxes, words, widthMm: mm(page.getWidth()), heightMm: mm(page.getHeight()) };
}

/** Reads one part of the paper as a camera does, with ten dots to the millimetre. */
function scanned(
  boxes: readonly Box[],
  part: { left: number; bottom: number; size: number },
): string | null {
  const dots = Math.round(part.size * 10);
  const pixels = new Uint8ClampedArray(dots * dots * 4).fill(255);
  for (const { left, bottom, width, height } of boxes) {
    for (
      let y = Math.max(0, Math.round((bottom - part.bottom) * 10));
      y < Math.min(dots, Math.round((bottom + height - part.bottom) * 10));
      y += 1
    ) {
      for (
        let x = Math.max(0, Math.round((left - part.left) * 10));
        x < Math.min(dots, Math.round((left + width - part.left) * 10));
        x += 1
      ) {
        pixels.fill(0, ((dots - 1 - y) * dots + x) * 4, ((dots - 1 - y) * dots + x) * 4 + 3);
      }
    }
  }
  return jsQR(pixels, dots, dots)?.data ?? null;
}

describe('the sheet of stickers', () => {
  let sheet: Uint8Array;
  beforeAll(async () => {
    sheet = await stickerSheet({ qr, hold: null, name: 'Kasse 1' });
  });

  test('is one page of A4 with six codes, each exactly as large as it says', async () => {
    const { boxes, widthMm, heightMm } = await read(sheet);
    expect([widthMm, heightMm]).toEqual([expect.closeTo(210, 3), expect.closeTo(297, 3)]);
    // Clusters of dark modules, a sticker's width apart.
    const lefts = boxes.map(({ left }) => left);
    const first = Math.min(...lefts);
    const own = boxes.filter(({ left, bottom }) => left < first + codeMm && bottom > 297 - 88 - 16);
    const right = Math.max(...own.map(({ left, width }) => left + width));
    const top = Math.max(...own.map(({ bottom, height }) => bottom + height));
    const bottom = Math.min(...own.map((box) => box.bottom));
    expect(right - first).toBeCloseTo(codeMm, 3);
    expect(top - bottom).toBeCloseTo(codeMm, 3);
    // Level M, and the quiet zone around it stays free.
    const module = Math.min(...own.map(({ height }) => height));
    const near = boxes.filter(
      (box) =>
        !own.includes(box) && box.left < right + 4 * module && box.bottom > bottom - 4 * module,
    );
    expect(near).toEqual([]);
  });

  test('has codes that scan, all six of them', async () => {
    const { boxes } = await read(sheet);
    const left = (210 - 2 * 88) / 2;
    const bottom = (297 - 3 * 88) / 2;
    for (const column of [0, 1]) {
      for (const row of [0, 1, 2])
        expect(
          scanned(boxes, { left: left + column * 88, bottom: bottom + row * 88, size: 88 }),
          `${column} ${row}`,
        ).toBe(qr);
    }
  });

  test('bears any name that a point of sale can have', async () => {
    const names = [
      'Æblegård – nej',
      'WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW',
      'šŠžŽÿÐþ¦¯¨´¼½¾¬®¢£¥¡¿¹²³«»¤',
    ];
    for (const name of names.map((text) => text.replace('–', '-')))
      expect(
        (await stickerSheet({ qr, hold: 'Pidä puhelinta tässä', name })).length,
      ).toBeGreaterThan(1_000);
  });

  test('of a picture of the service has it as it is, six times, with its own quiet zone, and draws no code itself', async () => {
    const png = await toBuffer('https://qr.vipps.no/simulated/123456/K1', { width: 600 });
    const pdf = await stickerSheet({ qr: null, picture: png, hold: null, name: 'Kasse 1' });
    const { boxes, words } = await read(pdf);
    expect([boxes, words]).toEqual([[], Array.from({ length: 6 }, () => 'Kasse 1')]);
    expect(await pictures(pdf)).toEqual(
      Array.from({ length: 6 }, () => ({ widthMm: pictureMm, heightMm: pictureMm, pixels: 600 })),
    );
  });

  test('for a beacon has the phone symbol and where to hold the phone, with a code or in its place', async () => {
    const { boxes, words } = await read(
      await stickerSheet({ qr, hold: 'Hold telefonen her', name: 'Kasse 1' }),
    );
    expect(scanned(boxes, { left: (210 - 2 * 88) / 2, bottom: (297 - 3 * 88) / 2, size: 88 })).toBe(
      qr,
    );
    expect(words.filter((text) => text === 'Hold telefonen her')).toHaveLength(6);
    const alone = await read(
      await stickerSheet({ qr: null, hold: 'Hold telefonen her', name: 'Kasse 1' }),
    );
    expect(alone.boxes).toEqual([]);
    expect(alone.words).toEqual(
      Array.from({ length: 6 }, () => ['Kasse 1', 'Hold telefonen her']).flat(),
    );
  });
});
