import { html, nothing, type TemplateResult } from 'lit';
import type { LaneView } from '../../preload/contract.ts';
import { amount } from '../ui/amount.ts';
import { icon } from '../ui/icons.ts';
import { currentStep, paymentSteps } from '../ui/payment-steps.ts';
import type { Language } from '../locales/i18n.ts';
import { screenTexts } from '../locales/screens.ts';
import type { ByHandForm } from './by-hand-form.ts';
import { customerLines, paymentLines } from './payment-lines.ts';
import { isReservation, isUnanswered, stateStyleOf, wordsOf } from './state-styles.ts';

interface BesideState {
  /** What went wrong with the cashier's last action, in place of what to do; null otherwise. */
  readonly notice: string | null;
  /** For how long the service has not answered about the payment. */
  readonly unansweredSeconds: number;
  readonly setAsideFor: ByHandForm['setAsideFor'];
}

/** The card of a lane's state: what has happened, what to do, and how far the payment is. */
export function statePanel(
  language: Language,
  lane: LaneView,
  { notice, unansweredSeconds, setAsideFor }: BesideState,
): TemplateResult {
  const { state } = lane;
  const texts = screenTexts[language];
  const style = stateStyleOf(lane);
  const { what, next } = wordsOf(language, lane, unansweredSeconds);
  const isRefused = state.kind === 'notPaid' && style.tone === 'bad';
  return html`<section class="state" data-tone=${style.tone} aria-live=${isUnanswered(lane) ? 'off' : 'polite'}>
    ${icon(style.icon)} ${isRefused ? html`<p class="verdict" data-testid="verdict">${texts.cashier.state.notPaid}</p>` : nothing}
    <h1 data-testid="sentence">${what}</h1>
    ${'amountMinor' in state ? amount(language, state) : nothing}
    ${paymentLines(language, lane)}
    <p class="hint">${notice ?? next}</p>
    ${customerLines(language, lane)}
    ${setAsideLine(language, lane, setAsideFor)}
    ${state.kind === 'notReady' && state.detail !== null ? html`<p class="detail">${texts.support}: ${state.detail}</p>` : nothing}
    ${stepsLine(language, lane)}
  </section>`;
}

/** Says that a manual payment was typed and not sent when another payment began. */
function setAsideLine(
  language: Language,
  { state }: LaneView,
  setAsideFor: ByHandForm['setAsideFor'],
): TemplateResult | typeof nothing {
  if (setAsideFor === null) return nothing;
  const { setAside } = screenTexts[language].cashier.byHand;
  const says = 'remainingMs' in state ? setAside[setAsideFor] : setAside.after;
  return html`<p class="hint" data-testid="set-aside">${icon('edit')} ${says}</p>`;
}

function stepsLine(language: Language, lane: LaneView): TemplateResult | typeof nothing {
  const texts = screenTexts[language];
  const steps = paymentSteps(lane);
  const current = currentStep(steps, lane.state.kind);
  if (current === null) return nothing;
  const titles = isReservation(lane.state)
    ? { ...texts.steps, paid: texts.cashier.state.reserved }
    : texts.steps;
  return html`<ol class="steps" aria-label=${texts.steps.label}>
    ${steps.map((step, index) => html`<li class=${index < current ? 'done' : ''} aria-current=${index === current ? 'step' : nothing}>${titles[step]}</li>`)}
  </ol>`;
}
