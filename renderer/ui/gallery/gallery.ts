/** Shows every part of the design system on one page, for designers. No page links to it. */
import { html, LitElement, nothing, type TemplateResult, unsafeCSS } from 'lit';
import { state } from 'lit/decorators.js';
import { amountPad } from '../amount-pad.ts';
import { barChart } from '../bar-chart.ts';
import { checkbox } from '../checkbox.ts';
import { choice, choices } from '../choice.ts';
import { dialog } from '../dialog.ts';
import { empty } from '../empty.ts';
import { dateField } from '../date-field.ts';
import { field } from '../field.ts';
import { icon, iconNames } from '../icons.ts';
import '../language-choice.ts';
import { sideNav } from '../nav.ts';
import { notice } from '../notice.ts';
import { pinPad } from '../pin-pad.ts';
import { progress } from '../progress.ts';
import { select } from '../select.ts';
import { steps } from '../steps.ts';
import { designStyles } from '../styles.ts';
import { table } from '../table/table.ts';
import { Toasts } from '../toast.ts';
import {
  formatAmount,
  formatMoney,
  formatNumber,
  formatTime,
  type Language,
} from '../../locales/i18n.ts';
import { loadEveryText } from '../../locales/catalogue.ts';
import { screenTexts } from '../../locales/screens.ts';
import { parseMoney } from '../../locales/parse-money.ts';
import styles from './gallery.css?inline';

interface Row {
  readonly number: number;
  readonly atMs: number;
  readonly amountMinor: number;
}

const sections = ['buttons', 'fields', 'pads', 'table', 'chart', 'words', 'icons'] as const;
type Section = (typeof sections)[number];
const sectionIcons = {
  buttons: 'plus',
  fields: 'edit',
  pads: 'lock',
  table: 'file',
  chart: 'chart',
  words: 'info',
  icons: 'eye',
} as const;
const beacons = [
  { value: 'QR', title: 'QR code', note: 'On a screen or a sticker', picture: icon('qr') },
  { value: 'NFC', title: 'NFC', note: 'The phone is held to it', picture: icon('nfc') },
  { value: 'BLE', title: 'Bluetooth', note: 'Found from a distance', picture: icon('bluetooth') },
  {
    value: 'none',
    title: 'Not to be had',
    note: 'Disabled',
    picture: icon('plug'),
    disabled: true,
  },
];
const firstMs = Date.UTC(2026, 0, 5, 8);

/** The section and the number of rows can be given in the address. */
const searchParams = new URLSearchParams(location.search);

class Gallery extends LitElement {
  static override styles = [designStyles, unsafeCSS(styles)];

  @state() language: Language = 'en';
  @state() section: Section =
    sections.find((section) => section === searchParams.get('section')) ?? 'buttons';
  @state() asking = false;
  @state() amountText = '12,345';
  @state() amountMinor = 1250;
  @state() entered = '';
  @state() pin = '';
  @state() beacon: string | null = 'QR';
  @state() beaconTypes: string[] = ['QR', 'NFC'];
  @state() agreed = true;
  @state() rows = Number(searchParams.get('rows') ?? 400_000);
  @state() selected: number | null = null;
  @state() opened: number | null = null;
  @state() fails = false;
  readonly #toasts = new Toasts(this);

  override willUpdate(): void {
    document.documentElement.lang = this.language;
  }

  protected override render(): TemplateResult {
    return html`<div class="frame">
      <header class="bar">
        <strong class="heading">Design</strong><span class="grow"></span>
        <tb-language .language=${this.language} @choose=${({ detail }: CustomEvent<Language>) => (this.language = detail)}></tb-language>
      </header>
      <div class="app">
        ${sideNav({
          label: 'Sections',
          items: sections.map((id) => ({ id, title: id, icon: sectionIcons[id] })),
          current: this.section,
          onSelect: (section) => (this.section = section),
          foot: html`<button class="quiet">${icon('logout')}Sign out</button>`,
        })}
        <main class="page" tabindex="-1"><h1 class="title">${this.section}</h1>${this.#content()}</main>
      </div>
      ${this.asking ? this.#dialog() : nothing} ${this.#toasts.render(this.language)}
    </div>`;
  }

