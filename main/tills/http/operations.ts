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
    more: 'The payment is on disk before the answer leaves. Send the same key again to get the payment’s current state, also after restarts and for months.',
    body: NewPayment,
    // 200 lines whose names may be longer than what is kept of them.
    maxBodyBytes: 262_144,
    query: null,
    answer: ApiPayment,
    answers: 'Payment',
    success: { 201: 'Payment begun.', 200: 'The payment was begun earlier: its current state.' },
    problems: [...begins, 'no-reservations', 'no-open-amounts', 'no-age-limits'],
  }),
  getPayment: operation({
    method: 'GET',
    path: '/v1/payments/{paymentId}',
    scope: 'read',
    says: 'Reads a payment',
    body: null,
    query: Wait,
    answer: ApiPayment,
    answers: 'Payment',
    success: { 200: 'The payment’s current state.' },
    problems: ['payment-unknown'],
  }),
  cancelPayment: operation({
    method: 'POST',
    path: '/v1/payments/{paymentId}/cancel',
    scope: 'pay',
    says: 'Cancels a payment, or releases a reservation',
    more: 'Repeating the request changes nothing. The customer may approve first: read the payment to learn how it ended.',
    body: Nothing,
    query: null,
    answer: ApiPayment,
    answers: 'Payment',
    success: { 202: 'Cancellation begun.', 200: 'The payment had already ended without money.' },
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
    more: 'Possible once, while `amountNeeded` is true. The customer is then asked to approve the amount. Sending the same amount again changes nothing.',
    body: Amount,
    query: null,
    answer: ApiPayment,
    answers: 'Payment',
    success: { 200: 'Amount accepted.' },
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
    more: 'The rest is released. The capture is decided before the answer leaves, and Tillbeacon repeats it until the service confirms it. Sending the same amount again changes nothing.',
    body: Amount,
    query: null,
    answer: ApiPayment,
    answers: 'Payment',
    success: { 202: 'Capture decided.', 200: 'The same amount was captured earlier.' },
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
    says: 'Lists the reservations that are held',
    body: null,
    query: null,
    answer: Reservations,
    answers: 'Reservations',
    success: { 200: 'The reservations that are held now.' },
    problems: [],
  }),
  createRefund: operation({
    method: 'POST',
    path: '/v1/payments/{paymentId}/refunds',
    scope: 'refund',
    says: 'Begins a refund of a payment, or of a part of it',
    more: 'Send the same key again to get the refund’s current state.',
    body: NewRefund,
    query: null,
    answer: ApiRefund,
    answers: 'Refund',
    success: { 201: 'Refund begun.', 200: 'The refund was begun earlier: its current state.' },
    problems: [...begins, 'payment-unknown', 'not-refundable', 'already-refunded', 'refund-open'],
  }),
  getRefunds: operation({
    method: 'GET',
    path: '/v1/payments/{paymentId}/refunds',
    scope: 'read',
    says: 'Lists the refunds of a payment',
    body: null,
    query: null,
    answer: Refunds,
    answers: 'Refunds',
    success: { 200: 'The current state of each refund.' },
    problems: ['payment-unknown'],
  }),
  getRefund: operation({
    method: 'GET',
    path: '/v1/refunds/{refundId}',
    scope: 'read',
    says: 'Reads a refund',
    body: null,
    query: Wait,
    answer: ApiRefund,
    answers: 'Refund',
    success: { 200: 'The refund’s current state.' },
    problems: ['refund-unknown'],
  }),
  getLanes: operation({
    method: 'GET',
    path: '/v1/lanes',
    scope: 'read',
    says: 'Lists the lanes of this token',
    body: null,
    query: null,
    answer: Lanes,
    answers: 'Lanes',
    success: { 200: 'The current state of each lane.' },
    problems: [],
  }),
  getLane: operation({
    method: 'GET',
    path: '/v1/lanes/{laneId}',
    scope: 'read',
    says: 'Reads a lane',
    body: null,
    query: null,
    answer: ApiLane,
    answers: 'Lane',
    success: { 200: 'The lane’s current state.' },
    problems: ['not-found'],
  }),
  getTotals: operation({
    method: 'GET',
    path: '/v1/totals',
    scope: 'read',
    says: 'Reads the lane’s totals of a day',
    body: null,
    query: Day,
    answer: Totals,
    answers: 'Totals',
    success: { 200: 'The totals up to now.' },
    problems: [],
  }),
  getEvents: operation({
    method: 'GET',
    path: '/v1/events',
    scope: 'read',
    says: 'Streams the events of the lane',
    more: 'Server-sent events. With the header Last-Event-ID the stream resumes after that event, also after a restart. Without it, the stream begins with the next event. Tillbeacon ends a stream that the till does not read. A token can have 8 streams: a ninth ends the oldest.',
    body: null,
    query: null,
    answer: Event,
    answers: 'Event',
    success: { 200: 'The stream. It stays open until either side ends it.' },
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
