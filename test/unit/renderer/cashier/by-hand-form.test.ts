import { expect, test } from 'vitest';
import { screenPaymentId } from '../../../../main/core/domain/ids.ts';
import type { LaneView } from '../../../../preload/contract.ts';
import { ByHandForm } from '../../../../renderer/cashier/by-hand-form.ts';

/** An open form whose payments get no answer, and the ids that they left with. */
function openUnanswered(): { readonly form: ByHandForm; readonly ids: readonly string[] } {
  const ids: string[] = [];
  const form = new ByHandForm({
    requestUpdate: () => {},
    focusTake: () => {},
    send: ({ actionId }) => {
      ids.push(actionId);
      return Promise.resolve({
        ok: false,
        code: 'disconnected',
        field: null,
        message: '',
        facts: {},
      });
    },
  });
  form.open();
  return { form, ids };
}

test('closes when any payment is there whose answer was lost, also after the amount was changed', async () => {
  const { form, ids } = openUnanswered();
  for (const amountMinor of [1_000, 2_000]) {
    form.amountMinor = amountMinor;
    await form.take();
  }
  expect(new Set(ids).size).toBe(2);
  // Only these are looked at.
  form.follow({
    state: { kind: 'idle' },
    recent: [{ saleId: screenPaymentId(ids[0] ?? '') }],
  } as unknown as LaneView);
  expect(form.isOpen).toBe(false);
});

test('keeps what was typed while a payment of the till closes it, until the cashier sends or closes it', () => {
  const form = new ByHandForm({
    requestUpdate: () => {},
    focusTake: () => {},
    send: () => Promise.reject(new Error('nothing is sent')),
  });
  const till = {
    state: { kind: 'waitingForCustomer', saleId: 'of the till', remainingMs: 1, by: 'till' },
    recent: [],
  } as unknown as LaneView;
  form.open();
  form.amountMinor = 1_100;
  form.orderText = 'T7';
  form.follow(till);
  expect(form).toMatchObject({
    isOpen: false,
    setAsideFor: 'till',
    amountMinor: 1_100,
    orderText: 'T7',
  });
  form.open();
  expect(form).toMatchObject({
    isOpen: true,
    setAsideFor: null,
    amountMinor: 1_100,
    orderText: 'T7',
  });
  form.close();
  expect(form).toMatchObject({ amountMinor: 0, orderText: '' });
  // Nothing was typed, so there is nothing to keep.
  form.open();
  form.follow(till);
  expect(form).toMatchObject({ isOpen: false, setAsideFor: null });
});

test('keeps the id of a payment whose answer was lost while a payment of the till closes it, and clears once it is there', async () => {
  const { form, ids } = openUnanswered();
  form.amountMinor = 1_100;
  await form.take();
  form.follow({
    state: { kind: 'confirming', saleId: 'of the till', remainingMs: 1, by: 'till' },
    recent: [],
  } as unknown as LaneView);
  form.open();
  await form.take();
  expect(ids[1]).toBe(ids[0]);
  form.follow({
    state: { kind: 'confirming', saleId: 'of the till', remainingMs: 1, by: 'till' },
    recent: [],
  } as unknown as LaneView);
  expect(form.setAsideFor).toBe('till');
  form.follow({
    state: { kind: 'idle' },
    recent: [{ saleId: screenPaymentId(ids[0] ?? '') }],
  } as unknown as LaneView);
  expect(form).toMatchObject({ isOpen: false, setAsideFor: null, amountMinor: 0 });
});
