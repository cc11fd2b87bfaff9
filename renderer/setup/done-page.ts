import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import type { Bridge, View } from '../../preload/contract.ts';
import { icon } from '../ui/icons.ts';
import { notice } from '../ui/notice.ts';
import { progress } from '../ui/progress.ts';
import { designStyles } from '../ui/styles.ts';
import type { Language } from '../locales/i18n.ts';
import { screenTexts } from '../locales/screens.ts';
import { setupTexts } from '../locales/setup.ts';
import type { SetupState } from './path.ts';
import { stepStyles } from './setup-styles.ts';
import { printStickers, saveStickers } from './stickers.ts';

type Lane = NonNullable<SetupState['inUse']>['lanes'][number];

/** The lane is in use: whether it takes payments already, its stickers, and where to go from here. @fires overview, @fires customers */
class DonePage extends LitElement {
  static override properties = {
    bridge: { attribute: false },
    language: { attribute: false },
    lane: { attribute: false },
    firstManagerCode: { attribute: false },
    view: { attribute: false },
    problem: { state: true },
  };
  static override styles = [
    designStyles,
    stepStyles,
    css`
      section {
        display: flex;
        flex-direction: column;
        align-items: center;
        justify-content: safe center;
        gap: var(--space-5);
        padding: var(--space-6) clamp(16px, 3vw, 48px);
        text-align: center;
        overflow-y: auto;
      }
      section > .icon {
        flex: none;
        font-size: 5.5rem;
        color: var(--good);
      }
      section[data-lane='notReady'] > .icon {
        color: var(--warn);
      }
      section > div {
        width: min(100%, 44rem);
        text-align: start;
      }
      .cards {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr));
        gap: var(--gap);
      }
      .card {
        display: grid;
        align-content: space-between;
        gap: var(--space-4);
      }
      .first {
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 14rem), 1fr));
        align-items: center;
      }
      .code {
        justify-self: center;
        font-size: 2rem;
        white-space: nowrap;
      }
      .row button,
      .row a {
        flex: 1 1 auto;
        white-space: nowrap;
      }
    `,
  ];

  declare bridge: Pick<Bridge, 'ask'>;
  declare language: Language;
  declare lane: Lane;
  /** With which the counter's first manager is made; null: there is one. */
  declare firstManagerCode: string | null;
  /** Of that lane. */
  declare view: View | null;
  /** Why there is no sheet. */
  declare problem: string | null;

  constructor() {
    super();
    this.firstManagerCode = null;
    this.view = null;
    this.problem = null;
  }

  protected override firstUpdated(): void {
    this.renderRoot.querySelector<HTMLElement>('h1')?.focus();
  }

  protected override render(): TemplateResult {
    const { done } = setupTexts[this.language];
    const { lane } = this;
    const state = this.view?.lane?.laneId === lane.laneId ? this.view.lane.state : null;
    const isReady = state !== null && state.kind !== 'notReady';
    const hasQr = lane.qr !== null;
    return html`<section data-state="done" data-lane=${state?.kind ?? 'opening'}>
      ${icon(isReady ? 'check' : 'busy')}
      <h1 class="title" tabindex="-1" aria-live="polite">${isReady ? done.ready({ lane: lane.name }) : done.opening({ lane: lane.name })}</h1>
      ${isReady ? html`<p class="lead">${done.readyLead}</p>` : nothing}
      ${
        state?.kind === 'notReady' && state.reason !== 'starting'
          ? html`<div>${notice({ kind: 'warning', title: screenTexts[this.language].notReady[state.reason].what, body: screenTexts[this.language].notReady[state.reason].next })}</div>`
          : isReady
            ? nothing
            : html`<div>${progress({ language: this.language, label: done.connecting, fraction: null })}</div>`
      }
      ${this.firstManagerCode === null ? nothing : this.#handOver(this.firstManagerCode)}
      <div class="cards">
        <div class="card">
          <div class="stack"><h2 class="heading">${done.stickers}</h2><p class="soft">${done.stickersNote}</p></div>
          ${this.problem === null ? nothing : notice({ kind: 'error', body: this.problem })}
          <div class="row">
            <button data-testid="save-stickers" ?disabled=${!isReady} @click=${() => void this.#save()}>${icon('download')} ${done.save}</button>
            <button data-testid="print-stickers" ?disabled=${!isReady || !hasQr} @click=${() => this.#print()}>${icon('printer')} ${done.print}</button>
          </div>
        </div>
        <div class="card">
          <div class="stack"><h2 class="heading">${done.screens}</h2><p class="soft">${done.screensNote}</p></div>
          <div class="row">
            <a class="button primary" data-testid="open-cashier" href=${this.#address('cashier')}>${icon('till')} ${done.cashier}</a>
            <a class="button" data-testid="open-customer" href=${this.#address('customer')}>${icon('qr')} ${done.customer}</a>
          </div>
        </div>
      </div>
      <div class="row">
        <button data-testid="customers" @click=${() => this.dispatchEvent(new CustomEvent('customers'))}>${icon('eye')} ${setupTexts[this.language].customers.invite}</button>
        <button class="quiet" data-testid="to-overview" @click=${() => this.dispatchEvent(new CustomEvent('overview'))}>${icon('settings')} ${done.overview}</button>
      </div>
    </section>`;
  }

  #handOver(code: string): TemplateResult {
    const { done } = setupTexts[this.language];
    return html`<div class="card first" data-testid="first-manager">
      <div class="stack"><h2 class="heading">${done.firstManager}</h2><p class="soft">${done.firstManagerNote}</p></div>
      <strong class="mono code" data-testid="first-manager-code">${code}</strong>
    </div>`;
  }

  #address(screen: 'cashier' | 'customer'): string {
    return `../${screen}/index.html?${new URLSearchParams({ lane: this.lane.laneId, lang: this.language }).toString()}`;
  }

  async #save(): Promise<void> {
    this.problem = await saveStickers(this.bridge, this.lane.laneId, this.language);
  }

  #print(): void {
    const { qr, pointOfSaleName: name } = this.lane;
    if (qr !== null) printStickers({ qr, name });
  }
}
customElements.define('tb-setup-done', DonePage);
