import { html, nothing, type TemplateResult } from 'lit';
import { icon, type IconName } from './icons.ts';

/** Shown instead of an empty list. It says why the list is empty, and what to do. */
export function empty({
  icon: name,
  title,
  body,
  action,
}: {
  icon: IconName;
  title: string;
  body?: string;
  action?: unknown;
}): TemplateResult {
  return html`<div class="empty">
    ${icon(name)}<strong>${title}</strong>${body === undefined ? nothing : html`<p>${body}</p>`} ${action === undefined ? nothing : html`<div>${action}</div>`}
  </div>`;
}
