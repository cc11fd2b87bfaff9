import type { PictureName } from '../../../preload/procedures/setup-customer.ts';

/** The installer's page of what the customers see. */
export interface SetupCustomersTexts {
  /** Of the way here. */
  readonly invite: string;
  readonly shopName: string;
  readonly shopNameHint: string;
  readonly shopNameTooLong: (by: number) => string;
  readonly shopNameInvisible: string;
  readonly pictures: Readonly<Record<PictureName, { readonly label: string; readonly hint: string }>>;
  readonly choose: string;
  readonly remove: string;
  /** Of a button, for who does not see which picture it belongs to. */
  readonly forWhich: (button: string, which: string) => string;
  readonly none: string;
  readonly preview: (which: string) => string;
  readonly reading: string;
  readonly unreadable: string;
  readonly checkIn: string;
  readonly checkInHint: string;
  readonly cannot: Readonly<Record<'noQr' | 'paymentFirst', string>>;
  readonly displays: string;
  readonly displaysOn: string;
  readonly displaysHint: string;
  readonly typeThere: string;
  readonly otherwise: (addresses: string) => string;
  readonly noAddress: string;
  readonly notServed: string;
  readonly host: string;
  readonly hostHint: string;
  readonly anyHost: string;
  readonly port: string;
  readonly portHint: string;
  readonly save: string;
  readonly saved: string;
}
