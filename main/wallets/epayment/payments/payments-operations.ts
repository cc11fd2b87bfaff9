/**
 * The operations of the ePayment interface and their records, under its own names (document 5,
 * sections 2.1 to 2.10). The interface has no list and no search: a payment is found by its
 * reference.
 *
 * Requests are as strict as the interface, which rejects unknown fields. Answers take the fields
 * that are needed and let the rest pass.
 */
import { z } from 'zod';
import { currencies } from '../../../core/domain/money.ts';
import { OutsideText, unused } from '../../answer-values.ts';
import { SecureUrl } from '../../http/addresses.ts';
import { minorAmount } from '../../http/amounts.ts';
import { defineOperation, type PathParameter } from '../../http/operation.ts';
import { epaymentInterface } from '../epayment-interfaces.ts';

const maxMinor = 65_000_000;

/** Ours, and the only name by which a payment is reached. */
const referencePattern = /^[a-zA-Z0-9-]{8,64}$/;
const referenceParameter: PathParameter = {
  pattern: referencePattern,
  says: 'must be 8 to 64 letters, digits and hyphens',
};

const Reference = z.string().regex(referencePattern, referenceParameter.says);

const Currency = z.enum(currencies);
const RequestedAmount = z.strictObject({
  currency: Currency,
  value: minorAmount({ min: 1, max: maxMinor }),
});

/** Exactly one of three (document 5, section 2.2). */
const Customer = z.union(
  [
    z.strictObject({
      phoneNumber: z
        .string()
        .regex(/^\d{9,15}$/, 'must be digits with the country code')
        .meta({ description: 'With the country code and without +' }),
    }),
    z.strictObject({
      personalQr: z
        .string()
        .min(5)
        .max(255)
        .meta({ description: 'The whole text of the code that the customer shows' }),
    }),
    z.strictObject({
      customerToken: z.string().min(1).meta({ description: 'Of a check-in; for 15 minutes' }),
    }),
  ],
  { error: 'must be one of phoneNumber, personalQr and customerToken' },
);

const OrderLine = z.strictObject({
  name: z.string().min(1),
  id: z.string().min(1),
  totalAmount: z.int(),
  totalAmountExcludingTax: z.int(),
  totalTaxAmount: z.int(),
  taxRate: z.int().min(0).max(10_000).optional().meta({ description: 'Hundredths of a percent' }),
  unitInfo: z
    .strictObject({
      unitPrice: z.int().optional(),
      quantity: z.string().max(10).optional(),
      quantityUnit: z.enum(['PCS', 'KG', 'KM', 'MINUTE', 'LITRE', 'KWH']).optional(),
    })
    .optional(),
  discount: z.int().min(0).optional(),
  productUrl: z.string().optional(),
  isReturn: z.boolean().optional(),
  isShipping: z.boolean().optional(),
});

const Receipt = z.strictObject({
  orderLines: z.array(OrderLine).min(1),
  bottomLine: z.strictObject({
    currency: Currency,
    posId: z.string().optional(),
    receiptNumber: z.string().optional(),
    tipAmount: z.int().min(0).optional(),
    barcode: z
      .strictObject({ format: z.enum(['EAN-13', 'CODE 39', 'CODE 128']), data: z.string() })
      .optional(),
    paymentSources: z
      .strictObject({
        giftCard: z.int().optional(),
        card: z.int().optional(),
        voucher: z.int().optional(),
        cash: z.int().optional(),
      })
      .optional(),
  }),
});

