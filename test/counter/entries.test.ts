import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { Counter } from '../support/counter.ts';
import { someOf } from '../support/long.ts';
import { Product, type SimulatorReady } from '../support/processes.ts';

let product: Product | null = null;
afterEach(async () => {
  await product?.end('SIGKILL');
  product = null;
});
const folder = (): string => mkdtempSync(join(tmpdir(), 'tillbeacon-entries-'));
const run = (entry: string, args: readonly string[], env = {}): Product => {
  product = new Product(entry, args, env);
  return product;
};
const settingsFile = (settings: unknown): string => {
  const path = join(folder(), 'settings.json');
  writeFileSync(path, typeof settings === 'string' ? settings : JSON.stringify(settings));
  return path;
};
const lane = {
  id: '1',
  name: 'Check-out 1',
  currency: 'DKK',
  pointOfSale: {
    merchantPosId: 'one',
    storeId: '51070000-0000-4000-8000-00000000abcd',
    name: 'Check-out 1',
    beaconTypes: ['QR'],
    beaconId: null,
  },
  till: { protocol: 'zvt', transport: 'tcp', host: '127.0.0.1', port: 0 },
};

describe('the daemon', () => {
  test('says in exactly one line of JSON that it takes payments, and logs JSON lines on stderr', async () => {
    const counter = await Counter.open();
    expect(counter.started).toEqual({
      ready: true,
      screens: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      lanes: [{ id: '1', till: expect.stringMatching(/^tcp:127\.0\.0\.1:\d+$/) }],
    });
    await counter.daemon.end();
    expect(counter.daemon.lines).toHaveLength(1);
    const lines = counter.daemon.stderr.trim().split('\n');
    for (const line of lines)
      expect(JSON.parse(line)).toMatchObject({
        level: expect.any(String),
        time: expect.any(String),
        msg: expect.any(String),
      });
    expect(counter.daemon.stderr).not.toContain(counter.credentials.clientSecret);
    await counter.close();
  });

  test('embeds the simulator when asked to, several lanes with their own till and point of sale', async () => {
    const second = {
      ...lane,
      id: '2',
      name: 'Check-out 2',
      pointOfSale: { ...lane.pointOfSale, merchantPosId: 'two' },
    };
    const daemon = run('daemon', [
      '--settings',
      settingsFile({ wallet: { simulator: true }, lanes: [lane, second] }),
      '--data',
      folder(),
      '--port',
      '0',
    ]);
    const ready = await daemon.ready<{
      lanes: { id: string; till: string }[];
      simulator: string;
    }>();
    expect(ready.lanes.map(({ id }) => id)).toEqual(['1', '2']);
    expect(new Set(ready.lanes.map(({ till }) => till)).size).toBe(2);
    const state = (await (await fetch(`${ready.simulator}/simulator/state`)).json()) as {
      pointsOfSale: unknown[];
    };
    expect(state.pointsOfSale).toHaveLength(2);
  });

  test('with bad settings ends with 2 and one line for each mistake: path, rule, value, secrets masked', async () => {
    const bad = {
      wallet: {
        baseUrl: 'nowhere',
        authUrl: 'http://x',
        clientId: 'me',
        clientSecret: 4711,
        merchantVat: 'DK1',
      },
      lanes: [{ ...lane, currency: 'SEK', colour: 'red' }],
    };
    const daemon = run('daemon', ['--settings', settingsFile(bad), '--data', folder()]);
    expect((await daemon.exited).code).toBe(2);
    const lines = daemon.stderr.trim().split('\n');
    expect(new Set(lines.map((line) => line.split(':')[0]))).toEqual(
      new Set([
        'lanes.0.colour',
        'lanes.0.currency',
        'wallet.authUrl',
        'wallet.baseUrl',
        'wallet.clientSecret',
        'wallet.merchantVat',
      ]),
    );
    expect(daemon.stderr).not.toContain('4711');
    expect(daemon.lines).toEqual([]);
  });

  test.each([
    ['no arguments', [], 2],
    ['a file that is not there', ['--settings', '/nowhere.json', '--data', '/tmp/x'], 1],
    ['a file that is no JSON', ['--settings', settingsFile('{'), '--data', '/tmp/x'], 1],
    ['a port that is none', ['--settings', '/x', '--data', '/x', '--port', '70000'], 1],
    ['an argument that it does not know', ['--wrong'], 2],
  ])('with %s ends with 2 and says why', async (_what, args, lines) => {
    const daemon = run('daemon', args);
    expect((await daemon.exited).code).toBe(2);
    expect(daemon.stderr.trim().split('\n')).toHaveLength(lines);
  });

  test('takes the secret from the environment where the settings say so', async () => {
    const simulator = new Product('simulator', ['--port', '0']);
    const { baseUrl, authUrl, clientId, clientSecret, merchantVat, storeIds } =
      await simulator.ready<SimulatorReady>();
    const settings = {
      wallet: { baseUrl, authUrl, clientId, clientSecret: { env: 'WALLET_SECRET' }, merchantVat },
      lanes: [{ ...lane, pointOfSale: { ...lane.pointOfSale, storeId: storeIds[0] } }],
    };
    const daemon = run(
      'daemon',
      ['--settings', settingsFile(settings), '--data', folder(), '--port', '0'],
      { WALLET_SECRET: clientSecret },
    );
    expect(await daemon.ready()).toMatchObject({ ready: true });
    await simulator.end();
  });

  test('on ports that are taken: the screens move on unless told otherwise, the till says who is in the way', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as { port: number };
    const settings = {
      wallet: { simulator: true },
      lanes: [{ ...lane, till: { ...lane.till, port } }],
    };
    const daemon = run('daemon', [
      '--settings',
      settingsFile(settings),
      '--data',
      folder(),
      '--port',
      '0',
    ]);
    expect((await daemon.exited).code).toBe(1);
    expect(daemon.stderr).toContain(`127.0.0.1:${port}: another program already listens there`);
    const screens = run('daemon', [
      '--settings',
      settingsFile({ wallet: { simulator: true }, lanes: [lane] }),
      '--data',
      folder(),
      '--port',
      String(port),
    ]);
    expect((await screens.exited).code).toBe(1);
    expect(screens.stderr).toContain(`port ${port}`);
    taken.close();
  });

  test('without a port does not leave the one of its data folder to another program: it ends, and says which that is', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as { port: number };
    const data = folder();
    writeFileSync(join(data, 'screens-port.json'), JSON.stringify({ port }));
    const daemon = run('daemon', ['--data', data]);
    expect((await daemon.exited).code).toBe(1);
    expect(daemon.stderr.trim().split('\n').at(-1)).toMatch(
      new RegExp(
        `^the screens cannot be served on port ${port}, where this data folder has its screens: process ${process.pid} \\(.*already listens there.*--port`,
      ),
    );
    expect(daemon.lines).toEqual([]);
    await new Promise((resolve) => taken.close(resolve));
    expect(await run('daemon', ['--data', data]).ready()).toMatchObject({
      screens: `http://127.0.0.1:${port}`,
    });
  });
});

