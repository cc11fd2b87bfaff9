import { languageOfTag } from '../../core/domain/language-tags.ts';
import type { Language } from '../../core/domain/languages.ts';
import type { Currency } from '../../core/domain/money.ts';
import { profileOf, type TillProfile } from '../../core/domain/till-profiles.ts';
import { maxApduBytes } from './apdu.ts';
import { decodeBcd, encodeBcd } from './bcd.ts';
import { BMP, type Fields } from './bitmaps.ts';
import { decodeCurrency } from './currency.ts';
import { packets } from './packet-table.ts';
import { type Charset, charsets, decodeText, encodeAscii, isCharset } from './text.ts';
import { encodeTlv, parseTlv, TAG, type TlvObject } from './tlv.ts';

/**
 * What a till agreed at registration. It belongs to its connection, so that another peer's
 * registration does not change it.
 */
export interface Registration {
  /** The till wants 04 FF while it waits. */
  readonly wantsIntermediateStatus: boolean;
  /** The till prints receipts from lines that we send. */
  readonly wantsPrintLines: boolean;
  /** The same for papers that are no receipts. */
  readonly wantsAdministrationLines: boolean;
  /** Receipts are sent in text blocks (06 D3), not line by line (06 D1). */
  readonly wantsTextBlocks: boolean;
  /** Which copies are printed; null when the till leaves that to us. */
  readonly copies: Copies | null;
  /** The till understands TLV containers. */
  readonly allowsTlv: boolean;
  /**
   * The till has sent the container of value-added services (E8), and so can read the answer in it.
   */
  readonly readsValueAdded: boolean;
  /** Set by the till's profile: leaves out everything optional, even if the till asks for it. */
  readonly isMinimal: boolean;
  /**
   * Set by the till's profile: of a command it gets the result and the end, and nothing to show or
   * print.
   */
  readonly isResultAlone: boolean;
  /** null when the till named none: see `missingCurrency` of its profile. */
  readonly currency: Currency | null;
  /** Characters per line of what we write. */
  readonly columns: number;
  /** Character set of paper and display. */
  readonly charset: Charset;
  /** The longest packet that the till takes. */
  readonly maxApduBytes: number;
  readonly language: Language;
}

/** Tag 1F04. A failed payment or refund is printed only for a till that asks for it. */
export interface Copies {
  readonly done: readonly Copy[];
  readonly failed: readonly Copy[];
}
export type Copy = 'merchant' | 'customer';

const standard = profileOf({});
const defaultColumns = 40;
const minColumns = 16;

const CONFIG = {
  printsPaymentReceipts: 0x02,
  printsAdministrationReceipts: 0x04,
  wantsIntermediateStatus: 0x08,
  receiptFromLines: 0x80,
} as const;

/** What a registration is read with. */
export interface RegistrationTerms {
  readonly profile: TillProfile;
  /** For a till that names no language that we speak. */
  readonly shopLanguage: Language;
}
const standardTerms: RegistrationTerms = { profile: standard, shopLanguage: 'en' };

/** null when the wallet does not support the currency. */
export function readRegistration(
  config: number,
  currencyBytes: Uint8Array | undefined,
  fields: Fields,
  { profile, shopLanguage }: RegistrationTerms = standardTerms,
): Registration | null {
  if (profile.registrationCurrency === 'ignored')
    return agreement(config, null, fields, { profile, shopLanguage });
  const currency = currencyBytes === undefined ? null : decodeCurrency(currencyBytes);
  return currencyBytes !== undefined && currency === null
    ? null
    : agreement(config, currency, fields, { profile, shopLanguage });
}

/**
 * What applies without a registration, which is legal: payments work, but nothing is sent that
 * needs an agreement, unless the profile names one.
 */
export const notRegistered = ({
  profile,
  shopLanguage,
}: RegistrationTerms = standardTerms): Registration =>
  agreement(Number.parseInt(profile.withoutRegistration ?? '00', 16), null, new Map(), {
    profile,
    shopLanguage,
  });

function agreement(
  config: number,
  currency: Currency | null,
  fields: Fields,
  { profile, shopLanguage }: RegistrationTerms,
): Registration {
  const has = (bit: number): boolean => (config & bit) !== 0;
  const objects = objectsIn(fields);
  const isMinimal = profile.answers !== 'asAgreed';
  const isResultAlone = profile.answers === 'resultAlone';
  const hasLines = has(CONFIG.receiptFromLines) && !isResultAlone;
  return {
    wantsIntermediateStatus: has(CONFIG.wantsIntermediateStatus) && !isResultAlone,
    wantsPrintLines: has(CONFIG.printsPaymentReceipts) && hasLines,
    wantsAdministrationLines: has(CONFIG.printsAdministrationReceipts) && hasLines,
    wantsTextBlocks: !isMinimal && listsTextBlocks(objects),
    copies: copiesIn(objects),
    allowsTlv: !isMinimal && fields.has(BMP.tlv),
    readsValueAdded: !isMinimal && valueOf(objects, TAG.valueAdded) !== undefined,
    isMinimal,
    isResultAlone,
    currency,
    columns: profile.columns ?? columnsIn(objects),
    charset: charsetIn(objects)?.charset ?? charsets[profile.charset],
    maxApduBytes: maxApduBytesIn(objects),
    language: languageAmong(objects) ?? shopLanguage,
  };
}

