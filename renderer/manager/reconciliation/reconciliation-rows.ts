/** The table columns for rows and transfers. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Category, Row, Transfer } from '../../../preload/procedures/reconciliation.ts';
import { icon, type IconName } from '../../ui/icons.ts';
import type { Column } from '../../ui/table/table.ts';
import {
  formatAmount,
  formatDate,
  formatDateTime,
  formatMoney,
  formatNumber,
  formatShortDateTime,
  type Language,
} from '../../locales/i18n.ts';
import type { ManagerTexts } from '../../locales/manager.ts';

const icons: Readonly<Record<Category, IconName>> = {
  matched: 'check',
  waiting: 'clock',
  missing: 'warning',
  bankOnly: 'bank',
  differs: 'scale',
  fee: 'coins',
  elsewhere: 'store',
};

const colours: Readonly<Record<Category, 'good' | 'busy' | 'bad' | 'warn' | 'neutral'>> = {
  matched: 'good',
  waiting: 'busy',
  missing: 'bad',
  bankOnly: 'warn',
  differs: 'warn',
  fee: 'neutral',
  elsewhere: 'neutral',
};

/**
 * Styled by the `style` property, because cells are in the table's shadow root, which the page's
 * style sheet does not reach.
 */
const chipStyle = (colour: string): string =>
  `display: inline-flex; align-items: center; gap: 0.4em; max-width: 100%; padding: 0.15em 0.75em 0.15em 0.55em; border-radius: 2em; background: var(--${colour}-soft);
   color: var(--${colour}); font-size: var(--text-small); font-weight: 650; vertical-align: middle; overflow: hidden; text-overflow: ellipsis; white-space: nowrap`;
const markStyle = 'margin-left: 0.5em; color: var(--busy); vertical-align: -0.1em';

export function categoryChip(
  words: ManagerTexts['reconciliation'],
  category: Category,
): TemplateResult {
  return chip(category, words.category[category].name);
}

const chip = (category: Category, text: string): TemplateResult =>
  html`<span .style=${chipStyle(colours[category])}>${icon(icons[category])}${text}</span>`;

interface Look {
  readonly language: Language;
  readonly words: ManagerTexts['reconciliation'];
  /** Wide enough for the additional columns. */
  readonly wide: boolean;
}

export function rowColumns({ language, words, wide }: Look): Column<Row>[] {
  const { column } = words;
  const amount = (amountMinor: number | null): string =>
    amountMinor === null ? '–' : formatAmount(language, amountMinor);
  const columns: (Column<Row> | false)[] = [
    {
      id: 'category',
      title: column.category,
      width: wide ? '12rem' : '10.2rem',
      sortable: true,
      cell: ({ category, notes }) =>
        html`${categoryChip(words, category)}${notes === 0 ? nothing : mark('edit', words.noted({ count: notes }))}`,
    },
    wide && {
      id: 'kind',
      title: column.kind,
      width: '12rem',
      cell: ({ kind }) => words.kind[kind],
    },
    {
      id: 'time',
      title: column.time,
      width: wide ? '11rem' : '6.8rem',
      sortable: true,
      cell: ({ atMs }) => (wide ? formatDateTime : formatShortDateTime)(language, atMs),
    },
    {
      id: 'order',
      title: column.orderId,
      width: 'minmax(9.5rem, 1fr)',
      sortable: true,
      // Not cut at any text size, because it may have to be read out.
      cell: ({ orderId, kind, isTest }) =>
        html`<span .style=${wide ? '' : 'font-size: 0.82em; letter-spacing: -0.01em'}>${orderId ?? words.kind[kind]}</span>${isTest ? mark('flag', words.column.test) : nothing}`,
    },
    {
      id: 'ours',
      title: column.oursAmount,
      width: wide ? '7rem' : '5.8rem',
      align: 'end',
      cell: ({ oursMinor }) => amount(oursMinor),
    },
    {
      id: 'amount',
      title: column.bankAmount,
      width: wide ? '7rem' : '6.3rem',
      align: 'end',
      sortable: true,
      cell: ({ bankMinor }) => amount(bankMinor),
    },
    wide && {
      id: 'fee',
      title: column.fee,
      width: '8rem',
      align: 'end',
      cell: ({ feeMinor }) => (feeMinor === 0 ? '–' : formatAmount(language, feeMinor)),
    },
    wide && {
      id: 'currency',
      title: column.currency,
      width: '6rem',
      cell: ({ currency }) => currency,
    },
    wide && {
      id: 'transfer',
      title: column.transferTime,
      width: '8rem',
      cell: ({ transferAtMs }) =>
        transferAtMs === null ? '–' : formatDate(language, transferAtMs),
    },
  ];
  return columns.filter((one) => one !== false);
}

/** @param says read out, and shown to the pointer */
const mark = (name: IconName, says: string): TemplateResult =>
  html`<span .style=${markStyle} role="img" title=${says}>${icon(name)}</span>`;

export function transferColumns({ language, words, wide }: Look): Column<Transfer>[] {
  const { transfer } = words;
  const columns: (Column<Transfer> | false)[] = [
    {
      id: 'date',
      title: transfer.date,
      width: '8rem',
      cell: ({ atMs }) => formatDate(language, atMs),
    },
    {
      id: 'reference',
      title: transfer.reference,
      width: 'minmax(8rem, 1fr)',
      cell: ({ reference }) => reference ?? '–',
    },
    {
      id: 'total',
      title: transfer.total,
      width: '10rem',
      align: 'end',
      cell: ({ totalMinor, currency }) =>
        formatMoney(language, { amountMinor: totalMinor, currency }),
    },
    wide && {
      id: 'fees',
      title: transfer.fees,
      width: '8.5rem',
      align: 'end',
      cell: ({ feesMinor }) => formatAmount(language, feesMinor),
    },
    wide && {
      id: 'transactions',
      title: transfer.transactions,
      width: '8rem',
      align: 'end',
      cell: ({ transactions }) => formatNumber(language, transactions),
    },
    {
      id: 'state',
      title: words.column.category,
      width: '13rem',
      cell: ({ addsUp, lookAt }) =>
        !addsUp
          ? chip('differs', transfer.doesNotAddUp)
          : lookAt > 0
            ? chip('missing', `${transfer.lookAt}: ${formatNumber(language, lookAt)}`)
            : chip('matched', transfer.addsUp),
    },
  ];
  return columns.filter((one) => one !== false);
}
