import { html, nothing, type TemplateResult } from 'lit';
import type { LaneView } from '../../preload/contract.ts';
import { field } from '../ui/field.ts';
import { icon } from '../ui/icons.ts';
import { notice } from '../ui/notice.ts';
import type { Language } from '../locales/i18n.ts';
import { screenTexts } from '../locales/screens.ts';
import { asksForCustomer, type CustomerForm } from './customer-form.ts';

/**
 * The customer who was named, or the field for a telephone number; nothing on lanes where customers
 * are not named.
 */
export function customerPanel(
  form: CustomerForm,
  language: Language,
  lane: LaneView,
): TemplateResult | typeof nothing {
  const { named } = lane;
  if (named === undefined) return nothing;
  const texts = screenTexts[language];
  const { code, sticker, number, forget, phone, phoneHint, send } = texts.cashier.named;
  const refused = form.problem ?? named.refused;
  const problem = refused === null ? null : texts.refusal[refused];
  if (named.isNamed)
    return html`<div class="named" data-testid="named" aria-live="polite">
      <p class="hint">${icon('person')} ${named.sticker === 'scanned' ? sticker : named.number === null ? code : number({ number: named.number })}</p>
      ${problem === null ? nothing : notice({ kind: 'error', body: problem })}
      ${named.isSent ? nothing : html`<button data-testid="forget-customer" @click=${() => void form.forget()}>${forget}</button>`}
    </div>`;
  // The field is shown during a payment only. A refused scan is shown always.
  if (!asksForCustomer(lane))
    return problem === null
      ? nothing
      : html`<div data-testid="not-named">${notice({ kind: 'error', body: problem })}</div>`;
  return html`<div class="named" data-testid="name-customer">
    ${field({
      id: 'phone-number',
      label: phone,
      hint: phoneHint,
      problem: form.problem === null ? null : problem,
      value: form.number,
      inputMode: 'numeric',
      autocomplete: 'off',
      maxLength: 24,
      onInput: (text) => (form.number = text),
      onEnter: () => void form.sendNumber(),
    })}
    <button class="primary" data-testid="send-number" aria-busy=${form.isSending} @click=${() => void form.sendNumber()}>${send}</button>
  </div>`;
}
