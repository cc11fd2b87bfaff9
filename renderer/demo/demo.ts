import { css, html, nothing, type TemplateResult } from 'lit';
import type { Command, DemoView } from '../../preload/contract.ts';
import { icon } from '../design/icons.ts';
import { sharedStyles } from '../design/shared-styles.ts';
import { formatMoney, formatTime } from '../i18n/i18n.ts';
import { Screen } from '../screen.ts';

const digits = ['7', '8', '9', '4', '5', '6', '1', '2', '3', 'C', '0', '00'];
const longestAmount = 9;
const previewWidth = 1024;
const tillKeys = ['register', 'status', 'repeatReceipt', 'diagnosis', 'logOff'] as const;

class DemoScreen extends Screen {
  static override properties = { ...Screen.properties, typed: { state: true } };
  static override styles = [
    sharedStyles,
    css`
      .frame {
        min-height: 100%;
        display: grid;
        grid-template-rows: auto 1fr;
      }
      main {
        display: grid;
        grid-template-columns: minmax(270px, 0.9fr) minmax(300px, 1.5fr) minmax(230px, 0.75fr);
        gap: var(--gap);
        padding: 0 clamp(12px, 2vw, 32px) var(--gap);
        align-items: stretch;
      }
      section {
        display: flex;
        flex-direction: column;
        gap: 12px;
        min-width: 0;
      }
      h2 {
        margin: 0;
        font-size: 1rem;
        color: var(--ink-soft);
      }
      .till {
        padding: 18px;
        border-radius: var(--radius);
        background: #26324b;
        color: #eef2fa;
        box-shadow: var(--shadow);
      }
      .till h2 {
        color: #c4cee2;
      }
      .display {
        display: grid;
        gap: 4px;
        padding: 12px 16px;
        border-radius: var(--radius-small);
        background: #0c1a12;
        color: #7dffb0;
        font: 600 1.05rem var(--mono);
        min-height: 84px;
        overflow-wrap: anywhere;
      }
      .display output {
        text-align: right;
        font-size: 1.7rem;
      }
      .keys {
        display: grid;
        grid-template-columns: repeat(3, 1fr);
        gap: 8px;
      }
      .keys button {
        padding: 0;
        font-size: 1.3rem;
      }
      .till button {
        border-color: #455370;
        background: #34425f;
        color: #fff;
      }
      .till .pay {
        background: #0a7a43;
        border-color: #0a7a43;
      }
      .till .abort {
        background: #b3261e;
        border-color: #b3261e;
      }
      .pair {
        display: grid;
        grid-template-columns: 1fr 1fr;
        gap: 8px;
      }
      .others {
        display: flex;
        flex-wrap: wrap;
        gap: 8px;
      }
      .others button {
        min-height: 48px;
        padding: 0 14px;
        font-size: 0.9rem;
      }
      .paper {
        margin: 0;
        padding: 14px;
        border-radius: 4px;
        background: #fffdf6;
        color: #1c1c1c;
        font: 0.78rem/1.35 var(--mono);
        white-space: pre;
        overflow-x: auto;
        box-shadow: var(--shadow);
      }
      .phone {
        align-self: center;
        width: min(100%, 300px);
        flex: 1;
        max-height: 620px;
        display: flex;
        flex-direction: column;
        gap: 12px;
        padding: 22px 18px;
        border: 10px solid #1b2233;
        border-radius: 40px;
        background: var(--card);
        text-align: center;
      }
      .phone .face {
        flex: 1;
        display: grid;
        place-content: center;
        justify-items: center;
        gap: 14px;
        font-size: 1.25rem;
        font-weight: 650;
      }
      .phone .face .icon {
        font-size: 4.5rem;
        color: var(--busy);
      }
      .phone .face.approved .icon {
        color: var(--good);
      }
      .phone .face.refused .icon {
        color: var(--bad);
      }
      .phone .sum {
        font-size: 2.1rem;
        font-weight: 750;
      }
      .phone .message {
        min-height: 2.4em;
        margin: 0;
        color: var(--bad);
        font-size: 0.95rem;
      }
      .approve {
        border-color: var(--good);
        color: var(--good);
      }
      .screens {
        gap: var(--gap);
      }
      .preview {
        aspect-ratio: 16 / 10;
        overflow: hidden;
        border: 1px solid var(--line);
        border-radius: var(--radius-small);
        background: var(--card);
        box-shadow: var(--shadow);
      }
      /* A whole screen, made small: as it looks on the counter. */
      iframe {
        width: 1024px;
        height: 640px;
        border: 0;
        transform-origin: 0 0;
        transform: scale(var(--preview-scale, 0.5));
      }
      .log {
        grid-column: 1 / -1;
        display: grid;
        gap: 2px;
        max-height: 300px;
        margin: 0;
        padding: 12px;
        overflow: auto;
        border-radius: var(--radius-small);
        background: #10182a;
        color: #dbe4f5;
        font: 0.85rem/1.5 var(--mono);
        list-style: none;
      }
      .log li {
        display: grid;
        grid-template-columns: 80px 90px minmax(220px, 1fr) minmax(0, 1.2fr);
        gap: 12px;
      }
      .log .sent {
        color: #ffc766;
      }
      .log .received {
        color: #8db8ff;
      }
      .log .bytes {
        color: #9fb0cf;
        overflow-wrap: anywhere;
      }
      @media (max-width: 900px) {
        main {
          grid-template-columns: minmax(0, 1fr);
        }
      }
    `,
  ];

  declare typed: string;
  protected readonly screenName = 'demo';

  constructor() {
    super();
    this.typed = '1234';
  }

