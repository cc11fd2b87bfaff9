import type { Browser, Page } from 'playwright';
import { launchChromium, typeAsScanner } from '../support/browser.ts';
import { until } from '../support/processes.ts';

/** A code that a customer shows, and what its characters would do on a keyboard. */
const codes = [
  '4006381333931',
  '12',
  '\r\r',
  '\r40063813',
  ' 4006381333931 ',
  '40063\t81333931',
  '40063\x1b81333931',
  '400\b\b\b81333931',
  '40063813\r\r\r',
  '40063813\r\t\r',
  '7'.repeat(1_500),
];
/** Milliseconds between two keys: of a scanner on a cable, and of those with Bluetooth. */
const paces = [8, 60, 150];

const waitMs = 250;
const holds = (is: boolean, what: string): void => {
  if (!is) throw new Error(what);
};

/**
 * Scans every code into the cashier's form, with the focus on its amount and on the button that
 * takes the payment.
 */
export async function scanIntoCashier(screens: string): Promise<string> {
  return inBrowser(async (page) => {
    await page.goto(`${screens}/cashier/?lang=en`);
    await page.locator('[data-state="idle"]').waitFor({ timeout: 20_000 });
    await page.getByTestId('by-hand').click();
    for (const key of '1234') await page.locator(`tb-amount-pad [data-key="${key}"]`).click();
    for (const gapMs of paces) {
      for (const code of codes) {
        await page.getByTestId('take').focus();
        await typeAsScanner(page, code, gapMs);
        await page.waitForTimeout(waitMs);
        holds(
          (await page.locator('[data-state="idle"]').count()) === 1,
          `${JSON.stringify(code)} every ${gapMs} ms has begun a payment`,
        );
        holds(
          (await page.getByTestId('amount-typed').inputValue()).includes('12.34'),
          `${JSON.stringify(code)} every ${gapMs} ms has changed the amount`,
        );
      }
      await page.getByTestId('amount-typed').focus();
      await typeAsScanner(page, '4006381333931', gapMs);
      await page.waitForTimeout(waitMs);
      holds(
        (await page.getByTestId('amount-typed').inputValue()).includes('12.34'),
        `goods scanned every ${gapMs} ms have become an amount`,
      );
    }
    return `${codes.length} codes at ${paces.length} paces: no payment began, and the amount stayed`;
  });
}

/** Scans codes of digits at the sign-in, where each would be a guess of the PIN. */
export async function scanIntoSignIn(screens: string): Promise<string> {
  return inBrowser(async (page) => {
    await page.goto(`${screens}/manager/?lang=en`);
    const pin = page.getByTestId('pin');
    await pin.waitFor({ timeout: 20_000 });
    for (const gapMs of [...paces, ...paces]) {
      await pin.focus();
      await typeAsScanner(page, '4006381333931', gapMs);
      await until(async () => (await pin.inputValue()) === '', 'the field to be empty');
      holds(
        (await page.getByText(/wrong|locked/i).count()) === 0,
        `a scan every ${gapMs} ms was a guess`,
      );
    }
    return 'none was a guess, and the field stayed empty';
  });
}

async function inBrowser(attempt: (page: Page) => Promise<string>): Promise<string> {
  const browser: Browser = await launchChromium();
  try {
    return await attempt(await browser.newPage());
  } finally {
    await browser.close();
  }
}
