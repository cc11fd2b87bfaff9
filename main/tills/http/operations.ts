/**
 * Declares every operation of the HTTP API. Routes, the checks of requests and answers, and
 * /v1/openapi.json are made from it.
 */
import type { z } from 'zod';
import type { TillScope } from '../../core/domain/till-scopes.ts';
import type { ProblemCode } from './problems.ts';
import {
  Amount,
  Day,
  Event,
  ApiLane,
  Lanes,
  NewPayment,
  NewRefund,
  Nothing,
  ApiPayment,
  ApiRefund,
  Refunds,
  Reservations,
  Totals,
  Wait,
} from './schemas.ts';

type Sent = z.ZodType | null;

export interface Operation<
  Body extends Sent = Sent,
  Query extends Sent = Sent,
  Answer extends z.ZodType = z.ZodType,
> {
  readonly method: 'GET' | 'POST';
  /** The path, with parameters as `{name}`. */
  readonly path: string;
  readonly scope: TillScope;
  readonly says: string;
  readonly more?: string;
  /** The body's schema; null when none is read. */
  readonly body: Body;
  /** Limit of the body, for an operation that needs more than `maxBodyBytes` of `app.ts`. */
  readonly maxBodyBytes?: number;
  readonly query: Query;
  readonly answer: Answer;
  /** The name of `answer` in the document. */
  readonly answers: string;
  readonly success: Readonly<Partial<Record<200 | 201 | 202, string>>>;
  /** In addition to the problems of every operation. */
  readonly problems: readonly ProblemCode[];
}

const operation = <Body extends Sent, Query extends Sent, Answer extends z.ZodType>(
  declared: Operation<Body, Query, Answer>,
): Operation<Body, Query, Answer> => declared;

const begins = [
  'lane-busy',
  'lane-not-ready',
  'service-unreachable',
  'storage-failed',
  'key-reused',
  'wrong-currency',
  'amount-too-low',
  'amount-too-high',
] as const;

