import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright';

/** The widths of the text on the machine where the pictures were made. */
const recorded = fileURLToPath(new URL('fonts.json', import.meta.url));
const text = 'Hyväksy sovelluksessa 1 234,50 € Åæøß';

/** The widths of the text on this machine in each font of the screens, in pixels. */
async function measured(page: Page): Promise<Record<string, number>> {
  return page.evaluate((words) => {
    const style = getComputedStyle(document.body);
    const context = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
    const width = (weight: number, family: string): number => {
      context.font = `${weight} 40px ${family}`;
      return Math.round(context.measureText(words).width);
    };
    const [sans, mono] = [style.fontFamily, style.getPropertyValue('--mono')];
    return { regular: width(400, sans), bold: width(700, sans), mono: width(400, mono) };
  }, text);
}

/**
 * Pictures made with other fonts cannot be compared. @param page any screen @returns why nothing
 * can be compared here; null when it can
 */
export async function otherFonts(page: Page, renews: boolean): Promise<string | null> {
  const here = await measured(page);
  const there = JSON.parse(readFileSync(recorded, 'utf8')) as typeof here;
  if (inWords(there) === inWords(here)) return null;
  if (renews) {
    writeFileSync(recorded, `${JSON.stringify(here, null, 2)}\n`);
    return null;
  }
  return `THE PICTURES WERE NOT COMPARED: they were made with other fonts (${inWords(there)}) than this machine has (${inWords(here)}).`;
}

const inWords = (widths: Readonly<Record<string, number>>): string => JSON.stringify(widths);
