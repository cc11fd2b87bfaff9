import { expect, test } from 'vitest';
import { languages } from '../../../../main/core/domain/languages.ts';
import { refusalBody, refusalWords } from '../../../../renderer/setup/refusal.ts';

const refused = (code: 'cannotOpen' | 'refused' | 'portTaken') =>
  ({
    ok: false,
    code,
    message: 'another program already listens there',
    field: null,
    facts: { status: 409, count: 20_007 },
  }) as const;
/** The texts of a template, those of templates in it in lists of their own. */
const valuesOf = ({ values }: { readonly values: readonly unknown[] }): unknown[] =>
  values.map((value) =>
    typeof value === 'object' && value !== null && 'values' in value
      ? valuesOf(value as { values: unknown[] })
      : value,
  );

test.each(languages)('what the system said is set apart from the sentence in %s', (language) => {
  for (const code of ['cannotOpen', 'refused'] as const) {
    const [before, said] = valuesOf(refusalBody(language, refused(code)));
    expect(said).toEqual([refused(code).message, '']);
    expect(`${String(before)}${refused(code).message}`).toBe(refusalWords(language, refused(code)));
  }
  expect(valuesOf(refusalBody(language, refused('portTaken')))[0]).toBe(
    refusalWords(language, refused('portTaken')),
  );
});

const aboutALane = [
  'laneTaken',
  'nameTaken',
  'posTaken',
  'tillTaken',
  'laneUses',
  'unsettledMoney',
  'poiTaken',
  'receiverNeeded',
  'stickerTaken',
  'portUsed',
] as const;

test.each(aboutALane)('%s names the lane, and not its number', (code) => {
  for (const language of languages) {
    const words = refusalWords(language, {
      ok: false,
      code,
      field: null,
      message: '',
      facts: { laneId: '7', lane: 'Garden shop', count: 2 },
    });
    expect(words).toContain('Garden shop');
    expect(words).not.toContain('7');
  }
});

test('a lane whose name is not known has its number', () => {
  expect(
    refusalWords('en', {
      ok: false,
      code: 'portUsed',
      field: null,
      message: '',
      facts: { laneId: '7' },
    }),
  ).toContain('7 already uses this port');
});
