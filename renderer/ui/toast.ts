import { css, html, type ReactiveController, type ReactiveControllerHost, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Language } from '../locales/i18n.ts';
import { screenTexts } from '../locales/screens.ts';
import { icon } from './icons.ts';
import { noticeIcons, type NoticeKind } from './notice.ts';

const shownMs = 6_000;
/** More would cover the screen: the oldest goes. */
const most = 3;

interface Toast {
  readonly id: number;
  readonly kind: NoticeKind;
  readonly text: string;
}

/** What was done, said in passing at the screen's edge. What went wrong stays until it is put away. */
export class Toasts implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  #toasts: readonly Toast[] = [];
  #nextId = 1;
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  hostDisconnected(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#toasts = [];
  }

  show({ kind, text }: { kind: NoticeKind; text: string }): void {
    const id = this.#nextId;
    this.#nextId += 1;
    this.#set([...this.#toasts, { id, kind, text }].slice(-most));
    if (kind === 'error' || kind === 'warning') return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#dismiss(id);
    }, shownMs);
    this.#timers.add(timer);
  }

  render(language: Language): TemplateResult {
    return html`<div class="toasts" role="status">
      ${repeat(
        this.#toasts,
        ({ id }) => id,
        ({ id, kind, text }) =>
          html`<div class="toast" data-kind=${kind} data-testid="toast">
            ${icon(noticeIcons[kind])}<span>${text}</span>
            <button class="icon-only" aria-label=${screenTexts[language].design.close} @click=${() => this.#dismiss(id)}>${icon('close')}</button>
          </div>`,
      )}
    </div>`;
  }

  #dismiss(id: number): void {
    this.#set(this.#toasts.filter((toast) => toast.id !== id));
  }

  #set(toasts: readonly Toast[]): void {
    this.#toasts = toasts;
    this.#host.requestUpdate();
  }
}

export const toastStyles = css`
  .toasts {
    position: fixed;
    z-index: 30;
    inset: auto 0 var(--space-5) 0;
    display: grid;
    justify-items: center;
    gap: var(--space-3);
    padding: 0 var(--space-4);
    pointer-events: none;
  }
  .toast {
    display: flex;
    align-items: center;
    gap: var(--space-3);
    max-width: min(44rem, 100%);
    padding: var(--space-2) var(--space-2) var(--space-2) var(--space-5);
    border-radius: var(--radius-small);
    background: var(--ink);
    color: var(--ground);
    box-shadow: var(--shadow);
    font-weight: 600;
    line-height: 1.4;
    pointer-events: auto;
  }
  .toast > .icon {
    font-size: 1.5rem;
  }
  .toast .icon-only {
    color: inherit;
  }
`;
