/**
 * What to stick on a counter, the QR code or where to hold a phone: A4, in their physical size,
 * with marks to cut along.
 */
import {
  LineCapStyle,
  PDFDocument,
  type PDFFont,
  type PDFImage,
  type PDFPage,
  rgb,
  StandardFonts,
} from '@cantoo/pdf-lib';
import { create, type QRCode } from 'qrcode';
import { phoneSymbol } from '../../core/domain/beacons.ts';

export interface Sticker {
  /** What the code says; null when there is none and phones are held to the sticker. */
  readonly qr: string | null;
  /** The code as the service draws it, a PNG with its quiet zone, instead of `qr`. */
  readonly picture?: Uint8Array | null;
  /** Text beside the phone symbol, in Latin-1; null when only the code leads a phone here. */
  readonly hold: string | null;
  /** Name of the point of sale. */
  readonly name: string;
}

const pointsPerMm = 72 / 25.4;
const page = { widthMm: 210, heightMm: 297 } as const;
const columns = 2;
const rows = 3;
const sticker = { widthMm: 88, heightMm: 88 } as const;
/**
 * From the first dark module to the last: scans from half a metre (document 4, section 8, asks for
 * 25 mm at least).
 */
export const codeMm = 50;
/** Width with the quiet zone that is part of the picture. */
export const pictureMm = 62;
const pictureTopMm = 4;
const quietModules = 4;
const topMarginMm = 7;
const nameSizePt = 16;
const holdSizePt = 12;
const minTextPt = 8;
const smallSymbolMm = 9;
const cutMarkMm = 5;
const black = rgb(0, 0, 0);
const grey = rgb(0.6, 0.6, 0.6);

/**
 * One page with the same sticker six times: one for the counter, and some for the day it is worn.
 */
export async function stickerSheet(one: Sticker): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const picture = one.picture == null ? null : await document.embedPng(one.picture);
  document.setTitle(one.qr === null ? one.name : `${one.name} – ${one.qr}`);
  document.setProducer('Tillbeacon');
  const sheet = document.addPage([page.widthMm * pointsPerMm, page.heightMm * pointsPerMm]);
  const font = await document.embedFont(StandardFonts.HelveticaBold);
  const leftMm = (page.widthMm - columns * sticker.widthMm) / 2;
  const topMm = (page.heightMm - rows * sticker.heightMm) / 2;
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      drawSticker(
        sheet,
        font,
        { ...one, picture },
        { leftMm: leftMm + column * sticker.widthMm, topMm: topMm + row * sticker.heightMm },
      );
    }
  }
  drawCutMarks(sheet, leftMm, topMm);
  return document.save();
}

interface Place {
  readonly leftMm: number;
  readonly topMm: number;
}

type Drawn = Omit<Sticker, 'picture'> & { readonly picture: PDFImage | null };

function drawSticker(
  sheet: PDFPage,
  font: PDFFont,
  { qr, picture, hold, name }: Drawn,
  place: Place,
): void {
  const drawn =
    picture !== null
      ? drawPicture(sheet, picture, place)
      : qr === null
        ? drawSymbol(sheet, place)
        : drawCode(sheet, qr, place);
  const nameAtMm = writeLine(
    sheet,
    font,
    { text: name, sizePt: nameSizePt },
    { ...place, topMm: drawn.bottomMm },
  );
  if (hold === null) return;
  const words = { text: hold, sizePt: holdSizePt };
  const besideMm = qr === null ? 0 : smallSymbolMm;
  if (qr !== null) {
    const leftMm = place.leftMm + (sticker.widthMm - widthMm(font, words) - besideMm) / 2 - 2;
    drawPhoneSymbol(sheet, { leftMm, topMm: nameAtMm + 2.5 }, smallSymbolMm);
  }
  writeLine(sheet, font, words, { leftMm: place.leftMm + besideMm / 2, topMm: nameAtMm + 3 });
}

/** @returns where the quiet zone below it ends */
function drawCode(sheet: PDFPage, qr: string, { leftMm, topMm }: Place): { bottomMm: number } {
  const { modules } = create(qr, { errorCorrectionLevel: 'M' });
  const moduleMm = codeMm / modules.size;
  const codeTopMm = topMm + quietModules * moduleMm + topMarginMm;
  // One shape: between two that touch, a printer may leave a hair of white.
  sheet.drawSvgPath(outline(modules), {
    x: (leftMm + (sticker.widthMm - codeMm) / 2) * pointsPerMm,
    y: fromBottom(codeTopMm),
    scale: moduleMm * pointsPerMm,
    color: black,
  });
  return { bottomMm: codeTopMm + codeMm + quietModules * moduleMm };
}

function drawPicture(
  sheet: PDFPage,
  picture: PDFImage,
  { leftMm, topMm }: Place,
): { bottomMm: number } {
  const bottomMm = topMm + pictureTopMm + pictureMm;
  const side = pictureMm * pointsPerMm;
  sheet.drawImage(picture, {
    x: (leftMm + (sticker.widthMm - pictureMm) / 2) * pointsPerMm,
    y: fromBottom(bottomMm),
    width: side,
    height: side,
  });
  return { bottomMm };
}

function drawSymbol(sheet: PDFPage, { leftMm, topMm }: Place): { bottomMm: number } {
  const at = { leftMm: leftMm + (sticker.widthMm - codeMm) / 2, topMm: topMm + topMarginMm };
  drawPhoneSymbol(sheet, at, codeMm);
  return { bottomMm: at.topMm + codeMm };
}

function drawPhoneSymbol(sheet: PDFPage, { leftMm, topMm }: Place, sizeMm: number): void {
  const scale = (sizeMm / 24) * pointsPerMm;
  for (const line of Object.values(phoneSymbol)) {
    sheet.drawSvgPath(line, {
      x: leftMm * pointsPerMm,
      y: fromBottom(topMm),
      scale,
      borderColor: black,
      borderWidth: 1.6,
      borderLineCap: LineCapStyle.Round,
    });
  }
}

interface Line {
  readonly text: string;
  readonly sizePt: number;
}

/**
 * Writes a line in the middle of the sticker, smaller where it would not fit. @returns its baseline
 */
function writeLine(sheet: PDFPage, font: PDFFont, line: Line, { leftMm, topMm }: Place): number {
  const width = widthMm(font, line);
  const size = Math.max(
    minTextPt,
    Math.min(line.sizePt, (line.sizePt * (sticker.widthMm - 12)) / width),
  );
  const baselineMm = topMm + size / pointsPerMm;
  const x =
    (leftMm + sticker.widthMm / 2) * pointsPerMm - font.widthOfTextAtSize(line.text, size) / 2;
  sheet.drawText(line.text, { x, y: fromBottom(baselineMm), size, font, color: black });
  return baselineMm;
}

const widthMm = (font: PDFFont, { text, sizePt }: Line): number =>
  font.widthOfTextAtSize(text, sizePt) / pointsPerMm;

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
