import { describe, expect, test } from 'vitest';
import { beaconIdIn, merchantVatIn } from '../../../../preload/procedures/setup-fields.ts';

describe('a VAT number', () => {
  test.each([
    ['DK12345678', 'en', 'DK12345678'],
    [' dk 12 34 56 78 ', 'fi', 'DK12345678'],
    ['FI-1234567-1', 'da', 'FI12345671'],
    // Without its letters the country is found by the dash, which only Finland has, otherwise by
    // the check digit or the shop's language.
    ['1234567-8', 'da', 'FI12345678'],
    ['13585628', 'fi', 'DK13585628'],
    ['01120389', 'da', 'FI01120389'],
    ['90000028', 'da', 'DK90000028'],
    ['90000028', 'en', 'DK90000028'],
    ['90000028', 'fi', 'FI90000028'],
    ['90000028', 'sv', 'FI90000028'],
    // An incomplete number is left as it is.
    ['1234567', 'da', '1234567'],
    ['DK1234567', 'da', 'DK1234567'],
    ['', 'da', ''],
    ['SE12345678', 'sv', 'SE12345678'],
  ] as const)('typed as %j in a shop that speaks %s is %s', (typed, language, whole) =>
    expect(merchantVatIn(typed, language)).toBe(whole),
  );
});

describe('what is typed', () => {
  test.each([
    ['123456789012345', '123456789012345'],
    ['walletpos://pos?id=123456789012345&source=qr', '123456789012345'],
    [
      'WALLETPOS://POS?ID=4F9D6A10-0A53-4E86-8B9A-6B6E2A1D9A11&SOURCE=QR',
      '4f9d6a10-0a53-4e86-8b9a-6b6e2a1d9a11',
    ],
    // A scanner that assumes an American keyboard, at a Danish one.
    [
      'walletposÆ--pos_id´4f9d6a10+0a53+4e86+8b9a+6b6e2a1d9a11/source´qr',
      '4f9d6a10-0a53-4e86-8b9a-6b6e2a1d9a11',
    ],
    ['  4f9d6a10-0a53-4e86-8b9a-6b6e2a1d9a11\r\n', '4f9d6a10-0a53-4e86-8b9a-6b6e2a1d9a11'],
    ['5701234567890', null],
    ['1234567890123456', null],
    ['', null],
  ])('or scanned as %s is the beacon %s', (scanned, beaconId) =>
    expect(beaconIdIn(scanned)).toBe(beaconId),
  );
});
