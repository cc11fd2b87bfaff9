import { html, nothing, type TemplateResult } from 'lit';
import type { LaneView } from '../../preload/contract.ts';
import { amountPad } from '../ui/amount-pad.ts';
import { checkbox } from '../ui/checkbox.ts';
import { field, problemLine } from '../ui/field.ts';
import { icon } from '../ui/icons.ts';
import { formatMoney, type Language } from '../locales/i18n.ts';
import { screenTexts } from '../locales/screens.ts';
import type { ByHandForm } from './by-hand-form.ts';
import { notReadyWords } from './state-styles.ts';

/** Why no payment can start now. It is shown at the button, so that the form stays visible. */
function notReady(language: Language, state: LaneView['state']): string | null {
  if (state.kind !== 'notReady') return null;
  const { what, next } = notReadyWords(language, state);
  return `${what}. ${next}`;
}

/** Shown instead of the lane's state. The banners below stay visible. */
export function byHandPanel(
  form: ByHandForm,
  language: Language,
  { currency, state, takesReservations }: LaneView,
): TemplateResult {
  const texts = screenTexts[language].cashier.byHand;
  const { amountMinor, problem } = form;
  const amount = formatMoney(language, { amountMinor, currency });
  const says =
    problem === null
      ? notReady(language, state)
      : problem === 'failed'
        ? texts.unanswered
        : screenTexts[language].refusal[problem];
  return html`<section class="by-hand" aria-labelledby="by-hand-title" data-testid="by-hand-form">
    <div class="stack">
      <h1 id="by-hand-title">${icon('edit')} ${texts.title}</h1>
      <p class="lead">${texts.lead}</p>
      ${field({
        id: 'order-text',
        label: texts.order,
        hint: texts.orderHint,
        value: form.orderText,
        problem: problem === 'orderText' ? says : null,
        onInput: (text) => (form.orderText = text),
        onEnter: () => form.toTake(),
      })}
      ${takesReservations ? checkbox({ id: 'reserve', label: texts.reserve, checked: form.reserve, onChange: (reserve) => (form.reserve = reserve) }) : nothing}
      <div class="row">
        <button class=${amountMinor === 0 ? 'take' : 'take primary'} data-testid="take" data-decides aria-busy=${form.isSending} aria-describedby="take-problem" @click=${() => void form.take()}>
          ${icon('phone')} ${amountMinor === 0 ? screenTexts[language].refusal.amountTooSmall : (form.reserve ? texts.reserveIt : texts.take)({ amount })}
        </button>
        <button class="back" data-testid="back" @click=${() => form.close()}>${texts.back} <kbd>${screenTexts[language].cancelKey}</kbd></button>
      </div>
      ${problemLine('take', problem === 'orderText' ? null : says)}
    </div>
    ${amountPad({ language, currency, amountMinor, label: texts.amount, onAmount: (minor) => (form.amountMinor = minor), onEnter: () => form.toTake() })}
  </section>`;
}
