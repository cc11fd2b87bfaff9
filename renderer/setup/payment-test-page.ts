import { html, LitElement, nothing, type TemplateResult, unsafeCSS } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { Bridge, LaneView, View } from '../../preload/contract.ts';
import type { OutputOf } from '../../preload/procedures.ts';
import { formatMoney, type Language } from '../locales/i18n.ts';
import { notRefundedWords } from '../locales/refund-words.ts';
import { screenTexts } from '../locales/screens.ts';
import { setupTexts } from '../locales/setup.ts';
import { focusWhenShown } from '../ui/focus.ts';
import { holdPhone } from '../ui/hold-phone.ts';
import { icon } from '../ui/icons.ts';
import { notice } from '../ui/notice.ts';
import { qr } from '../ui/qr.ts';
import { designStyles, holdPhoneStyles } from '../ui/styles.ts';
import { customerPrompt, type PaymentProgress, paymentProgress } from './payment-progress.ts';
import { refusalBody, type refusalWords } from './refusal.ts';
import { stepStyles } from './step-page.ts';
import walk from './test-step.css?inline';
import styles from './payment-test-page.css?inline';

type Started = OutputOf<'payForTest'> & { readonly saleId: string };
type RefundShown = NonNullable<LaneView['refund']>;

const steps = ['asked', 'waitingForCustomer', 'approveInApp', 'paid', 'captured'] as const;

/** Takes a payment through a lane in use at its real service, and refunds it. @fires back */
class PaymentTestPage extends LitElement {
  static override styles = [
    designStyles,
    stepStyles,
    holdPhoneStyles,
    unsafeCSS(walk),
    unsafeCSS(styles),
  ];

  @property({ attribute: false }) bridge!: Pick<Bridge, 'ask'>;
  @property({ attribute: false }) language!: Language;
  @property({ attribute: false }) laneId!: string;
  @property({ attribute: false }) laneName!: string;
  /** Whether the service is for tests: it has test phones, and no real money moves. */
  @property({ attribute: false }) isTest = false;
  /** Whether the daemon can approve a payment with the test service's own phone. */
  @property({ attribute: false }) hasPhones = true;
  /** The view of that lane. */
  @property({ attribute: false }) view: View | null = null;
  /** The payment of this page; null until it was started. */
  @state() started: Started | null = null;
  /** Id of the payment's refund; null until one was requested. */
  @state() refundId: string | null = null;
  /**
   * The last state of the refund that the lane has shown: the lane shows a refund for a short time
   * only.
   */
  @state() refund: RefundShown | null = null;
  @state() problem: string | TemplateResult | null = null;
  @state() busy = false;
  /**
   * Ids of requests whose answer was lost, by what was asked for: a payment, or the refund of one.
   */
  readonly #lostIds = new Map<string, string>();

  override willUpdate(): void {
    const shown = this.#lane?.refund ?? null;
    if (shown !== null && shown.refundOrderId === this.refundId) this.refund = shown;
  }

