import { describe, expect, test } from 'vitest';
import glossary from '../../../../docs/glossary.json' with { type: 'json' };
import { type LaneState, type LaneView, NotPaidReason } from '../../../../preload/contract.ts';
import type { AnswerTo } from '../../../../preload/procedures.ts';
import { stateStyleOf, wordsOf } from '../../../../renderer/cashier/state-styles.ts';
import { CustomerForm } from '../../../../renderer/cashier/customer-form.ts';
import { soundOf } from '../../../../renderer/cashier/sounds.ts';
import { formatMoney, languages } from '../../../../renderer/locales/i18n.ts';
import { managerTexts } from '../../../../renderer/locales/manager.ts';
import { screenTexts } from '../../../../renderer/locales/screens.ts';
import { unsettledShort, unsettledText } from '../../../../renderer/unsettled-text.ts';
import {
  cashierStates,
  checkInStates,
  namedStates,
  unsettledMoney,
} from '../../../support/cashier-states.ts';
import { ScriptedViews } from '../../counter/server/scripted-views.ts';

/** How texts name a reservation, the beginnings of words in each language. */
const reservationWords: Readonly<Record<string, readonly string[]>> =
  glossary.terms.find(({ term }) => term === 'reserve, reservation')?.found ?? {};

const lane = (about: Partial<LaneView> = {}): LaneView => ({
  ...new ScriptedViews().view,
  ...about,
});
const inState = (state: LaneState): LaneView => lane({ state });

describe('what a change sounds like', () => {
  test.each([
    ['customerFound', 'found'],
    ['approveInApp', 'approve'],
    ['paid', 'paid'],
    ['declined', 'refused'],
    ['notReady', 'attention'],
    ['waitingForCustomer', null],
    ['cancelling', null],
  ] as const)('%s: %s', (state, sound) => {
    const before = inState(cashierStates.contactingService);
    expect(soundOf(before, inState(cashierStates[state]))).toBe(sound);
  });

  test('each once: not when the same is pushed again, not when a screen comes back, not when it shows another lane', () => {
    const paid = inState(cashierStates.paid);
    expect(soundOf(paid, { ...paid })).toBeNull();
    expect(soundOf(null, paid)).toBeNull();
    expect(soundOf(lane({ laneId: '2' }), paid)).toBeNull();
  });

  test('the next payment is heard, though the last one ended in the same way', () => {
    const next = { ...cashierStates.paid, saleId: '5a1e0000-0000-4000-8000-000000000002' };
    expect(soundOf(inState(cashierStates.paid), inState(next))).toBe('paid');
  });

  test('money that is not settled asks for attention when it comes, not while it stays', () => {
    const unsettled = unsettledMoney(0);
    expect(soundOf(lane(), lane({ unsettled }))).toBe('attention');
    expect(soundOf(lane({ unsettled }), lane({ unsettled }))).toBeNull();
    expect(soundOf(lane({ unsettled }), lane({ unsettled: unsettled.slice(1) }))).toBeNull();
  });

  test('when a customer has checked in before there is an amount, once', () => {
    const { scanFirst, checkedIn } = checkInStates;
    expect(soundOf(lane(scanFirst), lane(checkedIn))).toBe('found');
    expect(soundOf(lane(checkedIn), lane(checkedIn))).toBeNull();
    expect(soundOf(lane(checkedIn), lane(scanFirst))).toBeNull();
  });
});

