import { html, LitElement, nothing, type TemplateResult, unsafeCSS } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { Bridge } from '../../../preload/contract.ts';
import { maxNoteLength } from '../../../preload/procedures/plain.ts';
import type { Period, RowStory } from '../../../preload/procedures/reconciliation.ts';
import type { SaleStory } from '../../../preload/procedures/refunds.ts';
import { field } from '../../ui/field.ts';
import { icon } from '../../ui/icons.ts';
import { notice } from '../../ui/notice.ts';
import { progress } from '../../ui/progress.ts';
import { designStyles } from '../../ui/styles.ts';
import { formatDate, formatDateTime, formatMoney, type Language } from '../../locales/i18n.ts';
import { frameTexts } from '../../locales/frame.ts';
import { managerTexts } from '../../locales/manager.ts';
import { paymentStoryStyles, storyLines } from '../refunds/payment-story.ts';
import { categoryChip } from './reconciliation-rows.ts';
import styles from './reconciliation-story.css?inline';

export type RowAsked = { readonly period: Period; readonly rowId: number };

/**
 * A row with its lines in the bank's report and the journal, and the managers' notes. @fires noted
 * after a note was added
 */
class ReconciliationStory extends LitElement {
  static override styles = [designStyles, paymentStoryStyles, unsafeCSS(styles)];

