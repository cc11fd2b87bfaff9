import type { LaneView } from '../preload/contract.ts';
import { formatDateTime, formatMoney, formatTime, type Language } from './locales/i18n.ts';
import { screenTexts } from './locales/screens.ts';

type Unsettled = LaneView['unsettled'][number];

const hourMs = 3_600_000;
/** When the service itself ends what is never confirmed: a reservation after 7 days, a reserved refund after 24 hours (document 4, sections 1.3 and 1.4). */
const endsByItselfAfterMs: Readonly<Record<Unsettled['kind'], number>> = { sale: 7 * 24 * hourMs, refund: 24 * hourMs };
/** If the connection to the service is not back by then, the shop calls support. */
const callSupportAfterMs = hourMs;

/** For whoever has to see to it: after the amount, what is known of the money, until when it can stay so, and what to do. */
export function unsettledText(language: Language, { kind, intent, known, saleId, orderId, needsPerson, sinceMs }: Unsettled, nowMs: number): string {
  const { unsettled, callSupport } = screenTexts[language];
  const { what, person } = unsettled[kind][intent];
  // The service’s support finds all calls by it.
  const correlation = callSupport.correlation({ correlationId: saleId });
  if (needsPerson || known === 'lost' || known === 'unasked') return `${person({ orderId })} ${correlation}`;
  const callAtMs = sinceMs + callSupportAfterMs;
  const support = nowMs < callAtMs ? callSupport.later({ at: formatTime(language, callAtMs) }) : `${callSupport.now({ orderId })} ${correlation}`;
  return `${what} ${unsettled[kind].known[known]({ at: formatDateTime(language, sinceMs + endsByItselfAfterMs[kind]) })} ${support}`;
}

/** For the cashier, who has customers: whether there is anything to do now. With the amount. */
export function unsettledShort(language: Language, money: Unsettled, nowMs: number): string {
  const { kind, intent, orderId, needsPerson, sinceMs } = money;
  const amount = formatMoney(language, money);
  if (needsPerson) return `${amount} ${unsettledText(language, money, nowMs)}`;
  const { unsettled, callSupport } = screenTexts[language];
  const callAtMs = sinceMs + callSupportAfterMs;
  const todo = nowMs < callAtMs ? callSupport.nothingUntil({ at: formatTime(language, callAtMs) }) : callSupport.now({ orderId });
  return `${unsettled[kind][intent].short({ amount })} ${todo}`;
}
