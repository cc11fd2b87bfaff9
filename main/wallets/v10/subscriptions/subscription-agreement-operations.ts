/**
 * Whose subscriptions they are, how the service calls back, and the agreements (interface document
 * 1, "Endpoints"; document 4, section 3.1).
 */
import { defineOperation } from '../../http/operation.ts';
import { subscriptionsInterface } from '../v10-interfaces.ts';
import { firstDueDateIsNear } from './attachments.ts';
import {
  Agreement,
  AgreementsAnswer,
  AgreementsQuery,
  calledBackAtPort,
  CreateAgreementAnswer,
  CreateAgreementBody,
  currencyOfCountry,
  hasAllLinks,
  UpdateAgreementBody,
  updatedCallbackAtPort,
} from './agreements.ts';
import {
  ApiKeyBody,
  BasicBody,
  OAuth2Body,
  paymentCallbackAtPort,
  SubscriptionMerchant,
  SubscriptionProvider,
  UpdateProviderBody,
} from './configuration.ts';

const about = {
  interface: subscriptionsInterface,
  source: 'interface document 1, "Endpoints"; document 4, section 3.1',
} as const;

export const getSubscriptionMerchant = defineOperation({
  ...about,
  name: 'getSubscriptionMerchant',
  says: 'Reads the merchant and its providers, whose ids stand in every other path.',
  method: 'GET',
  path: '/merchants/me',
  answer: SubscriptionMerchant,
  source: 'document 4, section 3.1',
});

export const getSubscriptionProvider = defineOperation({
  ...about,
  name: 'getSubscriptionProvider',
  says: 'Reads a provider: the address and the credentials of its callbacks.',
  method: 'GET',
  path: '/providers/{providerId}',
  answer: SubscriptionProvider,
  refusals: { 404: [] },
});

export const updateSubscriptionProvider = defineOperation({
  ...about,
  name: 'updateSubscriptionProvider',
  says: 'Sets the address of payment callbacks, at /payment_status_callback_url. Without an address none are sent.',
  method: 'PATCH',
  path: '/providers/{providerId}',
  body: UpdateProviderBody,
  rules: [paymentCallbackAtPort],
  success: 204,
  refusals: { 404: [] },
});

export const setCallbackOAuth2 = defineOperation({
  ...about,
  name: 'setCallbackOAuth2',
  says: 'Makes callbacks carry a bearer token, which the service fetches at our address.',
  method: 'PUT',
  path: '/providers/{providerId}/auth/oauth2',
  body: OAuth2Body,
  success: 204,
  refusals: { 404: [] },
});

export const setCallbackApiKey = defineOperation({
  ...about,
  name: 'setCallbackApiKey',
  says: 'Makes callbacks carry a key, unchanged, in their Authorization header.',
  method: 'PUT',
  path: '/providers/{providerId}/auth/apikey',
  body: ApiKeyBody,
  success: 204,
  refusals: { 404: [] },
});

export const setCallbackBasic = defineOperation({
  ...about,
  name: 'setCallbackBasic',
  says: 'Makes callbacks carry a user name and a password.',
  method: 'PUT',
  path: '/providers/{providerId}/auth/basic',
  body: BasicBody,
  success: 204,
  refusals: { 404: [] },
});

export const createAgreement = defineOperation({
  ...about,
  name: 'createAgreement',
  says: 'Proposes an agreement. The answer has the address where the user accepts it.',
  method: 'POST',
  path: '/providers/{providerId}/agreements',
  body: CreateAgreementBody,
  answer: CreateAgreementAnswer,
  success: 201,
  idempotency: 'none',
  rules: [hasAllLinks, calledBackAtPort, currencyOfCountry, firstDueDateIsNear],
  refusals: { 404: [] },
});

export const listAgreements = defineOperation({
  ...about,
  name: 'listAgreements',
  says: 'Lists the agreements page by page. The first page is number 1.',
  method: 'GET',
  path: '/providers/{providerId}/agreements',
  query: AgreementsQuery,
  answer: AgreementsAnswer,
  refusals: { 404: [] },
});

export const getAgreement = defineOperation({
  ...about,
  name: 'getAgreement',
  says: 'Reads an agreement.',
  method: 'GET',
  path: '/providers/{providerId}/agreements/{agreementId}',
  answer: Agreement,
  refusals: { 404: [] },
});

export const updateAgreement = defineOperation({
  ...about,
  name: 'updateAgreement',
  says: 'Changes an agreement at /amount, /plan, /description, /next_payment_date, /frequency, /external_id, /success-callback, /cancel-callback or /cancel-redirect.',
  method: 'PATCH',
  path: '/providers/{providerId}/agreements/{agreementId}',
  body: UpdateAgreementBody,
  rules: [updatedCallbackAtPort],
  success: 204,
  refusals: { 404: [] },
});

export const cancelAgreement = defineOperation({
  ...about,
  name: 'cancelAgreement',
  says: 'Cancels an agreement with its pending payments and reservations. It cannot be undone.',
  method: 'DELETE',
  path: '/providers/{providerId}/agreements/{agreementId}',
  success: 204,
  refusals: { 404: [], 412: [] },
});
