import { html, LitElement, nothing, type TemplateResult, unsafeCSS } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { Bridge } from '../../../preload/contract.ts';
import type { InputOf, OutputOf, RefusalOf } from '../../../preload/procedures.ts';
import type { PaymentAtService } from '../../../preload/procedures/refunds.ts';
import { empty } from '../../ui/empty.ts';
import { field } from '../../ui/field.ts';
import { icon } from '../../ui/icons.ts';
import { notice } from '../../ui/notice.ts';
import { progress } from '../../ui/progress.ts';
import { select } from '../../ui/select.ts';
import { designStyles } from '../../ui/styles.ts';
import { formatMoney, type Language } from '../../locales/i18n.ts';
import { frameTexts } from '../../locales/frame.ts';
import { managerTexts, type ManagerTexts } from '../../locales/manager.ts';
import { paymentRowStyles } from './payment-rows.ts';
import { serviceQuery } from './search-terms.ts';
import styles from './refunds-page.css?inline';

type Asked = InputOf<'findAtService'>;
type PointsOfSale = OutputOf<'pointsOfSaleAtService'>['pointsOfSale'];

/**
 * Finds captured payments at the service, whichever counter took them. The chosen one is taken over
 * into the journal.
 * @fires taken with its `saleId` in `detail`
 * @fires back to return to this counter's payments
 */
export class ServiceSearch extends LitElement {
  static override styles = [designStyles, paymentRowStyles, unsafeCSS(styles)];

  @property({ attribute: false }) bridge!: Pick<Bridge, 'ask'>;
  @property({ attribute: false }) language!: Language;
  /** Order id from the link of another page, searched for at once; null without one. */
  @property({ attribute: false }) orderId: string | null = null;
  @state() text = '';
  @state() problem: string | null = null;
  @state() pointsOfSale: PointsOfSale = [];
  @state() posId = '';
  /** null before the first search, and after a refused one. */
  @state() found: readonly PaymentAtService[] | null = null;
  @state() next: number | null = null;
  @state() busy = false;
  @state() refused: string | null = null;
  /** Counts the searches: the answer to an earlier one is ignored. */
  #searches = 0;

  private get words(): ManagerTexts['refunds']['atService'] {
    return managerTexts[this.language].refunds.atService;
  }

  override firstUpdated(): void {
    this.renderRoot.querySelector<HTMLElement>('#service-search')?.focus();
    void this.#listPointsOfSale();
    if (this.orderId === null) return;
    this.text = this.orderId;
    void this.#findText();
  }

  protected override render(): TemplateResult {
    const { words, pointsOfSale } = this;
    return html`<section class="at-service" aria-labelledby="service-title">
      <button class="quiet clear" data-testid="service-back" @click=${() => this.dispatchEvent(new CustomEvent('back'))}>${icon('back')} ${words.back}</button>
      <h2 class="heading" id="service-title">${words.title}</h2>
      <p class="soft">${words.hint}</p>
      <search class="search">
        <div class="find">
          ${field({
            id: 'service-search',
            label: words.search,
            hint: words.searchHint,
            value: this.text,
            type: 'search',
            lead: 'search',
            maxLength: 60,
            problem: this.problem,
            onInput: (text) => {
              this.text = text;
              this.problem = null;
            },
            onEnter: () => void this.#findText(),
          })}
          <button class="primary" data-testid="service-find" aria-busy=${this.busy} @click=${() => void this.#findText()}>
            ${managerTexts[this.language].refunds.find}
          </button>
        </div>
        ${
          pointsOfSale.length === 0
            ? nothing
            : select({
                id: 'service-point-of-sale',
                label: words.pointOfSale,
                value: this.posId,
                options: [
                  { value: '', label: words.choose },
                  ...pointsOfSale.map(({ posId, name }) => ({ value: posId, label: name })),
                ],
                onChange: (posId) => void this.#findAt(posId),
              })
        }
      </search>
      ${this.#list()}
    </section>`;
  }

