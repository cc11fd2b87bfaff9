import { css, html, nothing, type TemplateResult } from 'lit';
import { formatPercent, type Language } from '../locales/i18n.ts';
import { screenTexts } from '../locales/screens.ts';

export interface ProgressOptions {
  readonly language: Language;
  readonly label: string;
  /** 0 to 1; null: how much there is to do is not known. */
  readonly fraction: number | null;
  readonly detail?: string;
  /** With it, a button ends the work. */
  readonly onCancel?: () => void;
}

/** How far a longer work is, and the way out of it. */
export function progress({ language, label, fraction, detail, onCancel }: ProgressOptions): TemplateResult {
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

export const progressStyles = css`
  .progress {
    display: grid;
    gap: var(--space-3);
  }
  .progress-words {
    display: flex;
    justify-content: space-between;
    gap: var(--space-4);
  }
  .progress-track {
    height: 0.75rem;
    border-radius: 1rem;
    background: var(--line);
    overflow: hidden;
  }
  .progress-track > div {
    height: 100%;
    border-radius: inherit;
    background: var(--busy);
  }
  .progress-known {
    width: calc(100% * var(--share));
    transition: width var(--quick);
  }
  .progress-unknown {
    width: 30%;
    animation: wander var(--turn);
  }
  .progress-cancel {
    justify-self: start;
  }
  @keyframes wander {
    from {
      transform: translateX(-100%);
    }
    to {
      transform: translateX(334%);
    }
  }
`;
