import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import type { Bridge, ScreenName, View } from '../preload/contract.ts';
import type { InputOf } from '../preload/procedures.ts';
import type { CounterProcedureName } from '../preload/procedures/counter.ts';
import { counterRefusal } from '../preload/procedures/counter-refusal.ts';
import { counterAnswers } from '../preload/described/counter-answers.ts';
import { type Answers, connect } from './bridge.ts';
import { pagePart } from './page-part.ts';
import { wordmark } from './ui/icons.ts';
import type { ScanOptions } from './ui/scan-guard.ts';
import './ui/language-choice.ts';
import { OutdatedNote } from './ui/outdated-note.ts';
import { takeTicket } from './stored-ticket.ts';
import { followVersion, isInTheMiddle } from './newer-version.ts';
import { hasTexts, loadEveryText, loadTexts } from './locales/catalogue.ts';
import { initialLanguage, type Language, nameLanguage, rememberLanguage } from './locales/i18n.ts';
import { screenTexts, type ScreenTexts } from './locales/screens.ts';

/** What all screens share: the lane that is watched, the connection to the daemon, the language. */
export abstract class Screen extends LitElement {
  @state() view: View | null = null;
  /** While false, `view` may be outdated and is not shown as if it were live. */
  @state() connected = false;
  @state() language: Language = 'en';
  /** Why the last command was refused; removed with the next view. */
  @state() notice: string | null = null;

  protected abstract readonly screenName: ScreenName;
  protected readonly bridge: Bridge;
  readonly #outdated = new OutdatedNote();
  #shopLanguage: Language | null = null;
  #wished: Language = 'en';

  constructor() {
    super();
    this.bridge = connect(this.answers);
  }

