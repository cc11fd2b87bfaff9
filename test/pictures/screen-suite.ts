import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Language, languages } from '../../renderer/locales/i18n.ts';
import { accessibilityFaults } from '../support/accessibility.ts';
import { launchChromium } from '../support/browser.ts';
import { isLong, someOf } from '../support/long.ts';
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
  /** The screen's name in the titles of the tests. */
  readonly name: string;
  readonly states: readonly State[];
  /** Besides 1024×768; each has a name for the pictures. */
  readonly sizes?: Readonly<Record<string, { readonly width: number; readonly height: number }>>;
}

const usual = { width: 1024, height: 768 };
const large = { width: 1920, height: 1080 };
/**
 * What depends little on the words (accessibility, contrast, large type, other sizes) is judged in
 * the language with the longest ones, and in all by `npm run test:long`.
 */
const longest: Language = 'fi';
const pictured: Language = 'en';
/** The pictured one first: where a page is scrolled to may depend on what it has shown before. */
const all = [pictured, ...languages.filter((language) => language !== pictured)];
/**
 * Words alone are judged in the longest language, all states that have pictures in theirs too, the
 * most seen in one of the others in turn; everything in all by `npm run test:long`.
 */
const otherLanguages = all.filter((language) => language !== longest && language !== pictured);
function languagesOf({ likeAnother, main }: State, place: number): readonly Language[] {
  if (isLong) return all;
  if (likeAnother === true) return [longest];
  const other = main === true ? otherLanguages[place % otherLanguages.length] : undefined;
  return all.filter(
    (language) => language === longest || language === pictured || language === other,
  );
}
/** States that are judged at the same time, each on a page of its own. */
const pageCount = 2;

/** A counter that the test makes up, and a page of the screen that is kept from state to state. */
interface Stand {
  readonly stage: Stage;
  readonly page: Page;
  /** Errors on the page's console. */
  readonly mistakes: string[];
  /**
   * Whether nothing was pressed on the page and its address has no parameters, so that the next
   * state can be pushed to it.
   */
  isUntouched: boolean;
}

/**
 * Sent to the page before its own scripts: so that {@link clear} can end its connections, which
 * would redraw what is gone at every state to come.
 */
