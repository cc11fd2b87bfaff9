import { html, nothing, type TemplateResult } from 'lit';
import { amountPad } from '../ui/amount-pad.ts';
import { problemLine } from '../ui/field.ts';
import { icon } from '../ui/icons.ts';
import { formatMoney, type Language } from '../locales/i18n.ts';
import { screenTexts } from '../locales/screens.ts';
import type { LaneView } from '../../preload/contract.ts';
import type { AgreeForm, ToAgree } from './agree-form.ts';

/**
 * Shown instead of the lane's state while the amount of a manual payment can still be changed.
 * @param focusSend focuses the button that sends it
 */
export function agreePanel(
  form: AgreeForm,
  language: Language,
  { currency, isReservation, loyaltyIds = null }: ToAgree & Pick<LaneView, 'loyaltyIds'>,
  focusSend: () => void,
): TemplateResult {
  const { agree, byHand, reservation } = screenTexts[language].cashier;
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
      ${isReservation === true ? html`<p class="lead" data-testid="reservation">${icon('calendar')} ${reservation.note}</p>` : nothing}
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

/** Characters of loyalty numbers that always fit beside the lane's state. */
const scrolledLength = 60;

/** The customer's loyalty numbers beside the lane's state; nothing while none are known. */
export function loyaltyLine(
  language: Language,
  loyaltyIds: LaneView['loyaltyIds'],
): TemplateResult | typeof nothing {
  if (loyaltyIds == null || loyaltyIds.length === 0) return nothing;
  const says = screenTexts[language].cashier.loyalty({ ids: loyaltyIds.join(', ') });
  // More than fit scroll, also by the keyboard.
  return html`<p
    class="hint loyalty"
    data-testid="loyalty"
    tabindex=${says.length > scrolledLength ? 0 : nothing}
  >${icon('person')} ${says}</p>`;
}
