import { html, LitElement, nothing, type TemplateResult, unsafeCSS } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { Bridge } from '../../preload/contract.ts';
import { choice } from '../ui/choice.ts';
import { dialog } from '../ui/dialog.ts';
import { icon } from '../ui/icons.ts';
import { notice } from '../ui/notice.ts';
import { designStyles } from '../ui/styles.ts';
import { Toasts } from '../ui/toast.ts';
import type { Language } from '../locales/i18n.ts';
import { screenTexts } from '../locales/screens.ts';
import { frameTexts } from '../locales/frame.ts';
import { setupTexts } from '../locales/setup.ts';
import { saveFile } from '../save-file.ts';
import { testsBeacon, walletName } from './wallet-name.ts';
import type { SetupState, StepId } from './step-order.ts';
import { tillName } from './port-name.ts';
import { refusalBody, refusalWords } from './refusal.ts';
import { startsNotice } from './starts-notice.ts';
import { stepStyles } from './step-page.ts';
import { cannotPrint, hasStickers, printStickers, saveStickers } from './stickers.ts';
import styles from './overview.css?inline';

type InUse = NonNullable<SetupState['inUse']>;
type LaneInUse = InUse['lanes'][number];
type Left = SetupState['leftBehind'][number];

/** An action that the overview asks the setup screen for. */
export type OverviewAction =
  /** `step` has the setting that is to be changed; null opens the review of all. */
  | { readonly kind: 'begin'; readonly laneId: string | null; readonly step: StepId | null }
  | { readonly kind: 'test' | 'checkInTest' | 'ways'; readonly laneId: string }
  | { readonly kind: 'import' | 'resume' | 'discard' | 'customers' }
  | { readonly kind: 'changed' };

/**
 * A counter that is set up: its lanes, and the actions for each. @fires action with an
 * OverviewAction
 */
class Overview extends LitElement {
  static override styles = [designStyles, stepStyles, unsafeCSS(styles)];

  @property({ attribute: false }) bridge!: Pick<Bridge, 'ask'>;
  @property({ attribute: false }) language!: Language;
  @property({ attribute: false }) state!: SetupState & { readonly inUse: InUse };
  @state() removing: LaneInUse | null = null;
  /** Whether the point of sale of the lane that is being removed is deleted at the service too. */
  @state() deletesPointOfSale = true;
  /** Why a point of sale was not deleted, in words, by its number. */
  @state() notDeleted: Readonly<Record<string, string>> = {};
  @state() problem: string | TemplateResult | null = null;
  @state() busy = false;
  readonly #toasts = new Toasts(this);

  protected override firstUpdated(): void {
    this.renderRoot.querySelector<HTMLElement>('h1')?.focus();
  }

  protected override render(): TemplateResult {
    const { overview, wallet: walletWords } = setupTexts[this.language];
    const { step } = frameTexts[this.language].setup;
    const { wallet, lanes } = this.state.inUse;
    const named = walletName(wallet);
    return html`<div class="page" data-state="overview">
        <div class="spread">
          <h1 class="title" tabindex="-1">${overview.title}</h1>
          <span class="row">
            <button data-testid="import" @click=${() => this.#act({ kind: 'import' })}>${icon('upload')} ${overview.import}</button>
            <button class="primary" data-testid="add-lane" @click=${() => this.#act({ kind: 'begin', laneId: null, step: null })}>${icon('plus')} ${overview.add}</button>
          </span>
        </div>
        ${this.state.draft === null ? nothing : this.#unfinished(this.state.draft.laneId)}
        ${this.state.leftBehind.map((left) => this.#left(left))}
        ${startsNotice(this.language, this.state.starts)}
        ${this.problem === null ? nothing : notice({ kind: 'error', body: this.problem })}
        <div class="spread">
          <p class="service">
            ${icon(named === null ? 'help' : 'key')}
            <span>
              <strong>${named?.host ?? walletWords.simulator}</strong> <span class="soft">${named?.account ?? walletWords.simulatorNote}</span>
              ${named?.isTest === true ? html`<span class="badge">${screenTexts[this.language].service.test}</span>` : nothing}
            </span>
            ${lanes[0] === undefined ? nothing : this.#edit(lanes[0], 'wallet', step.wallet.name)}
          </p>
          <button data-testid="customers" @click=${() => this.#act({ kind: 'customers' })}>${icon('eye')} ${step.customers.title}</button>
        </div>
        <ul class="lanes">
          ${lanes.map((lane) => this.#lane(lane))}
        </ul>
      </div>
      ${this.removing === null ? nothing : this.#askRemove(this.removing)} ${this.#toasts.render(this.language)}`;
  }

