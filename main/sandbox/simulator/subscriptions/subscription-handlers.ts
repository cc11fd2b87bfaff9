/** Implements the operations of wallet/v10/subscriptions. */
import { type MinorUnits, minorUnits } from '../../../core/domain/money.ts';
import * as agreementOp from '../../../wallets/v10/subscriptions/subscription-agreement-operations.ts';
import * as paymentOp from '../../../wallets/v10/subscriptions/subscription-payment-operations.ts';
import { PlainCreateAgreementBody } from '../../../wallets/v10/subscriptions/agreements.ts';
import { SecureUpdateProviderBody } from '../../../wallets/v10/subscriptions/configuration.ts';
import { PlainRequestOneOffBody } from '../../../wallets/v10/subscriptions/one-offs.ts';
import { type Handler, handler } from '../api-module.ts';
import type { Merchant } from '../merchant.ts';
import { ServiceError } from '../service-error.ts';
import { cancelByMerchant, createAgreement, updateAgreement } from './agreements.ts';
import { attachmentAnswer, attachmentPdf } from './attachments.ts';
import type {
  Attachment,
  Provider,
  SimulatedAgreement,
  SimulatedOneOff,
  SimulatedSubscriptionPayment,
  SimulatedSubscriptionRefund,
} from './subscription-model.ts';
import {
  agreementInPath,
  type SubscriptionRegistry,
  oneOffInPath,
  payableInPath,
  paymentInPath,
  providerInPath,
  providerOf,
} from './subscription-registry.ts';
import { uncheckedBatch } from './payment-batch.ts';
import { cancelOneOff, captureOneOff, redirectOf, requestOneOff } from './one-offs.ts';
import { executionSchedule } from './execution-schedule.ts';
import { declineByMerchant, lowerAmount, requestPayments } from './subscription-payments.ts';
import { requestRefund } from './subscription-refunds.ts';

const merchantHandler = handler<Merchant>();
const defaultPageSize = 100;

export function subscriptionHandlers(registry: SubscriptionRegistry): Handler[] {
  return [
    ...providerHandlers(registry),
    ...agreementHandlers(registry),
    ...paymentHandlers(registry),
    ...oneOffHandlers(registry),
    ...attachmentHandlers(registry),
    ...refundHandlers(registry),
  ];
}

function providerHandlers(registry: SubscriptionRegistry): Handler[] {
  return [
    merchantHandler(agreementOp.getSubscriptionMerchant, ({ caller }) => {
      const { providerId, name, enabled } = providerOf(registry, caller);
      return {
        Id: caller.merchantId,
        SubscriptionProviders: [
          {
            SubscriptionProviderId: providerId,
            Name: name,
            Status: enabled ? 'Enabled' : 'Pending',
          },
        ],
      };
    }),
    merchantHandler(agreementOp.getSubscriptionProvider, ({ caller, path }) => {
      const provider = providerInPath(registry, caller, path);
      return {
        credentials: credentialsOf(provider),
        payment_status_callback_url: provider.paymentCallbackUrl,
        name: provider.name,
        status: 2,
      };
    }),
    merchantHandler(
      agreementOp.updateSubscriptionProvider,
      ({ caller, path, body }) => {
        const provider = providerInPath(registry, caller, path);
        for (const { value } of body) provider.paymentCallbackUrl = value;
      },
      SecureUpdateProviderBody,
    ),
    merchantHandler(agreementOp.setCallbackOAuth2, ({ caller, path, body }) => {
      const {
        client_id: clientId,
        client_secret: clientSecret,
        token_url: tokenUrl,
        scope = null,
      } = body;
      providerInPath(registry, caller, path).authentication = {
        scheme: 'OAuth2',
        clientId,
        clientSecret,
        tokenUrl,
        scope,
      };
    }),
    merchantHandler(agreementOp.setCallbackApiKey, ({ caller, path, body }) => {
      providerInPath(registry, caller, path).authentication = {
        scheme: 'ApiKey',
        apiKey: body.api_key,
      };
    }),
    merchantHandler(agreementOp.setCallbackBasic, ({ caller, path, body }) => {
      providerInPath(registry, caller, path).authentication = {
        scheme: 'Basic',
        userName: body.user_name,
        password: body.password,
      };
    }),
  ];
}

/** It is not documented which of `key` and `password` has which value. */
function credentialsOf({ authentication }: Provider) {
  const { scheme } = authentication ?? { scheme: null };
  switch (authentication?.scheme) {
    case 'OAuth2':
      return {
        scheme,
        key: authentication.clientId,
        password: authentication.clientSecret,
        scope: authentication.scope,
      };
    case 'ApiKey':
      return { scheme, key: authentication.apiKey, password: null, scope: null };
    case 'Basic':
      return {
        scheme,
        key: authentication.userName,
        password: authentication.password,
        scope: null,
      };
    case undefined:
      return { scheme, key: null, password: null, scope: null };
  }
}

