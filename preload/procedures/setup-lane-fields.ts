/** The settings of a lane and its point of sale that setup asks for. */
import { z } from 'zod';
import { DeadlineSeconds, FilledServiceText, LaneId } from '../../main/core/domain/field-rules.ts';
import { currencies, v10Currencies } from '../../main/core/domain/money.ts';
import { plannedCaptureDelays } from '../../main/core/domain/sale.ts';
import type { AnsweredFields, SetupFields } from './setup-field.ts';

const flows = ['initiate', 'prepare'] as const;
const captureDelays = ['None', ...plannedCaptureDelays] as const;

/** `lanes.N` of the settings. */
export const laneFields = {
  flow: {
    rule: z.enum(flows),
    default: 'initiate',
    description:
      'initiate: the amount is sent at once. prepare: the customer is identified first, then the amount is sent. With the ePayment interface, a scanner reads the code in the app, ' +
      'the telephone number is typed, or the customer scans the sticker.',
    input: 'select',
    choices: flows,
    only: 'v10',
  },
  plannedCaptureDelay: {
    rule: z.enum(captureDelays),
    default: 'None',
    description:
      'LessThan24Hours or LessThan14Days: payments can also be reserved, and captured or cancelled within that time. None: all payments are captured at once.',
    input: 'select',
    choices: captureDelays,
  },
  deadlineSeconds: {
    rule: DeadlineSeconds,
    default: 120,
    description: "How long a customer has to pay. It is less than the till's time-out of 180 s.",
    input: 'number',
  },
  merchantPaymentLabel: {
    rule: FilledServiceText,
    default: null,
    description:
      "A label that the merchant's portal and the bank's reports show beside every payment.",
    input: 'text',
    only: 'v10',
  },
} as const satisfies SetupFields;

/**
 * Fields of a lane from which the daemon derives the settings, in the order of the screen. null
 * leaves the choice to the daemon.
 */
export const derivedLaneFields = {
  /** The name for the staff; null for the name of the point of sale. */
  laneName: { rule: FilledServiceText, default: null, input: 'text' },
  /** null for the first free one of 1, 2, 3, … */
  laneId: { rule: LaneId, default: null, input: 'text' },
  /** null for the currency of the merchant's country. */
  currency: {
    rule: z.enum(currencies),
    default: null,
    input: 'select',
    choices: v10Currencies,
    only: 'v10',
  },
} as const satisfies AnsweredFields;

/** `lanes.N.pointOfSale` of the settings. */
export const pointOfSaleFields = {
  requirePaymentBeforeCheckin: {
    rule: z.boolean(),
    default: false,
    description:
      'true: nobody can check in before there is a payment. For tills without staff, so that a customer who left is not taken for the next one.',
    input: 'checkbox',
    only: 'v10',
  },
} as const satisfies SetupFields;
