import { html, nothing, type PropertyValues, type TemplateResult, unsafeCSS } from 'lit';
import { state } from 'lit/decorators.js';
import type { SaleSummary } from '../../../preload/procedures/refunds.ts';
import { empty } from '../../ui/empty.ts';
import { icon } from '../../ui/icons.ts';
import { notice } from '../../ui/notice.ts';
import { progress } from '../../ui/progress.ts';
import { designStyles } from '../../ui/styles.ts';
import { periodOf, searchTermsIn } from './search-terms.ts';
import { PaymentPages } from './payment-pages.ts';
import { ManagerPage } from '../page.ts';
import './payment-detail.ts';
import './service-search.ts';
import type { PaymentDetail } from './payment-detail.ts';
import { chipStyles, paymentRow, paymentRowStyles } from './payment-rows.ts';
import {
  paymentSearch,
  type PaymentSearch,
  type SearchProblem,
  unfiltered,
} from './payment-search.ts';
import { frameTexts } from '../../locales/frame.ts';
import { managerTexts, type ManagerTexts } from '../../locales/manager.ts';
import styles from './refunds-page.css?inline';

/** Finds a payment and shows it: beside the list, or instead of it on a narrow screen. */
class RefundsPage extends ManagerPage {
  static override styles = [designStyles, chipStyles, paymentRowStyles, unsafeCSS(styles)];

  @state() search: PaymentSearch = unfiltered;
  @state() problem: SearchProblem | null = null;
  /** null before the first search, and after a refused one. */
  @state() found: PaymentPages | null = null;
  @state() refused: string | null = null;
  @state() busy = false;
  /** Whether the wallet service is searched instead of this counter's journal. */
  @state() isAtService = false;
  /** Order id from the link of another page, to search for at the service; null without one. */
  @state() orderIdAtService: string | null = null;
  /** Id of the payment that is shown; null when none is. */
  @state() saleId: string | null = null;
  /** Sale id of the row that Tab reaches: the row that had the focus last. */
  @state() stopId: string | null = null;
  override readonly guardsFields = true;
  /** Counts the searches: the answer to an earlier one is ignored. */
  #searches = 0;

  private get words(): ManagerTexts['refunds'] {
    return managerTexts[this.language].refunds;
  }

  override opened(): void {
    window.addEventListener('keydown', this.#onEscape);
    this.#follow();
    void this.#find({}, false);
  }

  override left(): void {
    window.removeEventListener('keydown', this.#onEscape);
  }

  /** A scan replaces the search before it. */
  override scanned(text: string): void {
    void this.#find({ ...unfiltered, text }, true);
  }

  override covered(): void {
    this.found = null;
    this.renderRoot.querySelector<PaymentDetail>('tb-payment')?.covered();
  }

  override willUpdate(changed: PropertyValues<this>): void {
    // An amount that is invalid in one language may be valid in another; the manager searches
    // again.
    if (changed.has('language')) this.problem = null;
  }

  protected override render(): TemplateResult {
    const { words, saleId } = this;
    return html`<section class="sides" ?data-open=${saleId !== null} aria-labelledby="refunds-page-title">
      <h1 class="visually-hidden" id="refunds-page-title">${words.title}</h1>
      <div class="side list">
        <p class="title" aria-hidden="true">${words.title}</p>
        ${this.isAtService ? this.#atService() : this.#inJournal()}
      </div>
      <div class="side detail">
        ${saleId === null ? html`<div class="choose">${empty({ icon: 'receipt', title: words.choose })}</div>` : nothing}
        <tb-payment
          ?hidden=${saleId === null}
          .bridge=${this.bridge}
          .language=${this.language}
          .view=${this.view}
          .saleId=${saleId}
          .visible=${this.visible}
          @seen=${({ detail }: CustomEvent<SaleSummary>) => (this.found = this.found?.with(detail) ?? null)}
          @back=${() => this.#leave()}
        ></tb-payment>
      </div>
    </section>`;
  }

  #inJournal(): TemplateResult {
    return html`${paymentSearch({
      language: this.language,
      search: this.search,
      problem: this.problem,
      lanes: this.view?.lanes ?? [],
      busy: this.busy,
      onType: (text) => this.#type(text),
      onFind: (change) => void this.#find(change, change.text !== undefined),
    })}
        ${this.#list()}
        <div class="row"><button class="quiet" data-testid="at-service" @click=${() => this.#goToService(null)}>${icon('search')} ${this.words.atService.open}</button></div>`;
  }

  #atService(): TemplateResult {
    return html`<tb-service-search
      .bridge=${this.bridge}
      .language=${this.language}
      .orderId=${this.orderIdAtService}
      @taken=${({ detail }: CustomEvent<string>) => this.#taken(detail)}
      @back=${() => this.#leaveService()}
    ></tb-service-search>`;
  }

