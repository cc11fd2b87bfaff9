/**
 * Payments, one-off payments, what is attached to them, and refunds (interface document 1,
 * "Endpoints"; document 4, section 3.1). None has an idempotency key: what creates or captures is
 * sent once, and after an unknown outcome asked about (see client.ts).
 */
import { refundDays } from '../../../core/settlement/capabilities.ts';
import { z } from 'zod';
import { defineOperation, FileAnswer } from '../../http/operation.ts';
import { subscriptionsInterface, SubscriptionsRefundError } from '../v10-interfaces.ts';
import { calledBackAtPort } from './agreements.ts';
import {
  AttachmentBody,
  attachmentRules,
  oneOffDueDateIsNear,
  ReadAttachment,
} from './attachments.ts';
import { OneOff, RequestOneOffAnswer, RequestOneOffBody } from './one-offs.ts';
import {
  batchRules,
  LowerPaymentBody,
  RequestPaymentsAnswer,
  RequestPaymentsBody,
  SubscriptionPayment,
} from './subscription-payments.ts';
import {
  refundCallbackAtPort,
  RequestRefundAnswer,
  RequestRefundBody,
  SubscriptionRefund,
} from './subscription-refunds.ts';

const about = {
  interface: subscriptionsInterface,
  source: 'interface document 1, "Endpoints"; document 4, section 3.1',
} as const;
const ofAgreement = '/providers/{providerId}/agreements/{agreementId}';
const attachmentPath = '/providers/{providerId}/payments/{paymentId}/attachment';

export const requestSubscriptionPayments = defineOperation({
  ...about,
  name: 'requestSubscriptionPayments',
  says: 'Requests 1 to 2000 payments. A callback tells when one is declined.',
  method: 'POST',
  path: '/providers/{providerId}/paymentrequests',
  body: RequestPaymentsBody,
  answer: RequestPaymentsAnswer,
  success: 202,
  idempotency: 'none',
  rules: batchRules,
  refusals: { 404: [], 412: [] },
});

export const listSubscriptionPayments = defineOperation({
  ...about,
  name: 'listSubscriptionPayments',
  says: 'Reads all payments of an agreement.',
  method: 'GET',
  path: `${ofAgreement}/paymentrequests`,
  answer: z.array(SubscriptionPayment),
  refusals: { 404: [] },
});

export const getSubscriptionPayment = defineOperation({
  ...about,
  name: 'getSubscriptionPayment',
  says: 'Reads a payment.',
  method: 'GET',
  path: `${ofAgreement}/paymentrequests/{paymentId}`,
  answer: SubscriptionPayment,
  refusals: { 404: [] },
});

/**
 * Sent once: a repetition is refused, because the amount is then no longer lower than the pending
 * one.
 */
export const lowerSubscriptionPayment = defineOperation({
  ...about,
  name: 'lowerSubscriptionPayment',
  says: 'Lowers the amount of a pending payment, at /amount. After a lost answer, read the payment.',
  method: 'PATCH',
  path: `${ofAgreement}/paymentrequests/{paymentId}`,
  body: LowerPaymentBody,
  success: 204,
  idempotency: 'none',
  refusals: { 404: [] },
});

export const declineSubscriptionPayment = defineOperation({
  ...about,
  name: 'declineSubscriptionPayment',
  says: 'Cancels a pending payment.',
  method: 'DELETE',
  path: `${ofAgreement}/paymentrequests/{paymentId}`,
  success: 204,
  refusals: { 404: [] },
});

export const requestOneOff = defineOperation({
  ...about,
  name: 'requestOneOff',
  says: 'Requests a payment now. The user accepts it in the app, or it is reserved without a question.',
  method: 'POST',
  path: `${ofAgreement}/oneoffpayments`,
  body: RequestOneOffBody,
  rules: [calledBackAtPort, oneOffDueDateIsNear],
  answer: RequestOneOffAnswer,
  success: 202,
  idempotency: 'none',
  refusals: { 404: [], 412: [] },
});

export const listOneOffs = defineOperation({
  ...about,
  name: 'listOneOffs',
  says: 'Reads all one-off payments of an agreement.',
  method: 'GET',
  path: `${ofAgreement}/oneoffpayments`,
  answer: z.array(OneOff),
  refusals: { 404: [] },
});

export const getOneOff = defineOperation({
  ...about,
  name: 'getOneOff',
  says: 'Reads a one-off payment.',
  method: 'GET',
  path: `${ofAgreement}/oneoffpayments/{paymentId}`,
  answer: OneOff,
  refusals: { 404: [] },
});

/**
 * Sent once: "a payment can be captured only once", so the refusal of a repetition would hide that
 * the first one went through.
 */
export const captureOneOff = defineOperation({
  ...about,
  name: 'captureOneOff',
  says: 'Captures a reservation. The money moves. After a lost answer, read the payment.',
  method: 'POST',
  path: `${ofAgreement}/oneoffpayments/{paymentId}/capture`,
  success: 204,
  idempotency: 'none',
  refusals: { 404: [], 409: [] },
});

export const cancelOneOff = defineOperation({
  ...about,
  name: 'cancelOneOff',
  says: 'Cancels a requested one-off payment, or releases its reservation.',
  method: 'DELETE',
  path: `${ofAgreement}/oneoffpayments/{paymentId}`,
  success: 204,
  refusals: { 404: [] },
});

export const getAttachment = defineOperation({
  ...about,
  name: 'getAttachment',
  says: 'Reads the attachment of a payment.',
  method: 'GET',
  path: attachmentPath,
  answer: ReadAttachment,
  refusals: { 404: [] },
});

export const putAttachment = defineOperation({
  ...about,
  name: 'putAttachment',
  says: 'Attaches an address, details, or a PDF of the details to a payment. It replaces the present attachment.',
  method: 'PUT',
  path: attachmentPath,
  body: AttachmentBody,
  success: 204,
  rules: attachmentRules,
  refusals: { 404: [] },
});

export const deleteAttachment = defineOperation({
  ...about,
  name: 'deleteAttachment',
  says: 'Removes the attachment of a payment.',
  method: 'DELETE',
  path: attachmentPath,
  success: 204,
  refusals: { 404: [] },
});

export const getAttachmentPdf = defineOperation({
  ...about,
  name: 'getAttachmentPdf',
  says: 'Reads the PDF that the service made from the details.',
  method: 'GET',
  path: `${attachmentPath}/pdf`,
  answer: FileAnswer,
  answerType: 'pdf',
  refusals: { 404: [] },
});

const refundsPath = `${ofAgreement}/payments/{paymentId}/refunds` as const;

export const listSubscriptionRefunds = defineOperation({
  ...about,
  name: 'listSubscriptionRefunds',
  says: 'Reads all refunds of a payment.',
  method: 'GET',
  path: refundsPath,
  answer: z.array(SubscriptionRefund),
  refusals: { 404: [] },
  errorBody: SubscriptionsRefundError,
});

/** A callback, not the answer, says why a refund is declined (60001 to 60008). */
export const requestSubscriptionRefund = defineOperation({
  ...about,
  name: 'requestSubscriptionRefund',
  says: `Refunds all or a part of a payment within ${refundDays.v10} days. A callback tells when it is declined.`,
  method: 'POST',
  path: refundsPath,
  body: RequestRefundBody,
  rules: [refundCallbackAtPort],
  answer: RequestRefundAnswer,
  success: 202,
  idempotency: 'none',
  refusals: { 404: [] },
  errorBody: SubscriptionsRefundError,
});
