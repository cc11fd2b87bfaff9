import type { Journal } from '../journal/journal.ts';
import { apply } from '../domain/settlement/apply.ts';
import { decide } from '../domain/settlement/decide.ts';
import type { Effect, Payment, PaymentEvent, PaymentInput } from '../domain/settlement/payment.ts';
import type { Clock } from '../domain/clock.ts';
import type { Ids } from '../domain/ids.ts';
import type { Log } from '../domain/log.ts';
import type { LookUpAnswer, OpenPayment, PaymentWatch, PointOfSaleClient } from '../wallet/port.ts';
import type { Claims } from './by-hand.ts';
import { Run } from './run.ts';
import { SaleCustomer } from './sale-customer.ts';

type PaymentRun = Run<Payment, PaymentInput, PaymentEvent, Effect>;
export type SaleRun = PaymentRun & { readonly customer: SaleCustomer };

export interface SaleRunOptions {
  readonly journal: Journal;
  readonly wallet: PointOfSaleClient;
  /** Who is told how far it is, and how it ends. */
  readonly claims: Claims;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** See `PointOfSaleClient.clear`. */
  readonly mayCancel: (found: OpenPayment) => boolean;
  readonly changed: (run: SaleRun) => void;
  readonly storage: (working: boolean, error: Error | null) => void;
}

/** @param payment what the journal already says */
export function saleRun(payment: Payment, { journal, wallet, claims, clock, ids, mayCancel, changed, storage, ...options }: SaleRunOptions): SaleRun {
  const { sale } = payment;
  const log = options.log.child({ saleId: sale.saleId });
  let watch: PaymentWatch | null = null;
  let readyUnderWay = false;
  const customer = new SaleCustomer();

  function perform(effect: Effect, run: PaymentRun): void {
    switch (effect.type) {
      case 'create':
        void wallet.create({ ...sale, idempotencyKey: effect.idempotencyKey }).then((answer) => {
          if (answer.kind === 'refused' || answer.kind === 'unknown') log.warn({ answer }, 'the payment was not created');
          run.take({ type: 'createAnswered', answer });
        });
        return;
      case 'lookUp':
        void wallet.lookUp(sale.orderId).then((answer) => run.take(lookedUp(answer)));
        return;
      case 'identify':
        void wallet.identify({ ...sale, idempotencyKey: effect.idempotencyKey }).then((answer) => run.take(lookedUp(answer)));
        return;
      case 'clearPointOfSale':
        void wallet.clear(mayCancel).then((answer) => {
          run.take(answer.kind === 'unknown' ? { type: 'clearFailed', detail: answer.detail } : { type: 'cleared', newIdempotencyKey: ids.uuid() });
        });
        return;
      case 'ready':
        ready(effect.paymentId, run);
        return;
      case 'poll':
        void pollOnce(effect.paymentId, run);
        return;
      case 'offerPaid':
        void claims.offerPaid(sale, customer.known).then((answer) => run.take({ type: 'tillAnswered', acknowledged: answer === 'acknowledged' }));
        return;
      case 'conclude':
        claims.conclude(sale, effect.outcome);
        customer.forget();
        return;
      case 'capture':
        void wallet.capture(effect.paymentId, sale).then((answer) => run.take({ type: 'captureAnswered', answer }));
        return;
      case 'cancel':
        run.dropPoll();
        void wallet.cancel(effect.paymentId).then((answer) => run.take({ type: 'cancelAnswered', answer }));
        return;
      case 'wait':
        run.after(effect.delayMs, () => run.take({ type: 'retryDue' }));
        return;
    }
  }

  function ready(paymentId: string, run: PaymentRun): void {
    if (readyUnderWay) return;
    readyUnderWay = true;
    void wallet.ready(paymentId, sale).then((answer) => {
      readyUnderWay = false;
      if (answer.kind === 'refused') run.take({ type: 'readyRefused', code: answer.code, detail: answer.detail });
      if (answer.kind === 'notFound') run.take({ type: 'pollNotFound' });
    });
  }

  async function pollOnce(paymentId: string, run: PaymentRun): Promise<void> {
    const watched = (watch ??= wallet.watch(paymentId));
    const answer = await run.poll((signal) => watched.poll(signal));
    switch (answer?.kind) {
      case undefined:
        return;
      case 'seen':
        if (answer.status === 'unknown') log.warn({ paymentId }, 'the service names a payment state that is not documented');
        if (answer.customer !== undefined) customer.learn(answer.customer);
        return run.take({ type: 'polled', status: answer.status, amountMinor: answer.amountMinor, currency: answer.currency });
      case 'notFound':
        return run.take({ type: 'pollNotFound' });
      case 'unknown':
        return run.take({ type: 'pollFailed', detail: answer.detail });
    }
  }

  const run = new Run(payment, {
    decide,
    apply,
    write: (events) => {
      journal.append(sale.laneId, sale.saleId, events);
      for (const event of events) log.info(eventFields(event), 'payment');
    },
    perform,
    clock,
    changed: () => changed(carried),
    storage,
  });
  const carried: SaleRun = Object.assign(run, { customer });
  return carried;
}

function lookedUp(answer: LookUpAnswer): PaymentInput {
  return answer.kind === 'unknown' ? { type: 'lookUpFailed', detail: answer.detail } : { type: 'lookedUp', found: answer.kind === 'found' ? answer : null };
}

/** An event as a log line: what support needs to follow a sale, nothing that belongs to the customer. */
function eventFields(event: PaymentEvent): Record<string, unknown> {
  if (event.type !== 'saleRequested') return { ...event };
  const { orderId, amountMinor, currency, flow } = event.sale;
  return { type: event.type, orderId, amountMinor, currency, flow };
}
