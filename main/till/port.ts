import type { Currency } from '../domain/money.ts';
import type { CustomerFacts, FinishedRefund, FinishedSale, RefundOutcome, RefundTicket, SaleOutcome, SaleTicket } from '../domain/sale.ts';

export type {
  CustomerFacts,
  FinishedRefund,
  FinishedSale,
  NotPaidReason,
  NotRefundedReason,
  RefundOutcome,
  RefundTicket,
  SaleOutcome,
  SaleTicket,
} from '../domain/sale.ts';

/**
 * The port between a lane and its till, independent of the protocol. The till side turns bytes into these requests;
 * the lane answers each at once, from memory and disk, without waiting for the network.
 */
export interface LaneCommands {
  /** Starts a sale. When this returns `accepted`, the sale is in the journal. */
  requestSale(request: SaleRequest): SaleAnswer;
  /** Cancels a sale. `tooLate`: the customer was faster and the sale ends as paid. */
  abortSale(saleId: string): 'aborting' | 'tooLate';
  /** Starts a reversal or refund. When this returns `accepted`, the refund is in the journal. */
  requestRefund(request: RefundRequest): RefundAnswer;
  /** The same as `abortSale`, for a refund. */
  abortRefund(refundOrderId: string): 'aborting' | 'tooLate';
  /** The till that started a sale or a refund is gone for good (a closed socket, not a pulled serial cable). */
  tillLost(id: string): void;
  readiness(): 'ready' | 'busy' | 'notReady';
  /** The last finished sale or refund that a till started, also across restarts; null when there is none. */
  lastFinished(): FinishedSale | FinishedRefund | null;
  /** Called when the state of the till's line changes. */
  tillLink(link: TillLink): void;
}

export interface SaleRequest {
  readonly amountMinor: number;
  readonly currency: Currency;
  /** The till's address for the journal: `serial:/dev/ttyUSB0`, `192.168.1.40:50122`. */
  readonly from?: string;
}

export type SaleAnswer =
  | { readonly accepted: true; readonly sale: SaleTicket }
  | { readonly accepted: false; readonly reason: 'busy' | 'notReady' | 'wrongCurrency' | 'amountTooSmall' | 'amountTooHigh' | 'storageFailed' };

export interface RefundRequest {
  /** Of the sale. */
  readonly receiptNumber: number;
  /** null for everything that is left. */
  readonly amountMinor: number | null;
  readonly currency: Currency;
  /** Limit for all refunds of this sale together, in minor units; null for no limit. */
  readonly limitMinor?: number | null;
  /** As `SaleRequest.from`. */
  readonly from?: string;
}

export type RefundAnswer =
  | { readonly accepted: true; readonly refund: RefundTicket }
  | {
      readonly accepted: false;
      readonly reason:
        | 'busy'
        | 'notReady'
        | 'wrongCurrency'
        /** No paid sale of this lane has this receipt number, or it is older than 90 days. */
        | 'unknownReceipt'
        | 'alreadyRefunded'
        /** More than is left. */
        | 'amountTooHigh'
        /** More than `limitMinor`. */
        | 'overTillLimit'
        | 'amountTooSmall'
        | 'storageFailed';
    }
  | {
      readonly accepted: false;
      /** What is left is not known yet, because the outcome of another refund of the sale is still unknown. */
      readonly reason: 'refundOpen';
      /** When it should be known; null when a person must clear it up. */
      readonly askAgainMinutes: number | null;
    };

/** Progress that a waiting till can be told. */
export type SaleProgress = 'contactingService' | 'waitingForCustomer' | 'customerFound' | 'approveInApp' | 'cancelling';

export interface TillLink {
  /** absent: no port; open: listening, no till heard yet; connected: a till is or was just talking. */
  readonly state: 'absent' | 'open' | 'connected';
  /** What is wrong, for a person; or null. */
  readonly detail: string | null;
}

/** One till, as seen by its lane. */
export interface Till {
  /** e.g. `serial:/dev/ttyUSB0`, `tcp:127.0.0.1:20007`; exact once open. */
  readonly address: string;
  /**
   * Starts to listen. A missing serial port is not an error: it is opened when it appears.
   * @throws when the settings can never work (e.g. the TCP port is taken)
   */
  open(commands: LaneCommands): Promise<void>;
  /** Stops listening and releases the port, within a second. */
  close(): Promise<void>;
  /** Tells the waiting till the progress of its sale. Never fails. */
  progress(saleId: string, progress: SaleProgress): void;
  /**
   * Tells the till "paid" and resolves with whether it acknowledged. Called once per sale, after the intent to capture is on disk.
   * `notAcknowledged` is final: from then on the till is no longer told "paid" for this sale.
   * @param customer what the customer shares with the shop
   */
  offerPaid(sale: SaleTicket, customer?: CustomerFacts): Promise<'acknowledged' | 'notAcknowledged'>;
  /** The same as `offerPaid` for a refund: called once, after the intent to pay it out is on disk. */
  offerRefunded(refund: RefundTicket): Promise<'acknowledged' | 'notAcknowledged'>;
  /** The same as `conclude` for a refund. */
  concludeRefund(refund: RefundTicket, outcome: RefundOutcome): void;
  /** Ends the till's command: after an acknowledged offer with "paid", otherwise with the reason. Called once per sale. */
  conclude(sale: SaleTicket, outcome: SaleOutcome): void;
}
