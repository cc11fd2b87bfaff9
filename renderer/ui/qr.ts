import { html, nothing, type TemplateResult } from 'lit';
import { create } from 'qrcode';
import type { OwnCode } from '../../preload/contract.ts';

/** The quiet zone around a code, in modules (ISO/IEC 18004). */
const quietModules = 4;

/** The dark modules as one SVG path, with a rectangle for each run in a row. */
export function qrPath(payload: string): { path: string; size: number } {
  const { modules } = create(payload, { errorCorrectionLevel: 'M' });
  const parts: string[] = [];
  for (let row = 0; row < modules.size; row += 1) {
    for (let column = 0; column < modules.size; column += 1) {
      if (!modules.get(row, column)) continue;
      let run = 1;
      while (column + run < modules.size && modules.get(row, column + run)) run += 1;
      parts.push(`M${column + quietModules} ${row + quietModules}h${run}v1h-${run}z`);
      column += run;
    }
  }
  return { path: parts.join(''), size: modules.size + 2 * quietModules };
}

let drawn: { payload: string; path: string; size: number } | null = null;

/** Keeps the last code, because the countdown renders the screen four times a second. */
function qrDrawn(payload: string): { path: string; size: number } {
  if (drawn?.payload !== payload) drawn = { payload, ...qrPath(payload) };
  return drawn;
}

/**
 * The width in modules, with the quiet zone. The code is sharp when its side in pixels is a
 * multiple of this.
 */
export const qrModules = (payload: string): number => qrDrawn(payload).size;

/** The code of one payment: the operator's picture unchanged, or a text drawn as a QR code. */
export function ownCode(code: OwnCode, label: string): TemplateResult | typeof nothing {
  return code.kind === 'text'
    ? qr(code.text, label)
    : html`<img class="qr" data-testid="own-code" src=${code.picture} alt=${label} />`;
}

/** Black on white in every colour scheme and without a logo, so that every phone can scan it. */
export function qr(payload: string | null, label: string): TemplateResult | typeof nothing {
  if (payload === null) return nothing;
  const { path, size } = qrDrawn(payload);
  return html`<svg class="qr" data-testid="qr" data-payload=${payload} viewBox="0 0 ${size} ${size}" role="img" aria-label=${label} shape-rendering="crispEdges">
    <rect width=${size} height=${size} fill="#fff" />
    <path d=${path} fill="#000" />
  </svg>`;
}
