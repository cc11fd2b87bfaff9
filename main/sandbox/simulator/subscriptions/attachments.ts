/**
 * The attachment of a payment, and the PDF that the service makes of its details (interface
 * document 1, "Payment attachment").
 */
import type { OperationAnswer } from '../../../wallets/http/operation.ts';
import type { getAttachment } from '../../../wallets/v10/subscriptions/subscription-payment-operations.ts';
import { amountText } from '../summary.ts';
import type {
  Attachment,
  Provider,
  SimulatedOneOff,
  SimulatedSubscriptionPayment,
} from './subscription-model.ts';
import { pdfOf } from './pdf.ts';

type Details = NonNullable<Attachment['attachment_details']>;

/** The numbers of the countries are not documented. */
const countryNumbers = { DK: 0, FI: 1 } as const;

/** Some fields have another name when they are read than when they are written. */
export function attachmentAnswer(
  { attachment_details: details, ...about }: Attachment,
  { merchant, name }: Provider,
): OperationAnswer<typeof getAttachment> {
  return {
    ...about,
    ...(details == null ? {} : { attachment_details: detailsAnswer(details, { merchant, name }) }),
  };
}

function detailsAnswer(details: Details, { merchant, name }: Pick<Provider, 'merchant' | 'name'>) {
  const {
    price_reduction,
    price_discount,
    total_amount_ex_vat,
    merchant_order_number,
    buyer_order_number,
    consumer_phone_number,
    articles,
    ...same
  } = details;
  return {
    ...same,
    hide_payment_point_address: details.hide_payment_point_address ?? false,
    alias: consumer_phone_number,
    payment_point_name: name,
    payment_point_address_lines: [],
    merchant_cvr: merchant.vat.slice(merchant.country.length),
    merchant_order_id: merchant_order_number,
    buyer_id: buyer_order_number,
    price_deduction: price_reduction,
    discount: price_discount,
    total_ex_vat: total_amount_ex_vat,
    articles: articles.map(({ total_price_including_vat, ...article }) => ({
      ...article,
      total_article_amount: total_price_including_vat,
    })),
    country_code: countryNumbers[merchant.country],
  };
}

/** Empty fields are left out. */
export function attachmentPdf(
  payment: SimulatedSubscriptionPayment | SimulatedOneOff,
  details: Details,
): Uint8Array {
  const money = (amountMinor: number | null | undefined): string | null =>
    amountMinor == null ? null : amountText(amountMinor, payment.currency);
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
    ...(details.delivery_address_lines
      ? ['Delivery address:', ...details.delivery_address_lines]
      : []),
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
  ({
    article_number,
    article_description,
    quantity,
    unit,
    price_per_unit,
    vat_rate,
    total_price_including_vat,
  }: Details['articles'][number]): string =>
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
