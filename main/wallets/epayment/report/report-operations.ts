/** The ledgers: payouts and their entries (document 5, section 5). In production alone. */
import { z } from 'zod';
import { dayRule } from '../../../core/domain/field-rules.ts';
import { defineOperation, type PathParameter } from '../../http/operation.ts';
import { OutsideText, unused } from '../../answer-values.ts';
import { reportInterface, settlementInterface } from '../epayment-interfaces.ts';

const source = 'document 5, section 5';
const ledgerId: PathParameter = {
  pattern: /^[a-zA-Z0-9-]{1,64}$/,
  says: 'must be the id of a ledger',
};
const topic: PathParameter = { pattern: /^(funds|fees)$/, says: 'must be funds or fees' };
const ledgerDate: PathParameter = { pattern: /^\d{4}-\d{2}-\d{2}$/, says: dayRule };
const text = OutsideText.nullish();

const Identifier = z.object({ scheme: OutsideText, id: OutsideText });

const Ledger = z.object({
  ledgerId: OutsideText,
  currency: OutsideText,
  payoutBankAccount: unused(Identifier),
  owner: unused(Identifier),
  settlesForRecipientHandles: z.array(OutsideText).meta({
    description: '`api:` and the serial number of a sales unit, or a country and a shop number',
  }),
  salesUnits: z.array(z.object({ name: text, recipientHandle: OutsideText })).nullish(),
});

/** Unknown types must be carried on, never dropped. */
export const LedgerEntry = z.object({
  pspReference: text.meta({
    description: 'Of the event: the capture, the refund. Of a payout its number',
  }),
  time: OutsideText,
  ledgerDate: OutsideText,
  entryType: OutsideText,
  reference: text.meta({ description: 'Ours; of a payout the text on the bank statement' }),
  currency: OutsideText,
  amount: z.int().meta({ description: 'Minor units, with a sign' }),
  balanceBefore: z.int().nullish(),
  balanceAfter: z.int().nullish(),
  recipientHandle: text,
});
export type LedgerEntry = z.infer<typeof LedgerEntry>;

/** `tryLater`: the day is still open, and what is there is not all. */
const EntriesPage = z.object({
  items: z.array(LedgerEntry),
  hasMore: z.boolean().nullish(),
  cursor: z.string().nullish(),
  tryLater: z.boolean().nullish(),
});

export const listLedgers = defineOperation({
  name: 'listLedgers',
  says: 'Lists the ledgers. Each sales unit has one.',
  interface: settlementInterface,
  method: 'GET',
  path: '/ledgers',
  query: z.object({
    settlesForRecipientHandles: z.string().optional(),
    cursor: z.string().optional(),
  }),
  answer: z.object({ items: z.array(Ledger), cursor: z.string().nullish() }),
  source,
});

export const listLedgerDay = defineOperation({
  name: 'listLedgerDay',
  says: 'Lists the entries of one day: funds or fees.',
  interface: reportInterface,
  method: 'GET',
  path: '/ledgers/{ledgerId}/{topic}/dates/{ledgerDate}',
  parameters: { ledgerId, topic, ledgerDate },
  query: z.object({ cursor: z.string().optional() }),
  answer: EntriesPage,
  refusals: { 404: [] },
  source,
});

export const followLedger = defineOperation({
  name: 'followLedger',
  says: 'Lists the entries behind a cursor. The list has no end: `tryLater` means that no further entry exists yet.',
  interface: reportInterface,
  method: 'GET',
  path: '/ledgers/{ledgerId}/{topic}/feed',
  parameters: { ledgerId, topic },
  query: z.object({ cursor: z.string().optional() }),
  answer: EntriesPage,
  refusals: { 404: [] },
  source,
});

export const ledgerOperations = [listLedgers, listLedgerDay, followLedger] as const;
