import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { launchChromium } from '../support/browser.ts';
import { Product, type SimulatorReady, until } from '../support/processes.ts';
import { isLong } from '../support/long.ts';

const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-certify-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const running: Product[] = [];
const run = (entry: string, args: readonly string[]): Product => {
  const product = new Product(entry, args);
  running.push(product);
  return product;
};
afterEach(async () => {
  await Promise.all(running.splice(0).map((product) => product.end('SIGKILL')));
});

let files = 0;
function settingsFile(settings: unknown): string {
  const path = join(folder, `settings-${(files += 1)}.json`);
  writeFileSync(path, JSON.stringify(settings), { mode: 0o644 });
  return path;
}
const lane = (storeId: string) => ({
  id: '1',
  name: 'Check-out 1',
  currency: 'DKK',
  pointOfSale: {
    merchantPosId: 'shop-1-lane-1',
    storeId,
    name: 'Check-out 1',
    beaconTypes: ['QR'],
  },
  till: { protocol: 'zvt', transport: 'tcp', port: 0 },
});

const ofSalesUnit = (about: object) => {
  const keys = {
    clientId: 'me',
    clientSecret: 'very-secret',
    subscriptionKey: 'key',
    merchantSerialNumber: '123456',
  };
  const { pointOfSale, ...other } = lane('');
  const { storeId: _none, ...named } = pointOfSale;
  return {
    wallet: { service: 'epayment', environment: 'test', country: 'DK', ...keys, ...about },
    lanes: [{ ...other, pointOfSale: named }],
  };
};

async function sandbox() {
  const service = run('simulator', ['--port', '0', '--poll-delay', '100']);
  const { baseUrl, authUrl, clientId, clientSecret, merchantVat, storeIds } =
    await service.ready<SimulatorReady>();
  const wallet = { baseUrl, authUrl, clientId, clientSecret, merchantVat };
  const state = async () =>
    (await (await fetch(`${baseUrl}/simulator/state`)).json()) as {
      payments: { status: string }[];
      pointsOfSale: { merchantPosId: string; deleted: boolean }[];
    };
  const fault = (planned: object) =>
    fetch(`${baseUrl}/simulator/faults`, { method: 'POST', body: JSON.stringify(planned) });
  return {
    settings: settingsFile({ wallet, lanes: [lane(storeIds[0] as string)] }),
    clientSecret,
    state,
    fault,
  };
}

