/** The simulated subscriptions interface and its sandbox. */
import { toMajorUnits } from '../../../core/domain/money.ts';
import type { ApiModule, Authenticated } from '../api-module.ts';
import {
  amountText,
  limitText,
  type SummaryTable,
  type SummaryAction,
  summaryTable,
  shortId,
  timeText,
} from '../summary.ts';
import { authenticatedMerchant } from '../merchant-auth.ts';
import { ServiceError } from '../service-error.ts';
import type { World } from '../world.ts';
import type { IncomingRequest } from '../world-event.ts';
import type { SimulatedAgreement, TextMessage } from './subscription-model.ts';
import { hasPush } from './notices.ts';
import { type SubscriptionRegistry, openRegistry } from './subscription-registry.ts';
import { isShown } from './subscription-payments.ts';
import { subscriptionTestEndpoints } from './test-endpoints.ts';
import { subscriptionHandlers } from './subscription-handlers.ts';
import { type SandboxUser, subscriptionSandboxHandlers } from './sandbox-handlers.ts';

export function subscriptionApis(world: World): readonly ApiModule[] {
  const registry = openRegistry(world);
  return [
    {
      handlers: subscriptionHandlers(registry),
      authenticate: (request) => authenticatedMerchant(world, request, 'subscriptions'),
      refusal: (error, { path }, correlationId) =>
        (path.endsWith('/refunds') ? refundRefusal : refusal)(error, correlationId),
      unspecifiedCode: null,
      keyReusedCode: () => '',
      state: () => ({ subscriptions: state(registry) }),
      summary: () => [
        agreementsTable(registry),
        paymentsTable(registry),
        oneOffsTable(registry),
        noticesTable(registry),
        textMessagesTable(registry),
        usersTable(registry),
      ],
      testEndpoints: subscriptionTestEndpoints(registry),
    },
    {
      handlers: subscriptionSandboxHandlers(registry),
      authenticate(request): Authenticated<SandboxUser> {
        const { caller: merchant, keyScope } = authenticatedMerchant(
          world,
          request,
          'subscriptions',
        );
        return { caller: { merchant, phoneNumber: sandboxPhoneNumber(world, request) }, keyScope };
      },
      refusal: ({ code, message }, _operation, correlationId) => ({ code, message, correlationId }),
      unspecifiedCode: null,
      keyReusedCode: () => '',
      state: () => ({}),
      testEndpoints: {},
    },
  ];
}

/** Document 4, section 3.4. The names for 409 are not documented. */
const kinds: Readonly<Record<number, readonly [error: string, type: string]>> = {
  400: ['BadRequest', 'InputError'],
  409: ['Conflict', 'DomainError'],
  412: ['PreconditionFailed', 'PreconditionError'],
};
const kindOf = (status: number): readonly [string, string] =>
  kinds[status] ?? ['InternalServerError', 'ServerError'];

function refusal({ status, code, message }: ServiceError, correlationId: string): object {
  const [error, type] = kindOf(status);
  return {
    error,
    error_description: {
      message,
      error_type: type,
      correlation_id: correlationId,
      error_code: code,
    },
  };
}

function refundRefusal({ status, code, message }: ServiceError, correlationId: string): object {
  const [errorText, errorType] = kindOf(status);
  return { errorText, errorDetails: { message, errorType, correlationId, errorCode: code } };
}

/**
 * The user of the header `authenticateduser` (document 4, section 3.1); null when it is left out.
 * @throws ServiceError 401 for an unknown user
 */
function sandboxPhoneNumber(world: World, request: IncomingRequest): string | null {
  const userId = request.headers['authenticateduser'];
  if (userId === undefined) return null;
  const phone = [...world.phones.values()].find((one) => one.userId === userId);
  if (phone === undefined) throw new ServiceError(401, null, '');
  return phone.phoneNumber;
}

function agreementsTable(registry: SubscriptionRegistry): SummaryTable {
  const { agreements } = registry;
  return summaryTable(
    'Agreements',
    ['Agreement', 'Own id', 'Plan', 'Amount', 'State', 'User', 'Notifications'],
    [...agreements.values()],
    (agreement) => {
      const {
        agreementId,
        externalId,
        plan,
        amountMinor,
        currency,
        status,
        phoneNumber,
        notificationsOn,
        notificationsManaged,
      } = agreement;
      const act = (label: string, does: string): SummaryAction => ({
        label,
        endpoint: `subscriptions/${does}-agreement`,
        body: { agreementId },
        byPhone: true,
      });
      const switching: SummaryAction = {
        label: `Notifications ${notificationsOn ? 'off' : 'on'}`,
        endpoint: 'subscriptions/set-notifications',
        body: { agreementId, notificationsOn: !notificationsOn },
      };
      const actions = {
        Pending: [act('Accept', 'accept'), act('Reject', 'reject')],
        Accepted: [act('Cancel', 'cancel'), ...(notificationsManaged ? [switching] : [])],
      };
      return {
        cells: [
          shortId(agreementId),
          externalId ?? '',
          plan,
          amountText(amountMinor, currency),
          status,
          phoneNumber ?? '',
          notificationsText(registry, agreement),
        ],
        actions: status === 'Pending' || status === 'Accepted' ? actions[status] : [],
      };
    },
  );
}

function notificationsText(registry: SubscriptionRegistry, agreement: SimulatedAgreement): string {
  const { notificationsOn, notificationsManaged } = agreement;
  const isIgnored = !notificationsOn && hasPush(registry, agreement);
  return [
    notificationsOn ? 'on' : 'off',
    ...(notificationsManaged ? [] : ['fixed']),
    ...(isIgnored ? ['the old app pushes'] : []),
  ].join(', ');
}

