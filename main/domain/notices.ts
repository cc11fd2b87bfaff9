/**
 * What people should look at although payments go on: somebody tries what is not theirs, or a protection is missing.
 * `tillStranger`: no till speaks like this. `tillAddressRefused`: not one of `till.from`. `tillPasswordWrong`. `tillReceiptsGuessed`: reversals of
 * receipts that do not exist. `tillRefundRefused`: a refund that the till's settings do not allow. `wrongPins`: managers' PINs are guessed at.
 * `fileReadable`: other users of this computer can read or change it; `detail` is the command that mends it. `testService`: the service's
 * certificates are not checked.
 */
export const noticeCodes = [
  'tillStranger',
  'tillAddressRefused',
  'tillPasswordWrong',
  'tillReceiptsGuessed',
  'tillRefundRefused',
  'wrongPins',
  'fileReadable',
  'testService',
] as const;
export type NoticeCode = (typeof noticeCodes)[number];

export interface Notice {
  readonly code: NoticeCode;
  /** What it is about: an address, a path, a name. With the code it is the notice's identity. */
  readonly subject: string;
  /** For support; null: there is nothing more to say. */
  readonly detail: string | null;
}

/** Where notices are raised. Never throws. */
export interface Notices {
  raise(notice: Notice): void;
  /** It no longer is so. */
  settle(code: NoticeCode, subject: string): void;
}

export const noNotices: Notices = { raise() {}, settle() {} };
