import { html, LitElement, nothing, type TemplateResult, unsafeCSS } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { Bridge } from '../../../preload/contract.ts';
import type { RefusalOf } from '../../../preload/procedures.ts';
import type { Closing, Overlap } from '../../../preload/procedures/day.ts';
import { dialog } from '../../ui/dialog.ts';
import { icon } from '../../ui/icons.ts';
import { notice } from '../../ui/notice.ts';
import { designStyles } from '../../ui/styles.ts';
import { formatDateTime, type Language } from '../../locales/i18n.ts';
import styles from './close-day.css?inline';
import { frameTexts } from '../../locales/frame.ts';
import { managerTexts } from '../../locales/manager.ts';
import { overlapText } from './overlap-text.ts';

/** The totals that the manager sees before closing them. */
export interface ToClose {
  readonly laneId: string | null;
  readonly laneName: string;
  readonly last: { readonly number: number; readonly toMs: number } | null;
  readonly openCount: number;
  /** Earlier reports with money of this one. */
  readonly overlaps: readonly Overlap[];
  readonly laneNames: ReadonlyMap<string, string>;
}

/**
 * Asks for confirmation, and closes the day.
 * @fires done with the `Closing` in `detail`
 * @fires closed when the dialog is dismissed
 */
class CloseDay extends LitElement {
  static override styles = [designStyles, unsafeCSS(styles)];

  @property({ attribute: false }) bridge!: Pick<Bridge, 'ask'>;
  @property({ attribute: false }) language!: Language;
  @property({ attribute: false }) toClose!: ToClose;
  /** Whether its page is visible. */
  @property({ attribute: false }) visible!: boolean;
  @state() refused: string | null = null;
  @state() busy = false;

  protected override render(): TemplateResult {
    const { close: words } = managerTexts[this.language].day;
    const { laneId, laneName, last, openCount, overlaps, laneNames } = this.toClose;
    const first = laneId === null ? words.first : words.firstOne;
    const since =
      last === null
        ? first
        : words.from({ time: formatDateTime(this.language, last.toMs), number: last.number });
    return dialog({
      language: this.language,
      title: words.title,
      visible: this.visible,
      onClose: () => this.#back(),
      body: html`<p><strong>${laneId === null ? words.all : words.one({ lane: laneName })}.</strong> ${since}</p>
        ${overlaps.map(
          (overlap) =>
            html`<div data-testid="close-overlap">
              ${notice({ kind: 'warning', body: overlapText(this.language, overlap, laneNames.get(overlap.laneId ?? '') ?? overlap.laneId ?? '') })}
            </div>`,
        )}
        ${openCount === 0 ? nothing : notice({ kind: 'warning', body: words.open({ count: openCount }) })}
        <p class="soft">${words.forGood}</p>
        ${this.refused === null ? nothing : html`<div data-testid="close-refused">${notice({ kind: 'error', body: this.refused })}</div>`}`,
      actions: html`<button data-testid="close-back" @click=${() => this.#back()}>${words.back}</button>
        <button class="primary" autofocus data-testid="close-confirm" aria-busy=${this.busy} @click=${() => void this.#close()}>${icon('lock')} ${words.confirm}</button>`,
    });
  }

  #back(): void {
    if (!this.busy) this.dispatchEvent(new CustomEvent('closed'));
  }

  async #close(): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.refused = null;
    const answer =
      (await this.#madeAlready()) ??
      (await this.bridge.ask('closeDay', { laneId: this.toClose.laneId }));
    this.busy = false;
    if (answer.ok) this.dispatchEvent(new CustomEvent<Closing>('done', { detail: answer.value }));
    else if (answer.code !== 'pinNeeded') this.refused = this.#wordsOf(answer.code);
  }

  /**
   * The closing that an earlier request or another screen has made meanwhile; null for none.
   * Otherwise a lost answer would lead to two reports.
   */
  async #madeAlready() {
    const { laneId, last } = this.toClose;
    const now = await this.bridge.ask('day', { day: null, laneId });
    if (!now.ok) return { ok: false, code: now.code } as const;
    const number = now.value.lastClosing?.number;
    return number === undefined || number === last?.number
      ? null
      : this.bridge.ask('closing', { number });
  }

  #wordsOf(code: RefusalOf<'closeDay'>): string {
    const { refused } = managerTexts[this.language].day.close;
    switch (code) {
      case 'paymentUnderWay':
      case 'clockBehind':
      case 'notFound':
      case 'disconnected':
        return refused[code];
      default:
        return frameTexts[this.language].refusal[code];
    }
  }
}
customElements.define('tb-close-day', CloseDay);
