import { html, nothing, type TemplateResult, unsafeCSS } from 'lit';
import { state } from 'lit/decorators.js';
import type { Period, Row, Sort, Transfer } from '../../../preload/procedures/reconciliation.ts';
import { dialog } from '../../ui/dialog.ts';
import { empty } from '../../ui/empty.ts';
import { icon } from '../../ui/icons.ts';
import { notice } from '../../ui/notice.ts';
import { progress } from '../../ui/progress.ts';
import { designStyles } from '../../ui/styles.ts';
import { table } from '../../ui/table/table.ts';
import { Toasts } from '../../ui/toast.ts';
import { formatNumber } from '../../locales/i18n.ts';
import { frameTexts } from '../../locales/frame.ts';
import { managerTexts, type ManagerTexts } from '../../locales/manager.ts';
import { ManagerPage } from '../page.ts';
import { isCompared, nothingCompared, summaryCards } from './reconciliation-cards.ts';
import { Export } from './reconciliation-export.ts';
import { filterBar } from './reconciliation-filters.ts';
import { periodBar, type PeriodDraft, periodOf, periodOfChoice } from './reconciliation-period.ts';
import { Reading } from './reconciliation-reading.ts';
import { Listing } from './reconciliation-listing.ts';
import { rowColumns, transferColumns } from './reconciliation-rows.ts';
import './reconciliation-story.ts';
import styles from './reconciliation-page.css?inline';

/** From this width the table shows additional columns. */
const wideScreen = '(min-width: 90rem)';

class ReconciliationPage extends ManagerPage {
  static override styles = [designStyles, unsafeCSS(styles)];

