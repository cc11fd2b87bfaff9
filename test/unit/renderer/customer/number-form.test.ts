import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { LaneView } from '../../../../preload/contract.ts';
import { type NumberAnswer, NumberForm } from '../../../../renderer/customer/number-form.ts';

let sent: string[];
let answer: NumberAnswer;
let form: NumberForm;
beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  answer = { ok: true };
  form = new NumberForm({
    requestUpdate() {},
    send: async (number) => (sent.push(number), answer),
  });
});
afterEach(() => void vi.useRealTimers());

const lane = (saleId: string, isNamed = false): LaneView =>
  ({
    state: { kind: 'waitingForCustomer', saleId, remainingMs: 1 },
    named: { isNamed, number: null, isSent: isNamed, refused: null },
    customer: { ...(!isNamed && { numberPad: true }) },
  }) as unknown as LaneView;

function typed(number: string): void {
  form.follow(lane('a'));
  form.open();
  form.number = number;
}

describe('a number that a customer types', () => {
  test('is gone once it is sent; its last digits stay until the payment ends', async () => {
    typed('20031801');
    await form.submit();
    expect([sent, form.number, form.isOpen, form.sent]).toEqual([
      ['20031801'],
      '',
      false,
      '•••• 1801',
    ]);
    form.follow(lane('a', true));
    expect(form.sent).toBe('•••• 1801');
    form.follow(lane('b'));
    expect(form.sent).toBeNull();
  });

  test('is forgotten 30 seconds after the last digit, and the pad closes', () => {
    typed('2003');
    vi.advanceTimersByTime(29_000);
    form.number = '20031';
    vi.advanceTimersByTime(29_000);
    expect(form.number).toBe('20031');
    vi.advanceTimersByTime(1_000);
    expect([form.number, form.isOpen]).toEqual(['', false]);
  });

  test('is forgotten with its payment, and when somebody else is named', () => {
    typed('2003');
    form.follow(lane('b'));
    expect([form.number, form.isOpen]).toEqual(['', false]);
    typed('2003');
    form.follow(lane('a', true));
    expect([form.number, form.isOpen]).toEqual(['', false]);
  });

  test('that is none is told and can be corrected; so is one that the service did not take', async () => {
    typed('2003');
    await form.submit();
    expect(sent).toEqual([]);
    form.number = '20031';
    answer = { ok: false, code: 'wrongNumber' };
    await form.submit();
    expect([form.problem, form.isOpen, form.number]).toEqual(['wrong', true, '20031']);
    form.number = '20031801';
    answer = { ok: true };
    await form.submit();
    form.follow(lane('a', true));
    form.follow(lane('a'));
    expect([form.problem, form.sent]).toEqual(['failed', null]);
  });

  test('for a payment that ended while it was sent says nothing at the next', async () => {
    typed('20031801');
    const sending = form.submit();
    form.follow(lane('b'));
    await sending;
    expect([form.sent, form.problem, form.number]).toEqual([null, null, '']);
  });
});
