import { html, nothing, type TemplateResult, unsafeCSS } from 'lit';
import { state } from 'lit/decorators.js';
import type { DemoDisplay, DemoView, View } from '../../preload/contract.ts';
import type { DemoKey, DemoPhoneAction } from '../../preload/procedures/counter.ts';
import { amount } from '../ui/amount.ts';
import { icon } from '../ui/icons.ts';
import { formatMoney, formatTimeWithSeconds } from '../locales/i18n.ts';
import { demoTexts } from '../locales/demo.ts';
import { defineScreen, Screen } from '../screen.ts';
import { sharedStyles } from '../ui/styles.ts';
import styles from './demo.css?inline';

const digits = ['7', '8', '9', '4', '5', '6', '1', '2', '3', 'C', '0', '00'];
const maxAmountDigits = 9;
const previewWidth = 1024;
const tillKeys = [
  'refund',
  'repeatReceipt',
  'endOfDay',
  'register',
  'status',
  'diagnosis',
  'logOff',
] as const;

/** Whether it is the result of a payment or refund. */
const isResult = (kind: DemoDisplay['kind']): boolean =>
  kind === 'paid' || kind === 'notPaid' || kind === 'refunded' || kind === 'notRefunded';

class DemoScreen extends Screen {
  static override styles = [sharedStyles, unsafeCSS(styles)];

  @state() typed = '1234';
  /**
   * Whether somebody is typing the next amount, so that the till shows that one and not the last
   * command's.
   */
  @state() isTyping = false;
  protected readonly screenName = 'demo';

