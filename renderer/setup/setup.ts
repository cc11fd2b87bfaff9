import { html, nothing, type TemplateResult, unsafeCSS } from 'lit';
import { state } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import type { Bridge, View } from '../../preload/contract.ts';
import { everyAnswer } from '../../preload/described/answers.ts';
import type { OutputOf } from '../../preload/procedures.ts';
import { icon } from '../ui/icons.ts';
import { notice } from '../ui/notice.ts';
import { steps } from '../ui/steps.ts';
import { designStyles } from '../ui/styles.ts';
import type { SignIn } from '../manager/people/sign-in.ts';
import '../manager/people/sign-in.ts';
import type { Answers } from '../bridge.ts';
import { defineScreen, Screen } from '../screen.ts';
import { cashierAt, cashierLink, managerLink } from './screen-links.ts';
import { CounterStatus } from './counter-status.ts';
import type { OverviewAction } from './overview.ts';
import {
  type Draft,
  type Finished,
  type Page,
  resumeAt,
  type SetupState,
  stepAfter,
  stepBefore,
  stepsDone,
  stepsOf,
  stepsToCheck,
  type StepId,
  type Where,
} from './step-order.ts';
import { pagePart } from '../page-part.ts';
import { pickFile } from './pick-file.ts';
import type { refusalWords } from './refusal.ts';
import { stepElement } from './step-element.ts';
import { forgetInput, hasUnsavedSecret } from './unsaved-input.ts';
import {
  checkInTestOf,
  customersOf,
  doneOf,
  noticesOf,
  parts,
  paymentTestOf,
  type SetupPage,
  waysOf,
} from './setup-pages.ts';
import styles from './setup.css?inline';
import { frameTexts } from '../locales/frame.ts';

/**
 * The installer's screen: step by step while something is to be set up, and an overview of what is
 * in use otherwise.
 */
class SetupScreen extends Screen {
  static override styles = [designStyles, unsafeCSS(styles)];

