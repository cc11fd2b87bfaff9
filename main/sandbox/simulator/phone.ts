import { createHash } from 'node:crypto';

/** A user of the app, identified by the phone number (document 4, section 1.15). */
export interface Phone {
  readonly userId: string;
  readonly userName: string;
  readonly phoneNumber: string;
  readonly card: 'credit' | 'debit';
  readonly loyaltyIds: readonly string[];
  /** Empty when the user has none. */
  readonly receiptToken: string;
  readonly partialCapture: boolean;
  /**
   * The balance of the card, in minor units of the user's country. Unlimited unless a test sets it.
   */
  balanceMinor: number;
  /**
   * What the user may pay in a day, in stores, by subscriptions and in the app; infinite without a
   * limit.
   */
  dayLimitMinor: number;
  /** What the user may pay in a month by subscriptions; infinite without a limit. */
  monthLimitMinor: number;
  /** What the user may have paid in a year with an app payment; infinite without a limit. */
  yearLimitMinor: number;
  /** Version of the app, e.g. 5.22.0. */
  appVersion: string;
}

const none = Number.POSITIVE_INFINITY;
/**
 * The limits of a Danish user, by how the user is identified (document 1, "Limits"): by a national
 * digital identity or a photo, or by a civil registration number alone. The document names no
 * limits for others.
 */
export const limitsOf = {
  identity: { dayLimitMinor: none, monthLimitMinor: 60_000_00 },
  registrationNumber: { dayLimitMinor: 3_000_00, monthLimitMinor: none },
} as const;
const limitsOfNumber = (phoneNumber: string) =>
  phoneNumber.startsWith('+45')
    ? limitsOf.identity
    : { dayLimitMinor: none, monthLimitMinor: none };

const plainUser: Omit<
  Phone,
  'userId' | 'userName' | 'phoneNumber' | 'dayLimitMinor' | 'monthLimitMinor'
> = {
  card: 'credit',
  loyaltyIds: [],
  receiptToken: '',
  partialCapture: false,
  balanceMinor: Number.POSITIVE_INFINITY,
  yearLimitMinor: Number.POSITIVE_INFINITY,
  appVersion: '5.22.0',
};

/** The documented test numbers with their documented cards. */
export function testPhones(): Phone[] {
  const countries = [
    { digit: 1, prefix: '+452003180' },
    { digit: 2, prefix: '+35820031800' },
  ];
  return countries.flatMap(({ digit, prefix }) => {
    const user = (last: number): Phone => ({
      userId: `05e20000-0000-4000-8000-0000000000${digit}${last}`,
      userName: `Test User ${last}`,
      phoneNumber: `${prefix}${last}`,
      ...plainUser,
      ...limitsOfNumber(prefix),
    });
    return [
      user(1),
      { ...user(2), card: 'debit' },
      user(3),
      { ...user(4), loyaltyIds: ['LOYAL-4711'], receiptToken: 'receipts-of-04' },
      { ...user(5), partialCapture: true },
    ];
  });
}

/** The user of a phone number that is not set up. The same number is always the same user. */
export function unregisteredPhone(phoneNumber: string): Phone {
  const hash = createHash('sha256').update(phoneNumber).digest('hex');
  return {
    userId: `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`,
    userName: `User ${phoneNumber.slice(-4)}`,
    phoneNumber,
    ...plainUser,
    ...limitsOfNumber(phoneNumber),
  };
}
