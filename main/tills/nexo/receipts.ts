/**
 * `PaymentReceipt` as terminals give it: each text is form-encoded with a name, a value and a key.
 * Odoo's client (`pos_adyen`) fails without the list once a payment is successful. Names and keys
 * as on Adyen's page "Generate receipts" and in the answers of its terminals
 * (adyen-node-api-library, `src/__tests__`).
 */
import type { RefundTicket, PaymentTicket } from '../../core/domain/sale.ts';
import {
  isContested,
  moneyKnownOf,
  outcomeOf,
  refundOutcomeOf,
} from '../../core/settlement/outcome.ts';
import type { Payment } from '../../core/settlement/payment.ts';
import type { Refund } from '../../core/settlement/refund.ts';
import { capturedMinorOf } from '../../core/settlement/reservation.ts';
import { type PaperHead, receiptContent, type ReceiptPart } from '../zvt/receipt-content.ts';
import { notPaidWords, notRefundedWords, type Words } from '../zvt/words.ts';
import { formEncoded } from './outcomes.ts';

/** A terminal, as its receipts name it. */
export interface ReceiptIssuer extends PaperHead {
  readonly poiId: string;
}

interface OutputText {
  readonly Text: string;
  readonly CharacterStyle?: 'Bold';
  readonly EndOfLineFlag: true;
}

interface PaymentReceipt {
  readonly DocumentQualifier: 'CashierReceipt' | 'CustomerReceipt';
  /** Nobody signs for a wallet. */
  readonly RequiredSignatureFlag: false;
  readonly OutputContent: {
    readonly OutputFormat: 'Text';
    readonly OutputText: readonly OutputText[];
  };
}

/** The name that clients know for a part; others keep our own. */
const keys: Readonly<Partial<Record<ReceiptPart['is'], string>>> = {
  time: 'txdate',
  refund: 'txtype',
  amount: 'totalAmount',
  terminal: 'tid',
  order: 'txRef',
  rule: 'filler',
};
const bold: ReadonlySet<ReceiptPart['is']> = new Set([
  'test',
  'head',
  'holder',
  'refund',
  'amount',
  'result',
]);

const copies = [
  { holder: 'merchant', DocumentQualifier: 'CashierReceipt', holderKey: 'merchantTitle' },
  { holder: 'customer', DocumentQualifier: 'CustomerReceipt', holderKey: 'cardholderHeader' },
] as const;

/**
 * Empty for what is contested: a receipt would say more than is known. Missing while it is
 * undecided.
 */
type Receipts = { readonly PaymentReceipt?: readonly PaymentReceipt[] };

export function paymentReceipts(payment: Payment, issuer: ReceiptIssuer): Receipts {
  const outcome = outcomeOf(payment);
  if (outcome === null) return {};
  if (isContested(moneyKnownOf(payment))) return { PaymentReceipt: [] };
  if (outcome.paid)
    return receiptsOf({ ...payment.sale, amountMinor: capturedMinorOf(payment) }, issuer);
  return receiptsOf(
    payment.sale,
    issuer,
    outcome.reason === 'held' ? null : notPaidWords(outcome.reason),
  );
}

export function reversalReceipts(refund: Refund, issuer: ReceiptIssuer): Receipts {
  const outcome = refundOutcomeOf(refund);
  if (outcome === null) return {};
  if (isContested(moneyKnownOf(refund))) return { PaymentReceipt: [] };
  return outcome.refunded
    ? receiptsOf(refund.request, issuer)
    : receiptsOf(refund.request, issuer, notRefundedWords(outcome.reason, refund.request));
}

/** @param failed why nothing moved, null when only that is known; missing when it was done */
const receiptsOf = (
  ticket: PaymentTicket | RefundTicket,
  issuer: ReceiptIssuer,
  failed?: Words | null,
): Receipts => ({
  PaymentReceipt: copies.map(({ holder, holderKey, DocumentQualifier }) => {
    const parts = receiptContent(ticket, {
      ...issuer,
      terminalId: issuer.poiId,
      holder,
      ...(failed !== undefined && { failed }),
    });
    const keyOfPart = {
      ...keys,
      holder: holderKey,
      result: failed === undefined ? 'approved' : 'refused',
    };
    let heads = 0;
    const keyOf = ({ is }: ReceiptPart): string =>
      is === 'head' ? `header${(heads += 1)}` : (keyOfPart[is] ?? is);
    const OutputText = parts.map(
      (part): OutputText => ({
        Text: textOf(part, keyOf(part)),
        ...(bold.has(part.is) && { CharacterStyle: 'Bold' }),
        EndOfLineFlag: true,
      }),
    );
    return {
      DocumentQualifier,
      RequiredSignatureFlag: false,
      OutputContent: { OutputFormat: 'Text', OutputText },
    };
  }),
});

/**
 * With small hexadecimal digits, as terminals write them: some clients replace `%3a` and the like
 * by hand.
 */
const textOf = (part: ReceiptPart, key: string): string =>
  formEncoded({ ...receiptPartFields(part), key }).replace(/%[0-9A-F]{2}/g, (escape) =>
    escape.toLowerCase(),
  );

function receiptPartFields(part: ReceiptPart): Readonly<Record<string, string>> {
  if ('title' in part) return { name: part.title };
  if ('label' in part) return { name: part.label, value: part.value };
  return 'text' in part ? { name: part.text } : {};
}
