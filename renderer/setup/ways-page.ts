import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { beaconIdIn } from '../../preload/procedures/setup-fields.ts';
import type { SerialPortShown } from '../../preload/procedures/setup-till.ts';
import type { CustomerWays, ScannerReport } from '../../preload/procedures/setup-ways.ts';
import type { AnswerTo } from '../../preload/procedures.ts';
import { checkbox } from '../ui/checkbox.ts';
import { choice } from '../ui/choice.ts';
import { field } from '../ui/field.ts';
import { icon } from '../ui/icons.ts';
import { notice } from '../ui/notice.ts';
import { designStyles } from '../ui/styles.ts';
import { waysTexts, type WaysTexts } from '../locales/ways.ts';
import { PortListening } from './port-listening.ts';
import { isFirstList, otherPort } from './ports-choice.ts';
import { refusalBody, refusalWords } from './refusal.ts';
import { StepPage, stepStyles } from './step-page.ts';
import { forgetInput, keepSecret } from './unsaved-input.ts';
import {
  formOf,
  hasSticker,
  hasToken,
  receiverInput,
  receiverProblems,
  scannerInput,
  type WaysForm,
  waysInput,
  waysProblems,
} from './ways-form.ts';
import { scannerPart } from './ways-scanner.ts';

/** The form field for each field that the daemon names in a refusal. */
const fields: Readonly<Record<string, string>> = {
  'ways.sticker': 'sticker',
  'ways.sticker.id': 'stickerId',
  'ways.sticker.beaconId': 'beacon',
  'ways.scanner.path': 'ports',
  'receiver.url': 'receiverUrl',
  'receiver.token': 'token',
  receiver: 'receiverUrl',
  url: 'receiverUrl',
  token: 'token',
  path: 'ports',
};

/**
 * How a lane reaches its customers with the ePayment service, an optional page outside the steps.
 * @fires saved with the settings now in use, @fires back
 */
class WaysPage extends StepPage<WaysForm> {
  static override styles = [designStyles, stepStyles];
  protected readonly step = 'ways';

  /** The settings as the daemon has them stored. */
  @property({ attribute: false }) kept!: CustomerWays;
  /** The token as typed. The stored one is never shown. */
  @state() token = '';
  /** null until listed. */
  @state() ports: readonly SerialPortShown[] | null = null;
  /** null when the scanner's port is not being listened to. */
  @state() heard: ScannerReport | null = null;
  /** Whether this lane itself listens to its scanner already. */
  @state() isUsed = false;
  @state() isTrying = false;
  /** Whether the receiver has accepted this address and token. */
  @state() isTried = false;
  @state() isSaved = false;
  readonly #port = new PortListening<
    ScannerReport,
    Extract<AnswerTo<'listenToScanner'>, { ok: false }>
  >(this, {
    listen: () => this.#listen(),
    hear: () => this.bridge.ask('scannerHeard', {}),
    isStopped: ({ state }) => state === 'stopped',
    stop: () => this.bridge.ask('stopScanner', {}),
    forget: () => (this.isUsed = false),
    refused: (answer) => {
      if (answer.code === 'portUsed' && answer.facts['laneId'] === this.kept.laneId && this.#isOwn)
        this.isUsed = true;
      else this.#tell(answer);
    },
    found: (path) => {
      if (this.#hasScanner) this.#changed({ path });
    },
  });

  protected filledIn(): WaysForm {
    return formOf(this.kept);
  }

  protected override firstUpdated(): void {
    super.firstUpdated();
    this.#look();
  }

  protected override updated(changed: PropertyValues<this>): void {
    super.updated(changed);
    const before = changed.get('heard');
    const isNews =
      changed.has('heard') &&
      (before?.read?.count !== this.heard?.read?.count || before?.detail !== this.heard?.detail);
    if (isNews || isFirstList(changed.get('ports'))) this.#scrollTo('scanner-heard');
    if (changed.has('isTried') && this.isTried) this.#scrollTo('receiver-answers');
    if (changed.has('isSaved') && this.isSaved) this.#scrollTo('saved');
  }

  #scrollTo(id: string): void {
    this.renderRoot.querySelector(`[data-testid="${id}"]`)?.scrollIntoView({ block: 'nearest' });
  }

  private get texts(): WaysTexts {
    return waysTexts[this.language];
  }

  protected body(): TemplateResult {
    const { form, kept, texts } = this;
    const { initiate, prepare } = texts.flows;
    return html`${choice({
      id: 'flow',
      legend: texts.flow({ lane: kept.name }),
      value: form.flow,
      options: [
        { value: 'initiate', ...initiate, picture: icon('qr') },
        { value: 'prepare', ...prepare, picture: icon('phone') },
      ],
      onChange: (flow) => this.#changed({ flow }),
    })}
    ${form.flow === 'prepare' ? this.#named() : nothing} ${hasSticker(form) || kept.receiver !== null ? this.#receiver() : nothing}
    <p class="soft" data-testid="reopens">${this.words.reopens}</p>
    ${this.isSaved ? html`<div data-testid="saved">${notice({ kind: 'success', body: this.words.customers.saved })}</div>` : nothing}`;
  }

  #named(): TemplateResult {
    const { form, texts, language, kept } = this;
    return html`${notice({ kind: 'info', body: texts.approval })}
    ${checkbox({
      id: 'customerTypesNumber',
      label: texts.number,
      hint: texts.numberHint,
      checked: form.customerTypesNumber,
      onChange: (customerTypesNumber) => this.#change({ customerTypesNumber }),
    })}
    ${scannerPart({
      language,
      laneId: kept.laneId,
      lanes: this.lanes,
      form,
      problems: this.problems,
      ports: this.ports,
      heard: this.heard,
      usedBy: this.isUsed ? kept.name : null,
      set: (change) => this.#changed(change),
      onEnter: () => void this.#save(),
    })}
    ${this.#sticker()}`;
  }

