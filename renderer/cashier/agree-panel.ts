import { html, type TemplateResult } from 'lit';
import { amountPad } from '../ui/amount-pad.ts';
import { problemLine } from '../ui/field.ts';
import { icon } from '../ui/icons.ts';
import { formatMoney, type Language } from '../locales/i18n.ts';
import { screenTexts } from '../locales/screens.ts';
import type { LaneView } from '../../preload/contract.ts';
import type { AgreeForm } from './agree-form.ts';
import { paymentLines } from './payment-lines.ts';

/**
 * Shown instead of the lane's state while the amount of a manual payment can still be changed.
 * @param focusSend focuses the button that sends it
 */
export function agreePanel(
  form: AgreeForm,
  language: Language,
  lane: LaneView,
  focusSend: () => void,
): TemplateResult {
  const { agree, byHand } = screenTexts[language].cashier;
  const { currency, loyaltyIds = null } = lane;
  const { amountMinor, problem } = form;
  const says =
    problem === null
      ? null
      : problem === 'failed'
        ? byHand.unanswered
        : screenTexts[language].refusal[problem];
  return html`<section class="agree" aria-labelledby="agree-title" data-testid="agree-form">
    <div class="stack">
      <h1 id="agree-title">${icon('person')} ${agree.title}</h1>
      <div class="loyalty" data-testid="loyalty" aria-live="polite">${loyalty(language, loyaltyIds)}</div>
      <p class="lead">${agree.lead}</p>
      ${paymentLines(language, lane, 'lead')}
      <button class="send primary" data-testid="send" data-decides aria-busy=${form.isSending} aria-describedby="send-problem" @click=${() => void form.send()}>
        ${icon('phone')} ${agree.send({ amount: formatMoney(language, { amountMinor, currency }) })}
      </button>
      ${problemLine('send', says)}
    </div>
    ${amountPad({ language, currency, amountMinor, label: byHand.amount, onAmount: (minor) => (form.amountMinor = minor), onEnter: () => amountMinor > 0 && focusSend() })}
  </section>`;
}

/** The customer's loyalty numbers; null while the service has not looked them up. */
function loyalty(language: Language, loyaltyIds: readonly string[] | null): TemplateResult {
  const { agree } = screenTexts[language].cashier;
  if (loyaltyIds === null) return html`<p>${icon('busy')} ${agree.lookingUp}</p>`;
  if (loyaltyIds.length === 0) return html`<p>${agree.noLoyalty}</p>`;
  return html`<h2>${agree.loyalty}</h2><ul>${loyaltyIds.map((id) => html`<li>${id}</li>`)}</ul>`;
}
