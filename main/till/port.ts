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
 * What a till is to a lane, whatever it speaks. The till side takes bytes in and hands on these plain requests;
 * the lane answers each at once, from memory and disk: nothing here waits for the network.
 */
export interface LaneDesk {
  /** The till's key was pressed. When this returns `accepted`, the sale is in the journal. */
  requestSale(request: SaleRequest): SaleAnswer;
  /** The till wants out. `tooLate`: the customer was faster, the sale ends as paid. */
  abortSale(saleId: string): 'aborting' | 'tooLate';
  /** The till's reversal or refund key. When this returns `accepted`, the refund is in the journal. */
  requestRefund(request: RefundRequest): RefundAnswer;
  /** As `abortSale`. */
  abortRefund(refundOrderId: string): 'aborting' | 'tooLate';
  /** The till that asked for a sale or a refund is gone for good (a closed socket, not a pulled serial cable). */
  tillLost(id: string): void;
  readiness(): 'ready' | 'busy' | 'notReady';
  /** The last sale or refund that a till asked for and that has ended, also across restarts; null when there is none. */
  lastFinished(): FinishedSale | FinishedRefund | null;
  /** How the line to the till is, for the screens and for support. */
  tillLink(link: TillLink): void;
}

export interface SaleRequest {
  readonly amountMinor: number;
  readonly currency: Currency;
  /** Who asked, for the journal: `serial:/dev/ttyUSB0`, `192.168.1.40:50122`. */
  readonly from?: string;
}

export type SaleAnswer =
  | { readonly accepted: true; readonly sale: SaleTicket }
  | { readonly accepted: false; readonly reason: 'busy' | 'notReady' | 'wrongCurrency' | 'amountTooSmall' | 'amountTooHigh' | 'storageFailed' };

export interface RefundRequest {
  /** Of the sale. */
  readonly receiptNumber: number;
  /** null: all that is left of it. */
  readonly amountMinor: number | null;
  readonly currency: Currency;
  /** The most that the till may give back of this sale, with what was given back before; null: all of it. */
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
      /** Whether it is left is not known: another refund of the sale is being cleared up. */
      readonly reason: 'refundOpen';
      /** When that should be known; null: not before a person has seen to it. */
      readonly askAgainMinutes: number | null;
    };

/** What the till may be told while it waits. */
export type SaleProgress = 'contactingService' | 'waitingForCustomer' | 'customerFound' | 'approveInApp' | 'cancelling';

export interface TillLink {
  /** absent: no port; open: we listen, no till was heard; connected: a till is, or was just, talking. */
  readonly state: 'absent' | 'open' | 'connected';
  /** For a person: what is wrong, or null. */
  readonly detail: string | null;
}

/** One till, as its lane sees it. */
export interface Till {
  /** e.g. `serial:/dev/ttyUSB0`, `tcp:127.0.0.1:20007`; exact once open. */
  readonly address: string;
  /**
   * Starts to listen. A serial port that is not there is no error: it is waited for.
   * @throws when the settings can never work (e.g. the TCP port is taken)
   */
  open(desk: LaneDesk): Promise<void>;
  /** Stops listening and releases the port, within a second. */
  close(): Promise<void>;
  /** Tells the waiting till how far its sale is. Never fails; a till that does not listen does not hear it. */
  progress(saleId: string, progress: SaleProgress): void;
  /**
   * Tells the till "paid" and resolves with whether it took that over. Called once per sale, after the intent to capture is on disk.
   * `notAcknowledged` means that it never will: from then on the protocol side no longer says "paid" for this sale.
   * @param customer what the shop may know of who paid; left out: nothing
   */
  offerPaid(sale: SaleTicket, customer?: CustomerFacts): Promise<'acknowledged' | 'notAcknowledged'>;
  /** As `offerPaid`, of a refund: called once, after the intent to pay it out is on disk. */
  offerRefunded(refund: RefundTicket): Promise<'acknowledged' | 'notAcknowledged'>;
  /** As `conclude`, of a refund. */
  concludeRefund(refund: RefundTicket, outcome: RefundOutcome): void;
  /** Ends the till's command: after an acknowledged offer with "paid", otherwise with the reason. Called once per sale. */
  conclude(sale: SaleTicket, outcome: SaleOutcome): void;
}
