import { describe, expect, test } from 'vitest';
import { languageNames } from '../../main/core/domain/languages.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { isLong } from '../support/long.ts';
import { at, page, open, step, installBeforeEach } from './installer.ts';

installBeforeEach();

describe('an installer', () => {
  // The pictures judge the same steps.
  test.runIf(isLong)(
    'reads every step in every language without a violation, with nothing cut and nothing to scroll sideways',
    async () => {
      const { baseUrl, clientId, clientSecret, merchantVat } = at.credentials;
      await open();
      await page.getByTestId('next').click();
      await page.getByTestId('wallet-service-other').check();
      await page.getByTestId('baseUrl').fill(baseUrl);
      await page.getByTestId('clientId').fill(clientId);
      await page.getByTestId('clientSecret').fill(clientSecret);
      await page.getByTestId('next').click();
      await page.getByTestId('merchantVat').fill(merchantVat);
      await page.locator('input[name="store"]').first().check();
      await page.getByTestId('next').click();
      await page.getByTestId('posName').fill('Kasse 1');
      await page.getByTestId('next').click();
      await page.getByTestId('transport-tcp').check();
      await page.getByTestId('port').fill('0');
      await page.locator('[data-heard="nothing"]').waitFor();
      await page.getByTestId('next').click();
      await page.getByTestId('without-till').click();
      await step('test');
      for (const language of Object.values(languageNames)) {
        await page.getByTestId('language').click();
        await page.getByRole('menuitemradio', { name: language }).click();
        for (const name of ['language', 'wallet', 'store', 'pointOfSale', 'till']) {
          await page.getByTestId(`step-${name}`).click();
          await step(name);
          await expectAccessible(page);
          const cut = await page
            .locator('.step-body')
            .evaluate(
              (body) =>
                body.scrollWidth > body.clientWidth ||
                document.documentElement.scrollHeight > innerHeight,
            );
          expect(cut, `${language}, ${name}`).toBe(false);
        }
        await page.getByTestId('next').click();
        await page.getByTestId('without-till').click();
        await step('test');
        await expectAccessible(page);
      }
    },
  );
});
