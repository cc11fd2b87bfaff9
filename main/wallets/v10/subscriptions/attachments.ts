/**
 * What a payment shows beside its amount (interface document 1, "Payment attachment" and "Detail
 * rules"; document 4, section 3.3).
 */
import { z } from 'zod';
import { majorAmount } from '../../http/amounts.ts';
import type { Rule } from '../../http/operation.ts';
import { HttpUrl } from '../../http/addresses.ts';
import { Amount, DateTime, maxMinor, refusingObjects, text } from './subscription-fields.ts';
import { daysBetween } from './subscription-payments.ts';

const Line = z.string();
const Lines = z.array(z.string());
const NotNegative = majorAmount({ min: 0, max: maxMinor });
const Signed = majorAmount({ min: -maxMinor, max: maxMinor });
/** Detail rule 6. No amount of money: minor units would cut it. */
const Precise = z
  .number()
  .refine((value) => Number(value.toFixed(10)) === value, 'has more than ten decimals');

const Article = z.object({
  article_number: Line.nullish(),
  article_description: Line.min(1, 'must not be empty'),
  quantity: Precise.nullish(),
  unit: Line.nullish(),
  /** Major units. */
  price_per_unit: Precise.nullish(),
  vat_rate: z.number().nullish(),
  total_vat_amount: Signed.nullish(),
  total_price_including_vat: Signed.nullish(),
});

const AttachmentDetails = z.object({
  document_title: text(60).nullish(),
  hide_payment_point_address: z.boolean().optional(),
  consumer_name: Line.nullish(),
  consumer_address_lines: Lines.nullish(),
  consumer_phone_number: z
    .string()
    .regex(/^\+[1-9]/, 'must begin with a plus sign and the country code')
    .nullish(),
  merchant_contact_name: Line.nullish(),
  delivery_address_lines: Lines.nullish(),
  delivery_date: DateTime.nullish(),
  invoice_number: Line.nullish(),
  merchant_order_number: Line.nullish(),
  buyer_order_number: Line.nullish(),
  issue_date: DateTime.nullish(),
  due_date: DateTime.nullish(),
  order_date: DateTime.nullish(),
  /** When empty, the invoice number is used. */
  payment_reference: text(60).nullish(),
  /** `\n` breaks the line. */
  comment: Line.nullish(),
  price_reduction: NotNegative.nullish(),
  price_discount: Signed.nullish(),
  bonus: NotNegative.nullish(),
  total_amount_ex_vat: Signed.nullish(),
  total_vat_amount: Signed.nullish(),
  total_amount: Amount,
  articles: z.array(Article).min(1, 'must hold an article'),
});

export const AttachmentBody = z.object({
  external_attachment_url: HttpUrl.nullish(),
  generate_pdf: z.boolean().optional(),
  attachment_details: AttachmentDetails.nullish(),
});
type Attachment = z.infer<typeof AttachmentBody>;
type WithDetails = Pick<Attachment, 'attachment_details'>;

/**
 * "An invoice-style detail object can also be placed inside" a one-off payment (document 1,
 * "Endpoints"), which does not name it. It has the name of the details of an attachment, and
 * becomes one. An object of another name is refused, because it would be lost.
 */
export const withDetails = <Shape extends z.core.$ZodLooseShape>(oneOff: z.ZodObject<Shape>) =>
  refusingObjects(
    oneOff.extend({ attachment_details: AttachmentDetails.nullish() }),
    'is not kept: details belong in attachment_details',
  );

const latestDueDateDays = 400;

/** @param detailsIn what they are in, and its name in the body */
const dueDateIsNear = <Body>(
  detailsIn: (body: Body) => WithDetails | null | undefined,
  place = '',
): Rule<Body> => ({
  says: `must be between today and ${latestDueDateDays} days ahead`,
  source: 'interface document 1, "Detail rules", rule 2',
  refusedByService: true,
  broken(body, { today }) {
    const dueDate = detailsIn(body)?.attachment_details?.due_date;
    if (!dueDate) return null;
    const days = daysBetween(today, dueDate.slice(0, 'YYYY-MM-DD'.length));
    return days < 0 || days > latestDueDateDays
      ? { field: `${place}attachment_details.due_date`, value: dueDate }
      : null;
  },
});

export const oneOffDueDateIsNear = dueDateIsNear<WithDetails>((oneOff) => oneOff);
export const firstDueDateIsNear = dueDateIsNear<{
  readonly one_off_payment?: WithDetails | null | undefined;
}>(({ one_off_payment }) => one_off_payment, 'one_off_payment.');

export const attachmentRules: readonly Rule<Attachment>[] = [
  {
    says: 'must be false with an external_attachment_url',
    source: 'document 4, section 3.3',
    refusedByService: true,
    broken: ({ external_attachment_url, generate_pdf }) =>
      external_attachment_url && generate_pdf === true
        ? { field: 'generate_pdf', value: generate_pdf }
        : null,
  },
  {
    says: 'must be false without attachment_details',
    source: 'interface document 1, "Payment attachment"',
    refusedByService: true,
    broken: ({ attachment_details, generate_pdf }) =>
      generate_pdf === true && !attachment_details
        ? { field: 'generate_pdf', value: generate_pdf }
        : null,
  },
  dueDateIsNear((attachment) => attachment),
];

const ReadAmount = majorAmount().nullish();
const ReadText = z.string().nullish();
const ReadLines = z.array(z.string()).nullish();

/**
 * Answers have other names than requests: `price_deduction` is the `price_reduction`,
 * `discount` the `price_discount`, `total_ex_vat` the `total_amount_ex_vat`, `merchant_order_id`
 * and `buyer_id` are the order numbers, `total_article_amount` is the `total_price_including_vat`;
 * and the service adds whose payment point it is. Other fields are left out: it
 * might be an amount in major units.
 */
const ReadArticle = z.object({
  article_number: ReadText,
  article_description: ReadText,
  quantity: z.number().nullish(),
  unit: ReadText,
  /** Major units: it may have ten decimals. */
  price_per_unit: z.number().nullish(),
  vat_rate: z.number().nullish(),
  total_vat_amount: ReadAmount,
  total_article_amount: ReadAmount,
});

const ReadDetails = z.object({
  document_title: ReadText,
  hide_payment_point_address: z.boolean().nullish(),
  consumer_name: ReadText,
  consumer_address_lines: ReadLines,
  /** The consumer's alias, as far as the simulator knows; not documented. */
  alias: ReadText,
  payment_point_name: ReadText,
  payment_point_address_lines: ReadLines,
  /** The merchant's number in the register of companies. */
  merchant_cvr: ReadText,
  merchant_contact_name: ReadText,
  delivery_address_lines: ReadLines,
  delivery_date: ReadText,
  invoice_number: ReadText,
  merchant_order_id: ReadText,
  buyer_id: ReadText,
  issue_date: ReadText,
  due_date: ReadText,
  order_date: ReadText,
  payment_reference: ReadText,
  comment: ReadText,
  price_deduction: ReadAmount,
  discount: ReadAmount,
  bonus: ReadAmount,
  total_ex_vat: ReadAmount,
  total_vat_amount: ReadAmount,
  total_amount: ReadAmount,
  articles: z.array(ReadArticle).nullish(),
  /** 0, 1 or 2; which country is which is not documented. */
  country_code: z.union([z.int(), z.string()]).nullish(),
});

/** Amounts are minor units. */
export const ReadAttachment = z.object({
  external_attachment_url: ReadText,
  generate_pdf: z.boolean().nullish(),
  attachment_details: ReadDetails.nullish(),
});
