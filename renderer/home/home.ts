import { html, nothing, type TemplateResult, unsafeCSS } from 'lit';
import type { View } from '../../preload/contract.ts';
import { icon, type IconName } from '../ui/icons.ts';
import { notice } from '../ui/notice.ts';
import { defineScreen, Screen } from '../screen.ts';
import styles from './home.css?inline';
import { layoutStyles, noticeStyles, sharedStyles } from '../ui/styles.ts';

interface Card {
  readonly screen: 'cashier' | 'customer' | 'demo' | 'manager' | 'setup';
  readonly icon: IconName;
  readonly title: string;
  readonly note: string;
}

class HomeScreen extends Screen {
  static override styles = [sharedStyles, layoutStyles, noticeStyles, unsafeCSS(styles)];

  protected readonly screenName = 'demo';

  protected override render(): TemplateResult {
    const { home, disconnected } = this.texts;
    return html`<header class="bar">${this.brand()}<span class="grow"></span>${this.languageButton()}</header>
      <main class="page">
        <h1 class="title">${home.title}</h1>
        ${this.connected ? nothing : notice({ kind: 'error', title: disconnected.what, body: disconnected.next })}
        ${this.connected && this.noLane !== null ? notice({ kind: 'warning', title: this.noLane.what, body: this.noLane.next }) : nothing}
        ${this.connected && this.view !== null ? this.#sections(this.view) : nothing}
      </main>`;
  }

  #sections({ lanes, demo, restored, notSetUp }: View): TemplateResult {
    const { home } = this.texts;
    const cashier: Card = {
      screen: 'cashier',
      icon: 'till',
      title: home.cashier,
      note: home.cashierNote,
    };
    const customer: Card = {
      screen: 'customer',
      icon: 'qr',
      title: home.customer,
      note: home.customerNote,
    };
    const play: Card = { screen: 'demo', icon: 'phone', title: home.demo, note: home.demoNote };
    const manager: Card = {
      screen: 'manager',
      icon: 'chart',
      title: home.manager,
      note: home.managerNote,
    };
    const setup: Card = {
      screen: 'setup',
      icon: 'settings',
      title: home.setup,
      note: home.setupNote,
    };
    if (restored !== undefined)
      return html`${notice({ kind: 'warning', title: this.texts.restored.what, body: this.texts.restored.next })}${this.#cards(home.office, [manager], null)}`;
    if (lanes.length === 0 && notSetUp !== true)
      return html`${notice({ kind: 'warning', title: this.texts.notOpened.what, body: this.texts.notOpened.next })}${this.#cards(home.office, [setup, manager], null)}`;
    if (lanes.length === 0)
      return html`<p class="lead">${home.noLanes}</p>${this.#cards(home.office, [setup, manager], null)}`;
    return html`${lanes.map(({ laneId, name }) => this.#cards(name, demo === null ? [cashier, customer] : [cashier, customer, play], laneId))}
    ${this.#cards(home.office, [manager, setup], null)}`;
  }

  #cards(heading: string, cards: readonly Card[], laneId: string | null): TemplateResult {
    const query = new URLSearchParams({
      ...(laneId === null ? {} : { lane: laneId }),
      lang: this.language,
    });
    return html`<section>
      <h2 class="heading">${heading}</h2>
      <div class="cards">
        ${cards.map(({ screen, icon: name, title, note }) => html`<a href="./${screen}/index.html?${query}" data-testid=${screen}>${icon(name)}<strong>${title}</strong><span>${note}</span></a>`)}
      </div>
    </section>`;
  }
}
void defineScreen('tb-home', HomeScreen, 'demo');