function agreementHandlers(registry: SubscriptionRegistry): Handler[] {
  return [
    merchantHandler(
      agreementOp.createAgreement,
      ({ caller, path, body }) => {
        const agreement = createAgreement(registry, providerInPath(registry, caller, path), body);
        const { agreementId, oneOff } = agreement;
        return {
          id: agreementId,
          ...(oneOff === null ? {} : { one_off_payment_id: oneOff.paymentId }),
          links: [appLink(registry, agreement, { flow: 'agreement', id: agreementId })],
        };
      },
      PlainCreateAgreementBody,
    ),
    merchantHandler(agreementOp.listAgreements, ({ caller, path, query }) => {
      const { status = null } = query;
      const pageNumber = query.pageNumber ?? 1;
      const pageSize = query.pageSize ?? defaultPageSize;
      const all = providerInPath(registry, caller, path).agreements.filter(
        (agreement) => status === null || agreement.status === status,
      );
      for (const [name, value] of Object.entries({ pageNumber, pageSize }))
        if (value < 1) throw new ServiceError(400, null, `${name}: must be at least 1`);
      return [
        {
          page_size: pageSize,
          agreements: all
            .slice((pageNumber - 1) * pageSize, pageNumber * pageSize)
            .map(agreementAnswer),
        },
      ];
    }),
    merchantHandler(agreementOp.getAgreement, ({ caller, path }) =>
      agreementAnswer(agreementInPath(registry, caller, path)),
    ),
    merchantHandler(agreementOp.updateAgreement, ({ caller, path, body }) =>
      updateAgreement(agreementInPath(registry, caller, path), body),
    ),
    merchantHandler(agreementOp.cancelAgreement, ({ caller, path }) =>
      cancelByMerchant(registry, agreementInPath(registry, caller, path)),
    ),
  ];
}

/**
 * The link to the app's landing page. The page is not simulated; test endpoints and sandbox
 * operations replace it.
 */
function appLink(
  { world }: SubscriptionRegistry,
  { countryCode, links, mobilePhoneNumber }: SimulatedAgreement,
  about: Record<string, string>,
  redirectUrl = links.get('user-redirect') ?? '',
): { rel: string; href: string } {
  const search = new URLSearchParams({
    ...about,
    redirectUrl,
    countryCode,
    ...(mobilePhoneNumber === null ? {} : { mobile: mobilePhoneNumber }),
  });
  return {
    rel: world.profile.linkRel,
    href: `https://wallet-landing-page.example/?${search.toString()}`,
  };
}

const minorOrNull = (amountMinor: number | null): MinorUnits | null =>
  amountMinor === null ? null : minorUnits(amountMinor);

function agreementAnswer(agreement: SimulatedAgreement) {
  return {
    id: agreement.agreementId,
    external_id: agreement.externalId,
    amount: minorOrNull(agreement.amountMinor),
    currency: agreement.currency,
    frequency: agreement.frequency,
    plan: agreement.plan,
    description: agreement.description,
    status: agreement.status,
    country_code: agreement.countryCode,
    links: Array.from(agreement.links, ([rel, href]) => ({ rel, href })),
    expiration_timeout_minutes: agreement.expirationTimeoutMinutes,
    next_payment_date: agreement.nextPaymentDate,
    date_created: agreement.createdAt,
    date_accepted: agreement.acceptedAt,
    date_canceled: agreement.canceledAt,
  };
}

function paymentHandlers(registry: SubscriptionRegistry): Handler[] {
  const schedule = executionSchedule(registry);
  return [
    merchantHandler(uncheckedBatch, ({ caller, path, body }) => {
      const provider = providerInPath(registry, caller, path);
      if (!provider.enabled) throw new ServiceError(412, null, 'The provider is not enabled');
      const { payments, rejected } = requestPayments(registry, provider, body);
      schedule.arm();
      return {
        pending_payments: payments.map(({ paymentId, externalId }) => ({
          payment_id: paymentId,
          external_id: externalId,
        })),
        rejected_payments: rejected,
      };
    }),
    merchantHandler(paymentOp.listSubscriptionPayments, ({ caller, path }) =>
      agreementInPath(registry, caller, path).payments.map(paymentAnswer),
    ),
    merchantHandler(paymentOp.getSubscriptionPayment, ({ caller, path }) =>
      paymentAnswer(paymentInPath(registry, caller, path)),
    ),
    merchantHandler(paymentOp.lowerSubscriptionPayment, ({ caller, path, body }) => {
      const payment = paymentInPath(registry, caller, path);
      for (const { value } of body) lowerAmount(payment, value);
    }),
    merchantHandler(paymentOp.declineSubscriptionPayment, ({ caller, path }) =>
      declineByMerchant(registry, paymentInPath(registry, caller, path)),
    ),
  ];
}

