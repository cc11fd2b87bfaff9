import type { Certainty } from '../sale.ts';
import type { Payment } from './payment.ts';
import type { Refund } from './refund.ts';

/** Of the outcome of a payment or a refund that has one. */
export function certaintyOf({ kind }: Payment | Refund): Certainty {
  if (kind === 'needsPerson') return 'contested';
  return kind === 'capturing' || kind === 'cancelling' ? 'decided' : 'confirmed';
}
