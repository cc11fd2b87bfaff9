import type { LaneView } from '../preload/contract.ts';
import type { Problem } from '../preload/procedures/lane.ts';
import { formatDateTime, formatMoney, formatTime, type Language } from './locales/i18n.ts';
import { screenTexts } from './locales/screens.ts';

type Unsettled = LaneView['unsettled'][number];

const hourMs = 3_600_000;
/**
 * The service itself ends a reservation that is never confirmed after 7 days, and a reserved refund
 * after 24 hours (document 4, sections 1.3 and 1.4).
 */
const endsByItselfAfterMs: Readonly<Record<Unsettled['kind'], number>> = {
  sale: 7 * 24 * hourMs,
  refund: 24 * hourMs,
};
/** If the money is still unsettled after this time, the shop calls support. */
const callSupportAfterMs = hourMs;

/**
 * The text shown after the amount: what is known about the money, until when it may stay unsettled,
 * and what to do.
 */
export function unsettledText(language: Language, money: Unsettled, nowMs: number): string {
  const { kind, intent, known, saleId, orderId, needsPerson, sinceMs } = money;
  const { unsettled, callSupport } = screenTexts[language];
  // The service's support finds all calls of the payment by this id.
  const correlation = callSupport.correlation({ correlationId: saleId });
  if (
    needsPerson ||
    known === 'lost' ||
    known === 'otherAmount' ||
    known === 'unseen' ||
    known === 'unasked'
  )
    return `${personText(language, problemOf(money), money)} ${correlation}`;
  const callAtMs = sinceMs + callSupportAfterMs;
  const support =
    nowMs < callAtMs
      ? callSupport.later({ at: formatTime(language, callAtMs) })
      : `${callSupport.now({ orderId })} ${correlation}`;
  return `${unsettled[kind][intent].what} ${unsettled[kind].known[known]({ at: formatDateTime(language, sinceMs + endsByItselfAfterMs[kind]) })} ${support}`;
}

function problemOf({ kind, intent, known }: Pick<Unsettled, 'kind' | 'intent' | 'known'>): Problem {
  if (known === 'otherAmount') return 'otherAmountCaptured';
  if (known === 'unseen') return 'refundUnseen';
  return problems[kind][intent];
}

/** The problem when nothing is known beyond what was decided. */
export const problems = {
  sale: { capture: 'captureLost', cancel: 'capturedUnasked' },
  refund: { capture: 'refundLost', cancel: 'paidOutUnasked' },
} as const;

type Contested = Pick<Unsettled, 'orderId' | 'amountMinor' | 'currency' | 'movedMinor'>;

/**
 * The text, shown after the amount, for money that needs a person: what has happened, and what to
 * do.
 * @returns undefined for a problem that this version does not know, because a newer version has
 * written it
 */
export function personText(language: Language, problem: Problem, about: Contested): string;
export function personText(
  language: Language,
  problem: string,
  about: Contested,
): string | undefined;
export function personText(
  language: Language,
  problem: string,
  { orderId, amountMinor, currency, movedMinor = 0 }: Contested,
): string | undefined {
  const { sale, refund } = screenTexts[language].unsettled;
  const money = (minor: number): string => formatMoney(language, { amountMinor: minor, currency });
  const other = movedMinor < amountMinor ? sale.otherAmount.less : sale.otherAmount.more;
  const words: Readonly<Record<Problem, () => string>> = {
    captureLost: () => sale.capture.person({ orderId }),
    otherAmountCaptured: () =>
      other({
        moved: money(movedMinor),
        difference: money(Math.abs(amountMinor - movedMinor)),
        orderId,
      }),
    capturedUnasked: () => sale.cancel.person({ orderId }),
    refundLost: () => refund.capture.person({ orderId }),
    refundUnseen: () => refund.unseen({ orderId }),
    paidOutUnasked: () => refund.cancel.person({ orderId }),
  };
  return Object.hasOwn(words, problem) ? words[problem as Problem]() : undefined;
}

/**
 * A short text with the amount for the cashier, who serves customers: whether something has to be
 * done now.
 */
export function unsettledShort(language: Language, money: Unsettled, nowMs: number): string {
  const { kind, intent, orderId, needsPerson, sinceMs } = money;
  const amount = formatMoney(language, money);
  if (needsPerson) return `${amount} ${unsettledText(language, money, nowMs)}`;
  const { unsettled, callSupport } = screenTexts[language];
  const callAtMs = sinceMs + callSupportAfterMs;
  const todo =
    nowMs < callAtMs
      ? callSupport.nothingUntil({ at: formatTime(language, callAtMs) })
      : callSupport.now({ orderId });
  return `${unsettled[kind][intent].short({ amount })} ${todo}`;
}
