import { describe, expect, test } from 'vitest';
import { screenPaymentId } from '../../../../main/core/domain/ids.ts';
import type { LaneState, LaneView } from '../../../../preload/contract.ts';
import type { AnswerTo, RefusalOf } from '../../../../preload/procedures.ts';
import { AgreeForm } from '../../../../renderer/cashier/agree-form.ts';
import { ByHandForm } from '../../../../renderer/cashier/by-hand-form.ts';
import { cashierStates, recentPayments } from '../../../support/cashier-states.ts';
import { ScriptedViews } from '../../counter/server/scripted-views.ts';

const lane = (about: Partial<LaneView> = {}): LaneView => ({
  ...new ScriptedViews().view,
  ...about,
});
const inState = (state: LaneState): LaneView => lane({ state });

describe('a payment by hand, as it is typed', () => {
  type PaymentRequest = { actionId: string; amountMinor: number; orderText: string | null };
  const refused = (code: RefusalOf<'payByHand'>): AnswerTo<'payByHand'> => ({
    ok: false,
    code,
    field: null,
    message: '',
    facts: {},
  });
  function opened(...answers: AnswerTo<'payByHand'>[]): {
    form: ByHandForm;
    requests: PaymentRequest[];
  } {
    const requests: PaymentRequest[] = [];
    const form = new ByHandForm({
      requestUpdate: () => {},
      focusTake: () => {},
      send: async (what) => {
        requests.push(what);
        return answers.shift() ?? { ok: true, value: { saleId: screenPaymentId(what.actionId) } };
      },
    });
    form.open();
    form.amountMinor = 1234;
    return { form, requests };
  }

  test('is requests for once, and the form is ready for another one', async () => {
    const { form, requests } = opened();
    form.orderText = ' 4711 ';
    await form.take();
    expect(requests).toMatchObject([{ amountMinor: 1234, orderText: '4711' }]);
    expect(form).toMatchObject({ isOpen: false, amountMinor: 0, orderText: '' });
  });

  test('after a lost answer the same action is requests for again, unless something else is typed', async () => {
    const { form, requests } = opened(
      refused('failed'),
      refused('disconnected'),
      refused('failed'),
    );
    await form.take();
    await form.take();
    form.amountMinor = 99;
    await form.take();
    const [first, again, other] = requests.map(({ actionId }) => actionId);
    expect(again).toBe(first);
    expect(other).not.toBe(first);
    expect(form).toMatchObject({ problem: 'failed', amountMinor: 99 });
  });

  test('two touches in a row are one call', async () => {
    const { form, requests } = opened();
    await Promise.all([form.take(), form.take()]);
    expect(requests).toHaveLength(1);
  });

  test('a refusal keeps what was typed, and says why; the next try is another action', async () => {
    const { form, requests } = opened(refused('busy'));
    await form.take();
    expect(form).toMatchObject({ isOpen: true, problem: 'busy', amountMinor: 1234 });
    await form.take();
    expect(requests[0]?.actionId).not.toBe(requests[1]?.actionId);
  });

  test('without an amount, or with a text that is too long, is not sent', async () => {
    const { form, requests } = opened();
    form.orderText = '123456789012345678901';
    expect(form.problem).toBe('orderText');
    await form.take();
    form.orderText = '';
    form.amountMinor = 0;
    await form.take();
    expect(form.problem).toBe('amountTooSmall');
    expect(requests).toEqual([]);
  });

  test('what a scanner has typed into the amount is taken back', () => {
    const { form } = opened();
    const takeBack = form.remember();
    form.amountMinor = 1_234_570;
    takeBack();
    expect(form.amountMinor).toBe(1234);
  });

  test('gives way to a sale, and to its own payment whose answer was lost; not to an earlier result', async () => {
    const { form, requests } = opened(refused('failed'));
    form.follow(inState(cashierStates.paid));
    form.follow(lane({ recent: recentPayments(0) }));
    expect(form.isOpen).toBe(true);
    await form.take();
    const [row] = recentPayments(0);
    form.follow(
      lane({
        recent: [
          {
            ...(row as LaneView['recent'][number]),
            saleId: screenPaymentId(requests[0]?.actionId ?? ''),
          },
        ],
      }),
    );
    expect(form.isOpen).toBe(false);
    form.open();
    form.follow(inState(cashierStates.waitingForCustomer));
    expect(form.isOpen).toBe(false);
  });
});

describe('the amount of a payment by hand, once its customer is found', () => {
  type Agreed = { saleId: string; amountMinor: number };
  const another = {
    ...cashierStates.agreeing,
    saleId: '5a1e0000-0000-4000-8000-000000000002',
    amountMinor: 500,
  };
  function shown(answer: AnswerTo<'agreeAmount'> = { ok: true, value: {} }): {
    form: AgreeForm;
    agreed: Agreed[];
    begun: () => number;
  } {
    const agreed: Agreed[] = [];
    let beginCount = 0;
    const form = new AgreeForm({
      requestUpdate: () => {},
      begun: () => (beginCount += 1),
      send: async (what) => {
        agreed.push(what);
        return answer;
      },
    });
    form.follow(inState(cashierStates.agreeing));
    return { form, agreed, begun: () => beginCount };
  }

  test('is as it was typed, and one key sends it', async () => {
    const { form, agreed, begun } = shown();
    expect([form.isOpen, begun()]).toEqual([true, 1]);
    await Promise.all([form.send(), form.send()]);
    expect(agreed).toEqual([{ saleId: cashierStates.agreeing.saleId, amountMinor: 123_450 }]);
  });

  test('is kept while it is being changed, until another payment is there or the amount is on its way', () => {
    const { form, begun } = shown();
    form.amountMinor = 99;
    form.follow({ ...inState(cashierStates.agreeing), loyaltyIds: [] });
    expect([form.amountMinor, begun()]).toEqual([99, 1]);
    form.follow(inState(another));
    expect([form.amountMinor, begun()]).toEqual([500, 2]);
    form.follow(inState(cashierStates.customerFound));
    expect(form.isOpen).toBe(false);
  });

  test('that is refused stays as it was typed, with the reason; and the answer to an earlier payment is none to this one', async () => {
    const { form } = shown({
      ok: false,
      code: 'amountTooSmall',
      field: null,
      message: '',
      facts: {},
    });
    form.amountMinor = 0;
    await form.send();
    expect(form).toMatchObject({ amountMinor: 0, problem: 'amountTooSmall', isSending: false });
    const sent = form.send();
    form.follow(inState(another));
    await sent;
    expect(form).toMatchObject({ amountMinor: 500, problem: null, isSending: false });
  });

  test('does not take the first digits of a scan, which change no other payment', () => {
    const { form } = shown();
    const takeBack = form.remember();
    form.amountMinor = 5;
    takeBack();
    expect(form.amountMinor).toBe(123_450);
    form.follow(inState(another));
    takeBack();
    expect(form.amountMinor).toBe(500);
  });
});
