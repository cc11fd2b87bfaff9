/**
 * The twenty operations of the point-of-sale interface v10 and the three of its sandbox
 * (interface document 2, "Endpoints"; document 4, sections 1.1 and 1.10).
 */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { pointOfSaleInterface, sandboxInterface } from '../v10-interfaces.ts';
import {
  BeaconId,
  CaptureBody,
  CheckIn,
  CreatePointOfSaleBody,
  CreateRefundBody,
  InitiateBody,
  MerchantBrandId,
  MerchantLocationId,
  PaymentRecord,
  PointOfSale,
  PrepareBody,
  ReadyBody,
  RefundRecord,
  Store,
  Text36,
} from './point-of-sale-schemas.ts';

const source = 'document 4, section 1.1';
const termsCodes = { amount: '1102', currencyCode: '1104', merchantPaymentLabel: '1117' } as const;
const storeQuery = z.object({
  merchantBrandId: MerchantBrandId.optional(),
  merchantLocationId: MerchantLocationId.optional(),
});
const storeCodes = { merchantBrandId: '1119', merchantLocationId: '1120' } as const;

export const getPayment = defineOperation({
  name: 'getPayment',
  says: 'Reads a payment. Poll it until it is reserved.',
  interface: pointOfSaleInterface,
  method: 'GET',
  path: '/payments/{paymentId}',
  answer: PaymentRecord,
  polled: true,
  refusals: { 403: ['1401', '1411'], 404: ['1001'] },
  source,
});

export const listPayments = defineOperation({
  name: 'listPayments',
  says: 'Lists the payments of a point of sale: active and reserved ones, or captured ones.',
  interface: pointOfSaleInterface,
  method: 'GET',
  path: '/payments',
  query: z.object({
    posId: z.guid().optional(),
    orderId: Text36.optional(),
    state: z.literal('Captured').optional(),
  }),
  answer: z.object({ paymentIds: z.array(z.guid()) }),
  fieldCodes: { orderId: '1113' },
  refusals: { 400: ['1109'] },
  source,
});

export const initiatePayment = defineOperation({
  name: 'initiatePayment',
  says: 'Creates a payment that is ready for approval at once.',
  interface: pointOfSaleInterface,
  method: 'POST',
  path: '/payments',
  body: InitiateBody,
  answer: z.object({ paymentId: z.guid() }),
  idempotency: 'headerKey',
  fieldCodes: { ...termsCodes, orderId: '1113' },
  refusals: { 403: ['1400'], 409: ['1000', '1204', '1301', '1306'] },
  source,
});

export const preparePayment = defineOperation({
  name: 'preparePayment',
  says: 'Creates a payment whose amount follows later.',
  interface: pointOfSaleInterface,
  method: 'POST',
  path: '/payments/prepare',
  body: PrepareBody,
  answer: z.object({ paymentId: z.guid() }),
  idempotency: 'headerKey',
  fieldCodes: { orderId: '1113' },
  refusals: { 403: ['1400'], 409: ['1000', '1204', '1301', '1306'] },
  source,
});

export const readyPayment = defineOperation({
  name: 'readyPayment',
  says: 'Sets the amount of a prepared payment and sends it to the customer.',
  interface: pointOfSaleInterface,
  method: 'POST',
  path: '/payments/{paymentId}/ready',
  body: ReadyBody,
  fieldCodes: termsCodes,
  refusals: { 403: ['1401', '1406'], 404: ['1001'], 409: ['1303'] },
  source,
});

export const capturePayment = defineOperation({
  name: 'capturePayment',
  says: 'Captures a reservation. The money moves.',
  interface: pointOfSaleInterface,
  method: 'POST',
  path: '/payments/{paymentId}/capture',
  body: CaptureBody,
  fieldCodes: { amount: '1102' },
  refusals: { 403: ['1401', '1407'], 404: ['1001'], 409: ['1304', '1305', '1307', '1308'] },
  source,
});

