import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Language, languages } from '../../renderer/locales/i18n.ts';
import { accessibilityFaults } from '../support/accessibility.ts';
import { launchChromium } from '../support/browser.ts';
import { Album, pictureScale, renewsPictures } from './album.ts';
import { otherFonts } from './fonts.ts';
import { faultsInLargeType, faultsToTheEye, faultsToTheKeyboard } from './look.ts';
import { openPage, type ScreenFolder, Stage } from './stage.ts';
import type { State } from './states/state.ts';

export interface ScreenSuite {
  readonly screen: ScreenFolder;
  /** Of its pictures; left out: the screen's name. */
  readonly album?: string;
  /** As people call it. */
  readonly name: string;
  readonly states: readonly State[];
  /** Besides 1024×768; a name for the pictures each. */
  readonly sizes?: Readonly<Record<string, { readonly width: number; readonly height: number }>>;
}

const usual = { width: 1024, height: 768 };
const large = { width: 1920, height: 1080 };
const all = languages;
const longest = 'fi';

/** Every state of a screen, in every language, light and dark: accessible, whole, in reach of finger and keyboard, and as it looked before. */
export function screenSuite({ screen, album: folder = screen, name, states, sizes = {} }: ScreenSuite): void {
  let browser: Browser;
  let stage: Stage;
  let page: Page;
  const mistakes: string[] = [];
  const album = new Album(folder);
  let notCompared: string | null = null;

  beforeAll(async () => {
    [browser, stage] = await Promise.all([launchChromium(), Stage.open()]);
    page = await openPage(browser, { mistakes, deviceScaleFactor: pictureScale });
    await page.goto(`${stage.url}/`);
    notCompared = await otherFonts(page, renewsPictures);
    if (notCompared !== null) process.stderr.write(`\n${notCompared}\n`);
  });
  afterAll(async () => {
    await browser.close();
    await stage.close();
  });

  /** The page is as it was loaded: nobody has touched it since. */
  let isUntouched = false;
  async function show({ scene, at, reach }: State, language: Language): Promise<void> {
    const isFirst = language === all[0];
    if (isFirst) stage.play(scene);
    await page.evaluate(() => {
      (document.activeElement as HTMLElement | null)?.blur();
      // What the state before had typed.
      sessionStorage.clear();
      localStorage.clear();
    });
    if (reach !== undefined || (isFirst && (at !== undefined || !isUntouched))) {
      isUntouched = false;
      await page.goto('about:blank');
      await page.goto(`${stage.url}/${screen === 'home' ? '' : `${screen}/`}?lang=${language}${at ?? ''}`);
    }
    await stage.seenBy(page, screen);
    await speak(language);
    await reach?.(page);
    await stage.stillness(page);
    isUntouched = at === undefined && reach === undefined;
  }
  async function speak(language: Language): Promise<void> {
    await page.evaluate(
      ([tag, spoken]) => {
        const one = document.querySelector(tag as string) as HTMLElement & { language: string };
        one.language = spoken as string;
      },
      [`tb-${screen}`, language],
    );
    await stage.stillness(page);
  }

  describe(name, () => {
    test.each(states)('$name', async (state) => {
      const faults: string[] = [];
      const add = (where: string, found: readonly string[]): void => void faults.push(...found.map((fault) => `${where}: ${fault}`));
      const picture = async (about: string): Promise<void> => {
        const wrong = notCompared === null ? await album.compare(page, `${state.name}.${about}`) : null;
        if (wrong !== null) faults.push(wrong);
      };
      for (const language of all) {
        // What does not depend on the words is looked at in the longest ones.
        const inDepth = state.main === true || (language === longest && state.likeAnother !== true);
        await show(state, language);
        add(language, await accessibilityFaults(page, inDepth ? 'everything' : 'all but colours'));
        add(language, await faultsToTheEye(page));
        if (state.main === true || language === 'en') await picture(language);
        if (state.likeAnother !== true) add(language, await faultsInLargeType(page));
        if (inDepth) {
          await page.emulateMedia({ colorScheme: 'dark' });
          add(`${language}, dark`, await accessibilityFaults(page, 'colours'));
          if (state.main === true && language === 'en') await picture('dark');
          await page.emulateMedia({ colorScheme: 'light' });
          for (const [size, viewport] of Object.entries({ ...sizes, large })) {
            await page.setViewportSize(viewport);
            add(`${language}, ${size}`, await faultsToTheEye(page));
            if (language === longest && state.main === true) await picture(size);
          }
          await page.setViewportSize(usual);
        }
      }
      if (state.likeAnother !== true) add('keyboard', await faultsToTheKeyboard(page));
      expect([...faults, ...mistakes.splice(0)]).toEqual([]);
    });

    test('no picture is kept of what is shown no more', ({ skip }) => {
      if (notCompared !== null) skip(notCompared);
      expect(album.leftOver()).toEqual([]);
    });
  });
}