describe('money that is not settled', () => {
  const [capture, refund] = unsettledMoney(Date.UTC(2026, 0, 2, 12, 5)) as [
    LaneView['unsettled'][number],
    LaneView['unsettled'][number],
  ];

  test('says until when the service holds it: a reservation seven days, a refund one', () => {
    expect(unsettledText('en', capture, capture.sinceMs)).toContain('reserved until 9 Jan 2026');
    expect(unsettledText('en', refund, refund.sinceMs)).toContain('pay it out on 3 Jan 2026');
  });

  test('says when to call support, an hour later to call now, and what to name', () => {
    const hourMs = 3_600_000;
    expect(unsettledText('en', capture, capture.sinceMs + hourMs - 1)).toMatch(
      /If this is still here at \d\d:00, call support\.$/,
    );
    expect(unsettledText('en', capture, capture.sinceMs + hourMs)).toMatch(
      /Call support and quote 1-001042-5a1e0000\. Correlation id: [0-9a-f-]{36}\.$/,
    );
  });

  test.each(languages)(
    'speaks of a reservation only where the service has had the payment (%s)',
    (language) => {
      const until = { ...capture, intent: 'cancel' } as const;
      const { known } = screenTexts[language].unsettled.sale;
      const says = (of: 'perhapsUnheard' | 'perhapsApproved' | 'releasing') =>
        unsettledText(language, { ...until, known: of }, until.sinceMs);
      const texts = [says('perhapsUnheard'), says('perhapsApproved'), says('releasing')];
      expect(new Set(texts).size).toBe(3);
      const words = reservationWords[language] ?? [];
      const saysReservation = (text: string) =>
        words.some((word) => text.toLowerCase().includes(word));
      expect(texts.map(saysReservation)).toEqual([false, true, true]);
      expect(known.moving({ at: '' })).not.toBe('');
    },
  );

  test('is short for the cashier: what it is, and until when nothing is to be done', () => {
    const money = {
      ...capture,
      intent: 'cancel',
      known: 'perhapsUnheard',
      amountMinor: 7_000,
    } as const;
    expect(unsettledShort('en', money, money.sinceMs)).toMatch(
      /^DKK.70\.00: cancelling, not confirmed\. Nothing to do until \d\d:\d\d\.$/,
    );
    expect(unsettledShort('en', money, money.sinceMs + 3_600_000)).toMatch(
      /not confirmed\. Call support and quote 1-001042-5a1e0000\.$/,
    );
    expect(
      unsettledShort('en', { ...money, needsPerson: true, known: 'unasked' }, money.sinceMs),
    ).toContain('It must be refunded');
  });

  test.each(languages)(
    'of which another amount was captured is called neither gone nor paid: how much was captured, and what is missing or too much (%s)',
    (language) => {
      const says = (movedMinor: number): string =>
        unsettledText(
          language,
          { ...capture, needsPerson: true, known: 'otherAmount', amountMinor: 10_000, movedMinor },
          capture.sinceMs,
        ).replaceAll('\u00a0', ' ');
      const [less, more] = [says(4_000), says(12_500)];
      expect(less).toMatch(/(?=.*40[.,]00)(?=.*60[.,]00)(?=.*1-001042-5a1e0000)/);
      expect(more).toMatch(/(?=.*125[.,]00)(?=.*25[.,]00)(?=.*1-001042-5a1e0000)/);
      const { capture: gone, cancel: unasked } = screenTexts[language].unsettled.sale;
      for (const { person } of [gone, unasked])
        for (const text of [less, more])
          expect(text).not.toContain(person({ orderId: '1-001042-5a1e0000' }));
    },
  );

  test.each(languages)(
    'of a refund that the service does not show says what to do, and not how it ends (%s)',
    (language) => {
      const says = unsettledText(
        language,
        { ...refund, needsPerson: true, known: 'unseen' },
        refund.sinceMs,
      );
      const { capture: lost, cancel: paidOut, unseen } = screenTexts[language].unsettled.refund;
      const { orderId } = refund;
      expect(says).toContain(unseen({ orderId }));
      for (const { person } of [lost, paidOut]) expect(says).not.toContain(person({ orderId }));
    },
  );

  test('that needs a person says nothing of waiting', () => {
    const words = unsettledText('en', { ...capture, needsPerson: true }, capture.sinceMs);
    expect(words).toContain('1-001042-5a1e0000');
    expect(words).toContain(`Correlation id: ${capture.saleId}.`);
    expect(words).not.toContain('keeps trying');
  });
});

