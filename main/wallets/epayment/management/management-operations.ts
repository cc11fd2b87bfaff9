/**
 * Which sales units there are, and what they may do (document 5, section 6.1). In production alone.
 */
import { z } from 'zod';
import { defineOperation, type PathParameter } from '../../http/operation.ts';
import { OutsideText, unused } from '../../answer-values.ts';
import { managementInterface } from '../epayment-interfaces.ts';

/** A merchant serial number: four to six digits in the specification, seven on newer ones. */
const serialNumberPattern = /^\d{4,10}$/;
const msn: PathParameter = { pattern: serialNumberPattern, says: 'must be 4 to 10 digits' };
const allowed = z.boolean().nullish();

const Identifier = z.object({ scheme: OutsideText, id: OutsideText });

const SalesUnit = z.object({
  msn: OutsideText,
  name: OutsideText.nullish(),
  businessIdentifier: Identifier.nullish(),
  settlementBankAccount: unused(Identifier),
  configuration: z
    .object({
      paymentAllowed: allowed,
      captureType: OutsideText.nullish().meta({ description: 'ReserveCapture is needed' }),
      skipLandingPageAllowed: allowed.meta({ description: 'Requests may go to a phone' }),
      partialCaptureAllowed: allowed,
      lateCaptureAllowed: allowed,
      longLivingPaymentAllowed: allowed,
      landingPagePhoneNumberLocked: unused(z.boolean()),
      recurringAllowed: unused(z.boolean()),
      creditCardPaymentAllowed: unused(z.boolean()),
    })
    .nullish(),
});
export type SalesUnit = z.infer<typeof SalesUnit>;

const source = 'document 5, section 6.1';

export const listSalesUnits = defineOperation({
  name: 'listSalesUnits',
  says: 'Lists the sales units that these keys can see.',
  interface: managementInterface,
  method: 'GET',
  path: '/sales-units',
  answer: z.array(SalesUnit),
  source,
});

export const getSalesUnit = defineOperation({
  name: 'getSalesUnit',
  says: 'Reads a sales unit: its name and what it may do.',
  interface: managementInterface,
  method: 'GET',
  path: '/sales-units/{msn}',
  parameters: { msn },
  answer: SalesUnit,
  refusals: { 404: [] },
  source,
});

export const managementOperations = [listSalesUnits, getSalesUnit] as const;
