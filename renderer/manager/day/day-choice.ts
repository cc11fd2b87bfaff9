import { html, nothing, type TemplateResult } from 'lit';
import { dateField } from '../../ui/date-field.ts';
import { icon } from '../../ui/icons.ts';
import { select } from '../../ui/select.ts';
import type { Language } from '../../locales/i18n.ts';
import { managerTexts } from '../../locales/manager.ts';
import { shiftedDay } from './day-figures.ts';

export interface DayChoiceOptions {
  readonly language: Language;
  /** null while it is not known. */
  readonly day: string | null;
  readonly today: string | null;
  /** The text in the field when it is not a valid day, otherwise null. */
  readonly typed: string | null;
  /** Why it is not valid; null when it is. */
  readonly problem: string | null;
  readonly lanes: readonly { readonly laneId: string; readonly name: string }[];
  /** null for all lanes. */
  readonly laneId: string | null;
  readonly onDay: (isoDay: string) => void;
  readonly onLane: (laneId: string | null) => void;
}

/** The fields for the day and the lane. */
export function dayChoice({
  language,
  day,
  today,
  typed,
  problem,
  lanes,
  laneId,
  onDay,
  onLane,
}: DayChoiceOptions): TemplateResult {
  const words = managerTexts[language].day;
  const yesterday = today === null ? null : shiftedDay(today, -1);
  const quick = (id: string, title: string, its: string | null): TemplateResult =>
    html`<button data-testid=${id} aria-pressed=${its !== null && day === its} ?disabled=${its === null} @click=${() => onDay(its ?? '')}>${title}</button>`;
  const step = (id: string, title: string, by: 1 | -1): TemplateResult =>
    html`<button
      class="icon-only step"
      data-testid=${id}
      aria-label=${title}
      ?disabled=${day === null || (by === 1 && today !== null && day >= today)}
      @click=${() => onDay(shiftedDay(day ?? '', by))}
    >
      ${icon(by === 1 ? 'forward' : 'back')}
    </button>`;
  return html`<div class="choose-day">
    ${step('earlier', words.earlier, -1)} ${dateField({ language, id: 'day', label: words.day, value: typed ?? day ?? '', problem, onDay })}
    ${step('later', words.later, 1)}
    <div class="quick">${quick('today', words.today, today)} ${quick('yesterday', words.yesterday, yesterday)}</div>
    ${
      lanes.length < 2 && laneId === null
        ? nothing
        : select({
            id: 'day-lane',
            label: words.lane,
            value: laneId ?? '',
            options: [
              { value: '', label: words.allLanes },
              ...lanes.map(({ laneId: value, name }) => ({ value, label: name })),
            ],
            onChange: (value) => onLane(value === '' ? null : value),
          })
    }
  </div>`;
}
