/**
 * The operations of app payments and of its webhooks (interface document 3, "App payments";
 * document 4, section 4). A missing or foreign entity is a 409 with a code, but for what is only
 * read.
 */
import { z } from 'zod';
import { defineOperation, type Rule } from '../../http/operation.ts';
import { appPaymentsInterface } from '../v10-interfaces.ts';
import { limitNamed } from '../v10-profile.ts';
import {
  AppPayment,
  AppPaymentsPage,
  AppPaymentsQuery,
  AppRefund,
  AppRefundsPage,
  AppRefundsQuery,
  CancelByKeyBody,
  CaptureAppPaymentBody,
  InitiateAppPaymentAnswer,
  InitiateAppPaymentBody,
  IssueAppRefundAnswer,
  IssueAppRefundBody,
  PaymentPointsPage,
  PaymentPointsQuery,
  SimulateConfirmationBody,
} from './app-payments-schemas.ts';
import { Webhook, WebhookBody } from './webhook.ts';

const source = 'interface document 3, "App payments"; document 4, section 4';

/** The text of the field says 100 characters, its schema 200: the profile knows which holds. */
const descriptionFits: Rule<z.infer<typeof InitiateAppPaymentBody>> = {
  says: 'has more characters than the service allows',
  source: 'interface document 3, "App payment"',
  refusedByService: true,
  broken: ({ description }, { limits }) =>
    (description?.length ?? 0) > limitNamed(limits, 'appDescriptionCharacters')
      ? { field: 'description', value: description }
      : null,
};

export const initiateAppPayment = defineOperation({
  name: 'initiateAppPayment',
  says: 'Creates a payment that the user approves in the app. The answer has the address to send the user to.',
  interface: appPaymentsInterface,
  method: 'POST',
  path: '/payments',
  body: InitiateAppPaymentBody,
  answer: InitiateAppPaymentAnswer,
  idempotency: 'bodyKey',
  rules: [descriptionFits],
  refusals: {
    409: [
      'payment_point_not_found',
      'invalid_payment_point',
      'unauthorized_access',
      'idempotency_key_reused',
    ],
  },
  source,
});

export const listAppPayments = defineOperation({
  name: 'listAppPayments',
  says: 'Reads payments page by page (deprecated by the service).',
  interface: appPaymentsInterface,
  method: 'GET',
  path: '/payments',
  query: AppPaymentsQuery,
  answer: AppPaymentsPage,
  source,
});

export const getAppPayment = defineOperation({
  name: 'getAppPayment',
  says: 'Reads a payment.',
  interface: appPaymentsInterface,
  method: 'GET',
  path: '/payments/{paymentId}',
  answer: AppPayment,
  refusals: { 404: [], 409: ['unauthorized_access'] },
  source,
});

export const captureAppPayment = defineOperation({
  name: 'captureAppPayment',
  says: 'Captures a reservation, all or a part of it. The money moves. Repeat it until the answer is 2xx or 4xx.',
  interface: appPaymentsInterface,
  method: 'POST',
  path: '/payments/{paymentId}/capture',
  body: CaptureAppPaymentBody,
  success: 204,
  refusals: {
    409: [
      'payment_not_found',
      'unauthorized_access',
      'invalid_payment_state',
      'amount_too_large',
      'partial_capture_disallowed',
      'payment_captured_with_different_amount',
    ],
  },
  source,
});

export const cancelAppPayment = defineOperation({
  name: 'cancelAppPayment',
  says: 'Cancels a payment in any state except captured, and releases its reservation.',
  interface: appPaymentsInterface,
  method: 'POST',
  path: '/payments/{paymentId}/cancel',
  success: 204,
  refusals: { 409: ['payment_not_found', 'unauthorized_access', 'invalid_payment_state'] },
  source,
});

export const cancelAppPaymentByKey = defineOperation({
  name: 'cancelAppPaymentByKey',
  says: 'Cancels an initiated payment whose id never arrived, by its idempotency key.',
  interface: appPaymentsInterface,
  method: 'POST',
  path: '/payments/cancel',
  body: CancelByKeyBody,
  success: 204,
  refusals: { 409: ['payment_not_found', 'invalid_payment_state'] },
  source,
});

