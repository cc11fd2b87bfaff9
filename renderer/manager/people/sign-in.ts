import { html, LitElement, nothing, type TemplateResult, unsafeCSS } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { Bridge } from '../../../preload/contract.ts';
import type { OutputOf, AnswerTo } from '../../../preload/procedures.ts';
import { Countdown } from '../../ui/countdown.ts';
import { field } from '../../ui/field.ts';
import { icon } from '../../ui/icons.ts';
import { commandFields } from '../../ui/command-fields.ts';
import { notice } from '../../ui/notice.ts';
import { pinPad } from '../../ui/pin-pad.ts';
import { designStyles } from '../../ui/styles.ts';
import { formatDuration, type Language } from '../../locales/i18n.ts';
import { frameTexts } from '../../locales/frame.ts';
import { pagePart } from '../../page-part.ts';
import { randomSecret, takeOver } from './pass-on.ts';
import type { NewManager, NewManagerProblem, NewManagerSteps } from './new-manager.ts';
import styles from './sign-in.css?inline';

type SessionAnswer = OutputOf<'session'>;

/** Who signed in, and after how long without activity the session ends. */
export interface SignedIn {
  readonly managerId: string;
  readonly name: string;
  readonly signsOutAfterMs: number;
  readonly hasWeakPin: boolean;
}

/**
 * Asks which manager signs in, and for the PIN. At a counter without managers it creates the first
 * one, after the one-time code when that is required.
 * @fires signed-in with SignedIn in `detail`
 * @fires code-entered where the code is enough
 */
export class SignIn extends LitElement {
  static override styles = [designStyles, unsafeCSS(styles)];

