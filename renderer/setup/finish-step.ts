import { html, nothing, type PropertyValues, type TemplateResult, unsafeCSS } from 'lit';
import { state } from 'lit/decorators.js';
import type { OutputOf } from '../../preload/procedures.ts';
import type { TillView } from '../../preload/procedures/setup-fields.ts';
import { icon } from '../ui/icons.ts';
import { notice } from '../ui/notice.ts';
import { progress } from '../ui/progress.ts';
import { designStyles } from '../ui/styles.ts';
import { formatMoney, languageNames } from '../locales/i18n.ts';
import { frameTexts } from '../locales/frame.ts';
import { setupTexts, type SetupTexts } from '../locales/setup.ts';
import { pagePart } from '../page-part.ts';
import { currencyOf } from './currency.ts';
import { Polling } from './polling.ts';
import type { Finished, StepId } from './step-order.ts';
import { portName } from './port-name.ts';
import { refusalBody } from './refusal.ts';
import { forgetInput } from './unsaved-input.ts';
import { walletName } from './wallet-name.ts';
import { StepPage, stepStyles } from './step-page.ts';
import { apiAddress } from '../../main/core/domain/api-address.ts';
import { hostPort } from '../../main/core/domain/host-port.ts';
import styles from './finish-step.css?inline';

const addressesShown = 3;
/** Kept long, because each try asks the service what it would change. */
const retryMs = 3_000;
/**
 * How often it is tried again while the payment that was waited for has ended, and its money is not
 * confirmed yet.
 */
const maxTriesWhileSettling = 10;

/**
 * A summary, the effects on the point of sale, and the button that puts the lane in use. @fires
 * finished with a Finished, @fires go with a step
 */
class FinishStep extends StepPage<Record<string, never>> {
  static override styles = [designStyles, stepStyles, unsafeCSS(styles)];
  protected readonly step = 'finish';
  /** What the activation would change at the service; null until it has answered. */
  @state() consequences: OutputOf<'consequences'> | null = null;
  /** Name of the lane whose payment has to end first; null when there is none. */
  @state() waitsFor: string | null = null;
  /** False once the installer has chosen not to wait for that payment. */
  #mayWait = false;
  #triesWhileSettling = 0;
  readonly #waiting = new Polling(this, retryMs, () => this.#finish());

  protected filledIn(): Record<string, never> {
    return {};
  }

  protected override firstUpdated(): void {
    this.renderRoot.querySelector<HTMLElement>('h1')?.focus();
    if (this.#isFirstLane) void pagePart(() => import('./this-pc-choice.ts'));
    void this.#look();
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    this.renderRoot.querySelector('[data-testid="waits"]')?.scrollIntoView({ block: 'nearest' });
  }

  async #look(): Promise<void> {
    this.consequences = null;
    this.consequences = await this.asking('consequences', {});
    this.focusNext();
  }

  protected body(): TemplateResult {
    const { finish } = this.words;
    const host = this.#host;
    const looking = host === null ? finish.lookingHere : finish.looking({ host });
    return html`${this.#waits()} ${this.consequences === null ? (this.busy ? this.#progress(looking) : this.#again()) : this.#does(this.consequences)}
      ${this.#isFirstLane ? nothing : html`<p class="soft" data-testid="reopens">${this.words.reopens}</p>`}
      <div class="card">${this.#parts()}</div>
      ${this.#isFirstLane ? html`<tb-setup-this-pc .bridge=${this.bridge} .language=${this.language}></tb-setup-this-pc>` : nothing}`;
  }

