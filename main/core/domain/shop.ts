/** The seller, as the head of receipts and closing reports has it; null for what is not set. */
export interface ShopOnPaper {
  readonly name: string | null;
  readonly address: string | null;
  readonly vat: string | null;
  /** No real money moves here, and its papers say so. */
  readonly isTest?: true | undefined;
}

export const unnamedShop: ShopOnPaper = { name: null, address: null, vat: null };

export const maxShopNameLength = 60;
export const maxAddressLength = 120;
/** VAT number with its country, without spaces or dashes, e.g. `DK12345678`. */
export const vatNumber = /^[A-Z]{2}[0-9A-Z]{2,13}$/;
export const vatNumberRule =
  "must be the country's two letters and 2 to 13 letters or digits, without spaces, e.g. DK12345678";
