/**
 * Registrations of webhooks (document 5, section 4.1). They cannot be changed: register a new one,
 * see it work, delete the old one.
 */
import { z } from 'zod';
import { address } from '../../http/addresses.ts';
import { isThisMachine } from '../../../core/domain/service-address.ts';
import { defineOperation } from '../../http/operation.ts';
import { OutsideText } from '../../answer-values.ts';
import { webhooksInterface } from '../epayment-interfaces.ts';
import { epaymentEventNames, checkedInEvent } from './webhook-message.ts';

const source = 'document 5, section 4.1';
const ports: ReadonlySet<string> = new Set(['', '443', '80', '8080']);
/**
 * To this machine another address will do: that is where the simulated service calls back, and the
 * real one cannot reach it at all.
 */
const ReceiverUrl = address(
  (url) => isThisMachine(url) || (url.protocol === 'https:' && ports.has(url.port)),
  'must be an address with https, at port 443, 80 or 8080',
);

export const registerWebhook = defineOperation({
  name: 'registerWebhook',
  says: 'Registers an address for events. Only this answer has the secret.',
  interface: webhooksInterface,
  method: 'POST',
  path: '/webhooks',
  body: z.strictObject({
    url: ReceiverUrl,
    events: z.array(z.enum([...epaymentEventNames, checkedInEvent])).min(1, 'must name an event'),
  }),
  answer: z.object({ id: z.guid(), secret: z.string().min(1) }),
  success: 201,
  // A second registration doubles every message. The receiver drops the doubles.
  idempotency: 'none',
  refusals: { 400: [], 409: [] },
  source,
});

export const listRegisteredWebhooks = defineOperation({
  name: 'listRegisteredWebhooks',
  says: 'Lists the registrations of the sales unit, without their secrets.',
  interface: webhooksInterface,
  method: 'GET',
  path: '/webhooks',
  answer: z.object({
    webhooks: z.array(z.object({ id: z.guid(), url: OutsideText, events: z.array(OutsideText) })),
  }),
  source,
});

export const deleteRegisteredWebhook = defineOperation({
  name: 'deleteRegisteredWebhook',
  says: 'Deletes a registration.',
  interface: webhooksInterface,
  method: 'DELETE',
  path: '/webhooks/{webhookId}',
  success: 204,
  refusals: { 404: [] },
  source,
});

export const webhookOperations = [
  registerWebhook,
  listRegisteredWebhooks,
  deleteRegisteredWebhook,
] as const;