  /**
   * With the first lane, setup also chooses the windows that the app opens; afterwards the
   * manager's page does.
   */
  get #isFirstLane(): boolean {
    return this.lanes.length === 0;
  }

  /** Host of the wallet service; null when it is simulated. */
  get #host(): string | null {
    return walletName(this.draft?.wallet)?.host ?? null;
  }

  #progress(label: string): TemplateResult {
    return progress({ language: this.language, label, fraction: null });
  }

  /** Shows which lane's payment, or which service, the activation is waiting for. */
  #waits(): TemplateResult | typeof nothing {
    const { finish } = this.words;
    if (this.waitsFor !== null) {
      return html`<div data-testid="waits">
        ${notice({
          kind: 'info',
          title: finish.waiting({ lane: this.waitsFor }),
          body: finish.waitingNext,
          actions: html`<button data-testid="stop-waiting" @click=${() => this.#stopWaiting()}>${finish.stopWaiting}</button>`,
        })}
      </div>`;
    }
    if (!this.busy || this.consequences === null) return nothing;
    const host = this.#host;
    return html`<div data-testid="waits">${this.#progress(host === null ? finish.opening : finish.activating({ host }))}</div>`;
  }

  #stopWaiting(): void {
    this.#mayWait = false;
    this.#waiting.stop();
    this.waitsFor = null;
    this.focusNext();
  }

  #parts(): TemplateResult | typeof nothing {
    const { draft } = this;
    if (draft === null) return nothing;
    const { wallet, store, pointOfSale, till } = draft;
    const { finish, wallet: walletWords, pointOfSale: posWords } = this.words;
    const named = walletName(wallet);
    const storeName = store?.store.name ?? this.consequences?.storeName ?? null;
    return html`${this.#part('language', 'globe', languageNames[draft.language ?? this.language], '')}
    ${this.#part('wallet', 'key', named?.host ?? walletWords.simulator, named?.account ?? walletWords.simulatorNote)}
    ${wallet?.kind === 'service' && store !== null ? this.#part('store', 'store', storeName ?? store.merchantVat, storeName === null ? '' : store.merchantVat) : nothing}
    ${
      pointOfSale === null
        ? nothing
        : this.#part(
            'pointOfSale',
            'qr',
            pointOfSale.name,
            [
              pointOfSale.merchantPosId,
              ...(wallet?.kind === 'epayment'
                ? []
                : [
                    ...pointOfSale.beaconTypes.map((type) => posWords.type[type].title),
                    pointOfSale.beaconId,
                  ]),
            ]
              .filter(Boolean)
              .join(' · '),
          )
    }
    ${till === null ? nothing : this.#part('till', 'till', whereOf(till, this.words.till), this.#aboutTill(till), draft.unheard)}
    ${this.#part('test', 'coins', draft.tested === null ? finish.notTested : finish.tested[draft.tested], '', draft.tested === null)}`;
  }

  #aboutTill(till: TillView): string {
    const { till: words } = this.words;
    if (till.transport === 'http')
      return [
        this.draft?.unheard === true && this.words.finish.unheard,
        words.protocols[till.nexo === null ? 'api' : 'nexo'],
        till.nexo?.poiId,
      ]
        .filter(Boolean)
        .join(' · ');
    const { noRefunds, refundsUpTo, withPassword } = setupTexts[this.language].security.summary;
    const { refunds, hasPassword } = till;
    return [
      this.draft?.unheard === true && this.words.finish.unheard,
      words.protocols[till.protocol],
      till.transport === 'serial' ? words.baud({ rate: till.baudRate }) : words.tcp,
      till.transport === 'tcp' &&
        [
          ...till.from.slice(0, addressesShown),
          ...(till.from.length > addressesShown ? ['…'] : []),
        ].join(', '),
      till.profile !== null && words.profiles[till.profile],
      hasPassword && withPassword,
      refunds === false && noRefunds,
      typeof refunds === 'number' &&
        refundsUpTo({
          amount: formatMoney(this.language, {
            amountMinor: refunds,
            currency: currencyOf(this.draft),
          }),
        }),
    ]
      .filter(Boolean)
      .join(' · ');
  }

  /**
   * @param isToCheck whether this part was not proven, e.g. a till from which nothing was received
   */
  #part(
    id: StepId,
    name: Parameters<typeof icon>[0],
    title: string,
    note: string,
    isToCheck = false,
  ): TemplateResult {
    const { change } = this.words;
    const { step } = frameTexts[this.language].setup;
    return html`<div class=${isToCheck ? 'part to-check' : 'part'} data-testid="part-${id}">
      ${icon(isToCheck ? 'warning' : name)}
      <span class="words"><span class="soft small">${step[id].name}</span><strong>${title}</strong>${note === '' ? nothing : html`<span class="soft small">${note}</span>`}</span>
      <button
        class="icon-only"
        aria-label=${change({ what: step[id].name })}
        data-testid="change-${id}"
        @click=${() => this.dispatchEvent(new CustomEvent('go', { detail: id }))}
      >${icon('edit')}</button>
    </div>`;
  }

  #again(): TemplateResult {
    return html`<div class="row"><button data-testid="look-again" @click=${() => void this.#look()}>${icon('history')} ${this.words.finish.again}</button></div>`;
  }

  #does(told: OutputOf<'consequences'>): TemplateResult {
    const { finish } = this.words;
    if (told.beaconTakenBy !== null)
      return notice({
        kind: 'error',
        title: finish.beaconTaken({ by: told.beaconTakenBy }),
        body: finish.beaconTakenNext,
        actions: html`<button
          data-testid="other-beacon"
          @click=${() => this.dispatchEvent(new CustomEvent('go', { detail: 'pointOfSale' }))}
        >${frameTexts[this.language].setup.step.pointOfSale.name}</button>`,
      });
    if (told.pointOfSale === 'none') return notice({ kind: 'info', body: finish.nothing });
    if (told.pointOfSale === 'same') return notice({ kind: 'success', body: finish.same });
    if (told.pointOfSale === 'new')
      return notice({
        kind: 'info',
        body: this.draft?.wallet?.kind === 'simulator' ? finish.demonstration : finish.new,
      });
    return html`<div class="stack" data-testid="recreate">
      ${notice({
        kind: 'warning',
        title: finish.recreate,
        body: html`${finish.recreateBody}
          <ul>
            ${told.differences.map(({ field, now, wanted }) => html`<li>${finish.difference({ field: finish.field[field], now: now ?? finish.none, wanted: wanted ?? finish.none })}</li>`)}
            ${told.newSticker ? html`<li><strong>${finish.newSticker}</strong></li>` : nothing} ${told.checkInsLost ? html`<li>${finish.checkInsLost}</li>` : nothing}
            ${told.abandoned > 0 ? html`<li>${finish.abandoned({ count: told.abandoned })}</li>` : nothing}
          </ul>
          ${
            told.newSticker && told.presentBeaconId !== null
              ? html`<button data-testid="keep-beacon" @click=${() => void this.#keepBeacon(told.presentBeaconId)}>${icon('qr')} ${finish.keepBeacon}</button>`
              : nothing
          }`,
      })}
      ${
        told.reservations > 0
          ? html`<div data-testid="reservations">${notice({ kind: 'error', title: finish.reservations({ count: told.reservations }), body: finish.reservationsNext })}</div>
              ${this.#again()}`
          : nothing
      }
    </div>`;
  }

  protected foot() {
    const { finish } = this.words;
    const { consequences } = this;
    const isBlocked =
      consequences !== null &&
      (consequences.beaconTakenBy !== null || consequences.reservations > 0);
    return {
      next: consequences?.pointOfSale === 'recreate' ? finish.recreateNow : finish.putInUse,
      isReady: consequences !== null && !isBlocked,
      isBusy: this.waitsFor !== null,
      onNext: () => {
        this.#mayWait = true;
        this.#triesWhileSettling = 0;
        void this.#finish();
      },
    };
  }

  async #keepBeacon(beaconId: string | null): Promise<void> {
    const kept = this.draft?.pointOfSale;
    if (kept == null) return;
    const answer = await this.bridge.ask('saveDraft', {
      step: 'pointOfSale',
      value: { ...kept, beaconId },
    });
    if (!answer.ok) {
      this.refused = refusalBody(this.language, answer);
      return;
    }
    forgetInput('pointOfSale');
    this.draft = answer.value;
    await this.#look();
  }

  async #finish(): Promise<void> {
    if (this.busy || this.consequences === null) return;
    this.busy = true;
    this.refused = null;
    const answer = await this.bridge.ask('finishSetup', {
      recreate: this.consequences.pointOfSale === 'recreate',
    });
    this.busy = false;
    if (!answer.ok && answer.code === 'busy' && answer.facts['laneId'] !== undefined) {
      if (!this.#mayWait) return;
      this.waitsFor = String(answer.facts['lane'] ?? answer.facts['laneId']);
      return this.#waiting.start();
    }
    const isSettling =
      this.waitsFor !== null &&
      !answer.ok &&
      (answer.code === 'reservations' || answer.code === 'unsettledMoney');
    if (isSettling && this.#triesWhileSettling < maxTriesWhileSettling) {
      this.#triesWhileSettling += 1;
      return;
    }
    this.#waiting.stop();
    this.waitsFor = null;
    if (answer.ok) {
      this.dispatchEvent(new CustomEvent<Finished>('finished', { detail: answer.value }));
      return;
    }
    // The effects may have changed since they were shown, so they are asked for again.
    if (
      answer.code === 'unconfirmed' ||
      answer.code === 'reservations' ||
      answer.code === 'beaconTaken'
    )
      await this.#look();
    if (answer.code !== 'unconfirmed') this.refused = refusalBody(this.language, answer);
  }
}
function whereOf(till: TillView, words: SetupTexts['till']): string {
  if (till.transport === 'serial') return portName(till.path, words);
  return till.transport === 'tcp'
    ? hostPort(till.host, till.port)
    : apiAddress(till.tls !== null, till);
}
customElements.define('tb-finish-step', FinishStep);
