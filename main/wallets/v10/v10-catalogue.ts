/** Every operation of the wallet service that is declared, interface by interface. */
import { appPaymentOperations } from './app-payments/app-payments-operations.ts';
import { invoiceOperations } from './invoice/invoice-operations.ts';
import type { Operation } from '../http/operation.ts';
import {
  pointOfSaleOperations,
  sandboxOperations,
} from './point-of-sale/point-of-sale-operations.ts';
import { reportingOperations } from './reporting/reporting-operations.ts';
import {
  subscriptionOperations,
  subscriptionSandboxOperations,
} from './subscriptions/subscriptions-operations.ts';

/** Every operation as data: the types of bodies and answers differ from one to the next. */
export const v10Catalogue = [
  ...pointOfSaleOperations,
  ...sandboxOperations,
  ...appPaymentOperations,
  ...subscriptionOperations,
  ...subscriptionSandboxOperations,
  ...reportingOperations,
  ...invoiceOperations,
] as unknown as readonly Operation[];
