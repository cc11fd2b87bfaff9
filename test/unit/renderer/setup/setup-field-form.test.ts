import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  answerShape,
  answersFrom,
  settingsFrom,
  settingShape,
  type SetupFields,
} from '../../../../preload/procedures/setup-field.ts';
import {
  fieldAnswers,
  fieldProblems,
  fieldsForm,
} from '../../../../renderer/setup/setup-field-form.ts';

const fields = {
  label: { rule: z.string().min(1).max(5), default: null, description: 'A.', input: 'text' },
  seconds: { rule: z.int().max(170), default: 120, description: 'B.', input: 'number' },
  isShown: { rule: z.boolean(), default: false, description: 'C.', input: 'checkbox' },
  rate: {
    rule: z.literal([1, 2]),
    default: null,
    description: 'D.',
    input: 'select',
    choices: [1, 2],
  },
  until: { rule: z.literal(true), default: null, description: 'E.', input: 'own' },
} as const satisfies SetupFields;
const texts = {
  label: { label: 'Label' },
  seconds: { label: 'Seconds', rule: 'At most 170.' },
  isShown: { label: 'Shown' },
  rate: { label: 'Rate' },
};
const answers = { label: 'x', seconds: 30, isShown: true, rate: 2, until: true } as const;

test('a form begins with the defaults, and empty where a field is optional', () => {
  expect(fieldsForm(fields, null)).toEqual({ label: '', seconds: '120', isShown: false, rate: '' });
});

test('answers come back from their form as they were, but for fields with inputs of their own', () => {
  const { until: _, ...own } = answers;
  expect(fieldAnswers(fields, fieldsForm(fields, answers))).toEqual(own);
});

test('a text is sent without the blanks around it, and an empty optional one as null', () => {
  const form = fieldsForm(fields, answers);
  expect(fieldAnswers(fields, { ...form, label: ' y ' }).label).toBe('y');
  expect(fieldAnswers(fields, { ...form, label: '  ', rate: '' })).toMatchObject({
    label: null,
    rate: null,
  });
});

test('a broken rule is told in its own words, or as the screen explains it', () => {
  const form = { ...fieldsForm(fields, answers), label: 'too long', seconds: '' };
  expect(fieldProblems(fields, form, texts, (typed) => `no: ${typed}`)).toEqual({
    label: 'no: too long',
    seconds: 'At most 170.',
    isShown: null,
    rate: null,
  });
});

test('settings leave out what is optional, and give the same answers again', () => {
  const none = z.object(answerShape(fields)).parse({});
  expect(none).toEqual({ label: null, seconds: 120, isShown: false, rate: null, until: null });
  expect(settingsFrom(fields, none)).toEqual({ seconds: 120, isShown: false });
  expect(settingsFrom(fields, answers)).toEqual(answers);
  expect(answersFrom(fields, settingsFrom(fields, answers))).toEqual(answers);
});

test('the schema of the settings has the rule, the default and the description', () => {
  expect(z.toJSONSchema(z.object(settingShape(fields)), { io: 'input' }).properties).toMatchObject({
    label: { type: 'string', maxLength: 5, description: 'A.' },
    seconds: { default: 120, maximum: 170, description: 'B.' },
  });
});
