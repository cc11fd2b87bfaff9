/**
 * The invoice interface, as the simulator serves it, and the test endpoints that create, pay and
 * cancel invoices.
 */
import { z } from 'zod';
import { toMajorUnits, v10Currencies } from '../../../core/domain/money.ts';
import { majorAmount } from '../../../wallets/http/amounts.ts';
import * as op from '../../../wallets/v10/invoice/invoice-operations.ts';
import { type TestEndpoint, testEndpoint, type ApiModule, handler } from '../api-module.ts';
import { amountText, type SummaryTable, summaryTable, shortId } from '../summary.ts';
import { authenticatedMerchant } from '../merchant-auth.ts';
import type { Merchant } from '../merchant.ts';
import { ServiceError } from '../service-error.ts';
import type { World } from '../world.ts';
import { callbackJob } from './invoice-callbacks.ts';
import type { Invoice, InvoiceRegistry } from './invoice-registry.ts';
import {
  acceptInvoice,
  cancelInvoice,
  createInvoice,
  payInvoice,
  rejectInvoice,
  spelled,
  userRedirect,
} from './invoices.ts';

/**
 * The documents have no operation that creates an invoice, so this is the simulator's own. Amounts
 * in major units.
 */
const Create = z.strictObject({
  /** The first merchant without it. */
  merchantVat: z.string().optional(),
  amount: majorAmount(),
  currencyCode: z.enum(v10Currencies).optional(),
  dueDate: z.iso.date(),
  issueDate: z.iso.date().nullable().default(null),
  invoiceNumber: z.string().min(1).nullable().default(null),
  issuerId: z.guid().nullable().default(null),
  /** Required unless it is a link. */
  phoneNumber: z.string().nullable().default(null),
  link: z.boolean().default(false),
  batch: z.boolean().default(false),
});
const Which = z.strictObject({ invoiceId: z.guid() });
/** Without `phoneNumber` the invoice's addressee acts. */
const AtPhone = z.strictObject({
  invoiceId: z.guid(),
  phoneNumber: z.string().nullable().default(null),
});
const Accept = AtPhone.extend({ paymentDate: z.iso.date().nullable().default(null) });

const merchantHandler = handler<Merchant>();

export function invoiceApi(world: World): ApiModule {
  const job = callbackJob(world);
  const registry: InvoiceRegistry = {
    world,
    invoices: new Map(),
    issuers: new Map(),
    tell: job.tell,
  };
  return {
    handlers: [
      merchantHandler(
        op.setInvoiceCallbackBasicAuth,
        ({ caller, path, body: { username, password, callbackurl } }) => {
          mustBeOwn(caller, path);
          job.address(caller, {
            callbackurl,
            authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
          });
        },
      ),
      merchantHandler(
        op.setInvoiceCallbackApiKey,
        ({ caller, path, body: { ApiKey, callbackurl } }) => {
          mustBeOwn(caller, path);
          job.address(caller, { callbackurl, authorization: ApiKey });
        },
      ),
      merchantHandler(op.getInvoiceStatus, ({ caller, path }) => {
        mustBeOwn(caller, path);
        const invoice = registry.invoices.get(path.invoiceId);
        if (invoice?.merchant.vat !== caller.vat) throw new ServiceError(404, null, '');
        return { InvoiceId: invoice.invoiceId, Status: spelled[invoice.status] };
      }),
    ],
    authenticate: (request) => authenticatedMerchant(world, request, 'invoice'),
    refusal: ({ status, code, message }, _operation, correlationId) => ({
      correlation_id: correlationId,
      error: status === 500 ? 'ServerError' : status === 400 ? 'InputError' : 'DomainError',
      error_code: code,
      error_description: message,
      error_context: 'Invoices',
    }),
    unspecifiedCode: null,
    keyReusedCode: () => '',
    state: () => ({ invoices: Array.from(registry.invoices.values(), invoiceState) }),
    summary: () => [invoicesTable(registry)],
    testEndpoints: testEndpoints(registry),
  };
}

function invoicesTable(registry: InvoiceRegistry): SummaryTable {
  return summaryTable(
    'Invoices',
    ['Invoice', 'Number', 'Of', 'Amount', 'Due', 'State'],
    [...registry.invoices.values()],
    (invoice) => {
      const {
        invoiceId,
        invoiceNumber,
        phoneNumber,
        amountMinor,
        currency,
        dueDate,
        status,
        link,
      } = invoice;
      const act = (label: string, action: 'accept' | 'pay' | 'reject') => ({
        label,
        endpoint: `invoice/${action}`,
        body: { invoiceId },
        byPhone: link,
      });
      return {
        cells: [
          shortId(invoiceId),
          invoiceNumber ?? '',
          phoneNumber ?? 'whoever has the link',
          amountText(amountMinor, currency),
          dueDate,
          status,
        ],
        actions: [
          ...(status === 'created' ? [act('Pay later', 'accept')] : []),
          ...(status === 'created' || status === 'accepted'
            ? [act('Pay now', 'pay'), act('Refuse', 'reject')]
            : []),
        ],
      };
    },
  );
}

function mustBeOwn({ merchantId }: Merchant, path: { merchantId: string }): void {
  if (merchantId.toLowerCase() !== path.merchantId) throw new ServiceError(404, null, '');
}

function testEndpoints(registry: InvoiceRegistry): Record<string, TestEndpoint> {
  const { world } = registry;
  const find = (invoiceId: string): Invoice => {
    const invoice = registry.invoices.get(invoiceId.toLowerCase());
    if (invoice === undefined) throw new ServiceError(404, null, 'There is no such invoice');
    return invoice;
  };
  return {
    'invoice/create': testEndpoint(Create, ({ merchantVat, amount, currencyCode, ...about }) => {
      const merchant =
        merchantVat === undefined
          ? [...world.merchants.values()][0]
          : world.merchants.get(merchantVat);
      if (merchant === undefined) throw new ServiceError(404, '10302', 'There is no such merchant');
      if (!about.link && about.phoneNumber === null)
        throw new ServiceError(400, null, 'phoneNumber: must say whose invoice it is');
      const invoice = createInvoice(registry, {
        ...about,
        merchant,
        amountMinor: amount,
        currency: currencyCode ?? merchant.currency,
      });
      return {
        ...invoiceState(invoice),
        ...(about.link ? { Links: [userRedirect(invoice)] } : {}),
      };
    }),
    'invoice/accept': testEndpoint(Accept, ({ invoiceId, phoneNumber, paymentDate }) =>
      acceptInvoice(registry, find(invoiceId), phoneNumber, paymentDate),
    ),
    'invoice/pay': testEndpoint(AtPhone, ({ invoiceId, phoneNumber }) =>
      payInvoice(registry, find(invoiceId), phoneNumber),
    ),
    'invoice/reject': testEndpoint(AtPhone, ({ invoiceId, phoneNumber }) =>
      rejectInvoice(registry, find(invoiceId), phoneNumber),
    ),
    'invoice/cancel': testEndpoint(Which, ({ invoiceId }) =>
      cancelInvoice(registry, find(invoiceId)),
    ),
  };
}

function invoiceState({
  invoiceId,
  merchant,
  issuerId,
  invoiceNumber,
  amountMinor,
  currency,
  dueDate,
  status,
  nextSequence,
}: Invoice) {
  return {
    invoiceId,
    merchantId: merchant.merchantId,
    issuerId,
    invoiceNumber,
    amount: toMajorUnits(amountMinor),
    currencyCode: currency,
    dueDate,
    status,
    nextSequence,
  };
}
