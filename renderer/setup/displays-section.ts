import { html, nothing, type TemplateResult, unsafeCSS } from 'lit';
import type { CustomersSee } from '../../preload/procedures/setup-customer.ts';
import { checkbox } from '../ui/checkbox.ts';
import { field } from '../ui/field.ts';
import { icon } from '../ui/icons.ts';
import { notice } from '../ui/notice.ts';
import { select } from '../ui/select.ts';
import type { Language } from '../locales/i18n.ts';
import { setupTexts } from '../locales/setup.ts';
import { anyHost, type CustomersForm, isPort } from './customers-form.ts';
import styles from './displays-section.css?inline';

interface DisplaysOptions {
  readonly language: Language;
  readonly seen: CustomersSee;
  readonly form: CustomersForm;
  readonly problems: Readonly<Record<string, string>>;
  readonly set: (change: Partial<CustomersForm>, ...mended: string[]) => void;
  readonly onEnter: () => void;
}

/** The customer's screen on other devices: on or off, the address to type there, and the advanced settings. */
export function displaysPart(options: DisplaysOptions): TemplateResult {
  const { language, seen, form, set } = options;
  const texts = setupTexts[language].customers;
  return html`<div class="stack" role="group" aria-labelledby="displays-title">
    <h2 class="heading" id="displays-title">${texts.displays}</h2>
    ${checkbox({
      id: 'displays',
      label: texts.displaysOn,
      hint: texts.displaysHint,
      checked: form.hasDisplays,
      onChange: (hasDisplays) => set({ hasDisplays }, 'host', 'port'),
    })}
    ${form.hasDisplays ? html`${isUnserved(seen, form) ? notice({ kind: 'warning', body: texts.notServed }) : whereTo(options)} ${more(options)}` : nothing}
  </div>`;
}

/** Switched on and saved, but not served. */
function isUnserved({ displays, servedAt }: CustomersSee, form: CustomersForm): boolean {
  return servedAt === null && displays !== null && displays.host === form.host && String(displays.port) === form.port.trim();
}

function whereTo({ language, seen, form }: DisplaysOptions): TemplateResult | typeof nothing {
  const texts = setupTexts[language].customers;
  // 0: the system picks a port when it is served.
  const port = Number(form.port) === 0 ? seen.servedAt : Number(form.port);
  if (port === null || !isPort(form.port)) return nothing;
  const hosts = form.host === anyHost ? seen.addresses : [form.host];
  const [host, ...others] = hosts.map((one) => (one.includes(':') ? `[${one}]` : one));
  if (host === undefined) return notice({ kind: 'warning', body: texts.noAddress });
  const isOnly = seen.lanes.length === 1;
  return html`<div class="card stack" data-testid="where-to">
    <p>${texts.typeThere}</p>
    <dl class="facts">
      ${seen.lanes.map(({ laneId, name }) => html`<dt>${name}</dt><dd class="mono" data-testid="display-address">http://${host}:${port}/${isOnly ? '' : `?${new URLSearchParams({ lane: laneId }).toString()}`}</dd>`)}
    </dl>
    ${others.length === 0 ? nothing : html`<p class="soft">${texts.otherwise({ addresses: others.map((other) => `${other}:${port}`).join(', ') })}</p>`}
  </div>`;
}

function more({ language, seen, form, problems, set, onEnter }: DisplaysOptions): TemplateResult {
  const texts = setupTexts[language].customers;
  const hosts = [...new Set([form.host, ...seen.addresses])].filter((host) => host !== anyHost);
  return html`<details>
    <summary>${icon('down')} ${setupTexts[language].more}</summary>
    <div class="two">
      ${select({
        id: 'host',
        label: texts.host,
        hint: texts.hostHint,
        value: form.host,
        problem: problems['host'] ?? null,
        options: [{ value: anyHost, label: texts.anyHost }, ...hosts.map((host) => ({ value: host, label: host }))],
        onChange: (host) => set({ host }, 'host', 'port'),
      })}
      ${field({
        id: 'port',
        label: texts.port,
        hint: texts.portHint,
        value: form.port,
        inputMode: 'numeric',
        problem: problems['port'] ?? null,
        onInput: (port) => set({ port }, 'port'),
        onEnter,
      })}
    </div>
  </details>`;
}

export const displaysStyles = unsafeCSS(styles);