/** Every payment at a counter: the customer stands there (a duty under payment law). */
const CreateEpaymentBody = z.strictObject({
  amount: RequestedAmount,
  paymentMethod: z.strictObject({
    type: z.literal('WALLET'),
    blockedSources: z.array(z.string()).optional(),
  }),
  customerInteraction: z.enum(['CUSTOMER_PRESENT', 'CUSTOMER_NOT_PRESENT']).optional(),
  reference: Reference,
  userFlow: z.enum(['QR', 'PUSH_MESSAGE', 'WEB_REDIRECT', 'NATIVE_REDIRECT']),
  customer: Customer.optional(),
  paymentDescription: z.string().min(3).max(100).optional(),
  returnUrl: SecureUrl.optional(),
  qrFormat: z
    .strictObject({
      format: z.enum(['IMAGE/SVG+XML', 'IMAGE/PNG', 'TEXT/TARGETURL']),
      size: z.int().min(100).max(2_000).optional().meta({ description: 'Pixels, of a PNG' }),
    })
    .optional(),
  expiresAt: z.iso.datetime({ offset: true }).optional(),
  receipt: Receipt.optional(),
  receiptUrl: SecureUrl.optional(),
  metadata: z
    .record(z.string(), z.string())
    .optional()
    .meta({ description: 'At most 5; keys of 100 characters, values of 500' }),
  minimumUserAge: z.int().min(1).max(100).optional(),
  profile: z.strictObject({ scope: z.string() }).optional(),
  merchantLegalLinks: z
    .strictObject({ termsOfSaleUrl: SecureUrl, privacyPolicyUrl: SecureUrl })
    .optional(),
});

const CreateEpaymentAnswer = z.object({
  reference: OutsideText,
  redirectUrl: z.string().max(4_096).nullish().meta({
    description:
      'Of a QR: where its image is, or with TEXT/TARGETURL what it says. Of a PUSH_MESSAGE: none',
  }),
});

const ModificationBody = z.strictObject({ modificationAmount: RequestedAmount });

const CancelEpaymentBody = z.strictObject({
  cancelTransactionOnly: z
    .boolean()
    .meta({ description: 'Only while nobody has approved; false: a reservation is released, too' }),
});

const Amount = z.object({ currency: OutsideText, value: minorAmount() });

const Aggregate = z.object({
  authorizedAmount: Amount,
  capturedAmount: Amount,
  cancelledAmount: Amount,
  refundedAmount: Amount,
});
export type Aggregate = z.infer<typeof Aggregate>;

/**
 * Text: a state that the document does not know must not stop a payment; `paymentStatus` maps it.
 */
const State = OutsideText.meta({
  description:
    'CREATED; AUTHORIZED, of which the aggregate tells the rest; ABORTED, EXPIRED, TERMINATED',
});

const ModificationAnswer = z.object({
  reference: OutsideText,
  pspReference: OutsideText.nullish(),
  state: State,
  amount: Amount,
  aggregate: Aggregate,
});

export const Epayment = z.object({
  reference: OutsideText,
  pspReference: OutsideText.nullish().meta({
    description: 'Of the creation; each event has its own',
  }),
  state: State,
  amount: Amount,
  aggregate: Aggregate,
  paymentMethod: unused(
    z.object({
      type: OutsideText,
      cardBin: OutsideText.nullish().meta({
        description: 'The first digits of the card, once it is approved',
      }),
    }),
  ),
  profile: unused(
    z.object({
      sub: OutsideText.nullish().meta({ description: 'The customer, where a scope was asked for' }),
    }),
  ),
  captureGuaranteedUntil: OutsideText.nullish(),
  redirectUrl: z.string().max(4_096).nullish(),
  metadata: z.record(z.string(), OutsideText).nullish(),
});
export type Epayment = z.infer<typeof Epayment>;

export const EpaymentEvent = z.object({
  reference: OutsideText,
  pspReference: OutsideText,
  name: OutsideText.meta({
    description: 'CREATED, ABORTED, EXPIRED, CANCELLED, CAPTURED, REFUNDED, AUTHORIZED, TERMINATED',
  }),
  amount: Amount,
  timestamp: OutsideText,
  idempotencyKey: OutsideText.nullish().meta({ description: 'Of the request that caused it' }),
  success: z.boolean(),
});
export type EpaymentEvent = z.infer<typeof EpaymentEvent>;

const ForceApproveBody = z.union([
  z.strictObject({ customer: z.strictObject({ phoneNumber: z.string().regex(/^\d{9,15}$/) }) }),
  z.strictObject({ token: z.string().min(1) }),
]);

