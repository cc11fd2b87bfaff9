import { expect, test } from 'vitest';
import { orderTextOf } from '../../../../main/core/domain/service-text.ts';

test.each([
  ['ORD-77123-000010-0fd8fc47', 'ORD-77123'],
  ['Table 4-000010-0fd8fc47', 'Table 4'],
  ['1-000010-0fd8fc47', null],
  ['-000010-0fd8fc47', null],
  ['of-another-counter', null],
])('the order id %s has what the cashier called the payment: %s', (orderId, text) => {
  expect(orderTextOf({ orderId, laneId: '1' })).toBe(text);
});
