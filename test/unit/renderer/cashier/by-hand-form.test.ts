import { expect, test } from 'vitest';
import { screenPaymentId } from '../../../../main/domain/ids.ts';
import type { LaneView } from '../../../../preload/contract.ts';
import { ByHandForm } from '../../../../renderer/cashier/by-hand-form.ts';

test('closes when any payment is there whose answer was lost, also after the amount was changed', async () => {
  const ids: string[] = [];
  const form = new ByHandForm({
    requestUpdate: () => {},
    focusTake: () => {},
    send: ({ actionId }) => {
      ids.push(actionId);
      return Promise.resolve({ ok: false, code: 'disconnected', field: null, message: '', facts: {} });
    },
  });
  form.open();
  for (const amountMinor of [1_000, 2_000]) {
    form.amountMinor = amountMinor;
    await form.take();
  }
  expect(new Set(ids).size).toBe(2);
  // Only these are looked at.
  form.follow({ state: { kind: 'idle' }, recent: [{ saleId: screenPaymentId(ids[0] ?? '') }] } as unknown as LaneView);
  expect(form.isOpen).toBe(false);
});