  @property({ attribute: false }) bridge!: Pick<Bridge, 'ask'>;
  @property({ attribute: false }) language!: Language;
  /** Whether the last session ended by inactivity. */
  @property({ attribute: false }) wasSignedOut = false;
  /** As in `NewManagerSteps`. */
  @property({ attribute: false }) hasBackOutside = false;
  /**
   * Whether the code is all that is asked for: a person vouches for what other computers are to
   * reach.
   */
  @property({ attribute: false }) codeIsEnough = false;
  @state() session: SessionAnswer | null = null;
  @state() chosenId: string | null = null;
  @state() pin = '';
  @state() code = '';
  @state() problem: string | null = null;
  @state() newProblem: NewManagerProblem | null = null;
  @state() busy = false;
  readonly #lock = new Countdown(this);

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#load();
  }

  /** @returns false when there is no step to go back */
  stepBack(): boolean {
    return this.renderRoot.querySelector<NewManagerSteps>('tb-new-manager')?.stepBack() ?? false;
  }

  async #load(): Promise<void> {
    await takeOver(this.bridge);
    const answer = await this.bridge.ask('session', {});
    if (!answer.ok) return this.#failed(answer.code);
    const steps =
      answer.value.managers.length === 0 ? pagePart(() => import('./new-manager.ts')) : null;
    // With a one-time code, the steps of a new manager are needed only after it.
    if (answer.value.codeFile === null) await steps;
    this.session = answer.value;
    if (answer.value.signedIn !== null) this.#enter(answer.value.signedIn);
    const { managers } = answer.value;
    if (!managers.some(({ managerId }) => managerId === this.chosenId))
      this.chosenId = managers.length === 1 ? (managers[0]?.managerId ?? null) : null;
  }

  protected override render(): TemplateResult {
    const isWide =
      this.session !== null && (this.session.managers.length === 0 || this.chosenId !== null);
    return html`<section class="card ${isWide ? 'wide' : ''}" aria-labelledby="sign-in-title" @keydown=${this.#onKey}>${this.#body()}</section>`;
  }

  #body(): TemplateResult {
    const { signIn } = frameTexts[this.language];
    if (this.session === null)
      return html`<h1 class="title" id="sign-in-title">${signIn.title}</h1>${this.problem === null ? nothing : notice({ kind: 'error', body: this.problem })}`;
    if (this.session.codeFile !== null) return this.#askCode(this.session.codeFile);
    if (this.session.managers.length === 0) return this.#first();
    const chosen = this.session.managers.find(({ managerId }) => managerId === this.chosenId);
    return chosen === undefined
      ? this.#choose(this.session.managers)
      : this.#askPin(chosen.name, this.session.managers.length > 1);
  }

  #first(): TemplateResult {
    const { first, newManager } = frameTexts[this.language];
    return html`<div class="stack">
        <h1 class="title" id="sign-in-title">${first.title}</h1>
        <p class="lead">${first.lead}</p>
        <p class="soft">${newManager.pinHint}</p>
      </div>
      <tb-new-manager
        .language=${this.language}
        .saveLabel=${first.create}
        .hasBackOutside=${this.hasBackOutside}
        .busy=${this.busy}
        .problem=${this.newProblem}
        @chosen=${({ detail }: CustomEvent<NewManager>) => this.#create(detail)}
      ></tb-new-manager>`;
  }

  #askCode(path: string): TemplateResult {
    const { first, newManager } = frameTexts[this.language];
    const seconds = this.#lock.secondsLeft;
    const isLocked = seconds !== null && seconds > 0;
    return html`<div class="stack">
        <h1 class="title" id="sign-in-title">${this.codeIsEnough ? first.code.networkTitle : first.title}</h1>
        <p class="lead">${this.codeIsEnough ? first.code.networkLead : first.code.lead}</p>
        <p class="soft path">${first.code.where({ path })}</p>
      </div>
      <div class="stack">
        ${isLocked ? this.#locked(seconds, { title: first.code.lockedTitle, next: null }) : nothing}
        ${field({
          id: 'code',
          label: first.code.label,
          value: this.code,
          problem: isLocked ? null : this.problem,
          maxLength: 20,
          required: true,
          disabled: this.busy || isLocked,
          focused: true,
          onInput: (text) => {
            this.problem = null;
            this.code = text;
          },
          onEnter: () => void this.#enterCode(),
        })}
        <div class="row">
          <button class="primary" data-testid="code-next" ?disabled=${this.busy || isLocked} @click=${() => void this.#enterCode()}>${newManager.next} ${icon('forward')}</button>
        </div>
      </div>`;
  }

  #choose(managers: SessionAnswer['managers']): TemplateResult {
    const { signIn } = frameTexts[this.language];
    return html`<div class="stack">
        <h1 class="title" id="sign-in-title">${signIn.title}</h1>
        ${this.#reason()}
        <p class="lead">${signIn.who}</p>
      </div>
      <ul>
        ${managers.map(
          ({ managerId, name }, index) => html`<li><button
            data-testid="manager"
            ?autofocus=${index === 0}
            @click=${() => this.#is(managerId)}
          >${icon('user')} <span>${name}</span></button></li>`,
        )}
      </ul>`;
  }

  #askPin(name: string, hasOthers: boolean): TemplateResult {
    const { signIn } = frameTexts[this.language];
    const seconds = this.#lock.secondsLeft;
    const isLocked = seconds !== null && seconds > 0;
    return html`<div class="stack">
        <h1 class="title" id="sign-in-title">${signIn.title}</h1>
        ${isLocked ? this.#locked(seconds, { title: signIn.lockedTitle, next: html`${signIn.unlock} ${commandFields(this.language, [{ id: 'unlock', command: 'tillbeacon managers unlock' }])}` }) : this.#reason()}
        <p class="soft">${signIn.forgotten}</p>
        ${hasOthers ? html`<button class="quiet" data-testid="somebody-else" @click=${() => this.#is(null)}>${icon('back')} ${signIn.somebodyElse}</button>` : nothing}
      </div>
      <div class="pad">
        ${pinPad({
          language: this.language,
          label: signIn.pin({ name }),
          pin: this.pin,
          problem: isLocked ? null : this.problem,
          disabled: this.busy || isLocked,
          focused: true,
          enterLabel: signIn.enter,
          onPin: (pin) => {
            this.problem = null;
            this.pin = pin;
          },
          onEnter: () => void this.#signIn(),
        })}
      </div>`;
  }

  /** A visible countdown; screen readers are told once. */
  #locked(
    seconds: number,
    { title, next }: { readonly title: string; readonly next: TemplateResult | null },
  ): TemplateResult {
    const { signIn } = frameTexts[this.language];
    return html`<div data-testid="locked">
      ${notice({
        kind: 'error',
        title,
        body: html`<span aria-live="off" class="number">${signIn.locked({ inTime: formatDuration(this.language, seconds) })}</span>${next === null ? nothing : html` ${next}`}`,
      })}
    </div>`;
  }

  #reason(): TemplateResult | typeof nothing {
    return this.wasSignedOut
      ? notice({ kind: 'info', body: frameTexts[this.language].signIn.signedOut })
      : nothing;
  }

  #is(managerId: string | null): void {
    this.#lock.stop();
    this.chosenId = managerId;
    this.pin = '';
    this.problem = null;
  }

  async #signIn(): Promise<void> {
    const { chosenId: managerId, pin } = this;
    if (managerId === null || this.busy) return;
    this.busy = true;
    const answer = await this.bridge.ask('signIn', { managerId, pin, screenToken: screenToken() });
    this.busy = false;
    this.pin = '';
    if (answer.ok) this.#enter({ managerId, ...answer.value });
    else this.#refused(answer);
  }

  #refused({ code, facts }: Extract<AnswerTo<'signIn'>, { ok: false }>): void {
    if (code === 'wrongPin')
      this.problem = frameTexts[this.language].signIn.wrongPin({
        triesLeft: Number(facts['triesLeft']),
      });
    else if (code === 'locked') this.#lock.start(Number(facts['seconds']) * 1000);
    else {
      this.#failed(code);
      // The chosen manager may have been removed meanwhile.
      void this.#load();
    }
    void this.updateComplete.then(() =>
      this.renderRoot.querySelector<HTMLElement>('tb-pin-pad')?.focus(),
    );
  }

  async #enterCode(): Promise<void> {
    if (this.busy) return;
    const { first } = frameTexts[this.language];
    if (this.code.trim() === '') {
      this.problem = first.code.empty;
      return;
    }
    this.busy = true;
    const answer = await this.bridge.ask('enterCode', { code: this.code });
    this.busy = false;
    this.code = '';
    if (answer.ok && this.codeIsEnough) this.dispatchEvent(new CustomEvent('code-entered'));
    if (answer.ok || answer.code === 'pinNeeded') return this.#load();
    if (answer.code === 'wrongCode')
      this.problem = first.code.wrong({ triesLeft: Number(answer.facts['triesLeft']) });
    else if (answer.code === 'locked') this.#lock.start(Number(answer.facts['seconds']) * 1000);
    else this.#failed(answer.code);
    void this.updateComplete.then(() =>
      this.renderRoot.querySelector<HTMLElement>('#code')?.focus(),
    );
  }

  async #create({ name, pin }: NewManager): Promise<void> {
    const { newManager, refusal } = frameTexts[this.language];
    this.busy = true;
    const answer = await this.bridge.ask('addManager', {
      name: name ?? '',
      pin,
      screenToken: screenToken(),
    });
    this.busy = false;
    if (answer.ok) return this.#enter({ managerId: answer.value.managerId, name: name ?? '' });
    const words = answer.code === 'nameTaken' ? newManager.nameTaken : refusal[answer.code];
    this.newProblem = { field: answer.field === 'pin' ? 'pin' : 'name', words };
    // The first manager was created at another screen meanwhile, or the code has expired and is
    // asked for again.
    if (answer.code === 'pinNeeded') await this.#load();
  }

  #failed(code: keyof (typeof frameTexts)['en']['refusal']): void {
    this.problem = frameTexts[this.language].refusal[code];
  }

  #enter(who: { managerId: string; name: string; hasWeakPin?: boolean }): void {
    const detail: SignedIn = {
      hasWeakPin: false,
      ...who,
      signsOutAfterMs: this.session?.signsOutAfterMs ?? 0,
    };
    this.dispatchEvent(new CustomEvent('signed-in', { detail }));
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    if (
      event.key !== 'Escape' ||
      event.defaultPrevented ||
      this.chosenId === null ||
      (this.session?.managers.length ?? 0) < 2
    )
      return;
    event.preventDefault();
    this.#is(null);
  };
}
const storageKey = 'tillbeacon.screen';

/**
 * This browser's own, which no other program knows: wrong PINs of others do not lock managers out
 * here.
 */
function screenToken(): string {
  const token = localStorage.getItem(storageKey) ?? randomSecret();
  localStorage.setItem(storageKey, token);
  return token;
}

customElements.define('tb-sign-in', SignIn);
