import { html, LitElement, nothing, type TemplateResult, unsafeCSS } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { Bridge } from '../../preload/contract.ts';
import type { AnswerTo, OutputOf, RefusalOf } from '../../preload/procedures.ts';
import {
  maxPassphraseLength,
  passphraseProblem,
  picturePartLength,
} from '../../preload/procedures/plain.ts';
import { dialog } from '../ui/dialog.ts';
import { field, problemLine } from '../ui/field.ts';
import { icon } from '../ui/icons.ts';
import { notice } from '../ui/notice.ts';
import { progress } from '../ui/progress.ts';
import { designStyles } from '../ui/styles.ts';
import { formatDateTime, type Language } from '../locales/i18n.ts';
import { frameTexts } from '../locales/frame.ts';
import { screenTexts } from '../locales/screens.ts';
import { type RestoreTexts, restoreTexts } from '../locales/restore.ts';
import { pickFile } from './pick-file.ts';
import styles from './restore-backup.css?inline';

type Refused = Extract<AnswerTo<'backupPart' | 'restoreBackup'>, { ok: false }>;
type Work =
  /** `refused`: why not, in words. */
  | {
      readonly kind: 'asked';
      readonly refused: { readonly words: string; readonly detail: string | null } | null;
    }
  /** `fraction` null while the daemon restores it. */
  | { readonly kind: 'restoring'; readonly fraction: number | null }
  | { readonly kind: 'restored'; readonly about: OutputOf<'restoreBackup'> };

/** Bytes whose base64 has the length of a part. */
const partBytes = (picturePartLength / 4) * 3;

/** Restores a backup into this empty counter: the file, and its passphrase. @fires close */
class RestoreBackup extends LitElement {
  static override styles = [designStyles, unsafeCSS(styles)];

  @property({ attribute: false }) bridge!: Pick<Bridge, 'ask'>;
  @property({ attribute: false }) language!: Language;
  @state() file: File | null = null;
  @state() passphrase = '';
  /** The broken rule of each field. */
  @state() problems: { readonly file?: string; readonly passphrase?: string } = {};
  @state() work: Work = { kind: 'asked', refused: null };
  /** What the daemon has already. */
  #sent: File | null = null;

