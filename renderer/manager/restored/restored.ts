import { html, LitElement, nothing, type TemplateResult, unsafeCSS } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { Bridge, View } from '../../../preload/contract.ts';
import type { RefusalOf } from '../../../preload/procedures.ts';
import { checkbox } from '../../ui/checkbox.ts';
import { icon } from '../../ui/icons.ts';
import { notice } from '../../ui/notice.ts';
import { designStyles } from '../../ui/styles.ts';
import { formatDateTime, type Language } from '../../locales/i18n.ts';
import { frameTexts } from '../../locales/frame.ts';
import styles from './restored.css?inline';

/**
 * A restored counter takes payments only after somebody has confirmed that the old computer takes
 * none any more.
 */
class RestoredPage extends LitElement {
  static override styles = [designStyles, unsafeCSS(styles)];

  @property({ attribute: false }) bridge!: Pick<Bridge, 'ask'>;
  @property({ attribute: false }) language!: Language;
  @property({ attribute: false }) restored!: NonNullable<View['restored']>;
  @state() hasLooked = false;
  @state() refused: RefusalOf<'confirmRestored'> | null = null;
  @state() busy = false;

  protected override render(): TemplateResult {
    const { restored: words, refusal } = frameTexts[this.language];
    const { madeAtMs, from, unsettled, isCopy = false } = this.restored;
    const time = formatDateTime(this.language, madeAtMs);
    return html`<section class="page card stack" aria-labelledby="restored-title">
      <h1 class="title" id="restored-title">${words.title}</h1>
      ${notice({ kind: 'warning', title: isCopy ? words.copied.what({ time, from }) : words.what({ time, from }), body: words.why })}
      ${isCopy ? nothing : html`<p>${unsettled === 0 ? words.allSettled : words.unsettled({ count: unsettled })}</p>`}
      <p>${isCopy ? words.copied.since : words.since}</p>
      ${checkbox({ id: 'looked', label: words.looked({ from }), checked: this.hasLooked, onChange: (checked) => (this.hasLooked = checked) })}
      ${this.refused === null || this.refused === 'pinNeeded' ? nothing : notice({ kind: 'error', body: refusal[this.refused] })}
      <div class="row">
        <button
          class="primary"
          data-testid="confirm-restored"
          aria-busy=${this.busy}
          ?disabled=${!this.hasLooked || this.busy}
          @click=${() => void this.#confirm(madeAtMs)}
        >${icon('check')} ${words.confirm}</button>
      </div>
    </section>`;
  }

  async #confirm(madeAtMs: number): Promise<void> {
    this.busy = true;
    const answer = await this.bridge.ask('confirmRestored', { madeAtMs });
    this.busy = false;
    this.refused = answer.ok ? null : answer.code;
  }
}
customElements.define('tb-restored', RestoredPage);
