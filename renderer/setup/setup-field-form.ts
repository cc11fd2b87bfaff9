/** Form and inputs of the fields that are declared in `preload/procedures/setup-field.ts`. */
import type { TemplateResult } from 'lit';
import type {
  AnsweredField,
  AnsweredFields,
  AnswersOf,
} from '../../preload/procedures/setup-field.ts';
import { checkbox } from '../ui/checkbox.ts';
import { field } from '../ui/field.ts';
import { select } from '../ui/select.ts';

/** The typed or chosen value of a field. The value of an optional field can be empty. */
type Typed<Field extends AnsweredField> = Field['input'] extends 'checkbox'
  ? boolean
  : Field['input'] extends 'select'
    ? Field['rule']['_zod']['output'] | (Field['default'] extends null ? '' : never)
    : string;

type HasInput<Fields extends AnsweredFields> = {
  [Name in keyof Fields]: Fields[Name]['input'] extends 'own' ? never : Name;
}[keyof Fields];

/** The fields of a form, without those that have inputs of their own. */
export type FieldsForm<Fields extends AnsweredFields> = {
  -readonly [Name in HasInput<Fields>]: Typed<Fields[Name]>;
};

/** The texts of a field in `assets/locales`. */
interface FieldTexts {
  readonly label: string;
  /** Without it, or with one that has arguments, the screen says it where it is needed. */
  readonly hint?: string | ((values: never) => string);
  /** The rule in words, for a field whose problem is not explained more exactly. */
  readonly rule?: string;
  /** The choice that leaves the field empty. */
  readonly none?: string;
  readonly choices?: Readonly<Record<string, string>>;
}
/** A field without texts does not compile. */
export type TextsOf<Fields extends AnsweredFields> = Readonly<
  Record<HasInput<Fields> & string, FieldTexts>
>;

const inputsOf = (fields: AnsweredFields): [string, AnsweredField][] =>
  Object.entries(fields).filter(([, { input }]) => input !== 'own');

/** The names of the fields whose inputs follow from their declarations. */
export const inputNames = <Fields extends AnsweredFields>(
  fields: Fields,
): (HasInput<Fields> & string)[] =>
  inputsOf(fields).map(([name]) => name as HasInput<Fields> & string);

/** The form with the stored answers. @param answers null for the defaults */
export function fieldsForm<Fields extends AnsweredFields>(
  fields: Fields,
  answers: Readonly<Record<string, unknown>> | null,
): FieldsForm<Fields> {
  const typed = ([name, { input, default: value }]: [string, AnsweredField]): [string, unknown] => {
    const answer = answers?.[name] ?? value ?? '';
    return [name, input === 'number' && typeof answer === 'number' ? String(answer) : answer];
  };
  return Object.fromEntries(inputsOf(fields).map(typed)) as FieldsForm<Fields>;
}

/** null for an empty field that is optional. */
function answerOf({ input, default: value }: AnsweredField, typed: unknown): unknown {
  if (typeof typed !== 'string') return typed;
  const text = typed.trim();
  if (text === '' && value === null) return null;
  if (input !== 'number') return text;
  return /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
}

/** The answers in a form without problems. */
export function fieldAnswers<Fields extends AnsweredFields>(
  fields: Fields,
  form: FieldsForm<Fields>,
): Pick<AnswersOf<Fields>, HasInput<Fields>> {
  const typed: Readonly<Record<string, unknown>> = form;
  return Object.fromEntries(
    inputsOf(fields).map(([name, field]) => [name, answerOf(field, typed[name])]),
  ) as AnswersOf<Fields>;
}

/**
 * The rules that are broken, in words, by field. @param explain the words for a text without a rule
 * in words
 */
export function fieldProblems<Fields extends AnsweredFields>(
  fields: Fields,
  form: FieldsForm<Fields>,
  texts: TextsOf<Fields>,
  explain: (typed: string) => string | null,
): Record<string, string | null> {
  const typed: Readonly<Record<string, unknown>> = form;
  const words: Readonly<Record<string, FieldTexts>> = texts;
  const problem = ([name, field]: [string, AnsweredField]): [string, string | null] => {
    const answer = answerOf(field, typed[name]);
    const isRight = answer === null || field.rule.safeParse(answer).success;
    return [name, isRight ? null : (words[name]?.rule ?? explain(String(typed[name])))];
  };
  return Object.fromEntries(inputsOf(fields).map(problem));
}

interface InputOptions {
  readonly field: AnsweredField;
  readonly name: string;
  readonly texts: FieldTexts;
  readonly typed: string | number | boolean;
  readonly problem: string | null;
  readonly onChange: (typed: string | number | boolean) => void;
  readonly onEnter: () => void;
}

function inputOf({ field: of, name, texts, typed, problem, onChange, onEnter }: InputOptions) {
  const hint = typeof texts.hint === 'string' ? texts.hint : undefined;
  const labels = { id: name, label: texts.label, hint, problem };
  if (of.input === 'checkbox') return checkbox({ ...labels, checked: typed === true, onChange });
  if (of.input !== 'select')
    return field({
      ...labels,
      ...(of.input === 'number' && { inputMode: 'numeric' }),
      value: String(typed),
      onInput: onChange,
      onEnter,
    });
  const choices = (of.choices ?? []).map((value) => ({
    value: String(value),
    label: texts.choices?.[value] ?? String(value),
  }));
  return select({
    ...labels,
    value: String(typed),
    options: [...(of.default === null ? [{ value: '', label: texts.none ?? '' }] : []), ...choices],
    onChange: (chosen) => onChange(of.choices?.find((choice) => String(choice) === chosen) ?? ''),
  });
}

/** The inputs of a form, by their fields' names; `hint` replaces that of the texts. */
export function fieldInputs<Fields extends AnsweredFields>({
  fields,
  form,
  texts,
  problems,
  set,
  onEnter,
}: {
  readonly fields: Fields;
  readonly form: FieldsForm<Fields>;
  readonly texts: TextsOf<Fields>;
  readonly problems: Readonly<Record<string, string>>;
  readonly set: (change: Partial<FieldsForm<Fields>>, mended: string) => void;
  readonly onEnter: () => void;
}): (name: HasInput<Fields> & string, hint?: string) => TemplateResult {
  return (name, hint) =>
    inputOf({
      field: fields[name] as AnsweredField,
      name,
      texts: { ...texts[name], ...(hint !== undefined && { hint }) },
      typed: form[name] as string | number | boolean,
      problem: problems[name] ?? null,
      onChange: (typed) => set({ [name]: typed } as Partial<FieldsForm<Fields>>, name),
      onEnter,
    });
}