  protected readonly screenName = 'setup';
  /** null when it is derived from the draft once that is loaded. */
  @state() where: Where | null = null;
  @state() problem: string | TemplateResult | null = null;
  /** What the installer still has to enter, because an imported file does not contain it. */
  @state() missing: OutputOf<'importLane'>['missing'] = [];
  /** A message about what was just done; null without one. */
  @state() told: string | null = null;
  /**
   * Whether a single setting is being changed from the overview, which is shown again at the end.
   */
  #isOneSetting = false;
  /** A backup is asked for. */
  @state() restoring = false;
  /** Whether the counter's first manager is created during this setup. */
  @state() makesManager = false;
  readonly #status = new CounterStatus(this, this.bridge, {
    seen: (now, before) => this.#seen(now, before),
    prepared: () => {
      if (this.where?.at === 'step') this.#toCounter();
    },
  });

  /**
   * The bridge of the steps. A refusal `pinNeeded` is handled here for all of them: what is typed
   * stays.
   */
  readonly #asking: Pick<Bridge, 'ask'> = {
    ask: async (name, asked) => {
      const answer = await this.bridge.ask(name, asked);
      if (!answer.ok && answer.code === 'pinNeeded') void this.#status.again();
      return answer;
    },
  };

  protected override get answers(): Answers {
    return everyAnswer;
  }

  /** A reload loses typed secrets only: other input is kept in this window. */
  protected override holdsInput(): boolean {
    return hasUnsavedSecret() || super.holdsInput();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.bridge.onConnection((connected) => this.#status.connection(connected));
  }

  /**
   * The status is asked for again when the lane opens, because the beacon to print is known only
   * then.
   */
  protected override viewChanged(before: View | null, view: View): void {
    if (this.where?.at === 'done' && before?.lane?.state.kind !== view.lane?.state.kind)
      void this.#status.look();
  }

  override willUpdate(): void {
    super.willUpdate();
    const part = this.where?.at === 'step' ? this.where.step : this.where?.at;
    if (part !== undefined && part !== 'manager') void pagePart(parts[part]);
    if (this.restoring) void pagePart(parts.restore);
    document.title = `${frameTexts[this.language].setup.title} – Tillbeacon`;
  }

  #seen({ inUse, draft }: SetupState, before: SetupState | null): void {
    if (before?.inUse == null && inUse !== null && draft === null && this.where?.at === 'step')
      return this.#toCounter();
    if (this.where !== null) return;
    const { hasManager } = this.#status;
    this.makesManager = !hasManager;
    this.where =
      inUse !== null && draft === null
        ? { at: 'overview' }
        : { at: 'step', step: resumeAt(draft, hasManager) };
  }

  /** Leaves setup for the cashier's screen after a settings file has set up the counter. */
  #toCounter(): void {
    const [lane] = this.view?.lanes ?? [];
    if (lane !== undefined) location.assign(cashierAt(this.language, lane.laneId));
  }

  /** A setup that began without a manager is shown to its end before anybody has to sign in. */
  get #needsSignIn(): boolean {
    return this.#status.needsSignIn || (this.#status.needsManager && this.where?.at !== 'done');
  }

  protected override render(): TemplateResult {
    const state = !this.connected
      ? 'disconnected'
      : this.#needsSignIn
        ? 'signIn'
        : (this.where?.at ?? 'starting');
    return html`<div class="frame" data-state=${state} data-step=${this.where?.at === 'step' ? this.where.step : nothing} @keydown=${this.#onKey}>
      <header class="bar">
        ${this.brand()}<span class="where">${frameTexts[this.language].setup.title}</span><span class="grow"></span>${this.#toOverview()}${this.#toOthers()}${this.languageButton()}
      </header>
      <main>
        ${this.#main()}
        ${
          this.restoring
            ? html`<tb-restore-backup .bridge=${this.bridge} .language=${this.language} @close=${() => (this.restoring = false)}></tb-restore-backup>`
            : nothing
        }
      </main>
    </div>`;
  }

  #main(): TemplateResult | typeof nothing {
    if (!this.connected) {
      const { what, next } = this.texts.disconnected;
      return html`<div class="lost" role="alert">${icon('offline')}<h1 class="title">${what}</h1><p class="lead">${next}</p></div>`;
    }
    if (this.view?.restored !== undefined) {
      const { what, next } = this.texts.restored;
      const link = html`<a class="button" data-testid="to-manager" href="../manager/index.html?lang=${this.language}">${this.texts.home.manager} ${icon('forward')}</a>`;
      return html`<div class="page-column"><h1 class="title">${what}</h1>${notice({ kind: 'warning', body: next, actions: link })}</div>`;
    }
    if (this.#needsSignIn) return html`<div class="cover">${this.#signIn()}</div>`;
    if (this.where === null || this.#status.setup === null) return nothing;
    switch (this.where.at) {
      case 'overview':
        return this.#overview(this.#status.setup);
      case 'done':
        return this.#done(this.where, this.#status.setup);
      case 'customers':
        return this.#customers(this.where, this.#status.setup);
      case 'ways':
        return this.#ways(this.where, this.#status.setup);
      case 'paymentTest':
        return paymentTestOf(this.#page(this.#status.setup), this.where.laneId, this.#goToOverview);
      case 'checkInTest':
        return checkInTestOf(this.#page(this.#status.setup), this.where.laneId, this.#goToOverview);
      case 'step':
        return this.#path(this.where.step, this.#status.setup);
    }
  }

  #signIn(): TemplateResult {
    return html`<tb-sign-in
      .bridge=${this.bridge}
      .language=${this.language}
      .hasBackOutside=${this.where?.at === 'step' && this.where.step === 'manager'}
      .codeIsEnough=${this.#status.asksForNetwork}
      @signed-in=${() => void this.#entered()}
      @code-entered=${() => void this.#entered()}
    ></tb-sign-in>`;
  }

  #toOverview(): TemplateResult | typeof nothing {
    if (this.where?.at !== 'step' || this.#needsSignIn || this.#status.setup?.inUse == null)
      return nothing;
    return html`<button class="quiet" data-testid="leave" @click=${this.#goToOverview}>${icon('close')} ${frameTexts[this.language].setup.leave}</button>`;
  }

  /** The screens beside setup, from its overview. */
  #toOthers(): TemplateResult | typeof nothing {
    if (this.where?.at !== 'overview') return nothing;
    const { language, bridge } = this;
    const [lane] = this.view?.lanes ?? [];
    return html`${this.#needsSignIn || !this.#status.hasManager ? nothing : managerLink(language, bridge)}${lane === undefined ? nothing : cashierLink(language, lane.laneId)}`;
  }

  #overview(setup: SetupState): TemplateResult | typeof nothing {
    if (setup.inUse === null) return nothing;
    return html`<div class="page-column">
      ${this.#notices(setup)}
      <tb-setup-overview .bridge=${this.bridge} .language=${this.language} .state=${setup} @action=${({ detail }: CustomEvent<OverviewAction>) => void this.#act(detail)}></tb-setup-overview>
    </div>`;
  }

  #page(setup: SetupState): SetupPage {
    const { bridge, language, view } = this;
    return { bridge, language, view, setup, notices: this.#notices(setup) };
  }

  #done(done: Extract<Where, { at: 'done' }>, setup: SetupState): TemplateResult | typeof nothing {
    const { laneId } = done.finished;
    return doneOf(this.#page(setup), done.finished, {
      overview: this.#goToOverview,
      test: () => this.#toPaymentTest(laneId),
      checkIn: () => this.#go({ at: 'checkInTest', laneId }),
      customers: () => void this.#toCustomers(done),
      ways: () => void this.#toWays(laneId, done),
    });
  }

  #customers(
    { seen, from }: Extract<Where, { at: 'customers' }>,
    setup: SetupState,
  ): TemplateResult {
    return customersOf({ ...this.#page(setup), bridge: this.#asking }, seen, {
      saved: (saved) => (this.where = { at: 'customers', seen: saved, from }),
      back: () => this.#leave('customers', from),
    });
  }

  #ways({ kept, from }: Extract<Where, { at: 'ways' }>, setup: SetupState): TemplateResult {
    return waysOf(this.#page(setup), kept, {
      saved: (saved) => {
        this.where = { at: 'ways', kept: saved, from };
        // The overview may have stickers to print now, or none any more.
        void this.#status.look();
      },
      back: () => this.#leave('ways', from),
    });
  }

  #toPaymentTest(laneId: string): void {
    this.bridge.watch({ screen: 'setup', laneId });
    this.#go({ at: 'paymentTest', laneId });
  }

  #path(step: StepId, setup: SetupState): TemplateResult {
    const { step: names, path } = frameTexts[this.language].setup;
    const ids = stepsOf(setup.draft, this.makesManager);
    return html`<div class="path">
      <aside>
        ${steps({
          label: path,
          steps: ids.map((id) => ({ id, title: names[id].name })),
          current: step,
          done: stepsDone(setup.draft, this.#status.hasManager),
          toCheck: stepsToCheck(setup.draft),
          onGo: (id) => this.#go({ at: 'step', step: id }),
        })}
      </aside>
      <div class="page-column">
        <p class="soft where-short">${frameTexts[this.language].setup.stepOf({ number: ids.indexOf(step) + 1, of: ids.length })}</p>
        ${this.#notices(setup)} ${keyed(step, this.#step(step, setup, ids))}
      </div>
    </div>`;
  }

  #notices(setup: SetupState): TemplateResult {
    return noticesOf(this.language, {
      file: setup.file,
      missing: this.missing,
      told: this.told,
      problem: this.problem,
      onMissingRead: () => (this.missing = []),
      onToldRead: () => (this.told = null),
    });
  }

  #step(
    step: StepId,
    { draft, inUse, canRestore }: SetupState,
    ids: readonly StepId[],
  ): TemplateResult {
    const { language } = this;
    const bridge = this.#asking;
    const onBack = (): void => this.#back(ids);
    const isEdit = this.where?.at === 'step' && this.where.from !== undefined;
    if (step === 'manager')
      return html`<div class="manager-step">
        <div class="cover">${this.#signIn()}</div>
        <footer>
          <button
            class="quiet"
            data-testid="back"
            @click=${() => this.renderRoot.querySelector<SignIn>('tb-sign-in')?.stepBack() || onBack()}
          >${icon('back')} ${frameTexts[language].newManager.back}</button>
          <button class="quiet" data-testid="later" @click=${() => this.#go({ at: 'step', step: 'finish' })}>${frameTexts[language].setup.firstManagerLater} ${icon('forward')}</button>
        </footer>
      </div>`;
    return stepElement(step, {
      bridge,
      language,
      draft,
      lanes: inUse?.lanes ?? [],
      isEdit,
      onBack,
      onDone: (kept) => this.#doneWith(step, kept),
      onSpeak: (spoken) => this.speak(spoken),
      onImport: () => void this.#import(),
      onRestore: canRestore === true ? () => (this.restoring = true) : null,
      onGo: (id) => this.#go({ at: 'step', step: id, from: 'review' }),
      onFinished: (finished) => void this.#finished(finished),
    });
  }

  #go(where: Where): void {
    this.problem = null;
    this.told = null;
    this.where = where;
  }

  readonly #goToOverview = (): void => this.#go({ at: 'overview' });

  #back(ids: readonly StepId[]): void {
    const from = this.where?.at === 'step' ? this.where.from : undefined;
    if (from === 'review') return this.#go({ at: 'step', step: 'finish' });
    if (from === 'overview') return void this.#discard().then(this.#goToOverview);
    const before = this.where?.at === 'step' ? stepBefore(this.where.step, ids) : null;
    // The manager was created at once when that step was done, so there is nothing to go back to.
    const to = before === 'manager' && this.#status.hasManager ? stepBefore(before, ids) : before;
    if (to === null) return;
    // During the test the daemon may have received something from the till, which the till's step
    // shows.
    if (before === 'till')
      return void this.#status.look().then(() => this.#go({ at: 'step', step: to }));
    this.#go({ at: 'step', step: to });
  }

  #doneWith(step: StepId, draft: Draft): void {
    if (this.#status.setup === null) return;
    this.#status.setup = { ...this.#status.setup, draft };
    if (step === 'wallet') this.missing = this.missing.filter((what) => what !== 'clientSecret');
    if (step === 'till') this.missing = this.missing.filter((what) => what === 'clientSecret');
    const isEdit = this.where?.at === 'step' && this.where.from !== undefined;
    const next = stepAfter(step, draft, !this.makesManager, isEdit);
    this.#go({ at: 'step', step: next === 'manager' && this.#status.hasManager ? 'finish' : next });
  }

  async #entered(): Promise<void> {
    await this.#status.entered();
    if (this.where?.at === 'step' && this.where.step === 'manager')
      this.#go({ at: 'step', step: 'finish' });
  }

  async #finished(finished: Finished): Promise<void> {
    forgetInput();
    this.bridge.watch({ screen: 'setup', laneId: finished.laneId });
    const isOneSetting = this.#isOneSetting && finished.firstManagerCode === null;
    this.#go(isOneSetting ? { at: 'overview' } : { at: 'done', finished });
    if (isOneSetting) this.told = frameTexts[this.language].setup.activated;
    await this.#status.entered();
  }

  async #act(action: OverviewAction): Promise<void> {
    switch (action.kind) {
      case 'begin':
        return this.#begin(action.laneId, action.step);
      case 'import':
        return this.#import();
      case 'resume':
        return this.#go({
          at: 'step',
          step: resumeAt(this.#status.setup?.draft ?? null, this.#status.hasManager),
        });
      case 'customers':
        return this.#toCustomers({ at: 'overview' });
      case 'discard':
        return this.#discard();
      case 'ways':
        return this.#toWays(action.laneId, { at: 'overview' });
      case 'test':
        return this.#toPaymentTest(action.laneId);
      case 'checkInTest':
        return this.#go({ at: 'checkInTest', laneId: action.laneId });
      case 'changed':
        return this.#status.look();
    }
  }

  async #toCustomers(from: Page): Promise<void> {
    const answer = await this.bridge.ask('customersSee', {});
    if (answer.ok) this.#go({ at: 'customers', seen: answer.value, from });
    else await this.#refused(answer);
  }

  async #refused(answer: Parameters<typeof refusalWords>[1]): Promise<void> {
    const { refusalBody } = await pagePart(() => import('./refusal.ts'));
    this.problem = refusalBody(this.language, answer);
  }

  async #toWays(laneId: string, from: Page): Promise<void> {
    const answer = await this.bridge.ask('customerWays', { laneId });
    if (!answer.ok) return this.#refused(answer);
    // Input kept from another lane does not apply.
    forgetInput('ways');
    this.#go({ at: 'ways', kept: answer.value, from });
  }

  #leave(page: 'customers' | 'ways', to: Page): void {
    forgetInput(page);
    this.#go(to);
  }

  async #discard(): Promise<void> {
    await this.bridge.ask('discardSetup', {});
    forgetInput();
    await this.#status.look();
  }

  /**
   * @param step where a single setting is to be changed; null for the review, which shows all of
   * them
   */
  async #begin(laneId: string | null, step: StepId | null): Promise<void> {
    const begun = await this.bridge.ask('beginSetup', { laneId });
    // A settings file may name no language; then the language of this screen is saved.
    const answer =
      begun.ok && begun.value.language === null
        ? await this.bridge.ask('saveDraft', { step: 'language', value: this.language })
        : begun;
    if (!answer.ok) {
      await this.#refused(answer);
      return;
    }
    this.#open(answer.value);
    if (step === null) return;
    this.#isOneSetting = true;
    this.#go({ at: 'step', step, from: 'overview' });
  }

  async #import(): Promise<void> {
    const file = await pickFile('.json,application/json');
    const text = await file?.text().catch(() => null);
    if (text == null) return;
    const answer = await this.bridge.ask('importLane', { text });
    if (!answer.ok) {
      await this.#refused(answer);
      return;
    }
    const { draft, missing } = answer.value;
    this.#open(draft);
    this.missing = missing;
    if (missing.some((what) => what !== 'clientSecret') && draft.next === 'finish')
      this.#go({ at: 'step', step: 'till' });
  }

  #open(draft: Draft): void {
    this.#isOneSetting = false;
    forgetInput();
    if (this.#status.setup !== null) this.#status.setup = { ...this.#status.setup, draft };
    this.#go({ at: 'step', step: resumeAt(draft, this.#status.hasManager) });
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented || this.#needsSignIn) return;
    if (this.where === null || this.where.at === 'overview' || this.where.at === 'done') return;
    event.preventDefault();
    if (this.where.at === 'customers' || this.where.at === 'ways')
      return this.#leave(this.where.at, this.where.from);
    if (this.where.at === 'paymentTest' || this.where.at === 'checkInTest')
      return this.#go({ at: 'overview' });
    this.#back(stepsOf(this.#status.setup?.draft ?? null, this.makesManager));
  };
}
void defineScreen('tb-setup', SetupScreen, 'setup', Object.values(parts));
