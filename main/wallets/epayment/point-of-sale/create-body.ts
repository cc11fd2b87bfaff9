import { minorUnits } from '../../../core/domain/money.ts';
import type { CreateRequest } from '../../../core/lane/wallet-port.ts';
import type { CodeForm } from './payment-code.ts';
import { receiptOf } from './epayment-receipt.ts';
import type { StickerSettings } from './sticker.ts';

export interface EpaymentClientSettings {
  readonly msn: string;
  /**
   * Shown to the customer in the app, on the receipt, and to the shop in the portal: 3 to 100
   * characters.
   */
  readonly description: string;
  readonly codeForm: CodeForm;
  /** Id of the till, on receipts in the app. */
  readonly posId?: string | undefined;
  /** Missing when the lane has no sticker. */
  readonly sticker?: StickerSettings | undefined;
}

/** Name of the metadata that distinguishes our payment from another with the same reference. */
export const metadataKey = 'key';
/** Name of the metadata with the order id as it was typed. */
export const orderMetadata = 'order';

/**
 * What every payment at a counter is created with (document 5, section 2.2), however its customer
 * is found.
 */
export function commonBody(
  request: CreateRequest,
  reference: string,
  { description, posId }: EpaymentClientSettings,
) {
  const { orderId, idempotencyKey, amountMinor, currency, minimumAge } = request;
  const receipt = receiptOf(request, posId);
  return {
    amount: { currency, value: minorUnits(amountMinor) },
    paymentMethod: { type: 'WALLET' },
    customerInteraction: 'CUSTOMER_PRESENT',
    reference,
    paymentDescription: description,
    metadata: { [orderMetadata]: orderId, [metadataKey]: idempotencyKey },
    ...(minimumAge !== undefined && { minimumUserAge: minimumAge }),
    ...(receipt !== undefined && { receipt }),
  } as const;
}