  #sticker(): TemplateResult {
    const { form, texts, words, problems } = this;
    const { none, own, printed } = texts.stickers;
    return html`${choice({
      id: 'sticker',
      legend: texts.sticker,
      value: form.sticker,
      problem: problems['sticker'] ?? null,
      options: [
        { value: 'none', ...none },
        { value: 'own', ...own },
        { value: 'printed', ...printed },
      ],
      onChange: (sticker) => this.#change({ sticker }, 'sticker', 'stickerId', 'beacon'),
    })}
    ${
      form.sticker === 'own'
        ? field({
            id: 'stickerId',
            label: texts.stickerId,
            hint: texts.stickerIdHint,
            value: form.stickerId,
            problem: problems['stickerId'] ?? null,
            onInput: (stickerId) => this.#change({ stickerId }, 'stickerId', 'sticker'),
            onEnter: () => void this.#save(),
          })
        : nothing
    }
    ${
      form.sticker === 'printed'
        ? field({
            id: 'beacon',
            label: words.pointOfSale.beacon,
            hint: words.pointOfSale.beaconHint,
            lead: 'qr',
            value: form.beacon,
            problem: problems['beacon'] ?? null,
            onInput: (beacon) => this.#change({ beacon }, 'beacon', 'sticker'),
            // A scanner ends with Enter, which must take over what was read and save nothing yet.
            onEnter: () =>
              this.#change({ beacon: beaconIdIn(form.beacon) ?? form.beacon }, 'beacon'),
          })
        : nothing
    }`;
  }

  #receiver(): TemplateResult {
    const { form, texts, words, problems, language } = this;
    const change = (about: Partial<WaysForm>, ...mended: string[]): void => {
      this.isTried = false;
      this.#change(about, ...mended);
    };
    return html`<div class="stack" role="group" aria-labelledby="receiver-title" aria-describedby="receiver-why">
      <h2 class="heading" id="receiver-title">${texts.receiver}</h2>
      <p class="field-hint" id="receiver-why">${texts.receiverWhy}</p>
      <div class="two">
        ${field({
          id: 'receiverUrl',
          label: texts.receiverUrl,
          hint: words.wallet.baseUrlHint,
          inputMode: 'url',
          value: form.receiverUrl,
          problem: problems['receiverUrl'] ?? null,
          onInput: (receiverUrl) => change({ receiverUrl }, 'receiverUrl', 'token', 'sticker'),
          onEnter: () => void this.#try(),
        })}
        ${field({
          id: 'token',
          type: 'password',
          language,
          label: texts.token,
          hint: hasToken(form, this.kept) ? words.wallet.secretKept : texts.tokenHint,
          value: this.token,
          problem: problems['token'] ?? null,
          onInput: (token) => {
            this.token = token;
            keepSecret(this.step, token);
            change({}, 'token');
          },
          onEnter: () => void this.#try(),
        })}
      </div>
      <div class="row"><button data-testid="try" aria-busy=${this.isTrying} @click=${() => void this.#try()}>${icon('network')} ${texts.try}</button></div>
      ${this.isTried ? html`<div data-testid="receiver-answers">${notice({ kind: 'success', body: texts.answers })}</div>` : nothing}
    </div>`;
  }

  protected foot() {
    return {
      next: this.words.customers.save,
      glyph: 'tick' as const,
      onNext: () => void this.#save(),
    };
  }

  #change(change: Partial<WaysForm>, ...mended: string[]): void {
    this.isSaved = false;
    this.set(change, ...mended);
  }

  /** Applies a change of the scanner's connection, which is then listened to anew. */
  #changed(change: Partial<WaysForm>): void {
    this.#change(change, ...Object.keys(change), 'ports', 'otherPath');
    this.#look();
  }

  get #hasScanner(): boolean {
    return this.form.flow === 'prepare' && this.form.scanner === 'serial';
  }

  #look(): void {
    this.#port.list(this.#hasScanner);
    this.#port.again();
  }

  async #listen(): Promise<AnswerTo<'listenToScanner'> | null> {
    const { path } = this.form;
    if (this.#hasScanner && path !== null && path !== otherPort)
      return this.bridge.ask('listenToScanner', scannerInput(this.form));
    await this.bridge.ask('stopScanner', {});
    return null;
  }

  /** Whether the chosen port is the one that the lane uses. */
  get #isOwn(): boolean {
    const { ways } = this.kept;
    return ways.flow === 'prepare' && ways.scanner?.path === this.form.path;
  }

  /** Shows a refusal at its field without moving the focus. */
  #tell(answer: Parameters<typeof refusalWords>[1]): void {
    const id = fields[answer.field ?? ''];
    const words = refusalWords(this.language, answer);
    if (id === undefined) this.refused = refusalBody(this.language, answer);
    else this.check({ [id]: words });
  }

  async #try(): Promise<void> {
    const { form, token, kept, language } = this;
    if (this.isTrying || !this.check(receiverProblems(form, token, kept, language))) return;
    this.isTrying = true;
    this.isTried = false;
    this.refused = null;
    const answer = await this.bridge.ask('tryReceiver', receiverInput(form, token));
    this.isTrying = false;
    // Another address or token was typed while the receiver answered.
    if (form.receiverUrl !== this.form.receiverUrl || token !== this.token) return;
    if (answer.ok) this.isTried = true;
    else this.#tell(answer);
  }

  async #save(): Promise<void> {
    const { form, token, kept, language } = this;
    if (this.busy || !this.check(waysProblems(form, token, kept, language))) return;
    this.busy = true;
    this.refused = null;
    const receiver = form.receiverUrl.trim() === '' ? null : receiverInput(form, token);
    const answer = await this.bridge.ask('changeCustomerWays', {
      laneId: kept.laneId,
      ways: waysInput(form),
      receiver,
    });
    this.busy = false;
    if (answer.ok) this.#saved(answer.value);
    else this.#tell(answer);
  }

  /** The page stays open after saving and shows what the lane's scanner reads. */
  #saved(kept: CustomerWays): void {
    this.kept = kept;
    this.form = formOf(kept);
    this.token = '';
    forgetInput(this.step);
    this.isSaved = true;
    this.dispatchEvent(new CustomEvent<CustomerWays>('saved', { detail: kept }));
    this.#look();
  }
}
customElements.define('tb-setup-ways', WaysPage);
