import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Register } from '../../main/sandbox/till/register.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { until } from '../support/processes.ts';
import {
  at,
  page,
  open,
  step,
  state,
  press,
  type,
  focusIs,
  tillPort,
  becomeManager,
  installBeforeEach,
} from './installer.ts';

installBeforeEach();

describe('an installer', () => {
  test('changes a lane that came from a file: a manager first, mistakes of the file told, the consequences before anything happens, out and in again as a file', async () => {
    at.dropSettings();
    await until(async () => (await at.state()).pointsOfSale.length === 1, 'the point of sale');
    const [{ beaconId } = { beaconId: '' }] = (await at.state()).pointsOfSale;
    await open();
    await state('signIn');
    await focusIs('code');
    await expectAccessible(page);
    await becomeManager();
    await page.getByTestId('lane').waitFor();
    await expectAccessible(page);

    at.dropSettings({ currency: 'SEK' });
    await page.getByTestId('file-refused').waitFor();
    expect(await page.getByTestId('file-refused').innerText()).toMatch(/lanes\.0\.currency: /);
    await expectAccessible(page);
    at.dropSettings();
    await page.getByTestId('file-refused').waitFor({ state: 'detached' });

    const [exported] = await Promise.all([
      page.waitForEvent('download'),
      page.getByTestId('export').click(),
    ]);
    const file = join(at.folder, 'lane-1.json');
    await exported.saveAs(file);
    expect(readFileSync(file, 'utf8')).not.toContain(at.credentials.clientSecret);

    await page.getByTestId('edit-till').click();
    await step('till');
    await page.getByTestId('back').click();
    await state('overview');
    expect(await page.getByTestId('unfinished').count()).toBe(0);
    await page.getByTestId('edit-pointOfSale').first().click();
    await step('pointOfSale');
    await page.getByTestId('posName').fill('Bageriet');
    await press('Enter');
    await page.getByText('Printed QR codes stop working. Print and put up new ones.').waitFor();
    await page.getByText('Name: “Check-out 1” becomes “Bageriet”').waitFor();
    await expectAccessible(page);
    await page.getByTestId('keep-beacon').click();
    await page.getByText('Printed QR codes stop working.').waitFor({ state: 'detached' });
    const port = await tillPort();
    const till = await Register.overTcp({ host: '127.0.0.1', port });
    const paying = till.pay(1234, 'DKK');
    await at.paymentIs('Initiated');
    await page.getByTestId('next').click();
    await page.getByText('Waiting for the payment at Check-out 1').waitFor();
    await expectAccessible(page);
    await at.phone('checkin');
    await at.paymentIs('IssuedToUser');
    await at.phone('accept');
    await paying;
    await till.close();
    await page.getByTestId('told').waitFor();
    await state('overview');
    // The installer is told once the change is begun: the present point of sale is deleted first.
    const there = async () => (await at.state()).pointsOfSale.filter(({ deleted }) => !deleted);
    await until(
      async () => (await there()).some(({ name }) => name === 'Bageriet'),
      'the new point of sale',
    );
    expect(await there()).toMatchObject([{ name: 'Bageriet', beaconId }]);

    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByTestId('import').click(),
    ]);
    await chooser.setFiles(file);
    await step('finish');
    await page.getByText('Name: “Bageriet” becomes “Check-out 1”').waitFor();
    await page.reload();
    await page.getByLabel('PIN of Ada Lund').and(page.locator(':focus')).waitFor();
    await type('4711');
    await press('Enter');
    await step('finish');
    await page.getByTestId('leave').click();
    await page.getByTestId('discard').click();
    await page.getByTestId('unfinished').waitFor({ state: 'detached' });
  });

  test('removes a lane only when told so: its point of sale is left there, or deleted, later where the service does not answer', async () => {
    at.dropSettings({}, { lanes: 4 });
    const pointsOfSale = async (): Promise<string[]> =>
      (await at.state()).pointsOfSale
        .flatMap((pos) => (pos.deleted ? [] : pos.merchantPosId))
        .toSorted();
    const lanesLeft = (count: number): Promise<void> =>
      until(
        async () => (await page.getByTestId('lane').count()) === count,
        `${count} lanes on the page`,
      );
    await until(async () => (await pointsOfSale()).length === 4, 'four points of sale');
    await open();
    await becomeManager();
    await lanesLeft(4);

    // With the keyboard: whoever presses Enter without reading keeps the lane.
    await page.getByTestId('remove').first().focus();
    await press('Enter');
    await page.getByRole('dialog', { name: 'Remove Check-out 1?' }).waitFor();
    await focusIs('keep');
    expect(await page.getByTestId('pointOfSaleToo-delete').isChecked()).toBe(true);
    await expectAccessible(page);
    await press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByTestId('remove').first().focus();
    await press('Enter');
    await page.getByTestId('pointOfSaleToo-keep').check();
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(at.settings().lanes.map(({ id }) => id)).toEqual(['1', '2', '3', '4']);

    // A choice that was made before and not carried out is forgotten.
    await page.getByTestId('remove').first().click();
    expect(await page.getByTestId('pointOfSaleToo-delete').isChecked()).toBe(true);
    await page.getByTestId('pointOfSaleToo-keep').check();
    await page.getByTestId('remove-now').click();
    await page.getByText('Check-out 1 has been removed.').waitFor();
    await lanesLeft(3);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(at.settings().lanes.map(({ id }) => id)).toEqual(['2', '3', '4']);
    expect(await page.getByTestId('left-behind').count()).toBe(0);
    expect(await pointsOfSale()).toEqual(['shop-1', 'shop-2', 'shop-3', 'shop-4']);

    await page.getByTestId('remove').first().click();
    await page.getByTestId('remove-now').click();
    await page.getByText('The point of sale was deleted at the wallet service.').waitFor();
    await lanesLeft(2);
    expect(await page.getByTestId('left-behind').count()).toBe(0);
    expect(await pointsOfSale()).toEqual(['shop-1', 'shop-3', 'shop-4']);

    // The service does not delete the point of sale: the lane is removed, and the overview shows
    // what is left there until somebody decides.
    await at.fault({
      operation: 'deletePointOfSale',
      kind: 'status409',
      code: '1304',
      times: 1_000,
    });
    await page.getByTestId('remove').first().click();
    await page.getByTestId('remove-now').click();
    await page.getByTestId('not-deleted').waitFor();
    expect(await page.getByTestId('left-behind').innerText()).toContain(
      'Check-out 3 (shop-3) is still at 127.0.0.1',
    );
    await lanesLeft(1);
    expect(await pointsOfSale()).toEqual(['shop-1', 'shop-3', 'shop-4']);
    await expectAccessible(page);
    await at.fault(null);
    await page.reload();
    await page.getByLabel('PIN of Ada Lund').and(page.locator(':focus')).waitFor();
    await type('4711');
    await press('Enter');
    await page.getByTestId('delete-left').click();
    await page.getByTestId('left-behind').waitFor({ state: 'detached' });
    expect(await pointsOfSale()).toEqual(['shop-1', 'shop-4']);

    await page.getByTestId('remove').click();
    await page.getByText('A counter has at least one lane. Add another one first.').waitFor();
    expect(await page.getByTestId('remove-now').count()).toBe(0);
  });

  test('pays a test payment through a lane in use, with the test phone, and refunds it; one that is cancelled is said to be', async () => {
    at.dropSettings({}, { wallet: { testService: true } });
    await until(async () => (await at.state()).pointsOfSale.length === 1, 'the point of sale');
    await open();
    await becomeManager();
    await page.getByTestId('test').click();
    await state('paymentTest');
    await focusIs('pay');
    await page.getByText('through the lane as it is in use. No real money moves.').waitFor();
    await expectAccessible(page);
    const progress = (kind: string): Promise<void> =>
      page.locator(`[data-testid="test"][data-test="${kind}"]`).waitFor();
    /** As when the connection breaks after the daemon has taken the request. */
    const loseAnswerTo = (procedure: string): Promise<void> =>
      page.locator('tb-payment-test').evaluate((element, lost) => {
        const { bridge } = element as unknown as {
          bridge: { ask(name: string, input: object): Promise<object> };
        };
        const ask = bridge.ask.bind(bridge);
        bridge.ask = async (name, input) => {
          const answer = await ask(name, input);
          if (name !== lost) return answer;
          bridge.ask = ask;
          return {
            ok: false,
            code: 'disconnected',
            field: null,
            message: 'the connection was lost',
            facts: {},
          };
        };
      }, procedure);

    await press('Enter');
    await progress('waitingForCustomer');
    await page.locator('.code [data-testid="qr"]').waitFor();
    await page.getByTestId('cancel').click();
    await progress('notPaid');
    await expect
      .poll(() => page.getByTestId('test').innerText())
      .toMatch(/^Cancelled on the cashier’s screen\s+No money was taken\./);
    expect(await page.getByTestId('refund').count()).toBe(0);
    await at.paymentIs('CancelledByClient');

    // The earlier sale has ended at the lane too. After a lost answer the same payment is asked for
    // again.
    await loseAnswerTo('payForTest');
    await page.getByTestId('pay').click();
    await page.getByTestId('problem').waitFor();
    await page.getByTestId('pay').click();
    await progress('waitingForCustomer');
    expect(await page.getByTestId('pay').count()).toBe(0);
    await focusIs('phone');
    await press('Enter');
    await progress('approveInApp');
    await page.getByText(/^Approve DKK\s1\.00 on the phone/).waitFor();
    await expectAccessible(page);
    await page.locator('[data-testid="phone"][data-does="approve"]:focus').waitFor();
    await press('Enter');
    await progress('captured');
    expect(await page.getByTestId('test').innerText()).toMatch(
      /^DKK\s1\.00 paid\s+The wallet service for tests and this lane work\. The till took no part in it\./,
    );
    expect(await page.locator('.walk .reached').count()).toBe(5);
    await expectAccessible(page);
    expect((await at.state()).payments.at(-1)).toMatchObject({ status: 'Captured', amount: 1 });

    await focusIs('refund');
    await loseAnswerTo('refundTest');
    await press('Enter');
    await page.getByTestId('problem').waitFor();
    await page.getByTestId('refund').click();
    await page.locator('[data-testid="refunding"][data-refund="refunded"]').waitFor();
    await page.getByText(/DKK\s1\.00 (is being )?refunded/).waitFor();
    expect(await page.getByTestId('refund').count()).toBe(0);
    await until(async () => (await at.state()).refunds.at(-1)?.status === 'Captured', 'the refund');
    expect((await at.state()).refunds).toMatchObject([{ amount: 1 }]);
    await expectAccessible(page);
    await page.getByTestId('back').click();
    await state('overview');
  });
});
