/**
 * The records of the point-of-sale interface v10, under the interface's own names and in its own
 * notation (interface document 2, "Resources and their fields"; document 4, sections 1.2 and 1.12).
 * Requests are as strict as the documents; answers take what they need and let the rest pass.
 */
import { z } from 'zod';
import {
  BeaconId as beaconId,
  BeaconTypes,
  MerchantBrandId,
  MerchantLocationId,
  ServiceText,
} from '../../../core/domain/field-rules.ts';
import { v10Currencies } from '../../../core/domain/money.ts';
import { majorAmount } from '../../http/amounts.ts';
import { OutsideText } from '../../answer-values.ts';

/** At most 36 characters of the allowed set. */
export const Text36 = ServiceText.meta({
  description:
    'Digits, Latin letters, space and ASCII punctuation; no control characters, no emoji.',
});

const CurrencyCode = z.enum(v10Currencies);

/** Positive. */
const Amount = majorAmount({ min: 1 });

const PlannedCaptureDelay = z.enum(['None', 'LessThan24Hours', 'LessThan14Days']).meta({
  description:
    'When the provider should ask why a payment is not captured yet. An attended till says None.',
});

const Restrictions = z.object({
  debitCardDisallowed: z.boolean().nullish(),
  creditCardDisallowed: z.boolean().nullish(),
});

export const BeaconId = beaconId.meta({
  description:
    '15 digits (a device, an ordered sticker) or a GUID. One point of sale at a time has it.',
});

export { MerchantBrandId, MerchantLocationId };

export const InitiateBody = z.object({
  posId: z.guid(),
  orderId: Text36,
  amount: Amount,
  currencyCode: CurrencyCode,
  plannedCaptureDelay: PlannedCaptureDelay,
  restrictions: Restrictions.nullish(),
  merchantPaymentLabel: Text36.nullish(),
});

export const PrepareBody = z.object({ posId: z.guid(), orderId: Text36 });

export const ReadyBody = InitiateBody.omit({ posId: true, orderId: true });

export const CaptureBody = z.object({ amount: Amount });

export const CreatePointOfSaleBody = z.object({
  merchantPosId: Text36,
  storeId: z.guid(),
  name: Text36,
  supportedBeaconTypes: BeaconTypes,
  beaconId: BeaconId.nullish(),
  callbackAlias: Text36.nullish(),
  requirePaymentBeforeCheckin: z
    .boolean()
    .optional()
    .meta({ description: 'Nobody can check in before a payment exists: for tills without staff' }),
});

export const CreateRefundBody = z.object({
  paymentId: z.guid(),
  refundOrderId: Text36,
  amount: Amount,
  currencyCode: CurrencyCode,
});

/**
 * A status is read as text, so that one which the documents do not have does not stop a payment;
 * `paymentStatus` translates it.
 */
const Status = OutsideText.min(1);
const PollDelay = z
  .number()
  .int()
  .nonnegative()
  .nullish()
  .meta({ description: 'No poll before this has passed' });

export const PaymentRecord = z.object({
  paymentId: z.guid(),
  posId: z.guid(),
  orderId: OutsideText,
  amount: majorAmount().nullish(),
  currencyCode: OutsideText.nullish(),
  restrictions: Restrictions.nullish(),
  merchantPaymentLabel: OutsideText.nullish(),
  plannedCaptureDelay: OutsideText.nullish(),
  status: Status.meta({
    description:
      'Prepared, Initiated, Paired, IssuedToUser (active); Reserved; Captured, CancelledByUser, CancelledByClient, any other CancelledBy…, ExpiredAndCancelled (final)',
  }),
  customerToken: z.string().nullish(),
  customerReceiptToken: z
    .string()
    .nullish()
    .meta({ description: 'Missing: not looked up yet. Empty: the customer has none' }),
  loyaltyIds: z
    .array(z.string())
    .nullish()
    .meta({ description: 'Missing: not looked up yet, ask again. Empty: in no programme' }),
  paymentExpiresAt: OutsideText.nullish().meta({ description: 'Absent in final states' }),
  partialCapturePossible: z.boolean().nullish().meta({ description: 'Only while Reserved' }),
  pollDelayInMs: PollDelay,
});
export type PaymentRecord = z.infer<typeof PaymentRecord>;

export const PointOfSale = z.object({
  posId: z.guid(),
  merchantPosId: OutsideText,
  name: OutsideText,
  storeId: z.guid(),
  supportedBeaconTypes: z.array(OutsideText),
  beaconId: OutsideText.nullish(),
  callbackAlias: OutsideText.nullish(),
  requirePaymentBeforeCheckin: z.boolean().nullish(),
});
export type PointOfSale = z.infer<typeof PointOfSale>;

export const Store = z.object({
  storeId: z.guid(),
  storeName: OutsideText.nullish(),
  storeStreet: OutsideText.nullish(),
  storeZipCode: OutsideText.nullish(),
  storeCity: OutsideText.nullish(),
  brandName: OutsideText.nullish(),
  merchantBrandId: OutsideText.nullish(),
  merchantLocationId: OutsideText.nullish(),
});
export type Store = z.infer<typeof Store>;

export const RefundRecord = z.object({
  refundId: z.guid(),
  paymentId: z.guid(),
  refundOrderId: OutsideText,
  amount: majorAmount(),
  currencyCode: OutsideText,
  status: Status.meta({
    description:
      'Initiated; Reserved (pays out by itself after 24 hours); Captured, CancelledByClient, any other CancelledBy…, ExpiredAndCaptured (final)',
  }),
  pollDelayInMs: PollDelay,
});
export type RefundRecord = z.infer<typeof RefundRecord>;

export const CheckIn = z.object({
  isUserCheckedIn: z.boolean(),
  loyaltyIds: z.array(z.string()).nullish(),
  customerToken: z.string().nullish(),
  customerReceiptToken: z.string().nullish(),
  pollDelayInMs: PollDelay,
});
export type CheckIn = z.infer<typeof CheckIn>;
