import { describe, expect, test } from 'vitest';
import { languages } from '../../../../main/core/domain/languages.ts';
import {
  blankForm,
  formProblems,
  numberIn,
  suggestedId,
  textProblem,
} from '../../../../renderer/setup/point-of-sale-form.ts';
import { setupTexts } from '../../../../renderer/locales/setup.ts';
import {
  type Draft,
  resumeAt,
  stepAfter,
  stepBefore,
  stepsOf,
  stepsToCheck,
  suggestedTestTill,
} from '../../../../renderer/setup/step-order.ts';

const { en } = setupTexts;
const draft = (change: Partial<Draft> = {}): Draft => ({
  laneId: null,
  language: 'en',
  wallet: null,
  store: null,
  pointOfSale: null,
  till: null,
  unheard: false,
  tested: null,
  next: 'wallet',
  ...change,
});

describe('the path of setup', () => {
  test('begins with the language and goes on where it was left, the test and the manager before the end', () => {
    expect(resumeAt(null, false)).toBe('language');
    expect(resumeAt(draft({ next: 'store' }), false)).toBe('store');
    expect(resumeAt(draft({ next: 'finish' }), false)).toBe('test');
    expect(resumeAt(draft({ next: 'finish', tested: 'own' }), false)).toBe('manager');
    expect(resumeAt(draft({ next: 'finish', tested: 'till' }), true)).toBe('finish');
  });

  test('shows a lane that is changed at a glance, and comes back there after each step', () => {
    expect(resumeAt(draft({ laneId: '1', next: 'finish' }), true)).toBe('finish');
    expect(stepAfter('till', draft({ laneId: '1', next: 'finish' }), true)).toBe('finish');
    expect(stepAfter('wallet', draft({ laneId: '1', next: 'store' }), true)).toBe('store');
  });

  test('comes back to the review from whatever was opened there, also of a new lane', () => {
    const whole = draft({ next: 'finish' });
    for (const step of ['language', 'wallet', 'store', 'pointOfSale', 'till', 'test'] as const)
      expect(stepAfter(step, whole, true, true), step).toBe('finish');
    expect(stepAfter('wallet', draft({ next: 'store' }), true, true)).toBe('store');
    expect(stepAfter('till', whole, true)).toBe('test');
  });

  test('marks a till that was not heard as to be checked', () => {
    expect([...stepsToCheck(draft({ unheard: true }))]).toEqual(['till']);
    expect([...stepsToCheck(draft())]).toEqual([]);
    expect([...stepsToCheck(null)]).toEqual([]);
  });

  test('suggests the shop’s own till for the test payment once it was heard', () => {
    const port = {
      baudRate: 9600,
      stopBits: 2,
      refunds: null,
      partialReversals: false,
      record: null,
      profile: null,
      hasPassword: false,
    } as const;
    const till = { protocol: 'zvt', transport: 'serial', path: '/dev/ttyUSB0', ...port } as const;
    const at = { transport: 'http', host: '127.0.0.1', port: 4182 } as const;
    const program = { ...at, nexo: null, origins: [], tls: null, names: [] };
    expect(suggestedTestTill(draft({ till }), [])).toBe('till');
    expect(suggestedTestTill(draft({ till: program }), [])).toBe('till');
    expect(suggestedTestTill(draft({ till, unheard: true }), [])).toBe('own');
    expect(suggestedTestTill(draft(), [])).toBe('own');
    expect(suggestedTestTill(null, [])).toBe('own');
    const change = draft({ laneId: '1', till });
    expect(suggestedTestTill(change, [{ laneId: '1', till: 'serial:/dev/ttyUSB0' }])).toBe('own');
    expect(suggestedTestTill(change, [{ laneId: '1', till: 'tcp:127.0.0.1:20007' }])).toBe('till');
    expect(
      suggestedTestTill(draft({ laneId: '1', till: program }), [{ laneId: '1', till: 'http:1' }]),
    ).toBe('own');
  });

  test('asks for the store again after another wallet, wherever that was changed from', () => {
    expect(stepAfter('till', draft({ next: 'store' }), false)).toBe('store');
    expect(stepAfter('language', draft({ next: 'finish' }), false)).toBe('wallet');
  });

  test('has no store in a demonstration, and no manager’s step where there is one', () => {
    const demonstration = draft({ wallet: { kind: 'simulator' }, next: 'pointOfSale' });
    expect(stepsOf(demonstration, false)).toEqual([
      'language',
      'wallet',
      'pointOfSale',
      'till',
      'test',
      'finish',
    ]);
    expect(stepBefore('pointOfSale', stepsOf(demonstration, true))).toBe('wallet');
    expect(stepBefore('language', stepsOf(demonstration, true))).toBeNull();
  });
});

describe('a point of sale', () => {
  test.each(languages)(
    'has a beacon whose number is as long as the text in %s says',
    (language) => {
      const { beaconHint, beaconRule, beaconDevice } = setupTexts[language].pointOfSale;
      const uuid = '0b7f0e33-6166-442f-8cc9-e4c20ae427ba';
      const lengths = (text: string): string[] => text.match(/\d+/g) ?? [];
      expect([lengths(beaconHint), lengths(beaconRule)]).toEqual([
        ['15', `${uuid.length}`],
        ['15', `${uuid.length}`],
      ]);
      expect(beaconDevice).toContain('docs/beacons.md');
    },
  );

  test('has a name whose rule is told with the characters that break it', () => {
    expect(textProblem('Kasse ☕ 漢 ☕', '', en)).toBe(
      'The service does not take: ☕ 漢. Leave it out.',
    );
    expect(textProblem('K'.repeat(38), '', en)).toBe('At most 36 characters: 2 too many.');
    expect(textProblem('  ', 'empty', en)).toBe('empty');
    expect(textProblem('Brød & Kød 1', '', en)).toBeNull();
  });

  test('takes a beacon as a scanner or a person gives it', () => {
    const beacon = (text: string): string | null =>
      formProblems({ ...blankForm(null), beaconFrom: 'sticker', beacon: text }, en)['beacon'] ??
      null;
    expect(beacon('walletpos://pos?id=123456789012345')).toBeNull();
    expect(beacon('12345')).toBe(en.pointOfSale.beaconRule);
    expect(beacon('')).toBe(en.pointOfSale.beaconMissing);
  });

  test('is suggested a name with the number of its id', () => {
    expect(numberIn(suggestedId(null, ['shop-till-1']))).toBe('2');
    expect(numberIn('bakery')).toBe('1');
    for (const language of languages)
      expect(
        textProblem(setupTexts[language].pointOfSale.suggestedName({ number: '12' }), '', en),
        language,
      ).toBeNull();
  });

  test('is suggested the first number that is free', () => {
    expect(suggestedId(null, [])).toBe('shop-till-1');
    expect(suggestedId(null, ['shop-till-1', 'shop-till-2'])).toBe('shop-till-3');
    // The store's number is known when the store was chosen, and not when a lane is added later.
    expect(suggestedId(null, ['00001-till-1'])).toBe('shop-till-2');
  });
});