export const cancelPayment = defineOperation({
  name: 'cancelPayment',
  says: 'Cancels a payment that is not captured, and releases its reservation.',
  interface: pointOfSaleInterface,
  method: 'POST',
  path: '/payments/{paymentId}/cancel',
  refusals: { 403: ['1401', '1408'], 404: ['1001'], 409: ['1300'] },
  source,
});

export const getPointOfSale = defineOperation({
  name: 'getPointOfSale',
  says: 'Reads a point of sale, with its beacon.',
  interface: pointOfSaleInterface,
  method: 'GET',
  path: '/pointofsales/{posId}',
  answer: PointOfSale,
  refusals: { 403: ['1400', '1410'], 404: ['1000'] },
  source,
});

export const deletePointOfSale = defineOperation({
  name: 'deletePointOfSale',
  says: 'Deletes a point of sale. Its reservations can still be captured or cancelled.',
  interface: pointOfSaleInterface,
  method: 'DELETE',
  path: '/pointofsales/{posId}',
  refusals: { 403: ['1400', '1409'], 404: ['1000'] },
  source,
});

export const listPointsOfSale = defineOperation({
  name: 'listPointsOfSale',
  says: 'Finds points of sale by store, beacon or own name.',
  interface: pointOfSaleInterface,
  method: 'GET',
  path: '/pointofsales',
  query: z.object({
    storeId: z.guid().optional(),
    beaconId: BeaconId.optional(),
    merchantPosId: Text36.optional(),
  }),
  answer: z.object({ posIds: z.array(z.guid()) }),
  fieldCodes: { beaconId: '1100', merchantPosId: '1111' },
  refusals: { 400: ['1121'] },
  source,
});

export const createPointOfSale = defineOperation({
  name: 'createPointOfSale',
  says: 'Creates a point of sale, which cannot be changed later.',
  interface: pointOfSaleInterface,
  method: 'POST',
  path: '/pointofsales',
  body: CreatePointOfSaleBody,
  answer: z.object({ posId: z.guid() }),
  idempotency: 'headerKey',
  fieldCodes: {
    beaconId: '1100',
    merchantPosId: '1111',
    name: '1112',
    callbackAlias: '1116',
    supportedBeaconTypes: '1101',
  },
  refusals: { 403: ['1403'], 409: ['1002', '1200', '1202', '1306'] },
  source,
});

export const lookUpCheckIn = defineOperation({
  name: 'lookUpCheckIn',
  says: 'Reads whether a customer is checked in. Poll it only while the QR code is displayed.',
  interface: pointOfSaleInterface,
  method: 'GET',
  path: '/pointofsales/{posId}/checkin',
  answer: CheckIn,
  polled: true,
  refusals: { 403: ['1400', '1410'], 404: ['1000'] },
  source,
});

export const getStore = defineOperation({
  name: 'getStore',
  says: 'Reads a store.',
  interface: pointOfSaleInterface,
  method: 'GET',
  path: '/stores/{storeId}',
  answer: Store,
  refusals: { 404: ['1002'] },
  source,
});

export const listStoreIds = defineOperation({
  name: 'listStoreIds',
  says: 'Finds the ids of the stores of the merchant, or of one brand and location.',
  interface: pointOfSaleInterface,
  method: 'GET',
  path: '/stores',
  query: storeQuery,
  answer: z.object({ storeIds: z.array(z.guid()) }),
  fieldCodes: storeCodes,
  refusals: { 400: ['1122'] },
  source,
});

export const listStores = defineOperation({
  name: 'listStores',
  says: 'Finds stores with their names and addresses.',
  interface: pointOfSaleInterface,
  method: 'GET',
  path: '/stores/detailed',
  query: storeQuery,
  answer: z.array(Store),
  fieldCodes: storeCodes,
  refusals: { 400: ['1122'] },
  source,
});

export const getRefund = defineOperation({
  name: 'getRefund',
  says: 'Reads a refund. Poll it until it is reserved.',
  interface: pointOfSaleInterface,
  method: 'GET',
  path: '/refunds/{refundId}',
  answer: RefundRecord,
  polled: true,
  refusals: { 403: ['1402'], 404: ['1004'] },
  source,
});

