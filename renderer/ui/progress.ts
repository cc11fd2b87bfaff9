import { html, nothing, type TemplateResult } from 'lit';
import { formatPercent, type Language } from '../locales/i18n.ts';
import { screenTexts } from '../locales/screens.ts';

export interface ProgressOptions {
  readonly language: Language;
  readonly label: string;
  /** From 0 to 1; null when it is not known. */
  readonly fraction: number | null;
  readonly detail?: string;
  /** Adds a button that cancels the operation. */
  readonly onCancel?: () => void;
}

/** The progress of a longer operation, with a button to cancel it. */
export function progress({
  language,
  label,
  fraction,
  detail,
  onCancel,
}: ProgressOptions): TemplateResult {
  const share = fraction === null ? null : Math.min(1, Math.max(0, fraction));
  return html`<div class="progress">
    <div class="progress-words"><strong>${label}</strong>${share === null ? nothing : html`<span class="number">${formatPercent(language, share, 0)}</span>`}</div>
    <div
      class="progress-track"
      role="progressbar"
      aria-label=${label}
      aria-valuemin="0"
      aria-valuemax="100"
      aria-valuenow=${share === null ? nothing : Math.round(share * 100)}
    >
      <div class=${share === null ? 'progress-unknown' : 'progress-known'} .style=${`--share: ${share ?? 0}`}></div>
    </div>
    ${detail === undefined ? nothing : html`<p class="field-hint">${detail}</p>`}
    ${onCancel === undefined ? nothing : html`<button class="progress-cancel" data-testid="cancel-work" @click=${onCancel}>${screenTexts[language].design.cancel}</button>`}
  </div>`;
}
