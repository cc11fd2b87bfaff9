/**
 * The creation of payments, with the service's checks in their order (document 5, sections 2.2 and
 * 2.10).
 */
import type { OperationBody } from '../../../wallets/http/operation.ts';
import type { createEpayment } from '../../../wallets/epayment/payments/payments-operations.ts';
import type { Phone } from '../phone.ts';
import { ServiceError } from '../service-error.ts';
import type { Caller } from './auth.ts';
import { opened, openMs } from './epayment-payments.ts';
import {
  checkDigits,
  digitsOf,
  type Epayments,
  keyOf,
  type SimulatedEpayment,
} from './epayment-registry.ts';

type Body = OperationBody<typeof createEpayment>;

const minMinor = { NOK: 100, DKK: 1, EUR: 1 } as const;
const dayMs = 24 * 60 * 60_000;
const maxOpenMs = 60 * dayMs;
const tokenMs = 15 * 60_000;
const most = { metadata: 5, keyCharacters: 100, valueCharacters: 500 } as const;
const scopes: ReadonlySet<string> = new Set([
  'name',
  'address',
  'email',
  'phoneNumber',
  'birthDate',
]);
const defaultSize = 1_024;

const refuse = (code: string, message: string): ServiceError =>
  new ServiceError(400, code, message);

export function createPayment(epayments: Epayments, { unit, key, host }: Caller, body: Body) {
  const { world, payments } = epayments;
  const { reference, amount, userFlow } = body;
  checkFields(body);
  checkReceipt(body);
  checkAllowed(unit, body);
  const phone = customerOf(epayments, unit, body);
  const forMs = openFor(epayments, unit, body);
  if (payments.has(keyOf(unit, reference)))
    throw new ServiceError(409, '4150', 'The reference exists');
  const id = world.ids.uuid();
  const format = body.qrFormat?.format ?? 'IMAGE/SVG+XML';
  const payment: SimulatedEpayment = {
    unit,
    reference,
    pspReference: world.ids.uuid(),
    userFlow,
    amountMinor: amount.value,
    currency: amount.currency,
    metadata: body.metadata ?? null,
    receipt: body.receipt ?? null,
    scope: body.profile?.scope ?? null,
    minAge: body.minimumUserAge ?? 0,
    code:
      userFlow === 'QR'
        ? {
            text: `https://qr.vipps.no/simulated/${id}`,
            format,
            size: body.qrFormat?.size ?? defaultSize,
          }
        : null,
    state: 'CREATED',
    phone,
    isApproving: false,
    locks: 0,
    captureRefusal: null,
    capturedMinor: 0,
    cancelledMinor: 0,
    refundedMinor: 0,
    hasRunOut: false,
    authorizedAtMs: 0,
    events: [],
    cancelTimer: () => {},
  };
  payments.set(keyOf(unit, reference), payment);
  opened(epayments, payment, key, forMs);
  const redirectUrl =
    payment.code === null
      ? null
      : format === 'TEXT/TARGETURL'
        ? payment.code.text
        : `http://${host}/simulator/epayment-code/${reference}`;
  return { reference, ...(redirectUrl !== null && { redirectUrl }) };
}

function checkFields({
  userFlow,
  customer,
  qrFormat,
  amount,
  paymentDescription,
  returnUrl,
  metadata = {},
  profile,
}: Body): void {
  if (userFlow === 'PUSH_MESSAGE' && customer === undefined)
    throw refuse('4140', 'PUSH_MESSAGE needs a customer');
  if (userFlow === 'WEB_REDIRECT' && returnUrl === undefined)
    throw refuse('4140', 'WEB_REDIRECT needs a returnUrl');
  if (paymentDescription === undefined) throw refuse('4140', 'A description is needed');
  if (userFlow === 'QR' && customer !== undefined)
    throw new ServiceError(400, null, 'customer: is not sent with QR');
  if (userFlow !== 'QR' && qrFormat !== undefined)
    throw new ServiceError(400, null, 'qrFormat: is for QR alone');
  if (amount.value < minMinor[amount.currency])
    throw refuse('6010', 'The amount is below the least');
  const pairs = Object.entries(metadata);
  if (pairs.length > most.metadata) throw refuse('4100', 'There are too many metadata');
  if (pairs.some(([name]) => name.length > most.keyCharacters))
    throw refuse('4120', 'A key is too long');
  if (pairs.some(([, value]) => value.length > most.valueCharacters))
    throw refuse('4130', 'A value is too long');
  if (
    profile !== undefined &&
    !profile.scope.split(' ').every((scope) => scopes.has(scope) || scope === 'nin')
  )
    throw refuse('4080', 'There is no such scope');
}

