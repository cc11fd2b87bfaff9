import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { emptyDraft } from '../../main/counter/setup/draft.ts';
import { scan } from '../support/browser.ts';
import { callMessage } from '../support/contract-client.ts';
import { approveOnPhone, beginPayment } from '../support/demo-payment.ts';
import { signIn } from '../support/manager.ts';
import { Product, until } from '../support/processes.ts';
import { appOfTest } from './app-of-test.ts';
import { settingsFor } from './desktop-app.ts';

const own = appOfTest();
const { start } = own;

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));

/** Ids of the processes that a process has started. */
function childrenOf(pid: number | undefined): readonly string[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
}

describe('the desktop app (over the stand-in)', () => {
  test('starts, takes a payment with its code on the cashier’s window, and quits in good order', async () => {
    const app = await start(['--demo']);
    const cashier = await app.window('cashier');
    const customer = await app.window('customer');
    const demo = await app.window('demo');
    await beginPayment(demo, cashier);
    expect(await scan(customer.locator('tb-customer'))).toMatch(/^walletpos:\/\/pos\?id=/);
    await approveOnPhone(demo);
    await cashier.locator('[data-state="paid"]').waitFor();
    await customer.locator('[data-state="paid"]').waitFor();
    await app.end();
  });

  test('does not start where no certificates are checked', async () => {
    const app = await start(['--demo', '--ignore-certificate-errors']);
    expect(await app.exited).toBe(2);
    expect(app.stderr).toContain('--ignore-certificate-errors disables certificate checks');
  });

  test('quits in good order while its windows are still on their way', async () => {
    const app = await start(['--demo']);
    await app.isReady();
    await app.end();
  });

  test('leads from the cashier’s window to the manager’s screen and back; who goes back is signed out', async () => {
    const app = await start(['--demo']);
    // The demonstration has its own manager, a moment after it has started.
    await (await app.window('demo')).getByTestId('manager-pin').waitFor();
    const window = await app.window('cashier');
    await window.getByTestId('to-manager').click();
    await signIn(window);
    await window.getByTestId('to-cashier').click();
    await window.locator('tb-cashier [data-state="idle"]').waitFor();
    await window.getByTestId('to-manager').click();
    await window.locator('tb-pin-pad:focus').waitFor();
  });

  test('a screen that hangs is back, while the payment goes on', async () => {
    const app = await start(['--demo']);
    const demo = await app.window('demo');
    const cashier = await app.window('cashier');
    await beginPayment(demo, cashier);
    cashier
      .evaluate(() => {
        for (;;);
      })
      .catch(() => undefined);
    await until(() => app.stderr.includes('ending a screen that hangs'), 'the hang to be noticed');
    const again = await app.window('cashier', cashier);
    await again.locator('[data-state="waitingForCustomer"]').waitFor();
    await approveOnPhone(demo);
    await again.locator('[data-state="paid"]').waitFor();
  });

  test('a screen whose process crashes, or whose script cannot be read, is back in seconds', async () => {
    const app = await start(['--demo']);
    const cashier = await app.window('cashier');
    await cashier.locator('[data-state="idle"]').waitFor();
    const crashedAtMs = performance.now();
    await app.control('crash', '/cashier/');
    const again = await app.window('cashier', cashier);
    await again.locator('[data-state="idle"]').waitFor();
    // Loaded again only after a pause, it would take five.
    expect(performance.now() - crashedAtMs).toBeLessThan(4_500);
    for (const part of ['/cashier/', '.js']) {
      await app.control('unreadable', { part, times: 1 });
      await app.control('crash', '/cashier/');
      await until(
        async () => (await app.control<{ times: number }>('isUnreadable')).times === 0,
        `${part} not to be read`,
      );
      await (await app.window('cashier', again)).locator('[data-state="idle"]').waitFor();
    }
  });

  test('hands a window the contract and nothing else', async () => {
    const cashier = await (await start(['--demo'])).window('cashier');
    const pageState = await cashier.evaluate(() => ({
      bridge: Object.keys((globalThis as unknown as { tillbeacon: object }).tillbeacon).toSorted(),
      require: typeof (globalThis as { require?: unknown }).require,
      process: typeof (globalThis as { process?: unknown }).process,
    }));
    expect(pageState).toEqual({
      bridge: ['onConnection', 'onKeyboard', 'onLanguage', 'onMessage', 'send'],
      require: 'undefined',
      process: 'undefined',
    });
    const answer = await cashier.evaluate(
      (call) => {
        const { tillbeacon } = globalThis as unknown as {
          tillbeacon: {
            send(message: unknown): void;
            onMessage(listener: (message: unknown) => void): void;
          };
        };
        return new Promise((resolve) => {
          tillbeacon.onMessage(
            (message) => (message as { t: string }).t === 's' && resolve(message),
          );
          tillbeacon.send({ ...call, i: undefined });
          tillbeacon.send(call);
        });
      },
      callMessage('1', 'openTheDrawer', {}),
    );
    expect(answer).toMatchObject({ t: 's', i: '1', r: { ok: false, code: 'invalid' } });
  });

  test('gives a page that was made to do so no permission, window, download, other page or script, and hears no frame but its own', async () => {
    const app = await start(['--demo']);
    const cashier = await app.window('cashier');
    await cashier.locator('[data-state="idle"]').waitFor();
    const before = cashier.url();
    const blocked: string[] = [];
    cashier.on(
      'console',
      (message) =>
        message.text().includes('Content Security Policy') && blocked.push(message.text()),
    );
    const permissions = await cashier.evaluate(async () => {
      const names = [
        'geolocation',
        'notifications',
        'camera',
        'microphone',
        'midi',
        'clipboard-read',
      ] as PermissionName[];
      return [
        ...new Set(
          await Promise.all(
            names.map(async (name) => (await navigator.permissions.query({ name })).state),
          ),
        ),
      ];
    });
    expect(permissions).toEqual(['denied']);
    await cashier.evaluate(() => {
      window.open('https://example.com/');
      const link = document.body.appendChild(document.createElement('a'));
      link.href = 'data:application/octet-stream,a';
      link.download = 'a.exe';
      link.click();
      document.body.appendChild(document.createElement('script')).textContent =
        'globalThis.was = "run"';
      document.body.appendChild(document.createElement('iframe')).src = '/customer/index.html';
    });
    await app.says('a window was refused');
    await app.says('a download was refused');
    for (const to of ['https://example.com/', 'tillbeacon://screens/index.html']) {
      await cashier.evaluate(
        (address) => void (location.href = address),
        to.replace('tillbeacon://screens', ''),
      );
      await app.says(`"to":"${to}"`);
    }
    await until(() => blocked.length > 0, 'the script to be blocked');
    for (const channel of ['tillbeacon:page', 'tillbeacon:message', 'tillbeacon:beat'])
      await app.control('foreignMessage', {
        part: '/cashier/',
        url: 'tillbeacon://screens/cashier/index.html',
        channel,
        message: {},
      });
    await until(
      () => app.stderr.split('ignoring a message: it is not from').length === 4,
      'three messages not to be read',
    );
    expect(await cashier.evaluate(() => (globalThis as { was?: string }).was)).toBeUndefined();
    expect(cashier.url()).toBe(before);
    await app.end();
  });

  test('keeps the settings of a file, their secrets sealed and in no other place, and starts from them the next time', async () => {
    const service = new Product('simulator', ['--port', '0']);
    const { settings, clientSecret } = await settingsFor(service, 'desktop-1');
    const file = join(own.userData, 'counter.json');
    const passwords = { settings: '918273', draft: '827364', previous: '736455' };
    const tokens = {
      metrics: 'metrics-token-of-at-least-32-characters',
      traces: 'the-collector-knows-this',
    };
    const monitoring = {
      metrics: { host: '127.0.0.1', port: 0, token: tokens.metrics },
      traces: { endpoint: 'http://127.0.0.1:9', token: tokens.traces },
    };
    const passphrase = 'planted-passphrase-of-nexo';
    const nexo = {
      protocol: 'http',
      nexo: { poiId: 'T-1', key: { identifier: 'shop', version: 1, passphrase } },
    };
    const [lane] = settings.lanes;
    const ofNexo = {
      ...lane,
      id: '2',
      pointOfSale: { ...lane.pointOfSale, merchantPosId: 'desktop-1-2' },
      till: nexo,
    };
    const lanes = (password: string): object[] => [
      { ...lane, till: { ...lane.till, password } },
      ofNexo,
    ];
    writeFileSync(
      file,
      JSON.stringify({
        ...settings,
        api: { port: 0 },
        monitoring,
        lanes: lanes(passwords.settings),
      }),
    );
    // Written by a version that stored them unencrypted.
    mkdirSync(join(own.userData, 'data'));
    const draft = {
      ...emptyDraft,
      wallet: { kind: 'simulator' },
      till: { transport: 'tcp', host: '127.0.0.1', port: 0, password: passwords.draft },
    };
    writeFileSync(
      join(own.userData, 'data', 'setup-draft.json'),
      JSON.stringify({ version: 1, draft }),
    );
    writeFileSync(
      join(own.userData, 'data', 'settings.previous.json'),
      JSON.stringify({ ...settings, lanes: lanes(passwords.previous) }),
    );
    const first = await start(['--settings', file]);
    await (await first.window('cashier')).locator('[data-state="idle"]').waitFor();
    const args = [first.child.pid, ...childrenOf(first.child.pid)]
      .map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
      .join('\n');
    await first.end();
    rmSync(file);
    const stored = filesIn(own.userData).map((path) => readFileSync(path).toString('latin1'));
    expect(stored.some((content) => content.includes('desktop-1'))).toBe(true);
    expect(
      stored.some((content) => content.includes('"version": 1') && content.includes('"sealed"')),
    ).toBe(true);
    for (const secret of [clientSecret, tokens.metrics, tokens.traces, passphrase])
      for (const place of [...stored, first.stderr, first.stdout, args])
        expect(place.includes(secret), secret).toBe(false);
    // Alone, because six digits are part of a time now and then.
    for (const password of Object.values(passwords))
      for (const place of [...stored, first.stderr, first.stdout, args])
        expect(place, password).not.toMatch(new RegExp(`(?<!\\d)${password}(?!\\d)`));
    const second = await start([]);
    await (await second.window('cashier')).locator('[data-state="idle"]').waitFor();
    await second.end();
    await service.end();
  });

  test('starts without settings, and with those that are put into its data folder, whose secret it seals', async () => {
    const service = new Product('simulator', ['--port', '0']);
    const app = await start([]);
    await (await app.window('setup')).locator('[data-step="language"]').waitFor();
    const { settings, clientSecret } = await settingsFor(service, 'desktop-2');
    const file = join(own.userData, 'data', 'settings.json');
    writeFileSync(file, JSON.stringify(settings));
    const cashier = await app.window('cashier');
    await cashier.locator('[data-state="idle"]').waitFor();
    expect(readFileSync(file, 'utf8')).not.toContain(clientSecret);
    for (const name of ['.', ...readdirSync(join(own.userData, 'data'))])
      expect(statSync(join(own.userData, 'data', name)).mode & 0o077, name).toBe(0);

    // docs/running/move.md: the daemon's command, while the app is running.
    const backup = async (...args: readonly string[]): Promise<string> => {
      const tool = new Product('backup', args, {
        TILLBEACON_BACKUP_PASSPHRASE: 'correct horse battery',
      });
      expect([await tool.exited, tool.stderr]).toEqual([{ code: 0, signal: null }, '']);
      return tool.lines.join('\n');
    };
    const backupFile = join(own.userData, 'counter.backup');
    expect(await backup('create', backupFile, '--data', join(own.userData, 'data'))).toMatch(
      /not included: .*clientSecret/,
    );
    await backup('restore', backupFile, '--data', join(own.userData, 'restored'));
    expect(readdirSync(join(own.userData, 'restored'))).toEqual(
      expect.arrayContaining(['journal.sqlite', 'settings.json', 'restored.json']),
    );
    await app.end();
    await service.end();
  });
});