  readonly #resized = new ResizeObserver(([entry]) => {
    if (entry !== undefined) this.style.setProperty('--preview-scale', String(entry.contentRect.width / previewWidth));
  });

  protected override updated(): void {
    const preview = this.renderRoot.querySelector('.preview');
    if (preview !== null) this.#resized.observe(preview);
  }

  protected override render(): TemplateResult {
    const demo = this.view?.demo ?? null;
    return html`<div class="frame" data-state=${this.view?.lane?.state.kind ?? 'disconnected'}>
      <header class="bar">${this.brand()}<strong>${this.texts.demo.title}</strong><span class="grow"></span>${this.languageButton()}</header>
      ${this.#content(demo)}
    </div>`;
  }

  #content(demo: DemoView | null): TemplateResult {
    if (!this.connected || this.view === null) return html`<main><p>${this.texts.disconnected.what}. ${this.texts.disconnected.next}</p></main>`;
    if (demo === null) return html`<main><p>${this.texts.demo.notInDemo}</p></main>`;
    return html`<main>${this.#till(demo.till)} ${this.#screens()} ${this.#phone(demo.phone)} ${this.#log(demo.till.log)}</main>`;
  }

  #till(till: DemoView['till']): TemplateResult {
    const { demo } = this.texts;
    return html`<section>
      <div class="till">
        <section>
          <h2>${demo.till}</h2>
          <div class="display"><span data-testid="till-display">${till.display || demo.tillReady}</span><output data-testid="typed">${(this.#amountMinor / 100).toFixed(2)}</output></div>
          <div class="keys">${digits.map((digit) => html`<button data-key=${digit} ?disabled=${till.busy} @click=${() => this.#type(digit)}>${digit}</button>`)}</div>
          <div class="pair">
            <button class="pay" data-testid="pay" ?disabled=${till.busy || this.#amountMinor === 0} @click=${() => this.#pay()}>${demo.pay}</button>
            <button class="abort" data-testid="abort" ?disabled=${!till.busy} @click=${() => this.#press('abort')}>${demo.abort}</button>
          </div>
          <div class="others">${tillKeys.map((key) => html`<button data-testid=${key} ?disabled=${till.busy} @click=${() => this.#press(key)}>${demo.keys[key]}</button>`)}</div>
        </section>
      </div>
      ${till.receipt.length === 0 ? nothing : html`<h2>${demo.receipt}</h2><pre class="paper" data-testid="receipt">${till.receipt.join('\n')}</pre>`}
    </section>`;
  }

  #screens(): TemplateResult | typeof nothing {
    // Inside Electron they have windows of their own.
    if (window.tillbeacon !== undefined) return nothing;
    const query = `?lane=${encodeURIComponent(this.view?.lane?.laneId ?? '')}&lang=${this.language}`;
    const { home } = this.texts;
    return html`<section class="screens">
      <div class="preview"><iframe title=${home.cashier} src="../cashier/index.html${query}"></iframe></div>
      <div class="preview"><iframe title=${home.customer} src="../customer/index.html${query}"></iframe></div>
    </section>`;
  }

  #phone(phone: DemoView['phone']): TemplateResult {
    const { demo } = this.texts;
    const act = (action: Extract<Command, { type: 'demoPhone' }>['action']) => (): void => this.#ask({ type: 'demoPhone', action });
    const asked = phone.state === 'asked';
    const here = asked || phone.state === 'checkedIn';
    const name = phone.state === 'approved' ? 'check' : phone.state === 'refused' ? 'cross' : asked ? 'phone' : here ? 'person' : 'scan';
    return html`<section>
      <h2>${demo.phone}</h2>
      <div class="phone">
        <div class="face ${phone.state}" data-testid="phone" data-phone=${phone.state}>
          ${icon(name)}<span>${demo.phoneState[phone.state]}</span>${phone.amount === null ? nothing : html`<span class="sum">${formatMoney(this.language, phone.amount)}</span>`}
        </div>
        <p class="message" role="status">${phone.message ?? this.notice ?? ''}</p>
        <button data-testid="scan" ?disabled=${here} @click=${act('scan')}>${demo.scan}</button>
        <button class="approve" data-testid="approve" ?disabled=${!asked} @click=${act('approve')}>${demo.approve}</button>
        <button data-testid="refuse" ?disabled=${!here} @click=${act('refuse')}>${demo.refuse}</button>
        <button data-testid="walkAway" ?disabled=${!here} @click=${act('walkAway')}>${demo.walkAway}</button>
      </div>
    </section>`;
  }

  #log(lines: DemoView['till']['log']): TemplateResult {
    const { demo } = this.texts;
    return html`<h2>${demo.log}</h2>
      <ul class="log" data-testid="log" tabindex="0">
        ${lines
          .toReversed()
          .map(
            (line) =>
              html`<li><span>${formatTime(this.language, line.atMs)}</span><span class=${line.direction}>${demo[line.direction]}</span><span>${line.meaning}</span><span class="bytes">${line.hex}</span></li>`,
          )}
      </ul>`;
  }

  get #amountMinor(): number {
    return Number(this.typed || '0');
  }

  #type(digit: string): void {
    this.typed = digit === 'C' ? '' : (this.typed + digit).replace(/^0+/, '').slice(0, longestAmount);
  }

  #pay(): void {
    this.#ask({ type: 'demoTillPay', amountMinor: this.#amountMinor });
  }

  #press(key: 'abort' | (typeof tillKeys)[number]): void {
    this.#ask({ type: 'demoTill', key });
  }

  #ask(command: WithoutLane<Exclude<Command, { type: 'cancelSale' }>>): void {
    const laneId = this.view?.lane?.laneId;
    if (laneId !== undefined) void this.ask({ ...command, laneId });
  }
}

type WithoutLane<Of> = Of extends unknown ? Omit<Of, 'laneId'> : never;

customElements.define('tb-demo', DemoScreen);
