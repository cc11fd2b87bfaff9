import { html, nothing, type TemplateResult } from 'lit';
import { copyField } from '../ui/copy-field.ts';
import { field } from '../ui/field.ts';
import { icon } from '../ui/icons.ts';
import { select } from '../ui/select.ts';
import { frameTexts } from '../locales/frame.ts';
import type { Language } from '../locales/i18n.ts';
import { setupTexts } from '../locales/setup.ts';
import type { TillForm } from './till-form.ts';

export interface NexoOptions {
  readonly language: Language;
  readonly form: TillForm;
  /** The passphrase as typed or generated. */
  readonly passphrase: string;
  /** Whether a passphrase is stored. */
  readonly hasPassphrase: boolean;
  readonly isCopied: boolean;
  readonly problems: Readonly<Record<string, string>>;
  readonly set: (change: Partial<TillForm>, ...mended: string[]) => void;
  readonly setPassphrase: (passphrase: string) => void;
  readonly onCopied: () => void;
  readonly onEnter: () => void;
}

const passphraseBytes = 32;
const randomPassphrase = (): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(passphraseBytes))));

/** The settings that a till over Nexo and this terminal must have in common. */
export function tillNexo(options: NexoOptions): TemplateResult {
  const { language, form, problems, set, onEnter } = options;
  const texts = setupTexts[language].nexo;
  return html`<div class="two">
      ${field({
        id: 'poiId',
        label: texts.poiId,
        hint: texts.poiIdHint,
        value: form.poiId,
        problem: problems['poiId'] ?? null,
        onInput: (poiId) => set({ poiId }, 'poiId'),
        onEnter,
      })}
      ${select({
        id: 'protection',
        label: texts.protection,
        hint: texts.protectionHint,
        value: form.hasKey ? 'key' : 'token',
        options: [
          { value: 'key', label: texts.withKey },
          { value: 'token', label: texts.withToken },
        ],
        onChange: (protection) =>
          set(
            { hasKey: protection === 'key' },
            'keyIdentifier',
            'keyVersion',
            'passphrase',
            'tokenName',
          ),
      })}
    </div>
    ${form.hasKey ? sharedKey(options) : nothing}`;
}

function sharedKey({
  language,
  form,
  passphrase,
  hasPassphrase,
  isCopied,
  problems,
  set,
  setPassphrase,
  onCopied,
  onEnter,
}: NexoOptions): TemplateResult {
  const { nexo: texts } = setupTexts[language];
  const text = (id: 'keyIdentifier' | 'keyVersion'): TemplateResult =>
    field({
      id,
      label: texts[id],
      value: form[id],
      problem: problems[id] ?? null,
      onInput: (typed) => set({ [id]: typed }, id),
      onEnter,
    });
  return html`<div class="card stack token-part" data-testid="shared-key">
    <h2 class="heading">${texts.key}</h2>
    <div class="two">${text('keyIdentifier')} ${text('keyVersion')}</div>
    ${field({
      id: 'passphrase',
      label: texts.passphrase,
      hint: hasPassphrase ? texts.passphraseKept : texts.passphraseHint,
      type: 'password',
      language,
      value: passphrase,
      problem: problems['passphrase'] ?? null,
      onInput: setPassphrase,
      onEnter,
    })}
    ${
      passphrase === ''
        ? html`<div class="row"><button data-testid="make-passphrase" @click=${() => setPassphrase(randomPassphrase())}>${icon('key')} ${texts.make}</button></div>`
        : copyField({
            id: 'shown-passphrase',
            label: texts.forTill,
            value: passphrase,
            copy: frameTexts[language].command[isCopied ? 'copied' : 'copy'],
            onCopied,
          })
    }
  </div>`;
}
