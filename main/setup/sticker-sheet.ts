/** QR codes to stick on a counter: A4, in their physical size, with marks to cut along. */
import { PDFDocument, type PDFFont, type PDFPage, rgb, StandardFonts } from '@cantoo/pdf-lib';
import { create, type QRCode } from 'qrcode';

export interface Sticker {
  /** What the code says. */
  readonly qr: string;
  /** Of the point of sale. */
  readonly name: string;
}

const pointsPerMm = 72 / 25.4;
const page = { widthMm: 210, heightMm: 297 } as const;
const columns = 2;
const rows = 3;
const sticker = { widthMm: 88, heightMm: 88 } as const;
/** From the first dark module to the last: scans from half a metre (document 4, section 8, asks for 25 mm at least). */
export const codeMm = 50;
const quietModules = 4;
const topMarginMm = 7;
const nameSizePt = 16;
const smallestNamePt = 8;
const cutMarkMm = 5;
const black = rgb(0, 0, 0);
const grey = rgb(0.6, 0.6, 0.6);

/** One page with the same sticker six times: one for the counter, and some for the day it is worn. */
export async function stickerSheet(one: Sticker): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.setTitle(`${one.name} – ${one.qr}`);
  document.setProducer('Tillbeacon');
  const sheet = document.addPage([page.widthMm * pointsPerMm, page.heightMm * pointsPerMm]);
  const font = await document.embedFont(StandardFonts.HelveticaBold);
  const leftMm = (page.widthMm - columns * sticker.widthMm) / 2;
  const topMm = (page.heightMm - rows * sticker.heightMm) / 2;
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      drawSticker(sheet, font, one, { leftMm: leftMm + column * sticker.widthMm, topMm: topMm + row * sticker.heightMm });
    }
  }
  drawCutMarks(sheet, leftMm, topMm);
  return document.save();
}

interface Place {
  readonly leftMm: number;
  readonly topMm: number;
}

function drawSticker(sheet: PDFPage, font: PDFFont, { qr, name }: Sticker, { leftMm, topMm }: Place): void {
  const { modules } = create(qr, { errorCorrectionLevel: 'M' });
  const moduleMm = codeMm / modules.size;
  const codeLeftMm = leftMm + (sticker.widthMm - codeMm) / 2;
  const codeTopMm = topMm + quietModules * moduleMm + topMarginMm;
  // One shape: between two that touch, a printer may leave a hair of white.
  sheet.drawSvgPath(outline(modules), {
    x: codeLeftMm * pointsPerMm,
    y: fromBottom(codeTopMm),
    scale: moduleMm * pointsPerMm,
    color: black,
  });
  const widest = (sticker.widthMm - 12) * pointsPerMm;
  const size = Math.max(smallestNamePt, Math.min(nameSizePt, (nameSizePt * widest) / font.widthOfTextAtSize(name, nameSizePt)));
  const baselineMm = codeTopMm + codeMm + quietModules * moduleMm + size / pointsPerMm;
  const width = font.widthOfTextAtSize(name, size);
  sheet.drawText(name, { x: (leftMm + sticker.widthMm / 2) * pointsPerMm - width / 2, y: fromBottom(baselineMm), size, font, color: black });
}

/** The dark modules, in modules: each row's neighbours as one box. */
function outline(modules: QRCode['modules']): string {
  const boxes: string[] = [];
  for (let y = 0; y < modules.size; y += 1) {
    for (let x = 0; x < modules.size; x += 1) {
      let length = 0;
      while (x + length < modules.size && modules.get(y, x + length)) length += 1;
      if (length > 0) boxes.push(`M${x} ${y}H${x + length}V${y + 1}H${x}Z`);
      x += length;
    }
  }
  return boxes.join('');
}

/** Outside the stickers, at the lines between them: what is cut off takes the marks with it. */
function drawCutMarks(sheet: PDFPage, leftMm: number, topMm: number): void {
  const rightMm = leftMm + columns * sticker.widthMm;
  const bottomMm = topMm + rows * sticker.heightMm;
  const line = (fromX: number, fromY: number, toX: number, toY: number): void =>
    sheet.drawLine({
      start: { x: fromX * pointsPerMm, y: fromBottom(fromY) },
      end: { x: toX * pointsPerMm, y: fromBottom(toY) },
      thickness: 0.5,
      color: grey,
    });
  for (let column = 0; column <= columns; column += 1) {
    const x = leftMm + column * sticker.widthMm;
    line(x, topMm - cutMarkMm, x, topMm - 1);
    line(x, bottomMm + 1, x, bottomMm + cutMarkMm);
  }
  for (let row = 0; row <= rows; row += 1) {
    const y = topMm + row * sticker.heightMm;
    line(leftMm - cutMarkMm, y, leftMm - 1, y);
    line(rightMm + 1, y, rightMm + cutMarkMm, y);
  }
}

/** PDF counts from the lower edge. */
function fromBottom(mm: number): number {
  return (page.heightMm - mm) * pointsPerMm;
}
