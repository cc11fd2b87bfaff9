import type { LaneView } from '../preload/contract.ts';
import { formatDateTime, formatTime, type Language } from './locales/i18n.ts';
import { screenTexts } from './locales/screens.ts';

type Unsettled = LaneView['unsettled'][number];

const hourMs = 3_600_000;
/** When the service itself ends what is never confirmed: a reservation after 7 days, a reserved refund after 24 hours (document 4, sections 1.3 and 1.4). */
const endsByItselfAfterMs: Readonly<Record<Unsettled['kind'], number>> = { sale: 7 * 24 * hourMs, refund: 24 * hourMs };
/** If the connection to the service is not back by then, the shop calls support. */
const callSupportAfterMs = hourMs;

/** The sentence after the amount: what the money waits for, until when, and what to do. */
export function unsettledText(language: Language, { kind, intent, saleId, orderId, needsPerson, sinceMs }: Unsettled, nowMs: number): string {
  const { unsettled, callSupport } = screenTexts[language];
  const { what, until, person } = unsettled[kind][intent];
  // The service’s support finds all calls by it.
  const correlation = callSupport.correlation({ correlationId: saleId });
  if (needsPerson) return `${person({ orderId })} ${correlation}`;
  const callAtMs = sinceMs + callSupportAfterMs;
  const support = nowMs < callAtMs ? callSupport.later({ at: formatTime(language, callAtMs) }) : `${callSupport.now({ orderId })} ${correlation}`;
  return `${what} ${until({ at: formatDateTime(language, sinceMs + endsByItselfAfterMs[kind]) })} ${support}`;
}
