import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const journalEndings = ['', '-wal', '-shm', '.open'];

/**
 * The events of one round for a person to read: the lines of every side in the order of time, with
 * the wall clock that the daemon's log has too.
 */
export class Story {
  readonly lines: string[] = [];
  readonly #folder: string;
  #begunAtMs = performance.now();
  #pictures = 0;

  /** @param folder the shop's folder, into which copies of its journal are put */
  constructor(folder: string) {
    this.#folder = folder;
  }

  begin(): void {
    this.#begunAtMs = performance.now();
    this.lines.length = 0;
    for (; this.#pictures > 0; this.#pictures -= 1)
      rmSync(this.#pictureFolder(this.#pictures), { recursive: true, force: true });
  }

  tell(what: string): void {
    this.lines.push(
      `${new Date().toISOString().slice(11, 23)} ${(performance.now() - this.#begunAtMs).toFixed(1).padStart(8)} ms  ${what}`,
    );
  }

  /** Copies the journal's files as they are now. */
  takePicture(journal: string, why: string): void {
    this.#pictures += 1;
    const to = this.#pictureFolder(this.#pictures);
    mkdirSync(to, { recursive: true });
    for (const ending of journalEndings)
      if (existsSync(`${journal}${ending}`))
        cpSync(`${journal}${ending}`, join(to, `journal.sqlite${ending}`));
    this.tell(`the journal's files are copied to ${to}: ${why}`);
  }

  /** @returns the path of the file */
  write(sections: Readonly<Record<string, readonly string[]>>): string {
    const file = join(this.#folder, 'story.txt');
    const all = { 'what happened': this.lines, ...sections };
    writeFileSync(
      file,
      Object.entries(all)
        .map(([title, lines]) => `== ${title} ==\n${lines.join('\n')}\n`)
        .join('\n'),
    );
    return file;
  }

  #pictureFolder(number: number): string {
    return join(this.#folder, `picture-${number}`);
  }
}
