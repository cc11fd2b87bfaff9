import { describe, expect, test } from 'vitest';
import { tillTexts } from '../../../../../main/tills/zvt/texts.ts';
import type { Language } from '../../../../../renderer/locales/i18n.ts';
import { screenTexts } from '../../../../../renderer/locales/screens.ts';
import {
  amountInForm,
  checkRefund,
  type RefundForm,
  tooHighWords,
} from '../../../../../renderer/manager/refunds/refund-form.ts';

const form = (about: Partial<RefundForm> = {}): RefundForm => ({
  howMuch: 'part',
  amount: '2.50',
  why: 0,
  note: '',
  ...about,
});
const problems = (about: Partial<RefundForm>, language: Language = 'en') =>
  checkRefund(language, form(about), 1_000).problems;

describe('a refund that is typed', () => {
  test('goes out in minor units, with the reason in words', () => {
    expect(checkRefund('en', form(), 1_000)).toEqual({
      problems: null,
      refund: { amountMinor: 250, note: 'Goods returned' },
    });
    expect(
      checkRefund('da', form({ amount: '10,00', why: 'other', note: ' Ridset ' }), 1_000),
    ).toEqual({
      problems: null,
      refund: { amountMinor: 1_000, note: 'Ridset' },
    });
    expect(checkRefund('en', form({ howMuch: 'all', amount: 'x' }), 1_000)).toMatchObject({
      refund: { amountMinor: 1_000 },
    });
  });

  test.each([
    ['no amount', { amount: '' }, { amount: 'Type an amount.' }],
    ['no number', { amount: 'ten' }, { amount: 'Type digits only, for example 12.50.' }],
    ['nothing', { amount: '0.00' }, { amount: 'Type an amount above zero.' }],
    [
      'more than is left',
      { amount: '10.01' },
      { amount: 'More than is left to refund. Refund at most what is left of the payment.' },
    ],
    [
      'more than any till takes',
      { amount: '99999999999999' },
      { amount: 'More than is left to refund. Refund at most what is left of the payment.' },
    ],
    ['no reason', { why: null }, { why: 'Choose a reason: it is kept in the journal.' }],
    [
      'no words of a reason',
      { why: 'other', note: ' ' },
      { note: 'Type the reason: it is kept in the journal.' },
    ],
    [
      'too many words',
      { why: 'other', note: 'x'.repeat(201) },
      { note: 'A reason has at most 200 characters. Shorten it.' },
    ],
    [
      'all of it at once',
      { amount: '', why: null },
      { amount: 'Type an amount.', why: 'Choose a reason: it is kept in the journal.' },
    ],
  ] as const)('%s: each field says its own rule', (_what, about, said) => {
    expect(problems(about)).toEqual(said);
  });

  test('its amount is known before it is sent, as soon as it can be', () => {
    expect(amountInForm('en', form({ howMuch: 'all' }), 777)).toBe(777);
    expect(amountInForm('sv', form({ amount: '2,5' }), 777)).toBe(250);
    expect(amountInForm('en', form({ amount: '2..' }), 777)).toBeNull();
  });
});

test('more than is left is refused in the same words by the till, the daemon and the service', () => {
  for (const language of ['en', 'da', 'nb'] as const) {
    const { what } = screenTexts[language].notRefunded.amountTooHigh;
    expect(what).toBe(tillTexts[language].notRefunded.amountTooHigh);
    expect(tooHighWords(screenTexts[language])).toMatch(new RegExp(`^${what}\\. .*\\.$`));
  }
});
