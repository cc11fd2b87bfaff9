/**
 * The simulated ePayment service: all its interfaces, and the test endpoints for customers, the
 * portal and tests (document 5).
 */
import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import { getAccessToken } from '../../../wallets/epayment/access-token.ts';
import type { Operation } from '../../../wallets/http/operation.ts';
import { currencies } from '../../../core/domain/money.ts';
import { checkedInEvent } from '../../../wallets/epayment/webhooks/webhook-message.ts';
import {
  type AnyCall,
  type ApiModule,
  handler,
  testEndpoint,
  type TestEndpoint,
} from '../api-module.ts';
import { ServiceError } from '../service-error.ts';
import { amountText, type SummaryTable, summaryTable, timeText } from '../summary.ts';
import { type Caller, EpaymentAuth, idempotencyKeyOf } from './auth.ts';
import { codeImage, stickerImage } from './code-image.ts';
import { epaymentHandlers } from './epayment-handlers.ts';
import { approve, beginApproval, cancel, capture, refund, reject } from './epayment-payments.ts';
import { RateLimits } from './rate-limits.ts';
import {
  type CallbackCode,
  checkDigits,
  contentOf,
  digitsOf,
  type Epayments,
  putUnit,
  type SimulatedEpayment,
} from './epayment-registry.ts';
import { ofUnit, tell } from './epayment-webhooks.ts';

const defaultPhone = '+4520031801';
/** A payment, by its reference or by the text of its code. */
const OfPayment = z.strictObject({
  reference: z.string().optional(),
  code: z.string().optional(),
  phoneNumber: z.string().default(defaultPhone),
});
const AtPortal = z.strictObject({
  reference: z.string(),
  action: z.enum(['capture', 'cancel', 'refund']),
  amount: z.int().positive().optional(),
});
/**
 * A till's code, by its id or by its text. With the `customerToken` of an earlier scan the same
 * message is sent again.
 */
const AtTill = z.strictObject({
  merchantQrId: z.string().optional(),
  code: z.string().optional(),
  phoneNumber: z.string().default(defaultPhone),
  customerToken: z.string().optional(),
});
const Trouble = z.strictObject({
  reference: z.string(),
  locks: z.int().min(0).optional().describe('So many changes are answered 423 first.'),
  captureRefusal: z.enum(['6260', '6280']).nullable().optional(),
});
const Customer = z.strictObject({
  phoneNumber: z.string(),
  age: z.int().min(0).max(120).optional(),
  isStranger: z.boolean().optional(),
});
const Unit = z.strictObject({
  msn: z.string().regex(/^\d{4,10}$/),
  name: z.string().optional(),
  currency: z.enum(currencies).optional(),
  isActive: z.boolean().optional(),
  isVerified: z.boolean().optional(),
  mayPush: z.boolean().optional(),
  mayCaptureParts: z.boolean().optional(),
  mayLiveLong: z.boolean().optional(),
  mayRefund: z.boolean().optional(),
  areKeysRevoked: z
    .boolean()
    .optional()
    .describe('In the portal: tokens, old ones too, and keys are answered 401.'),
  codePictures: z
    .enum(['shown', 'noImage', 'silent'])
    .optional()
    .describe('What the host of the pictures of codes does.'),
});

export function epaymentApis(epayments: Epayments): readonly ApiModule[] {
  const { world } = epayments;
  const auth = new EpaymentAuth(epayments);
  const limits = new RateLimits(world.clock);
  const common = { refusal, unspecifiedCode: null, keyReusedCode, refusesWithBody: true } as const;
  const tokens: ApiModule = {
    ...common,
    handlers: [handler<Caller>()(getAccessToken, ({ caller }) => auth.issue(caller))],
    authenticate: (request) => auth.keys(request),
    state: () => ({}),
    testEndpoints: {},
  };
  const rest: ApiModule = {
    ...common,
    handlers: epaymentHandlers(epayments),
    authenticate: (request) => auth.caller(request),
    keepsRefusals: true,
    idempotencyKey: idempotencyKeyOf,
    admit: (call, operation) => admit(limits, call, operation),
    state: () => ({ epayments: [...epayments.payments.values()].map(stateOf) }),
    summary: () => [paymentsTable(epayments), stickersTable(epayments)],
    async picture(reference) {
      const payment = [...epayments.payments.values()].find((one) => one.reference === reference);
      return payment === undefined ? stickerImage(epayments, reference) : codeImage(payment);
    },
    testEndpoints: testEndpoints(epayments),
  };
  return [tokens, rest];
}

