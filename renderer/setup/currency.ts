import { currencyOfCountry } from '../../preload/procedures/plain.ts';
import type { Currency } from '../../preload/procedures/setup-fields.ts';
import type { Draft } from './step-order.ts';

/**
 * The currency of the lane that is being set up: the chosen one, or by default the currency of the
 * merchant's country.
 */
export function currencyOf(
  draft: Pick<Draft, 'wallet' | 'pointOfSale' | 'store'> | null,
): Currency {
  if (draft?.wallet?.kind === 'epayment') return currencyOfCountry[draft.wallet.country];
  return (
    draft?.pointOfSale?.currency ?? (draft?.store?.merchantVat.startsWith('FI') ? 'EUR' : 'DKK')
  );
}
