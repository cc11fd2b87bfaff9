import { html, nothing, type TemplateResult, unsafeCSS } from 'lit';
import { fieldRule } from '../ui/amount.ts';
import { checkbox } from '../ui/checkbox.ts';
import { field } from '../ui/field.ts';
import { icon } from '../ui/icons.ts';
import { notice } from '../ui/notice.ts';
import { select } from '../ui/select.ts';
import type { Language } from '../locales/i18n.ts';
import { setupTexts } from '../locales/setup.ts';
import { isOpenToNetwork, refundChoices, type TillForm } from './till-form.ts';
import styles from './till-security.css?inline';

interface SecurityOptions {
  readonly language: Language;
  readonly form: TillForm;
  /** The password as typed. */
  readonly password: string;
  /** Whether a password is stored. */
  readonly hasPassword: boolean;
  /** The lane's currency. */
  readonly currency: string;
  readonly problems: Readonly<Record<string, string>>;
  readonly set: (change: Partial<TillForm>, ...mended: string[]) => void;
  readonly setFrom: (from: string) => void;
  readonly setPassword: (password: string) => void;
  readonly onEnter: () => void;
}

/**
 * What the till may do. Where other machines can reach the port, the section is open from the start
 * and says why.
 */
export function tillSecurity(options: SecurityOptions): TemplateResult | typeof nothing {
  const { language, form, password, hasPassword } = options;
  const texts = setupTexts[language].security;
  const isOpen = isOpenToNetwork(form);
  const willHavePassword = password !== '' || (hasPassword && !form.withoutPassword);
  // Concert has no passwords: it can only restrict the addresses, and a serial line has none.
  const hasPasswords = form.protocol === 'zvt';
  if (form.transport === 'http' || (!hasPasswords && form.transport === 'serial')) return nothing;
  const isGuarded = (hasPasswords && willHavePassword) || form.from.trim() !== '';
  return html`<details data-testid="security" ?open=${isOpen}>
    <summary>${icon('down')} ${texts.title}</summary>
    <div class="stack security">
      ${isOpen ? notice({ kind: isGuarded ? 'info' : 'warning', body: hasPasswords ? texts.why : texts.whyAddress }) : nothing}
      ${hasPasswords ? ofZvt(options) : html`<div class="two">${addresses(options)}</div>`}
    </div>
  </details>`;
}

function ofZvt(options: SecurityOptions): TemplateResult {
  const { language, form, password, hasPassword, problems, set } = options;
  const texts = setupTexts[language].security;
  const willHavePassword = password !== '' || (hasPassword && !form.withoutPassword);
  return html`<div class="two">
        ${field({
          id: 'tillPassword',
          label: texts.password,
          type: 'password',
          inputMode: 'numeric',
          maxLength: 6,
          language,
          value: password,
          hint: hasPassword ? texts.passwordKept : texts.passwordHint,
          problem: problems['tillPassword'] ?? null,
          onInput: options.setPassword,
          onEnter: options.onEnter,
        })}
        ${form.transport === 'tcp' ? addresses(options) : nothing}
      </div>
      ${
        hasPassword && password === ''
          ? checkbox({
              id: 'withoutPassword',
              label: texts.withoutPassword,
              checked: form.withoutPassword,
              onChange: (withoutPassword) => set({ withoutPassword }),
            })
          : nothing
      }
      <div class="two">
        ${select({
          id: 'refunds',
          label: texts.refunds,
          hint: refundsHint(),
          value: form.refunds,
          options: refundChoices(form).map(({ value, says }) => ({
            value,
            label: texts.choices[says],
          })),
          onChange: (refunds) => set({ refunds }, 'refundLimit'),
        })}
        ${form.refunds === 'upTo' ? limit(options) : nothing}
      </div>`;

  function refundsHint(): string {
    if (!isOpenToNetwork(form) || willHavePassword || form.refunds === 'no')
      return texts.refundsHint;
    return form.refunds === 'usual' ? texts.refundsShut : texts.refundsOpen;
  }
}

function addresses({ language, form, problems, setFrom }: SecurityOptions): TemplateResult {
  const texts = setupTexts[language].security;
  return field({
    id: 'from',
    label: texts.from,
    hint: texts.fromHint,
    rows: 2,
    value: form.from,
    problem: problems['from'] ?? null,
    onInput: setFrom,
  });
}

function limit({
  language,
  form,
  currency,
  problems,
  set,
  onEnter,
}: SecurityOptions): TemplateResult {
  const texts = setupTexts[language].security;
  return field({
    id: 'refundLimit',
    label: texts.limit,
    hint: `${texts.limitHint} · ${fieldRule(language)}`,
    inputMode: 'decimal',
    suffix: currency,
    value: form.refundLimit,
    problem: problems['refundLimit'] ?? null,
    onInput: (refundLimit) => set({ refundLimit }, 'refundLimit'),
    onEnter,
  });
}

export const securityStyles = unsafeCSS(styles);