  get #words(): RestoreTexts {
    return restoreTexts[this.language];
  }

  protected override render(): TemplateResult {
    const words = this.#words;
    const { work, language } = this;
    const close = (): void => void this.dispatchEvent(new CustomEvent('close'));
    const shared = { language, title: words.title, onClose: close };
    if (work.kind === 'restored')
      return dialog({ ...shared, closable: false, body: this.#restored(work.about) });
    if (work.kind === 'restoring') {
      const label = work.fraction === null ? words.restoring : words.reading;
      return dialog({
        ...shared,
        closable: false,
        body: progress({ language, label, fraction: work.fraction }),
      });
    }
    return dialog({
      ...shared,
      body: this.#asked(work.refused),
      actions: html`<button data-testid="restore-cancel" @click=${close}>${screenTexts[language].design.cancel}</button>
        <button class="primary" data-testid="restore-now" @click=${() => this.#check()}>${icon('upload')} ${words.restore}</button>`,
    });
  }

  #asked(refused: Extract<Work, { kind: 'asked' }>['refused']): TemplateResult {
    const words = this.#words;
    return html`<p>${words.lead}</p>
      <div class="field" ?data-broken=${this.problems.file !== undefined}>
        <strong id="file-label">${words.file}</strong>
        <div class="row">
          <button id="backup-file" data-testid="backup-file" autofocus aria-describedby="file-label backup-file-problem" @click=${() => void this.#pick()}>
            ${icon('file')} ${words.choose}
          </button>
          ${this.file === null ? nothing : html`<span class="name" data-testid="backup-name">${this.file.name}</span>`}
        </div>
        ${problemLine('backup-file', this.problems.file)}
      </div>
      ${field({
        id: 'passphrase',
        label: words.passphrase,
        type: 'password',
        language: this.language,
        autocomplete: 'off',
        required: true,
        value: this.passphrase,
        problem: this.problems.passphrase ?? null,
        onInput: (text) => {
          this.passphrase = text;
          this.problems = { ...(this.problems.file !== undefined && { file: this.problems.file }) };
        },
      })}
      ${refused === null ? nothing : html`<div data-testid="restore-refused">${notice({ kind: 'error', body: refused.words })}</div>`}
      ${refused?.detail == null ? nothing : html`<p class="mono small soft">${screenTexts[this.language].support}: ${refused.detail}</p>`}`;
  }

  #restored({ from, madeAtMs, missing }: OutputOf<'restoreBackup'>): TemplateResult {
    const words = this.#words;
    return html`<div data-testid="restored">${notice({ kind: 'success', title: words.restored({ time: formatDateTime(this.language, madeAtMs), from }), body: words.startsAgain })}</div>
      ${missing.length === 0 ? nothing : html`<p>${words.missing}</p><ul class="mono small soft">${missing.map((one) => html`<li>${one}</li>`)}</ul>`}`;
  }

  async #pick(): Promise<void> {
    const file = await pickFile('.backup,application/octet-stream');
    if (file === null) return;
    this.file = file;
    this.problems = {};
    this.work = { kind: 'asked', refused: null };
  }

  #check(): void {
    const words = this.#words;
    const problem = passphraseProblem(this.passphrase, false);
    const rules = {
      notOneLine: words.passphraseNeeded,
      tooShort: words.passphraseNeeded,
      tooLong: words.tooLong({ most: maxPassphraseLength }),
    };
    this.problems = {
      ...(this.file === null && { file: words.fileNeeded }),
      ...(problem !== null && { passphrase: rules[problem] }),
    };
    if (this.file !== null && problem === null) void this.#restore(this.file);
  }

  async #restore(file: File): Promise<void> {
    this.work = { kind: 'restoring', fraction: this.#sent === file ? null : 0 };
    if (this.#sent !== file) {
      const refused = await this.#send(file);
      if (refused !== null) return this.#refuse(refused);
      this.#sent = file;
    }
    this.work = { kind: 'restoring', fraction: null };
    const answer = await this.bridge.ask('restoreBackup', { passphrase: this.passphrase });
    if (!answer.ok) return this.#refuse(answer);
    this.passphrase = '';
    this.work = { kind: 'restored', about: answer.value };
  }

  /**
   * Part by part, because it may be larger than what a page holds. @returns why not; `unread`: the
   * file cannot be read
   */
  async #send(file: File): Promise<Refused | 'unread' | null> {
    for (let part = 0; ; part += 1) {
      const end = (part + 1) * partBytes;
      const bytes = await file
        .slice(part * partBytes, end)
        .arrayBuffer()
        .catch(() => null);
      if (bytes === null) return 'unread';
      const base64 = btoa(
        Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join(''),
      );
      const answer = await this.bridge.ask('backupPart', { part, base64, last: end >= file.size });
      if (!answer.ok) return answer;
      if (end >= file.size) return null;
      this.work = { kind: 'restoring', fraction: end / file.size };
    }
  }

  #refuse(refused: Refused | 'unread'): void {
    const words = this.#words;
    if (refused === 'unread') {
      this.work = { kind: 'asked', refused: null };
      this.problems = { file: words.refused.unread };
      return;
    }
    const { code, message } = refused;
    // After a wrong passphrase the file is kept for another one, and otherwise sent again.
    if (code !== 'wrongPassphrase') this.#sent = null;
    const told = this.#refusal(code);
    if (code === 'wrongPassphrase') this.problems = { passphrase: told };
    else if (code === 'notABackup' || code === 'damaged' || code === 'tooLarge')
      this.problems = { file: told };
    const isAtField = Object.keys(this.problems).length > 0;
    this.work = {
      kind: 'asked',
      refused: isAtField ? null : { words: told, detail: code === 'notRestored' ? message : null },
    };
  }

  #refusal(code: RefusalOf<'backupPart' | 'restoreBackup'>): string {
    const { refused } = this.#words;
    switch (code) {
      case 'inUse':
      case 'underWay':
      case 'tooLarge':
      case 'noRoom':
      case 'wrongPassphrase':
      case 'notABackup':
      case 'newer':
      case 'damaged':
      case 'notRestored':
        return refused[code];
      default:
        return frameTexts[this.language].refusal[code];
    }
  }
}
customElements.define('tb-restore-backup', RestoreBackup);
