import { toDataURL } from 'qrcode';
import type { OwnCode } from '../../preload/contract.ts';

/** The text in the operator's picture of a payment's code. */
const ownCodeText = 'https://qr.vipps.no/simulated/1-000042-5a1e0000';
/** The picture in the size for which the service is asked: 600 pixels, with its quiet zone. */
export const ownCodePicture: OwnCode = {
  kind: 'picture',
  picture: await toDataURL(ownCodeText, { width: 600, margin: 4 }),
};
