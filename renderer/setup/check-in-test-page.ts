import { html, LitElement, nothing, type TemplateResult, unsafeCSS } from 'lit';
import { property, state } from 'lit/decorators.js';
import {
  type Approach,
  approachOf,
  type BeaconType,
  radioOf,
} from '../../main/core/domain/beacons.ts';
import type { Bridge } from '../../preload/contract.ts';
import type { AnswerTo, OutputOf, ProcedureName } from '../../preload/procedures.ts';
import { formatTime, type Language } from '../locales/i18n.ts';
import { screenTexts } from '../locales/screens.ts';
import { setupTexts } from '../locales/setup.ts';
import { focusWhenShown } from '../ui/focus.ts';
import { holdPhone } from '../ui/hold-phone.ts';
import { icon } from '../ui/icons.ts';
import { notice } from '../ui/notice.ts';
import { designStyles, holdPhoneStyles } from '../ui/styles.ts';
import { Polling } from './polling.ts';
import { refusalBody, type refusalWords } from './refusal.ts';
import { stepStyles } from './step-page.ts';
import styles from './payment-test-page.css?inline';

type Test = OutputOf<'checkInTestState'>;

const askEveryMs = 1_000;

/** Whether a phone finds the beacon of a lane in use, without a payment. @fires back */
class CheckInTestPage extends LitElement {
  static override styles = [designStyles, stepStyles, holdPhoneStyles, unsafeCSS(styles)];