/** What a command says for itself counts for it alone (ZVT PA00P015, section 9). */
export function servedWith(registration: Registration, fields: Fields): Registration {
  const container = fields.get(BMP.tlv);
  if (container === undefined) return registration;
  const objects = parseTlv(container);
  const wishes = valueOf(objects, TAG.receiptParameter)?.[0] ?? 0;
  return {
    ...registration,
    allowsTlv: !registration.isMinimal,
    readsValueAdded:
      registration.readsValueAdded ||
      (!registration.isMinimal && valueOf(objects, TAG.valueAdded) !== undefined),
    copies: copiesIn(objects) ?? registration.copies,
    wantsPrintLines:
      registration.wantsPrintLines ||
      (!registration.isResultAlone && (wishes & WISH.atTheTill) !== 0),
  };
}

/** The container that confirms what was agreed: what the till has named, as far as it applies. */
export function agreedObjects(
  fields: Fields,
  { columns, wantsTextBlocks }: Registration,
): TlvObject[] {
  const objects = objectsIn(fields);
  const charset = charsetIn(objects);
  const has = (tag: number): boolean => valueOf(objects, tag) !== undefined;
  return [
    ...(has(TAG.printerWidth) ? [{ tag: TAG.printerWidth, value: encodeBcd(columns, 1) }] : []),
    ...(has(TAG.maxApduLength)
      ? [{ tag: TAG.maxApduLength, value: Uint8Array.of(0x0f, 0xff) }]
      : []),
    ...(wantsTextBlocks
      ? [
          {
            tag: TAG.permittedCommands,
            value: encodeTlv([{ tag: TAG.command, value: textBlockCommand }]),
          },
        ]
      : []),
    ...(charset === null ? [] : [charset.accepted]),
    ...(has(TAG.languages)
      ? [{ tag: TAG.languages, value: encodeTlv(languagesInCommon(objects)) }]
      : []),
  ];
}

const nothing = new Uint8Array(0);
const objectsIn = (fields: Fields): readonly TlvObject[] =>
  parseTlv(fields.get(BMP.tlv) ?? nothing);
const valueOf = (objects: readonly TlvObject[], tag: number): Uint8Array | undefined =>
  objects.find((object) => object.tag === tag)?.value;
const within = (objects: readonly TlvObject[], tag: number): readonly TlvObject[] =>
  parseTlv(valueOf(objects, tag) ?? nothing);

const textBlockCommand = Uint8Array.of(
  packets.printTextBlock.classByte,
  packets.printTextBlock.instruction,
);
const listsTextBlocks = (objects: readonly TlvObject[]): boolean =>
  within(objects, TAG.permittedCommands).some(
    ({ tag, value }) =>
      tag === TAG.command && value[0] === textBlockCommand[0] && value[1] === textBlockCommand[1],
  );

/** One BCD byte, so at most 99. */
function columnsIn(objects: readonly TlvObject[]): number {
  const width = valueOf(objects, TAG.printerWidth);
  return Math.max(minColumns, (width?.length === 1 ? decodeBcd(width) : null) ?? defaultColumns);
}

function maxApduBytesIn(objects: readonly TlvObject[]): number {
  const limit = valueOf(objects, TAG.maxApduLength);
  const [high, low] = limit ?? nothing;
  return limit?.length === 2 && high !== undefined && low !== undefined
    ? high * 0x100 + low
    : maxApduBytes;
}

/**
 * Tag 14, alone or in 27: exactly one, because with several it is not clear which one counts.
 * `accepted` is in the form in which it came.
 */
function charsetIn(
  objects: readonly TlvObject[],
): { charset: Charset; accepted: TlvObject } | null {
  const listed = within(objects, TAG.charsets).filter(({ tag }) => tag === TAG.charset);
  const charsetObjects =
    listed.length > 0 ? listed : objects.filter(({ tag }) => tag === TAG.charset);
  const [only] = charsetObjects;
  const charset = only?.value[0];
  if (
    only === undefined ||
    charsetObjects.length !== 1 ||
    only.value.length !== 1 ||
    !isCharset(charset)
  )
    return null;
  return {
    charset,
    accepted: listed.length > 0 ? { tag: TAG.charsets, value: encodeTlv([only]) } : only,
  };
}

const WISH = {
  customerDone: 0x80,
  customerFailed: 0x40,
  merchantDone: 0x20,
  merchantFailed: 0x10,
  customerFirst: 0x08,
  atTheTill: 0x01,
} as const;

function copiesIn(objects: readonly TlvObject[]): Copies | null {
  const wishes = valueOf(objects, TAG.receiptParameter)?.[0];
  if (wishes === undefined) return null;
  const order: readonly Copy[] =
    (wishes & WISH.customerFirst) === 0 ? ['merchant', 'customer'] : ['customer', 'merchant'];
  const copiesFor = (wish: Readonly<Record<Copy, number>>): Copy[] =>
    order.filter((copy) => (wishes & wish[copy]) !== 0);
  return {
    done: copiesFor({ merchant: WISH.merchantDone, customer: WISH.customerDone }),
    failed: copiesFor({ merchant: WISH.merchantFailed, customer: WISH.customerFailed }),
  };
}

/** Tag 15 has a code of two letters. */
const languageOf = ({ tag, value }: TlvObject): Language | null =>
  tag === TAG.language && value.length === 2 ? languageOfTag(decodeText(value)) : null;

/** The first supported language: tag 15, alone or in a list (tag 28). */
function languageAmong(objects: readonly TlvObject[]): Language | null {
  for (const object of objects.flatMap((one) =>
    one.tag === TAG.languages ? parseTlv(one.value) : [one],
  )) {
    const language = languageOf(object);
    if (language !== null) return language;
  }
  return null;
}

/** In the till's own codes: it may know a language by another than we do. */
const languagesInCommon = (said: readonly TlvObject[]): TlvObject[] =>
  within(said, TAG.languages)
    .filter((object) => languageOf(object) !== null)
    .map(({ tag, value }) => ({ tag, value: encodeAscii(decodeText(value).toUpperCase()) }));
