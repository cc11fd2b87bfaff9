/**
 * `tillbeacon/wallet`: the typed clients of the wallet service.
 *
 * A client needs a {@link Transport}, which has the address of the service, the access, and the
 * ports of network, time and log. `openReporting`, `openAppPayments`, `openSubscriptions` and
 * `createPointOfSaleClient` offer tasks that take more than one operation;
 * `clientOf(transport, operations)` has one method for each operation of an interface. Amounts are
 * integers in minor units (øre, cents).
 *
 * The ePayment service has `createEpaymentCounter`, `epaymentOperations` and the operations of its
 * other interfaces, over a transport with `salesUnitAccess` and `epaymentProfile`.
 *
 * A call throws InvalidRequestError before anything is sent; ServiceRefusedError or
 * CredentialsRefusedError when the service refused; ServiceUnreachableError or
 * UnexpectedAnswerError when the outcome is not known. All are {@link WalletError}.
 */
export { type Cancel, type Clock, systemClock } from '../core/domain/clock.ts';
export { type Ids, systemIds } from '../core/domain/ids.ts';
export { type Log, type LogLine, silentLog } from '../core/domain/log.ts';
export { type Currency, type MinorUnits, type Money, minorUnits } from '../core/domain/money.ts';
export type { CustomerFacts } from '../core/domain/sale.ts';
export { type Access, merchantAccess } from '../wallets/http/access.ts';
export {
  CredentialsRefusedError,
  InvalidRequestError,
  ServiceRefusedError,
  ServiceUnreachableError,
  UnexpectedAnswerError,
  WalletError,
} from '../wallets/http/errors.ts';
export {
  type CallingSystem,
  salesUnitAccess,
  type SalesUnitAccessOptions,
  type SalesUnitKeys,
} from '../wallets/epayment/epayment-access.ts';
export {
  managementOperations,
  type SalesUnit,
} from '../wallets/epayment/management/management-operations.ts';
export { epaymentOperations } from '../wallets/epayment/payments/payments-operations.ts';
export {
  createEpaymentClient as createEpaymentCounter,
  type EpaymentClientOptions as EpaymentCounterOptions,
  type EpaymentCounterSettings,
} from '../wallets/epayment/point-of-sale/epayment-client.ts';
export { epaymentProfile } from '../wallets/epayment/epayment-profile.ts';
export { qrOperations } from '../wallets/epayment/qr/qr-operations.ts';
export {
  type LedgerEntry,
  ledgerOperations,
} from '../wallets/epayment/report/report-operations.ts';
export {
  CheckedInMessage,
  PaymentMessage,
  signatureProblem,
} from '../wallets/epayment/webhooks/webhook-message.ts';
export { webhookOperations } from '../wallets/epayment/webhooks/webhooks-operations.ts';
export {
  fetchHttp,
  type HttpAnswer,
  type HttpRequest,
  type HttpSend,
} from '../wallets/http/http.ts';
export {
  defineOperation,
  type InterfaceDescription,
  type Operation,
  type OperationAnswer,
  type OperationInput,
  type Rule,
} from '../wallets/http/operation.ts';
export {
  type CallOptions,
  Transport,
  type TransportOptions,
  type TransportProfile,
} from '../wallets/http/transport.ts';
export type * from '../core/lane/wallet-port.ts';
export { integratorAccess, type IntegratorAccessOptions } from '../wallets/v10/v10-access.ts';
export {
  type AppPayments,
  openAppPayments,
  type PageOptions,
  type WaitOptions,
} from '../wallets/v10/app-payments/app-payments-client.ts';
export { appPaymentOperations } from '../wallets/v10/app-payments/app-payments-operations.ts';
export {
  type AppPayment,
  type AppRefund,
  appRedirectUri,
  type PaymentPoint,
  returnStatus,
} from '../wallets/v10/app-payments/app-payments-schemas.ts';
export {
  signatureIsGood,
  type Webhook,
  type WebhookEvent,
  WebhookNotification,
} from '../wallets/v10/app-payments/webhook.ts';
export { type Client, clientOf } from '../wallets/v10/typed-client.ts';
export { invoiceOperations } from '../wallets/v10/invoice/invoice-operations.ts';
export {
  InvoiceCallbacks,
  type InvoiceStatus,
  invoiceStatus,
} from '../wallets/v10/invoice/invoice-schemas.ts';
export {
  createPointOfSaleClient,
  type PointOfSaleClientOptions,
} from '../wallets/v10/point-of-sale/point-of-sale-client.ts';
export {
  pointOfSaleOperations,
  sandboxOperations,
} from '../wallets/v10/point-of-sale/point-of-sale-operations.ts';
export type { PointOfSaleSettings } from '../wallets/v10/point-of-sale/point-of-sale-settings.ts';
export {
  headerNames,
  type Profile,
  type ProfileName,
  profileNamed,
  profileNames,
} from '../wallets/v10/v10-profile.ts';
export {
  openReporting,
  type Reporting,
  type StreamOptions,
  type TransactionFilter,
  type TransferFilter,
} from '../wallets/v10/reporting/reporting-client.ts';
export { reportingOperations } from '../wallets/v10/reporting/reporting-operations.ts';
export type {
  ReportedPaymentPoint,
  ReportedTransaction,
  ReportedTransfer,
} from '../wallets/v10/reporting/reporting-schemas.ts';
export {
  type FoundPayments,
  openSubscriptions,
  type Subscriptions,
} from '../wallets/v10/subscriptions/subscriptions-client.ts';
export {
  subscriptionOperations,
  subscriptionSandboxOperations,
} from '../wallets/v10/subscriptions/subscriptions-operations.ts';
export type { ClientCredentials } from '../wallets/v10/v10-token.ts';
