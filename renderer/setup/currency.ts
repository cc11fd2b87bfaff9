import type { Currency } from '../../preload/procedures/setup-fields.ts';
import type { Draft } from './step-order.ts';

/** The currency of the lane that is being set up: as chosen, or of the merchant's country. */
export function currencyOf(draft: Pick<Draft, 'pointOfSale' | 'store'> | null): Currency {
  return draft?.pointOfSale?.currency ?? (draft?.store?.merchantVat.startsWith('FI') ? 'EUR' : 'DKK');
}
