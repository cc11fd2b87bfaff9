/**
 * The service's checks of an invoice, as far as they can fail in the simulator (document 4, section
 * 6).
 */
import type { Merchant } from '../merchant.ts';
import {
  dayMs,
  dayOf,
  type InvoiceRegistry,
  issuerOf,
  type NewInvoice,
} from './invoice-registry.ts';

const maxMinor: Readonly<Record<Merchant['country'], number>> = { DK: 300_000_00, FI: 2_000_00 };
const latestDueDays = 400;
const maxPerConsumerAndDay = 10;

interface Refusal {
  readonly code: number;
  readonly message: string;
}

/** Why the invoice is invalid; null when it is valid. */
export function refusalOf(
  registry: InvoiceRegistry,
  request: Omit<NewInvoice, 'batch'>,
): Refusal | null {
  const nowMs = registry.world.clock.wallMs();
  const { amountMinor, dueDate, issueDate, merchant, issuerId } = request;
  const wrong = (code: number, message: string): Refusal => ({ code, message });
  if (amountMinor <= 0) return wrong(10008, 'The amount must be above 0');
  if (amountMinor > maxMinor[merchant.country])
    return wrong(10201, `The amount is above the limit of ${maxMinor[merchant.country] / 100}`);
  if (issuerId !== issuerOf(registry, merchant))
    return wrong(10202, 'There is no such invoice issuer');
  if (dueDate < dayOf(nowMs)) return wrong(10311, 'The due date is in the past');
  if (dueDate > dayOf(nowMs + latestDueDays * dayMs))
    return wrong(10310, `The due date is more than ${latestDueDays} days ahead`);
  if (issueDate !== null && issueDate > dayOf(nowMs))
    return wrong(10312, 'The issue date is in the future');
  return asKnown(registry, request, nowMs);
}

function asKnown(
  { invoices }: InvoiceRegistry,
  { merchant, invoiceNumber, phoneNumber }: Omit<NewInvoice, 'batch'>,
  nowMs: number,
): Refusal | null {
  let today = 0;
  for (const invoice of invoices.values()) {
    if (invoice.merchant.vat !== merchant.vat || invoice.status === 'invalid') continue;
    if (invoiceNumber !== null && invoice.invoiceNumber === invoiceNumber)
      return { code: 10301, message: 'The invoice exists already' };
    if (
      phoneNumber !== null &&
      invoice.phoneNumber === phoneNumber &&
      dayOf(invoice.createdAtMs) === dayOf(nowMs)
    )
      today += 1;
  }
  return today < maxPerConsumerAndDay
    ? null
    : {
        code: 10314,
        message: `More than ${maxPerConsumerAndDay} invoices to one consumer in a day`,
      };
}
