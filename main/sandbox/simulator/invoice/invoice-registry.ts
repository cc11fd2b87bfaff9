/** The service's state of invoices. */
import type { Cancel } from '../../../core/domain/clock.ts';
import type { Currency } from '../../../core/domain/money.ts';
import type {
  InvoiceCallback,
  InvoiceStatus,
} from '../../../wallets/v10/invoice/invoice-schemas.ts';
import type { Merchant } from '../merchant.ts';
import type { World } from '../world.ts';

export interface Invoice {
  readonly invoiceId: string;
  readonly merchant: Merchant;
  readonly issuerId: string;
  readonly invoiceNumber: string | null;
  /** Anybody who has the link may pay it. Other invoices can be paid by their addressee alone. */
  readonly link: boolean;
  readonly phoneNumber: string | null;
  readonly amountMinor: number;
  readonly currency: Currency;
  /** YYYY-MM-DD */
  readonly dueDate: string;
  readonly createdAtMs: number;
  status: InvoiceStatus;
  nextSequence: number;
  readonly timers: Set<Cancel>;
}

export interface InvoiceRegistry {
  readonly world: World;
  readonly invoices: Map<string, Invoice>;
  /** The issuer id of each merchant, by VAT number. */
  readonly issuers: Map<string, string>;
  readonly tell: (merchant: Merchant, callback: InvoiceCallback) => void;
}

export interface NewInvoice
  extends Omit<
    Invoice,
    'invoiceId' | 'issuerId' | 'createdAtMs' | 'status' | 'nextSequence' | 'timers'
  > {
  /** null for the merchant's own. */
  readonly issuerId: string | null;
  readonly issueDate: string | null;
  /** Whether it is created together with others; the link to its page then comes by callback. */
  readonly batch: boolean;
}

export function issuerOf({ world, issuers }: InvoiceRegistry, { vat }: Merchant): string {
  const issuerId = issuers.get(vat) ?? world.ids.uuid();
  issuers.set(vat, issuerId);
  return issuerId;
}

export const dayMs = 24 * 60 * 60 * 1000;
export const dayOf = (ms: number): string =>
  new Date(ms).toISOString().slice(0, 'YYYY-MM-DD'.length);
