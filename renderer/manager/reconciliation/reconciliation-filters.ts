/** The filters of the rows: by category, by a part of the order id, by transfer. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Summary, Transfer } from '../../../preload/procedures/reconciliation.ts';
import { field } from '../../ui/field.ts';
import { icon } from '../../ui/icons.ts';
import { select } from '../../ui/select.ts';
import { formatDateTime, formatDay, formatNumber, type Language } from '../../locales/i18n.ts';
import type { ManagerTexts } from '../../locales/manager.ts';
import { lookAtCount } from './reconciliation-cards.ts';
import type { RowFilter } from './reconciliation-listing.ts';

/** The order of the filters; those not in `always` are shown only when there are such rows. */
const order: readonly RowFilter[] = [
  'lookAt',
  'bankOnly',
  'missing',
  'differs',
  'waiting',
  'matched',
  'fee',
  'elsewhere',
  'all',
  'transfers',
];
const always: ReadonlySet<RowFilter> = new Set(['lookAt', 'matched', 'fee', 'all', 'transfers']);

export interface FilterOptions {
  readonly language: Language;
  readonly words: ManagerTexts['reconciliation'];
  readonly summary: Summary;
  readonly shown: RowFilter;
  readonly transfer: Transfer | null;
  /** The text as typed. */
  readonly text: string;
  /** Whether there is room for a button for each filter. Otherwise they are a list. */
  readonly wide: boolean;
  readonly onShown: (shown: RowFilter) => void;
  readonly onText: (text: string) => void;
}

export function filterBar(options: FilterOptions): TemplateResult {
  const { language, words, summary, shown, transfer, text, wide, onShown, onText } = options;
  const choices = order.filter(
    (one) => always.has(one) || one === shown || countOf(summary, one) !== 0,
  );
  const count = (one: RowFilter): string => formatNumber(language, countOf(summary, one));
  const buttons = html`<div class="filters" role="group" aria-label=${words.views}>
    ${choices.map(
      (one) =>
        html`<button data-testid="filter-${one}" aria-pressed=${shown === one} @click=${() => onShown(one)}>
          ${words.filter[one]} <span class="count">${count(one)}</span>
        </button>`,
    )}
  </div>`;
  const list = select({
    id: 'reconciliation-filter',
    label: words.views,
    value: shown,
    options: choices.map((value) => ({ value, label: `${words.filter[value]} (${count(value)})` })),
    onChange: onShown,
  });
  const search = field({
    id: 'reconciliation-text',
    label: words.search,
    type: 'search',
    lead: 'search',
    placeholder: words.searchHint,
    value: text,
    maxLength: 64,
    onInput: onText,
  });
  return html`${wide ? buttons : nothing}
    <div class="above">
      ${wide ? nothing : list} ${shown === 'transfers' ? nothing : search}
      ${
        transfer === null
          ? nothing
          : html`<button data-testid="all-transfers" @click=${() => onShown('transfers')}>
              ${icon('back')} ${words.ofTransfer({ reference: transfer.reference ?? '–' })} · ${words.allTransfers}
            </button>`
      }
      <span class="soft small as-of" data-testid="as-of"
        >${words.period.of({ from: formatDay(language, summary.period.from), to: formatDay(language, summary.period.to) })}${
          summary.asOfMs === null
            ? nothing
            : html`<br />${words.period.asOf({ when: formatDateTime(language, summary.asOfMs) })}`
        }</span
      >
    </div>`;
}

function countOf(summary: Summary, shown: RowFilter): number {
  if (shown === 'all') return summary.rows;
  if (shown === 'lookAt') return lookAtCount(summary);
  if (shown === 'transfers')
    return summary.currencies.reduce((sum, { transfers }) => sum + transfers, 0);
  return summary.counts[shown];
}
