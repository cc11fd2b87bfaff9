import {
  html,
  LitElement,
  nothing,
  type PropertyValues,
  type TemplateResult,
  unsafeCSS,
} from 'lit';
import { property, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import type { Bridge, View } from '../../../preload/contract.ts';
import type { RefundOfSale, SaleStory } from '../../../preload/procedures/refunds.ts';
import { icon } from '../../ui/icons.ts';
import { notice } from '../../ui/notice.ts';
import { progress } from '../../ui/progress.ts';
import { designStyles } from '../../ui/styles.ts';
import { Toasts } from '../../ui/toast.ts';
import { formatMoney, type Language } from '../../locales/i18n.ts';
import { frameTexts } from '../../locales/frame.ts';
import { managerTexts } from '../../locales/manager.ts';
import { chipStyles, isFinalState, saleChip } from './payment-rows.ts';
import {
  isUnseen,
  notRefundableWords,
  paymentFacts,
  paymentStoryStyles,
  refundRow,
  storyLines,
  unsettledNotices,
} from './payment-story.ts';
import { printSheet } from '../../ui/print-sheet.ts';
import './refund-dialog.ts';
import './refund-receipt.ts';
import styles from './payment-detail.css?inline';

const pollEveryMs = 1_000;

/**
 * One payment: its details, its events and its refunds. Polls until everything is final, while it
 * is visible.
 * @fires seen with the story's `FoundSale` in `detail`, at each answer
 * @fires back to return to the list
 */
export class PaymentDetail extends LitElement {
  static override styles = [designStyles, chipStyles, paymentStoryStyles, unsafeCSS(styles)];

  @property({ attribute: false }) bridge!: Pick<Bridge, 'ask'>;
  @property({ attribute: false }) language!: Language;
  @property({ attribute: false }) view: View | null = null;
  /** null when no payment is shown. An open refund dialog keeps its input. */
  @property({ attribute: false }) saleId: string | null = null;
  /** Whether it is visible to a manager. Otherwise nothing is requested and no dialog is open. */
  @property({ attribute: false }) visible = false;
  @state() story: SaleStory | null = null;
  @state() refused: string | null = null;
  /**
   * The payments with an open refund dialog, which keeps its input while another payment is shown.
   */
  @state() refunding: readonly SaleStory[] = [];
  /**
   * Whether the page was covered since the last answer. The story is kept for the dialog, and shown
   * again after it was reloaded.
   */
  @state() isOld = false;
  readonly #toasts = new Toasts(this);
  #timer: ReturnType<typeof setInterval> | undefined;
  #isAsking = false;
  /** The sale whose heading has got the focus. */
  #presented: string | null = null;
  /** Whether the refunds are to be focused as soon as there is one. */
  #goesToRefunds = false;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#timer = setInterval(() => {
      if (this.visible && !this.#isFinal) void this.load();
    }, pollEveryMs);
  }

  override disconnectedCallback(): void {
    clearInterval(this.#timer);
    super.disconnectedCallback();
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('saleId')) {
      this.#presented = null;
      this.story = null;
      this.refused = null;
    }
    if (this.visible && (changed.has('saleId') || changed.has('view') || changed.has('visible')))
      void this.load();
  }

  protected override updated(): void {
    const refunds = this.#goesToRefunds
      ? this.renderRoot.querySelector<HTMLElement>('#refunds-title')
      : null;
    if (refunds !== null) {
      this.#goesToRefunds = false;
      refunds.focus();
    }
    if (this.story === null || this.#presented === this.saleId) return;
    this.#presented = this.saleId;
    this.renderRoot.querySelector<HTMLElement>('#payment-title')?.focus();
  }

  covered(): void {
    this.isOld = true;
  }

  get #isFinal(): boolean {
    return (
      this.story !== null &&
      isFinalState(this.story.sale.state) &&
      this.story.refunds.every(({ state }) => isFinalState(state))
    );
  }

  /**
   * Loads the payment's story, with one request at a time. The answer for another payment is
   * ignored.
   */
  async load(): Promise<void> {
    const { saleId } = this;
    if (this.#isAsking || saleId === null) return;
    this.#isAsking = true;
    const answer = await this.bridge.ask('saleStory', { saleId });
    this.#isAsking = false;
    if (saleId !== this.saleId) return this.load();
    if (!answer.ok) {
      this.refused =
        answer.code === 'pinNeeded' || answer.code === 'disconnected'
          ? null
          : frameTexts[this.language].refusal[answer.code];
      return;
    }
    this.refused = null;
    this.story = answer.value;
    this.refunding = this.refunding.map((begun) =>
      begun.sale.saleId === saleId ? answer.value : begun,
    );
    this.isOld = false;
    this.dispatchEvent(new CustomEvent('seen', { detail: answer.value.sale }));
  }

  protected override render(): TemplateResult {
    return html`${this.saleId === null ? nothing : this.#article()}
      ${repeat(
        this.refunding,
        ({ sale }) => sale.saleId,
        (begun) => html`<tb-refund-dialog
          .bridge=${this.bridge}
          .language=${this.language}
          .story=${begun}
          .visible=${this.visible && !this.isOld && begun.sale.saleId === this.story?.sale.saleId}
          @closed=${() => this.#closed(begun)}
          @refunded=${() => this.#refunded(begun)}
        ></tb-refund-dialog>`,
      )}
      ${this.#toasts.render(this.language)}`;
  }

  #article(): TemplateResult {
    const words = managerTexts[this.language].refunds;
    const shown = this.isOld ? null : this.story;
    return html`<article class="stack" aria-labelledby="payment-title">
      <button class="quiet go-back" data-testid="back" @click=${() => this.dispatchEvent(new CustomEvent('back'))}>${icon('back')} ${words.back}</button>
      ${this.refused === null ? nothing : notice({ kind: 'error', body: this.refused })}
      ${shown === null ? (this.refused === null ? progress({ language: this.language, label: words.searching, fraction: null }) : nothing) : this.#payment(shown)}
    </article>`;
  }

  #payment(story: SaleStory): TemplateResult {
    const words = managerTexts[this.language].refunds;
    const { sale, notRefundable, refunds } = story;
    return html`<div class="card stack">
        <div class="spread">
          <h2 class="heading much number" id="payment-title" tabindex="-1" data-testid="payment-title">${formatMoney(this.language, sale)}</h2>
          <span class="row">
            ${sale.isTest ? html`<strong data-testid="test-payment">${words.test.name}</strong>` : nothing}
            <span role="status" data-testid="payment-state" data-state=${sale.state}>${saleChip(this.language, sale)}</span>
          </span>
        </div>
        ${unsettledNotices(this.language, story)}
        ${
          notRefundable === null
            ? html`<div class="row"><button
                  class="primary"
                  data-testid="refund-begin"
                  @click=${() => (this.refunding = [...this.refunding, story])}
                >${icon('refund')} ${words.refund}</button></div>`
            : html`<div data-testid="not-refundable" data-reason=${notRefundable}>${notice({ kind: 'info', body: notRefundableWords(this.language, notRefundable, story) })}</div>`
        }
        ${paymentFacts(this.language, story)}
      </div>
      ${
        refunds.length === 0
          ? nothing
          : html`<section class="card" aria-labelledby="refunds-title">
              <h3 class="heading" id="refunds-title" tabindex="-1">${words.refunds}</h3>
              <ul class="refunds">
                ${refunds.map((refund) =>
                  refundRow({
                    language: this.language,
                    refund,
                    refundDays: story.refundDays,
                    isUnseen: isUnseen(story.story, refund),
                    onPrint: () => this.#print(refund),
                    onFound: (refunded) => void this.#found(refund, refunded),
                    onCancel: () => void this.#cancel(refund),
                  }),
                )}
              </ul>
            </section>`
      }
      <section class="card stack" aria-labelledby="story-title">
        <h3 class="heading" id="story-title">${words.story}</h3>
        ${storyLines(this.language, story)}
      </section>`;
  }

  #print(refund: RefundOfSale): void {
    printSheet(
      html`<tb-refund-receipt .language=${this.language} .story=${this.story} .refund=${refund}></tb-refund-receipt>`,
    );
  }

  async #cancel({ laneId, refundOrderId }: RefundOfSale): Promise<void> {
    const { refunds } = managerTexts[this.language];
    const { refusal } = frameTexts[this.language];
    const answer = await this.bridge.ask('cancelRefund', { laneId, refundOrderId });
    if (!answer.ok && answer.code !== 'pinNeeded')
      this.#say(answer.code === 'tooLate' ? refunds.refused.tooLate : refusal[answer.code]);
    await this.load();
  }

  async #found({ laneId, refundOrderId }: RefundOfSale, refunded: boolean): Promise<void> {
    const { reservations } = managerTexts[this.language];
    const { refusal } = frameTexts[this.language];
    const answer = await this.bridge.ask('refundFoundInPortal', {
      laneId,
      refundOrderId,
      refunded,
    });
    // With `tooLate` the reloaded story shows the outcome.
    if (!answer.ok && answer.code !== 'pinNeeded' && answer.code !== 'tooLate')
      this.#say(
        answer.code === 'storageFailed' ? reservations.refused.storageFailed : refusal[answer.code],
      );
    await this.load();
  }

  #say(text: string): void {
    this.#toasts.show({ kind: 'error', text });
  }

  /** Reloads after the dialog, because a refund may have been sent. */
  #closed({ sale }: SaleStory): void {
    this.refunding = this.refunding.filter((begun) => begun.sale.saleId !== sale.saleId);
    void this.load();
  }

  #refunded(begun: SaleStory): void {
    this.#closed(begun);
    this.#goesToRefunds = begun.sale.saleId === this.saleId;
  }
}
customElements.define('tb-payment', PaymentDetail);
