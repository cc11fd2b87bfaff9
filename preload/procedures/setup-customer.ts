/**
 * What customers see: the shop's name and pictures, whether they can check in first, and the
 * customer displays on other devices.
 */
import { z } from 'zod';
import * as rules from '../../main/core/domain/field-rules.ts';
import { pictureNames, picturePartLength, vatIn } from './plain.ts';
import { procedure } from './procedure.ts';
import { addressRefusals } from './setup-fields.ts';

export { maxPictureBytes, picturePartLength } from './plain.ts';

export const PictureName = z.enum(pictureNames);
export type PictureName = z.infer<typeof PictureName>;

export const PictureType = z.enum(['image/png', 'image/jpeg', 'image/webp', 'image/svg+xml']);
export type PictureType = z.infer<typeof PictureType>;

export const ShopName = rules.typed(rules.ShopName);
export const ShopAddress = rules.typed(rules.ShopAddress);
/** Spaces, dots and dashes are removed. */
export const ShopVat = z.string().overwrite(vatIn).pipe(rules.ShopVat);

const Displays = z.object({
  /**
   * An address of this machine, or 0.0.0.0 for all of them. Everybody who can reach it sees amounts
   * and the QR code.
   */
  host: z.string().trim().min(1, 'must not be empty').max(200, 'has more than 200 characters'),
  /** 0 for any free port. */
  port: rules.TcpPort,
});

const LaneOfCustomers = z.object({
  laneId: z.string(),
  name: z.string(),
  checkInFirst: z.boolean(),
  /** Why customers cannot check in first at this lane; null when they can. */
  cannot: z.literal('paymentFirst').nullable(),
});

export const CustomersSee = z.object({
  shopName: z.string().nullable(),
  address: z.string().nullable(),
  vat: z.string().nullable(),
  /**
   * The VAT number on receipts while `vat` is null: the one of the wallet service's settings; null
   * when there is none.
   */
  merchantVat: z.string().nullable(),
  /** Whether there is such a picture. The pictures themselves are in the view of any lane. */
  pictures: z.record(PictureName, z.boolean()),
  lanes: z.array(LaneOfCustomers),
  /** null when customer's screens are shown on this machine alone. */
  displays: Displays.nullable(),
  /**
   * The port at which displays are served; null when they are not, e.g. because another program
   * uses it.
   */
  servedAt: z.int().nullable(),
  /** Addresses of this machine for other devices; the likeliest first. */
  addresses: z.array(z.string()),
});
export type CustomersSee = z.infer<typeof CustomersSee>;

/**
 * keep: the picture stays. sent: it becomes the one that this screen sent last with `picturePart`.
 */
const PictureWish = z.enum(['keep', 'sent', 'remove']);

export const customerProcedures = {
  /** `notHere`: nothing is set up yet. */
  customersSee: procedure({
    who: 'installer',
    input: z.object({}),
    output: CustomersSee,
    refusals: [],
  }),

  /**
   * Sends a picture in parts, one after the other, counted from 0; part 0 begins anew. It is used
   * by `changeCustomersSee` on this connection. `tooLarge`: more than {@link maxPictureBytes}.
   * `notAPicture`: the content is not PNG, JPEG, WebP or SVG.
   */
  picturePart: procedure({
    who: 'installer',
    input: z.object({
      picture: PictureName,
      part: z.int().nonnegative(),
      base64: z.base64().max(picturePartLength),
      last: z.boolean(),
    }),
    /** The type of the whole picture; null when parts are missing. */
    output: z.object({ type: PictureType.nullable() }),
    refusals: ['tooLarge', 'notAPicture'],
  }),

  /**
   * Puts the changes in use at once. Lanes that are not named stay as they are. Refused as
   * `finishSetup` is. `addressRefusals`: displays could not be served at this address. `notFound`
   * with the field of a picture: no picture was sent.
   */
  changeCustomersSee: procedure({
    who: 'installer',
    input: z.object({
      shopName: ShopName.nullable(),
      address: ShopAddress.nullable(),
      vat: ShopVat.nullable(),
      logo: PictureWish,
      picture: PictureWish,
      lanes: z
        .array(z.object({ laneId: z.string().max(12), checkInFirst: z.boolean() }))
        .max(1_000),
      displays: Displays.nullable(),
    }),
    output: CustomersSee,
    refusals: [
      'unsettledMoney',
      'notWritable',
      'settingsRefused',
      'cannotOpen',
      ...addressRefusals,
    ],
    records: (asked) => asked,
  }),
} as const;
