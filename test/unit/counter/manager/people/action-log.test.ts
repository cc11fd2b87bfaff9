import { expect, test } from 'vitest';
import { journalActionLog } from '../../../../../main/counter/manager/people/action-log.ts';
import { dayProcedures } from '../../../../../preload/procedures/day.ts';
import type { Recorded } from '../../../../../preload/procedures/procedure.ts';
import { refundProcedures } from '../../../../../preload/procedures/refunds.ts';
import { sessionProcedures } from '../../../../../preload/procedures/session.ts';
import { setupProcedures } from '../../../../../preload/procedures/setup.ts';

const ada = { managerId: '3d500000-0000-4000-8000-000000000001', name: 'Ada' };
const saleId = '3d500000-0000-4000-8000-000000000002';
const actionId = '3d500000-0000-4000-8000-000000000003';

test.each<[string, Recorded | undefined, string | null, object]>([
  [
    'refund',
    refundProcedures.refund.records?.({ actionId, saleId, amountMinor: 234, note: 'broken' }),
    saleId,
    { actionId, amountMinor: 234, note: 'broken' },
  ],
  [
    'cancelRefund',
    refundProcedures.cancelRefund.records?.({ laneId: '1', refundOrderId: actionId }),
    actionId,
    {},
  ],
  ['closeDay', dayProcedures.closeDay.records?.({ laneId: '2' }), '2', {}],
  ['closeDay', dayProcedures.closeDay.records?.({ laneId: null }), null, {}],
  [
    'changePin',
    sessionProcedures.changePin.records?.({ managerId: saleId, pin: '1234' }),
    saleId,
    {},
  ],
  ['removeManager', sessionProcedures.removeManager.records?.({ managerId: saleId }), saleId, {}],
  [
    'removeLane',
    setupProcedures.removeLane.records?.({ laneId: '2', deletePointOfSale: true }),
    '2',
    { deletePointOfSale: true },
  ],
])('the journal says what %s was done to', (action, facts = {}, subject, detail) => {
  const storedActions: object[] = [];
  journalActionLog({
    keepAction: (done) => ({ ...done, number: storedActions.push(done), atMs: 0 }),
  }).record(ada, action, facts);
  expect(storedActions).toEqual([
    { manager: 'Ada', action, subject, detail: { by: ada.managerId, ...detail } },
  ]);
});
