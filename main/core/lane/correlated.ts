import { withCorrelation } from '../domain/correlation.ts';
import type { Settlement } from '../settlement/payment-or-refund.ts';
import type { Settling } from './settlement-runner.ts';

/**
 * Gives all calls to the service the id of the sale, those for its refunds too, but not what
 * follows from their answers.
 */
export function correlated<State extends Settlement>(
  saleId: string,
  settling: Settling<State>,
): Settling<State> {
  const within = <Result>(call: () => Result): Result => withCorrelation(saleId, call);
  return {
    ...settling,
    create: (idempotencyKey, stopped) => within(() => settling.create(idempotencyKey, stopped)),
    lookUp: () => within(() => settling.lookUp()),
    identify: (idempotencyKey) => within(() => settling.identify(idempotencyKey)),
    watch(id, namedBefore) {
      const watch = settling.watch(id, namedBefore);
      return { poll: (signal) => within(() => watch.poll(signal)) };
    },
    capture: (id, state) => within(() => settling.capture(id, state)),
    cancelUnapproved: (id) => within(() => settling.cancelUnapproved(id)),
    cancel: (id, state) => within(() => settling.cancel(id, state)),
    carryOut: (effect, state) => within(() => settling.carryOut(effect, state)),
  };
}
