import { html, nothing, type TemplateResult } from 'lit';
import type { LaneState, LaneView, View } from '../../preload/contract.ts';
import { Countdown } from '../countdown.ts';
import { amount } from '../design/amount.ts';
import { icon, type IconName } from '../design/icons.ts';
import { qr } from '../design/qr.ts';
import { sharedStyles } from '../design/shared-styles.ts';
import { formatMoney } from '../i18n/i18n.ts';
import { Screen } from '../screen.ts';
import { cashierStyles } from './cashier-styles.ts';

type Tone = 'neutral' | 'busy' | 'good' | 'bad' | 'warn';

/** Each state by icon, tone and place on the way: never by colour alone. */
const looks: Readonly<Record<LaneState['kind'], { icon: IconName; tone: Tone; step: number | null }>> = {
  notReady: { icon: 'warning', tone: 'warn', step: null },
  idle: { icon: 'till', tone: 'neutral', step: null },
  contactingService: { icon: 'busy', tone: 'busy', step: 0 },
  waitingForCustomer: { icon: 'scan', tone: 'busy', step: 0 },
  customerFound: { icon: 'person', tone: 'busy', step: 1 },
  approveInApp: { icon: 'phone', tone: 'busy', step: 2 },
  confirming: { icon: 'till', tone: 'busy', step: 3 },
  cancelling: { icon: 'busy', tone: 'warn', step: null },
  paid: { icon: 'check', tone: 'good', step: 4 },
  notPaid: { icon: 'cross', tone: 'bad', step: null },
};

const refundIcons: Readonly<Record<NonNullable<LaneView['refund']>['kind'], IconName>> = { refunding: 'busy', refunded: 'check', notRefunded: 'cross' };

class CashierScreen extends Screen {
  static override styles = [sharedStyles, cashierStyles];

