/**
 * The package for other people's programs: packed, installed into an empty project, and the
 * examples of docs/developers.md type-checked and run there.
 */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApplication } from '../../main/counter/app/application.ts';
import { startSimulator } from '../../main/library/simulator.ts';
import {
  createPointOfSaleClient,
  fetchHttp,
  integratorAccess,
  profileNamed,
  silentLog,
  systemClock,
  systemIds,
  Transport,
} from '../../main/library/wallet.ts';
import { SettingsFile } from '../../main/counter/settings/settings-file.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
let project: string;

/** @throws with all that it said */
function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${status}\n${stdout}${stderr}`);
  return stdout;
}
const compile = (...files: string[]): string =>
  run(join(root, 'node_modules/.bin/tsc'), ['-p', '.', ...files], project);

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'tillbeacon-library-'));
  run(process.execPath, ['scripts/build-library.mjs'], root);
  run('npm', ['pack', '--pack-destination', project, join(root, 'out/library')], root);
  const [archive] = readdirSync(project);
  writeFileSync(
    join(project, 'package.json'),
    JSON.stringify({ name: 'consumer', private: true, type: 'module' }),
  );
  run('npm', ['install', '--no-audit', '--no-fund', `./${archive}`], project);
  const compilerOptions = {
    target: 'ES2024',
    module: 'NodeNext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    erasableSyntaxOnly: true,
    noEmit: true,
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
  };
  writeFileSync(
    join(project, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['*.ts'] }),
  );
}, 300_000);
afterAll(() => rmSync(project, { recursive: true, force: true }));

test('brings zod and nothing else', () => {
  const installed = readdirSync(join(project, 'node_modules')).filter(
    (name) => !name.startsWith('.'),
  );
  expect(installed.sort()).toEqual(['tillbeacon', 'zod']);
});

/**
 * The programs that the developers' page prints, in order: they have to run as they stand there.
 */
const examples = [
  ...readFileSync(join(root, 'docs/developers.md'), 'utf8').matchAll(/```ts\n([\s\S]*?)```/g),
].map(([, text = '']) => text);
const print = (name: string, text: string | undefined): void =>
  writeFileSync(join(project, name), text ?? '');

test('the program that reads the reports compiles, and adds nothing up that does not belong together', {
  timeout: 120_000,
}, async () => {
  expect(examples).toHaveLength(3);
  print('reports.ts', examples[0]);
  compile();
  const service = await startSimulator();
  const { baseUrl, authUrl, credentials, storeIds, apiKey } = service;
  const profile = profileNamed('generic');
  const network = { profile, send: fetchHttp, clock: systemClock };
  const access = integratorAccess({ ...network, authUrl, credentials, clientVersion: '1.0.0' });
  const settings = {
    merchantPosId: 'till-1',
    storeId: storeIds[0] ?? '',
    name: 'Till 1',
    beaconTypes: ['QR'],
    beaconId: null,
  } as const;
  const around = { clock: systemClock, log: silentLog };
  const till = createPointOfSaleClient({
    ...around,
    transport: new Transport({ ...network, ...around, baseUrl, access }),
    profile,
    settings,
    ids: systemIds,
  });
  const opened = await till.open();
  const money = { amountMinor: 125_00, currency: 'DKK' } as const;
  const created = await till.create({
    ...money,
    flow: 'initiate',
    orderId: 'order-1',
    idempotencyKey: systemIds.uuid(),
  });
  if (opened.kind !== 'open' || opened.qr === null || created.kind !== 'created')
    throw new Error('the service takes no payment');
  await service.phone().checkIn(opened.qr);
  await service.phone().accept(opened.qr);
  await till.capture(created.paymentId, money);
  await service.advance(2 * 24 * 3_600_000);
  // The service is in this process, and has to answer meanwhile.
  const env = { ...process.env, WALLET_URL: baseUrl, MERCHANT_KEY: apiKey };
  const { stdout: said } = await promisify(execFile)(process.execPath, ['reports.ts'], {
    cwd: project,
    env,
  });
  expect(said).toMatch(/^Payment DKK 125\.00$/m);
  // Each kind by itself: their sum is nothing, whatever was sold.
  expect(said.match(/^\w+ DKK -\d+\.\d\d$/gm)?.length).toBeGreaterThan(0);
  await service.stop();
});

test('the example of a test compiles, and passes', { timeout: 120_000 }, () => {
  print('example.ts', examples[1]);
  compile();
  expect(run(process.execPath, ['example.ts'], project)).toMatch(/pass 1\b/);
});

test('the example with a till compiles, and passes at the daemon', {
  timeout: 120_000,
}, async () => {
  print('till.ts', examples[2]);
  compile();
  const pointOfSale = {
    merchantPosId: 'lane-1',
    storeId: 'd3500000-0000-4000-8000-000000000001',
    name: 'Check-out 1',
    beaconTypes: ['QR'],
  };
  const lane = {
    id: '1',
    name: 'Check-out 1',
    currency: 'DKK',
    pointOfSale,
    till: { protocol: 'zvt', transport: 'tcp', port: 0 },
  };
  const dataFolder = join(project, 'data');
  const path = join(project, 'settings.json');
  writeFileSync(path, JSON.stringify({ wallet: { simulator: true }, lanes: [lane] }), {
    mode: 0o600,
  });
  const system = { clock: systemClock, ids: systemIds, log: silentLog };
  const settings = new SettingsFile({ path, dataFolder, environment: {}, safe: null, ...system });
  const daemon = await startApplication({
    settings,
    dataFolder,
    screens: null,
    rendererFolder: '',
    demo: false,
    system,
  });
  try {
    await daemon.ready;
    const env = { ...process.env, TILL_PORT: daemon.lanes()[0]?.till.split(':')[2] };
    // The daemon is in this process, and has to answer meanwhile.
    const { stdout: said } = await promisify(execFile)(process.execPath, ['till.ts'], {
      cwd: project,
      env,
    });
    expect(said).toMatch(/pass 1\b/);
  } finally {
    await daemon.close();
  }
});

test('its declarations refuse what the client does not know', { timeout: 120_000 }, () => {
  const mistake =
    "import { startSimulator } from 'tillbeacon/simulator';\nvoid startSimulator({ colour: 'blue' });\n";
  writeFileSync(join(project, 'mistake.ts'), mistake);
  expect(() => compile()).toThrow(/mistake\.ts\(2,\d+\): error TS2353.*colour/);
  rmSync(join(project, 'mistake.ts'));
});
