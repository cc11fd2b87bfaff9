import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { addressProblem } from '../../preload/procedures/setup-fields.ts';
import { checkbox } from '../ui/checkbox.ts';
import { choice } from '../ui/choice.ts';
import { field } from '../ui/field.ts';
import { icon } from '../ui/icons.ts';
import { notice } from '../ui/notice.ts';
import { select } from '../ui/select.ts';
import { designStyles } from '../ui/styles.ts';
import { formatDuration } from '../locales/i18n.ts';
import { refusalWords } from './refusal.ts';
import { StepPage, stepStyles } from './step-page.ts';

interface Form {
  kind: 'service' | 'simulator';
  baseUrl: string;
  /** Empty: as `baseUrl`. */
  authUrl: string;
  clientId: string;
  tokenFor: 'merchant' | 'integrator';
  profile: 'generic' | 'mobilepay';
  reportingUrl: string;
  testService: boolean;
}

/** Beyond this, times on receipts and at the service differ noticeably. */
const clockOffToTellSeconds = 60;

/** The wallet service's address and credentials, tested at once; or the simulator. */
class WalletStep extends StepPage<Form> {
  static override styles = [designStyles, stepStyles];
  protected readonly step = 'wallet';
  @state() secret = '';
  @state() reportingKey = '';
  /** The credentials are right, but this machine's clock is this many seconds ahead. */
  @state() clockOff: number | null = null;

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    if (changed.has('clockOff')) this.renderRoot.querySelector('[data-testid="clock-off"]')?.scrollIntoView({ block: 'nearest' });
  }

  protected filledIn(): Form {
    const wallet = this.draft?.wallet;
    const blank: Form = {
      kind: 'service',
      baseUrl: '',
      authUrl: '',
      clientId: '',
      tokenFor: 'merchant',
      profile: 'generic',
      reportingUrl: '',
      testService: false,
    };
    if (wallet == null) return blank;
    if (wallet.kind === 'simulator') return { ...blank, kind: 'simulator' };
    const { baseUrl, clientId, tokenFor, profile, testService } = wallet;
    return {
      kind: 'service',
      baseUrl,
      authUrl: wallet.authUrl === baseUrl ? '' : wallet.authUrl,
      clientId,
      tokenFor,
      profile,
      reportingUrl: wallet.reportingUrl ?? '',
      testService,
    };
  }

  /** The daemon has the secret of this client already. It sends it to no other address. */
  get #hasSecret(): boolean {
    const wallet = this.draft?.wallet;
    if (wallet?.kind !== 'service' || !wallet.hasSecret) return false;
    const { baseUrl, authUrl, clientId } = this.#typed;
    return wallet.clientId === clientId && wallet.baseUrl === baseUrl && wallet.authUrl === authUrl;
  }

  /** Without an address of its own, the token service is at the service's address. */
  get #typed(): { baseUrl: string; authUrl: string; clientId: string } {
    const { baseUrl, authUrl, clientId } = this.form;
    return { baseUrl: baseUrl.trim(), authUrl: (authUrl.trim() || baseUrl).trim(), clientId: clientId.trim() };
  }

  protected body(): TemplateResult {
    const { wallet } = this.words;
    return html`${choice({
      id: 'wallet-kind',
      legend: wallet.kind,
      value: this.form.kind,
      options: [
        { value: 'service', title: wallet.service, note: wallet.serviceNote, picture: icon('phone') },
        { value: 'simulator', title: wallet.simulator, note: wallet.simulatorNote, picture: icon('help') },
      ],
      onChange: (kind) => this.set({ kind }),
    })}
    ${this.form.kind === 'service' ? this.#service() : nothing} ${this.clockOff === null ? nothing : this.#clock(this.clockOff)}`;
  }

  #service(): TemplateResult {
    const { wallet } = this.words;
    return html`<div class="two">
        ${this.#text('baseUrl', { hint: wallet.baseUrlHint, inputMode: 'url' })} ${this.#text('authUrl', { hint: wallet.authUrlHint, inputMode: 'url' })}
        ${this.#text('clientId', {})}
        ${field({
          id: 'clientSecret',
          label: wallet.clientSecret,
          type: 'password',
          language: this.language,
          value: this.secret,
          hint: this.#hasSecret ? wallet.secretKept : wallet.secretHint,
          problem: this.problems['clientSecret'] ?? null,
          onEnter: () => void this.#next(),
          onInput: (text) => {
            this.secret = text;
            this.set({}, 'clientSecret', 'clientId');
          },
        })}
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
          ${select({
            id: 'profile',
            label: wallet.profile,
            value: this.form.profile,
            hint: wallet.profileHint,
            options: [
              { value: 'generic', label: wallet.profiles.generic },
              { value: 'mobilepay', label: wallet.profiles.mobilepay },
            ],
            onChange: (profile) => this.set({ profile }),
          })}
          ${field({
            id: 'reportingKey',
            label: wallet.reportingKey,
            type: 'password',
            language: this.language,
            value: this.reportingKey,
            hint: this.draft?.wallet?.kind === 'service' && this.draft.wallet.hasReportingKey ? wallet.secretKept : wallet.reportingKeyHint,
            onInput: (text) => (this.reportingKey = text),
          })}
          ${this.#text('reportingUrl', { hint: wallet.reportingUrlHint, inputMode: 'url' })}
          ${checkbox({
            id: 'testService',
            label: wallet.testService,
            hint: wallet.testServiceHint,
            checked: this.form.testService,
            onChange: (testService) => this.set({ testService }),
          })}
        </div>
      </details>`;
  }

  #text(id: 'baseUrl' | 'authUrl' | 'clientId' | 'reportingUrl', more: { hint?: string; inputMode?: 'url' }): TemplateResult {
    return field({
      id,
      label: this.words.wallet[id],
      value: this.form[id],
      problem: this.problems[id] ?? null,
      onEnter: () => void this.#next(),
      onInput: (text) => this.set({ [id]: text }, id),
      ...more,
    });
  }

  #clock(seconds: number): TemplateResult {
    const { wallet } = this.words;
    const by = formatDuration(this.language, Math.abs(seconds));
    return html`<div data-testid="clock-off">${notice({ kind: 'warning', title: wallet.clockTitle, body: seconds > 0 ? wallet.clockAhead({ by }) : wallet.clockBehind({ by }) })}</div>`;
  }

  protected foot() {
    const { wallet, next } = this.words;
    const isTest = this.form.kind === 'service' && this.clockOff === null;
    return { next: isTest ? (this.busy ? wallet.testing : wallet.test) : next, onNext: () => void this.#next() };
  }

  protected override set(change: Partial<Form>, ...mended: string[]): void {
    super.set(change, ...mended);
    this.clockOff = null;
  }

  async #next(): Promise<void> {
    if (this.busy) return;
    if (this.form.kind === 'simulator') return this.save({ step: 'wallet', value: { kind: 'simulator' } });
    const { form, words } = this;
    const url = (text: string): string | null => {
      const problem = addressProblem(text.trim());
      return problem && words.wallet.address[problem];
    };
    const isRight = this.check({
      baseUrl: form.baseUrl.trim() === '' ? words.wallet.addressMissing : url(form.baseUrl),
      authUrl: form.authUrl.trim() === '' ? null : url(form.authUrl),
      clientId: form.clientId.trim() === '' ? words.wallet.clientIdMissing : null,
      clientSecret: this.secret === '' && !this.#hasSecret ? words.wallet.secretMissing : null,
      reportingUrl: form.reportingUrl.trim() === '' ? null : url(form.reportingUrl),
    });
    if (!isRight) return;
    const value = {
      kind: 'service' as const,
      ...this.#typed,
      clientSecret: this.secret === '' ? null : this.secret,
      tokenFor: form.tokenFor,
      profile: form.profile,
      reportingKey: this.reportingKey === '' ? null : this.reportingKey,
      reportingUrl: form.reportingUrl.trim() || null,
      testService: form.testService,
    };
    if (this.clockOff === null) {
      this.refused = null;
      this.busy = true;
      const answer = await this.bridge.ask('testCredentials', { wallet: value, merchantVat: null });
      this.busy = false;
      if (!answer.ok) return this.#failed(refusalWords(this.language, answer), answer.field);
      const { clockOffSeconds } = answer.value;
      if (clockOffSeconds !== null && Math.abs(clockOffSeconds) > clockOffToTellSeconds) {
        this.clockOff = clockOffSeconds;
        return;
      }
    }
    await this.save({ step: 'wallet', value }, { clientSecret: 'clientSecret', baseUrl: 'baseUrl', authUrl: 'authUrl', reportingUrl: 'reportingUrl' });
  }

  #failed(words: string, asked: string | null): void {
    const at = asked?.replace('wallet.', '') ?? '';
    const id = at === 'authUrl' && this.form.authUrl.trim() === '' ? 'baseUrl' : at;
    if (['baseUrl', 'authUrl', 'clientId', 'clientSecret'].includes(id)) this.check({ [id]: words });
    else this.refused = words;
  }
}
customElements.define('tb-wallet-step', WalletStep);