  #list(): TemplateResult {
    const { words, found } = this;
    if (this.refused !== null)
      return html`<div data-testid="service-refused">${notice({ kind: 'error', body: this.refused })}</div>`;
    if (found === null)
      return this.busy
        ? progress({ language: this.language, label: words.asking, fraction: null })
        : html``;
    if (found.length === 0 && this.next === null)
      return html`<div role="status" data-testid="service-none">${empty({ icon: 'search', title: words.nothing.title, body: words.nothing.body })}</div>`;
    return html`<p class="soft count" role="status">${words.found({ count: found.length, more: this.next === null ? 'other' : 'yes' })}</p>
      <ul class="payments" data-testid="service-payments">
        ${found.map((payment) => this.#row(payment))}
      </ul>
      ${
        this.next === null
          ? nothing
          : html`<button class="more" data-testid="service-more" aria-busy=${this.busy} @click=${() => void this.#more()}>
              ${icon('down')} ${managerTexts[this.language].refunds.more}
            </button>`
      }`;
  }

  #row(payment: PaymentAtService): TemplateResult {
    const { words } = this;
    const { paymentId, posId, orderId, refundedMinor, currency, saleId } = payment;
    const { partlyRefunded } = managerTexts[this.language].refunds;
    const name = this.pointsOfSale.find((one) => one.posId === posId)?.name;
    return html`<li>
      <button class="payment" data-stacked data-testid="service-payment" data-payment=${paymentId} @click=${() => void this.#take(paymentId)}>
        <span class="much number">${formatMoney(this.language, payment)}</span>
        <span class="about soft"><span class="mono">${orderId}</span>${name === undefined ? nothing : html` · ${name}`}${saleId === null ? nothing : html` · ${words.known}`}</span>
        ${
          refundedMinor === 0
            ? nothing
            : html`<span class="back">${icon('refund')} ${partlyRefunded({ amount: formatMoney(this.language, { amountMinor: refundedMinor, currency }) })}</span>`
        }
      </button>
    </li>`;
  }

  async #listPointsOfSale(): Promise<void> {
    const answer = await this.bridge.ask('pointsOfSaleAtService', {});
    // Without the list of points of sale, payments can still be found by their ids.
    if (answer.ok) this.pointsOfSale = answer.value.pointsOfSale;
  }

  async #findText(): Promise<void> {
    const asked = serviceQuery(this.text);
    this.problem = asked === null ? this.words.notUnderstood : null;
    if (asked === null) return;
    this.posId = '';
    await this.#find(asked);
  }

  async #findAt(posId: string): Promise<void> {
    this.posId = posId;
    this.text = '';
    this.problem = null;
    if (posId !== '') await this.#find({ posId, after: 0 });
  }

  async #more(): Promise<void> {
    const { next, posId, found } = this;
    if (next === null || posId === '' || this.busy) return;
    await this.#find({ posId, after: next }, found ?? []);
    await this.updateComplete;
    this.renderRoot
      .querySelectorAll<HTMLElement>('[data-testid="service-payment"]')
      [found?.length ?? 0]?.focus();
  }

  async #find(asked: Asked, before: readonly PaymentAtService[] = []): Promise<void> {
    this.#searches += 1;
    const search = this.#searches;
    this.busy = true;
    this.refused = null;
    if (before.length === 0) this.found = null;
    const answer = await this.bridge.ask('findAtService', asked);
    if (search !== this.#searches) return;
    this.busy = false;
    if (!answer.ok) return this.#tell(answer.code);
    this.found = [...before, ...answer.value.payments];
    this.next = answer.value.next;
  }

  async #take(paymentId: string): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    const answer = await this.bridge.ask('takeOverPayment', { paymentId });
    this.busy = false;
    if (answer.ok) this.dispatchEvent(new CustomEvent('taken', { detail: answer.value.saleId }));
    else this.#tell(answer.code);
  }

  #tell(code: RefusalOf<'findAtService' | 'takeOverPayment'>): void {
    switch (code) {
      case 'serviceSilent':
      case 'notCaptured':
      case 'laneNotReady':
      case 'storageFailed':
      case 'notFound':
        this.refused = this.words.refused[code];
        return;
      case 'invalid':
        this.problem = this.words.notUnderstood;
        return;
      case 'pinNeeded':
      case 'disconnected':
        // The frame shows these refusals.
        return;
      default:
        this.refused = frameTexts[this.language].refusal[code];
    }
  }
}
customElements.define('tb-service-search', ServiceSearch);