  readonly #resized = new ResizeObserver(([entry]) => {
    if (entry !== undefined)
      this.style.setProperty('--preview-scale', String(entry.contentRect.width / previewWidth));
  });

  protected override viewChanged(before: View | null, { demo }: View): void {
    const earlier = before?.demo?.till;
    if (earlier === undefined || demo === null) return;
    if (JSON.stringify(earlier.display) !== JSON.stringify(demo.till.display))
      this.isTyping = false;
    if (demo.till.receipt.length > 0 && demo.till.receipt.join() !== earlier.receipt.join())
      void this.updateComplete.then(() => this.#toReceipt());
  }

  /** Brings the printed receipt into view. */
  #toReceipt(): void {
    this.renderRoot.querySelector('.paper')?.scrollIntoView({ block: 'nearest' });
  }

  protected override updated(): void {
    const preview = this.renderRoot.querySelector('.preview');
    if (preview !== null) this.#resized.observe(preview);
  }

  protected override render(): TemplateResult {
    const demo = this.view?.demo ?? null;
    return html`<div class="frame" data-state=${this.view?.lane?.state.kind ?? 'disconnected'}>
      <header class="bar">${this.brand()}<h1>${demoTexts[this.language].title}</h1>${
        demo === null
          ? nothing
          : html`<span data-testid="service">${demoTexts[this.language].service[demo.service]}</span>`
      }<span class="grow"></span>${this.languageButton()}</header>
      ${this.#content(demo)}
    </div>`;
  }

  #content(demo: DemoView | null): TemplateResult {
    if (!this.connected || this.view === null)
      return html`<main class="away"><p>${this.texts.disconnected.what}. ${this.texts.disconnected.next}</p></main>`;
    if (this.noLane !== null)
      return html`<main class="away"><p>${this.noLane.what}. ${this.noLane.next}</p></main>`;
    if (demo === null) return html`<main><p>${demoTexts[this.language].notInDemo}</p></main>`;
    return html`<main>${this.#till(demo.till)} ${this.#screens()} ${this.#phone(demo)} ${this.#log(demo.till.log)}</main>`;
  }

  #till(till: DemoView['till']): TemplateResult {
    const demo = demoTexts[this.language];
    return html`<section>
      <div class="till">
        <section>
          <h2>${demo.till}</h2>
          <div class="display">
            <span data-testid="till-display" role="status">${this.#says(till.display)}</span>
            <output data-testid="typed">${this.#bigNumber(till.display)}</output>
          </div>
          <div class="keys">${digits.map((digit) => html`<button data-key=${digit} ?disabled=${till.busy} @click=${() => this.#type(digit)}>${digit}</button>`)}</div>
          <div class="pair">
            <button class="pay" data-testid="pay" ?disabled=${till.busy || this.#amountMinor === 0} @click=${() => this.#pay()}>${demo.pay({ amount: this.#typedMoney })}</button>
            <button class="abort" data-testid="abort" ?disabled=${!till.busy} @click=${() => this.#press('abort')}>${demo.abort}</button>
          </div>
          ${till.receipt.length === 0 ? nothing : html`<h2>${demo.receipt}</h2><pre class="paper" data-testid="receipt">${till.receipt.join('\n')}</pre>`}
          <p class="how">${demo.howTo}</p>
          <dl class="others">
            ${tillKeys.map(
              (key) =>
                html`<dt><button data-testid=${key} aria-describedby="note-${key}" ?disabled=${till.busy} @click=${() => this.#press(key)}>${demo.keys[key]}</button></dt>
                  <dd id="note-${key}">${demo.keyNotes[key]}</dd>`,
            )}
          </dl>
        </section>
      </div>
    </section>`;
  }

  #says({ kind, command, text }: DemoDisplay): string {
    const demo = demoTexts[this.language];
    const { display, commands } = demo;
    if (this.isTyping || kind === 'ready') return demo.tillReady;
    if (kind === 'progress') return text ?? '';
    const commandName = command === null ? '' : commands[command];
    const message = display[kind];
    const says =
      typeof message === 'string' ? message : message({ command: commandName, code: text ?? '' });
    const because =
      (kind === 'notPaid' || kind === 'notRefunded') && text !== null
        ? display.because({ what: says, reason: text })
        : says;
    return command === 'repeatReceipt' && isResult(kind)
      ? display.copy({ what: because })
      : because;
  }

  /** The amount that the display is about; the typed one while nothing has been done with it. */
  #bigNumber({ kind, amount: shown }: DemoDisplay): string {
    if (this.isTyping || kind === 'ready') return this.#typedMoney;
    return shown === null ? '' : formatMoney(this.language, shown);
  }

  get #typedMoney(): string {
    return formatMoney(this.language, {
      amountMinor: this.#amountMinor,
      currency: this.view?.lane?.currency ?? 'DKK',
    });
  }

  #screens(): TemplateResult | typeof nothing {
    // Inside Electron the screens have windows of their own.
    if (window.tillbeacon !== undefined) return nothing;
    const query = `?lane=${encodeURIComponent(this.view?.lane?.laneId ?? '')}&lang=${this.language}`;
    const { home } = this.texts;
    return html`<section class="screens">
      <div class="preview"><iframe title=${home.cashier} src="../cashier/index.html${query}"></iframe></div>
      <div class="preview"><iframe title=${home.customer} src="../customer/index.html${query}"></iframe></div>
    </section>`;
  }

  #phone({ phone, frozen, manager }: DemoView): TemplateResult {
    const demo = demoTexts[this.language];
    const act = (action: DemoPhoneAction) => (): void =>
      this.#atLane((laneId) => this.ask('demoPhone', { laneId, action }));
    const canAnswer = phone.state === 'asked';
    const here = canAnswer || phone.state === 'checkedIn';
    const name =
      phone.state === 'approved'
        ? 'check'
        : phone.state === 'refused'
          ? 'cross'
          : canAnswer
            ? 'phone'
            : here
              ? 'person'
              : 'scan';
    return html`<section>
      <h2>${demo.phone}</h2>
      <div class="phone">
        <div class="face ${phone.state}" data-testid="phone" data-phone=${phone.state}>
          ${icon(name)}<span>${demo.phoneState[phone.state]}</span>${phone.amount === null ? nothing : amount(this.language, phone.amount)}
        </div>
        <p class="message" role="status">${phone.refusal === null ? (this.notice ?? '') : demo.phoneRefusal[phone.refusal]}</p>
        <button data-testid="scan" ?disabled=${here} @click=${act('scan')}>${demo.scan}</button>
        <button class="approve" data-testid="approve" ?disabled=${!canAnswer} @click=${act('approve')}>${demo.approve}</button>
        <button data-testid="refuse" ?disabled=${!here} @click=${act('refuse')}>${demo.refuse}</button>
        <button data-testid="walkAway" ?disabled=${!here} @click=${act('walkAway')}>${demo.walkAway}</button>
      </div>
      <div class="tour">
        <button data-testid="freeze" aria-pressed=${frozen} aria-describedby="note-freeze" @click=${() => this.#freeze(!frozen)}>${frozen ? demo.thaw : demo.freeze}</button>
        <p id="note-freeze" role="status">${frozen ? demo.frozen : demo.running}</p>
        ${this.#managersScreen(manager)}
      </div>
    </section>`;
  }

  #managersScreen(manager: DemoView['manager']): TemplateResult {
    const demo = demoTexts[this.language];
    // Electron's windows have no tabs: the manager's screen is reached from the cashier's.
    const link = html`<a class="button" data-testid="manager" target="_blank" href="../manager/index.html?lang=${this.language}">${demo.manager}</a>`;
    const name = window.tillbeacon === undefined ? link : html`<strong>${demo.manager}</strong>`;
    return html`${name}${manager === null ? nothing : html`<p data-testid="manager-pin">${demo.signIn(manager)}</p>`}`;
  }

  #log(lines: DemoView['till']['log']): TemplateResult {
    const demo = demoTexts[this.language];
    return html`<h2>${demo.log}</h2>
      <ul class="log" data-testid="log" tabindex="0">
        ${lines.toReversed().map(
          (line) =>
            html`<li
                ><span>${formatTimeWithSeconds(this.language, line.atMs)}</span
                ><span class=${line.direction}>${demo[line.direction]}</span
                ><span>${line.meaning}</span
                ><span class="bytes">${line.hex}</span
              ></li>`,
        )}
      </ul>`;
  }

  get #amountMinor(): number {
    return Number(this.typed || '0');
  }

  #type(digit: string): void {
    this.isTyping = true;
    this.typed =
      digit === 'C' ? '' : (this.typed + digit).replace(/^0+/, '').slice(0, maxAmountDigits);
  }

  #pay(): void {
    this.isTyping = false;
    this.#atLane((laneId) =>
      this.ask('demoTillPay', { laneId, amountMinor: this.#amountMinor, language: this.language }),
    );
  }

  #press(key: DemoKey): void {
    this.isTyping = false;
    this.#atLane((laneId) => this.ask('demoTill', { laneId, key, language: this.language }));
  }

  #freeze(frozen: boolean): void {
    this.#atLane((laneId) => this.ask('demoFreeze', { laneId, frozen }));
  }

  #atLane(call: (laneId: string) => Promise<void>): void {
    const laneId = this.view?.lane?.laneId;
    if (laneId !== undefined) void call(laneId);
  }
}

void defineScreen('tb-demo', DemoScreen, 'demo');
