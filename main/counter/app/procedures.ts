import type { Answer } from '../../../preload/procedures/procedure.ts';
import { messageOf } from '../../core/domain/errors.ts';
import type { Log } from '../../core/domain/log.ts';
import type { Router } from '../server/router.ts';

/** The router, and what is behind it. */
export interface OpenProcedures {
  readonly router: Pick<Router, 'call'>;
  /** Releases the tills that setup listens to. */
  endSetup(): Promise<void>;
  close(): void;
}

/**
 * Loads the procedures that pages call. They are a third of the program and no till needs them, so
 * they load after the lanes, or when a page calls first.
 */
export class Procedures implements Pick<Router, 'call'> {
  readonly #load: () => Promise<OpenProcedures>;
  readonly #log: Log;
  #opening: Promise<OpenProcedures> | null = null;
  #opened: OpenProcedures | null = null;
  #isClosed = false;

  constructor(load: () => Promise<OpenProcedures>, log: Log) {
    this.#load = load;
    this.#log = log;
  }

  /** Never rejects: what could not be loaded is tried again with the next call. */
  async load(): Promise<void> {
    if (this.#isClosed) return;
    await this.#open().catch((error: unknown) =>
      this.#log.error(
        { detail: messageOf(error) },
        'the procedures of the pages could not be loaded',
      ),
    );
  }

  async call(...about: Parameters<Router['call']>): Promise<Answer> {
    try {
      const { router } = await this.#open();
      return await router.call(...about);
    } catch (error) {
      return { ok: false, code: 'failed', field: null, message: messageOf(error), facts: {} };
    }
  }

  /** Does not wait for what is still being loaded, because closing has two seconds. */
  async endSetup(): Promise<void> {
    this.#isClosed = true;
    await this.#opened?.endSetup();
  }

  close(): void {
    this.#opened?.close();
  }

  #open(): Promise<OpenProcedures> {
    this.#opening ??= this.#load().then(
      (opened) => (this.#opened = opened),
      (error: unknown) => {
        this.#opening = null;
        throw error;
      },
    );
    return this.#opening;
  }
}
