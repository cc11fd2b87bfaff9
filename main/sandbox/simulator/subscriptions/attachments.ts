/** The PDF that the service makes of a payment's details (interface document 1, "Detail rules"). */
import { amountText } from '../summary.ts';
import type { Attachment, SimulatedOneOff, SimulatedSubscriptionPayment } from './model.ts';
import { pdfOf } from './pdf.ts';

type Details = NonNullable<Attachment['attachment_details']>;

/** Fields that are not filled in are left out. */
export function attachmentPdf(payment: SimulatedSubscriptionPayment | SimulatedOneOff, details: Details): Uint8Array {
  const money = (amountMinor: number | null | undefined): string | null => (amountMinor == null ? null : amountText(amountMinor, payment.currency));
  const { provider } = payment;
  return pdfOf([
    details.document_title ?? 'Invoice',
    '',
    provider.name,
    ...(details.hide_payment_point_address === true ? [] : [`VAT ${provider.merchant.vat}`]),
    ...filled(['Contact', details.merchant_contact_name]),
    '',
    ...filled(['Name', details.consumer_name], ['Phone', details.consumer_phone_number]),
    ...(details.consumer_address_lines ?? []),
    ...(details.delivery_address_lines ? ['Delivery address:', ...details.delivery_address_lines] : []),
    ...filled(
      ['Delivery date', details.delivery_date],
      ['Buyers order ID', details.buyer_order_number],
      ['Merchant order ID', details.merchant_order_number],
      ['Order date', details.order_date],
      ['Invoice number', details.invoice_number],
      ['Issue date', details.issue_date],
      ['Due date', details.due_date],
      ['Payment reference', details.payment_reference || details.invoice_number],
    ),
    '',
    ...details.articles.map(articleLine(money)),
    '',
    ...filled(
      ['Price reduction', money(details.price_reduction)],
      ['Discount', money(details.price_discount)],
      ['Bonus', money(details.bonus)],
      ['Total ex VAT', money(details.total_amount_ex_vat)],
      ['Total VAT', money(details.total_vat_amount)],
      ['Total', money(details.total_amount)],
    ),
    ...(details.comment ? ['', ...details.comment.split(/\n|\\n/)] : []),
  ]);
}

const filled = (...fields: readonly (readonly [string, string | null | undefined])[]): string[] =>
  fields.flatMap(([name, value]) => (value ? [`${name}: ${value}`] : []));

const articleLine =
  (money: (amountMinor: number | null | undefined) => string | null) =>
  ({ article_number, article_description, quantity, unit, price_per_unit, vat_rate, total_price_including_vat }: Details['articles'][number]): string =>
    [
      article_number,
      article_description,
      quantity == null ? null : `${quantity} ${unit ?? ''}`.trim(),
      price_per_unit == null ? null : `at ${price_per_unit}`,
      vat_rate == null ? null : `VAT ${vat_rate} %`,
      money(total_price_including_vat),
    ]
      .filter((part) => part != null && part !== '')
      .join('  ');
