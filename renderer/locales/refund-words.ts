import type { LaneView } from '../../preload/contract.ts';
import type { ScreenTexts } from './screens.ts';

type NotRefunded = Extract<NonNullable<LaneView['refund']>, { kind: 'notRefunded' }>;

/** Why no money went back, and what to do next. */
export function notRefundedWords(
  { notRefunded }: ScreenTexts,
  { reason, refundDays }: Pick<NotRefunded, 'reason' | 'refundDays'>,
): { readonly what: string; readonly next: string } {
  if (reason !== 'tooOld') return notRefunded[reason];
  return { what: notRefunded.tooOld.what({ days: refundDays }), next: notRefunded.tooOld.next };
}

export const isNotRefundedReason = (
  { notRefunded }: ScreenTexts,
  reason: string,
): reason is NotRefunded['reason'] => Object.hasOwn(notRefunded, reason);
