/** The programs in `examples`: each is a whole till, and is held to the same conversation. */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { reserved } from '../unit/core/lane/support.ts';
import { ApiWorld, bread } from '../unit/tills/http/support.ts';

const folder = join(import.meta.dirname, '../../examples');

interface Example {
  readonly file: string;
  readonly command: readonly [program: string, ...args: string[]];
  /** What the program prints where it is installed. */
  readonly version: readonly string[];
}
const examples: readonly Example[] = [
  { file: 'till.mjs', command: [process.execPath], version: ['--version'] },
  { file: 'till.py', command: ['python3'], version: ['--version'] },
  { file: 'till.sh', command: ['sh'], version: ['-c', 'curl --version'] },
  { file: 'Till.java', command: ['java', '-XX:TieredStopAtLevel=1'], version: ['--version'] },
  { file: 'till.php', command: ['php'], version: ['--version'] },
  { file: 'Till.cs', command: ['dotnet', 'run'], version: ['--list-sdks'] },
];

let at: ApiWorld;
beforeEach(async () => {
  at = await new ApiWorld().open();
});
afterEach(() => at.close());

interface Run {
  readonly amount?: string;
  readonly token?: string;
  readonly killedWhen?: () => boolean;
  readonly signal?: 'SIGINT';
}

/** Runs the till while the clock of the lane moves. */
async function run({ file, command: [program, ...args] }: Example, about: Run = {}) {
  const { amount = '12.34', token = at.token, killedWhen, signal } = about;
  const till = spawn(program, [...args, file, amount], {
    cwd: at.folder,
    env: { ...process.env, TILL_URL: `http://127.0.0.1:${at.api.port}`, TILL_TOKEN: token },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const output of [till.stdout, till.stderr])
    output.on('data', (part) => (text += String(part)));
  const closed = new Promise<void>((resolve) => till.on('close', () => resolve()));
  let isClosed = false;
  void closed.then(() => (isClosed = true));
  let isShown = false;
  while (!isClosed) {
    if (killedWhen?.() === true) till.kill('SIGKILL');
    if (text.includes('scan') && !isShown) {
      isShown = true;
      if (signal !== undefined) till.kill(signal);
    }
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 20))]);
    if (isShown) await at.world.clock.pass(500);
  }
  return text;
}

test('each program in examples is tried here', () => {
  expect(
    readdirSync(folder)
      .filter((name) => /^till\./i.test(name))
      .toSorted(),
  ).toEqual(examples.map(({ file }) => file).toSorted());
});

describe.each(examples)('$file', (example) => {
  const { file, command, version } = example;
  const isInstalled = spawnSync(command[0], [...version]).status === 0;
  if (!isInstalled) process.stderr.write(`SKIPPED: examples/${file}: no ${command[0]} here\n`);
  beforeEach(() => cpSync(join(folder, file), join(at.folder, file)));
  const keeps = (): boolean =>
    readdirSync(at.folder).some((name) => name.startsWith('till-payment.'));

  test.runIf(isInstalled)('is paid, and forgets its key only then', async () => {
    at.world.pollAnswers = [reserved];
    expect(await run(example)).toMatch(/12\.34 DKK: please scan the code.*\nPaid\. Receipt 1\.\n/s);
    expect(keeps()).toBe(false);
  });

  test.runIf(isInstalled)('killed while it waits, asks for the same payment', async () => {
    at.world.pollAnswers = [reserved];
    await run(example, { killedWhen: () => at.world.lane.snapshot().current !== null });
    expect(keeps()).toBe(true);
    await at.world.clock.pass(2_000);
    expect(await run(example, { amount: '99' })).toMatch(
      /Takes up the payment that was begun before.*12\.34 DKK.*Paid\. Receipt 1\./s,
    );
    expect(at.world.whatLeft().filter((what) => what === 'create')).toHaveLength(1);
  });

  test.runIf(isInstalled)('refused before a payment begins, forgets its key', async () => {
    expect(await run(example, { token: 'tbt_unknown' })).toContain(
      'The token is missing or unknown',
    );
    expect(keeps()).toBe(false);
  });

  test.runIf(isInstalled)('refused while a payment may run, keeps its key', async () => {
    at.world.pollAnswers = [reserved];
    await run(example, { killedWhen: () => at.world.lane.snapshot().current !== null });
    await run(example, { token: 'tbt_unknown' });
    expect(keeps()).toBe(true);
  });

  test.runIf(isInstalled)('begins nothing without a whole amount of minor units', async () => {
    for (const amount of ['0', '-1', '1.234', '1e3', 'twelve', '12,50', ''])
      expect(await run(example, { amount }), amount).toContain('usage:');
    expect(keeps()).toBe(false);
    expect(at.world.whatLeft()).not.toContain('create');
  });

  test.runIf(isInstalled)('cancels with Ctrl+C', async () => {
    at.world.pollAnswers = Array.from(
      { length: 60 },
      () => ({ kind: 'seen', status: 'issuedToUser', ...bread }) as const,
    );
    expect(await run(example, { signal: 'SIGINT' })).toContain('Not paid: cancelledByTill.');
    expect(keeps()).toBe(false);
  });
});
