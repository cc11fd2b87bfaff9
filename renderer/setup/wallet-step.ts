import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { isClockToTell } from '../../preload/procedures/plain.ts';
import {
  countries,
  environments,
  epaymentService,
  walletServiceNames,
  walletServices,
} from '../../preload/procedures/setup-fields.ts';
import { choice } from '../ui/choice.ts';
import { field } from '../ui/field.ts';
import { icon } from '../ui/icons.ts';
import { notice } from '../ui/notice.ts';
import { select } from '../ui/select.ts';
import { designStyles } from '../ui/styles.ts';
import { formatDuration } from '../locales/i18n.ts';
import { refusalBody, refusalWords } from './refusal.ts';
import { StepPage, stepStyles } from './step-page.ts';
import { hasKeys, salesUnitInput, salesUnitProblems } from './sales-unit-form.ts';
import {
  addressesOf,
  serviceInput,
  formOf,
  formProblems,
  hasReportingKey,
  hasSecret,
  type WalletForm,
} from './wallet-form.ts';

/**
 * The wallet service, by name or by its addresses, with the credentials, which are tested at once;
 * or the simulator.
 */
class WalletStep extends StepPage<WalletForm> {
  static override styles = [designStyles, stepStyles];
  protected readonly step = 'wallet';
  @state() secret = '';
  @state() reportingKey = '';
  @state() subscriptionKey = '';
  /**
   * Names the sales unit that the tested keys belong to, for the installer to read before going on;
   * null until it is known.
   */
  @state() unit: string | null = null;
  /**
   * Seconds by which this machine's clock is ahead of the service's; null when the difference is
   * not worth a warning.
   */
  @state() clockOff: number | null = null;

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    if (changed.has('clockOff') || changed.has('unit'))
      this.renderRoot.querySelector('.tested')?.scrollIntoView({ block: 'nearest' });
  }

  protected filledIn(): WalletForm {
    return formOf(this.draft?.wallet ?? null);
  }

  protected body(): TemplateResult {
    const { wallet } = this.words;
    return html`${choice({
      id: 'wallet-service',
      legend: wallet.kind,
      value: this.form.service,
      options: [
        { value: 'epayment', title: epaymentService.name, note: wallet.epaymentNote },
        ...walletServiceNames.map((name) => ({
          value: name,
          title: walletServices[name].name,
          note: wallet.known,
        })),
        { value: 'other', title: wallet.service, note: wallet.serviceNote },
        { value: 'simulator', title: wallet.simulator, note: wallet.simulatorNote },
      ],
      onChange: (service) => this.choose({ service }),
    })}
    ${this.form.service === 'simulator' ? nothing : this.form.service === 'epayment' ? this.#salesUnit() : this.#service()}
    ${this.unit === null ? nothing : this.#unit(this.unit)} ${this.clockOff === null ? nothing : this.#clock(this.clockOff)}`;
  }

  #service(): TemplateResult {
    const { wallet } = this.words;
    const isOther = this.form.service === 'other';
    return html`${this.#environment()}
      <div class="two">
        ${
          isOther
            ? html`${this.#text('baseUrl', { hint: wallet.baseUrlHint, inputMode: 'url' })} ${this.#text('authUrl', { hint: wallet.authUrlHint, inputMode: 'url' })}`
            : nothing
        }
        ${this.#text('clientId', isOther ? {} : { hint: new URL(addressesOf(this.form).baseUrl).host })}
        ${this.#secret('clientSecret', hasSecret(this.form, this.#kept))}
      </div>
      <details>
        <summary>${icon('down')} ${this.words.more}</summary>
        <div class="two">
          ${select({
            id: 'tokenFor',
            label: wallet.tokenFor,
            value: this.form.tokenFor,
            hint: wallet.tokenForHint,
            options: [
              { value: 'merchant', label: wallet.forMerchant },
              { value: 'integrator', label: wallet.forIntegrator },
            ],
            onChange: (tokenFor) => this.set({ tokenFor }),
          })}
          ${
            isOther
              ? select({
                  id: 'profile',
                  label: wallet.profile,
                  value: this.form.profile,
                  hint: wallet.profileHint,
                  options: [
                    { value: 'generic', label: wallet.profiles.generic },
                    { value: 'mobilepay', label: wallet.profiles.mobilepay },
                  ],
                  onChange: (profile) => this.set({ profile }),
                })
              : nothing
          }
          ${field({
            id: 'reportingKey',
            label: wallet.reportingKey,
            type: 'password',
            language: this.language,
            value: this.reportingKey,
            hint: hasReportingKey(this.form, this.draft?.wallet ?? null)
              ? wallet.secretKept
              : wallet.reportingKeyHint,
            problem: this.problems['reportingKey'] ?? null,
            onEnter: () => this.#enter(),
            onInput: (text) => {
              this.reportingKey = text;
              this.set({}, 'reportingKey');
            },
          })}
          ${isOther ? this.#text('reportingUrl', { hint: wallet.reportingUrlHint, inputMode: 'url' }) : nothing}
        </div>
      </details>`;
  }

  /** The fields for the keys of a sales unit of the ePayment service. */
  #salesUnit(): TemplateResult {
    const { wallet } = this.words;
    const isKept = hasKeys(this.form, this.#kept);
    return html`${this.#environment()}
      <div class="two">
        ${this.#text('merchantSerialNumber', { hint: wallet.msnHint, inputMode: 'numeric' })}
        ${select({
          id: 'country',
          label: wallet.country,
          hint: wallet.countryHint,
          value: this.form.country,
          options: countries.map((country) => ({
            value: country,
            label: wallet.countries[country],
          })),
          onChange: (country) => this.set({ country }),
        })}
        ${this.#text('clientId', {})} ${this.#secret('clientSecret', isKept)} ${this.#secret('subscriptionKey', isKept)}
      </div>`;
  }

  #environment(): TemplateResult {
    const { wallet } = this.words;
    return choice({
      id: 'environment',
      legend: wallet.environment,
      value: this.form.environment,
      options: environments.map((name) => ({
        value: name,
        title: wallet.environments[name],
        note: wallet.environmentNotes[name],
      })),
      onChange: (environment) => this.choose({ environment }),
    });
  }

  /** @param isKept whether the daemon has the secret stored already */
  #secret(id: 'clientSecret' | 'subscriptionKey', isKept: boolean): TemplateResult {
    const { wallet } = this.words;
    return field({
      id,
      label: wallet[id],
      type: 'password',
      language: this.language,
      value: id === 'clientSecret' ? this.secret : this.subscriptionKey,
      hint: isKept ? wallet.secretKept : wallet.secretHint,
      problem: this.problems[id] ?? null,
      onEnter: () => this.#enter(),
      onInput: (text) => {
        if (id === 'clientSecret') this.secret = text;
        else this.subscriptionKey = text;
        this.set({}, id, 'clientId');
      },
    });
  }

  get #kept() {
    return this.draft?.wallet ?? null;
  }

  #unit(title: string): TemplateResult {
    return html`<div class="tested" data-testid="sales-unit">${notice({ kind: 'success', title, body: this.words.wallet.unitNext })}</div>`;
  }

  #text(
    id: 'baseUrl' | 'authUrl' | 'clientId' | 'reportingUrl' | 'merchantSerialNumber',
    more: { hint?: string; inputMode?: 'url' | 'numeric' },
  ): TemplateResult {
    return field({
      id,
      label: this.words.wallet[id],
      value: this.form[id],
      problem: this.problems[id] ?? null,
      onEnter: () => this.#enter(),
      onInput: (text) => this.set({ [id]: text }, id),
      ...more,
    });
  }

  #clock(seconds: number): TemplateResult {
    const { wallet } = this.words;
    const by = formatDuration(this.language, Math.abs(seconds));
    const body = seconds > 0 ? wallet.clockAhead({ by }) : wallet.clockBehind({ by });
    return html`<div class="tested" data-testid="clock-off">${notice({ kind: 'warning', title: wallet.clockTitle, body })}</div>`;
  }

  protected foot() {
    const { wallet, next } = this.words;
    const isTest =
      this.form.service !== 'simulator' && this.clockOff === null && this.unit === null;
    return {
      next: isTest ? (this.busy ? wallet.testing : wallet.test) : next,
      onNext: () => void this.#next(),
      onEnter: () => this.#enter(),
    };
  }

  protected override set(change: Partial<WalletForm>, ...mended: string[]): void {
    super.set(change, ...mended);
    this.clockOff = null;
    this.unit = null;
  }

  /** Id of the first field that must be filled in and is empty. */
  get #missing(): string | null {
    const { service, baseUrl, clientId } = this.form;
    if (service === 'simulator') return null;
    if (service === 'epayment') return this.#missingKey;
    if (service === 'other' && baseUrl.trim() === '') return 'baseUrl';
    if (clientId.trim() === '') return 'clientId';
    return this.secret === '' && !hasSecret(this.form, this.draft?.wallet ?? null)
      ? 'clientSecret'
      : null;
  }

  get #missingKey(): string | null {
    if (this.form.merchantSerialNumber.trim() === '') return 'merchantSerialNumber';
    if (this.form.clientId.trim() === '') return 'clientId';
    if (hasKeys(this.form, this.#kept)) return null;
    if (this.secret === '') return 'clientSecret';
    return this.subscriptionKey === '' ? 'subscriptionKey' : null;
  }

  #enter(): void {
    if (!this.focusOn(this.#missing)) void this.#next();
  }

  async #next(): Promise<void> {
    if (this.busy) return;
    if (this.form.service === 'simulator')
      return this.save({ step: 'wallet', value: { kind: 'simulator' } });
    if (this.form.service === 'epayment') return this.#nextWithUnit();
    const secrets = this.#secrets;
    if (!this.check(formProblems(this.form, secrets, this.draft?.wallet ?? null, this.words)))
      return;
    const value = serviceInput(this.form, secrets);
    if (this.clockOff === null) {
      this.refused = null;
      this.busy = true;
      const answer = await this.bridge.ask('testCredentials', { wallet: value, merchantVat: null });
      this.busy = false;
      if (!answer.ok) return this.#failed(answer);
      const { clockOffSeconds } = answer.value;
      if (isClockToTell(clockOffSeconds)) {
        this.clockOff = clockOffSeconds;
        return;
      }
    }
    await this.save(
      { step: 'wallet', value },
      {
        clientSecret: 'clientSecret',
        baseUrl: 'baseUrl',
        authUrl: 'authUrl',
        reportingUrl: 'reportingUrl',
      },
    );
  }

  get #secrets() {
    return {
      clientSecret: this.secret,
      reportingKey: this.reportingKey,
      subscriptionKey: this.subscriptionKey,
    };
  }

  async #nextWithUnit(): Promise<void> {
    const { wallet } = this.words;
    if (!this.check(salesUnitProblems(this.form, this.#secrets, this.#kept, this.words))) return;
    const isRead = this.unit !== null || this.clockOff !== null;
    const value = salesUnitInput(this.form, this.#secrets, this.#kept);
    if (!isRead) {
      this.refused = null;
      this.busy = true;
      const answer = await this.bridge.ask('testSalesUnit', { wallet: value });
      this.busy = false;
      if (!answer.ok) return this.#failed(answer);
      const { name, country, clockOffSeconds } = answer.value;
      if (country !== null) this.set({ country });
      if (name !== null)
        this.unit = wallet.unit({ name, country: wallet.countries[country ?? this.form.country] });
      if (isClockToTell(clockOffSeconds)) this.clockOff = clockOffSeconds;
      if (this.unit !== null || this.clockOff !== null) return;
    }
    await this.save(
      { step: 'wallet', value },
      { clientSecret: 'clientSecret', subscriptionKey: 'subscriptionKey' },
    );
  }

  /** Shows a failure at its field, or below the form when that field is not shown. */
  #failed(answer: Parameters<typeof refusalWords>[1]): void {
    const at = answer.field?.replace('wallet.', '') ?? '';
    const id = at === 'authUrl' && this.form.authUrl.trim() === '' ? 'baseUrl' : at;
    if (this.renderRoot.querySelector(`#${id || 'none'}`)?.matches('input') === true)
      this.check({ [id]: refusalWords(this.language, answer) });
    else this.refused = refusalBody(this.language, answer);
  }
}
customElements.define('tb-wallet-step', WalletStep);
