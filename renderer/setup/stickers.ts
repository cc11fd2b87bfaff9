import { html, svg, type TemplateResult } from 'lit';
import type { Bridge } from '../../preload/contract.ts';
import { qrPath } from '../ui/qr.ts';
import type { Language } from '../locales/i18n.ts';
import { setupTexts } from '../locales/setup.ts';
import { printSheet } from '../ui/print-sheet.ts';
import { saveFile } from '../save-file.ts';
import { refusalWords } from './refusal.ts';

/** In millimetres, as in the daemon's PDF. */
const side = 88;
const code = 50;
const columns = 2;
const rows = 3;
const quietModules = 4;

/** Saves the PDF. @returns what went wrong, in words; null: nothing */
export async function saveStickers(bridge: Pick<Bridge, 'ask'>, laneId: string, language: Language): Promise<string | null> {
  const offer = await bridge.ask('stickerSheet', { laneId });
  if (!offer.ok) return refusalWords(language, offer);
  return (await saveFile(bridge, offer.value)) === 'saved' ? null : setupTexts[language].notSaved;
}

/** Prints the same sheet from the browser, in its physical size. */
export function printStickers(sticker: { readonly qr: string; readonly name: string }): void {
  printSheet(sheetOf(sticker));
}

function sheetOf({ qr, name }: { readonly qr: string; readonly name: string }): TemplateResult {
  const { path, size } = qrPath(qr);
  const module = code / (size - 2 * quietModules);
  const places = Array.from({ length: columns * rows }, (_, index) => ({ x: (index % columns) * side, y: Math.floor(index / columns) * side }));
  const left = (side - size * module) / 2;
  return html`<svg width="${columns * side}mm" height="${rows * side}mm" viewBox="0 0 ${columns * side} ${rows * side}" shape-rendering="crispEdges">
    ${places.map(
      ({ x, y }) =>
        svg`<g transform="translate(${x} ${y})">
          <rect x="0.200" y="0.200" width=${side - 0.4} height=${side - 0.4} fill="none" stroke="#bbb" stroke-width="0.200" stroke-dasharray="1 3" />
          <path transform="translate(${left} 6) scale(${module})" d=${path} fill="#000" />
          <text x=${side / 2} y=${6 + size * module + 5} text-anchor="middle" font-family="sans-serif" font-weight="700" font-size=${nameMm(name)}>${name}</text>
        </g>`,
    )}
  </svg>`;
}

/** Smaller for longer names, so that they fit on the sticker. */
function nameMm(name: string): number {
  return Math.min(5.6, (side - 12) / (name.length * 0.62));
}
