import { html, nothing, type TemplateResult } from 'lit';
import { approachOf, checkInApproachOf } from '../../main/core/domain/beacons.ts';
import type { LaneState, LaneView } from '../../preload/contract.ts';
import { holdPhone } from '../ui/hold-phone.ts';
import { icon } from '../ui/icons.ts';
import { ownCode, qr } from '../ui/qr.ts';
import type { Language } from '../locales/i18n.ts';
import { screenTexts } from '../locales/screens.ts';
import { isUnanswered } from './state-styles.ts';

export type OnItsWay = Extract<LaneState, { remainingMs: number }>;

/** Whether there is a code to scan or a beacon to hold a phone to. */
export const asksForPhone = (lane: LaneView): boolean => {
  const { state, beacons, named } = lane;
  if (named !== undefined) return false;
  return (
    state.kind === 'waitingForCustomer' &&
    !isUnanswered(lane) &&
    (state.qr !== null || state.ownCode !== undefined || approachOf(beacons) !== 'code')
  );
};

/** Whether something is shown beside the state that can be exchanged for the last payments. */
export const hasPanel = (lane: LaneView): boolean =>
  asksForPhone(lane) || (!('qr' in lane.state) && lane.customer.checkIn !== null);

/** The code of the payment, the picture of a phone at the beacon, or both. */
export function codeOfPayment(
  language: Language,
  { beacons }: LaneView,
  { qr: payload, ownCode: own }: OnItsWay,
): TemplateResult {
  const texts = screenTexts[language].customer.approach;
  if (own !== undefined) return html`<div class="code">${ownCode(own, texts.ownCode.what)}</div>`;
  const { what } = texts[approachOf(beacons)];
  const code = payload === null ? nothing : qr(payload, what);
  return html`<div class="code">${code}${approachOf(beacons) === 'code' ? nothing : holdPhone()}</div>`;
}

/** The code of a check-in: the next customer does not wait for the amount. */
export function codeOfCheckIn(
  language: Language,
  { qr: payload, ownCode: own, isCheckedIn }: NonNullable<LaneView['customer']['checkIn']>,
  beacons: LaneView['beacons'],
): TemplateResult {
  const { scan: asks, checkedIn } = screenTexts[language].cashier.checkIn;
  const approach = checkInApproachOf(beacons, own !== undefined || payload !== null);
  const scan = asks[approach];
  const code =
    own !== undefined ? ownCode(own, scan) : payload === null ? nothing : qr(payload, scan);
  return html`<div class="code">${code}${approach === 'code' ? nothing : holdPhone()}</div>
      <p class="check-in" data-testid="check-in" data-tone=${isCheckedIn ? 'good' : 'neutral'} aria-live="polite">${isCheckedIn ? icon('check') : nothing} ${isCheckedIn ? checkedIn : scan}</p>`;
}
