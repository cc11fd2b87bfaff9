import { css, html, nothing, type TemplateResult } from 'lit';
import type { LaneState } from '../../preload/contract.ts';
import { amount } from '../design/amount.ts';
import { icon, type IconName } from '../design/icons.ts';
import { qr } from '../design/qr.ts';
import { sharedStyles } from '../design/shared-styles.ts';
import { Screen } from '../screen.ts';

const icons: Readonly<Partial<Record<LaneState['kind'], IconName>>> = {
  contactingService: 'busy',
  customerFound: 'person',
  approveInApp: 'phone',
  confirming: 'check',
  cancelling: 'busy',
  paid: 'check',
  notPaid: 'cross',
};

class CustomerScreen extends Screen {
  static override styles = [
    sharedStyles,
    css`
      .frame {
        height: 100%;
        display: grid;
        grid-template-rows: auto 1fr;
        background: var(--card);
      }
      .bar {
        min-height: 52px;
        padding-block: 6px;
      }
      main {
        display: flex;
        align-items: center;
        justify-content: center;
        gap: clamp(20px, 6vw, 120px);
        padding: 0 clamp(16px, 4vw, 80px) clamp(12px, 3vmin, 48px);
        min-height: 0;
      }
      .code {
        height: min(78vh, 50vw);
        aspect-ratio: 1;
        flex: none;
        padding: 0;
        background: #fff;
        border-radius: var(--radius);
        box-shadow: var(--shadow);
      }
      .words {
        display: flex;
        flex-direction: column;
        flex: 1;
        gap: clamp(10px, 3vmin, 32px);
        min-width: 0;
        container-type: inline-size;
        --amount-size: clamp(2.2rem, 9vmin, 7rem);
      }
      main.alone .words {
        align-items: center;
        text-align: center;
      }
      .words .icon {
        font-size: clamp(90px, 26vmin, 300px);
        color: var(--tone, var(--busy));
      }
      h1 {
        margin: 0;
        font-size: clamp(2.2rem, 8.5vmin, 6.5rem);
        line-height: 1.05;
        letter-spacing: -0.025em;
        text-wrap: balance;
      }
      [data-state='paid'],
      [data-state='confirming'] {
        --tone: var(--good);
      }
      [data-state='notPaid'] {
        --tone: var(--bad);
      }
      .note {
        margin: 0;
        color: var(--ink-soft);
        font-size: clamp(1.2rem, 3.6vmin, 2.6rem);
      }
      .idle .brand {
        flex-direction: column;
        gap: 4vmin;
      }
      .idle .brand .mark {
        width: clamp(110px, 34vmin, 380px);
        height: auto;
      }
      .idle .brand .name {
        display: none;
      }
      .idle h1 {
        font-size: clamp(1.8rem, 6.5vmin, 5rem);
      }
      @media (max-aspect-ratio: 1) {
        main {
          flex-direction: column;
        }
        .code {
          height: auto;
          width: min(88vw, 60vh);
        }
        .words {
          flex: none;
          width: 100%;
          align-items: center;
          text-align: center;
        }
      }
    `,
  ];

  protected readonly screenName = 'customer';

  protected override render(): TemplateResult {
    const lane = this.view?.lane ?? null;
    const state = this.connected && lane !== null ? lane.state : null;
    return html`<div class="frame" data-state=${state?.kind ?? 'disconnected'}>
      <header class="bar">${state === null || state.kind === 'idle' ? nothing : this.brand()}<span class="grow"></span>${this.languageButton()}</header>
      ${state === null || state.kind === 'idle' || state.kind === 'notReady' ? this.#idle(state) : this.#sale(state)}
    </div>`;
  }

  /** Nothing of anybody's sale. */
  #idle(state: LaneState | null): TemplateResult {
    const { what, next } = this.#idleWords(state);
    return html`<main class="alone"><div class="words idle">${this.brand()}<h1 data-testid="sentence">${what}</h1>${next === null ? nothing : html`<p class="note">${next}</p>`}</div></main>`;
  }

  #idleWords(state: LaneState | null): { what: string; next: string | null } {
    const { customer, customerIdle, disconnected, noLane } = this.texts;
    if (!this.connected || this.view === null) return disconnected;
    if (state === null) return { what: noLane, next: null };
    return { what: state.kind === 'idle' ? customerIdle : customer.notReady, next: null };
  }

  #sale(state: Extract<LaneState, { amountMinor: number }>): TemplateResult {
    const payload = 'qr' in state ? state.qr : null;
    const name = icons[state.kind];
    return html`<main class=${payload === null ? 'alone' : ''}>
      ${payload === null ? nothing : html`<div class="code">${qr(payload, this.texts.customer.waitingForCustomer)}</div>`}
      <div class="words" aria-live="polite">
        ${payload === null && name !== undefined ? icon(name) : nothing}
        <h1 data-testid="sentence">${this.texts.customer[state.kind]}</h1>
        ${amount(this.language, state)}
      </div>
    </main>`;
  }
}
customElements.define('tb-customer', CustomerScreen);
