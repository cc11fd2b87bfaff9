/** The period to reconcile: one of the usual periods, or two dates. */
import { html, nothing, type TemplateResult } from 'lit';
import { maxPeriodDays } from '../../../preload/procedures/plain.ts';
import type { Period } from '../../../preload/procedures/reconciliation.ts';
import { dateField } from '../../ui/date-field.ts';
import { icon } from '../../ui/icons.ts';
import { select } from '../../ui/select.ts';
import type { Language } from '../../locales/i18n.ts';
import type { ManagerTexts } from '../../locales/manager.ts';

export type PeriodChoice = keyof ManagerTexts['reconciliation']['period']['choice'];
type Broken = Extract<
  keyof ManagerTexts['reconciliation']['period'],
  'noDate' | 'wrongOrder' | 'tooLong'
>;

/** The choice, with the dates as typed. */
export interface PeriodDraft {
  readonly choice: PeriodChoice;
  readonly from: string;
  readonly to: string;
}

/** The days of a usual choice, by this machine's calendar. */
export function periodOfChoice(choice: Exclude<PeriodChoice, 'own'>, now: Date): Period {
  const [year, month] = [now.getFullYear(), now.getMonth()];
  switch (choice) {
    case 'thisMonth':
      return { from: isoDay(year, month, 1), to: isoDay(year, month + 1, 0) };
    case 'lastMonth':
      return { from: isoDay(year, month - 1, 1), to: isoDay(year, month, 0) };
    case 'thisYear':
      return { from: isoDay(year, 0, 1), to: isoDay(year, 11, 31) };
    case 'lastYear':
      return { from: isoDay(year - 1, 0, 1), to: isoDay(year - 1, 11, 31) };
  }
}

/** Day 0 is the last day of the month before. */
function isoDay(year: number, month: number, day: number): string {
  return new Date(Date.UTC(year, month, day)).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

/** The period of a draft, or the rule that each of its fields breaks. */
export function periodOf(
  { choice, from, to }: PeriodDraft,
  now: Date,
): { period: Period } | { from: Broken | null; to: Broken | null } {
  if (choice !== 'own') return { period: periodOfChoice(choice, now) };
  if (from === '' || to === '')
    return { from: from === '' ? 'noDate' : null, to: to === '' ? 'noDate' : null };
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
  if (days < 1) return { from: null, to: 'wrongOrder' };
  return days > maxPeriodDays ? { from: null, to: 'tooLong' } : { period: { from, to } };
}

export interface PeriodBarOptions {
  readonly language: Language;
  readonly words: ManagerTexts['reconciliation']['period'];
  readonly draft: PeriodDraft;
  /** Shown after an attempt to read an invalid period. */
  readonly broken: { readonly from: Broken | null; readonly to: Broken | null };
  readonly busy: boolean;
  readonly onDraft: (draft: PeriodDraft) => void;
  readonly onShow: () => void;
}

export function periodBar({
  language,
  words,
  draft,
  broken,
  busy,
  onDraft,
  onShow,
}: PeriodBarOptions): TemplateResult {
  const end = (side: 'from' | 'to'): TemplateResult =>
    dateField({
      language,
      id: `reconciliation-${side}`,
      label: words[side],
      value: draft[side],
      problem: broken[side] === null ? null : words[broken[side]],
      onDay: (day) => onDraft({ ...draft, [side]: day }),
      onEnter: onShow,
    });
  return html`<div class="period">
    ${select({
      id: 'reconciliation-period',
      label: words.label,
      value: draft.choice,
      options: (Object.keys(words.choice) as PeriodChoice[]).map((value) => ({
        value,
        label: words.choice[value],
      })),
      onChange: (choice) => onDraft({ ...draft, choice }),
    })}
    ${draft.choice === 'own' ? [end('from'), end('to')] : nothing}
    <button class="primary" data-testid="reconciliation-show" ?disabled=${busy} @click=${onShow}>${icon('search')} ${words.show}</button>
  </div>`;
}
