import { z } from 'zod';
import { defineOperation } from '../http/operation.ts';
import { unused } from '../answer-values.ts';
import { accessTokenInterface } from './epayment-interfaces.ts';

/** Only characters that a header may have, and a length that servers take. */
const Token = z.string().regex(/^[\x20-\x7e]{1,8192}$/);

/** The numbers are text. Lifetime: an hour in the test environment, a day in production. */
export const getAccessToken = defineOperation({
  name: 'getAccessToken',
  says: 'Issues an access token for the keys of a sales unit. Several tokens are valid at a time.',
  interface: accessTokenInterface,
  method: 'POST',
  path: '/get',
  answer: z.object({
    token_type: z.string(),
    expires_in: z
      .union([z.string().regex(/^[1-9]\d{0,8}$/), z.number().positive()])
      .meta({ description: 'Seconds' }),
    access_token: Token,
    ext_expires_in: unused(z.string()),
    expires_on: unused(z.string()).meta({ description: 'Seconds since 1970' }),
    not_before: unused(z.string()).meta({ description: 'Seconds since 1970' }),
    resource: unused(z.string()),
  }),
  source: 'document 5, section 1.2',
});
