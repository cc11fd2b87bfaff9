import { html, nothing, type PropertyValues, type TemplateResult, unsafeCSS } from 'lit';
import { state } from 'lit/decorators.js';
import {
  formatOf,
  isOfThisMachineAlone,
  isSameLine,
  lineProtocols,
  defaultPorts,
} from '../../preload/procedures/setup-fields.ts';
import { tcpFields } from '../../preload/procedures/setup-till-fields.ts';
import type { AnswerTo, OutputOf } from '../../preload/procedures.ts';
import { maxTillNameLength } from '../../preload/procedures/plain.ts';
import type { Heard, SerialPortShown } from '../../preload/procedures/setup-till.ts';
import { notice } from '../ui/notice.ts';
import { select } from '../ui/select.ts';
import { designStyles } from '../ui/styles.ts';
import { frameTexts } from '../locales/frame.ts';
import { currencyOf } from './currency.ts';
import { receivedNotice, recognised, unheardNotice } from './received-notice.ts';
import { PortListening } from './port-listening.ts';
import { isFirstList, portProblems, portsChoice, transportChoice } from './ports-choice.ts';
import { refusalBody, refusalWords } from './refusal.ts';
import { fieldInputs, fieldProblems } from './setup-field-form.ts';
import { StepPage, stepStyles } from './step-page.ts';
import { tillAdvanced } from './till-advanced.ts';
import {
  apiForm,
  apiOf,
  tillInput,
  formOf,
  lineOf,
  nexoProblems,
  originsProblem,
  securityProblems,
  type TillForm,
  withProtocol,
} from './till-form.ts';
import { tillHttp } from './till-http.ts';
import httpStyles from './till-http.css?inline';
import { securityStyles, tillSecurity } from './till-security.ts';
import { keepSecret, tokenKey, unsavedSecret } from './unsaved-input.ts';

const passphraseKey = 'tillPassphrase';
/** The form field for each field that the daemon names in a refusal. */
const apiFields: Readonly<Record<string, string>> = {
  host: 'apiHost',
  port: 'apiPort',
  certificate: 'certificate',
  key: 'key',
  'nexo.poiId': 'poiId',
};