  @property({ attribute: false }) bridge!: Pick<Bridge, 'ask'>;
  @property({ attribute: false }) language!: Language;
  @property({ attribute: false }) asked!: RowAsked;
  @state() story: RowStory | null = null;
  @state() sale: SaleStory | null = null;
  /** The note as typed. */
  @state() note = '';
  @state() noteProblem: string | null = null;
  @state() refused: string | null = null;
  @state() saving = false;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#load();
  }

  protected override render(): TemplateResult {
    const words = managerTexts[this.language].reconciliation;
    if (this.story === null)
      return this.refused === null
        ? progress({ language: this.language, label: words.story.title, fraction: null })
        : notice({ kind: 'error', title: this.refused });
    const { row, paymentId } = this.story;
    const money = (amountMinor: number | null): string =>
      amountMinor === null
        ? '–'
        : formatMoney(this.language, { amountMinor, currency: row.currency });
    const { what, next } = words.category[row.category];
    return html`<div class="parts">
      <div class="meaning" data-testid="row-meaning">${categoryChip(words, row.category)}<strong>${what}</strong><span>${next}</span></div>
      <dl class="facts">
        <dt>${words.column.kind}</dt><dd>${words.kind[row.kind]}</dd>
        <dt>${words.column.orderId}</dt><dd class="mono">${row.orderId ?? '–'}</dd>
        ${paymentId === null ? nothing : html`<dt>${words.story.paymentId}</dt><dd class="mono">${paymentId}</dd>`}
        <dt>${words.column.oursAmount}</dt><dd class="number">${money(row.oursMinor)}</dd>
        <dt>${words.column.bankAmount}</dt><dd class="number">${money(row.bankMinor)}</dd>
        ${
          row.category === 'differs'
            ? html`<dt>${words.column.difference}</dt><dd class="number bad">${money((row.bankMinor ?? 0) - (row.oursMinor ?? 0))}</dd>`
            : nothing
        }
      </dl>
      ${this.#bank(this.story)} ${this.#journal()} ${this.#notes(this.story)}
    </div>`;
  }

  #bank({ bank }: RowStory): TemplateResult {
    const words = managerTexts[this.language].reconciliation;
    return html`<section>
      <h3 class="heading">${icon('bank')} ${words.story.bank}</h3>
      ${
        bank.length === 0
          ? html`<p class="soft">${words.story.bankNone}</p>`
          : html`<ul class="lines">
              ${bank.map(
                ({
                  kind,
                  atMs,
                  amountMinor,
                  feeMinor,
                  currency,
                  transferReference,
                  transferAtMs,
                  posName,
                  label,
                }) =>
                  html`<li>
                    <span class="when">${formatDateTime(this.language, atMs)}</span>
                    <span class="what"
                      ><strong>${words.kind[kind]}</strong>${posName === null ? nothing : html` · ${posName}`}${label === null ? nothing : html` · ${label}`}<br /><span class="soft small"
                        >${transferAtMs === null ? words.story.noTransfer : words.story.inTransfer({ reference: transferReference ?? '–', date: formatDate(this.language, transferAtMs) })}</span
                      ></span
                    >
                    <span class="number much"
                      >${formatMoney(this.language, { amountMinor, currency })}${
                        feeMinor === 0
                          ? nothing
                          : html`<br /><span class="soft small">${words.column.fee} ${formatMoney(this.language, { amountMinor: feeMinor, currency })}</span>`
                      }</span
                    >
                  </li>`,
              )}
            </ul>`
      }
    </section>`;
  }

  #journal(): TemplateResult {
    const words = managerTexts[this.language].reconciliation;
    return html`<section data-testid="journal-story">
      <h3 class="heading">${icon('history')} ${words.story.journal}</h3>
      ${this.sale === null ? html`<p class="soft">${words.story.journalNone}</p>${this.#lookAtService()}` : storyLines(this.language, this.sale)}
    </section>`;
  }

  /** The link to the payment at the service, which is found there by the report's order id. */
  #lookAtService(): TemplateResult | typeof nothing {
    const row = this.story?.row;
    if (row?.kind !== 'payment' || row.orderId === null) return nothing;
    return html`<div class="row">
      <a
        class="button"
        data-testid="look-at-service"
        href="#refunds/service/${encodeURIComponent(row.orderId)}"
      >${icon('search')} ${managerTexts[this.language].reconciliation.story.lookAtService}</a>
    </div>`;
  }

  #notes({ notes }: RowStory): TemplateResult {
    const { story: words } = managerTexts[this.language].reconciliation;
    return html`<section>
      <h3 class="heading">${icon('edit')} ${words.notes}</h3>
      ${
        notes.length === 0
          ? html`<p class="soft">${words.notesNone}</p>`
          : html`<ul class="lines" data-testid="notes">
              ${notes.map(
                ({ atMs, manager, text }) =>
                  html`<li><span class="when">${formatDateTime(this.language, atMs)}</span><span class="what"><strong>${manager}</strong><br />${text}</span></li>`,
              )}
            </ul>`
      }
      <div class="stack">
        ${field({
          id: 'reconciliation-note',
          label: words.newNote,
          hint: words.newNoteHint,
          value: this.note,
          rows: 2,
          maxLength: maxNoteLength,
          problem: this.noteProblem,
          onInput: (text) => {
            this.note = text;
            this.noteProblem = null;
          },
        })}
        <div class="row"><button class="primary" data-testid="save-note" aria-busy=${this.saving} @click=${() => void this.#save()}>${icon('edit')} ${words.save}</button></div>
      </div>
    </section>`;
  }

  async #load(): Promise<void> {
    const answer = await this.bridge.ask('reconciliationStory', this.asked);
    if (!answer.ok) {
      this.refused = this.#wordsOf(answer.code);
      return;
    }
    this.story = answer.value;
    const { saleId } = answer.value;
    if (saleId === null || this.sale !== null) return;
    const sale = await this.bridge.ask('saleStory', { saleId });
    if (sale.ok) this.sale = sale.value;
  }

  async #save(): Promise<void> {
    const { story } = this;
    if (story === null || this.saving) return;
    if (this.note.trim() === '') {
      this.noteProblem = managerTexts[this.language].reconciliation.story.noteEmpty;
      return;
    }
    this.saving = true;
    const answer = await this.bridge.ask('reconciliationNote', {
      subject: story.subject,
      text: this.note,
    });
    this.saving = false;
    if (!answer.ok) {
      this.noteProblem = this.#wordsOf(answer.code);
      return;
    }
    this.note = '';
    this.dispatchEvent(new CustomEvent('noted'));
    await this.#load();
  }

  #wordsOf(code: string): string {
    const { refusal } = frameTexts[this.language];
    return code in refusal ? refusal[code as keyof typeof refusal] : refusal.notFound;
  }
}
customElements.define('tb-reconciliation-story', ReconciliationStory);
