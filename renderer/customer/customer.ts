import { html, nothing, type TemplateResult, unsafeCSS } from 'lit';
import { state } from 'lit/decorators.js';
import type { LaneState, LaneView, OwnCode, View } from '../../preload/contract.ts';
import { amount } from '../ui/amount.ts';
import {
  type Approach,
  approachOf,
  checkInApproachOf,
  radioOf,
} from '../../main/core/domain/beacons.ts';
import { holdPhone } from '../ui/hold-phone.ts';
import { icon, type IconName } from '../ui/icons.ts';
import { ownCode, qr, qrModules } from '../ui/qr.ts';
import { formatChoice, type Language } from '../locales/i18n.ts';
import { defineScreen, Screen } from '../screen.ts';
import { maxNumberLength, NumberForm } from './number-form.ts';
import { pinPad } from '../ui/pin-pad.ts';
import { StayAwake } from './stay-awake.ts';
import { steps } from './steps.ts';
import { thanks } from './thanks.ts';
import { buttonStyles, holdPhoneStyles, sharedStyles } from '../ui/styles.ts';
import styles from './customer.css?inline';
import thanksStyles from './thanks.css?inline';

type Sale = Extract<LaneState, { amountMinor: number }>;

const icons: Readonly<Record<Exclude<Sale['kind'], 'waitingForCustomer' | 'paid'>, IconName>> = {
  contactingService: 'busy',
  customerFound: 'person',
  approveInApp: 'phone',
  confirming: 'check',
  reserved: 'check',
  cancelling: 'busy',
  notPaid: 'cross',
};

/**
 * Whether the service does not answer about the payment. The customer is asked for nothing then.
 */
const isUnanswered = (state: Sale): boolean =>
  'unansweredMs' in state && state.unansweredMs !== undefined;

/** A customer's choice of language is reset after this time without a payment. */
const languageKeptMs = 90_000;

/** The customer's screen. It shows nothing about the previous customer. */
class CustomerScreen extends Screen {
  static override styles = [
    sharedStyles,
    buttonStyles,
    holdPhoneStyles,
    unsafeCSS(thanksStyles),
    unsafeCSS(styles),
  ];

  /** Addresses of pictures that could not be loaded, and are left out. */
  @state() broken: ReadonlySet<string> = new Set();

