import { html, nothing, type TemplateResult } from 'lit';
import type { ThisPcChoices } from '../../../preload/procedures/this-pc.ts';
import type { ManagerTexts } from '../../locales/manager.ts';
import { checkbox } from '../../ui/checkbox.ts';
import { field } from '../../ui/field.ts';

type Awake = ThisPcChoices['awake'];
type Words = ManagerTexts['thisPc']['awake'];

/** In fields for text: a browser's own for a time follow its language, not the screen's. */
export interface TypedAwake {
  readonly from: string;
  readonly until: string;
  /** The field was left like that: until then nobody is told of a rule. */
  readonly isLeft: boolean;
}

/** The default of a computer. */
const usual: Awake = { fromMinute: 6 * 60, untilMinute: 23 * 60 };
/** The same time twice. */
const always: Awake = { fromMinute: 0, untilMinute: 0 };

/** @returns the times, or which field breaks a rule and which rule that is */
export function readAwake(
  { from, until }: Omit<TypedAwake, 'isLeft'>,
  words: Words,
): Awake | { readonly at: 'from' | 'until'; readonly problem: string } {
  const [fromMinute, untilMinute] = [minuteOf(from), minuteOf(until)];
  if (fromMinute === null) return { at: 'from', problem: words.rule({ field: words.from }) };
  if (untilMinute === null) return { at: 'until', problem: words.rule({ field: words.until }) };
  if (fromMinute === untilMinute) return { at: 'until', problem: words.same(words) };
  return { fromMinute, untilMinute };
}

interface AwakeFormOptions {
  readonly awake: Awake;
  /** null: as it is kept. */
  readonly typed: TypedAwake | null;
  readonly words: Words;
  readonly onType: (typed: TypedAwake) => void;
  readonly onChange: (awake: Awake) => void;
}

/**
 * When displays may sleep. What is typed is kept once a field is left with a time that breaks no
 * rule.
 */
export function awakeForm({
  awake,
  typed,
  words,
  onType,
  onChange,
}: AwakeFormOptions): TemplateResult {
  const isAlways = awake.fromMinute === awake.untilMinute;
  const values = typed ?? {
    from: timeOf(awake.fromMinute),
    until: timeOf(awake.untilMinute),
    isLeft: false,
  };
  const read = readAwake(values, words);
  const keep = (): void => {
    if ('problem' in read) onType({ ...values, isLeft: true });
    else if (typed !== null) onChange(read);
  };
  const time = (name: 'from' | 'until'): TemplateResult =>
    field({
      id: `awake-${name}`,
      label: words[name],
      value: values[name],
      problem: values.isLeft && 'problem' in read && read.at === name ? read.problem : null,
      onInput: (text) => onType({ ...values, [name]: text, isLeft: false }),
      onEnter: keep,
    });
  return html`<section class="card stack" aria-labelledby="awake-title">
    <h2 class="heading" id="awake-title">${words.title}</h2>
    ${checkbox({ id: 'awake-always', label: words.always, hint: words.hint, checked: isAlways, onChange: (checked) => onChange(checked ? always : usual) })}
    ${isAlways ? nothing : html`<div class="grid" @change=${keep}>${time('from')} ${time('until')}</div>`}
  </section>`;
}

function timeOf(minute: number): string {
  return [Math.floor(minute / 60), minute % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}

function minuteOf(time: string): number | null {
  const [, hours, minutes] = /^([01]?\d|2[0-3])[:.]([0-5]\d)$/.exec(time.trim()) ?? [];
  return hours === undefined ? null : Number(hours) * 60 + Number(minutes);
}
