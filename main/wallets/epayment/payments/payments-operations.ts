/**
 * The operations of the ePayment interface (document 5, sections 2.1 and 2.10). There is no list
 * and no search: a payment is reached by its reference.
 */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { epaymentInterface } from '../epayment-interfaces.ts';
import {
  CancelEpaymentBody,
  CreateEpaymentAnswer,
  CreateEpaymentBody,
  Epayment,
  EpaymentEvent,
  ForceApproveBody,
  ModificationAnswer,
  ModificationBody,
  referenceParameter,
} from './payments-schemas.ts';

const parameters = { reference: referenceParameter };
const source = 'document 5, sections 2.1 and 2.10';
const ofOnePayment = { interface: epaymentInterface, parameters, source } as const;

export const createEpayment = defineOperation({
  name: 'createEpayment',
  says: 'Starts a payment under a reference of ours.',
  interface: epaymentInterface,
  method: 'POST',
  path: '/payments',
  body: CreateEpaymentBody,
  answer: CreateEpaymentAnswer,
  success: 201,
  idempotency: 'headerKey',
  refusals: {
    400: [
      '4050',
      '4060',
      '4070',
      '4080',
      '4100',
      '4120',
      '4130',
      '4140',
      '5010',
      '5030',
      '5040',
      '5050',
      '5060',
      '5080',
      '6010',
      '6110',
      '6120',
      '6130',
      '7010',
    ],
    403: [],
    409: ['4020', '4150'],
    422: ['5070'],
    429: [],
  },
  source,
});

export const getEpayment = defineOperation({
  ...ofOnePayment,
  name: 'getEpayment',
  says: 'Reads a payment; polled about once a second while a customer waits.',
  method: 'GET',
  path: '/payments/{reference}',
  answer: Epayment,
  polled: true,
  refusals: { 403: [], 404: ['5090'], 429: [] },
});

export const listEpaymentEvents = defineOperation({
  ...ofOnePayment,
  name: 'listEpaymentEvents',
  says: 'Lists what happened to a payment: the only place where a single capture or refund is told from another.',
  method: 'GET',
  path: '/payments/{reference}/events',
  answer: z.array(EpaymentEvent),
  refusals: { 403: [], 404: ['5090'], 429: [] },
});

export const captureEpayment = defineOperation({
  ...ofOnePayment,
  name: 'captureEpayment',
  says: 'Takes what was reserved; the money moves.',
  method: 'POST',
  path: '/payments/{reference}/capture',
  body: ModificationBody,
  answer: ModificationAnswer,
  idempotency: 'headerKey',
  refusals: {
    400: ['6070', '6080', '6090', '6100', '6140', '6160', '6170', '6260', '6280'],
    403: [],
    404: ['5090'],
    409: ['4010'],
    423: [],
    429: [],
  },
});

export const cancelEpayment = defineOperation({
  ...ofOnePayment,
  name: 'cancelEpayment',
  says: 'Ends an open payment; without a condition it releases what is reserved, too.',
  method: 'POST',
  path: '/payments/{reference}/cancel',
  body: CancelEpaymentBody,
  answer: ModificationAnswer,
  idempotency: 'headerKey',
  refusals: {
    400: ['6040', '6050', '6060', '6160', '6190', '6250'],
    403: [],
    404: ['5090'],
    409: ['4020'],
    423: [],
    429: [],
  },
});

export const refundEpayment = defineOperation({
  ...ofOnePayment,
  name: 'refundEpayment',
  says: 'Gives back money that was captured; in one step, for good.',
  method: 'POST',
  path: '/payments/{reference}/refund',
  body: ModificationBody,
  answer: ModificationAnswer,
  idempotency: 'headerKey',
  refusals: {
    400: ['5100', '6020', '6150', '6160', '6220'],
    403: [],
    404: ['5090'],
    409: ['4150'],
    423: [],
    429: [],
  },
});

export const forceApproveEpayment = defineOperation({
  ...ofOnePayment,
  name: 'forceApproveEpayment',
  says: 'Approves a payment as its customer would; in the test environment alone.',
  method: 'POST',
  path: '/test/payments/{reference}/approve',
  body: ForceApproveBody,
  refusals: { 400: ['10010', '10020'], 404: ['5090'] },
});

export const epaymentOperations = [
  createEpayment,
  getEpayment,
  listEpaymentEvents,
  captureEpayment,
  cancelEpayment,
  refundEpayment,
  forceApproveEpayment,
] as const;
