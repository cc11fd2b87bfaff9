/**
 * The service's state of stores, points of sale, payments and refunds (interface document 2;
 * document 4, sections 1 and 2).
 */
import type { Cancel } from '../../../core/domain/clock.ts';
import type { Currency } from '../../../core/domain/money.ts';
import type { Phone } from '../phone.ts';

/** An integrator's client, as the token endpoint identifies it. */
export interface Client {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly integratorId: string;
}

/** The sender of a request, from its token and its VAT header. */
export interface Caller {
  readonly integratorId: string;
  readonly merchantVat: string;
}

export interface Store {
  readonly storeId: string;
  readonly merchantVat: string;
  readonly storeName: string;
  readonly storeStreet: string;
  readonly storeZipCode: string;
  readonly storeCity: string;
  readonly brandName: string;
  readonly merchantBrandId: string;
  readonly merchantLocationId: string;
  /** A store that is not activated takes no payments (409/1204). */
  activated: boolean;
  /** Available for refunds, in minor units. Unlimited unless a test sets it. */
  balanceMinor: number;
}

export interface PointOfSale {
  readonly posId: string;
  readonly owner: Caller;
  readonly merchantPosId: string;
  readonly name: string;
  readonly storeId: string;
  readonly supportedBeaconTypes: readonly string[];
  readonly beaconId: string;
  readonly callbackAlias: string | null;
  readonly requirePaymentBeforeCheckin: boolean;
  deleted: boolean;
  checkIn: { readonly phone: Phone; readonly atMs: number } | null;
  /** The one payment that blocks the point of sale (Prepared, Initiated, Paired, IssuedToUser). */
  active: SimulatedPayment | null;
  /** Active or reserved, oldest first. */
  readonly open: Set<SimulatedPayment>;
  /** Oldest first. */
  readonly captured: SimulatedPayment[];
  /** By order id, oldest first. */
  readonly paymentsByOrder: Map<string, SimulatedPayment[]>;
}

export interface PaymentTerms {
  readonly amountMinor: number;
  readonly currency: Currency;
  readonly plannedCaptureDelay: string;
  readonly restrictions: {
    debitCardDisallowed?: boolean | null | undefined;
    creditCardDisallowed?: boolean | null | undefined;
  } | null;
  readonly merchantPaymentLabel: string | null;
}

/** A status that ends by itself at a time. */
export interface Expiring {
  status: string;
  /** Monotonic; infinite when the status does not end by itself. */
  expiresAtMs: number;
  expiryTimer: Cancel | null;
  readonly history: { readonly status: string; readonly at: string }[];
}

export interface SimulatedPayment extends Expiring {
  readonly paymentId: string;
  readonly pos: PointOfSale;
  readonly orderId: string;
  /** null until `ready` for a prepared payment. */
  terms: PaymentTerms | null;
  phone: Phone | null;
  capturedMinor: number;
  captureCount: number;
  refundedMinor: number;
  readonly refunds: SimulatedRefund[];
  capturedAtMs: number;
}

export interface SimulatedRefund extends Expiring {
  readonly refundId: string;
  readonly payment: SimulatedPayment;
  readonly refundOrderId: string;
  readonly amountMinor: number;
  readonly currency: string;
}
