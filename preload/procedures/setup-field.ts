/**
 * One declaration for each setting that setup asks for. The settings' schema with its documents,
 * the answers of the screens, the draft, the form and its inputs follow from it.
 */
import { z } from 'zod';
import { typed } from '../../main/core/domain/field-rules.ts';

export interface AnsweredField {
  /** The rule of the value, in the settings and in the answers. */
  readonly rule: z.ZodType;
  /** The value when the setting is left out. null: optional, and left out of the settings. */
  readonly default: unknown;
  /**
   * The input on the screen. Its label and help are `setup.fields.NAME` in `assets/locales`. `own`:
   * the screen has more than one input for it.
   */
  readonly input: 'text' | 'number' | 'checkbox' | 'select' | 'own';
  /** The choices of a select. */
  readonly choices?: readonly (string | number)[];
  /** The wallet service that uses it; missing for each. */
  readonly only?: 'v10';
}

export interface SetupField extends AnsweredField {
  /** Explains the setting in `docs/settings.md` and to editors. */
  readonly description: string;
}

/** Fields of an answer, from which the daemon derives settings. */
export type AnsweredFields = Readonly<Record<string, AnsweredField>>;
/** Fields by their names in the settings. They stand in the same object there. */
export type SetupFields = Readonly<Record<string, SetupField>>;

type Rule<Field extends AnsweredField> = z.ZodType<z.output<Field['rule']>, z.input<Field['rule']>>;

type SettingShape<Fields extends SetupFields> = {
  -readonly [Name in keyof Fields]: Fields[Name]['default'] extends null
    ? z.ZodOptional<Rule<Fields[Name]>>
    : z.ZodDefault<Rule<Fields[Name]>>;
};
type AnswerShape<Fields extends AnsweredFields> = {
  -readonly [Name in keyof Fields]: z.ZodDefault<
    Fields[Name]['default'] extends null ? z.ZodNullable<Rule<Fields[Name]>> : Rule<Fields[Name]>
  >;
};

type SettingsOf<Fields extends SetupFields> = z.output<z.ZodObject<SettingShape<Fields>>>;
/** The values as a screen sends them and the draft stores them. */
export type AnswersOf<Fields extends AnsweredFields> = {
  -readonly [Name in keyof Fields]:
    | z.output<Fields[Name]['rule']>
    | (Fields[Name]['default'] extends null ? null : never);
};

const shaped = <Field, Shape>(
  fields: Readonly<Record<string, Field>>,
  schemaOf: (field: Field) => z.ZodType,
): Shape =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, schemaOf(field)]),
  ) as Shape;

/** The fields in the settings' schema. */
export const settingShape = <Fields extends SetupFields>(fields: Fields): SettingShape<Fields> =>
  shaped(fields, ({ rule, default: value, description }) =>
    (value === null ? rule.optional() : rule.default(value)).describe(description),
  );

/** The fields in an answer: a text without the blanks around it, null for an optional one. */
export const answerShape = <Fields extends AnsweredFields>(fields: Fields): AnswerShape<Fields> =>
  shaped(fields, ({ rule, default: value, input }) => {
    const answer = input === 'text' ? typed(rule as z.ZodType<unknown, string>) : rule;
    return (value === null ? answer.nullable() : answer).default(value);
  });

/** The answers that settings in use are the result of. */
export const answersFrom = <Fields extends SetupFields>(
  fields: Fields,
  settings: SettingsOf<Fields>,
): AnswersOf<Fields> =>
  z.object<z.ZodRawShape>(answerShape(fields)).parse(settings) as AnswersOf<Fields>;

/** The answers that are not the default, for settings that leave out what is the default. */
export const changedFrom = <Fields extends AnsweredFields>(
  fields: Fields,
  answers: AnswersOf<Fields>,
): { [Name in keyof Fields]?: z.output<Fields[Name]['rule']> } =>
  Object.fromEntries(
    Object.entries(fields)
      .map(([name, { default: value }]) => [name, answers[name], value] as const)
      .filter(([, answer, value]) => answer !== value)
      .map(([name, answer]) => [name, answer]),
  ) as { [Name in keyof Fields]?: z.output<Fields[Name]['rule']> };

/** The settings that follow from answers. */
export const settingsFrom = <Fields extends SetupFields>(
  fields: Fields,
  answers: AnswersOf<Fields>,
): SettingsOf<Fields> => {
  const given = Object.entries(answers).filter(([, value]) => value !== null);
  return z.object(settingShape(fields)).parse(Object.fromEntries(given));
};
