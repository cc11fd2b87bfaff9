import { svg, html, type TemplateResult } from 'lit';
import { phoneSymbol } from '../../main/core/domain/beacons.ts';

/**
 * An animation of a phone that is held to a beacon; it stands still where the system asks for less
 * motion.
 */
export function holdPhone(): TemplateResult {
  return html`<svg
    class="hold-phone"
    data-testid="hold-phone"
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="1.6"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    ${svg`<path d=${phoneSymbol.beacon} /><path class="waves" d=${phoneSymbol.waves} /><path class="phone" d=${phoneSymbol.phone} />`}
  </svg>`;
}