function paymentAnswer(payment: SimulatedSubscriptionPayment) {
  return {
    id: payment.paymentId,
    agreement_id: payment.agreementId,
    external_agreement_id: payment.agreement?.externalId ?? null,
    amount: minorUnits(payment.amountMinor),
    due_date: `${payment.dueDate}T00:00:00Z`,
    status: payment.status,
    external_id: payment.externalId,
    description: payment.description,
    payment_transaction_id: payment.transactionId,
    grace_period_days: payment.gracePeriodDays,
    next_payment_date: null,
  };
}

function oneOffHandlers(registry: SubscriptionRegistry): Handler[] {
  return [
    merchantHandler(
      paymentOp.requestOneOff,
      ({ caller, path, body }) => {
        const agreement = agreementInPath(registry, caller, path);
        const oneOff = requestOneOff(registry, agreement, body);
        const { paymentId, status } = oneOff;
        const flow = { flow: 'oneoff', id: agreement.agreementId, oneOffPaymentId: paymentId };
        return {
          id: paymentId,
          links:
            status === 'Reserved'
              ? []
              : [appLink(registry, agreement, flow, redirectOf(oneOff) ?? '')],
        };
      },
      PlainRequestOneOffBody,
    ),
    merchantHandler(paymentOp.listOneOffs, ({ caller, path }) =>
      agreementInPath(registry, caller, path).oneOffs.map(oneOffAnswer),
    ),
    merchantHandler(paymentOp.getOneOff, ({ caller, path }) =>
      oneOffAnswer(oneOffInPath(registry, caller, path)),
    ),
    merchantHandler(paymentOp.captureOneOff, ({ caller, path }) =>
      captureOneOff(registry, oneOffInPath(registry, caller, path)),
    ),
    merchantHandler(paymentOp.cancelOneOff, ({ caller, path }) =>
      cancelOneOff(registry, oneOffInPath(registry, caller, path)),
    ),
  ];
}

function oneOffAnswer(oneOff: SimulatedOneOff) {
  return {
    id: oneOff.paymentId,
    agreement_id: oneOff.agreementId,
    amount: minorUnits(oneOff.amountMinor),
    currency: oneOff.currency,
    description: oneOff.description,
    status: oneOff.status,
    external_id: oneOff.externalId,
    payment_transaction_id: oneOff.transactionId,
    expiration_timeout_minutes: oneOff.expirationTimeoutMinutes,
  };
}

function attachmentHandlers(registry: SubscriptionRegistry): Handler[] {
  return [
    merchantHandler(paymentOp.getAttachment, ({ caller, path }) => {
      const payment = payableInPath(registry, caller, path);
      return attachmentAnswer(attachmentOf(payment), payment.provider);
    }),
    merchantHandler(paymentOp.putAttachment, ({ caller, path, body }) => {
      payableInPath(registry, caller, path).attachment = body;
    }),
    merchantHandler(paymentOp.deleteAttachment, ({ caller, path }) => {
      payableInPath(registry, caller, path).attachment = null;
    }),
    merchantHandler(paymentOp.getAttachmentPdf, ({ caller, path }) => {
      const payment = payableInPath(registry, caller, path);
      const { generate_pdf, attachment_details } = attachmentOf(payment);
      if (generate_pdf !== true || !attachment_details) throw new ServiceError(404, null, '');
      return attachmentPdf(payment, attachment_details);
    }),
  ];
}

function attachmentOf({ attachment }: SimulatedSubscriptionPayment | SimulatedOneOff): Attachment {
  if (attachment === null) throw new ServiceError(404, null, '');
  return attachment;
}

function refundHandlers(registry: SubscriptionRegistry): Handler[] {
  return [
    merchantHandler(paymentOp.listSubscriptionRefunds, ({ caller, path }) => {
      const payment = payableInPath(registry, caller, path);
      if (payment.agreementId !== path.agreementId) throw new ServiceError(404, null, '');
      return payment.refunds.map(refundAnswer);
    }),
    merchantHandler(paymentOp.requestSubscriptionRefund, ({ caller, path, body }) => {
      const { agreementId, paymentId } = path;
      const refund = requestRefund(registry, {
        provider: providerInPath(registry, caller, path),
        agreementId,
        paymentId,
        body,
      });
      return {
        id: refund.refundId,
        amount: minorUnits(refund.amountMinor),
        status_callback_url: body.status_callback_url ?? null,
        external_id: refund.externalId,
      };
    }),
  ];
}

const refundAnswer = ({
  refundId,
  amountMinor,
  currency,
  status,
  externalId,
  transactionId,
}: SimulatedSubscriptionRefund) => ({
  id: refundId,
  amount: minorUnits(amountMinor),
  currency,
  status,
  externalId,
  paymentTransactionId: transactionId,
});