  get #lane(): LaneView | null {
    return this.view?.lane?.laneId === this.laneId ? this.view.lane : null;
  }

  protected override render(): TemplateResult {
    const { paymentTest, done } = setupTexts[this.language];
    return html`<div class="page" data-state="paymentTest">
      <h1 class="title" tabindex="-1">${paymentTest.title({ lane: this.laneName })}</h1>
      <p class="lead">${this.isTest ? paymentTest.leadTest : paymentTest.leadReal}</p>
      ${this.problem === null ? nothing : html`<div data-testid="problem">${notice({ kind: 'error', body: this.problem })}</div>`}
      ${this.started === null ? nothing : this.#progress(this.started, paymentProgress(this.#lane, this.started.saleId))}
      <div class="row">
        ${
          this.#mayStart
            ? html`<button
                  class=${this.started === null ? 'primary' : ''}
                  data-testid="pay"
                  ${focusWhenShown(this.started === null)}
                  aria-busy=${this.busy}
                  @click=${() => void this.#pay()}
                >${icon('coins')} ${this.started === null ? paymentTest.start : paymentTest.again}</button>`
            : nothing
        }
        <button class="quiet" data-testid="back" @click=${() => this.dispatchEvent(new CustomEvent('back'))}>${icon('back')} ${done.overview}</button>
      </div>
    </div>`;
  }

  get #mayStart(): boolean {
    if (this.started === null) return true;
    const { kind } = paymentProgress(this.#lane, this.started.saleId);
    return kind === 'captured' || kind === 'notPaid';
  }

  #progress(started: Started, progress: PaymentProgress): TemplateResult {
    const { paymentTest } = setupTexts[this.language];
    return html`<div class="stack" data-testid="test" data-test=${progress.kind}>
      ${this.#outcome(started, progress)}
      <div class="at-work">
        <ol class="walk" aria-live="polite">
          ${steps.map((step, index) => {
            const isReached = index <= reached(progress);
            return html`<li class=${isReached ? 'reached' : ''}>${icon(isReached ? 'check' : 'clock')} <span>${paymentTest.steps[step]}</span></li>`;
          })}
        </ol>
        ${this.#prompt(progress)}
      </div>
      <div class="row">${this.#phone(progress)} ${this.#cancel(started, progress)}</div>
    </div>`;
  }

  #prompt(progress: PaymentProgress): TemplateResult | typeof nothing {
    const prompt = customerPrompt(progress, this.#lane?.beacons ?? []);
    if (prompt === null) return nothing;
    const words = setupTexts[this.language].paymentTest.scan[prompt];
    const payload = progress.kind === 'waitingForCustomer' ? progress.qr : null;
    return html`<div class="code" data-testid="prompt">${payload === null ? holdPhone() : qr(payload, words)}<p class="soft">${words}</p></div>`;
  }

  #outcome(started: Started, progress: PaymentProgress): TemplateResult | typeof nothing {
    const { paymentTest } = setupTexts[this.language];
    const { notPaid, notConfirmed } = screenTexts[this.language];
    const amount = this.#amount(started);
    switch (progress.kind) {
      case 'asked':
      case 'waitingForCustomer':
      case 'customerFound':
      case 'confirming':
      case 'cancelling':
        return nothing;
      case 'approveInApp':
        return notice({ kind: 'info', title: paymentTest.approve({ amount }) });
      case 'paid':
        return notice({
          kind: 'info',
          title: paymentTest.paid({ amount }),
          body: paymentTest.notCapturedYet,
        });
      case 'captured':
        return html`${notice({ kind: 'success', title: paymentTest.paid({ amount }), body: this.isTest ? paymentTest.paidTest : paymentTest.paidReal })} ${this.#refunding(started)}`;
      case 'contested':
        return notice({ kind: 'error', title: notPaid.unclear.what, body: notPaid.unclear.next });
      case 'notPaid': {
        const { what, next } = notPaid[progress.reason];
        return notice({
          kind: 'error',
          title: what,
          body: progress.isConfirmed ? next : notConfirmed.cancelled,
        });
      }
    }
  }

  #refunding(started: Started): TemplateResult {
    const { paymentTest } = setupTexts[this.language];
    const { notConfirmed, refund: refundWords } = screenTexts[this.language];
    const amount = this.#amount(started);
    if (this.refundId === null)
      return html`<div class="row">
        <button
          class="primary"
          data-testid="refund"
          ${focusWhenShown(true)}
          aria-busy=${this.busy}
          @click=${() => void this.#giveBack(started)}
        >${icon('history')} ${paymentTest.refund({ amount })}</button>
        <span class="soft">${paymentTest.refundLater}</span>
      </div>`;
    const { refund } = this;
    return html`<div data-testid="refunding" data-refund=${refund?.kind ?? 'refunding'}>
      ${
        refund === null || refund.kind === 'refunding'
          ? notice({
              kind: 'info',
              title: paymentTest.refunding({ amount }),
              body: paymentTest.refundingBody,
            })
          : refund.kind === 'refunded'
            ? notice({
                kind: refund.isConfirmed ? 'success' : 'info',
                title: refund.isConfirmed
                  ? paymentTest.refunded({ amount })
                  : paymentTest.refunding({ amount }),
                body: refund.isConfirmed ? refundWords.refunded.next : notConfirmed.refunded,
              })
            : notice({
                kind: 'error',
                title: notRefundedWords(screenTexts[this.language], refund).what,
                body: refund.isConfirmed
                  ? notRefundedWords(screenTexts[this.language], refund).next
                  : notConfirmed.cancelled,
              })
      }
    </div>`;
  }

  #phone({ kind }: PaymentProgress): TemplateResult | typeof nothing {
    const { paymentTest } = setupTexts[this.language];
    if (
      !this.isTest ||
      !this.hasPhones ||
      (kind !== 'waitingForCustomer' && kind !== 'approveInApp')
    )
      return nothing;
    const does = kind === 'approveInApp' ? 'approve' : 'checkIn';
    return html`<button
      class="primary"
      data-testid="phone"
      ${focusWhenShown(true)}
      data-does=${does}
      aria-busy=${this.busy}
      @click=${() => void this.#usePhone(does)}
    >${icon('phone')} ${paymentTest.phone[does]}</button>`;
  }

  #cancel({ saleId }: Started, { kind }: PaymentProgress): TemplateResult | typeof nothing {
    if (
      kind !== 'asked' &&
      kind !== 'waitingForCustomer' &&
      kind !== 'customerFound' &&
      kind !== 'approveInApp'
    )
      return nothing;
    const { laneId } = this;
    return html`<button data-testid="cancel" @click=${() => void this.bridge.ask('cancelSale', { laneId, saleId })}>${icon('close')} ${screenTexts[this.language].cancel}</button>`;
  }

  #amount(money: OutputOf<'payForTest'>): string {
    return formatMoney(this.language, money);
  }

  async #pay(): Promise<void> {
    const done = await this.#askingOnce('payment', (actionId) =>
      this.bridge.ask('payForTest', { laneId: this.laneId, actionId }),
    );
    if (done === null) return;
    this.refundId = null;
    this.refund = null;
    this.started = done;
  }

  async #usePhone(does: 'checkIn' | 'approve'): Promise<void> {
    await this.#asking(() => this.bridge.ask('useTestPhone', { laneId: this.laneId, does }));
  }

  async #giveBack({ saleId }: Started): Promise<void> {
    const done = await this.#askingOnce(saleId, (actionId) =>
      this.bridge.ask('refundTest', { laneId: this.laneId, saleId, actionId }),
    );
    if (done !== null) this.refundId = done.refundOrderId;
  }

  /**
   * As `#asking`, for a request that moves money: after a lost answer the same request is sent
   * again.
   */
  async #askingOnce<Value>(
    what: string,
    ask: (actionId: string) => Promise<Answer<Value>>,
  ): Promise<Value | null> {
    if (this.busy) return null;
    const actionId = this.#lostIds.get(what) ?? crypto.randomUUID();
    return this.#asking(async () => {
      const answer = await ask(actionId);
      if (!answer.ok && (answer.code === 'disconnected' || answer.code === 'failed'))
        this.#lostIds.set(what, actionId);
      else this.#lostIds.delete(what);
      return answer;
    });
  }

  /** Sends a request, busy meanwhile, and shows a refusal. @returns null when it is refused */
  async #asking<Value>(ask: () => Promise<Answer<Value>>): Promise<Value | null> {
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
customElements.define('tb-payment-test', PaymentTestPage);

type Refused = { readonly ok: false } & Parameters<typeof refusalWords>[1];
type Answer<Value> = { readonly ok: true; readonly value: Value } | Refused;

/** The index of the last step that is done, or -1. */
function reached({ kind }: PaymentProgress): number {
  switch (kind) {
    case 'captured':
      return 4;
    case 'paid':
      return 3;
    case 'confirming':
      return 2;
    case 'approveInApp':
    case 'customerFound':
      return 1;
    case 'waitingForCustomer':
      return 0;
    case 'asked':
    case 'cancelling':
    case 'notPaid':
    case 'contested':
      return -1;
  }
}