/** All operations call the payment's reference by this name, in the path or in the body. */
const PaymentName = z.object({ reference: z.string().default('') });

function admit(
  limits: RateLimits,
  { caller, path, body }: AnyCall,
  { idempotency, interface: { name } }: Operation,
): void {
  if (name !== 'epayment') return;
  const { unit, subscriptionKey } = caller as Caller;
  const reference = PaymentName.parse(path).reference || PaymentName.parse(body).reference;
  if (idempotency === 'headerKey') limits.count('change', `${unit.msn}/${reference}`);
  else limits.count('read', `${subscriptionKey}/${reference}`);
}

/** Statuses of the gateway's answers, which have another format. */
const ofGateway: ReadonlySet<number> = new Set([401, 403, 429]);

function refusal(
  { status, code, message }: ServiceError,
  operation: Operation,
  traceId: string,
  instance: string,
): object {
  if (ofGateway.has(status)) return { statusCode: status, message };
  const field = /^([\w.-]+): (.*)$/su.exec(message);
  const extraDetails =
    code === null
      ? [{ name: field?.[1] ?? 'request', reason: field?.[2] ?? message }]
      : [{ name: 'ErrorCode', reason: code }];
  if (operation.interface.name === 'qr')
    return {
      type: 'about:blank',
      title: message,
      detail: message,
      instance,
      invalidParams: code === null ? extraDetails : [],
    };
  return {
    type: `https://httpstatuses.io/${status}`,
    title: STATUS_CODES[status] ?? `Status ${status}`,
    status,
    detail: message,
    instance,
    traceId: traceId.replaceAll('-', ''),
    extraDetails,
  };
}

const keyReusedCodes: Readonly<Record<string, string>> = {
  captureEpayment: '4010',
  refundEpayment: '4150',
  createEpayment: '4150',
};
const keyReusedCode = ({ name }: Operation): string => keyReusedCodes[name] ?? '4020';

/** @throws ServiceError 404 */
function epaymentNamed(
  { payments }: Pick<Epayments, 'payments'>,
  { reference, code }: { reference?: string | undefined; code?: string | undefined },
): SimulatedEpayment {
  const payment = [...payments.values()].find((one) =>
    code === undefined ? one.reference === reference : one.code?.text === code,
  );
  if (payment === undefined) throw new ServiceError(404, '5090', 'There is no such payment');
  return payment;
}

/** @throws ServiceError 404 */
function stickerNamed(
  { callbackCodes }: Epayments,
  { merchantQrId, code: text }: z.infer<typeof AtTill>,
): CallbackCode {
  const code = callbackCodes
    .values()
    .find((one) =>
      text === undefined
        ? one.merchantQrId === merchantQrId
        : contentOf(one.unit, one.merchantQrId) === text,
    );
  if (code === undefined) throw new ServiceError(404, null, 'There is no such code');
  return code;
}

