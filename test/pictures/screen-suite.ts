import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Language, languages } from '../../renderer/locales/i18n.ts';
import { accessibilityFaults } from '../support/accessibility.ts';
import { launchChromium } from '../support/browser.ts';
import { isLong } from '../support/long.ts';
import { Pool } from '../support/pool.ts';
import { Album, pictureScale, renewsPictures } from './album.ts';
import { otherFonts } from './fonts.ts';
import { faultsInLargeType, faultsToTheEye, faultsToTheKeyboard } from './look.ts';
import { openPage, type ScreenFolder, Stage } from './stage.ts';
import type { State } from './states/state.ts';

export interface ScreenSuite {
  readonly screen: ScreenFolder;
  /** The folder of its pictures; left out: the screen's name. */
  readonly album?: string;
  /** In the names of the tests. */
  readonly name: string;
  readonly states: readonly State[];
  /** Besides 1024×768; each has a name for the pictures. */
  readonly sizes?: Readonly<Record<string, { readonly width: number; readonly height: number }>>;
}

const usual = { width: 1024, height: 768 };
const large = { width: 1920, height: 1080 };
/** What depends little on the words (accessibility, contrast, large type, other sizes) is judged in the language with the longest ones, and in all by `npm run test:long`. */
const longest: Language = 'fi';
const pictured: Language = 'en';
const all = languages;
/** Words alone are judged in the longest language, all states that have pictures in theirs too, the most seen in one of the others in turn; everything in all by `npm run test:long`. */
const others = all.filter((language) => language !== longest && language !== pictured);
function languagesOf({ likeAnother, main }: State, place: number): readonly Language[] {
  if (isLong) return all;
  if (likeAnother === true) return [longest];
  return all.filter((language) => language === longest || language === pictured || (main === true && language === others[place % others.length]));
}
/** States that are judged at the same time, each on a page of its own. */
const pageCount = 2;

/** A counter that the test makes up, and a page of the screen that is kept from state to state. */
interface Stand {
  readonly stage: Stage;
  readonly page: Page;
  /** Errors on the page's console. */
  readonly mistakes: string[];
  /** Nothing was pressed on the page and nothing is behind its address: the next state can be pushed to it. */
  isUntouched: boolean;
  /** How often the page was loaded. */
  loads: number;
}

/** Every state of a screen, in every language, light and dark: accessible, readable, reachable by finger and keyboard, and as in the kept pictures. */
export function screenSuite({ screen, album: folder = screen, name, states, sizes = {} }: ScreenSuite): void {
  let browser: Browser;
  let pool: Pool<Stand>;
  const album = new Album(folder);
  let notCompared: string | null = null;

  beforeAll(async () => {
    browser = await launchChromium();
    pool = new Pool(await Promise.all(Array.from({ length: pageCount }, openStand)));
    notCompared = await pool.use(({ page }) => otherFonts(page, renewsPictures));
    if (notCompared !== null) process.stderr.write(`\n${notCompared}\n`);
  });
  afterAll(async () => {
    await browser.close();
    await Promise.all(pool.members.map(({ stage }) => stage.close()));
  });

  async function openStand(): Promise<Stand> {
    const stage = await Stage.open();
    const mistakes: string[] = [];
    const page = await openPage(browser, { mistakes, deviceScaleFactor: pictureScale });
    await page.goto(`${stage.url}/`);
    return { stage, page, mistakes, isUntouched: false, loads: 0 };
  }

  /** Brings the page to the state, in this language. A message that answers a press keeps the language it came in: with `reach`, each language begins anew. */
  async function show(stand: Stand, { scene, at, reach }: State, language: Language, isFirst: boolean): Promise<void> {
    const { stage, page } = stand;
    if (isFirst) stage.play(scene);
    await page.evaluate(() => {
      (document.activeElement as HTMLElement | null)?.blur();
      // What was typed in the state before.
      sessionStorage.clear();
      localStorage.clear();
    });
    const loads = isFirst && (reach !== undefined || at !== undefined || !stand.isUntouched);
    // A number of its own: another part after # alone would load nothing.
    if (loads) stand.loads += 1;
    const address = `${stage.url}/${screen === 'home' ? '' : `${screen}/`}?lang=${language}&load=${stand.loads}${at ?? ''}`;
    if (loads) await page.goto(address);
    else if (reach !== undefined) await renew(page, address);
    await stage.seenBy(page, screen);
    await speak(stand, language);
    await reach?.(page);
    await stage.stillness(page);
    stand.isUntouched = at === undefined && reach === undefined;
  }

  /** As if the page were loaded again: everything that a screen remembers is in its element, and each has a connection of its own. */
  const renew = (page: Page, address: string): Promise<void> =>
    page.evaluate(
      ([tag, href]) => {
        history.replaceState(null, '', href);
        document.querySelector(tag as string)?.replaceWith(document.createElement(tag as string));
      },
      [`tb-${screen}`, address],
    );

  async function speak({ stage, page }: Stand, language: Language): Promise<void> {
    await page.evaluate(
      ([tag, spoken]) => {
        const element = document.querySelector(tag as string) as HTMLElement & { language: string };
        element.language = spoken as string;
      },
      [`tb-${screen}`, language],
    );
    await stage.stillness(page);
  }

  /** What is wrong with the state, one line each. */
  async function judge(stand: Stand, state: State): Promise<string[]> {
    const { page } = stand;
    const faults: string[] = [];
    const add = (where: string, found: readonly string[]): void => void faults.push(...found.map((fault) => `${where}: ${fault}`));
    const picture = async (about: string): Promise<void> => {
      const wrong = notCompared === null ? await album.compare(page, `${state.name}.${about}`) : null;
      if (wrong !== null) faults.push(wrong);
    };
    const isNew = state.likeAnother !== true;
    for (const [place, language] of languagesOf(state, states.indexOf(state)).entries()) {
      await show(stand, state, language, place === 0);
      const inDepth = isLong || language === longest;
      if (inDepth) add(language, await accessibilityFaults(page, isNew ? 'everything' : 'all but colours'));
      add(language, await faultsToTheEye(page));
      if (!isNew) continue;
      if (language === pictured) await picture('light');
      if (inDepth) add(language, await faultsInLargeType(page));
      const isPicturedInDepth = language === pictured && state.main === true;
      if (!inDepth && !isPicturedInDepth) continue;
      await page.emulateMedia({ colorScheme: 'dark' });
      if (inDepth) add(`${language}, dark`, await accessibilityFaults(page, 'colours'));
      if (isPicturedInDepth) await picture('dark');
      await page.emulateMedia({ colorScheme: 'light' });
      for (const [size, viewport] of Object.entries({ ...sizes, large })) {
        await page.setViewportSize(viewport);
        if (inDepth) add(`${language}, ${size}`, await faultsToTheEye(page));
        if (isPicturedInDepth) await picture(size);
      }
      await page.setViewportSize(usual);
    }
    if (isNew) add('keyboard', await faultsToTheKeyboard(page));
    return [...faults, ...stand.mistakes.splice(0)];
  }

  describe(name, () => {
    test.concurrent.each(states)('$name', async (state) => {
      expect(await pool.use((stand) => judge(stand, state))).toEqual([]);
    });

    test('no picture is kept of a state that is gone', ({ skip }) => {
      if (notCompared !== null) skip(notCompared);
      expect(album.leftOver()).toEqual([]);
    });
  });
}
