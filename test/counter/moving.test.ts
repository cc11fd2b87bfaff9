import { join } from 'node:path';
import type { Browser } from 'playwright';
import { afterEach, expect, test } from 'vitest';
import { openJournalReader } from '../../main/core/journal/reader.ts';
import { launchChromium } from '../support/browser.ts';
import { Counter } from '../support/counter.ts';
import { someOf } from '../support/long.ts';
import { signIn } from '../support/manager.ts';
import { ContractLine } from '../support/manager-books.ts';
import { type DaemonReady, Product, until } from '../support/processes.ts';

let old: Counter | null = null;
let moved: Product | null = null;
let browser: Browser | null = null;
afterEach(async () => {
  await browser?.close();
  await moved?.end('SIGKILL');
  await old?.close();
  [browser, moved, old] = [null, null, null];
});

async function backup(...args: readonly string[]): Promise<string> {
  const tool = new Product('backup', args, {
    TILLBEACON_BACKUP_PASSPHRASE: 'correct horse battery',
  });
  expect([await tool.exited, tool.stderr]).toEqual([{ code: 0, signal: null }, '']);
  return tool.lines.join('\n');
}

const readyWord = (screens: string): Promise<string> =>
  fetch(`${screens}/readyz`).then((answer) => answer.text());

/** docs/running/move.md, step by step. */
test.each(someOf(['stopped', 'still running, and captures meanwhile'] as const, 1))(
  'a counter moves to a new PC with a payment that is not settled, and it is captured once; the old one is %s',
  async (oldIs) => {
    old = await Counter.open({ transport: 'tcp' });
    (await ContractLine.ofAda(old)).close();
    await old.fault({ operation: 'capturePayment', kind: 'timeoutBefore', times: 100 });
    const payment = old.till.pay(1234, 'DKK');
    await old.customerPays();
    expect(await payment).toMatchObject({ ended: { by: 'completion' } });
    expect(await old.lastPayment()).toMatchObject({ status: 'Reserved', captureCount: 0 });

    const file = join(old.folder, 'counter.backup');
    const data = join(old.folder, 'new', 'data');
    expect(
      await backup(
        'create',
        file,
        '--data',
        join(old.folder, 'data'),
        '--settings',
        join(old.folder, 'settings.json'),
      ),
    ).toContain('1 unsettled payment');
    if (oldIs === 'stopped') await old.daemon.end();
    await backup('restore', file, '--data', data);
    await old.noFaults();
    if (oldIs !== 'stopped')
      expect(await old.serviceSays('Captured')).toMatchObject({ captureCount: 1 });

    const start = async (): Promise<DaemonReady> => {
      moved = new Product('daemon', ['--data', data, '--port', '0']);
      return moved.ready<DaemonReady>();
    };
    const before = await start();
    expect(before.lanes).toEqual([]);
    expect(await readyWord(before.screens)).toMatch(/^not ready: restored from a backup/);
    // Nobody without a PIN opens the lanes, and no settings do.
    const stranger = await ContractLine.at(before.screens);
    expect(await stranger.ask('confirmRestored', { madeAtMs: 1 })).toMatchObject({
      ok: false,
      code: 'pinNeeded',
    });
    stranger.close();
    if (oldIs === 'stopped')
      expect(await old.lastPayment()).toMatchObject({ status: 'Reserved', captureCount: 0 });

    browser = await launchChromium();
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${before.screens}/cashier/?lang=en`);
    await page.getByText('This counter was moved here from another computer').waitFor();
    await page.getByTestId('to-confirm').click();
    await signIn(page);
    expect(await page.getByTestId('confirm-restored').isDisabled()).toBe(true);
    await page.getByText('One payment or refund was under way in the backup.').waitFor();
    await page.getByTestId('looked').check();
    await page.getByTestId('confirm-restored').click();
    await page.locator('tb-restored').waitFor({ state: 'detached' });
    expect(await old.serviceSays('Captured')).toMatchObject({
      captureCount: 1,
      capturedAmount: 12.34,
    });
    await until(
      async () => (await readyWord(before.screens)).startsWith('ready'),
      'the lanes to be open',
    );

    const reader = openJournalReader(join(data, 'journal.sqlite'));
    await until(() => reader.open().sales.length === 0, 'the journal to have it as captured');
    expect(reader.check().problems).toEqual([]);
    expect(reader.open().needPerson).toEqual([]);
    reader.close();

    // The question is asked once only.
    await moved?.end();
    expect((await start()).lanes).toHaveLength(1);
    expect(await old.lastPayment()).toMatchObject({ captureCount: 1 });
  },
);
