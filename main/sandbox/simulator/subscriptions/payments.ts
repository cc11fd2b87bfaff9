/** Subscription payments: how they come to be and how they end (interface document 1, "Subscription payment"). */
import { z } from 'zod';
import type { Currency } from '../../../domain/money.ts';
import { daysBetween, PaymentRequest, paymentKey } from '../../../wallet/v10/subscriptions/payments.ts';
import { ServiceError } from '../world.ts';
import { type Agreement, type Book, type Payment, type Provider, record, today } from './book.ts';
import type { Reason } from './callbacks.ts';

/** Document 1, "Limits": of a payment. No code is named for more: the core system's catch-all. */
const mostMinor: Readonly<Record<Currency, number>> = { DKK: 300_000_00, EUR: 2_000_00 };

const because = (code: number, text: string | null): Reason => ({ code, text });
const executed = because(0, '');
const failed = because(50_000, '');
const rejectedByUser = because(50_001, 'Rejected by user.');
const declinedByMerchant = because(50_002, 'Declined by merchant.');
const agreementCanceled = because(50_005, 'Declined by system: Agreement was canceled.');

/** Takes every request whose fields are good, and declines right after what it cannot do. */
export function requestPayments(book: Book, provider: Provider, items: readonly unknown[]) {
  const payments: Payment[] = [];
  const rejected: { external_id: string | null; error_description: string }[] = [];
  for (const item of items) {
    const parsed = PaymentRequest.safeParse(item);
    if (parsed.success) payments.push(newPayment(book, provider, parsed.data));
    else rejected.push({ external_id: externalIdOf(item), error_description: messageOf(parsed.error) });
  }
  const declined: { payment: Payment; reason: Reason }[] = [];
  for (const payment of payments) {
    const reason = reasonToDecline(book, payment);
    if (reason === null) schedule(book, payment);
    else {
      payment.status = 'Declined';
      declined.push({ payment, reason });
    }
  }
  book.callbacks.payments(declined);
  return { payments, rejected };
}

function newPayment(book: Book, provider: Provider, request: PaymentRequest): Payment {
  const { ids } = book.world;
  const agreementId = request.agreement_id.toLowerCase();
  const found = book.agreements.get(agreementId);
  const agreement = found?.provider === provider ? found : null;
  const payment: Payment = {
    type: 'Regular',
    paymentId: ids.uuid(),
    provider,
    agreementId,
    agreement,
    currency: agreement?.currency ?? provider.merchant.currency,
    externalId: request.external_id,
    description: request.description,
    transactionId: ids.uuid(),
    dueDate: request.due_date,
    gracePeriodDays: request.grace_period_days ?? 1,
    amountMinor: request.amount,
    status: 'Pending',
    paidAtMs: null,
    refundedMinor: 0,
    refunds: [],
    attachment: null,
  };
  book.payments.set(payment.paymentId, payment);
  agreement?.payments.push(payment);
  return payment;
}

const keyOf = ({ agreementId, dueDate, externalId }: Payment): string => paymentKey({ agreement_id: agreementId, due_date: dueDate, external_id: externalId });

/** The rows "request received", in the order in which a request can be looked at. */
function reasonToDecline(book: Book, payment: Payment): Reason | null {
  const { agreement } = payment;
  const { latestDueDateDays } = book.world.profile.limits;
  if (agreement === null) return because(50_010, 'Agreement does not exist.');
  if (agreement.status !== 'Accepted') return because(50_003, 'Declined by system: Agreement is not Active state.');
  const days = daysBetween(today(book), payment.dueDate);
  if (days < 1) return because(50_011, 'Due date of the payment must be at least 1 day in the future.');
  if (days > latestDueDateDays) return because(50_012, `Due date must be no more than ${latestDueDateDays} days in the future.`);
  if (book.pendingByKey.has(keyOf(payment))) return because(50_004, 'Declined by system: Another payment is already due.');
  if (book.blockedUsers.has(agreement.phoneNumber ?? '')) return because(50_009, 'Declined due to user status.');
  if (payment.amountMinor > mostMinor[payment.currency]) return because(50_006, 'Declined by system.');
  return null;
}

function schedule({ pending, pendingByKey }: Book, payment: Payment): void {
  pendingByKey.set(keyOf(payment), payment);
  const sameDay = pending.get(payment.dueDate);
  if (sameDay === undefined) pending.set(payment.dueDate, new Set([payment]));
  else sameDay.add(payment);
}

function end({ pending, pendingByKey }: Book, payment: Payment, status: Payment['status']): void {
  payment.status = status;
  pendingByKey.delete(keyOf(payment));
  const sameDay = pending.get(payment.dueDate);
  sameDay?.delete(payment);
  if (sameDay?.size === 0) pending.delete(payment.dueDate);
}

/** What the user has, or not. */
export function tryToExecute(book: Book, payment: Payment): Reason | null {
  const user = book.world.phoneNumbered(payment.agreement?.phoneNumber ?? '');
  if (user.balanceMinor < payment.amountMinor) return null;
  user.balanceMinor -= payment.amountMinor;
  end(book, payment, 'Executed');
  payment.paidAtMs = book.world.clock.monotonicMs();
  record(book, 'Payment', payment, payment.amountMinor, payment.externalId);
  return executed;
}

export function fail(book: Book, payment: Payment): Reason {
  end(book, payment, 'Failed');
  return failed;
}

function mustBePending({ status }: Payment, refusal: 409 | 412): void {
  if (status !== 'Pending') throw new ServiceError(refusal, null, `A payment that is ${status} cannot be changed any more`);
}

/** Taken back once more, it stays taken back. */
export function declineByMerchant(book: Book, payment: Payment): void {
  if (payment.status === 'Declined') return;
  mustBePending(payment, 409);
  end(book, payment, 'Declined');
  book.callbacks.payments([{ payment, reason: declinedByMerchant }]);
}

export function rejectByUser(book: Book, payment: Payment): void {
  mustBePending(payment, 412);
  end(book, payment, 'Rejected');
  book.callbacks.payments([{ payment, reason: rejectedByUser }]);
}

export function lowerAmount(payment: Payment, amountMinor: number): void {
  mustBePending(payment, 409);
  if (amountMinor >= payment.amountMinor) throw new ServiceError(400, null, 'amount: must be less than the pending amount');
  payment.amountMinor = amountMinor;
}

/** Of an agreement that the user cancelled, a payment reads Rejected and its callback says Declined (document 1, row 50005). */
export function endWithAgreement(book: Book, agreement: Agreement, by: 'user' | 'merchant' | 'system'): void {
  const payments = agreement.payments.filter(({ status }) => status === 'Pending');
  for (const payment of payments) end(book, payment, by === 'user' ? 'Rejected' : 'Declined');
  book.callbacks.payments(payments.map((payment) => ({ payment, reason: { ...agreementCanceled, status: 'Declined' } })));
}

function externalIdOf(item: unknown): string | null {
  const read = z.object({ external_id: z.string() }).safeParse(item);
  return read.success ? read.data.external_id : null;
}

function messageOf(error: z.ZodError): string {
  return error.issues.map(({ path, message }) => `${path.join('.') || 'payment'}: ${message}`).join('; ');
}