describe('the simulator alone', () => {
  test('says where it is and with what, and ends on SIGTERM', async () => {
    const simulator = run('simulator', ['--port', '0', '--seed', '7']);
    expect(Object.keys(await simulator.ready<object>())).toEqual([
      'ready',
      'baseUrl',
      'authUrl',
      'clientId',
      'clientSecret',
      'merchantVat',
      'storeIds',
      'epayment',
    ]);
    simulator.child.kill('SIGTERM');
    expect(await simulator.exited).toEqual({ code: 0, signal: null });
    expect(simulator.lines).toHaveLength(1);
  });

  test.each([['--port', 'x'], ['--seed', '-1'], ['--profile', 'nobody'], ['--what']])(
    'refuses %s %s with 2',
    async (...args) => {
      const simulator = run('simulator', args);
      expect((await simulator.exited).code).toBe(2);
    },
  );
});

/**
 * The entries of `main` that need no Electron; `test/desktop` checks the files of the others.
 * Workers are left out, because a thread has the umask of its process, and so is the service's
 * command, whose files everybody may read: they say what the system starts, and how.
 */
const entries = readdirSync(join(import.meta.dirname, '../../main/cli'))
  .filter(
    (name) =>
      name.endsWith('.ts') &&
      name !== 'desktop.ts' &&
      name !== 'supervisor.ts' &&
      name !== 'service.ts' &&
      !name.endsWith('-worker.ts'),
  )
  .map((name) => name.replace('.ts', ''));

test.each(entries)('what %s creates is for its user alone', (entry) => {
  const tellUmask =
    'data:text/javascript,process.once("exit", () => console.log(process.umask().toString(8)))';
  const { stdout } = spawnSync(process.execPath, [
    '--import',
    tellUmask,
    join(import.meta.dirname, '../../out/main', `${entry}.js`),
    '--wrong',
  ]);
  expect(stdout.toString()).toBe('77\n');
});

/** The commands that this project's package.json brings; the others are other programs. */
const { scripts } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'),
) as { scripts: Record<string, string> };
const ours = Object.entries(scripts).flatMap(([name, script]) => {
  const [, file, args = ''] = /^node (scripts\/[\w-]+\.mjs)([\w -]*)$/.exec(script) ?? [];
  return file === undefined
    ? []
    : [[name, [file, ...args.split(' ').filter((arg) => arg !== '')]] as const];
});

describe.each(someOf(ours, 8))('npm run %s', (name, script) => {
  const said = (...args: readonly string[]) =>
    spawnSync(process.execPath, [...script, ...args], {
      cwd: join(import.meta.dirname, '../..'),
      encoding: 'utf8',
    });
  const called = ['start', 'test'].includes(name)
    ? `npm ${name} --`
    : name === 'test:long'
      ? 'npm test --'
      : `npm run (-s )?${name} --`;

  test('explains itself when asked', () => {
    const { status, stdout, stderr } = said('--help');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^usage: ${called}`));
  });

  test('names an option that it does not know, and does nothing', () => {
    const { status, stdout, stderr } = said('--no-such-option');
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(new RegExp(`--no-such-option[^\\n]*\\nusage: ${called}`));
  });
});
