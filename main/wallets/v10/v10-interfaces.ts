/** The interfaces of the wallet service: what holds for all operations of one. */
import { z } from 'zod';
import type { InterfaceDescription } from '../http/operation.ts';
import { pointOfSaleCodes } from './point-of-sale/point-of-sale-codes.ts';

const text = z.string().nullish();
/** Document 4, section 1.2: all fields may be absent. */
const PlainError = z.object({ code: text, message: text, correlationId: text, origin: text });
const SubscriptionsError = z.object({
  error: z.string(),
  error_description: z.object({
    message: z.string(),
    error_type: z.string(),
    correlation_id: z.string(),
    error_code: text,
    localized_message: text,
  }),
});
/** Error of the refund operations of subscriptions (document 4, section 3.4). */
export const SubscriptionsRefundError = z.object({
  errorText: z.string(),
  errorDetails: z.object({
    message: z.string(),
    errorType: z.string(),
    correlationId: z.string(),
    errorCode: text,
  }),
});
/** Error of the sandbox of subscriptions (document 4, section 3.4), which names no origin. */
const SandboxError = PlainError.omit({ origin: true });
const InvoiceError = z.object({
  correlation_id: z.string(),
  error: z.string(),
  error_code: text,
  error_description: z.string(),
  error_context: text,
});

/**
 * Documents 1 and 3 name it for subscriptions and app payments. The others are sent it too: their
 * error bodies have such an id, and a service that does not know a header ignores it.
 */
export const correlationHeader = 'CorrelationId';
/**
 * "CorrelationId (string)" (document 1): any text that a header can hold. Document 3 requires a
 * UUID.
 */
const correlationText = { correlationHeader, correlationPattern: /^[\x20-\x7e]+$/ } as const;

/** Document 4, section 1.8: mandatory to have at the point of sale, these values. */
export const writeTimeoutMs = 2_000;
const mebibyte = 1024 * 1024;
/** The longest is the list of a chain's stores: some thousands. */
const pointOfSaleLimits = { readTimeoutMs: 500, writeTimeoutMs, maxAnswerBytes: mebibyte };
/**
 * The other interfaces state none. They serve a back office and not a counter: long enough for a
 * page of 1,000 or a batch of 2,000.
 */
const officeLimits = {
  readTimeoutMs: 30_000,
  writeTimeoutMs: 30_000,
  maxAnswerBytes: 8 * mebibyte,
};

export const pointOfSaleInterface = {
  name: 'pointOfSale',
  title: 'Point of sale',
  version: '10.2.6',
  authentication: 'integrator',
  correlationHeader,
  errorBody: PlainError,
  codes: pointOfSaleCodes,
  ...pointOfSaleLimits,
  source: 'interface document 2; document 4, section 1',
} as const satisfies InterfaceDescription;

export const sandboxInterface = {
  name: 'sandbox',
  title: 'Point of sale, sandbox only',
  version: '10.2.6',
  authentication: 'integrator',
  correlationHeader,
  errorBody: PlainError,
  codes: {},
  ...pointOfSaleLimits,
  source: 'interface document 2; document 4, section 1.15',
} as const satisfies InterfaceDescription;

export const appPaymentsInterface = {
  name: 'appPayments',
  title: 'App payments',
  version: '1',
  authentication: 'merchant',
  correlationHeader,
  errorBody: PlainError,
  codes: {},
  ...officeLimits,
  source: 'interface document 3; document 4, section 4',
} as const satisfies InterfaceDescription;

export const subscriptionsInterface = {
  name: 'subscriptions',
  title: 'Subscriptions',
  version: '1',
  authentication: 'merchant',
  ...correlationText,
  errorBody: SubscriptionsError,
  codes: {},
  ...officeLimits,
  source: 'interface document 1; document 4, section 3',
} as const satisfies InterfaceDescription;

export const subscriptionsSandboxInterface = {
  name: 'subscriptionsSandbox',
  title: 'Subscriptions, sandbox only',
  version: '1',
  authentication: 'merchant',
  ...correlationText,
  errorBody: SandboxError,
  codes: {},
  ...officeLimits,
  source: 'interface document 1; document 4, section 3.1',
} as const satisfies InterfaceDescription;

export const reportingInterface = {
  name: 'reporting',
  title: 'Reporting',
  version: '3',
  authentication: 'merchant',
  correlationHeader,
  errorBody: PlainError,
  codes: {},
  ...officeLimits,
  source: 'interface document 3; document 4, section 5',
} as const satisfies InterfaceDescription;

export const invoiceInterface = {
  name: 'invoice',
  title: 'Invoice',
  version: '1',
  authentication: 'merchant',
  correlationHeader,
  errorBody: InvoiceError,
  codes: {},
  ...officeLimits,
  source: 'interface document 3; document 4, section 6',
} as const satisfies InterfaceDescription;

export type InterfaceName = (
  | typeof pointOfSaleInterface
  | typeof sandboxInterface
  | typeof appPaymentsInterface
  | typeof subscriptionsInterface
  | typeof subscriptionsSandboxInterface
  | typeof reportingInterface
  | typeof invoiceInterface
)['name'];