  #content(): TemplateResult {
    switch (this.section) {
      case 'buttons':
        return this.#buttons();
      case 'fields':
        return this.#fields();
      case 'pads':
        return this.#pads();
      case 'table':
        return this.#table();
      case 'chart':
        return this.#chart();
      case 'words':
        return this.#words();
      case 'icons':
        return html`<div class="card icons">${iconNames.map((name) => html`<div>${icon(name)}${name}</div>`)}</div>`;
    }
  }

  #buttons(): TemplateResult {
    return html`<section class="card stack">
        <div class="row">
          <button>Plain</button><button
            class="primary"
            data-testid="ask"
            @click=${() => (this.asking = true)}
          >${icon('refund')}Primary</button><button class="danger">${icon('trash')}Danger</button>
          <button class="quiet">Quiet</button><button class="icon-only" aria-label="Search">${icon('search')}</button><button disabled>Disabled</button>
          <button class="primary" aria-busy="true">Working</button><a class="button" href="#">${icon('forward')}Link</a>
        </div>
        <div class="row">
          ${(['info', 'success', 'warning', 'error'] as const).map(
            (kind) => html`<button
              data-testid="toast-${kind}"
              @click=${() => this.#toasts.show({ kind, text: `This is ${kind}.` })}
            >Toast: ${kind}</button>`,
          )}
        </div>
      </section>`;
  }

  #fields(): TemplateResult {
    const { problem } = parseMoney(this.language, this.amountText);
    return html`<section class="card columns">
      <div class="stack">
        ${field({ id: 'plain', label: 'Order id', value: '', onInput: () => {}, hint: 'As on the receipt, or nothing.', placeholder: 'A-1042', lead: 'search' })}
        ${field({
          id: 'amount',
          label: 'Amount',
          value: this.amountText,
          onInput: (text) => (this.amountText = text),
          inputMode: 'decimal',
          suffix: 'DKK',
          problem: problem === null ? null : screenTexts[this.language].design.money[problem],
        })}
        ${field({ id: 'secret', label: 'Client secret', value: 'not a secret', onInput: () => {}, type: 'password', language: this.language })}
        ${dateField({ language: this.language, id: 'day', label: 'From', value: '2026-01-05', onDay: () => {} })}
        ${field({ id: 'note', label: 'Note', value: '', onInput: () => {}, rows: 3 })} ${field({ id: 'off', label: 'Disabled', value: 'cannot be changed', onInput: () => {}, disabled: true })}
        ${select({
          id: 'lane',
          label: 'Lane',
          value: '2',
          options: [
            { value: '1', label: 'Check-out 1' },
            { value: '2', label: 'Check-out 2' },
          ],
          onChange: () => {},
        })}
      </div>
      <div class="stack">
        ${choice({ id: 'beacon', legend: 'Beacon', options: beacons, value: this.beacon, onChange: (value) => (this.beacon = value) })}
        ${choices({
          id: 'types',
          legend: 'Beacon types',
          hint: 'One at least.',
          options: beacons,
          values: this.beaconTypes,
          onChange: (values) => (this.beaconTypes = values),
          problem: this.beaconTypes.length === 0 ? 'Choose at least one.' : null,
        })}
        ${checkbox({ id: 'agree', label: 'The till is switched on', checked: this.agreed, onChange: (checked) => (this.agreed = checked), hint: 'It says so on its display.' })}
      </div>
    </section>`;
  }

  #pads(): TemplateResult {
    return html`<section class="card columns">
      ${amountPad({
        language: this.language,
        label: 'Amount',
        currency: 'DKK',
        amountMinor: this.amountMinor,
        onAmount: (minor) => (this.amountMinor = minor),
        onEnter: () =>
          (this.entered = formatMoney(this.language, {
            amountMinor: this.amountMinor,
            currency: 'DKK',
          })),
        enterLabel: 'Take the payment',
      })}
      ${pinPad({
        language: this.language,
        label: 'PIN',
        pin: this.pin,
        onPin: (pin) => (this.pin = pin),
        onEnter: () =>
          (this.entered = `a PIN of ${screenTexts[this.language].design.digits({ count: this.pin.length })}`),
        enterLabel: 'Sign in',
        problem: this.pin === '0000' ? 'Wrong PIN: two tries are left.' : null,
      })}
      <output data-testid="entered">${this.entered}</output>
    </section>`;
  }

  #table(): TemplateResult {
    return html`<section class="stack">
      <div class="tall">
        ${table<Row>({
          language: this.language,
          label: 'Payments',
          columns: [
            {
              id: 'number',
              title: 'Number',
              width: '7rem',
              align: 'end',
              cell: ({ number }) => formatNumber(this.language, number),
            },
            {
              id: 'at',
              title: 'Time',
              width: '6rem',
              sortable: true,
              cell: ({ atMs }) => formatTime(this.language, atMs),
            },
            {
              id: 'order',
              title: 'Order',
              width: 'minmax(6rem, 1fr)',
              cell: ({ number }) => `order-${number}-of-a-shop-with-long-order-numbers`,
            },
            {
              id: 'amount',
              title: 'Amount',
              width: '9rem',
              align: 'end',
              cell: ({ amountMinor }) => formatAmount(this.language, amountMinor),
            },
          ],
          count: this.rows,
          rows: (from, to) => this.#fetch(from, to),
          version: this.fails,
          selected: this.selected,
          onSelect: (_row, index) => (this.selected = index),
          onOpen: (_row, index) => (this.opened = index),
          sort: { id: 'at', descending: false },
          onSort: () => {},
          emptyState: empty({
            icon: 'search',
            title: 'No payments',
            body: 'Look in another period.',
          }),
        })}
      </div>
      <output data-testid="at">selected ${this.selected ?? 'none'}, opened ${this.opened ?? 'none'}</output>
      <div class="row">
        <button data-testid="empty" @click=${() => (this.rows = 0)}>Empty</button><button data-testid="fail" @click=${() => (this.fails = true)}>Fail</button>
      </div>
    </section>`;
  }

  async #fetch(from: number, to: number): Promise<Row[]> {
    await new Promise((resolve) => setTimeout(resolve, 15));
    if (this.fails) throw new Error('planned');
    return Array.from({ length: to - from }, (_, index) => ({
      number: from + index + 1,
      atMs: firstMs + (from + index) * 60_000,
      amountMinor: ((from + index) * 7919) % 100_000,
    }));
  }

  #chart(): TemplateResult {
    return html`<section class="card">
      ${barChart({
        language: this.language,
        label: 'Payments by hour, DKK',
        bars: Array.from({ length: 24 }, (_, hour) => {
          const value = hour < 8 || hour > 20 ? 0 : ((hour * 7919) % 97) * 10_000;
          return {
            label: String(hour).padStart(2, '0'),
            value,
            text: formatMoney(this.language, { amountMinor: value, currency: 'DKK' }),
          };
        }),
        categoryTitle: 'Hour',
        valueTitle: 'Paid',
        axis: (value) => formatNumber(this.language, value / 100),
      })}
    </section>`;
  }

  #words(): TemplateResult {
    return html`<section class="columns">
      <div class="stack">
        ${notice({ kind: 'info', title: 'A title', body: 'What it means, and what to do about it.' })} ${notice({ kind: 'success', body: 'The day is closed.' })}
        ${notice({ kind: 'warning', title: 'The till is not there', body: 'Check the cable.', onDismiss: () => {}, dismissLabel: 'Close' })}
        ${notice({ kind: 'error', title: 'It was refused', body: 'More than is left of the payment.', actions: html`<button>Try again</button>` })}
        ${progress({ language: this.language, label: 'Fetching transactions', fraction: 0.42, detail: '168,000 of 400,000', onCancel: () => {} })}
        ${progress({ language: this.language, label: 'Asking the service', fraction: null })}
      </div>
      <div class="stack">
        <div class="card">
          ${steps({
            label: 'Setup',
            steps: [
              { id: 'language', title: 'Language' },
              { id: 'service', title: 'Wallet service' },
              { id: 'store', title: 'Store' },
              { id: 'till', title: 'Till' },
            ],
            current: 'store',
            done: new Set(['language', 'service']),
            onGo: () => {},
          })}
        </div>
        <div class="card">${empty({ icon: 'coins', title: 'No refunds today', body: 'What is refunded stands here.', action: html`<button>${icon('plus')}Refund</button>` })}</div>
        <dl class="card facts">
          <dt>Order id</dt>
          <dd class="mono">0b7f0e33-6166-442f-8cc9-e4c20ae427ba</dd>
          <dt>Amount</dt>
          <dd class="number">${formatMoney(this.language, { amountMinor: 123_450, currency: 'DKK' })}</dd>
        </dl>
        <p class="lead">A lead sentence, softer. <span class="small soft">Small and soft.</span></p>
      </div>
    </section>`;
  }

  #dialog(): TemplateResult {
    const close = (): void => {
      this.asking = false;
    };
    return dialog({
      language: this.language,
      title: 'Refund 12.50 DKK?',
      onClose: close,
      body: html`<p>The customer gets it back on the phone.</p>${field({ id: 'reason', label: 'Reason', value: '', onInput: () => {}, focused: true })}`,
      actions: html`<button @click=${close}>Keep it</button><button class="danger" data-testid="confirm" @click=${() => {
        this.entered = 'refunded';
        close();
        this.#toasts.show({ kind: 'success', text: '12.50 DKK is refunded.' });
      }}>${icon('refund')}Refund</button>`,
    });
  }
}
void loadEveryText().then(() => customElements.define('tb-gallery', Gallery));
