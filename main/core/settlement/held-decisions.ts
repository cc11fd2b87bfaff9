/** The decisions about a reservation that is held for days. */
import type { Capabilities } from './capabilities.ts';
import type { PaymentDecision, PaymentIn, PaymentInput, PolledPayment } from './payment.ts';
import { capturedUnasked, whyNotCaptured } from './reservation.ts';
import { retryDelayMs } from './retry.ts';
import { decision, nothing, onlyEffects } from './settle.ts';

const idOf = ({ paymentId }: PaymentIn<'held'>) => ({ paymentId });
const cancel = (payment: PaymentIn<'held'>) => ({ type: 'cancel', ...idOf(payment) }) as const;
const poll = (payment: PaymentIn<'held'>) => ({ type: 'poll', ...idOf(payment) }) as const;

/** A failed poll of a reservation is repeated with the pause after this many attempts. */
const heldRetryAttempts = 20;

/** A restart leaves a held reservation unchanged. */
export function whileHeld(
  payment: PaymentIn<'held'>,
  input: PaymentInput,
  capabilities: Capabilities,
): PaymentDecision {
  switch (input.type) {
    case 'bookingRequested': {
      const { booking } = input;
      if (booking.kind === 'capture' && whyNotCaptured(payment, booking.amountMinor) !== null)
        return nothing;
      return decision([{ type: 'bookingRequested', booking }]);
    }
    case 'captureRequested': {
      const { amountMinor, by } = input;
      if (whyNotCaptured(payment, amountMinor) !== null) return nothing;
      return decision(
        [{ type: 'captureIntended', amountMinor, ...(by !== undefined && { by }) }],
        [{ type: 'capture', ...idOf(payment) }],
      );
    }
    case 'releaseRequested':
      return decision([{ type: 'cancelIntended', reason: input.reason }], [cancel(payment)]);
    case 'retryDue':
    case 'restarted':
      return onlyEffects(poll(payment));
    case 'polled':
      return onPollWhileHeld(payment, input);
    case 'pollNotFound':
      return decision([{ type: 'ended', reason: 'cancelledByService' }]);
    case 'pollFailed':
      return onlyEffects({ type: 'wait', delayMs: retryDelayMs(heldRetryAttempts, capabilities) });
    default:
      return nothing;
  }
}

/** The service alone knows when a reservation has ended. */
function onPollWhileHeld(payment: PaymentIn<'held'>, polled: PolledPayment): PaymentDecision {
  switch (polled.status) {
    case 'captured':
      return decision([capturedUnasked(payment, polled)]);
    case 'expired':
      return decision([{ type: 'ended', reason: 'expired' }]);
    case 'cancelledByUser':
    case 'cancelledByClient':
    case 'cancelledByService':
      return decision([{ type: 'ended', reason: 'cancelledByService' }]);
    default:
      return onlyEffects({
        type: 'watchReservation',
        expiresAtMs: payment.reservation.expiresAtMs,
      });
  }
}
