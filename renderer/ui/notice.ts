import { html, nothing, type TemplateResult } from 'lit';
import { icon, type IconName } from './icons.ts';

export type NoticeKind = 'info' | 'success' | 'warning' | 'error';

export interface NoticeOptions {
  readonly kind: NoticeKind;
  readonly title?: string;
  /** What the title means, and what to do. */
  readonly body?: unknown;
  readonly actions?: unknown;
  readonly onDismiss?: () => void;
  /** The label of the close button. */
  readonly dismissLabel?: string;
}

export const noticeIcons: Readonly<Record<NoticeKind, IconName>> = {
  info: 'info',
  success: 'check',
  warning: 'warning',
  error: 'cross',
};

/** A message within the page. Screen readers announce an error at once. */
export function notice({
  kind,
  title,
  body,
  actions,
  onDismiss,
  dismissLabel,
}: NoticeOptions): TemplateResult {
  return html`<div class="notice" data-kind=${kind} role=${kind === 'error' ? 'alert' : 'status'}>
    ${icon(noticeIcons[kind])}
    <div class="notice-words">${title === undefined ? nothing : html`<strong>${title}</strong>`}${body === undefined ? nothing : html`<div class="notice-body">${body}</div>`}</div>
    ${actions === undefined ? nothing : html`<div class="notice-actions">${actions}</div>`}
    ${onDismiss === undefined ? nothing : html`<button class="icon-only" aria-label=${dismissLabel ?? nothing} @click=${onDismiss}>${icon('close')}</button>`}
  </div>`;
}
