import {
  html,
  LitElement,
  nothing,
  type PropertyValues,
  type TemplateResult,
  unsafeCSS,
} from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import type { Language } from '../../locales/i18n.ts';
import { screenTexts } from '../../locales/screens.ts';
import { icon } from '../icons.ts';
import { Pages } from './pages.ts';
import { listTop, type Scale, scaleOf, scrollTopFor } from './scroll-scale.ts';
import { sharedStyles } from '../styles.ts';
import styles from './table.css?inline';

export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  /** A track of a CSS grid, e.g. `8rem` or `minmax(6rem, 1fr)`. */
  readonly width: string;
  readonly align?: 'start' | 'end';
  /** Makes the heading a button, with the table's `onSort`. */
  readonly sortable?: boolean;
  readonly cell: (row: Row) => unknown;
}

export interface TableOptions<Row> {
  readonly language: Language;
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** The total number of rows. */
  readonly count: number;
  /** Fetches the rows from `from` to `to`, exclusive. */
  readonly rows: (from: number, to: number) => Promise<readonly Row[]>;
  /** When this value changes, all rows are fetched again. */
  readonly version: unknown;
  readonly selected?: number | null;
  /** Called when a row is clicked, or reached with the keyboard. */
  readonly onSelect?: (row: Row, index: number) => void;
  /** Called on Enter or a double click; without `onSelect` also on a single click. */
  readonly onOpen?: (row: Row, index: number) => void;
  /** Shown when there are no rows. */
  readonly emptyState?: unknown;
  readonly sort?: { readonly id: string; readonly descending: boolean };
  readonly onSort?: (columnId: string) => void;
}

/**
 * A virtual table of any length, of which only the visible rows are fetched and rendered. It fills
 * its container, which needs a height.
 */
export function table<Row>(options: TableOptions<Row>): TemplateResult {
  return html`<tb-table .options=${options}>${options.count === 0 ? options.emptyState : nothing}</tb-table>`;
}

/** Rows rendered above and below the visible ones, for fast scrolling. */
const spareRows = 6;

class Table extends LitElement {
  static override shadowRootOptions: ShadowRootInit = {
    ...LitElement.shadowRootOptions,
    delegatesFocus: true,
  };
  static override styles = [sharedStyles, unsafeCSS(styles)];