function connectionsThatEnd(): void {
  const open = new Set<EndableSocket>();
  class EndableSocket extends WebSocket {
    readonly #ending = new AbortController();
    constructor(url: string) {
      super(url);
      open.add(this);
    }
    override addEventListener(type: string, listener: EventListenerOrEventListenerObject): void {
      super.addEventListener(type, listener, { signal: this.#ending.signal });
    }
    end(): void {
      this.#ending.abort();
      this.close();
    }
  }
  window.WebSocket = EndableSocket as typeof WebSocket;
  Object.assign(globalThis, {
    endConnections() {
      for (const socket of open) socket.end();
      open.clear();
    },
  });
}

/**
 * In the page: away with what was typed in the state before, and, before the element of another
 * address, with the element of the screen and all that it remembers.
 */
function clear({ tag, address }: { readonly tag: string; readonly address: string | null }): void {
  (document.activeElement as HTMLElement | null)?.blur();
  sessionStorage.clear();
  localStorage.clear();
  if (address === null) return;
  document.querySelector(tag)?.remove();
  (globalThis as unknown as { endConnections(): void }).endConnections();
  history.replaceState(null, '', address);
}

/**
 * Every state of a screen, in every language, light and dark: accessible, readable, reachable by
 * finger and keyboard, and as in the kept pictures.
 */
export function screenSuite({
  screen,
  album: folder = screen,
  name,
  states,
  sizes = {},
}: ScreenSuite): void {
  let browser: Browser;
  let pool: Pool<Stand>;
  const album = new Album(folder);
  /**
   * Besides the states that are seen most a part of the others is shown, and contrast, large type
   * and other sizes are judged in a part of that; all by `npm run test:long`.
   */
  const namesOf = (chosen: readonly State[]): string[] => chosen.map((state) => state.name);
  const seenLess = namesOf(
    states.filter(({ main, likeAnother }) => main !== true && likeAnother !== true),
  );
  const inDepth = new Set([
    ...namesOf(states.filter(({ main }) => main === true)),
    ...someOf(seenLess, Math.ceil(seenLess.length / 8)),
  ]);
  const others = namesOf(states.filter(({ main }) => main !== true));
  const shown = new Set([
    ...inDepth,
    ...(renewsPictures ? others : someOf(others, Math.ceil(others.length / 4))),
  ]);
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
    await page.addInitScript(connectionsThatEnd);
    await page.goto(addressOf(stage, longest));
    await stage.everyText(page);
    return { stage, page, mistakes, isUntouched: true };
  }

  const addressOf = (stage: Stage, language: Language, at = ''): string =>
    `${stage.url}/${screen === 'home' ? '' : `${screen}/`}?lang=${language}${at}`;

  /**
   * Brings the page to the state, in this language. A message that answers a press keeps the
   * language it came in: with `reach`, each language begins anew.
   */
  async function show(
    stand: Stand,
    { scene, at, reach }: State,
    language: Language,
    isFirst: boolean,
  ): Promise<void> {
    const { stage, page } = stand;
    const address =
      reach !== undefined || (isFirst && (at !== undefined || !stand.isUntouched))
        ? addressOf(stage, language, at)
        : null;
    await page.evaluate(clear, { tag: `tb-${screen}`, address });
    // Moves the pointer to the corner, and makes the last input a press: whether the focus is
    // visible depends on whether it was a key.
    if (address !== null) await page.mouse.click(0, 0);
    if (isFirst) stage.play(scene);
    if (address !== null)
      await page.evaluate(
        (tag) => document.body.append(document.createElement(tag)),
        `tb-${screen}`,
      );
    await stage.viewReaches(page, screen);
    await speak(stand, language);
    // Whether what has the focus shows it depends on the key or press before, in the state before.
    if (reach === undefined)
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    else {
      await reach(page);
      await stage.stillness(page);
    }
    stand.isUntouched = at === undefined && reach === undefined;
  }

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

  /** The faults of the state, one line each. */
  async function judge(stand: Stand, state: State): Promise<string[]> {
    const { page } = stand;
    const faults: string[] = [];
    const add = (where: string, found: readonly string[]): void =>
      void faults.push(...found.map((fault) => `${where}: ${fault}`));
    const picture = async (about: string): Promise<void> => {
      const wrong =
        notCompared === null ? await album.compare(page, `${state.name}.${about}`) : null;
      if (wrong !== null) faults.push(wrong);
    };
    const isNew = state.likeAnother !== true;
    for (const [place, language] of languagesOf(state, states.indexOf(state)).entries()) {
      await show(stand, state, language, place === 0);
      const isJudged = isLong || language === longest;
      const isJudgedInDepth = isJudged && inDepth.has(state.name);
      if (isJudged)
        add(
          language,
          await accessibilityFaults(page, isJudgedInDepth ? 'everything' : 'all but colours'),
        );
      add(language, await faultsToTheEye(page));
      if (!isNew) continue;
      if (language === pictured) await picture('light');
      if (isJudgedInDepth) add(language, await faultsInLargeType(page));
      const isPicturedInDepth = language === pictured && state.main === true;
      if (!isJudgedInDepth && !isPicturedInDepth) continue;
      await page.emulateMedia({ colorScheme: 'dark' });
      if (isJudgedInDepth) add(`${language}, dark`, await accessibilityFaults(page, 'colours'));
      if (isPicturedInDepth) await picture('dark');
      await page.emulateMedia({ colorScheme: 'light' });
      for (const [size, viewport] of Object.entries({ ...sizes, large })) {
        await page.setViewportSize(viewport);
        if (isJudgedInDepth) add(`${language}, ${size}`, await faultsToTheEye(page));
        if (isPicturedInDepth) await picture(size);
      }
      await page.setViewportSize(usual);
    }
    if (isNew) add('keyboard', await faultsToTheKeyboard(page));
    return [...faults, ...stand.mistakes.splice(0)];
  }

  describe(name, () => {
    test.concurrent.each(states.filter((state) => shown.has(state.name)))(
      '$name',
      async (state) => {
        expect(await pool.use((stand) => judge(stand, state))).toEqual([]);
      },
    );

    test('no picture is kept of a state that is gone', ({ skip }) => {
      if (notCompared !== null) skip(notCompared);
      expect(album.leftOver(namesOf(states.filter((state) => !shown.has(state.name))))).toEqual([]);
    });
  });
}
