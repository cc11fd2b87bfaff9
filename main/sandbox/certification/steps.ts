/** What several cases do on their way. */
import { PollPace } from '../../wallet/http/poll-pace.ts';
import type { CreateRequest, PaymentWatch, SeenStatus, SettleAnswer } from '../../wallet/port.ts';
import type { Bench } from './bench.ts';
import type { Card } from './customer.ts';

export interface Open {
  readonly paymentId: string;
  readonly watch: PaymentWatch;
}

/** @throws unless the service did it */
export function done(what: string, answer: SettleAnswer): void {
  if (answer.kind !== 'done') throw new Error(`${what}: ${answer.kind}${'detail' in answer ? ` (${answer.detail})` : ''}`);
}

/** @throws unless the payment is in that state */
export function expectStatus(found: SeenStatus, ...wanted: SeenStatus[]): void {
  if (!wanted.includes(found)) throw new Error(`the payment is ${found}, not ${wanted.join(' or ')}`);
}

/** A payment with its amount on the customer's phone. */
export async function issued(bench: Bench, sale: CreateRequest = bench.sale(), card: Card = 'credit'): Promise<Open> {
  const { counter, customer } = await bench.counter();
  const paymentId = await bench.create(counter, sale);
  const watch = counter.watch(paymentId);
  expectStatus(await bench.follow(watch, paymentId, 'initiated', 'prepared'), 'initiated', 'prepared');
  await customer.checkIn(card);
  if (sale.flow === 'prepare') {
    expectStatus(await bench.follow(watch, paymentId, 'paired'), 'paired');
    done('ready', await counter.ready(paymentId, sale));
  }
  expectStatus(await bench.follow(watch, paymentId, 'issuedToUser'), 'issuedToUser');
  return { paymentId, watch };
}

export async function reserved(bench: Bench, sale?: CreateRequest, card: Card = 'credit'): Promise<Open> {
  const { customer } = await bench.counter();
  const open = await issued(bench, sale, card);
  await customer.approve(card);
  expectStatus(await bench.follow(open.watch, open.paymentId, 'reserved'), 'reserved');
  return open;
}

export async function captured(bench: Bench, sale?: CreateRequest): Promise<Open> {
  const { counter } = await bench.counter();
  const open = await reserved(bench, sale);
  done('capture', await counter.capture(open.paymentId, bench.money));
  expectStatus(await bench.follow(open.watch, open.paymentId, 'captured'), 'captured');
  return open;
}

export async function cancelled(bench: Bench, { paymentId, watch }: Open): Promise<void> {
  const { counter } = await bench.counter();
  done('cancel', await counter.cancel(paymentId));
  expectStatus(await bench.follow(watch, paymentId, 'cancelledByClient'), 'cancelledByClient');
}

/** Refunds are polled at the service's pace too. */
export function refundWatch(bench: Bench, refundId: string): { until(...wanted: string[]): Promise<void> } {
  const pace = new PollPace(bench.clock);
  const giveUpAtMs = bench.clock.monotonicMs() + bench.patienceMs;
  return {
    async until(...wanted) {
      let last = 'nothing';
      while (bench.clock.monotonicMs() < giveUpAtMs) {
        await pace.turn(bench.signal);
        try {
          const { status, pollDelayInMs } = await bench.client.getRefund({ refundId }, { signal: bench.signal });
          pace.answered(pollDelayInMs);
          last = status;
          if (wanted.includes(status)) return;
        } catch (error) {
          bench.signal.throwIfAborted();
          last = (error as Error).message;
          pace.failed(null);
        }
      }
      throw new Error(`waited in vain for the refund to be ${wanted.join(' or ')}: ${last}`);
    },
  };
}