  protected readonly screenName = 'customer';
  readonly #number = new NumberForm({
    requestUpdate: () => this.requestUpdate(),
    send: (phoneNumber) =>
      this.bridge.ask('typeNumber', { laneId: this.view?.lane?.laneId ?? '', phoneNumber }),
  });
  #forgetLanguage: ReturnType<typeof setTimeout> | null = null;

  constructor() {
    super();
    // A touch gives this window the keyboard, and goods may be scanned then. Their digits are no
    // telephone number.
    this.guardFromScans({ scanned: () => {} });
    new StayAwake(this);
  }

  protected override holdsInput(): boolean {
    return this.#number.isOpen || super.holdsInput();
  }

  protected override viewChanged(before: View | null, view: View): void {
    // Pictures that failed without a connection are tried again.
    if (before === null && this.broken.size > 0) this.broken = new Set();
    this.#number.follow(view.lane);
    const ended =
      before !== null && saleShown(before) !== null && saleShown(before) !== saleShown(view);
    if (ended) this.#forgetChoice();
  }

  /**
   * The choice is valid until this customer has paid or left. The next one gets the shop's
   * language.
   */
  protected override speak(language: Language): void {
    this.language = language;
    if (this.#forgetLanguage !== null) clearTimeout(this.#forgetLanguage);
    this.#forgetLanguage = setTimeout(() => {
      if (this.view !== null && saleShown(this.view) !== null) this.speak(language);
      else this.#forgetChoice();
    }, languageKeptMs);
  }

  #forgetChoice(): void {
    if (this.#forgetLanguage !== null) clearTimeout(this.#forgetLanguage);
    this.#forgetLanguage = null;
    this.speakAsTheShop();
  }

  protected override speakAsTheShop(): void {
    if (this.#forgetLanguage === null) super.speakAsTheShop();
  }

  protected override render(): TemplateResult {
    const lane = this.connected ? (this.view?.lane ?? null) : null;
    const state = lane?.state ?? null;
    const sale =
      lane !== null && state !== null && 'amountMinor' in state && lane.customer.checkIn === null
        ? state
        : null;
    const kind =
      sale?.kind ??
      (state === null ? 'disconnected' : state.kind === 'notReady' ? 'notReady' : 'idle');
    const isAlone = sale === null && lane?.customer.checkIn == null;
    return html`<div class="frame" data-state=${kind}>
      ${isAlone ? this.#picture(lane) : nothing}
      <header class="bar">${isAlone ? nothing : this.#shop(lane)}<span class="grow"></span>${this.languageButton()}</header>
      ${lane !== null && sale !== null ? this.#sale(sale, lane) : lane !== null && lane.customer.checkIn !== null ? this.#checkIn(lane.customer.checkIn, lane.beacons) : this.#idle(lane)}
      <footer>${lane === null ? nothing : this.serviceNote()}</footer>
    </div>`;
  }

  /** The shop's name; without one, the product's. */
  #shop(lane: LaneView | null): TemplateResult {
    const { shopName = null, logo = null } = lane?.customer ?? {};
    const logoAddress = this.#loadable(logo);
    if (logoAddress === null && shopName === null) return this.brand();
    return html`<span class="shop">
      ${logoAddress === null ? nothing : html`<img class="logo" data-testid="logo" src=${logoAddress} alt=${shopName ?? ''} @error=${() => this.#isBroken(logoAddress)} />`}
      ${shopName === null ? nothing : html`<span class="shop-name" data-testid="shop">${shopName}</span>`}
    </span>`;
  }

  #picture(lane: LaneView | null): TemplateResult | typeof nothing {
    const picture = this.#loadable(lane?.state.kind === 'idle' ? lane.customer.picture : null);
    if (picture === null) return nothing;
    return html`<img class="picture" data-testid="picture" src=${picture} alt="" @error=${() => this.#isBroken(picture)} />`;
  }

  /** The screen without a sale. */
  #idle(lane: LaneView | null): TemplateResult {
    const { what, next } = this.#idleWords(lane);
    return html`<main>
      <div class="stage idle"><div class="words">
        ${this.#shop(lane)}
        <h1 data-testid="sentence">${what}</h1>
        ${next === null ? nothing : html`<p class="note">${next}</p>`}
      </div></div>
    </main>`;
  }

  #idleWords(lane: LaneView | null): { what: string; next: string | null } {
    const { customer } = this.texts;
    // Why the counter is not ready is no matter of customers.
    if (!this.connected || this.view === null) return { what: customer.state.notReady, next: null };
    if (this.view.notSetUp === true)
      return { what: this.texts.notSetUp.what, next: customer.away.next };
    // Whatever keeps the lanes closed, a manager has to look after it.
    if (this.view.lanes.length === 0) return customer.away;
    if (this.noLane !== null) return this.noLane;
    if (lane?.state.kind === 'notReady' && lane.state.reason === 'serviceUnreachable')
      return customer.away;
    if (lane?.state.kind !== 'idle') return { what: customer.state.notReady, next: null };
    return { what: customer.invitation, next: customer.idle[approachOf(lane.beacons)] };
  }

  #checkIn(
    { qr: payload, ownCode: own, isCheckedIn }: NonNullable<LaneView['customer']['checkIn']>,
    beacons: LaneView['beacons'],
  ): TemplateResult {
    const { scan, checkedIn } = this.texts.customer;
    const approach = checkInApproachOf(beacons, own !== undefined || payload !== null);
    const asksForHold = approach !== 'code' && !isCheckedIn;
    const { what, next } = isCheckedIn ? checkedIn : scan[approach];
    const label = scan[approach].what;
    const holdPlace = html`<div class="place">${holdPhone()}</div>`;
    return html`<main data-check-in=${isCheckedIn ? 'checkedIn' : 'scan'}>
      <div class="stage">
        ${own !== undefined ? this.#ownCode(own, label) : payload === null ? holdPlace : this.#code(payload, label)}
        <div class="words" aria-live="polite">
          ${isCheckedIn ? icon('check') : nothing}
          <h1 data-testid="sentence">${what}</h1>
          <p class="note">${asksForHold && payload !== null ? holdPhone() : nothing} ${next} ${asksForHold ? this.#turnOn(beacons) : nothing}</p>
        </div>
      </div>
    </main>`;
  }

  #sale(state: Sale, lane: LaneView): TemplateResult {
    const { beacons, named } = lane;
    const isNamed = named !== undefined;
    if (this.#number.isOpen) return this.#typing();
    const payload = 'qr' in state ? state.qr : null;
    const own = ownCodeOf(state);
    const approach = !isNamed
      ? approachOf(beacons)
      : named.sticker === undefined
        ? 'named'
        : 'sticker';
    const { what, next } = this.#saleWords(state, approach);
    const isReservation = 'isReservation' in state && state.isReservation === true;
    const titles = isReservation
      ? { ...this.texts.steps, paid: this.texts.customer.state.reserved }
      : this.texts.steps;
    const isHeld =
      state.kind === 'waitingForCustomer' &&
      approach !== 'code' &&
      !isNamed &&
      own === null &&
      !isUnanswered(state);
    const isAlone = payload === null && own === null && !isHeld;
    return html`<main>
      <div class=${isAlone ? 'stage alone' : 'stage'}>
        ${own !== null ? this.#ownCode(own, what) : payload !== null ? this.#code(payload, what) : isHeld ? html`<div class="place">${holdPhone()}</div>` : nothing}
        <div class="words" aria-live="polite">
          ${isAlone ? this.#mark(state) : nothing}
          <h1 data-testid="sentence">${what}</h1>
          ${amount(this.language, state)}
          <p class="note">${isReservation ? html`<span data-testid="reservation">${this.texts.customer.reservation}</span>` : nothing} ${isHeld && payload !== null ? holdPhone() : nothing} ${next} ${isHeld ? this.#turnOn(beacons) : nothing}</p>
          ${this.#typed()}
          ${steps(this.texts.customer.payment, titles, lane)}
        </div>
      </div>
    </main>`;
  }

  /** The button for typing a number, and what became of a typed one. */
  #typed(): TemplateResult | typeof nothing {
    const { number } = this.texts.customer;
    const { sent, problem } = this.#number;
    const offers = this.view?.lane?.customer.numberPad === true;
    return html`${sent === null ? nothing : html`<p class="note" data-testid="number-sent">${number.sent({ number: sent })}</p>`}
      ${problem === null ? nothing : html`<p class="note" data-testid="number-problem">${icon('warning')} ${number[problem]}</p>`}
      ${offers ? html`<button class="type-number" data-testid="type-number" @click=${() => this.#number.open()}>${icon('phone')} ${number.open}</button>` : nothing}`;
  }

  #typing(): TemplateResult {
    const { number } = this.texts.customer;
    const form = this.#number;
    const onKey = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') form.close();
    };
    return html`<main @keydown=${onKey}>
      <div class="stage typing">
        ${pinPad({
          language: this.language,
          label: number.label,
          pin: form.number,
          problem: form.problem === null ? null : number[form.problem],
          longest: maxNumberLength,
          disabled: form.isSending,
          focused: true,
          isShown: true,
          onPin: (typed) => (form.number = typed),
          onEnter: () => void form.submit(),
        })}
        <div class="words">
          <h1 data-testid="sentence">${number.open}</h1>
          <p class="note">${number.hint}</p>
          <button class="primary type-number" data-testid="send-number" aria-busy=${form.isSending} ?disabled=${!form.isEnough} @click=${() => void form.submit()}>${number.send}</button>
          <button class="type-number" data-testid="back" @click=${() => form.close()}>${number.back}</button>
        </div>
      </div>
    </main>`;
  }

  #saleWords(
    state: Sale,
    approach: Approach | 'named' | 'sticker',
  ): { readonly what: string; readonly next: string } {
    const { customer } = this.texts;
    if (isUnanswered(state)) return { what: customer.state.contactingService, next: '' };
    if (state.kind === 'waitingForCustomer' && ownCodeOf(state) !== null) {
      const { apps = [] } = this.view?.lane?.customer ?? {};
      const { what, next } = customer.approach.ownCode;
      return {
        what,
        next:
          apps.length === 0
            ? next
            : customer.ownCodeWith({ apps: formatChoice(this.language, apps) }),
      };
    }
    if (state.kind === 'waitingForCustomer') return customer.approach[approach];
    const isAgreeing = state.kind === 'customerFound' && state.toAgree !== undefined;
    return {
      what: customer.state[state.kind],
      next: isAgreeing ? customer.agreeing : customer.hint[state.kind],
    };
  }

  #turnOn(beacons: LaneView['beacons']): string | typeof nothing {
    const radio = radioOf(beacons);
    return radio === null ? nothing : this.texts.customer.turnOn[radio];
  }

  #mark(sale: Sale): TemplateResult | typeof nothing {
    const { kind } = sale;
    if (isUnanswered(sale)) return icon('busy');
    if (kind === 'paid') return thanks();
    return kind === 'waitingForCustomer' ? icon('phone') : icon(icons[kind]);
  }

  #code(payload: string, label: string): TemplateResult {
    return html`<div class="place"><div class="code" .style=${`--modules: ${qrModules(payload)}`}>${qr(payload, label)}</div></div>`;
  }

  #ownCode(code: OwnCode, label: string): TemplateResult {
    if (code.kind === 'text') return this.#code(code.text, label);
    return html`<div class="place"><div class="code">${ownCode(code, label)}</div></div>`;
  }

  #loadable(address: string | null): string | null {
    return address === null || this.broken.has(address) ? null : address;
  }

  #isBroken(address: string): void {
    this.broken = new Set([...this.broken, address]);
  }
}
void defineScreen('tb-customer', CustomerScreen, 'customer');

const ownCodeOf = (state: Sale): OwnCode | null =>
  'ownCode' in state ? (state.ownCode ?? null) : null;

/**
 * The id of the sale that is shown; null when there is none, or the code for the next customer is
 * shown instead.
 */
function saleShown({ lane }: View): string | null {
  return lane !== null && 'saleId' in lane.state && lane.customer.checkIn === null
    ? lane.state.saleId
    : null;
}