function testEndpoints(epayments: Epayments): Readonly<Record<string, TestEndpoint>> {
  const { world } = epayments;
  const payment = (name: {
    reference?: string | undefined;
    code?: string | undefined;
  }): SimulatedEpayment => epaymentNamed(epayments, name);
  const phone = (phoneNumber: string) => checkDigits(epayments, digitsOf(phoneNumber));
  return {
    // Actions of a phone's owner in the app.
    'epayment/scan': testEndpoint(OfPayment, (body) => {
      const { reference, amountMinor, currency, state } = payment(body);
      return { reference, amount: amountMinor, currency, state };
    }),
    'epayment/approve': testEndpoint(OfPayment, (body) => ({
      isTaken: approve(epayments, payment(body), phone(body.phoneNumber)),
    })),
    'epayment/begin-approval': testEndpoint(
      OfPayment.describe('Until it is approved or rejected, a cancel is refused (6250).'),
      (body) => beginApproval(payment(body), phone(body.phoneNumber)),
    ),
    'epayment/reject': testEndpoint(OfPayment, (body) => reject(epayments, payment(body))),
    'epayment/check-in': testEndpoint(AtTill, (scanned) => {
      const { unit, merchantQrId } = stickerNamed(epayments, scanned);
      const customerToken =
        scanned.customerToken ?? Buffer.from(world.ids.uuid()).toString('base64');
      if (scanned.customerToken === undefined)
        epayments.checkIns.set(customerToken, {
          unit,
          phone: phone(scanned.phoneNumber),
          atMs: world.clock.monotonicMs(),
        });
      tell(epayments, unit, checkedInEvent, {
        customerToken,
        merchantQrId,
        msn: unit.msn,
        initiatedAt: world.at(),
      });
      // Without a registration for check-ins the app says that it cannot connect to the shop.
      return {
        customerToken,
        isHeard: ofUnit(epayments, unit).some(({ events }) => events.includes(checkedInEvent)),
      };
    }),
    // Actions of the shop in the portal.
    'epayment/portal': testEndpoint(AtPortal, ({ reference, action, amount }) => {
      const epayment = payment({ reference });
      const part = { amountMinor: amount ?? epayment.amountMinor, currency: epayment.currency };
      if (action === 'cancel') cancel(epayments, epayment, false, null);
      else (action === 'capture' ? capture : refund)(epayments, epayment, part, null);
    }),
    // Actions that only a test can do.
    'epayment/trouble': testEndpoint(Trouble, ({ reference, locks, captureRefusal }) => {
      const epayment = payment({ reference });
      if (locks !== undefined) epayment.locks = locks;
      if (captureRefusal !== undefined) epayment.captureRefusal = captureRefusal;
    }),
    'epayment/set-customer': testEndpoint(Customer, ({ phoneNumber, age, isStranger }) => {
      const digits = digitsOf(phoneNumber);
      if (age !== undefined) epayments.ages.set(digits, age);
      if (isStranger === true) epayments.strangers.add(digits);
      else if (isStranger === false) epayments.strangers.delete(digits);
    }),
    'epayment/set-sales-unit': testEndpoint(Unit, (about) => {
      const terms = Object.fromEntries(
        Object.entries(about).filter(([, value]) => value !== undefined),
      );
      const { clientId, clientSecret, subscriptionKeys, msn } = putUnit(epayments, terms);
      return { clientId, clientSecret, subscriptionKeys, msn };
    }),
  };
}

function stateOf(payment: SimulatedEpayment) {
  const {
    unit,
    reference,
    state,
    amountMinor,
    currency,
    capturedMinor,
    cancelledMinor,
    refundedMinor,
    metadata,
    receipt,
    minAge,
    events,
    code,
  } = payment;
  return {
    msn: unit.msn,
    reference,
    state,
    currency,
    amount: amountMinor,
    captured: capturedMinor,
    cancelled: cancelledMinor,
    refunded: refundedMinor,
    metadata,
    receipt,
    minimumUserAge: minAge,
    code: code?.text ?? null,
    events: events.map(({ name, amountMinor: amount, at, idempotencyKey, success }) => ({
      name,
      amount,
      at,
      idempotencyKey,
      success,
    })),
  };
}

function paymentsTable({ payments }: Epayments): SummaryTable {
  return summaryTable(
    'ePayments',
    ['Reference', 'Amount', 'State', 'Captured', 'Refunded', 'At'],
    [...payments.values()],
    (payment) => {
      const { reference, amountMinor, currency, state, capturedMinor, refundedMinor, events } =
        payment;
      const amount = (value: number): string => (value === 0 ? '' : amountText(value, currency));
      const act = (label: string, name: string) => ({
        label,
        endpoint: `epayment/${name}`,
        body: { reference },
        byPhone: true,
      });
      return {
        cells: [
          reference,
          amountText(amountMinor, currency),
          state,
          amount(capturedMinor),
          amount(refundedMinor),
          timeText(events.at(-1)?.at),
        ],
        actions: state === 'CREATED' ? [act('Approve', 'approve'), act('Reject', 'reject')] : [],
      };
    },
  );
}

function stickersTable({ callbackCodes }: Epayments): SummaryTable {
  return summaryTable(
    'Stickers',
    ['Id', 'Sales unit', 'Says'],
    [...callbackCodes.values()],
    ({ unit, merchantQrId, locationDescription }) => ({
      cells: [merchantQrId, unit.msn, locationDescription],
      actions: [
        {
          label: 'Scan',
          endpoint: 'epayment/check-in',
          body: { code: contentOf(unit, merchantQrId) },
          byPhone: true,
        },
      ],
    }),
  );
}
