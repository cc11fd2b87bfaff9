import { html, nothing, type TemplateResult, unsafeCSS } from 'lit';
import { state } from 'lit/decorators.js';
import { radioOf } from '../../main/core/domain/beacons.ts';
import type { PresentPointOfSale } from '../../preload/procedures/setup-service.ts';
import { beaconIdIn } from '../../preload/procedures/setup-fields.ts';
import { choice, choices } from '../ui/choice.ts';
import { field } from '../ui/field.ts';
import { icon } from '../ui/icons.ts';
import { notice } from '../ui/notice.ts';
import { designStyles } from '../ui/styles.ts';
import { KeyPace } from '../ui/key-pace.ts';
import { beaconPicture, beaconTypes } from './beacon-pictures.ts';
import { advancedLaneSettings } from './advanced-lane-settings.ts';
import {
  adopted,
  pointOfSaleInput,
  blankForm,
  declaredFields,
  formProblems,
  maxNameLength,
  numberIn,
  type PointOfSaleForm,
  suggestedId,
  textProblem,
} from './point-of-sale-form.ts';
import { hasTexts } from '../locales/catalogue.ts';
import { setupTexts } from '../locales/setup.ts';
import { fieldInputs } from './setup-field-form.ts';
import { laneName } from './step-order.ts';
import { StepPage, stepStyles } from './step-page.ts';
import styles from './point-of-sale-step.css?inline';

/** A pause in typing after which the service is asked. */
const pauseMs = 400;
const fields = {
  ...Object.fromEntries(Object.keys(declaredFields).map((name) => [name, name])),
  merchantPosId: 'merchantPosId',
  name: 'posName',
  beaconTypes: 'beaconTypes',
  beaconId: 'beacon',
  callbackAlias: 'callbackAlias',
};

/** The point of sale: an existing one of the service, or a new one. */
class PointOfSaleStep extends StepPage<PointOfSaleForm> {
  static override styles = [designStyles, stepStyles, unsafeCSS(styles)];
  protected readonly step = 'pointOfSale';
  /** The points of sale that the store has. */
  @state() ofStore: readonly PresentPointOfSale[] = [];
  @state() sameNumber: PresentPointOfSale | null = null;
  @state() sameBeacon: PresentPointOfSale | null = null;
  readonly #pace = new KeyPace();
  #pause: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    // In the capture phase, because a scanner ends with Enter, which would otherwise lead to the
    // next step.
    this.addEventListener('keydown', (event) => this.#onKey(event), { capture: true });
  }

  protected filledIn(): PointOfSaleForm {
    return blankForm(this.draft);
  }

  override disconnectedCallback(): void {
    clearTimeout(this.#pause);
    super.disconnectedCallback();
  }

  protected override firstUpdated(): void {
    super.firstUpdated();
    if (this.form.merchantPosId === '') this.#suggest(this.#ofOtherLanes);
    void this.#lookAtStore();
  }

  async #lookAtStore(): Promise<void> {
    const suggestion = this.form.merchantPosId;
    const answer = await this.bridge.ask('findPointsOfSale', { by: 'store' });
    // A new point of sale can be created without this list, so a refusal is not shown here.
    if (!answer.ok) return;
    this.ofStore = answer.value.pointsOfSale;
    const taken = [
      ...this.#ofOtherLanes,
      ...this.ofStore.map(({ merchantPosId }) => merchantPosId),
    ];
    if (
      this.draft?.pointOfSale == null &&
      suggestion === this.form.merchantPosId &&
      taken.includes(suggestion)
    )
      this.#suggest(taken);
    const present = this.ofStore.find(
      ({ merchantPosId }) => merchantPosId === this.form.merchantPosId,
    );
    if (this.form.callbackAlias === null && present?.callbackAlias != null)
      this.set({ callbackAlias: present.callbackAlias });
    this.#look();
  }

