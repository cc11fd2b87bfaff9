/**
 * What several records of the subscriptions interface have in common (interface document 1,
 * "Resources and their fields" and "Limits").
 */
import { z } from 'zod';
import { address, HttpUrl, SecureUrl } from '../../http/addresses.ts';
import { majorAmount } from '../../http/amounts.ts';

/** The largest int32 in major units, in minor units. */
export const maxMinor = 2_147_483_647_00;

export const Id = z.guid('must be a UUID');
export const Amount = majorAmount({ min: 1, max: maxMinor });
export const text = (maxCharacters: number) =>
  z.string().max(maxCharacters, `has more than ${maxCharacters} characters`);
export const ExternalId = text(64);
export const Description = text(60);
export const whole = (least: number, most: number) =>
  z
    .int('must be a whole number')
    .min(least, `must be at least ${least}`)
    .max(most, `must be at most ${most}`);
/** 181440 minutes are 18 weeks. */
export const ExpirationMinutes = whole(1, 181_440);
/** A date alone is taken as well: the service's own samples have both. */
export const DateTime = z.union(
  [z.iso.datetime({ offset: true, local: true }).meta({ format: 'date-time' }), z.iso.date()],
  {
    error: 'must be a date-time, e.g. 2026-11-21T09:00:00Z',
  },
);

type LinkRel = 'user-redirect' | 'success-callback' | 'cancel-callback' | 'cancel-redirect';

/** Callbacks go over HTTP. A link for a person may have any scheme, which can open an app. */
const hrefOf: Readonly<Record<LinkRel, z.ZodType<string, string>>> = {
  'user-redirect': address(() => true, 'must be an address'),
  'success-callback': HttpUrl,
  'cancel-callback': HttpUrl,
  'cancel-redirect': SecureUrl,
};
const linkOf = <Rel extends LinkRel>(rel: Rel) =>
  z.object({ rel: z.literal(rel), href: hrefOf[rel] });

export const Link = z.discriminatedUnion(
  'rel',
  [
    linkOf('user-redirect'),
    linkOf('success-callback'),
    linkOf('cancel-callback'),
    linkOf('cancel-redirect'),
  ],
  {
    error: 'must be user-redirect, success-callback, cancel-callback or cancel-redirect',
  },
);
export const linkHref = hrefOf;

/** A link in answers. */
export const ReadLink = z.object({ rel: z.string().nullish(), href: z.string().nullish() });
/** Kept as text: a status that the documents do not know must not stop anything. */
export const Status = z.string().min(1);

/** One replacement of an update by JSON Patch; `from` is of no use to it. */
export const replacing = <Path extends string, Value extends z.ZodType>(path: Path, value: Value) =>
  z.object({
    op: z.literal('replace', 'must be replace: no other operation is available'),
    path: z.literal(path),
    value,
    from: z.string().nullish(),
  });

/**
 * Refuses objects and lists under names that the schema does not know, because what they say would
 * be lost. The type stays without other fields, so that callers do not misspell one.
 */
export const refusingObjects = <Schema extends z.ZodObject>(schema: Schema, says: string): Schema =>
  schema.catchall(
    z.union([z.string(), z.number(), z.boolean(), z.null()], says),
  ) as unknown as Schema;
