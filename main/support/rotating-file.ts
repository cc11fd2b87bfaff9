import { constants } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { messageOf } from '../core/domain/errors.ts';
import type { Log } from '../core/domain/log.ts';
import { freeBytes as freeBytesOfDisk } from './disk-space.ts';

/** Limit of what waits to be written: a slow disk loses lines instead of filling the memory. */
const maxWaitingCharacters = 1_000_000;
/** Disk space that is left for the journal, which is more important. */
const minFreeBytes = 100_000_000;

export interface RotatingFileOptions {
  /** Ends in `.jsonl`; older files are `….1.jsonl`, `….2.jsonl` and so on. Its folder exists. */
  readonly path: string;
  /** Limit of each file, approximately. */
  readonly maxBytes: number;
  /** Number of files, including the one that is written. */
  readonly maxFiles: number;
  readonly log: Log;
  /** The system's own by default; tests simulate a full disk. */
  readonly openFile?: typeof open;
  readonly freeBytes?: (path: string) => Promise<number>;
}

/**
 * Lines in files of bounded size and number, for this user alone. Writing is asynchronous and never
 * fails a caller: after a failed write it logs the reason and stops for good.
 */
export class RotatingFile {
  readonly #options: RotatingFileOptions;
  #waiting: string[] = [];
  #waitingCharacters = 0;
  #lost = 0;
  #file: FileHandle | null = null;
  #bytes = 0;
  #work: Promise<void> | null = null;
  #stopped = false;

  constructor(options: RotatingFileOptions) {
    this.#options = options;
  }

  /** Whether a line could not be written. */
  get hasStopped(): boolean {
    return this.#stopped;
  }

  /** @param line without its end */
  append(line: string): void {
    if (this.#stopped) return;
    if (this.#waitingCharacters + line.length > maxWaitingCharacters) {
      this.#lost += 1;
      return;
    }
    this.#waiting.push(`${line}\n`);
    this.#waitingCharacters += line.length + 1;
    this.#work ??= this.#writeAll().finally(() => {
      this.#work = null;
    });
  }

  /** Resolves when everything was written, or never will be. */
  async close(): Promise<void> {
    await this.#work;
    await this.#file?.close().catch(() => {});
    this.#file = null;
  }

  async #writeAll(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        if (this.#lost > 0) {
          const note = `${JSON.stringify({ lost: this.#lost })}\n`;
          this.#waiting.push(note);
          this.#waitingCharacters += note.length;
          this.#lost = 0;
        }
        const text = this.#next();
        this.#waitingCharacters -= text.length;
        await this.#write(text);
      }
    } catch (error) {
      this.#stopped = true;
      this.#waiting = [];
      this.#options.log.error(
        { path: this.#options.path, detail: messageOf(error) },
        'stopped writing to this file',
      );
      await this.#file?.close().catch(() => {});
      this.#file = null;
    }
  }

  /** As many lines as fit into a file. */
  #next(): string {
    let characters = 0;
    const end = this.#waiting.findIndex(
      (line, index) => (characters += line.length) > this.#options.maxBytes && index > 0,
    );
    return this.#waiting.splice(0, end < 0 ? this.#waiting.length : end).join('');
  }

  async #write(text: string): Promise<void> {
    const { path, maxBytes, openFile = open, freeBytes = freeBytesOfDisk } = this.#options;
    const content = Buffer.from(text);
    if (this.#file !== null && this.#bytes + content.length > maxBytes) await this.#rotate();
    if (this.#file === null) {
      const { O_WRONLY, O_CREAT, O_APPEND, O_NOFOLLOW } = constants;
      this.#file = await openFile(path, O_WRONLY | O_CREAT | O_APPEND | (O_NOFOLLOW ?? 0), 0o600);
      this.#bytes = (await this.#file.stat()).size;
      if (this.#bytes > 0 && this.#bytes + content.length > maxBytes)
        return this.#rotate().then(() => this.#write(text));
    }
    if ((await freeBytes(path)) < minFreeBytes) throw new Error('the disk is nearly full');
    await this.#file.appendFile(content);
    this.#bytes += content.length;
  }

  async #rotate(): Promise<void> {
    await this.#file?.close();
    this.#file = null;
    for (let age = this.#options.maxFiles - 2; age >= 0; age -= 1)
      await rename(this.#pathOfAge(age), this.#pathOfAge(age + 1)).catch(
        (error: NodeJS.ErrnoException) => {
          if (error.code !== 'ENOENT') throw error;
        },
      );
  }

  #pathOfAge(age: number): string {
    return age === 0 ? this.#options.path : this.#options.path.replace(/\.jsonl$/, `.${age}.jsonl`);
  }
}
