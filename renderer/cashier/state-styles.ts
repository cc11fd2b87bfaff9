import { approachOf } from '../../main/domain/beacons.ts';
import type { LaneState, LaneView } from '../../preload/contract.ts';
import type { IconName } from '../ui/icons.ts';
import type { Language } from '../locales/i18n.ts';
import { screenTexts } from '../locales/screens.ts';

interface StateStyle {
  readonly icon: IconName;
  readonly tone: 'neutral' | 'busy' | 'good' | 'bad' | 'warn';
  readonly step: number | null;
}

/** Each state has an icon, a tone and a step of the progress: never a colour alone. */
const stateStyles: Readonly<Record<LaneState['kind'], StateStyle>> = {
  notReady: { icon: 'warning', tone: 'warn', step: null },
  idle: { icon: 'till', tone: 'neutral', step: null },
  contactingService: { icon: 'busy', tone: 'busy', step: 0 },
  waitingForCustomer: { icon: 'scan', tone: 'busy', step: 0 },
  customerFound: { icon: 'person', tone: 'busy', step: 1 },
  approveInApp: { icon: 'phone', tone: 'busy', step: 2 },
  confirming: { icon: 'till', tone: 'busy', step: 3 },
  cancelling: { icon: 'busy', tone: 'warn', step: null },
  paid: { icon: 'check', tone: 'good', step: 4 },
  reserved: { icon: 'calendar', tone: 'neutral', step: null },
  notPaid: { icon: 'cross', tone: 'bad', step: null },
};

type Seen = Pick<LaneView, 'state' | 'customer' | 'beacons'>;

/** A customer has checked in, and no payment has begun. */
const isCheckedIn = ({ state, customer }: Seen): boolean => state.kind === 'idle' && customer.checkIn?.isCheckedIn === true;

export function stateStyleOf(lane: Seen): StateStyle {
  const { state } = lane;
  if (isCheckedIn(lane)) return { icon: 'person', tone: 'busy', step: null };
  if (state.kind === 'waitingForCustomer' && approachOf(lane.beacons) === 'beacon') return { ...stateStyles[state.kind], icon: 'phone' };
  // It is unknown whether the customer approved: not a refusal.
  if (state.kind === 'notPaid' && state.reason === 'leftByCashier') return { icon: 'warning', tone: 'warn', step: null };
  return stateStyles[state.kind];
}

/** States whose words send the cashier to the till. A payment by hand needs other words: the till was not told of it. */
const againAtTheTill: ReadonlySet<string> = new Set([
  'declinedByCustomer',
  'cancelledByCustomer',
  'cancelledByCashier',
  'cancelledByService',
  'expired',
  'timedOut',
  'interrupted',
]);

/** What has happened, and what to do. */
export function wordsOf(language: Language, lane: Seen): { readonly what: string; readonly next: string } {
  const { state } = lane;
  const texts = screenTexts[language];
  const { state: sentences, hint, approach, byHand, checkIn } = texts.cashier;
  if (isCheckedIn(lane)) return { what: checkIn.checkedIn, next: hint.idle };
  const isByHand = 'by' in state && state.by === 'cashier';
  if (state.kind === 'waitingForCustomer') return approach[approachOf(lane.beacons)];
  if (state.kind === 'notReady') return texts.notReady[state.reason];
  if (state.kind === 'notPaid') {
    const words = texts.notPaid[state.reason];
    // The words for a sale that was left say so already.
    if (!state.isConfirmed && state.reason !== 'leftByCashier') return { what: words.what, next: texts.notConfirmed.cancelled };
    return isByHand && againAtTheTill.has(state.reason) ? { what: words.what, next: byHand.again } : words;
  }
  if (isByHand && state.kind === 'confirming') return byHand.confirming;
  return { what: sentences[state.kind], next: isByHand && state.kind === 'paid' ? byHand.paid : hint[state.kind] };
}