/** Chooses how the till is connected, and shows what is received from it. */
class TillStep extends StepPage<TillForm> {
  static override styles = [designStyles, stepStyles, securityStyles, unsafeCSS(httpStyles)];
  protected readonly step = 'till';
  /** null until listed. */
  @state() ports: readonly SerialPortShown[] | null = null;
  /** null when the port is not being listened to. */
  @state() heard: Heard | null = null;
  /** Id of the lane that uses this connection already; null when none does. */
  @state() laneUses: string | null = null;
  /** The password as typed. The stored one is never shown. */
  @state() password: string = unsavedSecret(this.step);
  /** The stored settings for tills over HTTP; null until the daemon has answered. */
  @state() api: OutputOf<'tillApi'> | null = null;
  /** The address at which a till over HTTP finds this computer; null until it was checked. */
  @state() apiAddress: string | null = null;
  @state() isCopied = false;
  /** The passphrase of Nexo as typed or generated. The stored one is never shown. */
  @state() passphrase: string = unsavedSecret(passphraseKey);
  /**
   * Whether the question is shown if the installer wants to go on although nothing was received
   * from the till.
   */
  @state() asks = false;
  readonly #port = new PortListening<Heard, Extract<AnswerTo<'listenToTill'>, { ok: false }>>(
    this,
    {
      listen: (isLatest) => this.#listen(isLatest),
      hear: () => this.bridge.ask('tillHeard', {}),
      isStopped: ({ what }) => what === 'stopped',
      stop: () => this.bridge.ask('stopListening', {}),
      forget: () => this.#forgetHeard(),
      heard: (heard) => this.#hear(heard),
      refused: (answer) => {
        if (answer.code === 'laneUses')
          this.laneUses = String(answer.facts['lane'] ?? answer.facts['laneId'] ?? '');
        else this.refused = refusalBody(this.language, answer);
      },
      found: (path) => {
        if (this.form.transport === 'serial') this.#changed({ path });
      },
    },
  );

  protected filledIn(): TillForm {
    return formOf(this.draft?.till ?? null, this.language);
  }

  protected override firstUpdated(): void {
    super.firstUpdated();
    this.#port.list(true);
    void this.#port.listen();
  }

  /** Scrolls the advice into view, and again when the list of ports pushes it down. */
  protected override updated(
    changed: PropertyValues<{
      heard: Heard | null;
      ports: readonly SerialPortShown[] | null;
      asks: boolean;
    }>,
  ): void {
    super.updated(changed);
    const before = changed.get('heard');
    const isNews =
      changed.has('heard') &&
      (before?.what !== this.heard?.what || before?.detail !== this.heard?.detail);
    if (isNews || isFirstList(changed.get('ports')))
      this.renderRoot.querySelector('[data-testid="heard"]')?.scrollIntoView({ block: 'nearest' });
    if (changed.has('asks') && this.asks) {
      this.renderRoot
        .querySelector('[data-testid="unheard"]')
        ?.scrollIntoView({ block: 'nearest' });
      this.renderRoot.querySelector<HTMLElement>('[data-testid="wait"]')?.focus();
    }
  }

  protected body(): TemplateResult {
    return html`${transportChoice(this.language, this.form.transport, (transport) => this.#chosen({ transport }))}
    ${this.#where()} ${this.#listening()} ${this.asks ? this.#unheard() : nothing} ${this.#advanced()} ${this.#security()}`;
  }

  #where(): TemplateResult {
    switch (this.form.transport) {
      case 'serial':
        return this.#serial();
      case 'tcp':
        return this.#tcp();
      case 'http':
        return tillHttp({
          language: this.language,
          form: this.form,
          there: this.api,
          address: this.apiAddress,
          token: unsavedSecret(tokenKey),
          isCopied: this.isCopied,
          passphrase: this.passphrase,
          hasPassphrase: this.#hasPassphrase,
          setPassphrase: (passphrase) => this.#setPassphrase(passphrase),
          busy: this.busy,
          problems: this.problems,
          set: (change, ...mended) => this.set(change, ...mended),
          setApi: (change) => this.#changed(change),
          onMake: () => void this.#makeToken(),
          onCopied: () => (this.isCopied = true),
          onEnter: () => void this.#next(),
        });
    }
  }

  #unheard(): TemplateResult {
    const { language, heard } = this;
    return unheardNotice({
      language,
      heard,
      protocol: this.form.protocol,
      onWait: () => this.#wait(),
      onGo: () => void this.#next({ unheard: true }),
    });
  }

  #wait(): void {
    this.asks = false;
    const wrong = this.form.transport === 'tcp' ? 'port' : 'otherPath';
    void this.updateComplete.then(() => this.focusOn(wrong) || this.focusOn('ports'));
  }

  #serial(): TemplateResult {
    const list = portsChoice({
      language: this.language,
      ports: this.ports,
      form: this.form,
      problems: this.problems,
      lanes: this.lanes,
      isOthers: (port) => this.#isOthers(port),
      onChange: (change) => this.#changed(change),
      onEnter: () => void this.#next(),
    });
    return this.ports === null ? list : html`${list}<div class="two">${this.#protocol()}</div>`;
  }

  #advanced(): TemplateResult | typeof nothing {
    return tillAdvanced({
      language: this.language,
      form: this.form,
      set: (change) => this.set(change),
      setLine: (change) => this.#changed(change),
    });
  }

  #protocol(): TemplateResult {
    const { till } = this.words;
    return select({
      id: 'protocol',
      label: till.protocol,
      hint: till.protocolHint,
      value: this.form.protocol,
      options: lineProtocols.map((protocol) => ({
        value: protocol,
        label: till.protocols[protocol],
      })),
      onChange: (protocol) => this.#chosen(withProtocol(this.form, protocol)),
    });
  }

  #isOthers({ laneId, device }: SerialPortShown): boolean {
    return laneId !== null && (laneId !== this.draft?.laneId || device !== 'till');
  }

  #tcp(): TemplateResult {
    const { form, problems } = this;
    const { fields } = this.words;
    const input = fieldInputs({
      fields: tcpFields,
      form,
      texts: fields,
      problems,
      set: (change) => this.#changed(change),
      onEnter: () => void this.#next(),
    });
    return html`<div class="two">
      ${input('host')} ${input('port', fields.port.hint({ port: String(defaultPorts[form.protocol]) }))}
      ${this.#protocol()}
    </div>`;
  }

  #security(): TemplateResult | typeof nothing {
    return tillSecurity({
      language: this.language,
      form: this.form,
      password: this.password,
      hasPassword:
        this.draft?.till != null &&
        this.draft.till.transport !== 'http' &&
        this.draft.till.hasPassword,
      currency: currencyOf(this.draft),
      problems: this.problems,
      set: (change, ...mended) => this.set(change, ...mended),
      setFrom: (from) => this.#changed({ from }),
      setPassword: (password) => {
        this.password = password;
        keepSecret(this.step, password);
        this.set({}, 'tillPassword');
      },
      onEnter: () => void this.#next(),
    });
  }

  #listening(): TemplateResult | typeof nothing {
    const { till } = this.words;
    if (this.laneUses !== null)
      return html`<div data-testid="heard">${notice({ kind: 'info', body: till.laneHears({ lane: this.laneUses }) })}</div>`;
    return this.heard === null || this.heard.what === 'stopped'
      ? nothing
      : receivedNotice(
          this.language,
          recognised(this.language, this.form, this.heard, (change) => this.#taken(change)),
          this.heard,
        );
  }

  #taken(change: Partial<TillForm>): void {
    if (change.protocol === undefined && change.transport === undefined) this.set(change);
    else this.#changed(change);
    this.focusNext();
  }

  protected foot() {
    return { next: this.words.next, onNext: () => void this.#next() };
  }

  /**
   * Whether something was received from the till, now or for this connection in an earlier visit of
   * this step.
   */
  get #isHeard(): boolean {
    const { draft } = this;
    const line = lineOf(this.form);
    const before =
      draft?.till != null && !draft.unheard && line !== null && isSameLine(draft.till, line);
    return this.heard?.what === this.form.protocol || this.laneUses !== null || before;
  }

  #chosen(change: Partial<TillForm>): void {
    this.choose(change);
    this.#port.again();
  }

  #changed(change: Partial<TillForm>): void {
    this.set(
      change,
      ...Object.keys(change),
      'ports',
      'otherPath',
      'certificate',
      'key',
      'apiHost',
      'apiPort',
    );
    this.#port.again();
  }

  #forgetHeard(): void {
    this.laneUses = null;
    this.apiAddress = null;
    this.asks = false;
  }

  /** Listens at the connection, or for a till over HTTP checks the address of this computer. */
  async #listen(isLatest: () => boolean): Promise<AnswerTo<'listenToTill'> | null> {
    const till = lineOf(this.form);
    if (till !== null) return this.bridge.ask('listenToTill', { till });
    await this.bridge.ask('stopListening', {});
    if (this.form.transport === 'http') {
      if (this.api === null) await this.#askApi();
      await this.#check(isLatest);
    }
    return null;
  }

  async #askApi(): Promise<void> {
    const answer = await this.bridge.ask('tillApi', {});
    if (!answer.ok) return;
    this.api = answer.value;
    if (this.form.apiHost === '') this.set(apiForm(answer.value.api));
    if (this.form.poiId === '') this.set({ poiId: answer.value.poiId });
    if (this.form.tokenName === '')
      this.set({ tokenName: this.draft?.pointOfSale?.name.slice(0, maxTillNameLength) ?? '' });
  }

  async #check(isLatest: () => boolean): Promise<void> {
    const api = apiOf(this.form);
    // Outside this machine a certificate and a key are needed, which are still being typed.
    const isTyping = api === null || (!isOfThisMachineAlone(api.host) && api.tls === null);
    if (isTyping) return;
    const answer = await this.bridge.ask('checkTillApi', api);
    if (!isLatest()) return;
    if (answer.ok) this.apiAddress = answer.value.address;
    else this.#tell(answer);
  }

  /** Shows a refusal at its field without moving the focus. */
  #tell(answer: Parameters<typeof refusalWords>[1]): void {
    const id = apiFields[answer.field ?? ''];
    const words = refusalWords(this.language, answer);
    if (id === undefined) this.refused = refusalBody(this.language, answer);
    else this.problems = { ...this.problems, [id]: words };
  }

  get #hasPassphrase(): boolean {
    const till = this.draft?.till;
    return till?.transport === 'http' && till.nexo?.key?.hasPassphrase === true;
  }

  #setPassphrase(passphrase: string): void {
    this.passphrase = passphrase;
    this.isCopied = false;
    keepSecret(passphraseKey, passphrase);
    this.set({}, 'passphrase');
  }

  async #makeToken(): Promise<void> {
    const { newManager } = frameTexts[this.language];
    const name = this.form.tokenName.trim();
    const isRight = this.check({
      tokenName:
        name === ''
          ? newManager.nameEmpty
          : name.length > maxTillNameLength
            ? newManager.nameTooLong
            : null,
    });
    if (!isRight || this.busy || this.form.tokenScopes.length === 0) return;
    this.busy = true;
    const answer = await this.bridge.ask('makeDraftToken', {
      name,
      scopes: [...this.form.tokenScopes],
    });
    this.busy = false;
    if (!answer.ok) {
      this.refused = refusalBody(this.language, answer);
      return;
    }
    keepSecret(tokenKey, answer.value.token);
    this.isCopied = false;
    await this.#askApi();
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>('[data-testid="copy-new-token"]')?.focus();
  }

  #hear(heard: Heard): void {
    this.#takeOver(heard);
    if (!this.asks || !this.#isHeard) return;
    this.asks = false;
    this.focusNext();
  }

  /**
   * Takes over the detected baud rate, data bits and parity, and the free port that the system has
   * chosen for port 0.
   */
  #takeOver({ what, till }: Heard): void {
    if (what === till.protocol && till.transport === 'serial')
      this.#takeOverLine({ baudRate: till.baudRate, ...formatOf(till) });
    if (till.transport === 'tcp' && this.form.port.trim() === '0' && till.port !== 0)
      this.set({ port: String(till.port) });
  }

  #takeOverLine(line: Pick<TillForm, 'baudRate' | 'dataBits' | 'parity'>): void {
    const { form } = this;
    if (
      line.baudRate !== form.baudRate ||
      line.dataBits !== form.dataBits ||
      line.parity !== form.parity
    )
      this.set(line);
  }

  /** A till over HTTP sends nothing before the test payment, so this step does not wait for it. */
  async #nextOfHttp(): Promise<void> {
    const { form, words } = this;
    if (this.api === null) return;
    const isRight = this.check({
      apiPort: /^\d{1,5}$/.test(form.apiPort.trim()) ? null : words.fields.port.rule,
      origins: originsProblem(form.origins, this.language),
      ...nexoProblems(form, this.passphrase, this.#hasPassphrase, this.language),
    });
    if (!isRight) return;
    const value = tillInput(form, this.passphrase, this.language, Date.now());
    if (value === null) {
      const missing = (path: string): string | null =>
        path.trim() === '' ? words.api.fileMissing : null;
      return void this.check({
        certificate: missing(form.certificate),
        key: missing(form.key),
        apiPort: words.fields.port.rule,
      });
    }
    await this.save(
      { step: 'till', value },
      { ...apiFields, 'tls.certificate': 'certificate', 'tls.key': 'key' },
    );
  }

  /** @param unheard whether the installer goes on although nothing was received from the till */
  async #next({ unheard = false } = {}): Promise<void> {
    if (this.busy) return;
    const { form, words } = this;
    const { transport } = form;
    const isSerial = transport === 'serial';
    if (transport === 'http') return void this.#nextOfHttp();
    const isRight = this.check({
      ...(isSerial && portProblems(form, words.till.portMissing, words)),
      ...(!isSerial && fieldProblems(tcpFields, form, words.fields, () => null)),
      ...securityProblems(form, this.password, this.language),
    });
    if (!isRight) return;
    if (tillInput(form, this.password, this.language, Date.now()) === null)
      return void this.check({ port: words.fields.port.rule });
    if (this.heard === null && this.laneUses === null && !unheard) {
      // The installer was faster than the pause after which the port is opened.
      this.busy = true;
      await this.#port.listen();
      this.busy = false;
    }
    if (!this.#isHeard && !unheard) {
      this.asks = true;
      return;
    }
    // Read again, because the baud rate and the port may have been detected meanwhile.
    const value = tillInput(this.form, this.password, this.language, Date.now());
    if (value === null) return;
    await this.save(
      { step: 'till', value },
      {
        path: 'ports',
        port: 'port',
        host: 'host',
        password: 'tillPassword',
        from: 'from',
        refunds: 'refundLimit',
      },
    );
  }
}
customElements.define('tb-till-step', TillStep);
