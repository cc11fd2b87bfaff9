import { html, type TemplateResult } from 'lit';

/** A tick in a ring. The animation runs once and ends after a second. */
export function thanks(): TemplateResult {
  return html`<svg class="icon thanks" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
    <circle class="halo" cx="12" cy="12" r="9.500" />
    <circle class="ring" pathLength="1" cx="12" cy="12" r="9.500" />
    <path class="stroke" pathLength="1" d="M7.500 12.500l3 3 6-6.500" />
  </svg>`;
}
