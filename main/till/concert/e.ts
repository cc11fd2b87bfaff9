/**
 * Messages E (26 characters) and E+ (34), and their answers. The sources are public implementations: pyTeliumManager (its messages and its simulated
 * terminal) and akretion's pypostelium.
 */
import { amountOf, currencyOf, type Request, type ConcertOutcome, WHY } from './request.ts';

const lengthE = 26;
const lengthEPlus = 34;
/** The answer's field for the data of the card; blank, because a wallet payment has no card. */
const report = ' '.repeat(55);
/** Payment by card, which tills also send for other payments that are neither cash nor a cheque. */
const card = '1';

/** STAT: accepted, not accepted. */
const accepted = '0';
const notAccepted = '7';

/** @returns null when the bytes are not a message E or E+ */
export function readE(bytes: Uint8Array): Request | null {
  const text = Buffer.from(bytes).toString('latin1');
  if ((text.length !== lengthE && text.length !== lengthEPlus) || !/^[\x20-\x7e]+$/.test(text)) return null;
  const [pos, amount, wantsReport, mode, action, currency, privateData, delay] = [
    text.slice(0, 2),
    text.slice(2, 10),
    text[10] === '1',
    text.slice(11, 12),
    text.slice(12, 13),
    text.slice(13, 16),
    text.slice(16, 26),
    text.slice(26, 30),
  ];
  const answer = (told: ConcertOutcome): Uint8Array => {
    const state = told.done ? accepted : notAccepted;
    const paid = told.done && told.paid !== null ? String(told.paid.amountMinor).padStart(8, '0') : amount;
    return Buffer.from(`${pos}${state}${paid}${mode}${wantsReport ? report : ''}${currency}${privateData}`, 'latin1');
  };
  return { asked: askedIn({ amount, mode, action, currency, delay }), reference: null, answer };
}

function askedIn({
  amount,
  mode,
  action,
  currency: digits,
  delay,
}: Readonly<Record<'amount' | 'mode' | 'action' | 'currency' | 'delay', string>>): Request['asked'] {
  if (action !== '0') return { what: 'impossible', why: WHY.unknownAction };
  const amountMinor = amountOf(amount);
  if (amountMinor === null) return { what: 'impossible', why: WHY.badFormat };
  const currency = currencyOf(digits);
  if (currency === null) return { what: 'impossible', why: WHY.currencyNotSupported };
  // A message E has no delay field: the answer comes when the payment has ended. An answer at once (A011) could not tell the outcome.
  if (mode !== card || (delay !== '' && delay !== 'A010')) return { what: 'impossible', why: WHY.badSelection };
  return { what: 'payment', amountMinor, currency };
}
