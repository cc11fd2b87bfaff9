import { describe, expect, test } from 'vitest';
import { type Judging, KeyPace } from '../../../../renderer/ui/key-pace.ts';

interface Typed extends Judging {
  readonly pace?: KeyPace;
  readonly fromMs?: number;
}

/** @param gapsMs between two keys; of a list each in turn */
function type(
  keys: readonly string[],
  gapsMs: number | readonly number[],
  { pace = new KeyPace(), fromMs = 1_000, ...judging }: Typed = {},
) {
  let atMs = fromMs;
  const parts = keys.map((key, index) => {
    if (index > 0)
      atMs += typeof gapsMs === 'number' ? gapsMs : (gapsMs[(index - 1) % gapsMs.length] ?? 0);
    const part = pace.press({ key, timeStamp: atMs }, judging);
    pace.release(key);
    return part;
  });
  return { parts, last: parts.at(-1), text: pace.take(), pace };
}
const code = '4006381333931'.split('');

describe('a quick scanner', () => {
  test('is recognised at its fourth character, and its Enter or Tab is its own', () => {
    expect(type(['1', '2', '3', '4', '5', 'Enter'], 10)).toMatchObject({
      parts: ['begun', 'quick', 'quick', 'recognised', 'scanning', 'ended'],
      text: '12345',
    });
    expect(type(['A', 'Shift', 'B', '-', 'Shift', '7', '8', 'Tab'], 8).text).toBe('AB-78');
  });

  test('begins anew where a person has typed before it', () => {
    const { pace } = type('1234'.split(''), 60);
    expect(type([...'4711-0815'.split(''), 'Enter'], 10, { pace, fromMs: 1_280 })).toMatchObject({
      last: 'ended',
      text: '4711-0815',
    });
  });

  test('begins with its first character, however soon after another key', () => {
    expect(type(['F2', '1', '2', '3', '4', 'Enter'], 5)).toMatchObject({
      parts: ['ofItsOwn', 'begun', 'quick', 'quick', 'recognised', 'ended'],
      text: '1234',
    });
  });

  test('scans one code after another: the second does not begin with the first', () => {
    const { pace, text } = type(['1', '1', '1', '1', 'Enter'], 5);
    expect([text, type([...'2222'.split(''), 'Enter'], 5, { pace, fromMs: 1_025 }).text]).toEqual([
      '1111',
      '2222',
    ]);
  });

  test('may stop for a moment, as one with Bluetooth does', () => {
    expect(type([...code, 'Enter'], [5, 5, 5, 170]).text).toBe(code.join(''));
  });

  test('does not press Enter with two characters either', () => {
    expect(type(['1', '2', 'Enter'], 5)).toMatchObject({
      parts: ['begun', 'quick', 'ended'],
      text: null,
    });
  });

  test('does not send Escape or a function key from within a code', () => {
    expect(
      type([...'4711'.split(''), 'Escape', 'F2', ...'08'.split(''), 'Enter'], 10),
    ).toMatchObject({
      parts: expect.arrayContaining(['scanning']),
      text: '471108',
    });
    expect(
      type([...'4711'.split(''), 'Escape', 'F2', ...'08'.split(''), 'Enter'], 10).parts,
    ).not.toContain('ofItsOwn');
  });
});

describe('a slow scanner', () => {
  test.each([50, 80, 120, 150, 165])('is judged at its Enter, at a key every %i ms', (gapMs) => {
    expect(type([...code, 'Enter'], gapMs)).toMatchObject({ last: 'judged', text: code.join('') });
  });

  test.each([
    ['whose gaps differ a little', [50, 120, 85, 70]],
    ['that sends two characters at once', [0, 90]],
  ])('%s', (_which, gapsMs) => {
    expect(type([...code, 'Enter'], gapsMs)).toMatchObject({ last: 'judged', text: code.join('') });
  });

  test('may take a step for Shift, or none', () => {
    const keys = 'TABLE-47'
      .split('')
      .flatMap((key) => (/[A-Z]/.test(key) ? ['Shift', key] : [key]));
    expect(type([...keys, 'Enter'], 100).text).toBe('TABLE-47');
    expect(
      type(
        [
          'Shift',
          'T',
          'Shift',
          'A',
          'Shift',
          'B',
          'Shift',
          'L',
          'Shift',
          'E',
          'Shift',
          'S',
          'Shift',
          'X',
          'Shift',
          'Y',
          'Shift',
          'Enter',
        ],
        [0, 100],
      ).text,
    ).toBe('TABLESXY');
  });

  test('is the scanner until it pauses: its second Enter presses nothing', () => {
    const { pace } = type([...code, 'Enter'], 100, { fromMs: 0 });
    expect(pace.press({ key: 'Enter', timeStamp: code.length * 100 + 100 })).toBe('scanning');
  });
});

describe('a person', () => {
  test.each([
    ['types a short text and Enter', [...'4711815'.split(''), 'Enter'], 60],
    ['types fast, but not evenly', [...code, 'Enter'], [60, 150, 90, 140]],
    ['types evenly, but slower', [...code, 'Enter'], 200],
    [
      'takes a moment before Enter',
      [...code, 'Enter'],
      [100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 300],
    ],
    ['types without Enter', [...code], 80],
    ['presses Enter twice', [...'4500'.split(''), 'Enter', 'Enter', 'Enter'], [60, 60, 60, 60, 3]],
    ['goes to the next field', [...code, 'Tab'], 80],
  ])('who %s keeps every key', (_who, keys, gapsMs) => {
    const { parts, text } = type(keys, gapsMs);
    expect(parts.filter((part) => part !== 'begun' && part !== 'ofItsOwn')).toEqual([]);
    expect(text).toBeNull();
  });

  test('presses a key before the last one is released, as no scanner does', () => {
    const pace = new KeyPace();
    for (const [index, key] of code.entries()) {
      pace.press({ key, code: key, timeStamp: index * 90 });
      if (index !== 5) pace.release(key);
    }
    expect(pace.press({ key: 'Enter', timeStamp: code.length * 90 })).toBe('ofItsOwn');
  });
});

test('where whole scans alone count, quick keys are a scan at their Enter', () => {
  expect(type([...'1-000042-5a1e0000'.split(''), 'Enter'], 12, { mode: 'whole' })).toMatchObject({
    last: 'judged',
    text: '1-000042-5a1e0000',
  });
  expect(type([...'123'.split(''), 'Enter'], 10, { mode: 'whole' }).last).toBe('ofItsOwn');
  expect(type([...'1234'.split(''), 'Enter'], 10, { mode: 'whole', minScanLength: 8 }).last).toBe(
    'ofItsOwn',
  );
  expect(type([...code, 'Tab', 'Enter'], 10, { mode: 'whole' }).last).toBe('ofItsOwn');
  expect(type([...code, 'Enter'], 10, { mode: 'none' }).last).toBe('ofItsOwn');
});

test('of a very long code the beginning is kept', () => {
  expect(type([...'7'.repeat(5_000).split(''), 'Enter'], 10).text).toHaveLength(1_000);
});
