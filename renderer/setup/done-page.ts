import { html, LitElement, nothing, type TemplateResult, unsafeCSS } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { Bridge, View } from '../../preload/contract.ts';
import { radioOf } from '../../main/core/domain/beacons.ts';
import { icon } from '../ui/icons.ts';
import { notice } from '../ui/notice.ts';
import { progress } from '../ui/progress.ts';
import { designStyles } from '../ui/styles.ts';
import { type Language } from '../locales/i18n.ts';
import { screenTexts } from '../locales/screens.ts';
import { frameTexts } from '../locales/frame.ts';
import { setupTexts } from '../locales/setup.ts';
import type { Finished, SetupState } from './step-order.ts';
import { startsNotice } from './starts-notice.ts';
import { stepStyles } from './step-page.ts';
import { cannotPrint, hasStickers, printStickers, saveStickers } from './stickers.ts';
import styles from './done-page.css?inline';

type LaneInUse = NonNullable<SetupState['inUse']>['lanes'][number];

/**
 * The lane is in use: its state, its stickers, and the next steps. @fires overview, @fires
 * customers, @fires ways, @fires test, @fires check-in
 */
class DonePage extends LitElement {
  static override styles = [designStyles, stepStyles, unsafeCSS(styles)];

  @property({ attribute: false }) bridge!: Pick<Bridge, 'ask'>;
  @property({ attribute: false }) language!: Language;
  @property({ attribute: false }) lane!: LaneInUse;
  @property({ attribute: false }) finished!: Finished;
  @property({ attribute: false }) starts!: SetupState['starts'];
  /** Host of the wallet service; null when it is simulated. */
  @property({ attribute: false }) host: string | null = null;
  /**
   * Whether this lane has the page for the ways to its customers, which only the ePayment service
   * has.
   */
  @property({ attribute: false }) hasWays = false;
  /** Whether its beacon can be tested. */
  @property({ attribute: false }) testsBeacon = false;
  /** The view of that lane. */
  @property({ attribute: false }) view: View | null = null;
  /** Why the sheet of stickers could not be made, in words. */
  @state() problem: string | null = null;

  protected override firstUpdated(): void {
    this.renderRoot.querySelector<HTMLElement>('h1')?.focus();
  }

  get #state() {
    return this.view?.lane?.laneId === this.lane.laneId ? this.view.lane.state : null;
  }

  get #isReady(): boolean {
    return this.#state !== null && this.#state.kind !== 'notReady';
  }

  protected override render(): TemplateResult {
    const { done, wallet } = setupTexts[this.language];
    const { lane, host } = this;
    const { firstManagerCode } = this.finished;
    const state = this.#state;
    const isReady = this.#isReady;
    return html`<section data-state="done" data-lane=${state?.kind ?? 'opening'}>
      ${icon(isReady ? 'check' : 'busy')}
      <h1 class="title" tabindex="-1" aria-live="polite">${isReady ? done.ready({ lane: lane.name }) : done.opening({ lane: lane.name })}</h1>
      ${isReady ? html`<p class="lead">${done.lead} ${this.starts.with === 'nothing' ? nothing : frameTexts[this.language].starts[this.starts.with]}</p> ${startsNotice(this.language, this.starts)}` : nothing}
      ${
        state?.kind === 'notReady' && state.reason !== 'starting'
          ? html`<div>${notice({ kind: 'warning', title: screenTexts[this.language].notReady[state.reason].what, body: screenTexts[this.language].notReady[state.reason].next })}</div>`
          : isReady
            ? nothing
            : html`<div>${progress({ language: this.language, label: done.connecting({ host: host ?? wallet.simulator }), fraction: null })}</div>`
      }
      ${firstManagerCode === null ? nothing : this.#handOver(firstManagerCode)} ${this.#tested(this.finished)}
      <div class="cards">
        ${hasStickers(lane) ? this.#stickers() : nothing} ${radioOf(lane.beacons) === null ? nothing : this.#device(lane)}
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
        ${
          this.hasWays
            ? html`<button
                  data-testid="ways"
                  @click=${() => this.dispatchEvent(new CustomEvent('ways'))}
                >${icon('phone')} ${frameTexts[this.language].setup.step.ways.name}</button>`
            : nothing
        }
        ${
          host !== null
            ? html`<button
                  data-testid="test"
                  ?disabled=${!isReady}
                  @click=${() => this.dispatchEvent(new CustomEvent('test'))}
                >${icon('coins')} ${setupTexts[this.language].paymentTest.invite}</button>`
            : nothing
        }
        ${
          this.testsBeacon
            ? html`<button
                  data-testid="test-beacon"
                  ?disabled=${!isReady}
                  @click=${() => this.dispatchEvent(new CustomEvent('check-in'))}
                >${icon('nfc')} ${setupTexts[this.language].checkInTest.invite}</button>`
            : nothing
        }
        <button class="quiet" data-testid="to-overview" @click=${() => this.dispatchEvent(new CustomEvent('overview'))}>${icon('settings')} ${done.overview}</button>
      </div>
    </section>`;
  }

  #stickers(): TemplateResult {
    const { done } = setupTexts[this.language];
    const { lane } = this;
    const isReady = this.#isReady;
    return html`<div class="card">
          <div class="stack"><h2 class="heading">${done.stickers}</h2><p class="soft">${done.stickersNote}</p></div>
          ${this.problem === null ? nothing : notice({ kind: 'error', body: this.problem })}
          <div class="row">
            <button data-testid="save-stickers" ?disabled=${!isReady} @click=${() => void this.#save()}>${icon('download')} ${done.save}</button>
            <button data-testid="print-stickers" ?disabled=${!isReady || cannotPrint(lane)} @click=${() => this.#print()}>${icon('printer')} ${done.print}</button>
          </div>
        </div>`;
  }

  /** What to do with the tag or the box of the lane. */
  #device({ beaconId }: LaneInUse): TemplateResult {
    const { device } = setupTexts[this.language].done;
    return html`<div class="card" data-testid="device">
      <div class="stack"><h2 class="heading">${device.title}</h2>${beaconId === undefined ? nothing : html`<p class="soft">${device.note}</p>`}</div>
      ${beaconId === undefined ? notice({ kind: 'warning', body: device.none }) : html`<strong class="mono" data-testid="device-number">${beaconId}</strong>`}
    </div>`;
  }

  /** Lists what the setup has proven, and what is still untested. */
  #tested({ tested, unheard }: Finished): TemplateResult {
    const { done, finish } = setupTexts[this.language];
    const line = (isProven: boolean, says: string): TemplateResult =>
      html`<li class=${isProven ? '' : 'to-check'}>${icon(isProven ? 'check' : 'warning')} ${says}</li>`;
    return html`<div>
      <ul class="tested" aria-label=${done.tested} data-testid="tested">
        ${tested === null ? line(false, done.notTested) : line(true, finish.tested[tested])} ${unheard ? line(false, done.unheard) : nothing}
      </ul>
    </div>`;
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
    const { qr, picture, beacons, pointOfSaleName: name } = this.lane;
    printStickers({ qr, picture, beacons, name }, this.language);
  }
}
customElements.define('tb-setup-done', DonePage);
