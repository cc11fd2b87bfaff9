import { css, html, nothing, type TemplateResult } from 'lit';
import type { View } from '../../preload/contract.ts';
import { icon, type IconName } from '../ui/icons.ts';
import { layoutStyles } from '../ui/layout-styles.ts';
import { notice, noticeStyles } from '../ui/notice.ts';
import { sharedStyles } from '../ui/shared-styles.ts';
import { Screen } from '../screen.ts';

interface Card {
  readonly screen: 'cashier' | 'customer' | 'demo' | 'manager' | 'setup';
  readonly icon: IconName;
  readonly title: string;
  readonly note: string;
}

class HomeScreen extends Screen {
  static override styles = [
    sharedStyles,
    layoutStyles,
    noticeStyles,
    css`
      :host {
        overflow-y: auto;
      }
      main {
        gap: var(--space-6);
      }
      section {
        display: grid;
        gap: var(--space-3);
      }
      .heading {
        color: var(--ink-soft);
      }
      .cards {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr));
        gap: var(--gap);
      }
      a {
        display: grid;
        gap: var(--space-2);
        align-content: start;
        padding: var(--space-5);
        border: 2px solid transparent;
        border-radius: var(--radius);
        background: var(--card);
        box-shadow: var(--shadow);
        color: var(--ink);
        line-height: 1.35;
        text-decoration: none;
        transition: border-color var(--quick);
      }
      a:hover {
        border-color: var(--beacon);
      }
      a .icon {
        font-size: 2.8rem;
        color: var(--busy);
      }
      a strong {
        font-size: var(--text-heading);
      }
      a span {
        color: var(--ink-soft);
      }
    `,
  ];

  protected readonly screenName = 'demo';

  protected override render(): TemplateResult {
    const { home, disconnected } = this.texts;
    return html`<header class="bar">${this.brand()}<span class="grow"></span>${this.languageButton()}</header>
      <main class="page">
        <h1 class="title">${home.title}</h1>
        ${this.connected ? nothing : notice({ kind: 'error', title: disconnected.what, body: disconnected.next })}
        ${this.connected && this.view !== null ? this.#sections(this.view) : nothing}
      </main>`;
  }

  #sections({ lanes, demo }: View): TemplateResult {
    const { home } = this.texts;
    const cashier: Card = { screen: 'cashier', icon: 'till', title: home.cashier, note: home.cashierNote };
    const customer: Card = { screen: 'customer', icon: 'qr', title: home.customer, note: home.customerNote };
    const play: Card = { screen: 'demo', icon: 'phone', title: home.demo, note: home.demoNote };
    const manager: Card = { screen: 'manager', icon: 'chart', title: home.manager, note: home.managerNote };
    const setup: Card = { screen: 'setup', icon: 'settings', title: home.setup, note: home.setupNote };
    if (lanes.length === 0) return html`<p class="lead">${home.noLanes}</p>${this.#cards(home.office, [setup, manager], null)}`;
    return html`${lanes.map(({ laneId, name }) => this.#cards(name, demo === null ? [cashier, customer] : [cashier, customer, play], laneId))}
    ${this.#cards(home.office, [manager, setup], null)}`;
  }

  #cards(heading: string, cards: readonly Card[], laneId: string | null): TemplateResult {
    const query = new URLSearchParams({ ...(laneId === null ? {} : { lane: laneId }), lang: this.language });
    return html`<section>
      <h2 class="heading">${heading}</h2>
      <div class="cards">
        ${cards.map(({ screen, icon: name, title, note }) => html`<a href="./${screen}/index.html?${query}" data-testid=${screen}>${icon(name)}<strong>${title}</strong><span>${note}</span></a>`)}
      </div>
    </section>`;
  }
}
customElements.define('tb-home', HomeScreen);