  protected readonly screenName = 'cashier';
  readonly #countdown = new Countdown(this);
  #wholeMs = 1;
  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') this.#cancel();
  };

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener('keydown', this.#onKey);
  }

  override disconnectedCallback(): void {
    window.removeEventListener('keydown', this.#onKey);
    super.disconnectedCallback();
  }

  protected override viewChanged(before: View | null, { lane }: View): void {
    const state = lane?.state;
    if (state === undefined || !('remainingMs' in state)) return this.#countdown.stop();
    const earlier = before?.lane?.state;
    if (earlier === undefined || !('saleId' in earlier) || earlier.saleId !== state.saleId) this.#wholeMs = Math.max(1, state.remainingMs);
    this.#countdown.start(state.remainingMs);
  }

  protected override render(): TemplateResult {
    const lane = this.view?.lane ?? null;
    if (!this.connected || this.view === null) return this.#frame(null, this.#disconnected());
    if (lane === null)
      return this.#frame(null, html`<main><section class="state" data-tone="warn">${icon('warning')}<h1>${this.texts.noLane}</h1></section></main>`);
    return this.#frame(lane, this.#body(lane));
  }

  #frame(lane: LaneView | null, body: TemplateResult): TemplateResult {
    return html`<div class="frame" data-state=${lane?.state.kind ?? 'disconnected'}>
      <header class="bar">${this.brand()}<span class="lane">${lane?.name ?? nothing}</span><span class="grow"></span>${this.languageButton()}</header>
      ${body}
      <div>
        <div class="strips">${lane?.journalDamage ? this.#damage(lane.journalDamage) : nothing}${lane?.refund ? this.#refund(lane.refund) : nothing}${lane?.unsettled.map((money) => this.#strip(money))}</div>
        ${lane === null ? nothing : this.#footer(lane)}
      </div>
    </div>`;
  }

  #damage({ repaired, lostSales }: NonNullable<LaneView['journalDamage']>): TemplateResult {
    const { journalDamage } = this.texts;
    const what = !repaired ? journalDamage.open : lostSales === 0 ? journalDamage.whole : journalDamage.lost(lostSales);
    return html`<div class="strip person" role="status" data-testid="journal-damage">${icon('warning')}<span>${what}</span></div>`;
  }

  #disconnected(): TemplateResult {
    const { what, next } = this.texts.disconnected;
    return html`<main><section class="state" data-tone="warn" role="alert">${icon('offline')}<h1 data-testid="sentence">${what}</h1><p class="hint">${next}</p></section></main>`;
  }

  #body({ state }: LaneView): TemplateResult {
    const look = looks[state.kind];
    const { what, next } = this.#words(state);
    const onItsWay = 'remainingMs' in state ? state : null;
    return html`<main>
      <section class="state" data-tone=${look.tone} aria-live="polite">
        ${icon(look.icon)}
        ${state.kind === 'notPaid' ? html`<p class="verdict" data-testid="verdict">${this.texts.cashier.notPaid}</p>` : nothing}
        <h1 data-testid="sentence">${what}</h1>
        ${'amountMinor' in state ? amount(this.language, state) : nothing}
        <p class="hint">${this.notice ?? next}</p>
        ${state.kind === 'notReady' && state.detail !== null ? html`<p class="detail">${this.texts.support}: ${state.detail}</p>` : nothing}
        ${look.step === null ? nothing : this.#steps(look.step)}
      </section>
      ${onItsWay === null ? nothing : this.#side(onItsWay)}
    </main>`;
  }

  #words(state: LaneState): { what: string; next: string } {
    const { texts } = this;
    if (state.kind === 'notPaid') return texts.notPaid[state.reason];
    if (state.kind === 'notReady') return texts.notReady[state.reason];
    return { what: texts.cashier[state.kind], next: texts.cashierHint[state.kind] };
  }

  #steps(current: number): TemplateResult {
    const { scan, found, approve, paid } = this.texts.steps;
    return html`<ol>
      ${[scan, found, approve, paid].map((name, index) => html`<li class=${index < current ? 'done' : ''} aria-current=${index === current ? 'step' : nothing}>${name}</li>`)}
    </ol>`;
  }

  #side(state: Extract<LaneState, { remainingMs: number }>): TemplateResult {
    const seconds = this.#countdown.secondsLeft ?? 0;
    return html`<aside>
      ${state.qr === null ? nothing : html`<div class="code">${qr(state.qr, this.texts.customer.waitingForCustomer)}</div>`}
      <div class="time">
        <span data-testid="seconds">${this.texts.secondsLeft(seconds)}</span>
        <progress max=${Math.ceil(this.#wholeMs / 1000)} value=${seconds} aria-label=${this.texts.secondsLeft(seconds)}></progress>
      </div>
      <button class="cancel" data-testid="cancel" ?disabled=${!state.canCancel} @click=${() => this.#cancel()}>${this.texts.cancel} <kbd>${this.texts.cancelKey}</kbd></button>
    </aside>`;
  }

  #strip(money: LaneView['unsettled'][number]): TemplateResult {
    const { unsettled } = this.texts;
    const { what, person } = unsettled[money.kind][money.intent];
    return html`<div class="strip ${money.needsPerson ? 'person' : ''}" role="status" data-testid="unsettled">${icon('warning')}<span>${formatMoney(this.language, money)} ${money.needsPerson ? person(money.orderId) : what}</span></div>`;
  }

  #refund(refund: NonNullable<LaneView['refund']>): TemplateResult {
    const { texts } = this;
    const { what, next } = refund.kind === 'notRefunded' ? texts.notRefunded[refund.reason] : texts.refund[refund.kind];
    const says = refund.kind === 'notRefunded' ? `${texts.refund.notRefunded}: ${what}` : what;
    return html`<div class="strip refund" role="status" data-testid="refund">${icon(refundIcons[refund.kind])}<span>${formatMoney(this.language, refund)} ${says}. ${next}</span></div>`;
  }

  #footer({ till }: LaneView): TemplateResult {
    return html`<footer><span class="dot ${till.link}"></span><span>${this.texts.till[till.link]} · ${till.address}${till.detail === null ? '' : ` · ${till.detail}`}</span></footer>`;
  }

  #cancel(): void {
    const lane = this.view?.lane;
    if (lane && 'canCancel' in lane.state && lane.state.canCancel) void this.ask({ type: 'cancelSale', laneId: lane.laneId, saleId: lane.state.saleId });
  }
}
customElements.define('tb-cashier', CashierScreen);
