import { html, nothing, type PropertyValues, type TemplateResult, unsafeCSS } from 'lit';
import { state } from 'lit/decorators.js';
import type { LaneState, LaneView, View } from '../../preload/contract.ts';
import { Countdown } from '../ui/countdown.ts';
import type { AmountPad } from '../ui/amount-pad.ts';
import { FocusKeeper } from '../ui/focus-keeper.ts';
import { icon } from '../ui/icons.ts';
import { designStyles } from '../ui/styles.ts';
import { defineScreen, Screen } from '../screen.ts';
import {
  computerBanners,
  damageBanner,
  refundBanner,
  reservationsBanner,
  bannerList,
  bannerStyles,
  triedBanner,
  unsettledBanner,
} from '../banners.ts';
import { AgreeForm, toAgreeIn } from './agree-form.ts';
import { agreePanel } from './agree-panel.ts';
import { byHandPanel } from './by-hand-panel.ts';
import { ByHandForm } from './by-hand-form.ts';
import { CustomerForm } from './customer-form.ts';
import { customerPanel } from './customer-panel.ts';
import { leavePanel } from './leave-panel.ts';
import {
  asksForPhone,
  codeOfCheckIn,
  codeOfPayment,
  hasPanel,
  type OnItsWay,
} from './code-panel.ts';
import { statePanel } from './state-panel.ts';
import { formatDateTime, formatTime } from '../locales/i18n.ts';
import { recentPanel } from './recent-panel.ts';
import { Sounds, soundOf } from './sounds.ts';
import styles from './cashier.css?inline';
import panel from './panel.css?inline';

/**
 * The way out of a cancel is announced only in the last seconds before it, because a cancel is
 * usually answered soon.
 */
const quietCancelSeconds = 55;

/**
 * For this long a cancel is ignored after the screen has changed without the cashier: the key or
 * touch was meant for what stood there before.
 */
const notCancelledMs = 1_000;

/** For this many seconds the till's last message is shown by its age, and then by its time. */
const maxAgeSeconds = 60;

/**
 * The cashier's screen of a lane: its state, the cashier's actions, and the money that is not
 * settled.
 */
class CashierScreen extends Screen {
  static override styles = [designStyles, bannerStyles, unsafeCSS(styles), unsafeCSS(panel)];