function paymentsTable(registry: SubscriptionRegistry): SummaryTable {
  return summaryTable(
    'Subscription payments',
    ['Payment', 'Own id', 'Amount', 'Due', 'State'],
    [...registry.payments.values()],
    (payment) => {
      const { paymentId, externalId, amountMinor, currency, dueDate, status } = payment;
      const act = (label: string, does: string): SummaryAction => ({
        label,
        endpoint: `subscriptions/${does}`,
        body: { paymentId },
      });
      return {
        cells: [shortId(paymentId), externalId, amountText(amountMinor, currency), dueDate, status],
        actions: isShown(registry, payment)
          ? [act('Reject', 'reject-payment')]
          : status === 'Suspended'
            ? [act('Pay by hand', 'pay-by-hand')]
            : [],
      };
    },
  );
}

function oneOffsTable({ oneOffs }: SubscriptionRegistry): SummaryTable {
  return summaryTable(
    'One-off payments',
    ['Payment', 'Own id', 'Amount', 'State'],
    [...oneOffs.values()],
    (oneOff) => {
      const { paymentId, externalId, amountMinor, currency, status } = oneOff;
      const act = (label: string, does: string): SummaryAction => ({
        label,
        endpoint: `subscriptions/${does}-one-off`,
        body: { paymentId },
      });
      return {
        cells: [shortId(paymentId), externalId, amountText(amountMinor, currency), status],
        actions: status === 'Requested' ? [act('Accept', 'accept'), act('Reject', 'reject')] : [],
      };
    },
  );
}

/** The users of accepted agreements. */
function usersTable({ world, agreements }: SubscriptionRegistry): SummaryTable {
  const numbers = new Set([...agreements.values()].flatMap(({ phoneNumber }) => phoneNumber ?? []));
  return summaryTable(
    'Users of subscriptions',
    ['User', 'Card', 'Limit a day', 'Limit a month', 'Paid this month'],
    [...numbers],
    (phoneNumber) => {
      const { balanceMinor, dayLimitMinor, monthLimitMinor } = world.phoneByNumber(phoneNumber);
      const set = (label: string, about: object): SummaryAction => ({
        label,
        endpoint: 'subscriptions/set-user',
        body: { phoneNumber, ...about },
      });
      const paidMinor = world.spending.inMonth(phoneNumber, world.at());
      return {
        cells: [
          phoneNumber,
          limitText(balanceMinor),
          limitText(dayLimitMinor),
          limitText(monthLimitMinor),
          amountText(paidMinor, null),
        ],
        actions: [
          set('Empty the card', { balanceMinor: 0 }),
          set('Fill the card', { balanceMinor: null }),
          set('Identify', { identifiedBy: 'identity' }),
          set('Registration number only', { identifiedBy: 'registrationNumber' }),
        ],
      };
    },
  );
}

function noticesTable({ notices }: SubscriptionRegistry): SummaryTable {
  return summaryTable(
    'Notices to users',
    ['At', 'User', 'Payment', 'Amount', 'Text'],
    notices,
    ({ isPushed, ...notice }) => {
      const text = 'The payment could not be processed. It can be paid by hand.';
      return {
        cells: [...messageCells(notice), isPushed ? text : `${text} (not pushed)`],
        actions: [],
      };
    },
  );
}

function textMessagesTable({ textMessages }: SubscriptionRegistry): SummaryTable {
  const columns = ['At', 'User', 'Payment', 'Amount'];
  return summaryTable('SMS to users', columns, textMessages, (message) => ({
    cells: messageCells(message),
    actions: [],
  }));
}

const messageCells = ({
  payment: { paymentId, amountMinor, currency },
  phoneNumber,
  at,
}: TextMessage): string[] => [
  timeText(at),
  phoneNumber,
  shortId(paymentId),
  amountText(amountMinor, currency),
];

/** Everything, oldest first. */
function state({
  agreements,
  payments,
  oneOffs,
  refunds,
  notices,
  textMessages,
}: SubscriptionRegistry) {
  return {
    agreements: Array.from(
      agreements.values(),
      ({
        agreementId,
        externalId,
        status,
        phoneNumber,
        notificationsOn,
        notificationsManaged,
        userSentTo,
      }) => ({
        agreementId,
        externalId,
        status,
        phoneNumber,
        notificationsOn,
        notificationsManaged,
        userSentTo,
      }),
    ),
    payments: Array.from(
      payments.values(),
      ({ paymentId, agreementId, externalId, amountMinor, currency, dueDate, status }) => ({
        paymentId,
        agreementId,
        externalId,
        amount: toMajorUnits(amountMinor),
        currencyCode: currency,
        dueDate,
        status,
      }),
    ),
    oneOffs: Array.from(
      oneOffs.values(),
      ({ paymentId, agreementId, externalId, amountMinor, currency, status, userSentTo }) => ({
        paymentId,
        agreementId,
        externalId,
        amount: toMajorUnits(amountMinor),
        currencyCode: currency,
        status,
        userSentTo,
      }),
    ),
    notices: notices.map(({ payment: { paymentId }, phoneNumber, at, isPushed }) => ({
      paymentId,
      phoneNumber,
      at,
      isPushed,
    })),
    textMessages: textMessages.map(({ payment: { paymentId }, phoneNumber, at }) => ({
      paymentId,
      phoneNumber,
      at,
    })),
    refunds: refunds.map(({ refundId, paymentId, externalId, amountMinor, currency, status }) => ({
      refundId,
      paymentId,
      externalId,
      amount: toMajorUnits(amountMinor),
      currencyCode: currency,
      status,
    })),
  };
}
