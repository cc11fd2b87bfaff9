/**
 * An agreement between a merchant and a user of the app (interface document 1, "Agreement";
 * document 4, section 3.2).
 */
import { z } from 'zod';
import { v10Currencies } from '../../../core/domain/money.ts';
import { majorAmount } from '../../http/amounts.ts';
import { atCallbackPort } from '../../http/addresses.ts';
import type { Rule } from '../../http/operation.ts';
import { withDetails } from './attachments.ts';
import {
  Amount,
  DateTime,
  Description,
  ExpirationMinutes,
  ExternalId,
  Link,
  linkHref,
  ReadLink,
  replacing,
  Status,
  text,
  whole,
} from './subscription-fields.ts';

/** Times a year; 0: on demand. */
const Frequency = z.union(
  [0, 1, 2, 4, 12, 26, 52, 365].map((times) => z.literal(times)),
  { error: 'must be 0, 1, 2, 4, 12, 26, 52 or 365' },
);
/** The documents name no limits for it. */
const AgreementAmount = majorAmount();
const Plan = text(30);

/**
 * A first payment, reserved when the user accepts the agreement. Its `external_id` is shorter than
 * that of others.
 */
const OneOffInAgreement = z.object({
  amount: Amount,
  external_id: text(30),
  description: z.string().nullish(),
  expiration_timeout_minutes: ExpirationMinutes.nullish(),
});

const requiredRels = ['user-redirect', 'success-callback', 'cancel-callback'] as const;
const needsLinks = `must hold ${requiredRels.join(', ')}`;

export const CreateAgreementBody = z.object({
  country_code: z.enum(['DK', 'FI'], 'must be DK or FI'),
  currency: z.enum(v10Currencies, `must be ${v10Currencies.join(' or ')}`),
  expiration_timeout_minutes: ExpirationMinutes,
  links: z.array(Link).min(requiredRels.length, needsLinks),
  plan: Plan,
  external_id: ExternalId.nullish(),
  amount: AgreementAmount.nullish(),
  description: Description.nullish(),
  /** Unused by the service. */
  next_payment_date: DateTime.nullish(),
  frequency: Frequency.nullish(),
  mobile_phone_number: z.string().nullish(),
  one_off_payment: withDetails(OneOffInAgreement).nullish(),
  disable_notification_management: z.boolean().nullish(),
  notifications_on: z.boolean().nullish(),
  retention_period_hours: whole(0, 24).optional(),
});

/** Details in the one-off payment were dropped by earlier versions of the simulator. */
export const PlainCreateAgreementBody = CreateAgreementBody.extend({
  one_off_payment: OneOffInAgreement.nullish(),
});

export const hasAllLinks: Rule<z.infer<typeof CreateAgreementBody>> = {
  says: needsLinks,
  source: 'interface document 1, "Agreement", rule 2',
  refusedByService: true,
  broken: ({ links }) =>
    requiredRels.every((rel) => links.some((link) => link.rel === rel))
      ? null
      : { field: 'links', value: links.map(({ rel }) => rel) },
};

const callbackRels: ReadonlySet<string> = new Set(['success-callback', 'cancel-callback']);

export const calledBackAtPort = atCallbackPort<{
  readonly links?: readonly z.infer<typeof Link>[] | null | undefined;
}>(({ links }) =>
  (links ?? []).flatMap(({ rel, href }, at) =>
    callbackRels.has(rel) ? [{ field: `links.${at}.href`, value: href }] : [],
  ),
);

const currencyOf = { DK: 'DKK', FI: 'EUR' } as const;

export const currencyOfCountry: Rule<z.infer<typeof CreateAgreementBody>> = {
  says: 'must be DKK in DK and EUR in FI',
  source: 'document 4, section 0, source SUBS: its page about agreements',
  refusedByService: true,
  broken: ({ country_code, currency }) =>
    currencyOf[country_code] === currency ? null : { field: 'currency', value: currency },
};

/** The link to send the user to has the rel that the profile names (`linkRel`). */
export const CreateAgreementAnswer = z.object({
  id: z.guid(),
  one_off_payment_id: z.guid().nullish(),
  links: z.array(ReadLink).nullish(),
});

const agreementStates = ['Pending', 'Accepted', 'Rejected', 'Expired', 'Canceled'] as const;
export type AgreementState = (typeof agreementStates)[number];

export const Agreement = z.object({
  id: z.guid(),
  external_id: z.string().nullish(),
  amount: majorAmount().nullish(),
  currency: z.string().nullish(),
  frequency: z.int().nullish(),
  plan: z.string().nullish(),
  description: z.string().nullish(),
  status: Status,
  country_code: z.string().nullish(),
  links: z.array(ReadLink).nullish(),
  expiration_timeout_minutes: z.int().nullish(),
  next_payment_date: z.string().nullish(),
  date_created: z.string().nullish(),
  date_accepted: z.string().nullish(),
  date_canceled: z.string().nullish(),
});
export type Agreement = z.infer<typeof Agreement>;

/** The documents name no values of `status`: these are the states (document 4, section 3.2). */
export const AgreementsQuery = z.object({
  status: z.enum(agreementStates).nullish(),
  /** The first is 1. */
  pageNumber: z.int32('must be a whole number').nullish(),
  pageSize: z.int32('must be a whole number').nullish(),
});
export const AgreementsAnswer = z.array(
  z.object({ page_size: z.int().nullish(), agreements: z.array(Agreement).nullish() }),
);

export const UpdateAgreementBody = z
  .array(
    z.discriminatedUnion(
      'path',
      [
        replacing('/amount', AgreementAmount.nullable()),
        replacing('/plan', Plan),
        replacing('/description', Description.nullable()),
        replacing('/next_payment_date', DateTime.nullable()),
        replacing('/frequency', Frequency),
        replacing('/external_id', ExternalId.nullable()),
        replacing('/success-callback', linkHref['success-callback']),
        replacing('/cancel-callback', linkHref['cancel-callback']),
        replacing('/cancel-redirect', linkHref['cancel-redirect']),
      ],
      { error: 'must be a path that can be replaced, e.g. /amount' },
    ),
  )
  .min(1, 'must hold a replacement');

export const updatedCallbackAtPort = atCallbackPort<z.infer<typeof UpdateAgreementBody>>(
  (replacements) =>
    replacements.flatMap(({ path, value }, at) =>
      callbackRels.has(path.slice(1)) ? [{ field: `${at}.value`, value }] : [],
    ),
);