/**
 * A receipt that is sent with the payment cannot be corrected later (section 2.4), so its sum is
 * checked at once.
 */
function checkReceipt({ amount, receipt }: Body): void {
  if (receipt === undefined) return;
  const wrong = (field: string, rule: string): ServiceError =>
    new ServiceError(400, null, `${field}: ${rule}`);
  for (const [
    index,
    { totalAmount, totalAmountExcludingTax, totalTaxAmount },
  ] of receipt.orderLines.entries())
    if (totalAmountExcludingTax + totalTaxAmount !== totalAmount)
      throw wrong(
        `receipt.orderLines.${index}.totalAmount`,
        'must be totalAmountExcludingTax and totalTaxAmount together',
      );
  const sum = receipt.orderLines.reduce((before, { totalAmount }) => before + totalAmount, 0);
  if (sum !== amount.value) throw wrong('receipt.orderLines', 'must add up to the amount');
  if (receipt.bottomLine.currency !== amount.currency)
    throw wrong('receipt.bottomLine.currency', 'must be that of the amount');
}

function checkAllowed(
  unit: Caller['unit'],
  { amount, userFlow, paymentMethod, profile }: Body,
): void {
  if (amount.currency !== unit.currency)
    throw refuse('5040', `The sales unit takes ${unit.currency}`);
  if (!unit.isVerified) throw refuse('5060', 'The payout account is not verified');
  if (userFlow === 'PUSH_MESSAGE' && !unit.mayPush)
    throw refuse('5080', 'The sales unit is not approved for PUSH_MESSAGE');
  if (paymentMethod.blockedSources !== undefined && unit.currency === 'NOK')
    throw refuse('5010', 'Blocking is for Denmark and Finland');
  if (profile?.scope.split(' ').includes('nin') === true)
    throw refuse('5030', 'nin needs an agreement');
}

/** Codes of older Vipps apps contain the phone number, those of others a token. */
const personalQrs = [
  /^https:\/\/qr\.vipps\.no\/28\/2\/01\/031\/(\d+)\?v=1$/,
  /^https:\/\/qr\.vipps\.no\/p\/simulated-(\d+)$/,
];

/** @throws ServiceError 4060 */
export function digitsInQr(text: string): string {
  const digits = personalQrs
    .map((pattern) => pattern.exec(text)?.[1])
    .find((rule) => rule !== undefined);
  if (digits === undefined) throw refuse('4060', 'This is the code of no customer');
  return digits;
}

/** @throws ServiceError 4050 */
export function phoneOfToken(
  { checkIns, world }: Epayments,
  unit: Caller['unit'],
  token: string,
): Phone {
  const checkIn = checkIns.get(token);
  if (checkIn?.unit !== unit || world.clock.monotonicMs() - checkIn.atMs > tokenMs)
    throw refuse('4050', 'The token is not valid, or no longer');
  return checkIn.phone;
}

function customerOf(
  epayments: Epayments,
  unit: Caller['unit'],
  { customer, minimumUserAge }: Body,
): Phone | null {
  if (customer === undefined) return null;
  if ('customerToken' in customer) {
    const phone = phoneOfToken(epayments, unit, customer.customerToken);
    return checkDigits(epayments, digitsOf(phone.phoneNumber), minimumUserAge);
  }
  return checkDigits(
    epayments,
    'personalQr' in customer ? digitsInQr(customer.personalQr) : customer.phoneNumber,
    minimumUserAge,
  );
}

/** How long the payment can be approved, in milliseconds. */
function openFor(
  { world }: Epayments,
  { mayLiveLong }: Caller['unit'],
  { expiresAt, receipt }: Body,
): number {
  if (expiresAt === undefined) return openMs;
  const forMs = Date.parse(expiresAt) - world.clock.wallMs();
  if (!mayLiveLong)
    throw refuse('5050', 'The sales unit may not have payments with an end of their own');
  if (forMs > maxOpenMs) throw refuse('6110', 'The end is too far ahead');
  if (forMs <= openMs) throw refuse('6120', 'The end is too near');
  if (receipt === undefined) throw refuse('6130', 'A receipt is needed');
  return forMs;
}
