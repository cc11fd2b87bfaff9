/** The certification checklist, in its order (document 4, section 7, A to G). */
import type { Case } from './case.ts';
import { identificationCases } from './cases/identification.ts';
import { onboardingCases } from './cases/onboarding.ts';
import { paymentCases } from './cases/payments.ts';
import { preparedCases } from './cases/prepared.ts';
import { refundCases } from './cases/refunds.ts';
import { restrictionCases } from './cases/restrictions.ts';
import { standingCases } from './cases/standing.ts';
import { trafficCases } from './cases/traffic.ts';

export const sections: Readonly<Record<Case['section'], string>> = {
  A: 'Identification and headers',
  B: 'Onboarding',
  C: 'Payments',
  D: 'Prepared payments',
  E: 'Payments with restrictions',
  F: 'Refunds',
  G: 'Standing rules',
};

export const checklist: readonly Case[] = [
  ...identificationCases,
  ...onboardingCases,
  ...paymentCases,
  ...preparedCases,
  ...restrictionCases,
  ...refundCases,
  ...trafficCases,
  ...standingCases,
];
