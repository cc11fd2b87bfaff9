import { html, LitElement, nothing, type TemplateResult, unsafeCSS } from 'lit';
import { property } from 'lit/decorators.js';
import type { Language } from '../locales/i18n.ts';
import { screenTexts } from '../locales/screens.ts';
import { icon } from './icons.ts';
import { buttonStyles, sharedStyles } from './styles.ts';
import styles from './outdated-note.css?inline';
import toastStyles from './toast.css?inline';

/**
 * Says at the edge of a screen that the page is of an older version than the daemon, and is
 * reloaded once nobody would lose input.
 */
export class OutdatedNote extends LitElement {
  static override styles = [sharedStyles, buttonStyles, unsafeCSS(toastStyles), unsafeCSS(styles)];

  @property({ attribute: false }) language: Language = 'en';
  @property({ attribute: false }) isShown = false;
  @property({ attribute: false }) onNow: () => void = () => {};

  protected override render(): TemplateResult {
    const { what, now } = screenTexts[this.language].outdated;
    return html`<div class="toasts" role="status">
      ${
        this.isShown
          ? html`<div class="toast" data-testid="outdated">${icon('info')}<span>${what}</span><button data-testid="reload-now" @click=${() => this.onNow()}>${now}</button></div>`
          : nothing
      }
    </div>`;
  }
}
customElements.define('tb-outdated-note', OutdatedNote);
