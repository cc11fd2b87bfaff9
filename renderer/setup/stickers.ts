import { html, nothing, svg, type TemplateResult } from 'lit';
import { approachOf, type BeaconType, phoneSymbol } from '../../main/core/domain/beacons.ts';
import type { Bridge } from '../../preload/contract.ts';
import { qrPath } from '../ui/qr.ts';
import type { Language } from '../locales/i18n.ts';
import { setupTexts } from '../locales/setup.ts';
import { printSheet } from '../ui/print-sheet.ts';
import { saveFile } from '../save-file.ts';
import { refusalWords } from './refusal.ts';

/** Millimetres, as in the daemon's PDF. */
const side = 88;
const code = 50;
const columns = 2;
const rows = 3;
const quietModules = 4;
const nameMm = 5.6;
const holdMm = 4.2;
const smallSymbol = 9;
const pictureSide = 62;

/** Saves the sheet as a PDF. @returns what went wrong, in words; null when it was saved */
export async function saveStickers(
  bridge: Pick<Bridge, 'ask'>,
  laneId: string,
  language: Language,
): Promise<string | null> {
  const offer = await bridge.ask('stickerSheet', { laneId, hold: setupTexts[language].done.hold });
  if (!offer.ok) return refusalWords(language, offer);
  return (await saveFile(bridge, offer.value)) === 'saved' ? null : setupTexts[language].notSaved;
}

interface Sticker {
  readonly qr: string | null;
  readonly picture?: string | undefined;
  readonly beacons: readonly BeaconType[];
  readonly name: string;
}

export const hasStickers = ({ beacons }: Pick<Sticker, 'beacons'>): boolean => beacons.length > 0;

/** Whether the code that is to be printed is not known yet. */
export const cannotPrint = ({ qr, picture, beacons }: Sticker): boolean =>
  qr === null && picture === undefined && approachOf(beacons) !== 'beacon';

/** Prints the same sheet from the browser, in physical size. */
export function printStickers(sticker: Sticker, language: Language): void {
  const places = Array.from({ length: columns * rows }, (_, index) => ({
    x: (index % columns) * side,
    y: Math.floor(index / columns) * side,
  }));
  const drawn = drawing(sticker, setupTexts[language].done.hold);
  printSheet(html`<svg width="${columns * side}mm" height="${rows * side}mm" viewBox="0 0 ${columns * side} ${rows * side}">
    ${places.map(
      ({ x, y }) =>
        svg`<g transform="translate(${x} ${y})">
          <rect x="0.200" y="0.200" width=${side - 0.4} height=${side - 0.4} fill="none" stroke="#bbb" stroke-width="0.200" stroke-dasharray="1 3" />
          ${drawn}
        </g>`,
    )}
  </svg>`);
}

function drawing({ qr, picture, beacons, name }: Sticker, hold: string): TemplateResult {
  if (picture !== undefined)
    return svg`<image x=${(side - pictureSide) / 2} y="4" width=${pictureSide} height=${pictureSide} href=${picture} />${words(name, 4 + pictureSide + 7, nameMm)}`;
  if (qr === null)
    return svg`${phone((side - code) / 2, 7, code)}${words(name, 7 + code + 5, nameMm)}${words(hold, 7 + code + 13, holdMm)}`;
  const { path, size } = qrPath(qr);
  const module = code / (size - 2 * quietModules);
  const nameAt = 6 + size * module + 5;
  return svg`<path transform="translate(${(side - size * module) / 2} 6) scale(${module})" d=${path} fill="#000" shape-rendering="crispEdges" />
    ${words(name, nameAt, nameMm)}
    ${approachOf(beacons) === 'code' ? nothing : svg`${phone(4, nameAt + 1, smallSymbol)}${words(hold, nameAt + 7, holdMm, smallSymbol / 2)}`}`;
}

const phone = (x: number, y: number, size: number): TemplateResult =>
  svg`<g transform="translate(${x} ${y}) scale(${size / 24})" fill="none" stroke="#000" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round">
    ${Object.values(phoneSymbol).map((line) => svg`<path d=${line} />`)}
  </g>`;

/** Centred text on the sticker, in a smaller size when it would not fit. */
const words = (text: string, baseline: number, size: number, right = 0): TemplateResult =>
  svg`<text
    x=${side / 2 + right}
    y=${baseline}
    text-anchor="middle"
    font-family="sans-serif"
    font-weight="700"
    font-size=${Math.min(size, (side - 12 - 2 * right) / (text.length * 0.62))}
  >${text}</text>`;
