/** App payments and their webhooks, as the simulator serves them. */
import { z } from 'zod';
import { door, type Face } from '../face.ts';
import { amountText, type Glance, glance, shortId, timeText } from '../glance.ts';
import { merchantOf } from '../merchant-access.ts';
import { type Merchant, ServiceError, type World } from '../world.ts';
import { addPoint, allPoints, type Book, findPayment, findPoint, openBook } from './book.ts';
import { appPaymentHandlers } from './handlers.ts';
import { accept, reject, returnUri } from './payments.ts';
import { announce } from './webhooks.ts';

const OfPayment = z.strictObject({ paymentId: z.guid(), phoneNumber: z.string() });
const HangingCaptures = z.strictObject({ paymentId: z.guid(), times: z.int().min(0).default(1) });
const NewPoint = z.strictObject({ merchantVat: z.string(), name: z.string().min(1) });
const OfPoint = z.strictObject({ paymentPointId: z.guid() });
const Funds = z.strictObject({ paymentPointId: z.guid(), balance: z.int().min(0) });

export function appPaymentsFace(world: World): Face {
  const book = openBook(world);
  world.ledger.onTransfer(({ id, merchantVat, paymentPointId }) => announce(book, 'transfer.succeeded', { merchantVat, paymentPointId, id }));
  return {
    handlers: appPaymentHandlers(book),
    authorize: (request, { path }) => merchantOf(world, request, path.startsWith('/webhooks') ? 'webhooks' : 'merchantpayments'),
    callerKey: (caller) => (caller as Merchant).vat,
    /** "400: message only" (document 4, section 4). */
    refusal: ({ code, message }, _operation, correlationId) => ({ ...(code === null ? {} : { code }), message, correlationId, origin: 'APP' }),
    unspecifiedCode: null,
    keyReusedCode: 'idempotency_key_reused',
    state: () => state(book),
    glance: () => [paymentsAtAGlance(book)],
    doors: {
      // What a phone's owner does; each answers where the app then sends the user.
      'app-payments/accept': door(OfPayment, ({ paymentId, phoneNumber }) => {
        const payment = findPayment(book, null, paymentId);
        const paid = accept(book, payment, world.phoneNumbered(phoneNumber));
        return { redirectUri: returnUri(payment, paid ? 'successful' : 'failed') };
      }),
      'app-payments/reject': door(OfPayment, ({ paymentId }) => {
        const payment = findPayment(book, null, paymentId);
        reject(book, payment);
        return { redirectUri: returnUri(payment, 'rejected') };
      }),
      // What only a test can.
      'app-payments/hang-captures': door(HangingCaptures, ({ paymentId, times }) => {
        findPayment(book, null, paymentId).hangingCaptures = times;
      }),
      'app-payments/create-payment-point': door(NewPoint, ({ merchantVat, name }) => {
        const merchant = world.merchants.get(merchantVat);
        if (merchant === undefined) throw new ServiceError(404, null, `There is no merchant ${merchantVat}`);
        return { paymentPointId: addPoint(book, { paymentPointId: world.ids.uuid(), merchant, name, state: 'created' }).paymentPointId };
      }),
      // What is there for refunds, in minor units.
      'app-payments/set-funds': door(Funds, ({ paymentPointId, balance }) => {
        findPoint(book, null, paymentPointId).balanceMinor = balance;
      }),
      'app-payments/activate-payment-point': door(OfPoint, ({ paymentPointId }) => {
        const point = findPoint(book, null, paymentPointId);
        if (point.state === 'active') return;
        point.state = 'active';
        announce(book, 'paymentpoint.activated', { merchantVat: point.merchant.vat, paymentPointId, id: paymentPointId });
      }),
    },
  };
}

function paymentsAtAGlance(book: Book): Glance {
  return glance('App payments', ['Payment', 'Reference', 'Amount', 'State', 'At'], [...book.payments.values()], (payment) => {
    const { paymentId, reference, amountMinor, point, state, history } = payment;
    const act = (label: string, action: 'accept' | 'reject') => ({ label, door: `app-payments/${action}`, body: { paymentId }, byPhone: true });
    return {
      cells: [shortId(paymentId), reference, amountText(amountMinor, point.merchant.currency), state, timeText(history.at(-1)?.at)],
      actions: state === 'initiated' ? [act('Approve', 'accept'), act('Refuse', 'reject')] : [],
    };
  });
}

/** Everything, oldest first. */
function state(book: Book) {
  return {
    appPayments: [...book.payments.values()].map(({ paymentId, point, amountMinor, reference, state, history, capturedMinor, refundedMinor }) => ({
      paymentId,
      paymentPointId: point.paymentPointId,
      amount: amountMinor,
      reference,
      state,
      history,
      capturedAmount: capturedMinor,
      refundedAmount: refundedMinor,
    })),
    appRefunds: [...book.refunds.values()].map(({ refundId, payment, amountMinor, reference }) => ({
      refundId,
      paymentId: payment.paymentId,
      amount: amountMinor,
      reference,
    })),
    appPaymentPoints: allPoints(book).map(({ paymentPointId, merchant, name, state }) => ({ paymentPointId, merchantVat: merchant.vat, name, state })),
  };
}
