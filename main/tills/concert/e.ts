/**
 * Messages E: 26 characters, and any number of options of four characters, a letter and its value.
 * E+ has two of them, A and B. The sources are public implementations: pyTeliumManager (its
 * messages and its simulated terminal) and akretion's pypostelium.
 */
import { amountOf, currencyOf, type Request, type ConcertOutcome, WHY } from './request.ts';

const minLength = 26;
const optionLength = 4;
/** The fields that are read. The till's number and its private data are only repeated. */
const [readFrom, readUntil] = [2, 16];
/** The answer's field for the data of the card; blank, because a wallet payment has no card. */
const report = ' '.repeat(55);
/** Payment by card, which tills also send for other payments that are neither cash nor a cheque. */
const card = '1';
/**
 * The answer is sent when the payment has ended. An answer at once (A011) could not tell the
 * outcome.
 */
const answerAtEnd = 'A010';
const noOption = ' '.repeat(optionLength);

/** STAT: accepted, not accepted. */
const accepted = '0';
const notAccepted = '7';

/** Whether these bytes begin a message E, up to its amount; null when more bytes are needed. */
export function beginsAsE(head: Uint8Array): boolean | null {
  const text = Buffer.from(head.subarray(0, 10)).toString('latin1');
  if (!/^[\x20-\x7e]{0,2}$|^[\x20-\x7e]{2}\d{0,8}$/.test(text)) return false;
  return text.length === 10 ? true : null;
}

/** @returns null when the bytes are too few for a message E, or its fields are no text */
export function readE(bytes: Uint8Array): Request | null {
  const text = Buffer.from(bytes).toString('latin1');
  if (text.length < minLength || !/^[\x20-\x7e]+$/.test(text.slice(readFrom, readUntil)))
    return null;
  const [pos, amount, wantsReport, mode, action, currency, privateData] = [
    text.slice(0, 2),
    text.slice(2, 10),
    text[10] === '1',
    text.slice(11, 12),
    text.slice(12, 13),
    text.slice(13, 16),
    text.slice(16, minLength),
  ];
  const answer = (result: ConcertOutcome): Uint8Array => {
    const state = result.done ? accepted : notAccepted;
    const paid =
      result.done && result.paid !== null
        ? String(result.paid.amountMinor).padStart(8, '0')
        : amount;
    return Buffer.from(
      `${pos}${state}${paid}${mode}${wantsReport ? report : ''}${currency}${privateData}`,
      'latin1',
    );
  };
  return {
    command: commandOf({
      amount,
      mode,
      action,
      currency,
      options: optionsIn(text.slice(minLength)),
    }),
    reference: null,
    answer,
  };
}

/**
 * A text of an unknown form. The answer is "not accepted", with blanks in all other fields: a till
 * with such a form (caisseFacile) takes any 0 in an answer for "paid".
 */
export const unknownForm: Request = {
  command: { what: 'impossible', why: WHY.badFormat },
  reference: null,
  answer: () => Buffer.from(`  ${notAccepted}${' '.repeat(22)}`, 'latin1'),
};

/** @returns null when the text is something else than options */
function optionsIn(text: string): readonly string[] | null {
  const options = text.match(/.{1,4}/gs) ?? [];
  return options.every((option) => option === noOption || /^[A-Z][\x20-\x7e]{3}$/.test(option))
    ? options
    : null;
}

interface Fields {
  readonly amount: string;
  readonly mode: string;
  readonly action: string;
  readonly currency: string;
  readonly options: readonly string[] | null;
}

function commandOf({
  amount,
  mode,
  action,
  currency: digits,
  options,
}: Fields): Request['command'] {
  if (options === null) return { what: 'impossible', why: WHY.badFormat };
  if (action !== '0') return { what: 'impossible', why: WHY.unknownAction };
  const amountMinor = amountOf(amount);
  if (amountMinor === null) return { what: 'impossible', why: WHY.badFormat };
  const currency = currencyOf(digits);
  if (currency === null) return { what: 'impossible', why: WHY.currencyNotSupported };
  const isAnsweredAtOnce = options.some(
    (option) => option.startsWith('A') && option !== answerAtEnd,
  );
  if (mode !== card || isAnsweredAtOnce) return { what: 'impossible', why: WHY.badSelection };
  return { what: 'payment', amountMinor, currency };
}
