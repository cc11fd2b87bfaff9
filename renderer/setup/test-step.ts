import { html, nothing, type TemplateResult, unsafeCSS } from 'lit';
import { state } from 'lit/decorators.js';
import type { TestPaymentState } from '../../preload/procedures/setup-till.ts';
import { choice } from '../ui/choice.ts';
import { copyField } from '../ui/copy-field.ts';
import { icon } from '../ui/icons.ts';
import { notice } from '../ui/notice.ts';
import { designStyles } from '../ui/styles.ts';
import { frameTexts } from '../locales/frame.ts';
import { formatMoney } from '../locales/i18n.ts';
import { currencyOf } from './currency.ts';
import { curlLine } from './curl.ts';
import { pageHint } from './page-hint.ts';
import { Polling } from './polling.ts';
import { suggestedTestTill } from './step-order.ts';
import { StepPage, stepStyles } from './step-page.ts';
import { tokenKey, unsavedSecret } from './unsaved-input.ts';
import httpStyles from './till-http.css?inline';
import styles from './test-step.css?inline';

interface Form {
  with: 'own' | 'till';
}

const lookEveryMs = 500;
const suggestedMinor = 100;
const stepsInOrder: readonly TestPaymentState['steps'][number][] = [
  'askedByTill',
  'waitingForCustomer',
  'approveInApp',
  'tillTold',
  'captured',
];

/** A test payment of 1.00, in which no money moves. */
class TestStep extends StepPage<Form> {
  static override styles = [designStyles, stepStyles, unsafeCSS(styles), unsafeCSS(httpStyles)];
  protected readonly step = 'test';
  @state() test: TestPaymentState | null = null;
  @state() isCopied = false;
  /**
   * The idempotency key in the curl command. Each test has its own, so that it makes a payment of
   * its own.
   */
  #key = crypto.randomUUID();
  readonly #looking = new Polling(this, lookEveryMs, () => this.#look());

  protected filledIn(): Form {
    return { with: suggestedTestTill(this.draft, this.lanes) };
  }

  protected override firstUpdated(): void {
    super.firstUpdated();
    // Shows a test that is running already, e.g. after a reload.
    this.#looking.start();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    if (this.#isRunning) void this.bridge.ask('stopTestPayment', {});
  }

