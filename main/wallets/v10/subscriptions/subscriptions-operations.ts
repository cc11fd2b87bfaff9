/**
 * All operations of the subscriptions interface and of its sandbox (interface document 1; document
 * 4, section 3).
 */
import * as agreements from './subscription-agreement-operations.ts';
import * as payments from './subscription-payment-operations.ts';
import * as sandbox from './subscription-sandbox-operations.ts';

export const subscriptionOperations = [
  agreements.getSubscriptionMerchant,
  agreements.getSubscriptionProvider,
  agreements.updateSubscriptionProvider,
  agreements.setCallbackOAuth2,
  agreements.setCallbackApiKey,
  agreements.setCallbackBasic,
  agreements.createAgreement,
  agreements.listAgreements,
  agreements.getAgreement,
  agreements.updateAgreement,
  agreements.cancelAgreement,
  payments.requestSubscriptionPayments,
  payments.listSubscriptionPayments,
  payments.getSubscriptionPayment,
  payments.lowerSubscriptionPayment,
  payments.declineSubscriptionPayment,
  payments.requestOneOff,
  payments.listOneOffs,
  payments.getOneOff,
  payments.captureOneOff,
  payments.cancelOneOff,
  payments.getAttachment,
  payments.putAttachment,
  payments.deleteAttachment,
  payments.getAttachmentPdf,
  payments.listSubscriptionRefunds,
  payments.requestSubscriptionRefund,
] as const;

export const subscriptionSandboxOperations = [
  sandbox.simulateAgreementDecision,
  sandbox.simulateAgreementCancellation,
  sandbox.simulateOneOffDecision,
  sandbox.simulatePaymentRejection,
] as const;
