import type { App, BrowserWindow, Dialog, MessageBoxOptions } from 'electron';
import type { Language } from '../../core/domain/languages.ts';
import type { Log } from '../../core/domain/log.ts';
import { SettingsError } from '../../support/settings/settings-error.ts';
import { restartCode } from '../updates/versions.ts';
import { exits } from './supervised.ts';
import { desktopTexts } from './texts.ts';
import { endsInWords, type UnderWay } from './under-way.ts';

interface EndingOptions {
  readonly app: Pick<App, 'exit' | 'quit'>;
  readonly dialog: Pick<Dialog, 'showErrorBox' | 'showMessageBox'>;
  /** What would end with this program. */
  readonly interrupted: () => readonly UnderWay[];
  readonly language: () => Language;
  /** In front of which a question is asked. */
  readonly parent: () => BrowserWindow | undefined;
  /** Somebody wants the app to go on. */
  readonly onStay: () => void;
  readonly close: () => Promise<void>;
  readonly flush: () => void;
  readonly log: Log;
}

/**
 * How the app ends: when somebody quits it, the system shuts down, it wants to be started again, it
 * cannot start, or by an error.
 */
export class Ending {
  readonly #options: EndingOptions;
  #state: 'no' | 'asking' | 'now' = 'no';
  /** Nobody can be asked. */
  #must = false;
  #exitCode: number = exits.wanted;

  constructor(options: EndingOptions) {
    this.#options = options;
  }

  get isNow(): boolean {
    return this.#state === 'now';
  }

  /** Without a question, e.g. because the system shuts down. */
  atOnce(): void {
    this.#must = true;
    this.#options.app.quit();
  }

  /** The supervisor starts the app again. */
  restart(): void {
    this.#exitCode = restartCode;
    this.atOnce();
  }

  /** Asks first where something would be interrupted. */
  async quit(): Promise<void> {
    const { app, interrupted, onStay, close, flush } = this.#options;
    if (this.#state === 'asking' && !this.#must) return;
    const ends = this.#must ? [] : interrupted();
    if (ends.length > 0) {
      this.#state = 'asking';
      const isWanted = await this.#ask(ends);
      if (!isWanted && !this.#must) {
        this.#state = 'no';
        return onStay();
      }
    }
    if (this.isNow) return;
    this.#state = 'now';
    await close();
    flush();
    app.exit(this.#exitCode);
  }

  async #ask(ends: readonly UnderWay[]): Promise<boolean> {
    const { dialog, language, parent } = this.#options;
    const words = desktopTexts[language()].quit;
    const question: MessageBoxOptions = {
      type: 'warning',
      title: 'Tillbeacon',
      message: words.title,
      detail: `${words.lead}\n\n${endsInWords(language(), ends)}`,
      buttons: [words.stay, words.quit],
      defaultId: 0,
      cancelId: 0,
      noLink: true,
    };
    const over = parent();
    const { response } = await (over === undefined
      ? dialog.showMessageBox(question)
      : dialog.showMessageBox(over, question));
    return response === 1;
  }

  /**
   * By what nobody expected: the journal knows what was open, and the next start, by the
   * supervisor, finishes it.
   */
  crash(error: unknown): void {
    const { app, flush, log } = this.#options;
    log.error(
      { error: error instanceof Error ? error.stack : String(error) },
      'stopping Tillbeacon: unexpected error',
    );
    flush();
    const wasWanted = this.isNow;
    this.#state = 'now';
    app.exit(wasWanted ? this.#exitCode : exits.crashed);
  }

  refuseToStart(error: Error): void {
    const { app, dialog, flush, log } = this.#options;
    this.#state = 'now';
    log.error({ detail: error.message }, 'Tillbeacon cannot start');
    flush();
    dialog.showErrorBox('Tillbeacon cannot start', error.message);
    app.exit(error instanceof SettingsError ? exits.settingsAreWrong : exits.cannotStart);
  }
}
