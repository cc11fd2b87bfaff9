import { approachOf } from '../../main/core/domain/beacons.ts';
import type { LaneState, LaneView } from '../../preload/contract.ts';
import type { IconName } from '../ui/icons.ts';
import { formatDateTime, formatMoney, formatTime, type Language } from '../locales/i18n.ts';
import { screenTexts } from '../locales/screens.ts';

interface StateStyle {
  readonly icon: IconName;
  readonly tone: 'neutral' | 'busy' | 'good' | 'bad' | 'warn';
}

/** Each state has an icon beside its colour. */
const stateStyles: Readonly<Record<LaneState['kind'], StateStyle>> = {
  notReady: { icon: 'warning', tone: 'warn' },
  idle: { icon: 'till', tone: 'neutral' },
  contactingService: { icon: 'busy', tone: 'busy' },
  waitingForCustomer: { icon: 'scan', tone: 'busy' },
  customerFound: { icon: 'person', tone: 'busy' },
  approveInApp: { icon: 'phone', tone: 'busy' },
  confirming: { icon: 'till', tone: 'busy' },
  cancelling: { icon: 'busy', tone: 'warn' },
  paid: { icon: 'check', tone: 'good' },
  reserved: { icon: 'calendar', tone: 'neutral' },
  notPaid: { icon: 'cross', tone: 'bad' },
};

type Seen = Pick<LaneView, 'state' | 'customer' | 'beacons' | 'named'>;

/**
 * Whether the service has not answered about the payment for some seconds. The customer is asked
 * for nothing meanwhile.
 */
export const isUnanswered = ({ state }: Pick<Seen, 'state'>): boolean =>
  'unansweredMs' in state && state.unansweredMs !== undefined;

/** Whether the payment under way only reserves the amount. */
export const isReservation = (state: LaneState): boolean =>
  'isReservation' in state && state.isReservation === true;

/** Whether a customer has checked in, and no payment has begun. */
const isCheckedIn = ({ state, customer }: Seen): boolean =>
  state.kind === 'idle' && customer.checkIn?.isCheckedIn === true;

export function stateStyleOf(lane: Seen): StateStyle {
  const { state } = lane;
  if (isUnanswered(lane)) return { ...stateStyles[state.kind], icon: 'offline', tone: 'warn' };
  if (isCheckedIn(lane)) return { icon: 'person', tone: 'busy' };
  if (
    state.kind === 'waitingForCustomer' &&
    lane.named === undefined &&
    approachOf(lane.beacons) === 'beacon'
  )
    return { ...stateStyles[state.kind], icon: 'phone' };
  // Not shown as a refusal, because it is not known whether the customer approved.
  if (state.kind === 'notPaid' && state.reason === 'leftByCashier' && state.known !== 'notMoved')
    return { icon: 'warning', tone: 'warn' };
  return stateStyles[state.kind];
}

/**
 * Reasons whose words tell the cashier to start again at the till. They have other words for a
 * manual payment, of which the till knows nothing.
 */
const againAtTheTill: ReadonlySet<string> = new Set([
  'declinedByCustomer',
  'cancelledByCustomer',
  'cancelledByCashier',
  'cancelledByService',
  'expired',
  'timedOut',
  'interrupted',
]);

/** Why no payment can begin, and what to do. */
export function notReadyWords(
  language: Language,
  { reason, sinceMs }: Extract<LaneState, { kind: 'notReady' }>,
): { readonly what: string; readonly next: string } {
  const { notReady, awaySince } = screenTexts[language];
  const { what, next } = notReady[reason];
  return {
    what,
    next:
      sinceMs === undefined ? next : `${next} ${awaySince({ at: formatSince(language, sinceMs) })}`,
  };
}

/**
 * What has happened, and what to do. @param unansweredSeconds how long the service has not answered
 * about the payment
 */
export function wordsOf(
  language: Language,
  lane: Seen,
  unansweredSeconds = 0,
): { readonly what: string; readonly next: string } {
  const { state } = lane;
  const texts = screenTexts[language];
  const {
    state: sentences,
    hint,
    approach,
    byHand,
    checkIn,
    fetchingCode,
    unanswered,
  } = texts.cashier;
  if (isUnanswered(lane))
    return { what: unanswered.what({ seconds: unansweredSeconds }), next: unanswered.next };
  if (isCheckedIn(lane)) return { what: checkIn.checkedIn, next: hint.idle };
  const isByHand = 'by' in state && state.by === 'cashier';
  const isTest = 'isTest' in state && state.isTest === true;
  if (state.kind === 'waitingForCustomer' && lane.named !== undefined)
    return {
      ...approach[lane.named.sticker === undefined ? 'named' : 'sticker'],
      ...(lane.named.refused !== null && { next: texts.refusal[lane.named.refused] }),
    };
  if (state.kind === 'waitingForCustomer')
    return state.ownCode !== undefined ? approach.ownCode : approach[approachOf(lane.beacons)];
  if (state.kind === 'notReady') return notReadyWords(language, state);
  if (state.kind === 'notPaid') {
    const words = texts.notPaid[state.reason];
    const { phoneMayShow, stillReserved } = texts.notConfirmed;
    if (state.reason === 'leftByCashier')
      return state.known === 'notMoved' ? { what: words.what, next: byHand.again } : words;
    if (state.known !== 'notMoved')
      return {
        what: words.what,
        next: (state.known === 'releasing' ? stillReserved : phoneMayShow)({
          amount: formatMoney(language, state),
        }),
      };
    return isByHand && againAtTheTill.has(state.reason)
      ? { what: words.what, next: isTest ? byHand.test : byHand.again }
      : words;
  }
  if (state.kind === 'confirming' && isReservation(state))
    return {
      what: isByHand ? byHand.confirming.what : sentences.confirming,
      next: texts.cashier.reservation.confirming,
    };
  if (isByHand && state.kind === 'confirming')
    return isTest ? { ...byHand.confirming, next: byHand.test } : byHand.confirming;
  if (state.kind === 'contactingService' && state.isFetchingCode) return fetchingCode;
  return {
    what: sentences[state.kind],
    next:
      isByHand && state.kind === 'paid' ? (isTest ? byHand.test : byHand.paid) : hint[state.kind],
  };
}

/** A time, with its day when that is not today. */
function formatSince(language: Language, atMs: number): string {
  const isToday = new Date(atMs).toDateString() === new Date(Date.now()).toDateString();
  return isToday ? formatTime(language, atMs) : formatDateTime(language, atMs);
}
