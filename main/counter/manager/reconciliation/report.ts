/** The common form of reports of all services, for storing and matching. */

/** `amount`: minor units; into the merchant's account positive, out of it negative. */
export interface ReportLine {
  readonly type: string;
  readonly amount: number;
  readonly currencyCode: string;
  readonly timestamp: string;
  /** Reference of the payment or of the refund, as the journal has it. */
  readonly merchantReference?: string | null | undefined;
  readonly paymentId?: string | null | undefined;
  readonly refundId?: string | null | undefined;
  /** Where it was taken. */
  readonly posName?: string | null | undefined;
  readonly merchantPaymentLabel?: string | null | undefined;
}

export interface ReportTransfer {
  readonly id: string;
  readonly reference?: string | null | undefined;
  readonly date: string;
  readonly totalTransferredAmount: number;
  readonly currencyCode: string;
}
