/**
 * Codes of notices: an attempt to do something that is not allowed, a missing protection, or a way
 * that is cut. Payments go on. `tillStranger`: no till speaks like this. `tillAddressRefused`: not
 * one of `till.from`. `tillPasswordWrong`: once or a few times. `tillPasswordGuessed`: more often.
 * `tillReceiptsGuessed`: reversals of receipts that do not exist, again and again.
 * `tillRefundRefused`: a refund that the till's settings do not allow. `wrongPins`: managers' PINs
 * are guessed at. `tillCurrencyOther`: a till registers in another currency than its lane's.
 * `tillPasswordInPayment`: a payment with a password in it. `tillKeyDiffers`: a message to a
 * terminal over Nexo was not made with its key. `fileReadable`: other users of this computer can
 * read or change it; `detail` is the command that mends it. `testService`: the service's
 * certificates are not checked. `receiverAway`: the callback receiver does not answer, so that
 * scans of stickers do not arrive. `keyStorePlain`: the desktop app has no key store for its
 * secrets. `keyStoreLocked`: its key store does not open them. `windowsUnplaced`: the desktop app
 * runs on Wayland, where the system decides on which display a window is. `noSandbox`: the desktop
 * app is an AppImage, to which this system gives no sandbox. `stickerLeft`: the code of a sticker
 * that no lane has any more could not be ended at the service; it is tried again.
 */
export const noticeCodes = [
  'tillStranger',
  'tillAddressRefused',
  'tillPasswordWrong',
  'tillPasswordGuessed',
  'tillReceiptsGuessed',
  'tillRefundRefused',
  'tillCurrencyOther',
  'tillPasswordInPayment',
  'tillKeyDiffers',
  'wrongPins',
  'fileReadable',
  'testService',
  'receiverAway',
  'stickerLeft',
  'keyStorePlain',
  'keyStoreLocked',
  'windowsUnplaced',
  'noSandbox',
] as const;
export type NoticeCode = (typeof noticeCodes)[number];

export interface Notice {
  readonly code: NoticeCode;
  /** An address, a path or a name. Together with the code it identifies the notice. */
  readonly subject: string;
  /** For support; may be null. */
  readonly detail: string | null;
}

/** Raises notices. Never throws. */
export interface Notices {
  raise(notice: Notice): void;
  /** The reason for the notice is gone. */
  settle(code: NoticeCode, subject: string): void;
}

export const noNotices: Notices = { raise() {}, settle() {} };
