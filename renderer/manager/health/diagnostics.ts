import { html, LitElement, nothing, type TemplateResult, unsafeCSS } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { Bridge } from '../../../preload/contract.ts';
import type { OutputOf } from '../../../preload/procedures.ts';
import { dialog } from '../../ui/dialog.ts';
import { icon } from '../../ui/icons.ts';
import { notice } from '../../ui/notice.ts';
import { progress } from '../../ui/progress.ts';
import { designStyles } from '../../ui/styles.ts';
import { formatDate, formatNumber, type Language } from '../../locales/i18n.ts';
import { frameTexts } from '../../locales/frame.ts';
import { managerTexts } from '../../locales/manager.ts';
import { screenTexts } from '../../locales/screens.ts';
import { saveFile } from '../../save-file.ts';
import styles from './diagnostics.css?inline';

type Work =
  | { readonly kind: 'shown'; readonly contents: OutputOf<'diagnosticsContents'> }
  /** `fraction` null when the daemon is preparing the file. */
  | {
      readonly kind: 'making';
      readonly contents: OutputOf<'diagnosticsContents'>;
      readonly fraction: number | null;
      readonly cancel: AbortController;
    }
  | { readonly kind: 'saved'; readonly name: string }
  | { readonly kind: 'failed'; readonly words: string };

/** The diagnostics file for support: first a list of what it contains, then the file. */
class Diagnostics extends LitElement {
  static override styles = [designStyles, unsafeCSS(styles)];

  @property({ attribute: false }) bridge!: Pick<Bridge, 'ask'>;
  @property({ attribute: false }) language!: Language;
  /** Whether its page is visible. */
  @property({ attribute: false }) visible!: boolean;
  @state() work: Work | null = null;

  protected override render(): TemplateResult {
    const { diagnostics: words } = managerTexts[this.language].health;
    const { work } = this;
    return html`<section class="card stack" aria-labelledby="diagnostics-title">
        <h2 class="heading" id="diagnostics-title">${words.title}</h2>
        <p>${words.lead}</p>
        ${work?.kind === 'saved' ? notice({ kind: 'success', body: words.saved({ name: work.name }) }) : nothing}
        ${work?.kind === 'failed' ? notice({ kind: 'error', body: work.words }) : nothing}
        <div class="row"><button data-testid="diagnostics" @click=${() => void this.#show()}>${icon('file')} ${words.show}</button></div>
      </section>
      ${work?.kind === 'shown' || work?.kind === 'making' ? this.#dialog(work) : nothing}`;
  }

  #dialog(work: Extract<Work, { contents: object }>): TemplateResult {
    const { diagnostics: words } = managerTexts[this.language].health;
    const { logLines, sales, fromMs } = work.contents;
    const contents = html`<p>${words.holds}</p>
      <ul data-testid="contents">
        <li>${words.health}</li>
        <li>${words.settings}</li>
        <li>${words.log({ lines: formatNumber(this.language, logLines) })}</li>
        <li>${words.journal({ sales: formatNumber(this.language, sales), since: formatDate(this.language, fromMs) })}</li>
      </ul>
      <p><strong>${words.never}</strong></p>`;
    if (work.kind === 'shown')
      return dialog({
        language: this.language,
        title: words.title,
        visible: this.visible,
        onClose: () => this.#end(),
        body: contents,
        actions: html`<button @click=${() => this.#end()}>${screenTexts[this.language].design.cancel}</button>
          <button class="primary" data-testid="make" autofocus @click=${() => void this.#make(work.contents)}>${icon('download')} ${words.make}</button>`,
      });
    return dialog({
      language: this.language,
      title: words.title,
      visible: this.visible,
      onClose: () => work.cancel.abort(),
      body: html`${contents}
      ${progress({
        language: this.language,
        label: work.fraction === null ? words.making : words.fetching,
        fraction: work.fraction,
        onCancel: () => work.cancel.abort(),
      })}`,
    });
  }

  #end(): void {
    this.work = null;
  }

  async #show(): Promise<void> {
    const answer = await this.bridge.ask('diagnosticsContents', {});
    this.work = answer.ok
      ? { kind: 'shown', contents: answer.value }
      : { kind: 'failed', words: frameTexts[this.language].refusal[answer.code] };
  }

  async #make(contents: OutputOf<'diagnosticsContents'>): Promise<void> {
    const cancel = new AbortController();
    const making = (fraction: number | null): Work => ({
      kind: 'making',
      contents,
      fraction,
      cancel,
    });
    cancel.signal.addEventListener('abort', () => this.#end());
    this.work = making(null);
    const offer = await this.bridge.ask('diagnostics', {});
    if (cancel.signal.aborted) return;
    if (!offer.ok) {
      this.work = { kind: 'failed', words: frameTexts[this.language].refusal[offer.code] };
      return;
    }
    const onProgress = (fraction: number): void => {
      if (!cancel.signal.aborted) this.work = making(fraction);
    };
    const saved = await saveFile(this.bridge, offer.value, { onProgress, signal: cancel.signal });
    if (saved === 'cancelled') return;
    this.work =
      saved === 'saved'
        ? { kind: 'saved', name: offer.value.name }
        : { kind: 'failed', words: managerTexts[this.language].health.diagnostics.failed };
  }
}
customElements.define('tb-diagnostics', Diagnostics);
