/** Steps that several cases share. */
import { errorText } from '../simulator/error-text.ts';
import { PollPace } from '../../wallets/http/poll-pace.ts';
import type {
  CreateRequest,
  PaymentWatch,
  ReadyAnswer,
  SeenStatus,
} from '../../core/lane/wallet-port.ts';
import type { Harness } from './harness.ts';
import type { Card } from './customer.ts';

export interface Open {
  readonly paymentId: string;
  readonly watch: PaymentWatch;
}

/** @throws unless the service did it or accepted it */
export function done(what: string, answer: ReadyAnswer): void {
  if (answer.kind !== 'done' && answer.kind !== 'accepted')
    throw new Error(`${what}: ${answer.kind}${'detail' in answer ? ` (${answer.detail})` : ''}`);
}

/** @throws unless the payment is in that state */
export function expectStatus(status: SeenStatus, ...wanted: SeenStatus[]): void {
  if (!wanted.includes(status))
    throw new Error(`the payment is ${status}, expected ${wanted.join(' or ')}`);
}

/** A payment whose amount is shown on the customer's phone. */
export async function issued(
  harness: Harness,
  sale: CreateRequest = harness.sale(),
  card: Card = 'credit',
): Promise<Open> {
  const { counter, customer } = await harness.counter();
  const paymentId = await harness.create(counter, sale);
  const watch = counter.watch(paymentId);
  expectStatus(
    await harness.follow(watch, paymentId, 'initiated', 'prepared'),
    'initiated',
    'prepared',
  );
  await customer.checkIn(card);
  if (sale.flow === 'prepare') {
    expectStatus(await harness.follow(watch, paymentId, 'paired'), 'paired');
    done('ready', await counter.ready(paymentId, sale));
  }
  expectStatus(await harness.follow(watch, paymentId, 'issuedToUser'), 'issuedToUser');
  return { paymentId, watch };
}

export async function reserved(
  harness: Harness,
  sale?: CreateRequest,
  card: Card = 'credit',
): Promise<Open> {
  const { customer } = await harness.counter();
  const open = await issued(harness, sale, card);
  await customer.approve(card);
  expectStatus(await harness.follow(open.watch, open.paymentId, 'reserved'), 'reserved');
  return open;
}

export async function captured(harness: Harness, sale?: CreateRequest): Promise<Open> {
  const { counter } = await harness.counter();
  const open = await reserved(harness, sale);
  done('capture', await counter.capture(open.paymentId, harness.money));
  expectStatus(await harness.follow(open.watch, open.paymentId, 'captured'), 'captured');
  return open;
}

export async function cancelled(harness: Harness, { paymentId, watch }: Open): Promise<void> {
  const { counter } = await harness.counter();
  done('cancel', await counter.cancel(paymentId, { ifNotApproved: false }));
  expectStatus(await harness.follow(watch, paymentId, 'cancelledByClient'), 'cancelledByClient');
}

/**
 * Polls a refund with the delay that the service asks for. `until` throws when the harness's
 * patience is over.
 */
export function refundWatch(
  harness: Harness,
  refundId: string,
): { until(...wanted: string[]): Promise<void> } {
  const pace = new PollPace(harness.clock);
  const giveUpAtMs = harness.clock.monotonicMs() + harness.patienceMs;
  return {
    async until(...wanted) {
      let last = 'nothing';
      while (harness.clock.monotonicMs() < giveUpAtMs) {
        await pace.turn(harness.signal);
        try {
          const { status, pollDelayInMs } = await harness.client.getRefund(
            { refundId },
            { signal: harness.signal },
          );
          pace.answered(pollDelayInMs);
          last = status;
          if (wanted.includes(status)) return;
        } catch (error) {
          harness.signal.throwIfAborted();
          last = errorText(error);
          pace.failed(null);
        }
      }
      throw new Error(`the refund did not become ${wanted.join(' or ')}; last status: ${last}`);
    },
  };
}
