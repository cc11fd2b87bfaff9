/** The reporting interface v3: a merchant's ledger, in pages. */
import { z } from 'zod';
import { minorUnits, toMajorUnits } from '../../../core/domain/money.ts';
import * as op from '../../../wallets/v10/reporting/reporting-operations.ts';
import { maxPageSize } from '../../../wallets/http/pages.ts';
import { defaultPageSize } from '../../../wallets/v10/reporting/reporting-schemas.ts';
import { type ApiModule, handler, testEndpoint } from '../api-module.ts';
import type { Movement, ProductType, Transfer } from '../ledger.ts';
import { amountText, type SummaryTable, summaryTable, shortId, timeText } from '../summary.ts';
import { firstIndexNot } from '../binary-search.ts';
import { authenticatedMerchant } from '../merchant-auth.ts';
import type { Merchant } from '../merchant.ts';
import { ServiceError } from '../service-error.ts';
import type { World } from '../world.ts';

const dayMs = 24 * 60 * 60 * 1000;
const merchantHandler = handler<Merchant>();

const handlers = [
  merchantHandler(op.listReportedPaymentPoints, ({ world, caller, query }) => {
    const points = paymentPoints(world, caller);
    const { records, ...paging } = pageOf(
      points,
      { from: 0, until: points.length },
      { ...query, sortdirection: 'asc' },
    );
    return { ...paging, paymentPoints: records };
  }),
  merchantHandler(op.listReportedTransactions, ({ world, caller, query }) => {
    const movements = movementsOf(world, caller, query);
    const { records, ...paging } = pageOf(
      movements,
      between(movements, fromDate(query.startdate), untilDate(query.enddate)),
      query,
    );
    return { ...paging, transactions: records.map(transactionAnswer) };
  }),
  merchantHandler(op.listReportedTransfers, ({ world, caller, query }) => {
    const transfers = transfersOf(world, caller, query);
    const { records, ...paging } = pageOf(
      transfers,
      between(transfers, fromDate(query.startdate), untilDate(query.enddate, dayMs)),
      query,
    );
    return { ...paging, transfers: records.map(transferAnswer) };
  }),
  merchantHandler(op.getReportedTransfer, ({ world, caller, path }) => {
    const transfer = world.ledger.transfers.get(path.transferId);
    if (transfer?.merchantVat !== caller.vat) throw new ServiceError(404, null, '');
    return transferAnswer(transfer);
  }),
];

export function reportingApi(world: World): ApiModule {
  return {
    handlers,
    authenticate: (request) => authenticatedMerchant(world, request, 'transactionreporting'),
    refusal: ({ code, message }, _operation, correlationId) => ({
      code,
      message,
      correlationId,
      origin: 'Reporting',
    }),
    unspecifiedCode: null,
    keyReusedCode: () => '',
    state: () => ({
      transfers: Array.from(
        world.ledger.transfers.values(),
        ({ id, reference, merchantVat, paymentPointId, totalMinor, currency, atMs }) => ({
          id,
          reference,
          merchantVat,
          paymentPointId,
          totalTransferredAmount: toMajorUnits(totalMinor),
          currencyCode: currency,
          date: iso(atMs),
        }),
      ),
    }),
    summary: () => [transfersTable(world)],
    testEndpoints: { 'reporting/pay-my-shop': testEndpoint(MyShopPayment, myShopPayments(world)) },
  };
}

function transfersTable(world: World): SummaryTable {
  return summaryTable(
    'Transfers',
    ['Transfer', 'Reference', 'Amount', 'Movements', 'At'],
    [...world.ledger.transfers.values()],
    (transfer) => {
      const { id, reference, totalMinor, currency, movements, atMs } = transfer;
      return {
        cells: [
          shortId(id),
          reference,
          amountText(totalMinor, currency),
          String(movements.length),
          timeText(iso(atMs)),
        ],
        actions: [],
      };
    },
  );
}

const iso = (ms: number): string => new Date(ms).toISOString();

/** The merchant's stores, and other payment points with movements. */
function paymentPoints(world: World, merchant: Merchant) {
  const stores = [...world.stores.values()].filter(
    ({ merchantVat }) => merchantVat === merchant.vat,
  );
  const others = [...world.ledger.account(merchant.vat).points.values()].filter(
    ({ paymentPointId }) => !world.stores.has(paymentPointId),
  );
  return [
    ...stores.map(({ storeId, storeName }) => ({
      id: storeId,
      name: storeName,
      productType: 'PointOfSale',
      alias: null,
    })),
    ...others.map(({ paymentPointId, product, movements }) => ({
      id: paymentPointId,
      name: movements[0]?.about['paymentPointName'] ?? null,
      productType: product,
      // "MyShop number, null for all other products."
      alias: product === 'MyShop' ? (movements[0]?.about['myShopNumber'] ?? null) : null,
    })),
  ];
}

interface Where {
  readonly transferid?: string | undefined;
  readonly paymentpointid?: string | undefined;
}

/** The ledger keeps a list for each filter, so that none has to be searched. */
function movementsOf(
  world: World,
  { vat }: Merchant,
  { transferid, paymentpointid }: Where,
): readonly Movement[] {
  const account = world.ledger.account(vat);
  if (transferid === undefined)
    return paymentpointid === undefined
      ? account.movements
      : (account.points.get(paymentpointid.toLowerCase())?.movements ?? []);
  const transfer = world.ledger.transfers.get(transferid.toLowerCase());
  if (transfer?.merchantVat !== vat) return [];
  return paymentpointid === undefined || transfer.paymentPointId === paymentpointid.toLowerCase()
    ? transfer.movements
    : [];
}

