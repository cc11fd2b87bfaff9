import { css, html, nothing, type TemplateResult } from 'lit';
import { icon, type IconName } from './icons.ts';

/** Where a list would be: why there is none, and what to do. */
export function empty({ icon: name, title, body, action }: { icon: IconName; title: string; body?: string; action?: unknown }): TemplateResult {
  return html`<div class="empty">
    ${icon(name)}<strong>${title}</strong>${body === undefined ? nothing : html`<p>${body}</p>`} ${action === undefined ? nothing : html`<div>${action}</div>`}
  </div>`;
}

export const emptyStyles = css`
  .empty {
    display: grid;
    justify-items: center;
    align-content: center;
    gap: var(--space-3);
    min-height: 14rem;
    padding: var(--space-6);
    color: var(--ink-soft);
    text-align: center;
  }
  .empty > .icon {
    font-size: 3.5rem;
  }
  .empty strong {
    color: var(--ink);
    font-size: var(--text-lead);
  }
  .empty p {
    max-width: 36rem;
    margin: 0;
    line-height: 1.45;
    text-wrap: balance;
  }
`;
