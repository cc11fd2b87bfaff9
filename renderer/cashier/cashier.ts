import { css, html, nothing, type TemplateResult } from 'lit';
import type { LaneState, LaneView, View } from '../../preload/contract.ts';
import { Countdown } from '../countdown.ts';
import { icon, type IconName } from '../design/icons.ts';
import { qr } from '../design/qr.ts';
import { sharedStyles } from '../design/shared-styles.ts';
import { formatMoney } from '../i18n/i18n.ts';
import { Screen } from '../screen.ts';

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

class CashierScreen extends Screen {
  static override styles = [
    sharedStyles,
    css`
      .frame {
        height: 100%;
        display: grid;
        grid-template-rows: auto 1fr auto;
      }
      .lane {
        font-size: 1.15rem;
        font-weight: 600;
        color: var(--ink-soft);
      }
      main {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        gap: var(--gap);
        padding: 4px clamp(16px, 2.5vw, 40px) var(--gap);
        min-height: 0;
      }
      main:not(:has(aside)) {
        grid-template-columns: minmax(0, 1fr);
      }
      .state {
        display: flex;
        flex-direction: column;
        justify-content: center;
        gap: clamp(10px, 2vmin, 28px);
        padding: clamp(20px, 4vmin, 64px);
        border-radius: var(--radius);
        background: var(--soft);
        min-width: 0;
        transition: background var(--quick);
      }
      .state > .icon {
        font-size: clamp(72px, 15vmin, 190px);
        color: var(--strong);
      }
      [data-tone='neutral'] {
        --strong: var(--neutral);
        --soft: var(--neutral-soft);
      }
      [data-tone='busy'] {
        --strong: var(--busy);
        --soft: var(--busy-soft);
      }
      [data-tone='good'] {
        --strong: var(--good);
        --soft: var(--good-soft);
      }
      [data-tone='bad'] {
        --strong: var(--bad);
        --soft: var(--bad-soft);
      }
      [data-tone='warn'] {
        --strong: var(--warn);
        --soft: var(--warn-soft);
      }
      h1 {
        margin: 0;
        font-size: clamp(2rem, 6.2vmin, 4.6rem);
        line-height: 1.08;
        letter-spacing: -0.02em;
        text-wrap: balance;
        color: var(--strong);
      }
      .amount {
        font-size: clamp(2.6rem, 9vmin, 7rem);
        font-weight: 750;
        letter-spacing: -0.03em;
        font-variant-numeric: tabular-nums;
        line-height: 1;
      }
      .hint {
        margin: 0;
        font-size: clamp(1.1rem, 2.6vmin, 1.9rem);
        color: var(--ink);
        text-wrap: pretty;
      }
      .detail {
        margin: 0;
        font: 0.9rem var(--mono);
        color: var(--ink-soft);
        overflow-wrap: anywhere;
      }
      ol {
        display: flex;
        gap: clamp(8px, 1.5vmin, 20px);
        margin: 0;
        padding: 0;
        list-style: none;
        font-size: clamp(0.95rem, 2vmin, 1.35rem);
        font-weight: 600;
      }
      li {
        flex: 1;
        padding-top: 10px;
        border-top: 6px solid var(--line);
        color: var(--ink-soft);
      }
      li.done {
        border-color: var(--strong);
        color: var(--ink);
      }
      li[aria-current] {
        border-color: var(--strong);
        color: var(--strong);
      }
      aside {
        width: clamp(270px, 30vw, 520px);
        display: flex;
        flex-direction: column;
        /* Cancel stays where it is when the code goes. */
        justify-content: flex-end;
        gap: var(--gap);
      }
      .code {
        flex: 1;
        display: grid;
        place-items: center;
        padding: clamp(10px, 2vmin, 24px);
        border-radius: var(--radius);
        background: #fff;
        box-shadow: var(--shadow);
        min-height: 0;
      }
      .code .qr {
        max-width: 100%;
        aspect-ratio: 1;
        height: auto;
      }
      .time {
        padding: 16px 24px;
        border-radius: var(--radius);
        background: var(--card);
        box-shadow: var(--shadow);
        font-size: clamp(1.2rem, 2.8vmin, 2rem);
        font-weight: 650;
        font-variant-numeric: tabular-nums;
      }
      progress {
        display: block;
        width: 100%;
        height: 10px;
        margin-top: 10px;
        border: 0;
        border-radius: 5px;
        background: var(--line);
        appearance: none;
        overflow: hidden;
      }
      progress::-webkit-progress-bar {
        background: var(--line);
      }
      progress::-webkit-progress-value {
        background: var(--busy);
        border-radius: 5px;
      }
      .cancel {
        min-height: 84px;
        border-color: var(--bad);
        color: var(--bad);
        font-size: clamp(1.3rem, 3vmin, 2rem);
      }
      .strip {
        display: flex;
        align-items: center;
        gap: 12px;
        margin: 0 clamp(16px, 2.5vw, 40px) 10px;
        padding: 14px 20px;
        border-radius: var(--radius-small);
        background: var(--warn-soft);
        color: var(--warn);
        font-size: 1.1rem;
        font-weight: 600;
      }
      .strip.person {
        background: var(--bad-soft);
        color: var(--bad);
      }
      .strip .icon {
        font-size: 1.6rem;
      }
      footer {
        display: flex;
        align-items: center;
        gap: 10px;
        padding: 0 clamp(16px, 2.5vw, 40px) 14px;
        color: var(--ink-soft);
        font-size: 1rem;
      }
      .dot {
        width: 14px;
        height: 14px;
        border-radius: 50%;
        border: 3px solid var(--ink-soft);
      }
      .dot.connected {
        background: var(--good);
        border-color: var(--good);
      }
      .dot.absent {
        border-color: var(--bad);
      }
      @media (max-width: 760px) {
        .frame {
          height: auto;
          min-height: 100%;
        }
        main {
          grid-template-columns: minmax(0, 1fr);
        }
        aside {
          width: auto;
        }
      }
    `,
  ];

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
      <div>${lane?.unsettled.map((money) => this.#strip(money))} ${lane === null ? nothing : this.#footer(lane)}</div>
    </div>`;
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
        <h1 data-testid="sentence">${what}</h1>
        ${'amountMinor' in state ? html`<div class="amount" data-testid="amount">${formatMoney(this.language, state)}</div>` : nothing}
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
    const what = money.needsPerson ? unsettled.person(money.orderId) : unsettled[money.intent];
    return html`<div class="strip ${money.needsPerson ? 'person' : ''}" role="status" data-testid="unsettled">${icon('warning')}<span>${formatMoney(this.language, money)} ${what}</span></div>`;
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
