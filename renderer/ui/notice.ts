import { css, html, nothing, type TemplateResult } from 'lit';
import { icon, type IconName } from './icons.ts';

export type NoticeKind = 'info' | 'success' | 'warning' | 'error';

export interface NoticeOptions {
  readonly kind: NoticeKind;
  readonly title?: string;
  /** What it means, and what to do. */
  readonly body?: unknown;
  readonly actions?: unknown;
  readonly onDismiss?: () => void;
  /** The words of the cross. */
  readonly dismissLabel?: string;
}

export const noticeIcons: Readonly<Record<NoticeKind, IconName>> = { info: 'info', success: 'check', warning: 'warning', error: 'cross' };

/** Something to know, in its place on the page. An error is read out at once. */
export function notice({ kind, title, body, actions, onDismiss, dismissLabel }: NoticeOptions): TemplateResult {
  return html`<div class="notice" data-kind=${kind} role=${kind === 'error' ? 'alert' : 'status'}>
    ${icon(noticeIcons[kind])}
    <div class="notice-words">${title === undefined ? nothing : html`<strong>${title}</strong>`}${body === undefined ? nothing : html`<div class="notice-body">${body}</div>`}</div>
    ${actions === undefined ? nothing : html`<div class="notice-actions">${actions}</div>`}
    ${onDismiss === undefined ? nothing : html`<button class="icon-only" aria-label=${dismissLabel ?? nothing} @click=${onDismiss}>${icon('close')}</button>`}
  </div>`;
}

export const noticeStyles = css`
  .notice {
    display: flex;
    align-items: flex-start;
    gap: var(--space-4);
    padding: var(--space-4) var(--space-5);
    border-radius: var(--radius-small);
    background: var(--soft);
    color: var(--ink);
    line-height: 1.45;
  }
  .notice[data-kind='info'] {
    --soft: var(--busy-soft);
    --strong: var(--busy);
  }
  .notice[data-kind='success'] {
    --soft: var(--good-soft);
    --strong: var(--good);
  }
  .notice[data-kind='warning'] {
    --soft: var(--warn-soft);
    --strong: var(--warn);
  }
  .notice[data-kind='error'] {
    --soft: var(--bad-soft);
    --strong: var(--bad);
  }
  .notice > .icon {
    font-size: 1.6rem;
    color: var(--strong);
  }
  .notice-words {
    flex: 1;
    display: grid;
    gap: var(--space-1);
    min-width: 0;
    padding-top: 0.05rem;
    overflow-wrap: anywhere;
  }
  .notice-words strong {
    color: var(--strong);
  }
  .notice-actions {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-2);
  }
  .notice .icon-only {
    margin: -0.6rem -0.9rem -0.6rem 0;
    color: inherit;
  }
`;
