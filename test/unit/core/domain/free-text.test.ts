import { describe, expect, test } from 'vitest';
import { freeText, oneLine } from '../../../../main/core/domain/field-rules.ts';
import { plainLines, invisibleCharacters } from '../../../../main/core/domain/outside-text.ts';
import { procedures } from '../../../../preload/procedures.ts';

const hostile = [
  'paid\u001b[2J\u001b]0;owned\u0007',
  'paid\u009b31m\u009d0;owned\u009c',
  'paid \u202e00.1\u202c',
  'paid \u2066x\u2069\u200e\u200f\u061c',
  'pa\u200bi\u2060d\ufeff\u00ad',
  'paid\r\n2026-01-01 refunded\u2028again\u2029\u0085\u000b',
  'paid\ud83d\u{e0041}\u3164\u115f\u034f\uffa0',
] as const;
const isUnseen = new RegExp(`[${invisibleCharacters}]`, 'u');

describe('what a person writes freely', () => {
  const note = freeText(200, 'must say why');

  test.each(hostile)('%j is kept in one line, and nothing in it is unseen', (text) => {
    const kept = note.parse(text);
    expect(kept).not.toMatch(isUnseen);
    expect(kept).toMatch(/^pa/);
  });

  test.each(['Købmand ÅÄÖ: kunden fortrød 👍', 'Asiakas perui', '1 × 2 = 2; "ja"'])(
    '%j is kept as it is',
    (text) => expect(note.parse(` ${text} `)).toBe(text),
  );

  test.each(['', '  ', '\u001b[2J', '\u200b\u202e'])('%j says nothing', (text) =>
    expect(note.safeParse(text).error?.issues[0]?.message).toBe('must say why'),
  );

  test('a refund and a row of the reconciliation are given such notes', () => {
    const refund = { actionId: crypto.randomUUID(), saleId: crypto.randomUUID(), amountMinor: 1 };
    for (const text of hostile) {
      expect(procedures.refund.input.parse({ ...refund, note: text }).note).not.toMatch(isUnseen);
      expect(procedures.reconciliationNote.input.parse({ subject: 'x', text }).text).not.toMatch(
        isUnseen,
      );
    }
  });
});

test.each(hostile)('a name is refused with what cannot be seen: %j', (text) =>
  expect(oneLine(200).safeParse(text).success).toBe(false),
);

test.each(hostile)('lines for a terminal have nothing in them that acts on it: %j', (text) => {
  const lines = plainLines(`first\n${text}\nlast\n`);
  expect(lines.replaceAll(/\r?\n/g, '')).not.toMatch(isUnseen);
  expect(lines).toMatch(/^first\n[^]*\nlast\n$/);
});

test('a sequence that begins in one line hides none of the lines after it', () => {
  expect(plainLines('a\u001b]0;\nNEEDS ATTENTION\nb\u0007\n')).toBe('a ]0;\nNEEDS ATTENTION\nb \n');
});