  @property({ attribute: false }) bridge!: Pick<Bridge, 'ask'>;
  @property({ attribute: false }) language!: Language;
  @property({ attribute: false }) laneId!: string;
  @property({ attribute: false }) laneName!: string;
  @property({ attribute: false }) beacons: readonly BeaconType[] = [];
  /** Whether the service is for tests, which has test phones. */
  @property({ attribute: false }) hasPhones = false;
  /** null until this page has started a test. */
  @state() test: Test | null = null;
  @state() problem: string | TemplateResult | null = null;
  @state() busy = false;
  /** Whether the daemon has checked the test phone in, which needs no beacon. */
  @state() byTestPhone = false;
  readonly #polling = new Polling(this, askEveryMs, () => this.#look());

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    void this.bridge.ask('stopCheckInTest', {});
  }

  get #runs(): boolean {
    return this.test !== null && isRunning(this.test);
  }

  protected override render(): TemplateResult {
    const { checkInTest, done, paymentTest } = setupTexts[this.language];
    return html`<div class="page" data-state="checkInTest">
      <h1 class="title" tabindex="-1">${checkInTest.title({ lane: this.laneName })}</h1>
      <p class="lead">${checkInTest.lead}</p>
      ${this.problem === null ? nothing : html`<div data-testid="problem">${notice({ kind: 'error', body: this.problem })}</div>`}
      <div class="stack" aria-live="polite">${this.test === null ? nothing : this.#told(this.test)}</div>
      <div class="row">
        ${
          this.#runs
            ? this.#whileRunning(this.hasPhones)
            : html`<button
                class="primary"
                data-testid="start"
                ${focusWhenShown(true)}
                aria-busy=${this.busy}
                @click=${() => void this.#start()}
              >${icon('nfc')} ${this.test === null ? checkInTest.start : paymentTest.again}</button>`
        }
        <button class="quiet" data-testid="back" @click=${() => this.dispatchEvent(new CustomEvent('back'))}>${icon('back')} ${done.overview}</button>
      </div>
    </div>`;
  }

  #whileRunning(hasPhones: boolean): TemplateResult {
    const { paymentTest } = setupTexts[this.language];
    const phone = html`<button data-testid="phone" aria-busy=${this.busy} @click=${() => void this.#usePhone()}>${icon('phone')} ${paymentTest.phone.checkIn}</button>`;
    return html`${hasPhones ? phone : nothing}
      <button data-testid="cancel" ${focusWhenShown(true)} @click=${() => void this.#stop()}>${icon('close')} ${screenTexts[this.language].cancel}</button>`;
  }

  #told(test: Test): TemplateResult {
    const { checkInTest } = setupTexts[this.language];
    return html`<div data-testid="test" data-test=${test.state}>${this.#outcome(test, checkInTest)}</div>`;
  }

  #outcome(
    { state: reached, atMs, remainingMs }: Test,
    texts: (typeof setupTexts)[Language]['checkInTest'],
  ): TemplateResult {
    switch (reached) {
      case 'none':
      case 'stopped':
        return notice({ kind: 'info', title: texts.stopped });
      case 'waiting':
        return this.#prompt(texts.hold[approachOf(this.beacons)], remainingMs);
      case 'occupied':
        return notice({ kind: 'warning', ...texts.occupied });
      case 'checkedIn': {
        const time = formatTime(this.language, atMs ?? 0);
        return this.byTestPhone
          ? notice({
              kind: 'info',
              title: texts.byTestPhone({ time }),
              body: texts.byTestPhoneNext,
            })
          : notice({ kind: 'success', title: texts.passed({ time }), body: texts.passedNext });
      }
      case 'nobody':
        return notice({ kind: 'error', title: texts.nobody, body: this.#nobodyNext() });
      case 'neverFree':
      case 'unanswered':
      case 'busy':
        return notice({ kind: 'error', ...texts[reached] });
    }
  }

  #prompt(words: string, remainingMs: number): TemplateResult {
    const seconds = Math.ceil(remainingMs / 1_000);
    const approach: Approach = approachOf(this.beacons);
    return html`<div class="code" data-testid="prompt">
      ${approach === 'code' ? nothing : holdPhone()}
      <strong class="heading">${words}</strong>
      <p class="soft">${this.#radio()}</p>
      <p class="soft" aria-live="off">${screenTexts[this.language].secondsLeft({ seconds: String(seconds) })}</p>
    </div>`;
  }

  /** Which radio the phone needs. */
  #radio(): string {
    const radio = radioOf(this.beacons);
    return radio === null ? '' : screenTexts[this.language].customer.turnOn[radio];
  }

  #nobodyNext(): string {
    return `${this.#radio()} ${setupTexts[this.language].checkInTest.nobodyNext}`.trim();
  }

  async #start(): Promise<void> {
    const begun = await this.#asking(() =>
      this.bridge.ask('startCheckInTest', { laneId: this.laneId }),
    );
    if (begun === null) return;
    this.test = begun;
    this.byTestPhone = false;
    if (isRunning(begun)) this.#polling.start();
  }

  async #look(): Promise<void> {
    const answer = await this.bridge.ask('checkInTestState', {});
    // Another page tests another lane now.
    if (answer.ok) this.test = answer.value.laneId === this.laneId ? answer.value : stopped;
    if (!this.#runs) this.#polling.stop();
  }

  async #stop(): Promise<void> {
    await this.bridge.ask('stopCheckInTest', {});
    await this.#look();
  }

  async #usePhone(): Promise<void> {
    const asked = { laneId: this.laneId, does: 'checkIn' } as const;
    const used = await this.#asking(() => this.bridge.ask('useTestPhone', asked));
    if (used !== null) this.byTestPhone = true;
  }

  /** Sends a request, busy meanwhile, and shows a refusal. @returns null when it is refused */
  async #asking<Name extends ProcedureName, Value>(
    ask: () => Promise<{ readonly ok: true; readonly value: Value } | Refused<Name>>,
  ): Promise<Value | null> {
    if (this.busy) return null;
    this.busy = true;
    this.problem = null;
    const answer = await ask();
    this.busy = false;
    if (answer.ok) return answer.value;
    this.problem = refusalBody(this.language, answer);
    return null;
  }
}
customElements.define('tb-check-in-test', CheckInTestPage);

type Refused<Name extends ProcedureName> = Extract<AnswerTo<Name>, { ok: false }> &
  Parameters<typeof refusalWords>[1];

const stopped: Test = { state: 'stopped', laneId: null, atMs: null, remainingMs: 0 };

const isRunning = ({ state: reached }: Test): boolean =>
  reached === 'waiting' || reached === 'occupied';
