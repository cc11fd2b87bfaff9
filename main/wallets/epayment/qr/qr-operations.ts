/**
 * Codes that stand at a till for good, and the code that a customer shows (document 5, sections 3.2
 * to 3.4).
 */
import { z } from 'zod';
import {
  beaconIdPattern,
  beaconIdRule,
  merchantQrIdPattern,
  merchantQrIdRule,
} from '../../../core/domain/stickers.ts';
import { defineOperation, type PathParameter } from '../../http/operation.ts';
import { OutsideText, unused } from '../../answer-values.ts';
import { qrInterface } from '../epayment-interfaces.ts';

const merchantQrId: PathParameter = { pattern: merchantQrIdPattern, says: merchantQrIdRule };
const beaconId: PathParameter = { pattern: beaconIdPattern, says: beaconIdRule };
const source = 'document 5, section 3.2';
const ofOneCode = { interface: qrInterface, parameters: { merchantQrId }, source } as const;

const CallbackQr = z.object({
  merchantSerialNumber: OutsideText,
  merchantQrId: OutsideText,
  locationDescription: OutsideText.nullish(),
  qrImageUrl: z
    .string()
    .max(4_096)
    .nullish()
    .meta({ description: 'May change: fetched anew, never kept' }),
  qrContent: z.string().max(4_096).meta({ description: 'What the code says' }),
});
const PutBody = z.strictObject({
  locationDescription: z.string().min(1).max(36).meta({ description: 'Shown in the app' }),
  category: z.enum(['IN_STORE', 'VENDING']).optional(),
});
const ImageQuery = z.object({
  qrImageFormat: z.enum(['SVG', 'PNG']).optional(),
  qrImageSize: z.int().min(100).max(2_000).optional(),
  whiteBorder: z.int().min(0).max(100).optional(),
});
/** The `customer` of a payment, with the token of a check-in or the text of a code. */
const Customer = z.strictObject({ customerToken: z.string().min(1) });
const RequestedData = z.array(z.literal('MSISDN')).min(1);

export const putCallbackQr = defineOperation({
  ...ofOneCode,
  name: 'putCallbackQr',
  says: 'Creates the code of a till, or changes its text in the app.',
  method: 'PUT',
  path: '/merchant-callback/{merchantQrId}',
  body: PutBody,
  refusals: { 400: [], 409: [] },
});

export const getCallbackQr = defineOperation({
  ...ofOneCode,
  name: 'getCallbackQr',
  says: 'Reads the code of a till: its content and the address of its image.',
  method: 'GET',
  path: '/merchant-callback/{merchantQrId}',
  query: ImageQuery,
  answer: CallbackQr,
  refusals: { 404: [] },
});

export const listCallbackQrs = defineOperation({
  name: 'listCallbackQrs',
  says: 'Reads the codes of all tills of the sales unit.',
  interface: qrInterface,
  method: 'GET',
  path: '/merchant-callback',
  query: ImageQuery,
  answer: z.array(CallbackQr),
  source,
});

export const deleteCallbackQr = defineOperation({
  ...ofOneCode,
  name: 'deleteCallbackQr',
  says: 'Deletes the code of a till.',
  method: 'DELETE',
  path: '/merchant-callback/{merchantQrId}',
  refusals: { 404: [] },
});

export const adoptBeacon = defineOperation({
  name: 'adoptBeacon',
  says: 'Takes over a printed sticker of the point-of-sale service: its beacon id becomes the id of the code.',
  interface: qrInterface,
  method: 'PUT',
  path: '/merchant-callback/mobilepay/{beaconId}',
  parameters: { beaconId },
  body: PutBody.omit({ category: true }),
  refusals: { 409: [] },
  source,
});

export const exchangePersonalQr = defineOperation({
  name: 'exchangePersonalQr',
  says: 'Returns the phone number of the customer who shows this code.',
  interface: qrInterface,
  method: 'POST',
  path: '/exchange',
  body: z.strictObject({ qrCode: z.string().min(5).max(255), requestedData: RequestedData }),
  answer: z.object({
    msisdn: OutsideText,
    timestamp: unused(OutsideText),
    version: OutsideText.nullish(),
  }),
  refusals: { 400: [] },
  source: 'document 5, section 3.4',
});

export const exchangeCustomerToken = defineOperation({
  name: 'exchangeCustomerToken',
  says: 'Returns the phone number of the customer who checked in.',
  interface: qrInterface,
  method: 'POST',
  path: '/exchange/customer',
  body: z.strictObject({ customer: Customer, requestedData: RequestedData }),
  answer: z.object({ msisdn: OutsideText, timestamp: unused(OutsideText) }),
  refusals: { 400: [] },
  source: 'document 5, section 3.3',
});

export const qrOperations = [
  putCallbackQr,
  getCallbackQr,
  listCallbackQrs,
  deleteCallbackQr,
  adoptBeacon,
  exchangePersonalQr,
  exchangeCustomerToken,
] as const;
