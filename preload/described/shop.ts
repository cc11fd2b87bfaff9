import { ShopAddress, ShopName, ShopVat } from '../procedures/setup-customer.ts';
import { shapeOf } from './shape-of.ts';

/**
 * The rules for the shop's name, address and VAT number on screens and receipts. Name and address
 * are trimmed; the number is as `vatIn` writes it.
 */
export const shopRules = {
  name: shapeOf(ShopName),
  address: shapeOf(ShopAddress),
  vat: shapeOf(ShopVat),
};
