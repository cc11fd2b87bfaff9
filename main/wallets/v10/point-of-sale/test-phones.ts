/**
 * The test users of the sandbox, by the last digit of their number (document 4, section 1.15). All
 * integrators share them.
 */
const lastDigit = { credit: 1, debit: 2, loyalty: 4, partial: 5 } as const;

export type TestUser = keyof typeof lastDigit;

/** A test user's phone number in the merchant's country. */
export function testPhone(merchantVat: string, user: TestUser): string {
  return merchantVat.startsWith('FI')
    ? `+35820031800${lastDigit[user]}`
    : `+452003180${lastDigit[user]}`;
}
