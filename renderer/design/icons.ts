import { html, svg, type TemplateResult } from 'lit';

const paths = {
  busy: svg`<path d="M12 3a9 9 0 1 0 9 9"/><path d="M12 7v5l3 2"/>`,
  scan: svg`<path d="M4 8V5a1 1 0 0 1 1-1h3M16 4h3a1 1 0 0 1 1 1v3M20 16v3a1 1 0 0 1-1 1h-3M8 20H5a1 1 0 0 1-1-1v-3"/><path d="M8 8h3v3H8zM13 13h3v3h-3zM13 8h3M8 13v3"/>`,
  person: svg`<circle cx="12" cy="8" r="4"/><path d="M4.5 20c1-4 4-6 7.500-6s6.500 2 7.500 6"/>`,
  phone: svg`<rect x="7" y="2.500" width="10" height="19" rx="2.500"/><path d="M10 18.500h4"/><path d="M9.800 10l1.700 1.700L14.500 8.700"/>`,
  till: svg`<path d="M4 13h16l1 7H3z"/><path d="M6 13V8h9v5"/><path d="M8 16.500h2M12 16.500h4"/><path d="M15 8V4h4v4"/>`,
  check: svg`<circle cx="12" cy="12" r="9.500"/><path d="M7.500 12.500l3 3 6-6.500"/>`,
  cross: svg`<circle cx="12" cy="12" r="9.500"/><path d="M8.500 8.500l7 7M15.500 8.500l-7 7"/>`,
  warning: svg`<path d="M12 3.500L2.500 20h19z"/><path d="M12 10v4.500M12 17.300v.2"/>`,
  offline: svg`<path d="M3 3l18 18"/><path d="M5 12a10 10 0 0 1 4-2.500M19 12a10 10 0 0 0-4.500-2.700M8.500 15.500a5 5 0 0 1 6 -.3"/><path d="M12 19v.1"/>`,
} as const;

export type IconName = keyof typeof paths;

export function icon(name: IconName): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${paths[name]}</svg>`;
}

/** The mark: a beacon over a till. */
export function wordmark(): TemplateResult {
  return html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <path d="M6 9a14 14 0 0 1 20 0M10 13a8.500 8.500 0 0 1 12 0" fill="none" stroke="var(--beacon)" stroke-width="2.600" stroke-linecap="round" />
      <circle cx="16" cy="17.500" r="2.600" fill="var(--beacon)" />
      <path d="M7 22h18l2 6H5z" fill="currentColor" /></svg
    ><span class="name">Tillbeacon</span>`;
}