  @state() draft: PeriodDraft = { choice: 'thisMonth', ...periodOfChoice('thisMonth', new Date()) };
  @state() broken: {
    readonly from: 'noDate' | 'wrongOrder' | 'tooLong' | null;
    readonly to: 'noDate' | 'wrongOrder' | 'tooLong' | null;
  } = {
    from: null,
    to: null,
  };
  /** The row whose details are shown. */
  @state() row: Row | null = null;
  readonly #media = matchMedia(wideScreen);
  @state() wide = this.#media.matches;
  readonly #reading = new Reading(
    this,
    (name, asked) => this.ask(name, asked),
    () => this.#choose({ transfer: null }),
  );
  readonly #listing = new Listing(
    this,
    (name, asked) => this.ask(name, asked),
    () => this.#openAgain(),
  );
  readonly #export = new Export(this, () => this.bridge);
  readonly #toasts = new Toasts(this);
  readonly #onMedia = (): void => {
    this.wide = this.#media.matches;
  };

  private get words(): ManagerTexts['reconciliation'] {
    return managerTexts[this.language].reconciliation;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#media.addEventListener('change', this.#onMedia);
  }

  override disconnectedCallback(): void {
    this.#media.removeEventListener('change', this.#onMedia);
    super.disconnectedCallback();
  }

  override opened(): void {
    if (this.#reading.summary === null && !this.#reading.isBusy) this.#show();
    else this.#reading.resume();
  }

  override left(): void {
    this.#reading.pause();
  }

  protected override render(): TemplateResult {
    const { words, language } = this;
    return html`<div class="reconciliation" data-state=${this.#reading.job.kind}>
      <h1 class="visually-hidden">${words.title}</h1>
      <div class="top">
        ${periodBar({
          language: this.language,
          words: words.period,
          draft: this.draft,
          broken: this.broken,
          busy: this.#reading.isBusy,
          onDraft: (draft) => {
            this.draft = draft;
            this.broken = { from: null, to: null };
          },
          onShow: () => this.#show(),
        })}
        ${this.#side()}
      </div>
      ${this.#body()}
    </div>
    ${this.#story()} ${this.#export.render(language, words.export, this.visible)} ${this.#toasts.render(language)}`;
  }

  #side(): TemplateResult | typeof nothing {
    const { words } = this;
    const { summary } = this.#reading;
    if (summary === null || this.#reading.isBusy || this.#reading.refused !== null) return nothing;
    const count = summary.rows;
    return html`<div class="side">
      <button class="quiet icon-only" data-testid="read-again" title=${words.period.again} @click=${() => this.#show(true)}>
        ${icon('history')}
      </button>
      <button data-testid="export-csv" ?disabled=${this.#export.isBusy} @click=${() => void this.#save('csv', summary.period)}>${icon('download')} ${words.export.csv({ count })}</button>
      <button data-testid="export-xlsx" ?disabled=${this.#export.isBusy} @click=${() => void this.#save('xlsx', summary.period)}>${icon('download')} ${words.export.excel({ count })}</button>
    </div>`;
  }

  #body(): TemplateResult {
    const { words, language } = this;
    const { job, summary, refused } = this.#reading;
    if (refused === 'notSetUp')
      return empty({ icon: 'key', title: words.notSetUp.title, body: words.notSetUp.body });
    if (refused !== null) return this.#problem(this.#refusalOf(refused), '');
    switch (job.kind) {
      case 'reading':
        return html`<div class="card">
          ${progress({
            language,
            label: words.job.reading,
            fraction:
              job.totalTransfers === null || job.totalTransfers === 0
                ? null
                : job.doneTransfers / job.totalTransfers,
            detail:
              job.totalTransfers === null
                ? words.job.readingList
                : words.job.readingDetail({
                    done: formatNumber(language, job.doneTransfers),
                    total: formatNumber(language, job.totalTransfers),
                    transactions: formatNumber(language, job.transactions),
                  }),
            onCancel: () => void this.#reading.cancel(),
          })}
        </div>`;
      case 'matching':
        return html`<div class="card">${progress({ language, label: words.job.matching, fraction: null })}</div>`;
      case 'cancelled':
        return this.#problem(words.job.cancelled.title, words.job.cancelled.body, 'info');
      case 'failed':
        return this.#problem(words.job.failed.title, words.job.failed.body);
      case 'idle':
        return html``;
      case 'ready':
        break;
    }
    if (summary === null) return html``;
    const { problem, formerProblem } = summary;
    return html`${problem === null ? nothing : notice({ kind: 'warning', title: words.problem[problem].title, body: words.problem[problem].body })}
      ${formerProblem === null ? nothing : notice({ kind: 'warning', title: words.formerProblem.title, body: words.formerProblem[formerProblem] })}
      ${summaryCards({ language, words, summary, onLookAt: () => this.#choose({ shown: 'lookAt', transfer: null }) })}
      ${filterBar({
        language,
        words,
        summary,
        ...this.#listing.wanted,
        text: this.#listing.text,
        wide: this.wide,
        onShown: (shown) => this.#choose({ shown, transfer: null }),
        onText: (text) => this.#listing.type(summary.period, text),
      })}
      <div class="list" aria-busy=${this.#listing.isLoading}>${this.#table()}</div>`;
  }

  #problem(title: string, body: string, kind: 'error' | 'info' = 'error'): TemplateResult {
    return notice({
      kind,
      title,
      body,
      actions: html`<button data-testid="try-again" @click=${() => this.#show()}>${this.words.job.tryAgain}</button>`,
    });
  }

  #table(): TemplateResult {
    const { words, language, wide } = this;
    const { listed, wanted, text } = this.#listing;
    if (listed === null)
      return progress({ language, label: words.filter[wanted.shown], fraction: null });
    const look = { language, words, wide };
    const all = {
      language,
      label: words.filter[wanted.shown],
      count: listed.total,
      version: listed,
    };
    if (listed.kind === 'transfers')
      return table<Transfer>({
        ...all,
        columns: transferColumns(look),
        rows: listed.fetch,
        onOpen: (transfer) => this.#choose({ shown: 'all', transfer }),
        emptyState: empty({ icon: 'bank', ...words.empty.none }),
      });
    const isAllToLookAt = wanted.shown === 'lookAt' && wanted.transfer === null && text === '';
    const nothingToLookAt = (): TemplateResult => {
      const { summary } = this.#reading;
      if (summary !== null && !isCompared(summary))
        return empty({
          icon: 'calendar',
          ...(nothingCompared(language, words, summary) ?? words.empty.none),
        });
      return empty({ icon: 'check', ...words.empty.lookAt });
    };
    const { by, descending } = wanted.sort;
    return table<Row>({
      ...all,
      columns: rowColumns(look),
      rows: listed.fetch,
      onOpen: (row) => {
        this.row = row;
      },
      sort: { id: by, descending },
      onSort: (id) =>
        this.#choose({
          sort: { by: id as Sort['by'], descending: by === id ? !descending : id !== 'order' },
        }),
      emptyState: isAllToLookAt
        ? nothingToLookAt()
        : empty({ icon: 'filter', ...words.empty.none }),
    });
  }

  #story(): TemplateResult | typeof nothing {
    const { row, words } = this;
    const { summary } = this.#reading;
    if (row === null || summary === null) return nothing;
    const close = (): void => {
      this.row = null;
    };
    return dialog({
      language: this.language,
      title: words.story.title,
      size: 'large',
      visible: this.visible,
      onClose: close,
      body: html`<tb-reconciliation-story
        .bridge=${this.bridge}
        .language=${this.language}
        .asked=${{ period: summary.period, rowId: row.rowId }}
        @noted=${() => {
          this.#toasts.show({ kind: 'success', text: words.story.noteSaved });
          this.#choose({});
        }}
      ></tb-reconciliation-story>`,
      actions: html`<button data-testid="close-story" @click=${close}>${words.story.close}</button>`,
    });
  }

  #show(again = false): void {
    const parsedPeriod = periodOf(this.draft, new Date());
    if (!('period' in parsedPeriod)) {
      this.broken = parsedPeriod;
      return;
    }
    this.broken = { from: null, to: null };
    this.row = null;
    this.#listing.listed = null;
    void this.#reading.open(parsedPeriod.period, again);
  }

  #choose(what: Parameters<Listing['choose']>[1]): void {
    const { summary } = this.#reading;
    if (summary !== null) void this.#listing.choose(summary.period, what);
  }

  /** The daemon keeps one period open, and another screen has opened another one. */
  #openAgain(): void {
    const { summary, isBusy } = this.#reading;
    if (summary !== null && !isBusy) void this.#reading.open(summary.period);
  }

  async #save(format: 'csv' | 'xlsx', period: Period): Promise<void> {
    const { words, language } = this;
    const { sort } = this.#listing.wanted;
    try {
      const name = await this.#export.save(format, { period, sort }, { language, words });
      if (name !== null) this.#toasts.show({ kind: 'success', text: words.export.saved({ name }) });
    } catch {
      this.#toasts.show({ kind: 'error', text: words.export.failed });
    }
  }

  #refusalOf(code: string): string {
    const { refusal } = frameTexts[this.language];
    return code in refusal ? refusal[code as keyof typeof refusal] : refusal.failed;
  }
}
customElements.define('tb-reconciliation-page', ReconciliationPage);