  @property({ attribute: false }) options!: TableOptions<unknown>;
  @query('.grid') private readonly gridElement!: HTMLElement;
  @query('.head') private readonly headElement!: HTMLElement;
  /** Index of the row at which the keyboard is. */
  @state() active = 0;
  #pages = new Pages<unknown>(
    () => Promise.resolve([]),
    0,
    () => {},
  );
  /** Index of a row that was selected before it was loaded, and is reported once it is. */
  #owed: number | null = null;
  #scrollTop = 0;
  #viewPx = 0;
  #rowPx = 48;
  readonly #resized = new ResizeObserver(() => this.#measure());

  override disconnectedCallback(): void {
    this.#resized.disconnect();
    super.disconnectedCallback();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('options')) return;
    const before = changed.get('options');
    const { count, version, rows, selected } = this.options;
    if (before === undefined || before.count !== count || before.version !== version) {
      const pages = new Pages(rows, count, () => {
        if (this.#pages !== pages) return;
        if (this.#owed !== null) this.#select(this.#owed);
        this.requestUpdate();
      });
      this.#pages = pages;
    }
    if (selected != null && selected !== before?.selected) this.active = selected;
    this.active = Math.max(0, Math.min(this.active, count - 1));
  }

  protected override firstUpdated(): void {
    this.#resized.observe(this.gridElement);
    this.#resized.observe(this.headElement);
    this.#measure();
  }

  protected override render(): TemplateResult {
    const { label, columns, count } = this.options;
    const { from, to } = this.#seen();
    this.#pages.want(from, to);
    return html`<div
        class="grid"
        role="grid"
        tabindex="0"
        aria-label=${label}
        aria-rowcount=${count + 1}
        aria-colcount=${columns.length}
        aria-activedescendant=${count > 0 && this.active >= from && this.active < to ? `row-${this.active}` : nothing}
        .style=${`--columns: ${columns.map(({ width }) => width).join(' ')}`}
        @keydown=${this.#onKey}
        @scroll=${this.#onScroll}
      >
        <div class="sheet" role="presentation">
          ${this.#head()}
          <div class="rows" role="rowgroup" .style=${`height: ${this.#scale.trackPx}px`}>
            ${repeat(
              Array.from({ length: to - from }, (_, index) => from + index),
              (index) => index,
              (index) => this.#row(index),
            )}
          </div>
        </div>
        ${this.#pages.hasFailed ? this.#failed() : nothing}
      </div>
      <slot></slot>`;
  }

  #head(): TemplateResult {
    const { columns, sort, onSort } = this.options;
    return html`<div class="head" role="rowgroup">
      <div class="row" role="row" aria-rowindex="1">
        ${columns.map(({ id, title, align, sortable = false }) => {
          const direction =
            sort?.id !== id ? nothing : sort.descending ? 'descending' : 'ascending';
          return html`<div class="cell ${align ?? 'start'}" role="columnheader" aria-sort=${direction}>
            ${
              sortable && onSort !== undefined
                ? html`<button class="sort" data-testid="sort-${id}" @click=${() => onSort(id)}>${title}${icon(direction === 'ascending' ? 'up' : 'down')}</button>`
                : title
            }
          </div>`;
        })}
      </div>
    </div>`;
  }

  #row(index: number): TemplateResult {
    const { columns, selected } = this.options;
    const row = this.#pages.row(index);
    const top = this.#scrollTop + index * this.#rowPx - listTop(this.#scale, this.#scrollTop);
    return html`<div
      class="row ${index === this.active ? 'active' : ''}"
      role="row"
      id="row-${index}"
      data-index=${index}
      aria-rowindex=${index + 2}
      aria-selected=${selected === undefined ? nothing : selected === index}
      aria-busy=${row === undefined}
      .style=${`transform: translateY(${top}px)`}
      @click=${() => this.#touch(index)}
      @dblclick=${() => this.#open(index)}
    >
      ${columns.map(
        ({ align, cell }) =>
          html`<div class="cell ${align ?? 'start'}" role="gridcell">${row === undefined ? html`<div class="pending"></div>` : cell(row)}</div>`,
      )}
    </div>`;
  }

  #failed(): TemplateResult {
    const { rowsFailed, tryAgain } = screenTexts[this.options.language].design;
    return html`<div class="failed" role="alert">
      ${icon('warning')}<span>${rowsFailed}</span><button data-testid="try-again" @click=${() => this.#pages.tryAgain()}>${tryAgain}</button>
    </div>`;
  }

  get #scale(): Scale {
    return scaleOf({ count: this.options.count, rowPx: this.#rowPx, viewPx: this.#viewPx });
  }

  #seen(): { from: number; to: number } {
    const first = Math.floor(listTop(this.#scale, this.#scrollTop) / this.#rowPx);
    const from = Math.max(0, first - spareRows);
    return {
      from,
      to: Math.min(
        this.options.count,
        first + Math.ceil(this.#viewPx / this.#rowPx) + 1 + spareRows,
      ),
    };
  }

  #measure(): void {
    const grid = this.gridElement;
    // A row is 3 rem high, which is 48 px at the usual text size.
    this.#rowPx = 3 * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    this.#viewPx = Math.max(0, grid.clientHeight - this.headElement.offsetHeight);
    this.#scrollTop = grid.scrollTop;
    this.requestUpdate();
  }

  readonly #onScroll = (): void => {
    this.#scrollTop = this.gridElement.scrollTop;
    this.requestUpdate();
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.altKey || event.metaKey)
      return;
    const page = Math.max(1, Math.floor(this.#viewPx / this.#rowPx) - 1);
    const last = this.options.count - 1;
    const to = {
      ArrowDown: this.active + 1,
      ArrowUp: this.active - 1,
      PageDown: this.active + page,
      PageUp: this.active - page,
      Home: 0,
      End: last,
    }[event.key];
    if (to !== undefined) this.#go(Math.max(0, Math.min(last, to)));
    else if (event.key === 'Enter') this.#open(this.active);
    else return;
    event.preventDefault();
  };

  #go(index: number): void {
    if (this.options.count === 0) return;
    this.active = index;
    const seen = listTop(this.#scale, this.#scrollTop);
    const top = index * this.#rowPx;
    const moved =
      top < seen
        ? top
        : top + this.#rowPx > seen + this.#viewPx
          ? top + this.#rowPx - this.#viewPx
          : null;
    if (moved !== null) {
      this.gridElement.scrollTop = scrollTopFor(this.#scale, moved);
      this.#scrollTop = this.gridElement.scrollTop;
    }
    this.#select(index);
  }

  #touch(index: number): void {
    this.active = index;
    if (this.options.onSelect === undefined) this.#open(index);
    else this.#select(index);
  }

  #select(index: number): void {
    const row = this.#pages.row(index);
    this.#owed = row === undefined ? index : null;
    if (row !== undefined) this.options.onSelect?.(row, index);
  }

  #open(index: number): void {
    const row = this.#pages.row(index);
    if (row !== undefined) this.options.onOpen?.(row, index);
  }
}
customElements.define('tb-table', Table);
