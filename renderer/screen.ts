import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import type { Bridge, Command, ScreenName, View, Watch } from '../preload/contract.ts';
import { connect } from './bridge.ts';
import { wordmark } from './ui/icons.ts';
import './ui/language-choice.ts';
import type { Texts } from './locales/en.ts';
import { initialLanguage, type Language, languages, rememberLanguage } from './locales/i18n.ts';

/** What all screens share: a lane to watch, the line to the daemon, a language. */
export abstract class Screen extends LitElement {
  @state() view: View | null = null;
  /** While false, what `view` says may be over: it is not shown as if it were live. */
  @state() connected = false;
  @state() language: Language = 'en';
  /** Why the last command was refused; gone with the next state. */
  @state() notice: string | null = null;

  protected abstract readonly screenName: ScreenName;
  protected readonly bridge: Bridge;
  #shopLanguage: Language | null = null;

  constructor() {
    super();
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

  protected async ask(command: Command): Promise<void> {
    const result = await this.bridge.command(command);
    this.notice = result.ok ? null : this.texts.refusal[result.code];
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
