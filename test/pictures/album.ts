import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { inFewColours, type Pixels } from './few-colours.ts';

/** Half of each side: text can still be told apart, and the files stay small. */
export const pictureScale = 0.5;
/** Share of the pixels that may differ: less than another word makes. */
const mayDiffer = 0.0003;
/** How far a pixel's colour may be off, as a share of its range (`pixelmatch`). */
const threshold = 0.12;

export const renewsPictures = process.env['TILLBEACON_PICTURES'] === 'renew';
const differentFolder = fileURLToPath(new URL('../../out/pictures', import.meta.url));

/** The pictures of one screen, kept beside the tests. */
export class Album {
  readonly #folder: string;
  readonly #different: string;
  readonly #shown = new Set<string>();

  constructor(screen: string) {
    this.#folder = fileURLToPath(new URL(screen, import.meta.url));
    this.#different = join(differentFolder, screen);
    rmSync(this.#different, { recursive: true, force: true });
    mkdirSync(this.#folder, { recursive: true });
  }

  /** Why the page differs from its kept picture; null when it does not. */
  async compare(page: Page, name: string): Promise<string | null> {
    this.#shown.add(`${name}.png`);
    const expected = read(join(this.#folder, `${name}.png`));
    const look = async () => {
      const { pixels, file } = inFewColours(
        PNG.sync.read(await page.screenshot({ animations: 'disabled', caret: 'hide' })),
      );
      return { file, difference: expected === null ? null : differenceOf(expected, pixels) };
    };
    let { file, difference } = await look();
    // A page that was given another size or other colours needs some frames until all is in its
    // place.
    for (let looks = 1; looks < 4 && difference?.isSame === false; looks += 1)
      ({ file, difference } = await look());
    if (difference?.isSame === true) return null;
    if (renewsPictures) {
      writeFileSync(join(this.#folder, `${name}.png`), file());
      return null;
    }
    mkdirSync(this.#different, { recursive: true });
    const path = join(this.#different, name);
    writeFileSync(`${path}.actual.png`, file());
    if (difference === null)
      return `there is no picture "${name}" yet (${path}.actual.png): npm run pictures -- --update`;
    if (difference.diff !== null)
      writeFileSync(`${path}.diff.png`, PNG.sync.write(difference.diff));
    return `it does not look as it did, ${difference.what}: ${path}.{actual,diff}.png; if it should: npm run pictures -- --update`;
  }

  /**
   * Files of pictures that this run did not compare. Renewing removes them. @param notShown the
   * states that it did not come to
   */
  leftOver(notShown: readonly string[]): string[] {
    const isOfThese = (name: string): boolean => notShown.includes(name.split('.')[0] ?? '');
    const others = readdirSync(this.#folder).filter(
      (name) => name.endsWith('.png') && !this.#shown.has(name) && !isOfThese(name),
    );
    if (renewsPictures) for (const name of others) rmSync(join(this.#folder, name));
    return renewsPictures ? [] : others;
  }
}

function read(path: string): PNG | null {
  try {
    return PNG.sync.read(readFileSync(path));
  } catch {
    return null;
  }
}

function differenceOf(
  kept: PNG,
  actual: Pixels,
): { isSame: boolean; what: string; diff: PNG | null } {
  const { width, height } = actual;
  if (kept.width !== width || kept.height !== height)
    return {
      isSame: false,
      what: `${kept.width}×${kept.height} before and ${width}×${height} now`,
      diff: null,
    };
  const diff = new PNG({ width, height });
  const pixels = pixelmatch(kept.data, actual.data, diff.data, width, height, { threshold });
  return { isSame: pixels <= mayDiffer * width * height, what: `${pixels} pixels differ`, diff };
}
