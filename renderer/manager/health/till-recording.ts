import {
  html,
  LitElement,
  nothing,
  type PropertyValues,
  type TemplateResult,
  unsafeCSS,
} from 'lit';
import { property, state } from 'lit/decorators.js';
import type { Bridge } from '../../../preload/contract.ts';
import type { RefusalOf } from '../../../preload/procedures.ts';
import { icon } from '../../ui/icons.ts';
import { notice } from '../../ui/notice.ts';
import { designStyles } from '../../ui/styles.ts';
import { formatDateTime, type Language } from '../../locales/i18n.ts';
import { frameTexts } from '../../locales/frame.ts';
import { managerTexts } from '../../locales/manager.ts';
import styles from './diagnostics.css?inline';

/** What goes over the tills' lines, recorded for a day. */
class TillRecording extends LitElement {
  static override styles = [designStyles, unsafeCSS(styles)];

  @property({ attribute: false }) bridge!: Pick<Bridge, 'ask'>;
  @property({ attribute: false }) language!: Language;
  /** Whether its page is visible. */
  @property({ attribute: false }) visible!: boolean;
  @state() untilMs: number | null = null;
  @state() refused: RefusalOf<'recordTills'> | null = null;
  @state() busy = false;

  protected override updated(changed: PropertyValues): void {
    if (changed.has('visible') && this.visible) void this.#look();
  }

  protected override render(): TemplateResult {
    const { recording: words } = managerTexts[this.language].health;
    const { untilMs } = this;
    return html`<section class="card stack" aria-labelledby="recording-title">
      <h2 class="heading" id="recording-title">${words.title}</h2>
      <p>${words.lead}</p>
      ${untilMs === null ? nothing : notice({ kind: 'info', body: words.until({ time: formatDateTime(this.language, untilMs) }) })}
      ${this.refused === null ? nothing : notice({ kind: 'error', body: frameTexts[this.language].refusal[this.refused] })}
      <div class="row">
        <button data-testid="record" aria-busy=${this.busy} ?disabled=${this.busy} @click=${() => void this.#record(untilMs === null)}>
          ${icon(untilMs === null ? 'file' : 'cross')} ${untilMs === null ? words.start : words.stop}
        </button>
      </div>
    </section>`;
  }

  async #look(): Promise<void> {
    const answer = await this.bridge.ask('tillRecording', {});
    if (answer.ok) this.untilMs = answer.value.untilMs;
  }

  async #record(on: boolean): Promise<void> {
    this.busy = true;
    const answer = await this.bridge.ask('recordTills', { on });
    this.busy = false;
    this.refused = answer.ok ? null : answer.code;
    if (answer.ok) this.untilMs = answer.value.untilMs;
  }
}
customElements.define('tb-till-recording', TillRecording);
