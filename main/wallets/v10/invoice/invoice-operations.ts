/**
 * The operations of the invoice interface that the documents describe (interface document 3;
 * document 4, section 6).
 */
import { atCallbackPort } from '../../http/addresses.ts';
import { defineOperation, type Rule } from '../../http/operation.ts';
import { invoiceInterface } from '../v10-interfaces.ts';
import { ApiKeyAuthBody, BasicAuthBody, InvoiceStatusAnswer } from './invoice-schemas.ts';

const source =
  'interface document 3, "Invoice callback authentication setup"; document 4, section 6';

const deliverable = atCallbackPort<{ callbackurl: string }>(({ callbackurl }) => [
  { field: 'callbackurl', value: callbackurl },
]);

const noUser: Rule<{ callbackurl: string }> = {
  says: 'must not hold a user or a password',
  source: 'the Fetch standard: no request is sent to such an address',
  refusedByService: true,
  broken({ callbackurl }) {
    const url = URL.parse(callbackurl);
    return url?.username === '' && url.password === ''
      ? null
      : { field: 'callbackurl', value: callbackurl };
  },
};

/** A server splits the header at the first colon. */
const noColon: Rule<BasicAuthBody> = {
  says: 'must not hold a colon',
  source: 'RFC 7617, section 2',
  refusedByService: false,
  broken: ({ username }) =>
    username.includes(':') ? { field: 'username', value: username } : null,
};

export const setInvoiceCallbackBasicAuth = defineOperation({
  name: 'setInvoiceCallbackBasicAuth',
  says: 'Sets the address of invoice callbacks, with a user and a password.',
  interface: invoiceInterface,
  method: 'PUT',
  path: '/merchants/{merchantId}/auth/basic',
  body: BasicAuthBody,
  success: 204,
  rules: [deliverable, noUser, noColon],
  refusals: { 400: [], 404: [] },
  source,
});

export const setInvoiceCallbackApiKey = defineOperation({
  name: 'setInvoiceCallbackApiKey',
  says: 'Sets the address of invoice callbacks, with a key.',
  interface: invoiceInterface,
  method: 'PUT',
  path: '/merchants/{merchantId}/auth/apikey',
  body: ApiKeyAuthBody,
  success: 204,
  rules: [deliverable, noUser],
  refusals: { 400: [], 404: [] },
  source,
});

export const getInvoiceStatus = defineOperation({
  name: 'getInvoiceStatus',
  says: 'Reads the status of an invoice. Use it after missed callbacks.',
  interface: invoiceInterface,
  method: 'GET',
  path: '/merchants/{merchantId}/invoices/{invoiceId}/status',
  answer: InvoiceStatusAnswer,
  refusals: { 404: [] },
  source: 'document 4, section 6',
});

export const invoiceOperations = [
  setInvoiceCallbackBasicAuth,
  setInvoiceCallbackApiKey,
  getInvoiceStatus,
] as const;