  get #ofOtherLanes(): readonly string[] {
    return this.lanes
      .filter(({ laneId }) => laneId !== this.draft?.laneId)
      .map(({ merchantPosId }) => merchantPosId);
  }

  /** Suggests a free number, and a name for it unless one was typed. */
  #suggest(taken: readonly string[]): void {
    const { pointOfSale: texts } =
      setupTexts[
        this.draft?.language && hasTexts(this.draft.language) ? this.draft.language : this.language
      ];
    const nameFor = (id: string): string => texts.suggestedName({ number: numberIn(id) });
    const merchantPosId = suggestedId(this.draft, taken);
    const isTyped = this.form.name !== '' && this.form.name !== nameFor(this.form.merchantPosId);
    this.set({ merchantPosId, ...(!isTyped && { name: nameFor(merchantPosId) }) });
  }

  protected body(): TemplateResult {
    const { pointOfSale: texts } = this.words;
    const isEpayment = this.draft?.wallet?.kind === 'epayment';
    return html`${this.ofStore.length === 0 ? nothing : this.#existing()}
      <div class="two">
        ${field({
          id: 'merchantPosId',
          label: texts.number,
          hint: texts.numberHint,
          value: this.form.merchantPosId,
          problem: this.problems['merchantPosId'] ?? null,
          onEnter: () => void this.#next(),
          onInput: (text) =>
            this.#typed('merchantPosId', text, 'merchantPosId', texts.numberMissing),
        })}
        ${field({
          id: 'posName',
          label: texts.name,
          hint: texts.nameHint,
          suffix: `${this.form.name.trim().length}/${maxNameLength}`,
          value: this.form.name,
          problem: this.problems['posName'] ?? null,
          onEnter: () => void this.#next(),
          onInput: (text) => this.#typed('name', text, 'posName', texts.nameMissing),
        })}
      </div>
      ${this.sameNumber === null ? nothing : this.#isThere(this.sameNumber, texts.numberIsThere)} ${isEpayment ? nothing : this.#beacons()} ${this.#more()}`;
  }

  /**
   * The beacons by which a phone finds the point of sale. The ePayment service has none: there each
   * payment has its own code.
   */
  #beacons(): TemplateResult {
    const { pointOfSale: texts } = this.words;
    return html`${choices({
      id: 'beaconTypes',
      legend: texts.types,
      hint: texts.typesHint,
      values: this.form.beaconTypes,
      problem: this.problems['beaconTypes'] ?? null,
      options: beaconTypes.map((type) => ({
        value: type,
        title: texts.type[type].title,
        note: texts.type[type].note,
        picture: beaconPicture(type),
      })),
      onChange: (values) => this.set({ beaconTypes: values }, 'beaconTypes'),
    })}
      ${choice({
        id: 'beaconFrom',
        legend: texts.beaconFrom,
        value: this.form.beaconFrom,
        options: [
          {
            value: 'service',
            title: texts.fromService,
            note: this.form.beaconTypes.includes('QR')
              ? texts.fromServiceNote
              : texts.fromServiceNoteDevice,
          },
          { value: 'sticker', title: texts.fromSticker, note: texts.fromStickerNote },
        ],
        onChange: (from) => {
          this.set({ beaconFrom: from }, 'beacon');
          this.#look();
        },
      })}
      ${radioOf(this.form.beaconTypes) === null ? nothing : html`<p class="soft" data-testid="beacon-device">${texts.beaconDevice}</p>`}
      ${this.form.beaconFrom === 'sticker' ? this.#sticker() : nothing}
      ${this.#input('requirePaymentBeforeCheckin')}`;
  }

  get #input() {
    return fieldInputs({
      fields: declaredFields,
      form: this.form,
      texts: this.words.fields,
      problems: this.problems,
      set: (change, mended) => this.set(change, mended),
      onEnter: () => void this.#next(),
    });
  }

  #existing(): TemplateResult {
    const { pointOfSale: texts } = this.words;
    const chosen =
      this.ofStore.find(({ merchantPosId }) => merchantPosId === this.form.merchantPosId)?.posId ??
      'new';
    return choice({
      id: 'pos',
      legend: texts.which,
      value: chosen,
      options: [
        { value: 'new', title: texts.new, note: texts.newNote, picture: icon('plus') },
        ...this.ofStore.map((pos) => ({
          value: pos.posId,
          title: pos.name,
          note: this.#isOthers(pos)
            ? texts.usedBy({ lane: laneName(this.lanes, pos.laneId) })
            : pos.merchantPosId,
          picture: icon('till'),
          disabled: this.#isOthers(pos),
        })),
      ],
      onChange: (posId) => {
        const found = this.ofStore.find((pos) => pos.posId === posId);
        const taken = this.ofStore.map(({ merchantPosId }) => merchantPosId);
        this.problems = {};
        if (found !== undefined) this.set(adopted(found));
        else {
          this.set({ beaconFrom: 'service', beacon: '', callbackAlias: null });
          this.#suggest(taken);
        }
        this.#look();
      },
    });
  }

  #isOthers({ laneId }: PresentPointOfSale): boolean {
    return laneId !== null && laneId !== this.draft?.laneId;
  }

  /**
   * Another point of sale at the service has this number or beacon, and the installer decides
   * whether to use that one.
   */
  #isThere(
    pos: PresentPointOfSale,
    title: (values: { readonly which: string }) => string,
  ): TemplateResult | typeof nothing {
    const { pointOfSale: texts } = this.words;
    const { merchantPosId, name, beaconId } = pos;
    const isSame =
      merchantPosId === this.form.merchantPosId.trim() &&
      name === this.form.name &&
      (beaconId === null || beaconId === beaconIdIn(this.form.beacon));
    const isOwn = pos.laneId !== null && pos.laneId === this.draft?.laneId;
    if (isSame || isOwn || this.#isOthers(pos)) return nothing;
    return html`<div data-testid="is-there">
      ${notice({
        kind: 'info',
        title: title({ which: `${name} (${merchantPosId})` }),
        body: texts.isThereBody,
        actions: html`<button data-testid="adopt" @click=${() => this.#adopt(pos)}>${texts.adopt}</button>`,
      })}
    </div>`;
  }

  #adopt(pos: PresentPointOfSale): void {
    this.problems = {};
    this.set(adopted(pos));
    this.#look();
  }

  #sticker(): TemplateResult {
    const { pointOfSale: texts } = this.words;
    const beaconId = beaconIdIn(this.form.beacon);
    return html`${field({
      id: 'beacon',
      label: this.form.beaconTypes.includes('QR') ? texts.beacon : texts.beaconOnDevice,
      hint: texts.beaconHint,
      lead: 'qr',
      value: this.form.beacon,
      problem: this.problems['beacon'] ?? null,
      // A scanner ends with Enter, which must take over the beacon and not lead to the next step.
      onEnter: () => this.#tookBeacon(),
      onInput: (beacon) => {
        this.set({ beacon }, 'beacon');
        this.#look();
      },
    })}
    ${beaconId === null || beaconId === this.form.beacon.trim() ? nothing : html`<p class="soft" data-testid="beacon-read">${texts.beaconRead} <span class="mono">${beaconId}</span></p>`}
    ${this.sameBeacon === null ? nothing : this.#isThere(this.sameBeacon, texts.beaconIsThere)}`;
  }

  #more(): TemplateResult {
    const { form, problems, words } = this;
    const isEpayment = this.draft?.wallet?.kind === 'epayment';
    return advancedLaneSettings({
      form,
      isEpayment,
      problems,
      words,
      set: (change, ...mended) => this.set(change, ...mended),
      onEnter: () => void this.#next(),
    });
  }

  protected foot() {
    return { next: this.words.next, onNext: () => void this.#next() };
  }

  #typed(key: 'merchantPosId' | 'name', text: string, id: string, empty: string): void {
    this.set({ [key]: text }, id);
    const problem = textProblem(text, empty, this.words);
    if (problem !== null) this.problems = { ...this.problems, [id]: problem };
    this.#look();
  }

  #tookBeacon(): void {
    const beaconId = beaconIdIn(this.form.beacon);
    const { pointOfSale: texts } = this.words;
    if (beaconId === null)
      this.check({
        beacon: this.form.beacon.trim() === '' ? texts.beaconMissing : texts.beaconRule,
      });
    else this.set({ beacon: beaconId }, 'beacon');
    this.#look();
  }

  /** Asks the service whether another point of sale has this number or beacon already. */
  #look(): void {
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => void this.#lookNow(), pauseMs);
  }

  get #lookedFor(): { readonly merchantPosId: string; readonly beaconId: string | null } {
    const { merchantPosId, beaconFrom, beacon } = this.form;
    return {
      merchantPosId: merchantPosId.trim(),
      beaconId: beaconFrom === 'sticker' ? beaconIdIn(beacon) : null,
    };
  }

  async #lookNow(): Promise<void> {
    const { merchantPosId, beaconId } = this.#lookedFor;
    const number =
      textProblem(merchantPosId, '', this.words) === null && merchantPosId !== ''
        ? await this.bridge.ask('findPointsOfSale', { by: 'merchantPosId', merchantPosId })
        : null;
    const beacon =
      beaconId === null
        ? null
        : await this.bridge.ask('findPointsOfSale', { by: 'beaconId', beaconId });
    if (merchantPosId !== this.#lookedFor.merchantPosId || beaconId !== this.#lookedFor.beaconId)
      return;
    this.sameNumber = (number?.ok === true && number.value.pointsOfSale[0]) || null;
    this.sameBeacon = (beacon?.ok === true && beacon.value.pointsOfSale[0]) || null;
  }

  /**
   * A scanner types into the element that has the focus. What it types into a text field stays
   * there.
   */
  #onKey(event: KeyboardEvent): void {
    const at = event.composedPath()[0];
    if (at instanceof HTMLInputElement && at.type !== 'radio' && at.type !== 'checkbox') return;
    const text = this.#pace.press(event, { mode: 'whole' }) === 'judged' ? this.#pace.take() : null;
    const beacon = text === null ? null : beaconIdIn(text);
    if (beacon === null) return;
    event.preventDefault();
    this.set({ beaconFrom: 'sticker', beacon }, 'beacon');
    this.#look();
  }

  async #next(): Promise<void> {
    if (this.busy || !this.check(formProblems(this.form, this.words))) return;
    await this.save({ step: 'pointOfSale', value: pointOfSaleInput(this.form) }, fields);
  }
}
customElements.define('tb-point-of-sale-step', PointOfSaleStep);
