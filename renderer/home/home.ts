import { css, html, type TemplateResult } from 'lit';
import { icon, type IconName } from '../design/icons.ts';
import { sharedStyles } from '../design/shared-styles.ts';
import { Screen } from '../screen.ts';

class HomeScreen extends Screen {
  static override styles = [
    sharedStyles,
    css`
      main {
        display: grid;
        gap: calc(2 * var(--gap));
        max-width: 1100px;
        margin: 0 auto;
        padding: 3vmin clamp(16px, 4vw, 60px);
      }
      h1 {
        margin: 0;
        font-size: clamp(1.8rem, 5vmin, 3rem);
        letter-spacing: -0.02em;
      }
      h2 {
        margin: 0 0 12px;
        color: var(--ink-soft);
        font-size: 1.15rem;
      }
      .cards {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(220px, 1fr));
        gap: var(--gap);
      }
      a {
        display: grid;
        gap: 8px;
        align-content: start;
        padding: 28px;
        border: 2px solid transparent;
        border-radius: var(--radius);
        background: var(--card);
        box-shadow: var(--shadow);
        color: var(--ink);
        text-decoration: none;
      }
      a:hover {
        border-color: var(--beacon);
      }
      a .icon {
        font-size: 3rem;
        color: var(--busy);
      }
      a strong {
        font-size: 1.35rem;
      }
      a span {
        color: var(--ink-soft);
      }
    `,
  ];

  protected readonly screenName = 'demo';

  protected override render(): TemplateResult {
    const { home, disconnected } = this.texts;
    const lanes = this.view?.lanes ?? [];
    return html`<header class="bar">${this.brand()}<span class="grow"></span>${this.languageButton()}</header>
      <main>
        <h1>${home.title}</h1>
        ${this.connected ? '' : html`<p role="alert">${disconnected.what}. ${disconnected.next}</p>`}
        ${lanes.map(
          ({ laneId, name }) =>
            html`<section>
              <h2>${name}</h2>
              <div class="cards">
                ${this.#card('cashier', laneId, 'till', home.cashier, home.cashierNote)} ${this.#card('customer', laneId, 'scan', home.customer, home.customerNote)}
                ${this.view?.demo == null ? '' : this.#card('demo', laneId, 'phone', home.demo, home.demoNote)}
              </div>
            </section>`,
        )}
      </main>`;
  }

  #card(screen: string, laneId: string, name: IconName, title: string, note: string): TemplateResult {
    return html`<a href="./${screen}/index.html?lane=${encodeURIComponent(laneId)}&lang=${this.language}">${icon(name)}<strong>${title}</strong><span>${note}</span></a>`;
  }
}
customElements.define('tb-home', HomeScreen);