describe('certification', () => {
  // Its cases are held against the service in test/service too.
  test.runIf(isLong)(
    'without settings passes every case at the embedded service, and leaves its report',
    async () => {
      const report = join(folder, 'report');
      mkdirSync(report);
      // Planted by somebody who may write there too.
      const victim = join(folder, 'victim');
      writeFileSync(victim, 'somebody’s');
      for (const name of ['certification.html', 'certification.json'])
        symlinkSync(victim, join(report, name));
      const certify = run('certify', ['--report', report]);
      const { code } = await certify.exited;
      expect({ code, stderr: certify.stderr }).toEqual({ code: 0, stderr: '' });
      expect(readdirSync(report).toSorted()).toEqual(['certification.html', 'certification.json']);
      const { cases } = JSON.parse(readFileSync(join(report, 'certification.json'), 'utf8')) as {
        cases: { id: string; verdict: string }[];
      };
      expect(cases).toHaveLength(28);
      expect(new Set(cases.map(({ verdict }) => verdict))).toEqual(
        new Set(['passed', 'documented', 'forPeople']),
      );
      expect(certify.lines.filter((line) => /^[A-G] \d+/.test(line))).toHaveLength(28);
      expect(certify.lines.at(-1)).toMatch(/^22 passed, 3 documented, 3 for people\. The report: /);
      await lookAtPage(join(report, 'certification.html'));
      expect(readFileSync(victim, 'utf8')).toBe('somebody’s');
      for (const name of readdirSync(report))
        expect(statSync(join(report, name)).mode & 0o077, name).toBe(0);
    },
  );

  test('at a sandbox that takes no capture ends with 1, says which cases, and cleans up after itself', async () => {
    const { settings, clientSecret, state, fault } = await sandbox();
    await fault({ operation: 'capturePayment', kind: 'status409', code: '1304', times: 1_000_000 });
    const report = join(folder, 'failing');
    const certify = run('certify', ['--settings', settings, '--report', report]);
    expect((await certify.exited).code).toBe(1);
    const failed = certify.lines
      .filter((line) => line.includes('FAILED'))
      .map((line) => line.split('  ')[0]);
    expect(failed.slice(0, -1)).toEqual(['C 7', 'D 12', 'D 14', 'F 16', 'F 17', 'G 20']);
    const { payments, pointsOfSale } = await state();
    expect(payments.filter(({ status }) => !status.startsWith('Cancelled'))).toEqual([]);
    expect(pointsOfSale.filter(({ deleted }) => !deleted)).toEqual([]);
    for (const name of readdirSync(report))
      expect(readFileSync(join(report, name), 'utf8')).not.toContain(clientSecret);
    expect(certify.stderr).toBe(
      `${settings}: other users of this computer can read or change it; to fix this: chmod 600 ${settings}\n`,
    );
  });

  test('interrupted in the middle, cancels what is open and takes its point of sale away', async () => {
    const { settings, state } = await sandbox();
    const certify = run('certify', [
      '--settings',
      settings,
      '--report',
      join(folder, 'interrupted'),
    ]);
    await until(
      async () => (await state()).payments.some(({ status }) => status === 'IssuedToUser'),
      'a payment on the phone',
    );
    certify.child.kill('SIGINT');
    expect(await certify.exited).toEqual({ code: 130, signal: null });
    expect(certify.lines.at(-1)).toBe(
      'Interrupted: open payments are closed, nothing is certified.',
    );
    const { payments, pointsOfSale } = await state();
    expect(payments.filter(({ status }) => !/^(Captured|Cancelled)/.test(status))).toEqual([]);
    expect(pointsOfSale.map(({ deleted }) => deleted)).not.toContain(false);
    expect(readdirSync(join(folder, 'interrupted'))).toEqual([]);
  });

  test('takes the sales unit from the settings, and which service it is', async () => {
    const service = run('simulator', ['--port', '0']);
    const { baseUrl, epayment } = await service.ready<SimulatorReady>();
    const certify = run('certify', [
      '--settings',
      settingsFile(ofSalesUnit({ ...epayment, baseUrl })),
      '--report',
      join(folder, 'sales-unit'),
    ]);
    const state = async () =>
      (await (await fetch(`${baseUrl}/simulator/state`)).json()) as {
        epayments: { state: string }[];
      };
    await until(async () => (await state()).epayments.length > 0, 'a payment at the service');
    certify.child.kill('SIGINT');
    expect(await certify.exited).toEqual({ code: 130, signal: null });
    expect((await state()).epayments.filter((payment) => payment.state === 'CREATED')).toEqual([]);
  });

  test.each([
    [
      'a sales unit in production',
      () => ['--settings', settingsFile(ofSalesUnit({ environment: 'production' }))],
      2,
    ],
    [
      'a service that is not that of the settings',
      () => ['--service', 'v10', '--settings', settingsFile(ofSalesUnit({}))],
      2,
    ],
    [
      'a telephone number without its country',
      () => ['--service', 'epayment', '--test-phone', '20 03 18 01'],
      1,
    ],
    [
      'bad settings',
      () => [
        '--settings',
        settingsFile({ wallet: { baseUrl: 'x' }, lanes: [{ ...lane('no'), currency: 'SEK' }] }),
      ],
      7,
    ],
    ['no such file', () => ['--settings', join(folder, 'nowhere.json')], 1],
    ['a report folder that is a file', () => ['--report', settingsFile({})], 1],
    ['an argument that it does not know', () => ['--what'], 2],
  ])('with %s ends with 2 and one line for each mistake', async (_what, args, lines) => {
    const certify = run('certify', args());
    expect((await certify.exited).code).toBe(2);
    expect(certify.stderr.trim().split('\n')).toHaveLength(lines);
    expect(certify.lines).toEqual([]);
  });
});

/** Opens the page without scripts: everything must fit, and each case must be one click away. */
async function lookAtPage(path: string): Promise<void> {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({
      viewport: { width: 1024, height: 768 },
      javaScriptEnabled: false,
    });
    await page.goto(pathToFileURL(path).href);
    expect(await page.locator('.summary tbody tr:not(.group)').count()).toBe(28);
    await page.getByRole('link', { name: '15 E2', exact: true }).first().click();
    expect(page.url()).toContain('#case-15-E2');
    const heading = page.getByRole('heading', {
      name: /^15 E2\. Restrictions on a prepared payment/,
    });
    expect(await heading.isVisible()).toBe(true);
    const request = page.locator('#case-15-E2 .requests > li').first();
    await request.locator('summary').click();
    expect(await request.locator('pre').first().isVisible()).toBe(true);
    const width = await page.locator('html').evaluate((html) => html.scrollWidth);
    expect(width).toBeGreaterThan(900);
    expect(width).toBeLessThanOrEqual(1024);
  } finally {
    await browser.close();
  }
}