const parameters = { reference: referenceParameter };
const source = 'document 5, sections 2.1 and 2.10';
const ofOnePayment = { interface: epaymentInterface, parameters, source } as const;

export const createEpayment = defineOperation({
  name: 'createEpayment',
  says: 'Creates a payment under our own reference.',
  interface: epaymentInterface,
  method: 'POST',
  path: '/payments',
  body: CreateEpaymentBody,
  answer: CreateEpaymentAnswer,
  success: 201,
  idempotency: 'headerKey',
  refusals: {
    400: [
      '4050',
      '4060',
      '4070',
      '4080',
      '4100',
      '4120',
      '4130',
      '4140',
      '5010',
      '5030',
      '5040',
      '5050',
      '5060',
      '5080',
      '6010',
      '6110',
      '6120',
      '6130',
      '7010',
    ],
    403: [],
    409: ['4020', '4150'],
    422: ['5070'],
    429: [],
  },
  source,
});

export const getEpayment = defineOperation({
  ...ofOnePayment,
  name: 'getEpayment',
  says: 'Reads a payment. Poll it about once a second while a customer waits.',
  method: 'GET',
  path: '/payments/{reference}',
  answer: Epayment,
  polled: true,
  refusals: { 403: [], 404: ['5090'], 429: [] },
});

export const listEpaymentEvents = defineOperation({
  ...ofOnePayment,
  name: 'listEpaymentEvents',
  says: 'Lists the events of a payment. Only here can one capture or refund be told from another.',
  method: 'GET',
  path: '/payments/{reference}/events',
  answer: z.array(EpaymentEvent),
  refusals: { 403: [], 404: ['5090'], 429: [] },
});

export const captureEpayment = defineOperation({
  ...ofOnePayment,
  name: 'captureEpayment',
  says: 'Captures a reservation. The money moves.',
  method: 'POST',
  path: '/payments/{reference}/capture',
  body: ModificationBody,
  answer: ModificationAnswer,
  idempotency: 'headerKey',
  refusals: {
    400: ['6070', '6080', '6090', '6100', '6140', '6160', '6170', '6260', '6280'],
    403: [],
    404: ['5090'],
    409: ['4010'],
    423: [],
    429: [],
  },
});

export const cancelEpayment = defineOperation({
  ...ofOnePayment,
  name: 'cancelEpayment',
  says: 'Cancels an open payment. Without a condition it also releases a reservation.',
  method: 'POST',
  path: '/payments/{reference}/cancel',
  body: CancelEpaymentBody,
  answer: ModificationAnswer,
  idempotency: 'headerKey',
  refusals: {
    400: ['6040', '6050', '6060', '6160', '6190', '6250'],
    403: [],
    404: ['5090'],
    409: ['4020'],
    423: [],
    429: [],
  },
});

export const refundEpayment = defineOperation({
  ...ofOnePayment,
  name: 'refundEpayment',
  says: 'Refunds captured money in one step. It cannot be undone.',
  method: 'POST',
  path: '/payments/{reference}/refund',
  body: ModificationBody,
  answer: ModificationAnswer,
  idempotency: 'headerKey',
  refusals: {
    400: ['5100', '6020', '6150', '6160', '6220'],
    403: [],
    404: ['5090'],
    409: ['4150'],
    423: [],
    429: [],
  },
});

export const forceApproveEpayment = defineOperation({
  ...ofOnePayment,
  name: 'forceApproveEpayment',
  says: 'Approves a payment in place of its customer. Test environment only.',
  method: 'POST',
  path: '/test/payments/{reference}/approve',
  body: ForceApproveBody,
  refusals: { 400: ['10010', '10020'], 404: ['5090'] },
});

export const epaymentOperations = [
  createEpayment,
  getEpayment,
  listEpaymentEvents,
  captureEpayment,
  cancelEpayment,
  refundEpayment,
  forceApproveEpayment,
] as const;
