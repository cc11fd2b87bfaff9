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
import type { OutputOf } from '../../../preload/procedures.ts';
import { icon } from '../../ui/icons.ts';
import { designStyles } from '../../ui/styles.ts';
import { formatDateTime, formatMoney, type Language } from '../../locales/i18n.ts';
import { managerTexts } from '../../locales/manager.ts';
import { byCurrency, netMinor } from './day-figures.ts';
import styles from './closings.css?inline';

type Line = OutputOf<'closings'>['closings'][number];

const rowsAtOnce = 10;

/**
 * The closing reports, newest first.
 * @fires chosen with the report's number in `detail`
 */
class Closings extends LitElement {
  static override styles = [designStyles, unsafeCSS(styles)];

  @property({ attribute: false }) bridge!: Pick<Bridge, 'ask'>;
  @property({ attribute: false }) language!: Language;
  @property({ attribute: false }) lanes!: readonly {
    readonly laneId: string;
    readonly name: string;
  }[];
  /** The number of the latest report that is known; 0 for none. */
  @property({ attribute: false }) newest!: number;
  @property({ attribute: false }) visible!: boolean;
  /** null while it is not known. */
  @state() lines: readonly Line[] | null = null;
  @state() shown: number = rowsAtOnce;
  @state() busy = false;

  override willUpdate(changed: PropertyValues<this>): void {
    const isNew = changed.has('newest') && this.newest > (this.lines?.[0]?.number ?? 0);
    if (this.visible && (isNew || changed.has('visible'))) void this.#load();
  }

  protected override render(): TemplateResult {
    const { closings: words } = managerTexts[this.language].day;
    const { lines } = this;
    return html`<section class="card stack" aria-labelledby="closings-title">
      <h2 class="heading" id="closings-title">${words.title}</h2>
      ${lines?.length === 0 ? html`<p class="soft">${words.none}</p>` : nothing}
      <ul>
        ${lines?.slice(0, this.shown).map((line) => this.#line(line))}
      </ul>
      ${
        lines !== null && (lines[this.shown - 1]?.number ?? lines.at(-1)?.number ?? 1) > 1
          ? html`<button class="more" data-testid="more-closings" aria-busy=${this.busy} @click=${() => void this.#more(lines)}>${icon('down')} ${words.more}</button>`
          : nothing
      }
    </section>`;
  }

  #line({ number, atMs, by, till, laneId, lanes, overlaps }: Line): TemplateResult {
    const { report, allLanes } = managerTexts[this.language].day;
    const laneName =
      laneId === null
        ? allLanes
        : (this.lanes.find((lane) => lane.laneId === laneId)?.name ?? laneId);
    const alsoIn =
      overlaps.length === 0
        ? ''
        : report.alsoIn({ numbers: overlaps.map((overlap) => overlap.number).join(', ') });
    const about = [
      formatDateTime(this.language, atMs),
      till === undefined ? by : report.byTill,
      laneName,
      alsoIn,
    ]
      .filter((part) => part !== '')
      .join(' · ');
    return html`<li>
      <button data-testid="closing" data-number=${number} @click=${() => this.dispatchEvent(new CustomEvent('chosen', { detail: number }))}>
        ${icon('file')}
        <span class="when"><strong>${report.title({ number })}</strong><br /><span class="soft small number">${about}</span></span>
        <span class="much number">${byCurrency(lanes).map((figures) => html`<span>${formatMoney(this.language, { amountMinor: netMinor(figures), currency: figures.currency })}</span>`)}</span>
      </button>
    </li>`;
  }

  async #load(): Promise<void> {
    const answer = await this.bridge.ask('closings', { before: null });
    if (answer.ok) this.lines = answer.value.closings;
  }

  async #more(lines: readonly Line[]): Promise<void> {
    if (this.shown >= lines.length) {
      this.busy = true;
      const answer = await this.bridge.ask('closings', { before: lines.at(-1)?.number ?? null });
      this.busy = false;
      if (answer.ok) this.lines = [...lines, ...answer.value.closings];
    }
    this.shown += rowsAtOnce;
  }
}
customElements.define('tb-closings', Closings);
