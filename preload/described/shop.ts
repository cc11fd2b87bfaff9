import { ShopAddress, ShopName, ShopVat } from '../procedures/setup-customer.ts';
import { shapeOf } from './shape-of.ts';

/** What a shop may be called on its screens and papers: of a name and an address without the spaces around them, and a number as `vatIn` writes it. */
export const shopRules = { name: shapeOf(ShopName), address: shapeOf(ShopAddress), vat: shapeOf(ShopVat) };
