import type { Journal } from '../journal/journal.ts';
import { applyRefund } from '../domain/settlement/refund-apply.ts';
import { decideRefund } from '../domain/settlement/refund-decide.ts';
import type { Refund, RefundEffect, RefundEvent, RefundInput } from '../domain/settlement/refund.ts';
import type { Clock } from '../domain/clock.ts';
import type { Log } from '../domain/log.ts';
import type { Till } from '../till/port.ts';
import type { LookUpRefundAnswer, RefundWatch, PointOfSaleClient } from '../wallet/port.ts';
import { Run } from './run.ts';

export type RefundRun = Run<Refund, RefundInput, RefundEvent, RefundEffect>;

export interface RefundRunOptions {
  readonly journal: Journal;
  readonly wallet: PointOfSaleClient;
  readonly till: Till;
  readonly clock: Clock;
  readonly log: Log;
  readonly changed: (run: RefundRun) => void;
  readonly storage: (working: boolean, error: Error | null) => void;
}

/** @param refund what the journal already says */
export function refundRun(refund: Refund, { journal, wallet, till, clock, changed, storage, ...options }: RefundRunOptions): RefundRun {
  const { request } = refund;
  const { refundOrderId } = request;
  const log = options.log.child({ saleId: request.saleId, refundOrderId });
  let watch: RefundWatch | null = null;

  function perform(effect: RefundEffect, run: RefundRun): void {
    switch (effect.type) {
      case 'create':
        void wallet.createRefund(request).then((answer) => {
          if (answer.kind !== 'created') log.warn({ answer }, 'the refund was not created');
          run.take({ type: 'createAnswered', answer });
        });
        return;
      case 'lookUp':
        void wallet.lookUpRefund(request.paymentId, refundOrderId).then((answer) => run.take(lookedUp(answer)));
        return;
      case 'identify':
        void wallet.identifyRefund(request).then((answer) => run.take(lookedUp(answer)));
        return;
      case 'poll':
        void pollOnce(effect.refundId, run);
        return;
      case 'offerRefunded':
        void till.offerRefunded(request).then((answer) => run.take({ type: 'tillAnswered', acknowledged: answer === 'acknowledged' }));
        return;
      case 'conclude':
        // A manager reads it on the screen, which follows the state.
        if (request.by.kind === 'till') till.concludeRefund(request, effect.outcome);
        return;
      case 'capture':
        void wallet.captureRefund(effect.refundId).then((answer) => run.take({ type: 'captureAnswered', answer }));
        return;
      case 'cancel':
        run.dropPoll();
        void wallet.cancelRefund(effect.refundId).then((answer) => run.take({ type: 'cancelAnswered', answer }));
        return;
      case 'wait':
        run.after(effect.delayMs, () => run.take({ type: 'retryDue' }));
        return;
    }
  }

  async function pollOnce(refundId: string, run: RefundRun): Promise<void> {
    const watched = (watch ??= wallet.watchRefund(refundId));
    const answer = await run.poll((signal) => watched.poll(signal));
    switch (answer?.kind) {
      case undefined:
        return;
      case 'seen':
        if (answer.status === 'unknown') log.warn({ refundId }, 'the service names a refund state that is not documented');
        return run.take({ type: 'polled', status: answer.status });
      case 'notFound':
        return run.take({ type: 'pollNotFound' });
      case 'unknown':
        return run.take({ type: 'pollFailed', detail: answer.detail });
    }
  }

  return new Run(refund, {
    decide: decideRefund,
    apply: applyRefund,
    write: (events) => {
      journal.appendRefund(request.laneId, refundOrderId, events);
      for (const event of events) log.info(eventFields(event), 'refund');
    },
    perform,
    clock,
    changed,
    storage,
  });
}

function lookedUp(answer: LookUpRefundAnswer): RefundInput {
  return answer.kind === 'unknown' ? { type: 'lookUpFailed', detail: answer.detail } : { type: 'lookedUp', found: answer.kind === 'found' ? answer : null };
}

/** An event as a log line: what support needs to follow a refund. */
function eventFields(event: RefundEvent): Record<string, unknown> {
  if (event.type !== 'refundRequested') return { ...event };
  const { paymentId, amountMinor, currency, by } = event.request;
  return { type: event.type, paymentId, amountMinor, currency, by: by.kind };
}