describe.each(languages)('the cashier’s words in %s', (language) => {
  const notPaid = (
    reason: (typeof NotPaidReason.options)[number],
    by: 'till' | 'cashier',
  ): LaneState => ({ ...cashierStates.declined, reason, by });

  const words = (state: LaneState): ReturnType<typeof wordsOf> => wordsOf(language, inState(state));

  test('send nobody to the till for a payment that it does not know', () => {
    const toTheTill = screenTexts[language].notPaid.declinedByCustomer.next;
    for (const reason of NotPaidReason.options)
      expect(words(notPaid(reason, 'cashier')).next).not.toBe(toTheTill);
    expect(words(cashierStates.paidByHand).next).not.toBe(words(cashierStates.paid).next);
    for (const state of [cashierStates.paidByHand, notPaid('declinedByCustomer', 'cashier')])
      expect(words({ ...state, isTest: true } as LaneState)).toEqual({
        ...words(state),
        next: screenTexts[language].cashier.byHand.test,
      });
    expect(words({ ...notPaid('notOnboarded', 'cashier'), isTest: true } as LaneState)).toEqual(
      words(notPaid('notOnboarded', 'cashier')),
    );
    expect(words({ ...cashierStates.confirming, by: 'cashier' })).not.toEqual(
      words(cashierStates.confirming),
    );
  });

  test('of what the service has not confirmed say that, and not what follows', () => {
    const { notConfirmed } = screenTexts[language];
    const amount = formatMoney(language, cashierStates.cancelledNotConfirmed);
    expect(words(cashierStates.cancelledNotConfirmed)).toEqual({
      ...words(cashierStates.cancelled),
      next: notConfirmed.phoneMayShow({ amount }),
    });
    expect(words(cashierStates.notDelivered).next).toBe(notConfirmed.stillReserved({ amount }));
    const { state, refundState } = managerTexts[language].refunds;
    expect(new Set(Object.values(state)).size).toBe(Object.keys(state).length);
    expect(new Set(Object.values(refundState)).size).toBe(Object.keys(refundState).length);
  });

  test('of a payment that was left say neither paid nor refused', () => {
    expect(stateStyleOf(inState(cashierStates.left))).toEqual({ icon: 'warning', tone: 'warn' });
    expect(stateStyleOf(inState(cashierStates.declined)).tone).toBe('bad');
    // Once the service has confirmed it, it is known.
    expect(words({ ...cashierStates.left, known: 'notMoved' }).next).toBe(
      screenTexts[language].cashier.byHand.again,
    );
  });

  test('name who cancelled: the till, this screen, a manager, the customer, time', () => {
    const reasons = [
      'cancelledByTill',
      'cancelledByCashier',
      'cancelledByManager',
      'cancelledByCustomer',
      'declinedByCustomer',
      'timedOut',
    ] as const;
    expect(new Set(reasons.map((reason) => words(notPaid(reason, 'till')).what)).size).toBe(
      reasons.length,
    );
  });

  test('do not break between “receipt” and its number', () => {
    expect(screenTexts[language].cashier.recent.receipt({ number: 34 })).toMatch(/^\S+\u00a034$/u);
  });
});

describe('a customer who is named', () => {
  function shown(answer: AnswerTo<'nameCustomer'> = { ok: true, value: {} }): {
    form: CustomerForm;
    sent: unknown[];
  } {
    const sent: unknown[] = [];
    const form = new CustomerForm({
      requestUpdate() {},
      send: async (by) => {
        sent.push(by);
        return answer;
      },
    });
    return { form, sent };
  }

  test('by a number: sent as it was typed, and gone from the screen; by a scan: the whole text', async () => {
    const { form, sent } = shown();
    form.number = '20 03 18 01';
    await form.sendNumber();
    await form.scanned('https://qr.vipps.no/p/token');
    await form.forget();
    expect(sent).toEqual([
      { phoneNumber: '20 03 18 01' },
      { scanned: 'https://qr.vipps.no/p/token' },
      null,
    ]);
    expect(form.number).toBe('');
  });

  test('that is refused keeps what was typed, and says why until something else is typed', async () => {
    const { form } = shown({
      ok: false,
      code: 'wrongNumber',
      message: '',
      facts: {},
    } as AnswerTo<'nameCustomer'>);
    form.number = '12';
    await form.sendNumber();
    expect([form.number, form.problem]).toEqual(['12', 'wrongNumber']);
    form.number = '123';
    expect(form.problem).toBeNull();
  });

  test('is not kept for the next payment', () => {
    const { form } = shown();
    form.follow(inState(cashierStates.waitingForCustomer));
    form.number = '2003';
    form.follow(inState(cashierStates.idle));
    expect(form.number).toBe('');
  });

  test.each(languages)(
    '%s: the screen asks for their code, and says why one was not taken and that no money was asked for',
    (language) => {
      expect(wordsOf(language, lane(namedStates['named-asked'])).what).toBe(
        screenTexts[language].cashier.approach.named.what,
      );
      expect(wordsOf(language, lane(namedStates['named-refused'])).next).toBe(
        screenTexts[language].refusal.codeRefused,
      );
    },
  );
});

test('a payment that the service does not allow: never that the store is not activated, which nobody knows', () => {
  for (const language of languages) {
    const { what, next } = wordsOf(
      language,
      inState({ ...cashierStates.declined, reason: 'notOnboarded' }),
    );
    expect(`${what} ${next}`).not.toMatch(/activated|aktiveret|aktivoitu|aktiverad/i);
  }
  expect(
    wordsOf('en', inState({ ...cashierStates.declined, reason: 'notOnboarded' })).next,
  ).toContain('requests to customers’ phones');
});

test('a reservation is never said to end as paid while it runs', () => {
  for (const by of ['till', 'cashier'] as const)
    for (const language of languages) {
      const { what, next } = wordsOf(
        language,
        inState({ ...cashierStates.confirming, by, isReservation: true }),
      );
      const { paid, reserved } = screenTexts[language].cashier.state;
      expect(`${what} ${next}`).toContain(reserved);
      expect(`${what} ${next}`.toLowerCase()).not.toContain(paid.toLowerCase());
    }
});
