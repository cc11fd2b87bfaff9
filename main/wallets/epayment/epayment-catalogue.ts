/** Every operation of the ePayment service that is declared, interface by interface. */
import type { Operation } from '../http/operation.ts';
import { getAccessToken } from './access-token.ts';
import { managementOperations } from './management/management-operations.ts';
import { epaymentOperations } from './payments/payments-operations.ts';
import { qrOperations } from './qr/qr-operations.ts';
import { ledgerOperations } from './report/report-operations.ts';
import { webhookOperations } from './webhooks/webhooks-operations.ts';

/** Every operation as data: the types of bodies and answers differ from one to the next. */
export const epaymentCatalogue = [
  getAccessToken,
  ...epaymentOperations,
  ...qrOperations,
  ...webhookOperations,
  ...ledgerOperations,
  ...managementOperations,
] as unknown as readonly Operation[];