export const operations = {
  createPayment: operation({
    method: 'POST',
    path: '/v1/payments',
    scope: 'pay',
    says: 'Begins a payment',
    more: 'It is on disk when this is answered. The same key again tells the same payment as it stands, also after restarts and for months.',
    body: NewPayment,
    // 200 lines whose names may be longer than what is kept of them.
    maxBodyBytes: 262_144,
    query: null,
    answer: ApiPayment,
    answers: 'Payment',
    success: { 201: 'It has begun.', 200: 'It had begun before: this is how it stands.' },
    problems: [...begins, 'no-reservations', 'no-open-amounts', 'no-age-limits'],
  }),
  getPayment: operation({
    method: 'GET',
    path: '/v1/payments/{paymentId}',
    scope: 'read',
    says: 'How a payment stands',
    body: null,
    query: Wait,
    answer: ApiPayment,
    answers: 'Payment',
    success: { 200: 'As it stands.' },
    problems: ['payment-unknown'],
  }),
  cancelPayment: operation({
    method: 'POST',
    path: '/v1/payments/{paymentId}/cancel',
    scope: 'pay',
    says: 'Cancels a payment, or releases a reservation',
    more: 'However often it is asked for, it is the same. The customer may be faster: what the payment says in the end holds.',
    body: Nothing,
    query: null,
    answer: ApiPayment,
    answers: 'Payment',
    success: { 202: 'It is being cancelled.', 200: 'It had ended without money before.' },
    problems: [
      'payment-unknown',
      'too-late',
      'not-the-tills',
      'lane-busy',
      'lane-not-ready',
      'not-reserved',
      'storage-failed',
    ],
  }),
  giveAmount: operation({
    method: 'POST',
    path: '/v1/payments/{paymentId}/amount',
    scope: 'pay',
    says: 'Gives the amount of a payment that began without one',
    more: 'Once, while `amountNeeded` is true: the customer is found and is asked to approve it. The same amount again is the same.',
    body: Amount,
    query: null,
    answer: ApiPayment,
    answers: 'Payment',
    success: { 200: 'It is given.' },
    problems: [
      'payment-unknown',
      'not-the-tills',
      'amount-fixed',
      'wrong-currency',
      'amount-too-low',
      'amount-too-high',
      'storage-failed',
    ],
  }),
  capturePayment: operation({
    method: 'POST',
    path: '/v1/payments/{paymentId}/capture',
    scope: 'pay',
    says: 'Captures a reservation, all of it or less',
    more: 'The rest is released. It is decided when this is answered, and repeated until the service confirms it. The same amount again is the same.',
    body: Amount,
    query: null,
    answer: ApiPayment,
    answers: 'Payment',
    success: { 202: 'It is decided.', 200: 'It was captured before, of the same amount.' },
    problems: [
      'payment-unknown',
      'not-the-tills',
      'not-reserved',
      'wrong-currency',
      'amount-too-low',
      'amount-too-high',
      'whole-amount-only',
      'lane-busy',
      'lane-not-ready',
      'storage-failed',
    ],
  }),
  getReservations: operation({
    method: 'GET',
    path: '/v1/reservations',
    scope: 'read',
    says: 'The reservations that are held',
    body: null,
    query: null,
    answer: Reservations,
    answers: 'Reservations',
    success: { 200: 'As they are.' },
    problems: [],
  }),
  createRefund: operation({
    method: 'POST',
    path: '/v1/payments/{paymentId}/refunds',
    scope: 'refund',
    says: 'Begins a refund of a payment, or of a part of it',
    more: 'As of a payment, the same key again tells the same refund.',
    body: NewRefund,
    query: null,
    answer: ApiRefund,
    answers: 'Refund',
    success: { 201: 'It has begun.', 200: 'It had begun before: this is how it stands.' },
    problems: [...begins, 'payment-unknown', 'not-refundable', 'already-refunded', 'refund-open'],
  }),
  getRefunds: operation({
    method: 'GET',
    path: '/v1/payments/{paymentId}/refunds',
    scope: 'read',
    says: 'The refunds of a payment',
    body: null,
    query: null,
    answer: Refunds,
    answers: 'Refunds',
    success: { 200: 'As they stand.' },
    problems: ['payment-unknown'],
  }),
  getRefund: operation({
    method: 'GET',
    path: '/v1/refunds/{refundId}',
    scope: 'read',
    says: 'How a refund stands',
    body: null,
    query: Wait,
    answer: ApiRefund,
    answers: 'Refund',
    success: { 200: 'As it stands.' },
    problems: ['refund-unknown'],
  }),
  getLanes: operation({
    method: 'GET',
    path: '/v1/lanes',
    scope: 'read',
    says: 'The lanes of this token',
    body: null,
    query: null,
    answer: Lanes,
    answers: 'Lanes',
    success: { 200: 'As they are.' },
    problems: [],
  }),
  getLane: operation({
    method: 'GET',
    path: '/v1/lanes/{laneId}',
    scope: 'read',
    says: 'A lane',
    body: null,
    query: null,
    answer: ApiLane,
    answers: 'Lane',
    success: { 200: 'As it is.' },
    problems: ['not-found'],
  }),
  getTotals: operation({
    method: 'GET',
    path: '/v1/totals',
    scope: 'read',
    says: 'A day’s totals of the lane',
    body: null,
    query: Day,
    answer: Totals,
    answers: 'Totals',
    success: { 200: 'As they are now.' },
    problems: [],
  }),
  getEvents: operation({
    method: 'GET',
    path: '/v1/events',
    scope: 'read',
    says: 'What happens at the lane, as a stream',
    more: 'Server-sent events. With the header Last-Event-ID the stream goes on behind that event, also after a restart; without it, it begins now. A stream that is not read is ended. A token has at most 8 streams: the oldest ends for a ninth.',
    body: null,
    query: null,
    answer: Event,
    answers: 'Event',
    success: { 200: 'The stream, until either side ends it.' },
    problems: ['invalid-request', 'too-many-streams'],
  }),
};

export type OperationName = keyof typeof operations;
export type BodyOf<Name extends OperationName> = OutputOf<(typeof operations)[Name]['body']>;
export type QueryOf<Name extends OperationName> = OutputOf<(typeof operations)[Name]['query']>;
export type AnswerOf<Name extends OperationName> = OutputOf<(typeof operations)[Name]['answer']>;
type OutputOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : null;

/** The names in a path, in their order. */
export const parameterNames = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
