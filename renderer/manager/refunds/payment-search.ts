import { html, nothing, type TemplateResult } from 'lit';
import { dateField } from '../../ui/date-field.ts';
import { field } from '../../ui/field.ts';
import { icon } from '../../ui/icons.ts';
import { select } from '../../ui/select.ts';
import type { Language } from '../../locales/i18n.ts';
import { managerTexts } from '../../locales/manager.ts';

/** The conditions as typed and chosen; empty ones do not apply. */
export interface PaymentSearch {
  readonly text: string;
  readonly fromDay: string;
  readonly toDay: string;
  readonly laneId: string;
}

export const unfiltered: PaymentSearch = { text: '', fromDay: '', toDay: '', laneId: '' };

export interface SearchProblem {
  readonly field: 'text' | 'period';
  readonly words: string;
}

export interface PaymentSearchOptions {
  readonly language: Language;
  readonly search: PaymentSearch;
  readonly problem: SearchProblem | null;
  readonly lanes: readonly { readonly laneId: string; readonly name: string }[];
  readonly busy: boolean;
  readonly onType: (text: string) => void;
  /** Called with the changed conditions; with `text` when a search was started. */
  readonly onFind: (change: Partial<PaymentSearch>) => void;
}

export function paymentSearch({
  language,
  search,
  problem,
  lanes,
  busy,
  onType,
  onFind,
}: PaymentSearchOptions): TemplateResult {
  const words = managerTexts[language].refunds;
  const { text, fromDay, toDay, laneId } = search;
  const find = (): void => onFind({ text });
  return html`<search class="search">
    <div class="find">
      ${field({
        id: 'payment-search',
        label: words.search,
        hint: words.searchHint,
        value: text,
        type: 'search',
        lead: 'search',
        maxLength: 60,
        problem: problem?.field === 'text' ? problem.words : null,
        onInput: onType,
        onEnter: find,
      })}
      <button class="primary" data-testid="find" aria-busy=${busy} @click=${find}>${words.find}</button>
    </div>
    <div class="filters">
      ${dateField({ language, id: 'from-day', label: words.from, value: fromDay, onDay: (day) => onFind({ fromDay: day }) })}
      ${dateField({ language, id: 'to-day', label: words.to, value: toDay, onDay: (day) => onFind({ toDay: day }) })}
      ${
        lanes.length < 2 && laneId === ''
          ? nothing
          : select({
              id: 'lane-filter',
              label: words.lane,
              value: laneId,
              options: [
                { value: '', label: words.allLanes },
                ...lanes.map(({ laneId: value, name }) => ({ value, label: name })),
              ],
              onChange: (value) => onFind({ laneId: value }),
            })
      }
    </div>
    <p class="field-problem" aria-live="polite" data-testid="period-problem">${problem?.field === 'period' ? html`${icon('warning')}<span>${problem.words}</span>` : nothing}</p>
  </search>`;
}