  protected readonly screenName = 'cashier';
  /** Whether the last payments are shown instead of the code. */
  @state() listed = false;
  /** Whether the cashier is asked whether to leave a cancel that is not confirmed. */
  @state() leaving = false;
  readonly #countdown = new Countdown(this);
  readonly #untilLeave = new Countdown(this);
  readonly #unanswered = new Countdown(this);
  readonly #sinceHeard = new Countdown(this);
  readonly #untilCancel = new Countdown(this);
  readonly #sounds = new Sounds();
  readonly #byHand = new ByHandForm({
    requestUpdate: () => this.requestUpdate(),
    send: (request) =>
      this.bridge.ask('payByHand', { laneId: this.view?.lane?.laneId ?? '', ...request }),
    focusTake: () => this.#focus('.take'),
  });
  readonly #agree = new AgreeForm({
    requestUpdate: () => this.requestUpdate(),
    send: (agreed) =>
      this.bridge.ask('agreeAmount', { laneId: this.view?.lane?.laneId ?? '', ...agreed }),
    begun: () => {
      this.#focus('.send');
      void this.updateComplete.then(() => this.#pad?.choose());
    },
  });
  readonly #named = new CustomerForm({
    requestUpdate: () => this.requestUpdate(),
    send: (by) => this.bridge.ask('nameCustomer', { laneId: this.view?.lane?.laneId ?? '', by }),
  });
  #wholeMs = 1;

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') this.#back();
    else if (event.key === 'F2') this.#openByHand();
    else if (event.key === 'F4') this.#showRecent();
    else if (
      this.#agree.isOpen &&
      /^\d$/.test(event.key) &&
      this.shadowRoot?.activeElement !== this.#pad
    )
      this.#pad?.type(event.key);
    else return;
    event.preventDefault();
  };

  constructor() {
    super();
    // The connection may be lost and restored while the cashier types.
    new FocusKeeper(this, () => this.#isTyping);
    this.guardFromScans({
      remember: () => {
        const forms = [this.#byHand.remember(), this.#agree.remember()];
        return () => forms.forEach((takeBack) => takeBack());
      },
      scanned: (text) => {
        // In the form of a manual payment a scan is the order's number, unless it is a customer's
        // code, which is a web address.
        if (this.#byHand.isOpen && !/^http/i.test(text)) this.#byHand.orderText = text;
        else if (this.view?.lane?.named !== undefined) void this.#named.scanned(text);
      },
    });
  }

  get #isTyping(): boolean {
    return this.#byHand.isOpen || this.#agree.isOpen || this.#named.number !== '';
  }

  protected override holdsInput(): boolean {
    return (
      this.#isTyping || this.#byHand.setAsideFor !== null || this.leaving || super.holdsInput()
    );
  }

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener('keydown', this.#onKey);
    this.#sounds.connect();
  }

  override disconnectedCallback(): void {
    window.removeEventListener('keydown', this.#onKey);
    this.#sounds.disconnect();
    super.disconnectedCallback();
  }

  protected override viewChanged(before: View | null, { lane }: View): void {
    const state = lane?.state;
    const wasOpen = this.#byHand.isOpen || this.listed || this.leaving;
    const isBegun =
      before !== null &&
      state !== undefined &&
      'remainingMs' in state &&
      state.by === 'till' &&
      saleIdIn(before.lane?.state) !== state.saleId;
    this.#agree.follow(lane);
    if (lane !== null) {
      this.#byHand.follow(lane);
      this.#named.follow(lane);
      const sound = soundOf(before?.lane ?? null, lane);
      if (sound !== null) this.#sounds.play(sound);
    }
    if (state?.kind !== 'cancelling') this.leaving = false;
    if (state?.kind === 'cancelling') this.#untilLeave.start(state.mayLeaveInMs);
    else this.#untilLeave.stop();
    if (state !== undefined && 'unansweredMs' in state && state.unansweredMs !== undefined)
      this.#unanswered.start(-state.unansweredMs);
    else this.#unanswered.stop();
    const heardAtMs = lane?.till.heardAtMs ?? null;
    if (heardAtMs !== null && heardAtMs !== before?.lane?.till.heardAtMs)
      this.#sinceHeard.start(heardAtMs - Date.now());
    if (lane === null || !hasPanel(lane)) this.listed = false;
    const isClosed = wasOpen && !(this.#byHand.isOpen || this.listed || this.leaving);
    if (isBegun || (isClosed && this.#isOfOthers(state))) this.#untilCancel.start(notCancelledMs);
    if (state === undefined || !('remainingMs' in state)) return this.#countdown.stop();
    const earlier = before?.lane?.state;
    if (earlier === undefined || !('saleId' in earlier) || earlier.saleId !== state.saleId)
      this.#wholeMs = Math.max(1, state.remainingMs);
    this.#countdown.start(state.remainingMs);
  }

  /** Whether a payment is under way that this screen did not ask for. */
  #isOfOthers(state: LaneState | undefined): boolean {
    return state !== undefined && 'remainingMs' in state && !this.#byHand.hasAskedFor(state.saleId);
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (this.#untilCancel.secondsLeft === 0) this.#untilCancel.stop();
    if (this.leaving && changed.get('leaving') === false) this.#focus('.stay');
  }

  protected override render(): TemplateResult {
    const lane = this.view?.lane ?? null;
    if (!this.connected || this.view === null) return this.#frame(null, this.#disconnected());
    if (lane === null)
      return this.#frame(
        null,
        this.view.lanes.length === 0 ? this.#withoutLanes() : this.#noLane(),
      );
    return this.#frame(
      lane,
      html`<main>${this.#inTheMiddle(lane)}${'remainingMs' in lane.state ? this.#beside(lane, lane.state) : this.#besideIdle(lane)}</main>`,
    );
  }

  #frame(lane: LaneView | null, body: TemplateResult): TemplateResult {
    return html`<div class="frame" data-state=${lane?.state.kind ?? 'disconnected'}>
      <header class="bar">
        ${this.brand()}<span class="lane">${lane?.name ?? nothing}</span><span class="grow"></span>${this.#toManager(lane)}${this.#soundButton()}${this.languageButton()}
      </header>
      ${body}
      ${this.#banners(lane)}
      ${lane === null ? nothing : this.#footer(lane)}
    </div>`;
  }

  #banners(lane: LaneView | null): TemplateResult {
    return bannerList(this.language, [
      ...(lane?.journalDamage ? [damageBanner(this.language, lane.journalDamage)] : []),
      ...(lane?.computer ? computerBanners(this.language, lane.computer) : []),
      ...(lane?.tried ? [triedBanner(this.language, lane.tried)] : []),
      ...(lane?.refund ? [refundBanner(this.language, lane.refund)] : []),
      ...(lane?.reservationsEnding
        ? [reservationsBanner(this.language, lane.reservationsEnding)]
        : []),
      ...(lane?.unsettled ?? []).map((money) => unsettledBanner(this.language, money)),
    ]);
  }

  /**
   * The link to the manager's screen. Not shown during a sale, which an accidental touch must not
   * hide.
   */
  #toManager(lane: LaneView | null): TemplateResult | typeof nothing {
    if (this.view === null || (lane !== null && 'remainingMs' in lane.state)) return nothing;
    const search = new URLSearchParams({
      ...(lane === null ? {} : { lane: lane.laneId }),
      lang: this.language,
    });
    return html`<a class="button" data-testid="to-manager" href="../manager/index.html?${search.toString()}">${icon('lock')} ${this.texts.home.manager}</a>`;
  }

  #soundButton(): TemplateResult {
    const { mute, unmute } = this.texts.cashier.sound;
    const { muted } = this.#sounds;
    return html`<button class="icon-only" data-testid="sound" title=${muted ? unmute : mute} @click=${() => this.#mute(!muted)}>
      ${icon(muted ? 'sound-off' : 'sound')}
    </button>`;
  }

  #disconnected(): TemplateResult {
    const { what, next } = this.texts.disconnected;
    return html`<main><section class="state" data-tone="warn" role="alert">${icon('offline')}<h1 data-testid="sentence">${what}</h1><p class="hint">${next}</p></section></main>`;
  }

  #noLane(): TemplateResult {
    const { language } = this;
    return html`<main><section class="state" data-tone="warn">
      ${icon('warning')}<h1 data-testid="sentence">${this.noLane?.what}</h1><p class="hint">${this.noLane?.next}</p>
      ${this.view?.lanes.map(
        ({ laneId, name }) => html`<a
          class="button"
          data-testid="lane"
          href="?${new URLSearchParams({ lane: laneId, lang: language }).toString()}"
        >${name} ${icon('forward')}</a>`,
      )}
    </section></main>`;
  }

  /** The link to setup, on a counter that is not set up or whose lanes cannot open. */
  #withoutLanes(): TemplateResult {
    if (this.view?.restored !== undefined) return this.#restored();
    const isSetUp = this.view?.notSetUp !== true;
    const { what, next } = isSetUp ? this.texts.notOpened : this.texts.notSetUp;
    return html`<main><section class="state" data-tone=${isSetUp ? 'warn' : 'neutral'}>
      ${icon(isSetUp ? 'warning' : 'settings')}<h1 data-testid="sentence">${what}</h1><p class="hint">${next}</p>
      <a class="button" data-testid="to-setup" href="../setup/index.html?lang=${this.language}">${this.texts.home.setup} ${icon('forward')}</a>
    </section></main>`;
  }

  /** The counter was restored from a backup, and waits for a manager's confirmation. */
  #restored(): TemplateResult {
    const { what, next } = this.texts.restored;
    return html`<main><section class="state" data-tone="warn">
      ${icon('warning')}<h1 data-testid="sentence">${what}</h1><p class="hint">${next}</p>
      <a class="button" data-testid="to-confirm" href="../manager/index.html?lang=${this.language}">${this.texts.home.manager} ${icon('forward')}</a>
    </section></main>`;
  }

  #inTheMiddle(lane: LaneView): TemplateResult {
    const { state } = lane;
    if (this.leaving)
      return leavePanel(this.language, {
        stay: () => this.#stay(),
        leave: () => void this.#leave(),
      });
    if (this.#isByHand(state)) return byHandPanel(this.#byHand, this.language, lane);
    if (toAgreeIn(state) !== null)
      return agreePanel(this.#agree, this.language, lane, () => this.#focus('.send'));
    return statePanel(this.language, lane, {
      notice: this.notice,
      unansweredSeconds: this.#unanswered.secondsPassed,
      setAsideFor: this.#byHand.setAsideFor,
    });
  }

  #beside(lane: LaneView, state: OnItsWay): TemplateResult {
    return html`<aside>
      ${this.listed || !asksForPhone(lane) ? recentPanel(this.language, lane, Date.now()) : codeOfPayment(this.language, lane, state)}
      ${this.listed ? nothing : customerPanel(this.#named, this.language, lane)}
      ${state.kind === 'cancelling' ? this.#wayOut() : hasDeadline(state) ? this.#time() : nothing}
      ${asksForPhone(lane) ? this.#listButton() : nothing}
      ${
        state.kind === 'cancelling' && this.#untilLeave.secondsLeft === 0
          ? html`<button
                class="cancel"
                data-testid="leave"
                data-decides
                ?disabled=${this.leaving}
                @click=${() => this.#askToLeave()}
              >${this.texts.cashier.leave.open} <kbd>${this.texts.cancelKey}</kbd></button>`
          : html`<button class="cancel" data-testid="cancel" data-decides ?disabled=${!state.canCancel} aria-disabled=${this.#untilCancel.isRunning ? 'true' : nothing} @click=${() => this.#cancel()}>${this.texts.cancel} <kbd>${this.texts.cancelKey}</kbd></button>`
      }
    </aside>`;
  }

  #listButton(): TemplateResult {
    const { title } = this.texts.cashier.recent;
    return html`<button class="list" data-testid="list" aria-pressed=${this.listed} @click=${() => this.#showRecent()}>${icon('history')} ${title} <kbd>F4</kbd></button>`;
  }

  #time(): TemplateResult {
    const seconds = this.#countdown.secondsLeft ?? 0;
    return html`<div class="time">
      <span data-testid="seconds">${this.texts.secondsLeft({ seconds })}</span>
      <progress max=${Math.ceil(this.#wholeMs / 1000)} value=${seconds} aria-label=${this.texts.secondsLeft({ seconds })}></progress>
    </div>`;
  }

  #wayOut(): TemplateResult | typeof nothing {
    const seconds = this.#untilLeave.secondsLeft ?? 0;
    if (seconds === 0 || seconds > quietCancelSeconds) return nothing;
    return html`<div class="time" data-testid="way-out">${this.texts.cashier.leave.soon({ seconds })}</div>`;
  }

  #besideIdle(lane: LaneView): TemplateResult {
    const { title } = this.texts.cashier.byHand;
    const isTyping = this.#isByHand(lane.state);
    const { checkIn } = lane.customer;
    return html`<aside>
      ${this.listed || checkIn === null ? recentPanel(this.language, lane, Date.now()) : codeOfCheckIn(this.language, checkIn, lane.beacons)}
      ${customerPanel(this.#named, this.language, lane)}
      ${checkIn === null ? nothing : this.#listButton()}
      ${
        isTyping
          ? nothing
          : html`<button
                class="open-by-hand"
                data-testid="by-hand"
                ?disabled=${!this.#mayStart(lane.state)}
                @click=${() => this.#openByHand()}
              >${icon('edit')} ${title} <kbd>F2</kbd></button>`
      }
    </aside>`;
  }

  #footer({ till }: LaneView): TemplateResult {
    const forSupport =
      till.detail === null
        ? nothing
        : html` · ${this.texts.support}: <span lang="en">${till.detail}</span>`;
    return html`<footer><span class="dot ${till.link}"></span><span>${this.#tillSays(till)} · ${till.address}${forSupport}</span>${this.serviceNote()}</footer>`;
  }

  #tillSays({ link, heardAtMs }: LaneView['till']): string {
    const { till } = this.texts;
    if (link !== 'connected' || heardAtMs === null) return till[link];
    const seconds = this.#sinceHeard.secondsPassed;
    if (seconds < maxAgeSeconds && this.#sinceHeard.isRunning) return till.heardAgo({ seconds });
    this.#sinceHeard.stop();
    const isToday = new Date(heardAtMs).toDateString() === new Date().toDateString();
    return till.heardAt({
      time: (isToday ? formatTime : formatDateTime)(this.language, heardAtMs),
    });
  }

  /**
   * Whether the form of a manual payment is shown, which stays open even while no payment can
   * start.
   */
  #isByHand(state: LaneState): boolean {
    return this.#byHand.isOpen && !('remainingMs' in state);
  }

  #mayStart({ kind }: LaneState): boolean {
    return kind === 'idle' || kind === 'paid' || kind === 'notPaid' || kind === 'reserved';
  }

  /** Escape closes the question, form or list that is open. Without one it cancels the sale. */
  #back(): void {
    if (this.leaving) this.#stay();
    else if (this.#byHand.isOpen) this.#closeByHand();
    else if (this.listed) this.listed = false;
    else if (this.view?.lane?.state.kind === 'cancelling') this.#askToLeave();
    else this.#cancel();
  }

  #cancel(): void {
    if ((this.#untilCancel.secondsLeft ?? 0) > 0) return;
    const lane = this.view?.lane;
    if (lane && 'canCancel' in lane.state && lane.state.canCancel)
      void this.ask('cancelSale', { laneId: lane.laneId, saleId: lane.state.saleId });
  }

  #openByHand(): void {
    const state = this.view?.lane?.state;
    if (state === undefined || !this.#mayStart(state)) return;
    this.#byHand.open();
    void this.updateComplete.then(() => this.#pad?.select());
  }

  get #pad(): AmountPad | null {
    return this.renderRoot.querySelector<AmountPad>('tb-amount-pad');
  }

  #closeByHand(): void {
    this.#byHand.close();
    this.#focus('.open-by-hand');
  }

  /** Focuses the list, so that it can be scrolled by keyboard. */
  #showRecent(): void {
    const lane = this.view?.lane ?? null;
    if (lane !== null && hasPanel(lane)) this.listed = !this.listed;
    this.#focus('.payments');
  }

  #askToLeave(): void {
    if (this.#untilLeave.secondsLeft === 0) this.leaving = true;
  }

  #stay(): void {
    this.leaving = false;
    this.#focus('[data-testid="leave"]');
  }

  async #leave(): Promise<void> {
    const lane = this.view?.lane;
    if (lane?.state.kind !== 'cancelling') return;
    this.leaving = false;
    await this.ask('leaveSale', { laneId: lane.laneId, saleId: lane.state.saleId });
  }

  #mute(muted: boolean): void {
    this.#sounds.mute(muted);
    this.requestUpdate();
  }

  #focus(selector: string): void {
    void this.updateComplete.then(() =>
      this.renderRoot.querySelector<HTMLElement>(selector)?.focus(),
    );
  }
}
/**
 * Whether the payment lasts until the deadline. Before the service has made it, it is given up much
 * earlier when the service does not answer.
 */
const hasDeadline = (state: OnItsWay): boolean =>
  state.kind !== 'contactingService' || state.isFetchingCode === true;

const saleIdIn = (state: LaneState | undefined): string | null =>
  state !== undefined && 'saleId' in state ? state.saleId : null;

void defineScreen('tb-cashier', CashierScreen, 'cashier');
