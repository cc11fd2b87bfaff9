/**
 * One-off payments on an existing agreement (interface document 1, "One-off payment request";
 * document 4, section 3.2).
 */
import { z } from 'zod';
import { majorAmount } from '../../http/amounts.ts';
import { withDetails } from './attachments.ts';
import {
  Amount,
  ExpirationMinutes,
  ExternalId,
  Link,
  ReadLink,
  Status,
} from './subscription-fields.ts';

export const defaultExpirationMinutes = 1_440;

const Requested = z.object({
  amount: Amount,
  /** The documents name no length, unlike for a subscription payment. */
  description: z.string(),
  /** 30 characters are recommended. */
  external_id: ExternalId,
  links: z.array(Link).nullish(),
  /** Reserved without asking the user, where that is possible. */
  auto_reserve: z.boolean().optional(),
  expiration_timeout_minutes: ExpirationMinutes.nullish(),
});
export const RequestOneOffBody = withDetails(Requested);
/** Without details, which earlier versions of the simulator dropped. */
export const PlainRequestOneOffBody = Requested;

export const RequestOneOffAnswer = z.object({ id: z.guid(), links: z.array(ReadLink).nullish() });

export const OneOff = z.object({
  id: z.guid(),
  agreement_id: z.guid(),
  amount: majorAmount(),
  currency: z.string().nullish(),
  description: z.string().nullish(),
  status: Status,
  external_id: z.string().nullish(),
  payment_transaction_id: z.string().nullish(),
  expiration_timeout_minutes: z.int().nullish(),
});
export type OneOff = z.infer<typeof OneOff>;
