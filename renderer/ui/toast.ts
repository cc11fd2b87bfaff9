import {
  html,
  type ReactiveController,
  type ReactiveControllerHost,
  type TemplateResult,
} from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Language } from '../locales/i18n.ts';
import { screenTexts } from '../locales/screens.ts';
import { icon } from './icons.ts';
import { noticeIcons, type NoticeKind } from './notice.ts';

const toastMs = 6_000;
/** More would cover the screen, so the oldest is removed. */
const most = 3;

interface Toast {
  readonly id: number;
  readonly kind: NoticeKind;
  readonly text: string;
}

/**
 * Short messages at the screen's edge. An error or a warning stays until it is dismissed; other
 * messages disappear by themselves.
 */
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
    }, toastMs);
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
