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
import type { OutputOf, RefusalOf } from '../../../preload/procedures.ts';
import {
  maxPassphraseLength,
  passphraseProblem,
  minPassphraseLength,
} from '../../../preload/procedures/plain.ts';
import { dialog } from '../../ui/dialog.ts';
import { field } from '../../ui/field.ts';
import { icon } from '../../ui/icons.ts';
import { notice } from '../../ui/notice.ts';
import { progress } from '../../ui/progress.ts';
import { designStyles } from '../../ui/styles.ts';
import type { Language } from '../../locales/i18n.ts';
import { frameTexts } from '../../locales/frame.ts';
import { managerTexts, type ManagerTexts } from '../../locales/manager.ts';
import { screenTexts } from '../../locales/screens.ts';
import { saveFile } from '../../save-file.ts';
import styles from './diagnostics.css?inline';

interface Typed {
  readonly passphrase: string;
  readonly again: string;
  /** The broken rule of each field. */
  readonly problems: { readonly passphrase?: string; readonly again?: string };
}

type Work =
  | ({ readonly kind: 'asked' } & Typed)
  /** `fraction` null while the daemon makes the file. */
  | { readonly kind: 'making'; readonly fraction: number | null; readonly cancel: AbortController }
  | {
      readonly kind: 'saved';
      readonly name: string;
      readonly missing: OutputOf<'makeBackup'>['missing'];
    }
  | { readonly kind: 'failed'; readonly words: string; readonly detail: string | null };

/** A backup of this counter: a passphrase, typed twice, and then the file. */
class CounterBackup extends LitElement {
  static override styles = [designStyles, unsafeCSS(styles)];

  @property({ attribute: false }) bridge!: Pick<Bridge, 'ask'>;
  @property({ attribute: false }) language!: Language;
  /** Whether its page is visible. */
  @property({ attribute: false }) visible!: boolean;
  @state() work: Work | null = null;

  protected override willUpdate(changed: PropertyValues): void {
    // Whoever comes next must not find it.
    if (changed.has('visible') && !this.visible && this.work?.kind === 'asked') this.work = null;
  }

  get #words(): ManagerTexts['health']['backup'] {
    return managerTexts[this.language].health.backup;
  }

  protected override render(): TemplateResult {
    const words = this.#words;
    const { work } = this;
    return html`<section class="card stack" aria-labelledby="backup-title">
        <h2 class="heading" id="backup-title">${words.title}</h2>
        <p>${words.lead}</p>
        ${work?.kind === 'saved' ? this.#saved(work) : nothing} ${work?.kind === 'failed' ? this.#failed(work) : nothing}
        <div class="row"><button data-testid="backup" @click=${() => this.#begin()}>${icon('lock')} ${words.begin}</button></div>
      </section>
      ${work?.kind === 'asked' ? this.#ask(work) : work?.kind === 'making' ? this.#making(work) : nothing}`;
  }

  #saved({ name, missing }: Extract<Work, { kind: 'saved' }>): TemplateResult {
    const words = this.#words;
    return html`<div data-testid="backup-saved">${notice({ kind: 'success', body: words.saved({ name }) })}</div>
      ${missing.length === 0 ? nothing : html`<p>${words.missing}</p><ul class="mono small soft">${missing.map((one) => html`<li>${one}</li>`)}</ul>`}`;
  }

  #failed({ words, detail }: Extract<Work, { kind: 'failed' }>): TemplateResult {
    return html`<div data-testid="backup-failed">${notice({ kind: 'error', body: words })}</div>
      ${detail === null ? nothing : html`<p class="mono small soft">${screenTexts[this.language].support}: ${detail}</p>`}`;
  }

  #ask(typed: Typed): TemplateResult {
    const words = this.#words;
    const shared = {
      language: this.language,
      type: 'password',
      autocomplete: 'new-password',
      required: true,
    } as const;
    return dialog({
      language: this.language,
      title: words.title,
      visible: this.visible,
      onClose: () => (this.work = null),
      body: html`<p>${words.holds}</p>
        <p>${words.noWayRound}</p>
        ${field({
          ...shared,
          id: 'passphrase',
          label: words.passphrase,
          hint: words.rule({ least: minPassphraseLength }),
          value: typed.passphrase,
          problem: typed.problems.passphrase ?? null,
          focused: true,
          onInput: (passphrase) => this.#typed({ ...typed, passphrase, problems: {} }),
        })}
        ${field({
          ...shared,
          id: 'passphrase-again',
          label: words.again,
          value: typed.again,
          problem: typed.problems.again ?? null,
          onInput: (again) => this.#typed({ ...typed, again, problems: {} }),
        })}`,
      actions: html`<button data-testid="backup-cancel" @click=${() => (this.work = null)}>${screenTexts[this.language].design.cancel}</button>
        <button class="primary" data-testid="backup-make" @click=${() => this.#check(typed)}>${icon('download')} ${words.make}</button>`,
    });
  }

  #making({ fraction, cancel }: Extract<Work, { kind: 'making' }>): TemplateResult {
    const words = this.#words;
    const onCancel = (): void => cancel.abort();
    return dialog({
      language: this.language,
      title: words.title,
      visible: this.visible,
      onClose: onCancel,
      body: progress({
        language: this.language,
        label: fraction === null ? words.making : words.fetching,
        fraction,
        onCancel,
      }),
    });
  }

  #begin(): void {
    this.work = { kind: 'asked', passphrase: '', again: '', problems: {} };
  }

  #typed(typed: Typed): void {
    this.work = { kind: 'asked', ...typed };
  }

  #check({ passphrase, again }: Typed): void {
    const words = this.#words;
    const problem = passphraseProblem(passphrase, true);
    const rules = {
      notOneLine: words.oneLine,
      tooShort: words.tooShort({ least: minPassphraseLength }),
      tooLong: words.tooLong({ most: maxPassphraseLength }),
    };
    if (problem !== null)
      return this.#typed({
        passphrase,
        again,
        problems: { passphrase: passphrase === '' ? rules.tooShort : rules[problem] },
      });
    if (again !== passphrase)
      return this.#typed({ passphrase, again, problems: { again: words.differ } });
    void this.#make(passphrase);
  }

  async #make(passphrase: string): Promise<void> {
    const cancel = new AbortController();
    cancel.signal.addEventListener('abort', () => (this.work = null));
    this.work = { kind: 'making', fraction: null, cancel };
    const answer = await this.bridge.ask('makeBackup', { passphrase });
    if (cancel.signal.aborted) return;
    if (!answer.ok) {
      this.work = {
        kind: 'failed',
        words: this.#refusal(answer.code),
        detail: answer.code === 'notMade' ? answer.message : null,
      };
      return;
    }
    const { file, missing } = answer.value;
    const onProgress = (fraction: number): void => {
      if (!cancel.signal.aborted) this.work = { kind: 'making', fraction, cancel };
    };
    const saved = await saveFile(this.bridge, file, { onProgress, signal: cancel.signal });
    if (saved === 'cancelled') return;
    this.work =
      saved === 'saved'
        ? { kind: 'saved', name: file.name, missing }
        : { kind: 'failed', words: this.#words.failed, detail: null };
  }

  #refusal(code: RefusalOf<'makeBackup'>): string {
    switch (code) {
      case 'underWay':
      case 'noRoom':
      case 'tooLarge':
      case 'notMade':
        return this.#words.refused[code];
      default:
        return frameTexts[this.language].refusal[code];
    }
  }
}
customElements.define('tb-backup', CounterBackup);
