import { html, nothing, type TemplateResult, unsafeCSS } from 'lit';
import type { CustomersSee } from '../../preload/procedures/setup-customer.ts';
import { isOfThisMachineAlone } from '../../preload/procedures/plain.ts';
import { checkbox } from '../ui/checkbox.ts';
import { field } from '../ui/field.ts';
import { icon } from '../ui/icons.ts';
import { notice } from '../ui/notice.ts';
import { qr } from '../ui/qr.ts';
import { select } from '../ui/select.ts';
import type { Language } from '../locales/i18n.ts';
import { setupTexts } from '../locales/setup.ts';
import { anyHost, type CustomersForm, displayAddresses } from './customers-form.ts';
import styles from './displays-section.css?inline';

interface DisplaysOptions {
  readonly language: Language;
  readonly seen: CustomersSee;
  readonly form: CustomersForm;
  readonly problems: Readonly<Record<string, string>>;
  readonly set: (change: Partial<CustomersForm>, ...mended: string[]) => void;
  readonly onEnter: () => void;
}

/**
 * The customer's screen on other devices: on or off, the network, the address as text and as a
 * code, and the advanced settings.
 */
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
    ${form.hasDisplays ? html`${network(options)} ${isSaved(seen, form) ? served(options) : nothing} ${more(options)}` : nothing}
  </div>`;
}

function served(options: DisplaysOptions): TemplateResult | typeof nothing {
  return options.seen.servedAt === null
    ? notice({ kind: 'warning', body: whyUnserved(options) })
    : whereTo(options);
}

/**
 * Whether the form equals the stored settings: only then does the daemon serve the screen at this
 * address.
 */
function isSaved({ displays }: CustomersSee, form: CustomersForm): boolean {
  return (
    displays !== null && displays.host === form.host && String(displays.port) === form.port.trim()
  );
}

function whyUnserved({ language, seen, form: { host } }: DisplaysOptions): string {
  const { customers, refusal } = setupTexts[language];
  return host === anyHost || seen.addresses.includes(host) || isOfThisMachineAlone(host)
    ? customers.notServed
    : refusal.hostNotHere({ host });
}

/** The choice of the network in which the other devices are. */
function network({ language, seen, form, problems, set }: DisplaysOptions): TemplateResult {
  const texts = setupTexts[language].customers;
  const hosts = [...new Set([...seen.addresses, ...(form.host === '' ? [] : [form.host])])];
  if (hosts.length === 0) return notice({ kind: 'warning', body: texts.noAddress });
  return select({
    id: 'host',
    label: texts.host,
    hint: texts.hostHint,
    value: form.host,
    problem: problems['host'] ?? null,
    options: hosts.map((host) => ({ value: host, label: host === anyHost ? texts.anyHost : host })),
    onChange: (host) => set({ host }, 'host', 'port'),
  });
}

function whereTo({ language, seen, form }: DisplaysOptions): TemplateResult | typeof nothing {
  const texts = setupTexts[language].customers;
  const places = seen.lanes.map(({ laneId, name }) => ({
    name,
    addresses: displayAddresses(form, seen, laneId),
  }));
  const [, ...others] = places[0]?.addresses ?? [];
  if (places.every(({ addresses }) => addresses.length === 0)) return nothing;
  return html`<div class="card stack" data-testid="where-to">
    <p>${texts.typeThere}</p>
    <ul class="places">
      ${places.map(
        ({ name, addresses: [address = ''] }) => html`<li>
          <div class="code">${qr(address, texts.codeFor({ lane: name }))}</div>
          <div class="place"><span class="soft">${name}</span><span class="mono" data-testid="display-address">${address}</span></div>
        </li>`,
      )}
    </ul>
    ${others.length === 0 ? nothing : html`<p class="soft">${texts.otherwise({ addresses: others.map((other) => new URL(other).host).join(', ') })}</p>`}
    <p class="soft" data-testid="stays-on">${texts.staysOn}</p>
  </div>`;
}

function more({ language, form, problems, set, onEnter }: DisplaysOptions): TemplateResult {
  const texts = setupTexts[language].customers;
  return html`<details>
    <summary>${icon('down')} ${setupTexts[language].more}</summary>
    <div class="two">
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
