/**
 * The requests of a till. Names and forms as in Nexo's "Sale to POI Protocol", version 3.0, in the
 * JSON of local terminal APIs: from Adyen's adyen-node-api-library (`src/typings/terminal`) and its
 * "Terminal API" pages. Other fields are ignored.
 */
import { z } from 'zod';
import { plainText } from '../../core/domain/outside-text.ts';
import { isZero, minorIn, WrittenNumber } from './json.ts';

/** Printable and bounded, because it is written to the journal. */
const Text = z
  .string('must be a text')
  .regex(plainText(128), 'must be 1 to 128 printable characters');

const amountRule = 'must be a number above 0 with at most two decimals, up to 99999999.99';
const Amount = z
  .instanceof(WrittenNumber, { error: amountRule })
  .transform(minorIn)
  .refine((minor): minor is number => minor !== null && minor > 0, amountRule)
  .pipe(z.number());

const timeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?$/;
const Time = z
  .string('must be a time')
  .refine(
    (text) => timeForm.test(text) && !Number.isNaN(Date.parse(text)),
    'must be a time such as 2026-11-23T09:30:00+01:00',
  );

export const Header = z.object({
  ProtocolVersion: z
    .string('must be 3.0')
    .regex(/^3\.\d$/, 'must be 3.0')
    .optional(),
  MessageClass: z.literal('Service', { error: 'must be Service' }),
  MessageCategory: z
    .string('must be a text')
    .regex(/^[A-Za-z]{2,24}$/, 'must be the category of a message'),
  MessageType: z.literal('Request', { error: 'must be Request' }),
  SaleID: Text,
  ServiceID: Text,
  POIID: Text,
});
export type Header = z.output<typeof Header>;

const TransactionId = z.object({ TransactionID: Text, TimeStamp: Time });
export type TransactionId = z.output<typeof TransactionId>;
const SaleData = z.object({ SaleTransactionID: TransactionId });

/** An amount beside the requested one, or null for none. Many tills always send it, as 0. */
const FurtherAmount = z
  .instanceof(WrittenNumber, { error: 'must be a number' })
  .transform((amount) => (isZero(amount) ? null : amount))
  .default(null);
/**
 * Some tills count these in the requested amount and others on top of it, so that an amount with
 * one of them cannot be known.
 */
const furtherAmounts = {
  CashBackAmount: FurtherAmount,
  TipAmount: FurtherAmount,
  SurchargeAmount: FurtherAmount,
};

/** @returns the name of an amount beside the requested one; null when there is none, or it is 0 */
export const furtherAmountIn = (
  amounts: Readonly<Record<keyof typeof furtherAmounts, WrittenNumber | null>>,
): string | null =>
  (Object.keys(furtherAmounts) as (keyof typeof furtherAmounts)[]).find(
    (name) => amounts[name] !== null,
  ) ?? null;

/**
 * Whether the till reads loyalty. It says nothing of the money, so that no form of these fields
 * refuses a payment.
 */
const TransactionConditions = z.object({ LoyaltyHandling: z.string() }).optional().catch(undefined);
const LoyaltyData = z.array(z.unknown()).default([]).catch([]);

export const PaymentRequest = z.object({
  SaleData,
  PaymentTransaction: z.object({
    AmountsReq: z.object({ Currency: Text, RequestedAmount: Amount, ...furtherAmounts }),
    TransactionConditions,
  }),
  PaymentData: z.object({ PaymentType: Text.default('Normal') }).optional(),
  LoyaltyData,
});
export type PaymentRequest = z.output<typeof PaymentRequest>;

/**
 * Whether the till has a place for loyalty: it leaves it to the terminal, or sends loyalty of its
 * own. Others may not know the field of the answer.
 */
export function readsLoyalty({ PaymentTransaction, LoyaltyData: sent }: PaymentRequest): boolean {
  const { LoyaltyHandling: handling } = PaymentTransaction.TransactionConditions ?? {};
  return handling === undefined
    ? sent.length > 0
    : ['Allowed', 'Proposed', 'Required'].includes(handling);
}

export const ReversalRequest = z.object({
  SaleData: SaleData.optional(),
  OriginalPOITransaction: z.object({ POITransactionID: z.object({ TransactionID: Text }) }),
  ReversedAmount: Amount.optional(),
  /** Some tills send the amount of a partial refund here. */
  PaymentTransaction: z
    .object({
      AmountsReq: z.object({
        Currency: Text.optional(),
        RequestedAmount: Amount.optional(),
        ...furtherAmounts,
      }),
    })
    .optional(),
});
export type ReversalRequest = z.output<typeof ReversalRequest>;

const MessageReference = z.object({
  MessageCategory: Text.optional(),
  SaleID: Text.optional(),
  ServiceID: Text,
});
export type MessageReference = z.output<typeof MessageReference>;
export const AboutMessage = z.object({ MessageReference });

export const LoginRequest = z.object({
  TrainingModeFlag: z.boolean('must be true or false').optional(),
});
export const DiagnosisRequest = z.object({
  HostDiagnosisFlag: z.boolean('must be true or false').optional(),
});
export const GetTotalsRequest = z.object({
  TotalDetails: z.array(Text).optional(),
  TotalFilter: z.record(z.string(), z.unknown()).optional(),
});
export const ReconciliationRequest = z.object({
  ReconciliationType: Text,
  POIReconciliationID: z
    .union([Text, z.instanceof(WrittenNumber).transform(({ text }) => text)], {
      error: 'must be a number',
    })
    .optional(),
});

/** @returns what is wrong, as "field rule" */
export function mistakesOf({ issues }: z.ZodError, where: string): string {
  return issues
    .map(
      ({ path, message }) =>
        `${[where, ...path].join('.')} ${message.startsWith('must') ? message : 'is missing, or of another kind'}`,
    )
    .join('; ');
}