export const simulateAppPaymentConfirmation = defineOperation({
  name: 'simulateAppPaymentConfirmation',
  says: 'Sandbox: a test user approves the payment in the app.',
  interface: appPaymentsInterface,
  method: 'POST',
  path: '/integration-test/payments/{paymentId}/reserve',
  body: SimulateConfirmationBody,
  success: 204,
  refusals: {
    409: ['payment_not_found', 'unauthorized_access', 'invalid_payment_state', 'processing_error'],
  },
  source,
});

export const listPaymentPoints = defineOperation({
  name: 'listPaymentPoints',
  says: 'Reads the payment points of the merchant page by page.',
  interface: appPaymentsInterface,
  method: 'GET',
  path: '/paymentpoints',
  query: PaymentPointsQuery,
  answer: PaymentPointsPage,
  source,
});

export const issueAppRefund = defineOperation({
  name: 'issueAppRefund',
  says: 'Refunds all or a part of a captured payment at once. No capture follows.',
  interface: appPaymentsInterface,
  method: 'POST',
  path: '/refunds',
  body: IssueAppRefundBody,
  answer: IssueAppRefundAnswer,
  idempotency: 'bodyKey',
  refusals: {
    409: [
      'payment_not_found',
      'unauthorized_access',
      'invalid_payment_state',
      'availability_duration_expired',
      'amount_too_large',
      'amount_exceeds_available_funds',
      'idempotency_key_reused',
    ],
  },
  source,
});

export const listAppRefunds = defineOperation({
  name: 'listAppRefunds',
  says: 'Reads refunds page by page (deprecated by the service).',
  interface: appPaymentsInterface,
  method: 'GET',
  path: '/refunds',
  query: AppRefundsQuery,
  answer: AppRefundsPage,
  source,
});

export const getAppRefund = defineOperation({
  name: 'getAppRefund',
  says: 'Reads a refund.',
  interface: appPaymentsInterface,
  method: 'GET',
  path: '/refunds/{refundId}',
  answer: AppRefund,
  refusals: { 404: [] },
  source,
});

export const listWebhooks = defineOperation({
  name: 'listWebhooks',
  says: 'Reads the webhooks of the merchant.',
  interface: appPaymentsInterface,
  method: 'GET',
  path: '/webhooks',
  answer: z.object({ webhooks: z.array(Webhook) }),
  source: 'document 4, section 4',
});

export const createWebhook = defineOperation({
  name: 'createWebhook',
  says: 'Subscribes an address to events. The answer has the key of the signatures.',
  interface: appPaymentsInterface,
  method: 'POST',
  path: '/webhooks',
  body: WebhookBody,
  answer: Webhook,
  idempotency: 'none',
  refusals: { 409: ['payment_point_not_found', 'unauthorized_access'] },
  source: 'document 4, section 4',
});

export const getWebhook = defineOperation({
  name: 'getWebhook',
  says: 'Reads a webhook.',
  interface: appPaymentsInterface,
  method: 'GET',
  path: '/webhooks/{webhookId}',
  answer: Webhook,
  refusals: { 404: [] },
  source: 'document 4, section 4',
});

export const updateWebhook = defineOperation({
  name: 'updateWebhook',
  says: 'Replaces the subscription of a webhook. The key of the signatures stays.',
  interface: appPaymentsInterface,
  method: 'PUT',
  path: '/webhooks/{webhookId}',
  body: WebhookBody,
  answer: Webhook,
  refusals: { 404: [], 409: ['payment_point_not_found', 'unauthorized_access'] },
  source: 'document 4, section 4',
});

export const deleteWebhook = defineOperation({
  name: 'deleteWebhook',
  says: 'Deletes a webhook.',
  interface: appPaymentsInterface,
  method: 'DELETE',
  path: '/webhooks/{webhookId}',
  success: 204,
  refusals: { 404: [] },
  source: 'document 4, section 4',
});

export const publishTestNotification = defineOperation({
  name: 'publishTestNotification',
  says: 'Makes the service send a test notification to a webhook. The answer is 409 if it does not arrive.',
  interface: appPaymentsInterface,
  method: 'POST',
  path: '/webhooks/{webhookId}/publishtestnotification',
  refusals: { 404: [], 409: [] },
  source: 'document 4, section 4',
});

export const appPaymentOperations = [
  initiateAppPayment,
  listAppPayments,
  getAppPayment,
  captureAppPayment,
  cancelAppPayment,
  cancelAppPaymentByKey,
  simulateAppPaymentConfirmation,
  listPaymentPoints,
  issueAppRefund,
  listAppRefunds,
  getAppRefund,
  listWebhooks,
  createWebhook,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  publishTestNotification,
] as const;