  override connectedCallback(): void {
    // Whoever came here has left the managers' pages, also when the page that should have taken the
    // ticket was not reached.
    if (this.screenName !== 'manager' && this.screenName !== 'setup') takeTicket();
    this.speakAsTheShop();
    super.connectedCallback();
    this.bridge.onConnection((connected) => {
      this.connected = connected;
      if (!connected) this.view = null;
    });
    this.bridge.onView((view) => {
      const before = this.view;
      this.view = view;
      this.notice = null;
      this.#hear(view.lane?.customer.language ?? view.language ?? null);
      this.viewChanged(before, view);
    });
    this.bridge.onLanguage((language) => {
      nameLanguage(language);
      this.speakAsTheShop();
    });
    this.#outdated.onNow = followVersion(this.bridge, {
      holdsInput: () => this.holdsInput(),
      say: (isOutdated) => (this.#outdated.isShown = isOutdated),
    });
    document.body.append(this.#outdated);
    // Loaded once and then told by the app itself. A page without it works as before.
    window.tillbeacon?.onKeyboard(
      (presses) =>
        void (presses !== 'none' && import('./ui/keyboard/screen-keyboard.ts').catch(() => {})),
    );
    document.addEventListener('visibilitychange', this.#watch);
    this.#watch();
  }

  override disconnectedCallback(): void {
    this.#outdated.remove();
    document.removeEventListener('visibilitychange', this.#watch);
    super.disconnectedCallback();
  }

  /** Also tells the daemon when the page is hidden: then nobody can see the check-in code. */
  readonly #watch = (): void => {
    this.bridge.watch({
      screen: this.screenName,
      laneId: new URLSearchParams(location.search).get('lane'),
      hidden: document.hidden,
    });
  };

  /** Shapes of the answers to what this screen asks. */
  protected get answers(): Answers {
    return counterAnswers;
  }

  /** Whether reloading the page now would lose what somebody is typing or doing. */
  protected holdsInput(): boolean {
    return isInTheMiddle(this);
  }

  /**
   * Keeps the keys of scanners from fields and buttons. A part of its own, because the first paint
   * does not need it.
   */
  protected guardFromScans(options: ScanOptions): void {
    void pagePart(() => import('./ui/scan-guard.ts')).then(
      ({ ScanGuard }) => new ScanGuard(this, options),
    );
  }

  /** Called with each view that arrives. */
  protected viewChanged(_before: View | null, _view: View): void {}

  /**
   * The shop's language comes from the daemon's settings, which may change while the page is open.
   */
  #hear(shopLanguage: Language | null): void {
    if (shopLanguage === this.#shopLanguage) return;
    this.#shopLanguage = shopLanguage;
    this.speakAsTheShop();
  }

  protected get texts(): ScreenTexts {
    return screenTexts[this.language];
  }

  /**
   * What to show when the page's address names a lane that this counter does not have; null when
   * the address is right.
   */
  protected get noLane(): { readonly what: string; readonly next: string } | null {
    const { view } = this;
    const laneParam = new URLSearchParams(location.search).get('lane');
    if (
      view === null ||
      laneParam === null ||
      view.lanes.length === 0 ||
      view.lanes.some(({ laneId }) => laneId === laneParam)
    )
      return null;
    const { what, next } = this.texts.noLane;
    return {
      what: what({ lane: laneParam }),
      next: next({
        lanes: view.lanes
          .map(({ laneId, name }) => (name === laneId ? laneId : `${laneId} (${name})`))
          .join(', '),
      }),
    };
  }

  protected async ask<Name extends CounterProcedureName>(
    name: Name,
    input: InputOf<Name>,
  ): Promise<void> {
    const answer = await this.bridge.ask(name, input);
    this.notice = answer.ok ? null : this.texts.refusal[counterRefusal(answer.code)];
  }

  override willUpdate(): void {
    document.documentElement.lang = this.language;
    this.#outdated.language = this.language;
  }

  protected brand(): TemplateResult {
    return html`<span class="brand">${wordmark()}</span>`;
  }

  /**
   * A note that the service is simulated or for tests. The demonstration's page has its own, so it
   * shows none here.
   */
  protected serviceNote(): TemplateResult | typeof nothing {
    const service = this.view?.lane?.service ?? 'real';
    if (service === 'real' || window.parent !== window) return nothing;
    return html`<strong class="service-note" data-testid="service-note">${this.texts.service[service]}</strong>`;
  }

  protected languageButton(): TemplateResult {
    return html`<tb-language .language=${this.language} @choose=${({ detail }: CustomEvent<Language>) => this.speak(detail)}></tb-language>`;
  }

  /** Shows the shop's language until somebody chooses another one at this screen. */
  protected speakAsTheShop(): void {
    this.#show(initialLanguage(this.screenName, this.#shopLanguage));
  }

  /** Changes the language and remembers it on this screen. */
  protected speak(language: Language): void {
    rememberLanguage(this.screenName, language);
    this.#show(language);
  }

  /** Shows the screen in a language, once its texts are loaded. */
  #show(language: Language): void {
    this.#wished = language;
    if (hasTexts(language)) this.language = language;
    else
      void pagePart(() => loadTexts(language)).then(
        () => this.#wished === language && (this.language = language),
        // The texts cannot be loaded, so the screen keeps its language.
        () => {},
      );
  }
}

/**
 * Defines the screen's element once the texts of its language are loaded, so that it is never shown
 * without words. The other languages and parts are loaded when the browser is idle: then they open
 * at once later, even when the daemon cannot be reached.
 * @param parts of the screen, each loaded at the latest when it is opened
 */
export async function defineScreen(
  tag: string,
  screen: CustomElementConstructor,
  name: ScreenName,
  parts: readonly (() => Promise<unknown>)[] = [],
): Promise<void> {
  await loadTexts(initialLanguage(name, null)).catch(() => pagePart(() => loadTexts('en')));
  customElements.define(tag, screen);
  // A part that cannot be loaded now is loaded when it is opened.
  requestIdleCallback(
    () => void Promise.allSettled([loadEveryText, ...parts].map((load) => load())),
  );
}