  #unfinished(laneId: string | null): TemplateResult {
    const { overview } = setupTexts[this.language];
    const name = this.state.inUse.lanes.find((lane) => lane.laneId === laneId)?.name ?? null;
    return html`<div data-testid="unfinished">
      ${notice({
        kind: 'info',
        title: name === null ? overview.unfinishedNew : overview.unfinished({ lane: name }),
        actions: html`<button class="primary" data-testid="resume" @click=${() => this.#act({ kind: 'resume' })}>${overview.resume}</button>
          <button data-testid="discard" @click=${() => this.#act({ kind: 'discard' })}>${overview.discard}</button>`,
      })}
    </div>`;
  }

  #lane(lane: LaneInUse): TemplateResult {
    const { overview, pointOfSale, till, finish } = setupTexts[this.language];
    const { laneId, name } = lane;
    const button = (
      id: string,
      glyph: Parameters<typeof icon>[0],
      label: string,
      does: () => void,
      disabled = false,
      kind = '',
    ): TemplateResult =>
      html`<button class=${kind} data-testid=${id} aria-label="${label}: ${name}" ?disabled=${disabled} @click=${does}>${icon(glyph)} ${label}</button>`;
    return html`<li class="card lane" data-testid="lane">
      <div class="spread">
        <h2 class="heading">${name}</h2>
        ${this.state.recreating.includes(laneId) ? html`<span class="badge">${icon('busy')} ${overview.recreating}</span>` : nothing}
        <span class="row">
          ${button('change', 'edit', overview.change, () => this.#act({ kind: 'begin', laneId, step: null }))}
          ${button('export', 'file', overview.export, () => void this.#export(laneId), false, 'quiet')}
          ${button('remove', 'trash', overview.remove, () => this.#askToRemove(lane), false, 'quiet')}
        </span>
      </div>
      <dl class="facts">
        <dt>${finish.field.name}</dt>
        <dd>${lane.pointOfSaleName} ${this.#edit(lane, 'pointOfSale', finish.field.name)}</dd>
        <dt>${pointOfSale.number}</dt>
        <dd>${lane.merchantPosId} ${this.#edit(lane, 'pointOfSale', pointOfSale.number)}</dd>
        <dt>${till.name}</dt>
        <dd><span class="mono">${tillName(lane.till, till)}</span> ${this.#edit(lane, 'till', till.name)}</dd>
      </dl>
      <div class="row">
        ${this.state.inUse.wallet.kind === 'epayment' ? button('ways', 'phone', frameTexts[this.language].setup.step.ways.name, () => this.#act({ kind: 'ways', laneId })) : nothing}
        ${this.state.inUse.wallet.kind !== 'simulator' ? button('test', 'coins', setupTexts[this.language].paymentTest.invite, () => this.#act({ kind: 'test', laneId })) : nothing}
        ${testsBeacon(lane, this.state.inUse.wallet) ? button('test-beacon', 'nfc', setupTexts[this.language].checkInTest.invite, () => this.#act({ kind: 'checkInTest', laneId })) : nothing}
        ${
          hasStickers(lane)
            ? html`${button('save-stickers', 'download', overview.saveStickers, () => void this.#stickers(laneId))}
              ${button('print-stickers', 'printer', overview.printStickers, () => this.#print(lane), cannotPrint({ ...lane, name }))}`
            : nothing
        }
      </div>
    </li>`;
  }

  /** The button beside a setting that opens its step. */
  #edit({ laneId, name }: LaneInUse, step: StepId, what: string): TemplateResult {
    const { change } = setupTexts[this.language];
    const label = step === 'wallet' ? change({ what }) : `${change({ what })}: ${name}`;
    return html`<button class="quiet icon-only" data-testid="edit-${step}" aria-label=${label} @click=${() => this.#act({ kind: 'begin', laneId, step })}>${icon('edit')}</button>`;
  }

  #askToRemove(lane: LaneInUse): void {
    this.deletesPointOfSale = true;
    this.removing = lane;
  }

  /** A point of sale that still exists at the service although its lane was removed. */
  #left({ merchantPosId, name, host }: Left): TemplateResult {
    const { overview } = setupTexts[this.language];
    const why = this.notDeleted[merchantPosId];
    return html`<div data-testid="left-behind">
      ${notice({
        kind: 'warning',
        title: overview.leftBehind({ name, number: merchantPosId, host }),
        body: html`${why === undefined ? nothing : html`<p data-testid="not-deleted">${why}</p>`}${overview.leftBehindBody}`,
        actions: html`<button class="primary" data-testid="delete-left" aria-busy=${this.busy} @click=${() => void this.#delete(merchantPosId)}>${icon('trash')} ${overview.deleteNow}</button>
          <button data-testid="keep-left" @click=${() => void this.#keep(merchantPosId)}>${overview.leaveThere}</button>`,
      })}
    </div>`;
  }

  #pointOfSaleToo(): TemplateResult | typeof nothing {
    const { overview } = setupTexts[this.language];
    // The simulated service has no stickers.
    if (this.state.inUse.wallet.kind !== 'service') return nothing;
    return choice({
      id: 'pointOfSaleToo',
      legend: overview.pointOfSaleToo,
      value: this.deletesPointOfSale ? 'delete' : 'keep',
      options: [
        { value: 'delete', title: overview.deletePos, note: overview.deletePosNote },
        { value: 'keep', title: overview.keepPos, note: overview.keepPosNote },
      ],
      onChange: (value) => (this.deletesPointOfSale = value === 'delete'),
    });
  }

  #askRemove(lane: LaneInUse): TemplateResult {
    const { overview } = setupTexts[this.language];
    const isLast = this.state.inUse.lanes.length === 1;
    const close = (): void => {
      this.removing = null;
    };
    return dialog({
      language: this.language,
      title: overview.removeTitle({ lane: lane.name }),
      onClose: close,
      body: isLast
        ? notice({ kind: 'warning', body: overview.lastLane })
        : html`<div class="stack"><p>${overview.removeBody}</p>${this.#pointOfSaleToo()}</div>`,
      actions: html`<button data-testid="keep" ?autofocus=${!isLast} @click=${close}>${screenTexts[this.language].cancel}</button>
        ${
          isLast
            ? nothing
            : html`<button
                  class="danger"
                  data-testid="remove-now"
                  aria-busy=${this.busy}
                  @click=${() => void this.#remove(lane)}
                >${icon('trash')} ${overview.remove}</button>`
        }`,
    });
  }

  async #stickers(laneId: string): Promise<void> {
    this.problem = await saveStickers(this.bridge, laneId, this.language);
  }

  #print({ qr, picture, beacons, pointOfSaleName: name }: LaneInUse): void {
    printStickers({ qr, picture, beacons, name }, this.language);
  }

  async #export(laneId: string): Promise<void> {
    this.problem = null;
    const offer = await this.bridge.ask('exportLane', { laneId });
    const texts = setupTexts[this.language];
    if (!offer.ok) this.problem = refusalBody(this.language, offer);
    else if ((await saveFile(this.bridge, offer.value)) === 'saved')
      this.#say(texts.overview.exported({ file: offer.value.name }));
    else this.problem = texts.notSaved;
  }

  async #remove({ laneId, name, merchantPosId }: LaneInUse): Promise<void> {
    if (this.busy) return;
    const deletePointOfSale = this.deletesPointOfSale && this.state.inUse.wallet.kind === 'service';
    this.busy = true;
    const answer = await this.bridge.ask('removeLane', { laneId, deletePointOfSale });
    this.busy = false;
    this.problem = answer.ok ? null : refusalBody(this.language, answer);
    if (answer.ok) this.#say(setupTexts[this.language].overview.removed({ lane: name }));
    if (answer.ok && deletePointOfSale) await this.#delete(merchantPosId);
    this.removing = null;
    this.#act({ kind: 'changed' });
  }

  async #delete(merchantPosId: string): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    const answer = await this.bridge.ask('deletePointOfSale', { merchantPosId });
    this.busy = false;
    const { [merchantPosId]: _before, ...others } = this.notDeleted;
    this.notDeleted = answer.ok
      ? others
      : { ...others, [merchantPosId]: refusalWords(this.language, answer) };
    if (answer.ok) this.#say(setupTexts[this.language].overview.posDeleted);
    this.#act({ kind: 'changed' });
  }

  async #keep(merchantPosId: string): Promise<void> {
    const answer = await this.bridge.ask('keepPointOfSale', { merchantPosId });
    this.problem = answer.ok ? null : refusalBody(this.language, answer);
    if (answer.ok) this.#say(setupTexts[this.language].overview.posKept);
    this.#act({ kind: 'changed' });
  }

  #say(text: string): void {
    this.#toasts.show({ kind: 'success', text });
  }

  #act(action: OverviewAction): void {
    this.dispatchEvent(new CustomEvent<OverviewAction>('action', { detail: action }));
  }
}
customElements.define('tb-setup-overview', Overview);
