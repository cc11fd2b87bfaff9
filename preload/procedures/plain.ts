/**
 * Constants and functions of the declarations that pages need. They are here, because importing a
 * declaration would load the schema library into the page.
 */

/** Path of the daemon's WebSocket. */
export const socketPath = '/screens';

export {
  maxPassphraseLength,
  passphraseProblem,
  minPassphraseLength,
} from '../../main/core/domain/backup-passphrase.ts';
export { isClockToTell } from '../../main/core/domain/clock-off.ts';
export {
  maxOrderTextLength,
  orderTextOf,
} from '../../main/core/domain/service-text.ts';
export {
  maxAddressLength,
  maxShopNameLength,
} from '../../main/core/domain/shop.ts';
export {
  followToken as tokenOfReceiver,
  merchantQrIdPattern as stickerNames,
} from '../../main/core/domain/stickers.ts';
export { isOfThisMachineAlone } from '../../main/core/domain/this-machine.ts';
export { defaultPorts } from '../../main/core/domain/default-ports.ts';
export { currencyOfCountry, epaymentService } from '../../main/core/domain/wallet-services.ts';

export const maxTillNameLength = 40;
/** Limit of a manager's note on a row of the reconciliation. */
export const maxNoteLength = 500;
/** Limit of a period of the reconciliation. */
export const maxPeriodDays = 367;
export const reconciliationCategories = [
  'matched',
  'waiting',
  'missing',
  'bankOnly',
  'differs',
  'fee',
  'elsewhere',
] as const;

/** Normalises a VAT number for storage: upper case, without spaces, dots and dashes. */
export const vatIn = (text: string): string => text.toUpperCase().replaceAll(/[\s.-]/gu, '');
export const pictureNames = ['logo', 'picture'] as const;
/** Enough for a picture on a 4K screen, and not too much for a display on a wireless network. */
export const maxPictureBytes = 4 * 1024 * 1024;
/**
 * Length of one part in base64 characters, a multiple of 4. A page's message stays below 64 KiB
 * with it.
 */
export const picturePartLength = 40 * 1024;

export const windowScreens = ['cashier', 'customer', 'manager'] as const;
/** The windows of a computer on which none were chosen. */
export const defaultWindows = [
  { screen: 'cashier', laneId: null, display: null },
  { screen: 'customer', laneId: null, display: null },
] as const;
export const maxWindows = 8;
/**
 * When the keyboard on the screen opens: where there may be no other, at each press on a text
 * field, or never.
 */
export const screenKeyboards = ['automatic', 'always', 'never'] as const;
