/** The interfaces of the ePayment service: what holds for all operations of one. */
import { z } from 'zod';
import type { InterfaceDescription } from '../http/operation.ts';
import { epaymentCodes } from './payments/payments-codes.ts';

const text = z.string().nullish();
/**
 * Document 5, section 2.10. An entry `ErrorCode` of `extraDetails` has the code; a breach of the
 * schema names its field there instead.
 */
const Problem = z.object({
  type: text,
  title: text,
  status: z.int().nullish(),
  detail: text,
  instance: text,
  traceId: text,
  extraDetails: z.array(z.object({ name: z.string(), reason: z.string() })).nullish(),
});
/** Document 5, section 3.2. */
const QrProblem = z.object({
  type: text,
  title: text,
  detail: text,
  instance: text,
  invalidParams: z.array(z.object({ name: z.string(), reason: z.string() })).nullish(),
});

/**
 * A customer waits at a counter, and a poll is due each second: no longer than at the other
 * service's point of sale.
 */
const counterLimits = { readTimeoutMs: 2_000, writeTimeoutMs: 4_000, maxAnswerBytes: 256 * 1024 };
const officeLimits = {
  readTimeoutMs: 30_000,
  writeTimeoutMs: 30_000,
  maxAnswerBytes: 8 * 1024 * 1024,
};
const common = {
  version: '1',
  authentication: 'salesUnit',
  correlationHeader: null,
  errorBody: Problem,
  codes: {},
} as const;

export const accessTokenInterface = {
  ...common,
  name: 'accessToken',
  title: 'Access token',
  authentication: 'keys',
  ...counterLimits,
  source: 'document 5, section 1.2',
} as const satisfies InterfaceDescription;

export const epaymentInterface = {
  ...common,
  name: 'epayment',
  title: 'ePayment',
  version: '1.8.5',
  codes: epaymentCodes,
  ...counterLimits,
  maxKeyCharacters: 50,
  source: 'document 5, section 2',
} as const satisfies InterfaceDescription;

export const qrInterface = {
  ...common,
  name: 'qr',
  title: 'QR',
  errorBody: QrProblem,
  ...counterLimits,
  source: 'document 5, section 3',
} as const satisfies InterfaceDescription;

export const webhooksInterface = {
  ...common,
  name: 'webhooks',
  title: 'Webhooks',
  ...officeLimits,
  source: 'document 5, section 4',
} as const satisfies InterfaceDescription;

export const settlementInterface = {
  ...common,
  name: 'settlement',
  title: 'Ledgers',
  ...officeLimits,
  source: 'document 5, section 5',
} as const satisfies InterfaceDescription;

export const reportInterface = {
  ...common,
  name: 'report',
  title: 'Report',
  version: '2',
  ...officeLimits,
  source: 'document 5, section 5',
} as const satisfies InterfaceDescription;

export const managementInterface = {
  ...common,
  name: 'management',
  title: 'Management',
  ...officeLimits,
  source: 'document 5, section 6.1',
} as const satisfies InterfaceDescription;

export type EpaymentInterfaceName = (
  | typeof accessTokenInterface
  | typeof epaymentInterface
  | typeof qrInterface
  | typeof webhooksInterface
  | typeof settlementInterface
  | typeof reportInterface
  | typeof managementInterface
)['name'];
