import { html, LitElement, nothing, type TemplateResult } from 'lit';
import type { Bridge, ScreenName, View, Watch } from '../preload/contract.ts';
import type { InputOf } from '../preload/procedures.ts';
import { type CounterProcedureName, counterRefusal } from '../preload/procedures/counter.ts';
import { connect } from './bridge.ts';
import { wordmark } from './ui/icons.ts';
import './ui/language-choice.ts';
import type { Texts } from './locales/en.ts';
import { initialLanguage, type Language, languages, rememberLanguage } from './locales/i18n.ts';

/** What all screens share: a lane to watch, the line to the daemon, a language. */
export abstract class Screen extends LitElement {
  static override properties = { view: { state: true }, connected: { state: true }, language: { state: true }, notice: { state: true } };

  declare view: View | null;
  /** While false, what `view` says may be over: it is not shown as if it were live. */
  declare connected: boolean;
  declare language: Language;
  /** Why the last call was refused; gone with the next state. */
  declare notice: string | null;

  protected abstract readonly screenName: ScreenName;
  protected readonly bridge: Bridge;
  #shopLanguage: Language | null = null;

  constructor() {
    super();
    this.view = null;
    this.connected = false;
    this.language = 'en';
    this.notice = null;
    this.bridge = connect();
  }

  override connectedCallback(): void {
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
    this.watch();
  }

  protected watch(about: Pick<Watch, 'hidden'> = {}): void {
    this.bridge.watch({ screen: this.screenName, laneId: new URLSearchParams(location.search).get('lane'), ...about });
  }

  /** For what a screen derives from a view at its arrival. */
  protected viewChanged(_before: View | null, _view: View): void {}

  /** The daemon knows it, the page does not; and the settings may name another one while this is open. */
  #hear(shopLanguage: Language | null): void {
    if (shopLanguage === this.#shopLanguage) return;
    this.#shopLanguage = shopLanguage;
    this.speakAsTheShop();
  }

  protected get texts(): Texts {
    return languages[this.language];
  }

  protected async ask<Name extends CounterProcedureName>(name: Name, input: InputOf<Name>): Promise<void> {
    const answer = await this.bridge.ask(name, input);
    this.notice = answer.ok ? null : this.texts.refusal[counterRefusal(answer.code)];
  }

  override willUpdate(): void {
    document.documentElement.lang = this.language;
  }

  protected brand(): TemplateResult {
    return html`<span class="brand">${wordmark()}</span>`;
  }

  /** Not within the demonstration's own page, which says it already. */
  protected serviceNote(): TemplateResult | typeof nothing {
    const service = this.view?.lane?.service ?? 'real';
    if (service === 'real' || window.parent !== window) return nothing;
    return html`<strong class="service-note" data-testid="service-note">${this.texts.service[service]}</strong>`;
  }

  protected languageButton(): TemplateResult {
    return html`<tb-language .language=${this.language} @choose=${({ detail }: CustomEvent<Language>) => this.speak(detail)}></tb-language>`;
  }

  /** Where nobody has chosen. */
  protected speakAsTheShop(): void {
    this.language = initialLanguage(this.screenName, this.#shopLanguage);
  }

  /** At once, and from now on. */
  protected speak(language: Language): void {
    this.language = language;
    rememberLanguage(this.screenName, language);
  }
}
