/**
 * The rules of fields that come from the settings' file, from a screen or go to the wallet service:
 * the same wherever a field is given.
 */
import { z } from 'zod';
import { beaconTypes } from './beacons.ts';
import { isDayOfUse } from './local-time.ts';
import { outsideText, plainText } from './outside-text.ts';
import { maxServiceTextLength, serviceText, serviceTextRule } from './service-text.ts';
import { maxAddressLength, maxShopNameLength, vatNumber, vatNumberRule } from './shop.ts';
import { beaconIdPattern, beaconIdRule } from './stickers.ts';

const emptyRule = 'must not be empty';

/** As people type it: without the blanks around it, which are no part of the value. */
export const typed = <Output>(rule: z.ZodType<Output, string>) => z.string().trim().pipe(rule);

/** A text of at most so many characters, without line breaks and other control characters. */
export const oneLine = (longest: number) =>
  z
    .string()
    .min(1, emptyRule)
    .max(longest, `has more than ${longest} characters`)
    .regex(plainText(), 'must not hold control characters');

/**
 * What a person writes freely, in one line and without what cannot be seen: a pasted text may have
 * line breaks, escape sequences and writing directions.
 */
export const freeText = (longest: number, whenEmpty = emptyRule) =>
  z
    .string()
    .max(longest, `has more than ${longest} characters`)
    .overwrite((text) => outsideText(text, longest))
    .trim()
    .min(1, whenEmpty);

export const ShopName = oneLine(maxShopNameLength);
export const ShopAddress = oneLine(maxAddressLength);
export const ShopVat = z.string().regex(vatNumber, vatNumberRule);

/** What the wallet service takes as text. No document states a least number of characters. */
export const ServiceText = z
  .string()
  .max(maxServiceTextLength, `has more than ${maxServiceTextLength} characters`)
  .regex(serviceText, serviceTextRule);
export const FilledServiceText = ServiceText.min(1, emptyRule);

export const BeaconTypes = z
  .array(z.enum(beaconTypes))
  .min(1, 'must name at least one beacon type')
  .refine((types) => new Set(types).size === types.length, 'must not name a beacon type twice');
export const BeaconId = z.string(beaconIdRule).regex(beaconIdPattern, beaconIdRule);
export const MerchantVat = z.string().regex(/^(DK|FI)\d{8}$/, 'must be DK or FI and eight digits');
export const MerchantBrandId = z
  .string()
  .regex(
    /^(MPPOS|POSDK|POSFI)[A-Za-z0-9]{5}$/,
    'must be MPPOS, POSDK or POSFI and five letters or digits',
  );
export const MerchantLocationId = z
  .string()
  .regex(/^[A-Za-z0-9]{5}$/, 'must be five letters or digits');
export const MerchantSerialNumber = z
  .string('must be 4 to 10 digits, in quotes')
  .regex(/^\d{4,10}$/, 'must be 4 to 10 digits');

/** Part of every order id. */
export const LaneId = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,12}$/, 'must be at most twelve letters, digits and dashes');
/** How long a customer has. */
export const DeadlineSeconds = z
  .int()
  .min(10, 'must be at least 10')
  .max(170, 'must be at most 170');

export const dayRule = 'must be a date, e.g. 2026-11-21';
export const Day = z.iso.date(dayRule);
/** A day that somebody asks for. */
export const DayText = z.iso.date({ error: dayRule, abort: true }).refine(isDayOfUse, dayRule);

const portRule = 'must be 0 to 65535';
/** 0: any free one. */
export const TcpPort = z.int().min(0, portRule).max(65_535, portRule);

export const baudRates = [9600, 19_200, 38_400, 57_600, 115_200] as const;
export const BaudRate = z.literal([...baudRates]);

/** Six digits, as they are set in the till. */
export const TillPassword = z
  .string('must be six digits, in quotes')
  .regex(/^\d{6}$/, 'must be six digits');

const refundsRule = 'must be true, false, or a whole number of minor units of at least 1';
/** Whether a till may give money back; a number: at most so much of one payment, in minor units. */
export const Refunds = z.union([z.boolean(), z.int(refundsRule).min(1, refundsRule)], {
  error: refundsRule,
});

/** What goes over a till's line is kept: always (true), or until then. */
export const RecordingPeriod = z.union([z.literal(true), z.iso.datetime({ offset: true })], {
  error: 'must be true, or a time such as 2026-11-24T18:00:00Z',
});

export const maxTillAddresses = 100;
/** Address of one that may connect as the till, or of a network of them. */
export const TillAddress = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], {
  error: 'must be an address or a network such as 192.168.1.40 or 192.168.1.0/24',
});
export const TillAddresses = z
  .array(TillAddress)
  .max(maxTillAddresses, `must name at most ${maxTillAddresses} addresses and networks`);

/** Below it a key could be guessed. */
const minPassphraseCharacters = 16;
/**
 * Clients of Nexo make the key from the passphrase in UTF-8 or in Latin-1. The bytes are the same
 * only for printable ASCII.
 */
export const isPrintableAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);
/** Passphrase of Nexo's shared key. */
export const NexoPassphrase = z
  .string()
  .min(minPassphraseCharacters, `must have at least ${minPassphraseCharacters} characters`)
  .refine(
    isPrintableAscii,
    'must have only letters a to z, digits, signs and spaces of ASCII: tills make another key from others, such as æ or é',
  );

/** As a till of Nexo calls its terminal (POIID). */
export const PoiId = z
  .string()
  .regex(/^[\x21-\x7e]{1,64}$/, 'must be 1 to 64 visible ASCII characters');