  #goToService(orderId: string | null): void {
    this.isAtService = true;
    this.orderIdAtService = orderId;
  }

  #leaveService(): void {
    this.isAtService = false;
    void this.#find({}, false);
    void this.updateComplete.then(() =>
      this.renderRoot.querySelector<HTMLElement>('[data-testid="at-service"]')?.focus(),
    );
  }

  /** Shows a payment that was just taken over from the service into the journal. */
  #taken(saleId: string): void {
    this.saleId = saleId;
    void this.#find({}, false);
  }

  #list(): TemplateResult {
    const { words, found } = this;
    if (this.refused !== null) return notice({ kind: 'error', body: this.refused });
    if (found === null)
      return this.busy
        ? progress({ language: this.language, label: words.searching, fraction: null })
        : html``;
    const { sales, hasMore } = found;
    if (sales.length === 0)
      return html`<div role="status" data-testid="none-found">${empty({ icon: 'search', ...words.nothing, action: this.#clear() })}</div>`;
    const stop = sales.find(({ saleId }) => saleId === this.stopId) ?? sales[0];
    return html`<div class="spread above">
        <p class="soft count" role="status" data-testid="count">${words.found({ count: sales.length, more: hasMore ? 'yes' : 'other' })} · ${words.newest}</p>
        ${this.#clear()}
      </div>
      <ul class="payments" data-testid="payments" @keydown=${this.#onArrow} @focusin=${this.#onFocus}>
        ${sales.map((sale) =>
          paymentRow({
            language: this.language,
            sale,
            laneName:
              this.view?.lanes.find(({ laneId }) => laneId === sale.laneId)?.name ?? sale.laneId,
            isChosen: sale.saleId === this.saleId,
            isStop: sale === stop,
            onChoose: ({ saleId }) => (this.saleId = saleId),
          }),
        )}
      </ul>
      ${hasMore ? html`<button class="more" data-testid="more" aria-busy=${this.busy} @click=${() => void this.#more()}>${icon('down')} ${words.more}</button>` : nothing}`;
  }

  /** A button that resets the search; nothing while all fields are empty. */
  #clear(): TemplateResult | typeof nothing {
    if (Object.values(this.search).every((asked) => asked === '')) return nothing;
    return html`<button class="quiet clear" data-testid="clear" @click=${() => void this.#find(unfiltered, true)}>${icon('close')} ${this.words.clear}</button>`;
  }

  #type(text: string): void {
    this.search = { ...this.search, text };
    this.problem = null;
  }

  /** @param opens a single result is opened at once */
  async #find(change: Partial<PaymentSearch>, opens: boolean): Promise<void> {
    this.search = { ...this.search, ...change };
    const { text, fromDay, toDay, laneId } = this.search;
    const clues = searchTermsIn(this.language, text);
    const period = periodOf(fromDay, toDay);
    this.problem =
      clues === null
        ? { field: 'text', words: this.words.notUnderstood }
        : period === null
          ? { field: 'period', words: this.words.periodBackwards }
          : null;
    if (clues === null || period === null) {
      if (clues === null && opens) this.#leave();
      return;
    }
    const filter = { ...period, ...(laneId === '' ? {} : { laneId }) };
    const found = await this.#asking(
      PaymentPages.find(
        (asked) => this.ask('findSales', asked),
        clues.map((clue) => ({ ...clue, ...filter })),
      ),
    );
    if (!opens || found === null) return;
    const [only, ...others] = found.sales;
    if (text.trim() !== '' && only !== undefined && others.length === 0) this.saleId = only.saleId;
    // The payment that is shown is not among the results, so the search was for another one.
    else if (!found.sales.some(({ saleId }) => saleId === this.saleId)) this.saleId = null;
  }

  async #more(): Promise<void> {
    const { found } = this;
    if (found === null || this.busy) return;
    const lastBefore = found.sales.length;
    if ((await this.#asking(found.more())) === null) return;
    await this.updateComplete;
    this.#rows()[lastBefore]?.focus();
  }

  /** @returns null when it was refused, or a newer search has started */
  async #asking(answer: ReturnType<typeof PaymentPages.find>): Promise<PaymentPages | null> {
    this.#searches += 1;
    const search = this.#searches;
    this.busy = true;
    const found = await answer;
    if (search !== this.#searches) return null;
    this.busy = false;
    if (found instanceof PaymentPages) {
      this.refused = null;
      this.found = found;
      return found;
    }
    // The frame shows these two; the list is loaded again once the connection is back.
    if (found.code !== 'pinNeeded' && found.code !== 'disconnected') {
      this.refused =
        found.code === 'invalid'
          ? this.words.notUnderstood
          : frameTexts[this.language].refusal[found.code];
    }
    return null;
  }

  /**
   * A link of another page: `#refunds/<sale>`, or `#refunds/service/<order id>` for one that the
   * journal does not know.
   */
  #follow(): void {
    const [, saleId, orderId] = location.hash.split('/');
    if (saleId === undefined || saleId === '') return;
    if (saleId === 'service')
      this.#goToService(orderId === undefined ? null : decodeURIComponent(orderId));
    else this.saleId = saleId;
    history.replaceState(null, '', '#refunds');
  }

  #leave(): void {
    const { saleId } = this;
    this.saleId = null;
    void this.updateComplete.then(() =>
      (
        this.#rows().find((row) => row.dataset['sale'] === saleId) ??
        this.renderRoot.querySelector<HTMLElement>('#payment-search')
      )?.focus(),
    );
  }

  #rows(): HTMLElement[] {
    return [...this.renderRoot.querySelectorAll<HTMLElement>('[data-testid="payment"]')];
  }

  readonly #onEscape = (event: KeyboardEvent): void => {
    const isHere = event.target === document.body || event.composedPath().includes(this);
    if (event.key !== 'Escape' || event.defaultPrevented || !isHere || this.saleId === null) return;
    event.preventDefault();
    this.#leave();
  };

  readonly #onFocus = ({ target }: FocusEvent): void => {
    if (target instanceof HTMLElement) this.stopId = target.dataset['sale'] ?? null;
  };

  readonly #onArrow = (event: KeyboardEvent): void => {
    const rows = this.#rows();
    const at = rows.findIndex((row) => event.composedPath().includes(row));
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
    if (at === -1 || next === undefined || next < 0) return;
    event.preventDefault();
    rows[next]?.focus();
  };
}
customElements.define('tb-refunds-page', RefundsPage);