  get #isRunning(): boolean {
    return this.test !== null && ['starting', 'ready', 'running'].includes(this.test.state);
  }

  #money(amountMinor: number): string {
    return formatMoney(this.language, {
      amountMinor,
      currency: this.test?.currency ?? currencyOf(this.draft),
    });
  }

  /**
   * The till that the running test uses, which may have been started before a reload, or the chosen
   * one.
   */
  get #with(): Form['with'] {
    return (this.#isRunning ? this.test?.with : null) ?? this.form.with;
  }

  /** The amount to enter at the till; the till may have requested another. */
  get #amount(): string {
    return this.#money(suggestedMinor);
  }

  protected body(): TemplateResult {
    const { test } = this.words;
    return html`${choice({
      id: 'test-with',
      legend: test.with,
      value: this.#with,
      disabled: this.#isRunning,
      options: [
        { value: 'own', title: test.own, note: test.ownNote, picture: icon('check') },
        {
          value: 'till',
          title: test.till,
          note:
            this.draft?.till?.transport === 'http'
              ? test.programNote({ amount: this.#amount })
              : test.tillNote({ amount: this.#amount }),
          picture: icon('till'),
        },
      ],
      onChange: (value) => this.set({ with: value === 'till' ? 'till' : 'own' }),
    })}
      ${
        this.#isRunning
          ? html`<div class="row"><button data-testid="stop-test" @click=${() => void this.#stop()}>${icon('close')} ${test.stop}</button></div>`
          : this.#hasPassed
            ? html`<div class="row"><button data-testid="test-again" aria-busy=${this.busy} @click=${() => void this.#start()}>${icon('coins')} ${test.again}</button></div>`
            : nothing
      }
      ${this.test === null || this.test.state === 'none' ? (this.draft?.tested ? this.#passed() : nothing) : this.#walk(this.test)}`;
  }

  #walk({ state, steps, detail }: TestPaymentState): TemplateResult {
    const { test } = this.words;
    if (state === 'stopped') return notice({ kind: 'info', body: test.stopped });
    return html`<div class="stack" data-testid="test" data-test=${state}>
      ${state === 'ready' && this.#with === 'till' ? this.#pressNow() : nothing}
      ${state === 'passed' ? this.#passed() : nothing}
      ${state === 'failed' ? notice({ kind: 'error', title: test.failed, body: html`${test.failedNext} <span class="mono small">${detail}</span>` }) : nothing}
      <ol class="walk" aria-live="polite">
        ${stepsInOrder.map((step) => {
          const isReached = steps.includes(step);
          const name =
            step === 'tillTold' && this.#isProgram ? test.tillAnswered : test.steps[step];
          return html`<li class=${isReached ? 'reached' : ''}>${icon(isReached ? 'check' : 'clock')} <span>${name}</span></li>`;
        })}
      </ol>
    </div>`;
  }

  get #isProgram(): boolean {
    return this.#with === 'till' && this.draft?.till?.transport === 'http';
  }

  #pressNow(): TemplateResult {
    const { test } = this.words;
    const api = this.test?.api ?? null;
    if (api === null)
      return notice({
        kind: 'info',
        title: test.pressNow({ amount: this.#amount }),
        body: test.pressNowBody,
      });
    const till = this.draft?.till;
    if (till?.transport === 'http' && till.nexo !== null)
      return notice({
        kind: 'info',
        title: test.askNow({ amount: this.#amount, address: `${api.url}/nexo` }),
        body: this.words.nexo.askNowBody,
      });
    const token = unsavedSecret(tokenKey);
    const line = curlLine({
      api,
      token,
      key: this.#key,
      amountMinor: suggestedMinor,
      currency: this.test?.currency ?? currencyOf(this.draft),
    });
    return html`${notice({ kind: 'info', title: test.askNow({ amount: this.#amount, address: api.url }), body: test.askNowBody })}
    ${till?.transport === 'http' ? pageHint({ language: this.language, origins: till.origins, address: api.url, refused: this.test?.refusedPage ?? null }) : nothing}
    ${copyField({ id: 'curl', label: test.curl, value: line, rows: 5, copy: frameTexts[this.language].command[this.isCopied ? 'copied' : 'copy'], onCopied: () => (this.isCopied = true) })}
    ${token === '' ? html`<p class="soft">${test.curlToken}</p>` : nothing}`;
  }

  #passed(): TemplateResult {
    const { test } = this.words;
    const title = test.passed({ amount: this.#money(this.test?.amountMinor ?? suggestedMinor) });
    return html`<div data-testid="passed">${notice({ kind: 'success', title, body: html`${test.passedBody} ${this.#proof()}` })}</div>`;
  }

  /** Lists what the test has proven, and what took no part in it. */
  #proof(): TemplateResult {
    const { proof } = this.words.test;
    const withTill = (this.test?.with ?? this.draft?.tested) === 'till';
    const line = (isProven: boolean, says: string): TemplateResult =>
      html`<li class=${isProven ? 'reached' : ''}>${icon(isProven ? 'check' : 'minus')} <span>${says}</span></li>`;
    return html`<ul class="walk">${line(true, proof.computer)} ${line(withTill, withTill ? proof.till : proof.noTill)} ${line(false, proof.noService)}</ul>`;
  }

  get #hasPassed(): boolean {
    return (
      this.test?.state === 'passed' ||
      (this.draft?.tested != null && !this.#isRunning && this.test?.state !== 'failed')
    );
  }

  protected override foot(): ReturnType<StepPage<Form>['foot']> {
    const { next, test } = this.words;
    if (this.#hasPassed) return { next, onNext: () => void this.#next() };
    const isBusy = this.#isRunning;
    return {
      next: isBusy
        ? test.running
        : this.test?.state === 'failed'
          ? test.again
          : test.start({ amount: this.#amount }),
      glyph: 'coins' as const,
      isBusy,
      onNext: () => void this.#start(),
      beside: isBusy
        ? nothing
        : html`<button class="quiet" data-testid="skip" @click=${() => void this.#next()}>${test.skip}</button>`,
    };
  }

  async #start(): Promise<void> {
    if (this.busy || this.#isRunning) return;
    this.#key = crypto.randomUUID();
    this.isCopied = false;
    const answer = await this.asking('startTestPayment', { with: this.form.with });
    if (answer === null) return;
    this.test = answer;
    this.#looking.start();
    // The button that was pressed may be disabled or removed while the test runs.
    this.focusNext();
  }

  async #stop(): Promise<void> {
    await this.bridge.ask('stopTestPayment', {});
    await this.#look();
    this.focusNext();
  }

  async #look(): Promise<void> {
    const answer = await this.bridge.ask('testPaymentState', {});
    if (!answer.ok) return;
    this.test = answer.value;
    if (!this.#isRunning) this.#looking.stop();
  }

  /** The draft as the daemon has it now, with the test in it. */
  async #next(): Promise<void> {
    const answer = await this.bridge.ask('setupState', {});
    if (answer.ok && answer.value.draft !== null) this.leave('done', answer.value.draft);
  }
}
customElements.define('tb-test-step', TestStep);
