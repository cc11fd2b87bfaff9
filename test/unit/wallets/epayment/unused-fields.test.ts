/** Fields of answers that the client does not use must not keep it from reading what it needs. */
import { expect, test } from 'vitest';
import { getAccessToken } from '../../../../main/wallets/epayment/access-token.ts';
import { getSalesUnit } from '../../../../main/wallets/epayment/management/management-operations.ts';
import { getEpayment } from '../../../../main/wallets/epayment/payments/payments-operations.ts';
import { exchangePersonalQr } from '../../../../main/wallets/epayment/qr/qr-operations.ts';
import { listLedgers } from '../../../../main/wallets/epayment/report/report-operations.ts';

const amount = { currency: 'DKK', value: 100 };
const payment = {
  reference: 'K1-000042',
  state: 'AUTHORIZED',
  amount,
  aggregate: {
    authorizedAmount: amount,
    capturedAmount: amount,
    cancelledAmount: amount,
    refundedAmount: amount,
  },
};
const cases = [
  [getEpayment, payment, ['paymentMethod', 'profile']],
  [
    getAccessToken,
    { token_type: 'Bearer', expires_in: '3600', access_token: 'token' },
    ['ext_expires_in', 'expires_on', 'not_before', 'resource'],
  ],
  [exchangePersonalQr, { msisdn: '4520031801' }, ['timestamp']],
  [getSalesUnit, { msn: '123456' }, ['settlementBankAccount']],
] as const;

test.each(
  cases.map(([operation, needed, fields]) => [operation.name, operation, needed, fields] as const),
)('%s is read whatever they hold', (_, { answer }, needed, fields) => {
  for (const value of [null, 7, 'text', [], {}, { type: 1, sub: {}, id: null }])
    expect(
      answer?.safeParse({
        ...needed,
        ...Object.fromEntries(fields.map((field) => [field, value])),
      }),
    ).toMatchObject({ success: true, data: needed });
});

test('listLedgers is read whatever the accounts hold', () => {
  const ledger = {
    ledgerId: 'ledger-1',
    currency: 'DKK',
    settlesForRecipientHandles: ['api:123456'],
    payoutBankAccount: 'none',
    owner: 7,
  };
  expect(listLedgers.answer?.safeParse({ items: [ledger] })).toMatchObject({ success: true });
});
