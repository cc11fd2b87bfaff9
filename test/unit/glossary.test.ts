import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Language, languages } from '../../main/core/domain/languages.ts';
// @ts-expect-error: a script, without types
import { glossary, glossaryFaults, glossaryPage, textsIn } from '../../scripts/glossary.mjs';

type Texts = ReadonlyMap<string, Readonly<Record<Language, string>>>;
const texts: Texts = textsIn();
const withText = (key: string, language: Language, text: string): Texts => {
  const before = texts.get(key);
  if (before === undefined) throw new Error(`there is no ${key}`);
  return new Map([...texts, [key, { ...before, [language]: text }]]);
};

test('every text uses the words of the glossary, and the page is what its data says', () => {
  expect(glossaryFaults()).toEqual([]);
  expect(
    readFileSync(join(import.meta.dirname, '../../docs/glossary.md'), 'utf8'),
    'node scripts/glossary.mjs',
  ).toBe(glossaryPage());
});

describe('a text is named', () => {
  test.each([
    [
      'with a word that the glossary replaces',
      'manager:health.lookAgain',
      'en',
      'Look again',
      'manager:health.lookAgain says “look again” in en: Look again',
    ],
    [
      'with such a word in another language',
      'screens:notPaid.expired.what',
      'fi',
      'Katevaraus raukesi',
      'screens:notPaid.expired.what says “katevarau” in fi',
    ],
    [
      'that translates a term with another word',
      'frame:page.day',
      'en',
      'Lane',
      'frame:page.day translates “lane” otherwise in da: Dag',
    ],
    [
      'with it as the whole text',
      'frame:setup.step.till.name',
      'da',
      'Kasse',
      'frame:setup.step.till.name says “kasse” in da: Kasse',
    ],
    [
      'where the reader does not know the term',
      'screens:customer.hint.notPaid',
      'da',
      'Spørg efter beaconen.',
      'screens:customer.hint.notPaid speaks of “beacon” in da',
    ],
  ] as const)('%s', (_what, key, language, text, fault) => {
    expect(
      glossaryFaults(glossary, withText(key, language, text)).filter((line: string) =>
        line.startsWith(fault),
      ),
    ).toHaveLength(1);
  });

  test('but not where a term is said otherwise', () => {
    const said = withText('screens:customer.hint.notPaid', 'da', 'Spørg på kassen.');
    expect(glossaryFaults(glossary, said)).toEqual([]);
  });

  test('as lacking a term that is said to be used there', () => {
    const moved = {
      ...glossary,
      terms: [
        {
          term: 'beacon',
          say: { da: 'beacon', sv: 'beacon', fi: 'majakka' },
          used: ['manager:people'],
        },
      ],
    };
    expect(glossaryFaults(moved)).toContain('manager:people has no “beacon” in en, da, sv, fi');
  });
});

/** The words of each language that say that money has moved. */
const done = languages.map((language) => {
  const words: string | undefined = glossary.moneyMoved[language];
  if (words === undefined) throw new Error(`docs/glossary.json: moneyMoved lacks ${language}`);
  return [language, new RegExp(words, 'iu')] as const;
});

/** The only texts that may say so, by where they are shown. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  'the outcome is paid or refunded': [
    'screens:cashier.state.paid',
    'screens:cashier.recent.paid',
    'screens:cashier.recent.refunded',
    'screens:refund.refunded.what',
    'screens:refusal.tooLate',
    'demo:display.paid',
    'demo:display.refunded',
    'manager:refunds.state.paid',
    'manager:refunds.refundState.refunded',
    'manager:refunds.notRefundable.allRefunded',
    'manager:refunds.facts.refundedElsewhere',
    'manager:reconciliation.category.waiting.what',
    'till:refundRefused.alreadyRefunded',
    'till:notRefunded.currencyDiffers',
    'till:receipt.paid',
    'till:receipt.refunded',
    'setup:test.passed',
    'setup:paymentTest.paid',
    'setup:paymentTest.refunded',
    'setup:test.proof.computer',
    'till:wholeTaken',
    'till:bookingRefused.alreadyBooked',
  ],
  'a sum of what is decided, beside the state of each payment': [
    'screens:cashier.recent.captured',
    'manager:refunds.facts.captured',
    'manager:refunds.facts.refunded',
    'manager:refunds.partlyRefunded',
    'manager:refunds.partlyCaptured',
    'manager:refunds.refundedAtTill',
    'manager:refunds.partlyRefundedAtTill',
  ],
  'the receipt of a refund that is decided': [
    'manager:refunds.receipt.refunded',
    'manager:refunds.receipt.paidAt',
    'manager:refunds.receipt.by',
  ],
  'what was told, and is contested': [
    'screens:unsettled.sale.capture.person',
    'screens:unsettled.sale.otherAmount.less',
    'screens:unsettled.sale.otherAmount.more',
    'till:otherAmount',
    'screens:unsettled.refund.capture.person',
    'screens:unsettled.refund.cancel.person',
    'manager:reconciliation.category.missing.what',
    'manager:reconciliation.category.bankOnly.what',
  ],
  'a step or a word that is still to come, or one of several': [
    'screens:steps.paid',
    'screens:cashier.hint.confirming',
    'screens:cashier.hint.cancelling',
    'screens:cashier.byHand.confirming.next',
    'screens:notPaid.unclear.next',
    'manager:refunds.refused.disconnected',
    'manager:reservations.refused.notHeld',
    'setup:test.steps.tillTold',
    'setup:paymentTest.steps.paid',
    'setup:fields.plannedCaptureDelay.choices.LessThan24Hours',
  ],
  'no state of a payment': [
    'manager:refunds.dialog.reasons.paidTwice',
    'manager:reconciliation.lead',
    'till:refundRefused.unknownReceipt',
  ],
};

test('nothing says that money has moved but what is shown where that is known', () => {
  const saying = [...texts].filter(([, text]) =>
    done.some(([language, moved]) => moved.test(text[language])),
  );
  const known = Object.values(allowed).flat();
  expect(
    saying.map(([key, { en }]) => [key, en] as const).filter(([key]) => !known.includes(key)),
  ).toEqual([]);
  expect(known.filter((key) => !saying.some(([saysIt]) => saysIt === key))).toEqual([]);
});
