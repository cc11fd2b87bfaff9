/** What the customers see of a shop: its name and pictures, whether they can check in first, and their displays on other devices. */
import { z } from 'zod';
import * as rules from '../../main/domain/field-rules.ts';
import { pictureNames, picturePartLength, vatIn } from './plain.ts';
import { procedure } from './procedure.ts';

export { largestPictureBytes, picturePartLength } from './plain.ts';

export const PictureName = z.enum(pictureNames);
export type PictureName = z.infer<typeof PictureName>;

export const PictureType = z.enum(['image/png', 'image/jpeg', 'image/webp', 'image/svg+xml']);
export type PictureType = z.infer<typeof PictureType>;

export const ShopName = rules.typed(rules.ShopName);
export const ShopAddress = rules.typed(rules.ShopAddress);
/** Spaces, dots and dashes are left out. */
export const ShopVat = z.string().overwrite(vatIn).pipe(rules.ShopVat);

const Displays = z.object({
  /** An address of this machine, or 0.0.0.0 for all of them: whoever reaches it sees amounts and the QR code. */
  host: z.string().trim().min(1, 'must not be empty').max(200, 'has more than 200 characters'),
  /** 0: any free one. */
  port: rules.TcpPort,
});

const LaneOfCustomers = z.object({
  laneId: z.string(),
  name: z.string(),
  checkInFirst: z.boolean(),
  /** Why nobody can check in first there; null when they can. */
  cannot: z.enum(['noQr', 'paymentFirst']).nullable(),
});

export const CustomersSee = z.object({
  shopName: z.string().nullable(),
  address: z.string().nullable(),
  vat: z.string().nullable(),
  /** The number on receipts while `vat` is null, as the wallet service knows the merchant; null when it knows none. */
  merchantVat: z.string().nullable(),
  /** Whether there is one. How it looks is in the view of any lane. */
  pictures: z.record(PictureName, z.boolean()),
  lanes: z.array(LaneOfCustomers),
  /** null when this machine alone shows the customer's screen. */
  displays: Displays.nullable(),
  /** The port at which they are served; null when they are not, e.g. as another program has taken it. */
  servedAt: z.int().nullable(),
  /** Addresses of this machine for other devices; the likeliest first. */
  addresses: z.array(z.string()),
});
export type CustomersSee = z.infer<typeof CustomersSee>;

/** keep: as it is. sent: what this screen sent last as `picturePart`. */
const PictureWish = z.enum(['keep', 'sent', 'remove']);

export const customerProcedures = {
  /** `notHere`: nothing is set up yet. */
  customersSee: procedure({ who: 'installer', input: z.object({}), output: CustomersSee, refusals: [] }),

  /**
   * A picture from a file, in parts from 0 on, one after the other; part 0 begins anew. It waits for `changeCustomersSee`, of this connection alone.
   * `tooLarge`: more than {@link largestPictureBytes}. `notAPicture`: by its content none of PNG, JPEG, WebP and SVG.
   */
  picturePart: procedure({
    who: 'installer',
    input: z.object({
      picture: PictureName,
      part: z.int().nonnegative(),
      base64: z.base64().max(picturePartLength),
      last: z.boolean(),
    }),
    /** What it is; null when there is more to come. */
    output: z.object({ type: PictureType.nullable() }),
    refusals: ['tooLarge', 'notAPicture'],
  }),

  /**
   * Puts it in use, at once. Lanes that are not named stay as they are. Refused as `finishSetup` is. `portTaken`, `hostNotHere`: displays could not be
   * served there. `notFound` with the field of a picture: nothing was sent.
   */
  changeCustomersSee: procedure({
    who: 'installer',
    input: z.object({
      shopName: ShopName.nullable(),
      address: ShopAddress.nullable(),
      vat: ShopVat.nullable(),
      logo: PictureWish,
      picture: PictureWish,
      lanes: z.array(z.object({ laneId: z.string().max(12), checkInFirst: z.boolean() })).max(1_000),
      displays: Displays.nullable(),
    }),
    output: CustomersSee,
    refusals: ['unsettledMoney', 'notWritable', 'settingsRefused', 'cannotOpen', 'portTaken', 'hostNotHere'],
    records: (asked) => asked,
  }),
} as const;
