/**
 * A customer who is named at the counter before the service knows them: by the code in their app,
 * by their telephone number, or because they scanned the sticker of the till.
 */
import type { Currency } from './money.ts';

/**
 * `text`: the whole of what was scanned; nothing is taken out of it (document 5, section 3.4).
 * `number`: digits with the country code. `token`: of a scan of the sticker (section 3.3); it pays
 * once, within 15 minutes.
 */
export type NamedCustomer =
  | { readonly kind: 'personalCode'; readonly text: string }
  | { readonly kind: 'phone'; readonly number: string }
  | { readonly kind: 'sticker'; readonly token: string };

/**
 * otherWallet: a code that is not this wallet's. wrongKeyboard: this wallet's, and the scanner
 * types it as on another keyboard. noPersonalCode: this wallet's, and no customer's own.
 * wrongNumber: no telephone number. codeRefused, numberRefused: the service does not know it, or
 * not any more. mayNotPay: this customer may not pay here.
 */
export const customerRefusals = [
  'otherWallet',
  'wrongKeyboard',
  'noPersonalCode',
  'wrongNumber',
  'codeRefused',
  'numberRefused',
  'mayNotPay',
] as const;
export type CustomerRefusal = (typeof customerRefusals)[number];

const longest = 255;
const host = 'qr.vipps.no';
/** Newer apps have a token in the code, older ones the number. */
const personalPath = /^\/(p\/.+|28\/2\/.+)$/;
/** A scanner is a keyboard: on the wrong one, signs become others. */
const likeOurs = /^https?.{1,4}qr.vipps.no/i;

export function readPersonalCode(scanned: string): NamedCustomer | CustomerRefusal {
  const text = scanned.trim();
  const url = text.length > longest ? null : URL.parse(text);
  if (url?.protocol === 'https:' && url.host === host)
    return personalPath.test(url.pathname) ? { kind: 'personalCode', text } : 'noPersonalCode';
  return likeOurs.test(text) ? 'wrongKeyboard' : 'otherWallet';
}

/**
 * Where the sales unit is, numbers are told without their country. A Finnish one begins with 0
 * then.
 */
const home: Readonly<Record<string, { readonly code: string; readonly number: RegExp }>> = {
  DKK: { code: '45', number: /^(\d{8})$/ },
  NOK: { code: '47', number: /^(\d{8})$/ },
  EUR: { code: '358', number: /^0(\d{4,12})$/ },
};

export function readPhoneNumber(
  typed: string,
  currency: Currency,
): NamedCustomer | CustomerRefusal {
  const signs = typed.replaceAll(/[\s().-]/g, '');
  const here = home[currency];
  const atHome = here?.number.exec(signs)?.[1];
  const digits =
    here === undefined || atHome === undefined
      ? /^(?:\+|00)([1-9]\d{8,14})$/.exec(signs)?.[1]
      : here.code + atHome;
  return digits === undefined ? 'wrongNumber' : { kind: 'phone', number: digits };
}

/**
 * For screens: the last digits, which are enough to tell one customer from another; null for a
 * code, which says nothing to people.
 */
export const maskedNumber = (customer: NamedCustomer): string | null =>
  customer.kind === 'phone' ? `•••• ${customer.number.slice(-4)}` : null;
