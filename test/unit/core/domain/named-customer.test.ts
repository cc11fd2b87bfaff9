import { expect, test } from 'vitest';
import {
  maskedNumber,
  readPersonalCode,
  readPhoneNumber,
} from '../../../../main/core/domain/named-customer.ts';

test.each([
  [
    'https://qr.vipps.no/p/eyJhbGciOi',
    { kind: 'personalCode', text: 'https://qr.vipps.no/p/eyJhbGciOi' },
  ],
  // Codes of older apps, which have the number in plain text: the whole text is sent.
  [
    'https://qr.vipps.no/28/2/01/031/4799999999?v=1\n',
    { kind: 'personalCode', text: 'https://qr.vipps.no/28/2/01/031/4799999999?v=1' },
  ],
  ['https://qr.vipps.no/mc/till-K1', 'noPersonalCode'],
  ['https>&&qr.vipps.no&p&token', 'wrongKeyboard'],
  ['httpsÆ--qr.vipps.no-p-token', 'wrongKeyboard'],
  ['https://pay.example/p/token', 'otherWallet'],
  ['https://qr.vipps.no.evil.example/p/token', 'wrongKeyboard'],
  ['https://someone@evil.example/qr.vipps.no/p/1', 'otherWallet'],
  ['5701234567890', 'otherWallet'],
  ['', 'otherWallet'],
  [`https://qr.vipps.no/p/${'x'.repeat(255)}`, 'wrongKeyboard'],
] as const)('a scanned %j', (scanned, is) => expect(readPersonalCode(scanned)).toEqual(is));

test.each([
  ['20 03 18 01', 'DKK', '4520031801'],
  ['+45 20031801', 'EUR', '4520031801'],
  ['0045-20031801', 'DKK', '4520031801'],
  ['040 123 4567', 'EUR', '358401234567'],
  ['2003180', 'DKK', null],
  ['401234567', 'EUR', null],
  ['+0 20031801', 'DKK', null],
  ['twenty', 'DKK', null],
] as const)('a typed %j in %s', (typed, currency, number) =>
  expect(readPhoneNumber(typed, currency)).toEqual(
    number === null ? 'wrongNumber' : { kind: 'phone', number },
  ),
);

test('screens see the end of a number, and nothing of a code', () => {
  expect(maskedNumber({ kind: 'phone', number: '4520031801' })).toBe('•••• 1801');
  expect(
    maskedNumber({ kind: 'personalCode', text: 'https://qr.vipps.no/28/2/01/031/4799999999?v=1' }),
  ).toBeNull();
});
