/**
 * What a user of the app does, in the sandbox (interface document 1, "Endpoints", rows 23 and 24;
 * document 4, section 3.1).
 */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { subscriptionsSandboxInterface } from '../v10-interfaces.ts';
import { replacing } from './subscription-fields.ts';

const about = {
  interface: subscriptionsSandboxInterface,
  source: 'interface document 1, "Endpoints"; document 4, section 3.1',
} as const;
const Decision = z.enum(['Accepted', 'Rejected'], 'must be Accepted or Rejected');

export const simulateAgreementDecision = defineOperation({
  ...about,
  name: 'simulateAgreementDecision',
  says: 'Sandbox: the user accepts or rejects a pending agreement.',
  method: 'PATCH',
  path: '/agreements/v1/{agreementId}',
  body: z.object({ status: Decision, notifications_on: z.boolean().optional() }),
  success: 204,
  // Decided already, or what comes with it cannot be paid.
  refusals: { 404: [], 412: [] },
});

export const simulateAgreementCancellation = defineOperation({
  ...about,
  name: 'simulateAgreementCancellation',
  says: 'Sandbox: the user cancels an accepted agreement.',
  method: 'PATCH',
  path: '/users/v1/me/agreements/{agreementId}',
  body: z.object({ status: z.literal('Canceled', 'must be Canceled') }),
  success: 204,
  refusals: { 404: [], 409: [] },
});

export const simulateOneOffDecision = defineOperation({
  ...about,
  name: 'simulateOneOffDecision',
  says: 'Sandbox: the user accepts or rejects a one-off payment, at /status.',
  method: 'PATCH',
  path: '/users/v1/me/agreements/{agreementId}/oneoffpayments/{paymentId}',
  body: z.array(replacing('/status', Decision)).length(1, 'must hold one replacement'),
  refusals: { 404: [], 409: [] },
});

export const simulatePaymentRejection = defineOperation({
  ...about,
  name: 'simulatePaymentRejection',
  says: 'Sandbox: the user rejects a pending payment.',
  method: 'DELETE',
  path: '/users/me/payments/{paymentId}',
  success: 204,
  refusals: { 404: [], 409: [] },
});