function transfersOf(
  world: World,
  { vat }: Merchant,
  { paymentpointid, reference }: Where & { reference?: string | undefined },
): readonly Transfer[] {
  const account = world.ledger.account(vat);
  const transfers =
    paymentpointid === undefined
      ? account.transfers
      : (account.points.get(paymentpointid.toLowerCase())?.transfers ?? []);
  return reference === undefined
    ? transfers
    : transfers.filter((transfer) => transfer.reference === reference);
}

const fromDate = (text: string | undefined): number =>
  text === undefined ? Number.NEGATIVE_INFINITY : Date.parse(text);
/** The exclusive end of a range whose last moment or day, of length `lengthMs`, is included. */
const untilDate = (text: string | undefined, lengthMs = 1): number =>
  text === undefined ? Number.POSITIVE_INFINITY : Date.parse(text) + lengthMs;

interface Range {
  readonly from: number;
  readonly until: number;
}

const between = (records: readonly { atMs: number }[], fromMs: number, untilMs: number): Range => ({
  from: firstIndexNot(records, ({ atMs }) => atMs < fromMs),
  until: firstIndexNot(records, ({ atMs }) => atMs < untilMs),
});

interface Paging {
  readonly pagesize?: number | undefined;
  readonly pagenumber?: number | undefined;
  readonly sortdirection?: 'asc' | 'desc' | undefined;
}

/**
 * A page has at most 1000 records (document 4, section 5). The answer has the size that was used.
 */
function pageOf<Item>(
  records: readonly Item[],
  { from, until }: Range,
  { pagesize: requestedSize = defaultPageSize, pagenumber = 1, sortdirection = 'desc' }: Paging,
) {
  const pagesize = Math.min(requestedSize, maxPageSize);
  const skipped = Math.min((pagenumber - 1) * pagesize, until - from);
  const count = Math.min(pagesize, until - from - skipped);
  const nextPageNumber = skipped + count < until - from ? pagenumber + 1 : null;
  const ascending = sortdirection === 'asc';
  const first = ascending ? from + skipped : until - skipped - count;
  const page = records.slice(first, first + count);
  return { pageSize: pagesize, nextPageNumber, records: ascending ? page : page.reverse() };
}

const productsWithReference: ReadonlySet<ProductType> = new Set([
  'PointOfSale',
  'App payments',
  'Subscription',
]);

const MyShopPayment = z
  .strictObject({
    myShopNumber: z.string().min(1),
    phoneNumber: z.string().min(1),
    amountMinor: z.int().positive(),
    message: z.string().optional(),
    merchantVat: z.string().optional().describe('By default the first merchant.'),
  })
  .describe(
    'A customer pays at a MyShop number, which has no interface of its own. Reports show the payment with the customer.',
  );

/** Each number is a payment point, whose id is made with its first payment. */
function myShopPayments(world: World): (payment: z.infer<typeof MyShopPayment>) => void {
  const points = new Map<string, string>();
  return ({ myShopNumber, phoneNumber, amountMinor, message, merchantVat }) => {
    const merchant =
      merchantVat === undefined
        ? world.merchants.values().next().value
        : world.merchants.get(merchantVat);
    if (merchant === undefined)
      throw new ServiceError(404, null, `There is no merchant ${merchantVat ?? ''}`);
    const key = `${merchant.vat}|${myShopNumber}`;
    const paymentPointId = points.get(key) ?? world.ids.uuid();
    points.set(key, paymentPointId);
    const { userName } = world.phoneByNumber(phoneNumber);
    world.ledger.record({
      type: 'Payment',
      product: 'MyShop',
      merchantVat: merchant.vat,
      paymentPointId,
      amountMinor,
      currency: merchant.currency,
      about: {
        paymentPointName: `MyShop ${myShopNumber}`,
        myShopNumber,
        userName,
        userPhoneNumber: phoneNumber,
        ...(message === undefined ? {} : { message }),
      },
    });
  };
}

/**
 * Only MyShop records have the user's name and number, and only three products the merchant's
 * reference (interface document 3, "Reporting records"). Only app payments have ids of payments and
 * refunds (document 4, section 5).
 */
function factsOf({
  product,
  about: { userName, userPhoneNumber, merchantReference, paymentId, refundId, ...about },
}: Movement) {
  const isInApp = product === 'App payments';
  return {
    ...about,
    paymentId: (isInApp ? paymentId : null) ?? null,
    refundId: (isInApp ? refundId : null) ?? null,
    ...(product === 'MyShop'
      ? { userName, userPhoneNumber: userPhoneNumber && halfMasked(userPhoneNumber) }
      : {}),
    ...(productsWithReference.has(product) ? { merchantReference } : {}),
  };
}

/** Which half is masked, and how, is not documented. */
const halfMasked = (phoneNumber: string): string =>
  phoneNumber.slice(0, -4).replaceAll(/\d/g, 'x') + phoneNumber.slice(-4);

function transactionAnswer(movement: Movement) {
  const { type, amountMinor, currency, atMs, transfer } = movement;
  return {
    ...factsOf(movement),
    type,
    amount: minorUnits(amountMinor),
    currencyCode: currency,
    timestamp: iso(atMs),
    transferReference: transfer?.reference ?? null,
    transferDate: transfer === null ? null : iso(transfer.atMs).slice(0, 'YYYY-MM-DD'.length),
  };
}

function transferAnswer({ id, reference, atMs, totalMinor, currency, paymentPointId }: Transfer) {
  return {
    id,
    reference,
    date: iso(atMs),
    totalTransferredAmount: minorUnits(totalMinor),
    currencyCode: currency,
    paymentPointId,
  };
}
