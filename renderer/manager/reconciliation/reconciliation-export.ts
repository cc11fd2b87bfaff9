import {
  html,
  nothing,
  type ReactiveController,
  type ReactiveControllerHost,
  type TemplateResult,
} from 'lit';
import type { Bridge } from '../../../preload/contract.ts';
import { reconciliationCategories } from '../../../preload/procedures/plain.ts';
import type { Category, Period, Sort } from '../../../preload/procedures/reconciliation.ts';
import { dialog } from '../../ui/dialog.ts';
import { progress } from '../../ui/progress.ts';
import { formatNumber, type Language } from '../../locales/i18n.ts';
import type { ManagerTexts } from '../../locales/manager.ts';
import { saveFile } from '../../save-file.ts';
import { csvForm } from '../csv-form.ts';

const pollMs = 300;

type Stage =
  | { readonly kind: 'making'; readonly done: number; readonly of: number }
  | { readonly kind: 'fetching'; readonly fraction: number };

/** Exports all rows of a period as a file, with progress, into the browser's downloads. */
export class Export implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #bridge: () => Pick<Bridge, 'ask'>;
  #stage: Stage | null = null;
  #abort = new AbortController();

  constructor(host: ReactiveControllerHost, bridge: () => Pick<Bridge, 'ask'>) {
    this.#host = host;
    this.#bridge = bridge;
    host.addController(this);
  }

  hostConnected(): void {}

  get isBusy(): boolean {
    return this.#stage !== null;
  }

  /**
   * @returns the file's name; null when it was cancelled @throws Error when the file could not be
   * made
   */
  async save(
    format: 'csv' | 'xlsx',
    asked: { readonly period: Period; readonly sort: Sort },
    {
      language,
      words,
    }: { readonly language: Language; readonly words: ManagerTexts['reconciliation'] },
  ): Promise<string | null> {
    const abort = new AbortController();
    const { signal } = abort;
    this.#abort = abort;
    // The answer to one that was cancelled may come while the next one is shown.
    const show = (stage: Stage | null): void => {
      if (this.#abort === abort) this.#show(stage);
    };
    show({ kind: 'making', done: 0, of: 0 });
    const watching = setInterval(() => void this.#look(), pollMs);
    try {
      const answer = await this.#bridge().ask('reconciliationExport', {
        ...asked,
        format,
        csv: csvForm(language),
        words: {
          name: words.export.name,
          columns: words.column,
          categories: Object.fromEntries(
            reconciliationCategories.map((category) => [category, words.category[category].name]),
          ) as Record<Category, string>,
          kinds: words.kind,
        },
      });
      if (signal.aborted || (!answer.ok && answer.code === 'cancelled')) return null;
      if (!answer.ok) throw new Error(answer.message);
      show({ kind: 'fetching', fraction: 0 });
      const saved = await saveFile(this.#bridge(), answer.value, {
        signal,
        onProgress: (fraction) => show({ kind: 'fetching', fraction }),
      });
      if (saved === 'failed') throw new Error('the file is gone');
      return saved === 'saved' ? answer.value.name : null;
    } finally {
      clearInterval(watching);
      show(null);
    }
  }

  render(
    language: Language,
    words: ManagerTexts['reconciliation']['export'],
    visible: boolean,
  ): TemplateResult | typeof nothing {
    const stage = this.#stage;
    if (stage === null) return nothing;
    const onCancel = (): void => this.#cancel();
    const body =
      stage.kind === 'making'
        ? progress({
            language,
            label: words.title,
            fraction: stage.of === 0 ? null : stage.done / stage.of,
            detail: words.making({
              done: formatNumber(language, stage.done),
              of: formatNumber(language, stage.of),
            }),
            onCancel,
          })
        : progress({ language, label: words.fetching, fraction: stage.fraction, onCancel });
    return html`${dialog({ language, title: words.title, visible, onClose: onCancel, body })}`;
  }

  #cancel(): void {
    this.#abort.abort();
    void this.#bridge().ask('reconciliationCancel', { what: 'export' });
    this.#show(null);
  }

  async #look(): Promise<void> {
    const answer = await this.#bridge().ask('reconciliationState', {});
    if (this.#stage?.kind === 'making' && answer.ok && answer.value.exported !== null)
      this.#show({
        kind: 'making',
        done: answer.value.exported.rows,
        of: answer.value.exported.of,
      });
  }

  #show(stage: Stage | null): void {
    this.#stage = this.#abort.signal.aborted ? null : stage;
    this.#host.requestUpdate();
  }
}