export const listRefunds = defineOperation({
  name: 'listRefunds',
  says: 'Lists the refunds of a payment.',
  interface: pointOfSaleInterface,
  method: 'GET',
  path: '/refunds',
  query: z.object({ paymentId: z.guid().optional() }),
  answer: z.object({ refundIds: z.array(z.guid()) }),
  refusals: { 400: ['1110'] },
  source,
});

export const createRefund = defineOperation({
  name: 'createRefund',
  says: 'Creates a refund of all or a part of a captured payment.',
  interface: pointOfSaleInterface,
  method: 'POST',
  path: '/refunds',
  body: CreateRefundBody,
  answer: z.object({ refundId: z.guid() }),
  idempotency: 'headerKey',
  fieldCodes: { amount: '1102', currencyCode: '1104', refundOrderId: '1114' },
  refusals: { 403: ['1401'], 409: ['1001', '1306', '1354', '1365', '1366', '1367', '1368'] },
  source,
});

export const captureRefund = defineOperation({
  name: 'captureRefund',
  says: 'Captures a reserved refund. The money goes back.',
  interface: pointOfSaleInterface,
  method: 'POST',
  path: '/refunds/{refundId}/capture',
  refusals: { 403: ['1402'], 404: ['1004'], 409: ['1351'] },
  source,
});

export const cancelRefund = defineOperation({
  name: 'cancelRefund',
  says: 'Cancels a refund that is not captured.',
  interface: pointOfSaleInterface,
  method: 'POST',
  path: '/refunds/{refundId}/cancel',
  refusals: { 403: ['1402'], 404: ['1004'], 409: ['1352'] },
  source,
});

/**
 * No point of sale with the beacon; nothing there to do this to. The documents name 401 and 500
 * alone: these are the simulator's answers.
 */
const sandboxRefusals = { 409: ['1000', '1099'] };

export const simulateCheckIn = defineOperation({
  name: 'simulateCheckIn',
  says: 'Sandbox: a test user checks in at a beacon.',
  interface: sandboxInterface,
  method: 'POST',
  path: '/checkin',
  body: z.object({ beaconId: BeaconId, phoneNumber: z.string() }),
  fieldCodes: { beaconId: '1100' },
  refusals: sandboxRefusals,
  source: 'document 4, sections 1.1 and 1.15',
});

export const simulateAcceptPayment = defineOperation({
  name: 'simulateAcceptPayment',
  says: 'Sandbox: the test user approves the payment on the phone.',
  interface: sandboxInterface,
  method: 'POST',
  path: '/acceptpayment',
  body: z.object({ beaconId: BeaconId, phoneNumber: z.string() }),
  fieldCodes: { beaconId: '1100' },
  refusals: sandboxRefusals,
  source: 'document 4, sections 1.1 and 1.15',
});

export const simulateCancelPaymentByUser = defineOperation({
  name: 'simulateCancelPaymentByUser',
  says: 'Sandbox: the test user cancels the payment on the phone.',
  interface: sandboxInterface,
  method: 'POST',
  path: '/cancelpaymentbyuser',
  body: z.object({ beaconId: BeaconId }),
  fieldCodes: { beaconId: '1100' },
  refusals: sandboxRefusals,
  source: 'document 4, sections 1.1 and 1.15',
});

export const pointOfSaleOperations = [
  getPayment,
  listPayments,
  initiatePayment,
  preparePayment,
  readyPayment,
  capturePayment,
  cancelPayment,
  getPointOfSale,
  deletePointOfSale,
  listPointsOfSale,
  createPointOfSale,
  lookUpCheckIn,
  getStore,
  listStoreIds,
  listStores,
  getRefund,
  listRefunds,
  createRefund,
  captureRefund,
  cancelRefund,
] as const;

export const sandboxOperations = [
  simulateCheckIn,
  simulateAcceptPayment,
  simulateCancelPaymentByUser,
] as const;
