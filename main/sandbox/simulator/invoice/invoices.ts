/**
 * Invoices: their creation, their checks and the actions of their payers (interface document 3,
 * "States and transitions"; document 4, section 6). created → accepted | paid | rejected | expired
 * | canceled; accepted → paid | rejected | expired | canceled; the others are final.
 */
import type {
  InvoiceCallback,
  InvoiceStatus,
} from '../../../wallets/v10/invoice/invoice-schemas.ts';
import { ServiceError } from '../service-error.ts';
import {
  dayMs,
  dayOf,
  type Invoice,
  type InvoiceRegistry,
  issuerOf,
  type NewInvoice,
} from './invoice-registry.ts';
import { refusalOf } from './validation.ts';

/** Statuses as callbacks spell them; their case varies (document 3, "States and transitions"). */
export const spelled: Readonly<Record<InvoiceStatus, string>> = {
  created: 'Created',
  invalid: 'Invalid',
  accepted: 'accepted',
  paid: 'paid',
  rejected: 'Rejected',
  expired: 'expired',
  canceled: 'canceled',
};

/** "Due date + 30 days". The invoice can still be paid on that day. */
const expiresAfterDays = 30;

/** Always creates the invoice. An invalid one is reported by callback (document 3, "Errors"). */
export function createInvoice(
  registry: InvoiceRegistry,
  { issueDate, batch, ...about }: NewInvoice,
): Invoice {
  const { world, invoices } = registry;
  const ownIssuerId = issuerOf(registry, about.merchant);
  const refusal = refusalOf(registry, {
    ...about,
    issueDate,
    issuerId: about.issuerId ?? ownIssuerId,
  });
  const invoice: Invoice = {
    ...about,
    invoiceId: world.ids.uuid(),
    issuerId: ownIssuerId,
    createdAtMs: world.clock.wallMs(),
    status: 'created',
    nextSequence: 0,
    timers: new Set(),
  };
  invoices.set(invoice.invoiceId, invoice);
  if (refusal !== null) {
    change(registry, invoice, 'invalid', {
      ErrorCode: refusal.code,
      ErrorMessage: refusal.message,
    });
    return invoice;
  }
  const expiresAtMs = Date.parse(invoice.dueDate) + (expiresAfterDays + 1) * dayMs;
  later(registry, invoice, expiresAtMs, () => change(registry, invoice, 'expired'));
  change(
    registry,
    invoice,
    'created',
    invoice.link && batch ? { Links: [userRedirect(invoice)] } : {},
  );
  return invoice;
}

export const userRedirect = ({ invoiceId }: Invoice) => ({
  Rel: 'user-redirect',
  Href: `https://pay.simulated.example/invoices/${invoiceId}`,
});

/** The user pays later. @param paymentDate null for the due date, or today when that has passed */
export function acceptInvoice(
  registry: InvoiceRegistry,
  invoice: Invoice,
  by: string | null,
  paymentDate: string | null,
): void {
  const { world } = registry;
  const payer = payerOf(invoice, by);
  mustBe(invoice, ['created']);
  const today = dayOf(world.clock.wallMs());
  const day = paymentDate ?? (invoice.dueDate < today ? today : invoice.dueDate);
  if (day < today) throw new ServiceError(409, null, 'The payment date is in the past');
  change(registry, invoice, 'accepted', { PaymentDate: `${day}T00:00:00Z` });
  later(registry, invoice, Date.parse(day), () => tryToPay(registry, invoice, payer));
}

/**
 * Pay now. An attempt without enough money makes the invoice accepted; it can be paid until it
 * expires.
 */
export function payInvoice(registry: InvoiceRegistry, invoice: Invoice, by: string | null): void {
  const payer = payerOf(invoice, by);
  mustBe(invoice, ['created', 'accepted']);
  tryToPay(registry, invoice, payer);
}

/**
 * A link that is rejected stays created, because another person may pay it, and the merchant gets
 * no callback.
 */
export function rejectInvoice(
  registry: InvoiceRegistry,
  invoice: Invoice,
  by: string | null,
): void {
  payerOf(invoice, by);
  mustBe(invoice, ['created', 'accepted']);
  if (invoice.link && invoice.status === 'created') withoutCallback(invoice);
  else change(registry, invoice, 'rejected');
}

export function cancelInvoice(registry: InvoiceRegistry, invoice: Invoice): void {
  if (invoice.status === 'canceled') return;
  if (invoice.status === 'paid')
    throw new ServiceError(409, '10504', 'The invoice is already paid');
  mustBe(invoice, ['created', 'accepted']);
  change(registry, invoice, 'canceled');
}

function tryToPay(registry: InvoiceRegistry, invoice: Invoice, payer: string): void {
  const { world } = registry;
  const { amountMinor, merchant, issuerId, currency } = invoice;
  withoutCallback(invoice);
  const phone = world.phoneByNumber(payer);
  if (phone.balanceMinor < amountMinor) {
    if (invoice.status === 'created')
      change(registry, invoice, 'accepted', { PaymentDate: world.at() });
    return;
  }
  phone.balanceMinor -= amountMinor;
  change(registry, invoice, 'paid');
  world.ledger.record({
    type: 'Payment',
    product: 'Invoice',
    merchantVat: merchant.vat,
    paymentPointId: issuerId,
    amountMinor,
    currency,
    about: { paymentPointName: `Invoices of ${merchant.name}` },
  });
}

function payerOf({ link, phoneNumber }: Invoice, by: string | null): string {
  const payer = by ?? phoneNumber;
  if (payer === null) throw new ServiceError(400, null, 'phoneNumber: must say who has the link');
  if (!link && payer !== phoneNumber)
    throw new ServiceError(409, null, 'The invoice is not on this phone');
  return payer;
}

function mustBe({ status }: Invoice, statuses: readonly InvoiceStatus[]): void {
  if (!statuses.includes(status)) throw new ServiceError(409, null, `The invoice is ${status}`);
}

/** "Gaps possible because not all events are sent" (document 3, "Invoice callback record"). */
function withoutCallback(invoice: Invoice): void {
  invoice.nextSequence += 1;
}

type Detail = Pick<InvoiceCallback, 'PaymentDate' | 'ErrorCode' | 'ErrorMessage' | 'Links'>;

function change(
  registry: InvoiceRegistry,
  invoice: Invoice,
  status: InvoiceStatus,
  detail: Detail = {},
): void {
  invoice.status = status;
  if (status !== 'created' && status !== 'accepted') for (const cancel of invoice.timers) cancel();
  const { invoiceId, nextSequence } = invoice;
  invoice.nextSequence += 1;
  registry.tell(invoice.merchant, {
    InvoiceId: invoiceId,
    Status: spelled[status],
    Date: registry.world.at(),
    Sequence: nextSequence,
    ...detail,
  });
}

function later(
  { world }: InvoiceRegistry,
  { timers }: Invoice,
  atMs: number,
  run: () => void,
): void {
  const cancel = world.clock.atWall(atMs, () => {
    timers.delete(cancel);
    run();
  });
  timers.add(cancel);
}
