import { html, nothing, type TemplateResult } from 'lit';
import type { OutputOf } from '../../preload/procedures.ts';
import { isOfThisMachineAlone } from '../../preload/procedures/plain.ts';
import { checkbox } from '../ui/checkbox.ts';
import { copyField } from '../ui/copy-field.ts';
import { field } from '../ui/field.ts';
import { icon } from '../ui/icons.ts';
import { notice } from '../ui/notice.ts';
import { progress } from '../ui/progress.ts';
import { select } from '../ui/select.ts';
import { frameTexts } from '../locales/frame.ts';
import { setupTexts } from '../locales/setup.ts';
import { tokenTexts } from '../locales/tokens.ts';
import { anyHost } from './customers-form.ts';
import { bringsToken, type TillForm, type TokenScope } from './till-form.ts';
import { type NexoOptions, tillNexo } from './till-nexo.ts';

interface HttpOptions extends NexoOptions {
  /** null until the daemon has answered. */
  readonly there: OutputOf<'tillApi'> | null;
  /**
   * The address at which the till finds this computer; null when it was not checked, or cannot be
   * used.
   */
  readonly address: string | null;
  /** The new token, which is shown only once; empty when none was created on this page. */
  readonly token: string;
  readonly busy: boolean;
  /** Changes the address, which is then checked again. */
  readonly setApi: (change: Partial<TillForm>) => void;
  readonly onMake: () => void;
}

const thisComputer = '127.0.0.1';
const scopes: readonly TokenScope[] = ['pay', 'refund', 'read'];

/** The settings of a till over HTTP: the address at which it finds this computer, and its token. */
export function tillHttp(options: HttpOptions): TemplateResult {
  const { language, there } = options;
  if (there === null)
    return progress({ language, label: setupTexts[language].api.looking, fraction: null });
  return html`${where(options, there)} ${options.form.httpProtocol === 'nexo' ? tillNexo(options) : nothing} ${bringsToken(options.form) ? tokenPart(options, there) : nothing}`;
}

function where(options: HttpOptions, { addresses, lanes }: OutputOf<'tillApi'>): TemplateResult {
  const { language, form, problems, set, setApi, onEnter, address } = options;
  const { api: texts, till } = setupTexts[language];
  const isNexo = form.httpProtocol === 'nexo';
  const next = isNexo ? setupTexts[language].nexo.readyNext : texts.readyNext;
  const hosts = [
    ...new Set([thisComputer, ...addresses, ...(form.apiHost === '' ? [] : [form.apiHost])]),
  ];
  const words = (host: string): string => {
    if (isOfThisMachineAlone(host)) return texts.here;
    return host === anyHost ? texts.everywhere : texts.network({ address: host });
  };
  return html`<div class="two">
      ${select({
        id: 'apiHost',
        label: texts.where,
        value: form.apiHost,
        problem: problems['apiHost'] ?? null,
        options: hosts.map((host) => ({ value: host, label: words(host) })),
        onChange: (apiHost) => setApi({ apiHost }),
      })}
      ${field({
        id: 'apiPort',
        label: setupTexts[language].fields.port.label,
        inputMode: 'numeric',
        value: form.apiPort,
        problem: problems['apiPort'] ?? null,
        onInput: (apiPort) => setApi({ apiPort }),
        onEnter,
      })}
      ${select({
        id: 'httpProtocol',
        label: till.protocol,
        hint: till.httpProtocolHint,
        value: form.httpProtocol,
        options: (['api', 'nexo'] as const).map((protocol) => ({
          value: protocol,
          label: till.protocols[protocol],
        })),
        onChange: (httpProtocol) =>
          set({ httpProtocol }, 'poiId', 'keyIdentifier', 'keyVersion', 'passphrase', 'tokenName'),
      })}
    </div>
    ${isOfThisMachineAlone(form.apiHost) ? nothing : encryption(options)}
    ${
      isNexo
        ? nothing
        : field({
            id: 'origins',
            label: texts.origins,
            hint: texts.hints.origins,
            value: form.origins,
            problem: problems['origins'] ?? null,
            onInput: (origins) => set({ origins }, 'origins'),
            onEnter,
          })
    }
    ${
      address === null
        ? nothing
        : html`<div data-testid="api-ready">
            ${notice({
              kind: 'success',
              title: texts.ready({ address: isNexo ? `${address}/nexo` : address }),
              body:
                lanes.length === 0
                  ? next
                  : html`${next} ${texts.shared({ lanes: lanes.join(', ') })}`,
            })}
          </div>`
    }`;
}

function encryption({ language, form, problems, setApi, onEnter }: HttpOptions): TemplateResult {
  const texts = setupTexts[language].api;
  const file = (id: 'certificate' | 'key'): TemplateResult =>
    field({
      id,
      label: texts[id],
      hint: texts.hints[id],
      value: form[id],
      problem: problems[id] ?? null,
      onInput: (path) => setApi({ [id]: path }),
      onEnter,
    });
  return html`${notice({ kind: 'info', body: texts.why })}
    <div class="two">${file('certificate')} ${file('key')}</div>`;
}

function tokenPart(options: HttpOptions, { token: made }: OutputOf<'tillApi'>): TemplateResult {
  const { language, token, isCopied, onCopied } = options;
  const texts = setupTexts[language].api;
  const { once } = tokenTexts[language];
  return html`<div class="card stack token-part" data-testid="token-part">
    <h2 class="heading">${texts.token}</h2>
    ${
      made === null
        ? asksToken(options)
        : html`${
            token === ''
              ? html`<p>${texts.tokenMade({ name: made.name })}</p>`
              : html`${copyField({ id: 'new-token', label: texts.tokenFor({ name: made.name }), value: token, copy: frameTexts[language].command[isCopied ? 'copied' : 'copy'], onCopied })}
                    <p class="soft">${once}</p>`
          }
            <details>
              <summary>${icon('down')} ${texts.another}</summary>
              ${asksToken(options)}
            </details>`
    }
  </div>`;
}

function asksToken({ language, form, problems, busy, set, onMake }: HttpOptions): TemplateResult {
  const words = tokenTexts[language];
  return html`<div class="stack token-asked">
    ${field({
      id: 'tokenName',
      label: words.name,
      hint: words.nameHint,
      value: form.tokenName,
      problem: problems['tokenName'] ?? null,
      autocomplete: 'off',
      onInput: (tokenName) => set({ tokenName }, 'tokenName'),
      onEnter: onMake,
    })}
    <fieldset class="stack token-scopes">
      <legend>${words.may}</legend>
      ${scopes.map((scope) =>
        checkbox({
          id: `scope-${scope}`,
          label: words.scope[scope],
          checked: form.tokenScopes.includes(scope),
          onChange: (checked) =>
            set({
              tokenScopes: scopes.filter((one) =>
                one === scope ? checked : form.tokenScopes.includes(one),
              ),
            }),
        }),
      )}
    </fieldset>
    <div class="row"><button data-testid="make-token" aria-busy=${busy} ?disabled=${form.tokenScopes.length === 0} @click=${onMake}>${icon('key')} ${words.make}</button></div>
  </div>`;
}
