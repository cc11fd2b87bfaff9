import { html, svg, type TemplateResult } from 'lit';

/** The ways a customer's phone finds the point of sale, drawn in the style of the icons. */
const paths = {
  QR: svg`<rect x="3" y="7" width="25" height="25" rx="3"/><path d="M8.500 12.500h5.500V18H8.500zM17.500 12.500H23V18h-5.500zM8.500 21.500H14V27H8.500z"/><path d="M17.500 21.500h2.200v2.200M23 21.500v2.500M17.500 27h2.200M23 27v.1"/><path d="M15.500 32v8.500M9 40.500h13"/><rect x="32" y="13" width="13" height="27" rx="3"/><path d="M37.500 36h2"/>`,
  NFC: svg`<rect x="3" y="15" width="17" height="19" rx="4"/><path d="M8.500 29v-9l6 9v-9"/><path d="M24 19.500c1.600 3.200 1.600 6.800 0 10M27.800 16.500c2.600 5 2.600 11 0 16"/><rect x="33" y="9" width="12.500" height="31" rx="3"/><path d="M38.300 36h2"/>`,
  Bluetooth: svg`<rect x="13" y="19" width="22" height="23" rx="6"/><path d="M20 27l8 7-4 3.800V23.200L28 27l-8 7"/><path d="M17.500 14.500c3.700-3.200 9.300-3.200 13 0M12.500 9.300c6.600-5.800 16.400-5.800 23 0"/>`,
} as const;

export type BeaconType = keyof typeof paths;
export const beaconTypes = Object.keys(paths) as BeaconType[];

export function beaconPicture(type: BeaconType): TemplateResult {
  return html`<svg
    class="beacon-picture"
    viewBox="0 0 48 48"
    fill="none"
    stroke="currentColor"
    stroke-width="2.200"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >${paths[type]}</svg>`;
}
