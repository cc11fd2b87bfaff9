/** The certification checklist (document 4, section 7). */
import type { Case, CaseDefinition } from './case.ts';
import { secretsStayInside, rollOut, whatCustomersSee } from './cases/confirmed-by-people.ts';
import { clientVersion, tokenAndMerchant } from './cases/identification.ts';
import { truthfulCaptureDelay, uniqueOrderIds } from './cases/order-data.ts';
import {
  blockedPointOfSale,
  completePayment,
  customerCancels,
  failingPolls,
  tillCancels,
} from './cases/payments.ts';
import {
  beaconTypes,
  createPointOfSale,
  deletePointOfSale,
  sharedPointOfSale,
} from './cases/points-of-sale.ts';
import {
  cancelPreparedPayment,
  completePreparedPayment,
  preparedPaymentWithFailures,
} from './cases/prepared-payments.ts';
import { intentSurvivesRestart, periodicSettlement } from './cases/recovery.ts';
import { cancelUnansweredRefund, completeRefund } from './cases/refunds.ts';
import { noNeedlessCalls, timeOutsAndRepetitions } from './cases/requests.ts';
import { restrictedPayment, restrictedPreparedPayment } from './cases/restrictions.ts';
import { supportData } from './cases/support-data.ts';

export const sections = {
  A: 'Identification and headers',
  B: 'Onboarding',
  C: 'Payments',
  D: 'Prepared payments',
  E: 'Payments with restrictions',
  F: 'Refunds',
  G: 'Standing rules',
} as const;

const section = (section: keyof typeof sections, ...cases: readonly CaseDefinition[]): Case[] =>
  cases.map((one) => ({ ...one, section, source: `document 4, section 7.${section}` }));

export const checklist: readonly Case[] = [
  ...section('A', clientVersion, tokenAndMerchant),
  ...section('B', createPointOfSale, deletePointOfSale, sharedPointOfSale, beaconTypes),
  ...section('C', completePayment, failingPolls, customerCancels, tillCancels, blockedPointOfSale),
  ...section('D', completePreparedPayment, cancelPreparedPayment, preparedPaymentWithFailures),
  ...section('E', restrictedPayment, restrictedPreparedPayment),
  ...section('F', completeRefund, cancelUnansweredRefund),
  ...section(
    'G',
    timeOutsAndRepetitions,
    noNeedlessCalls,
    periodicSettlement,
    uniqueOrderIds,
    truthfulCaptureDelay,
  ),
  ...section('G', intentSurvivesRestart, secretsStayInside, whatCustomersSee, supportData, rollOut),
];
