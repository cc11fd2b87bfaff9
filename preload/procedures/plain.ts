/** What a page needs of the declarations beside their types. They import it: a page that took it from them would load the library that they are written in. */

/** Path of the daemon's WebSocket. */
export const socketPath = '/screens';

export { isClockToTell } from '../../main/domain/clock-off.ts';
export { longestOrderText } from '../../main/domain/service-text.ts';
export { longestAddress } from '../../main/domain/shop.ts';
export { followToken as tokenOfReceiver, merchantQrIdPattern as stickerNames } from '../../main/domain/stickers.ts';
export { currencyOfCountry, epaymentService } from '../../main/domain/wallet-services.ts';

export const longestTillName = 40;
/** Limit of a manager's note on a row of the reconciliation. */
export const longestNote = 500;
/** Limit of a period of the reconciliation. */
export const longestPeriodDays = 367;
export const reconciliationCategories = ['matched', 'waiting', 'missing', 'bankOnly', 'differs', 'fee', 'elsewhere'] as const;

export const longestShopName = 60;
/** A VAT number as it is kept: without spaces, dots and dashes. */
export const vatIn = (text: string): string => text.toUpperCase().replaceAll(/[\s.-]/gu, '');
export const pictureNames = ['logo', 'picture'] as const;
/** Enough for a 4K screen, and not too much for a display on a wireless network. */
export const largestPictureBytes = 4 * 1024 * 1024;
/** Length of one part in base64: whole bytes, and a message of a screen stays below 64 KiB. */
export const picturePartLength = 40 * 1024;

/** Whether no other machine can reach an address to listen on. */
export const isOfThisMachineAlone = (host: string): boolean => /^(localhost|::1|127(\.\d{1,3}){3})$/.test(host.trim());

export const windowScreens = ['cashier', 'customer', 'manager'] as const;
/** The windows of a computer where nobody has chosen any. */
export const usualWindows = [
  { screen: 'cashier', laneId: null, display: null },
  { screen: 'customer', laneId: null, display: null },
] as const;
export const mostWindows = 8;
