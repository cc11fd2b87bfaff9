import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from 'vitest';

const entry = fileURLToPath(new URL('../../main/cli/simulator.ts', import.meta.url));
const run = (...args: string[]): ChildProcessByStdio<null, Readable, Readable> =>
  spawn(process.execPath, [entry, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });

const folder = mkdtempSync(join(tmpdir(), 'simulator-'));
const badPlan = join(folder, 'bad.json');
const goodPlan = join(folder, 'good.json');
writeFileSync(badPlan, JSON.stringify({ faults: [{ operation: 'token', kind: 'flood' }] }));
writeFileSync(
  goodPlan,
  JSON.stringify({ seed: 3, faults: [{ operation: 'token', kind: 'status401' }] }),
);
afterAll(() => rmSync(folder, { recursive: true }));

describe.concurrent('the simulator as a program', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    'says one line when it is ready, answers, and ends on %s',
    async (signal) => {
      const child = run('--port', '0', '--seed', '7', '--poll-delay', '0');
      const said: string[] = [];
      child.stdout.setEncoding('utf8').on('data', (part: string) => said.push(part));
      await once(child.stdout, 'data');
      const ready = JSON.parse(said.join('')) as Record<string, unknown>;
      expect(Object.keys(ready)).toEqual([
        'ready',
        'baseUrl',
        'authUrl',
        'clientId',
        'clientSecret',
        'merchantVat',
        'storeIds',
        'epayment',
      ]);
      const state = await fetch(`${String(ready['baseUrl'])}/simulator/state`);
      expect(await state.json()).toMatchObject({
        payments: [],
        refunds: [],
        pointsOfSale: [],
        violations: { earlyPolls: 0 },
      });
      child.kill(signal);
      expect(await once(child, 'close')).toEqual([0, null]);
      expect(said.join('').split('\n')).toEqual([expect.any(String), '']);
    },
  );

  test.each([
    ['--port', '65536'],
    ['--profile', 'nobody'],
    ['--faults', '/nowhere.json'],
    ['--faults', badPlan],
  ])('refuses %s %s with one line', async (...args) => {
    const child = run(...(args as string[]));
    const [out, said, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(said).toMatch(/^[^\n]+\n$/);
  });

  test.each([
    ['--seed', '-1'],
    ['--nonsense', ''],
  ])('refuses %s %s with one line, and one that says what it takes', async (...args) => {
    const child = run(...args);
    const [out, said, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(said).toMatch(/^[^\n]+\nusage: npm run simulator -- [^\n]+\n$/);
  });

  test('fails as a file of faults says', async () => {
    const child = run('--port', '0', '--faults', goodPlan);
    const [said] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
    const { baseUrl, clientId, clientSecret } = JSON.parse(said) as Record<string, string>;
    const token = (): Promise<number> =>
      fetch(`${baseUrl}/connect/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
      }).then(({ status }) => status);
    expect([await token(), await token()]).toEqual([401, 200]);
    child.kill();
    await once(child, 'close');
  });

  test('listens by itself on a port that the client can reach: fetch refuses some', async () => {
    const port = /const defaultPort = (\d+);/.exec(readFileSync(entry, 'utf8'))?.[1];
    // Whether anybody is there does not matter, only that fetch would ask.
    const outcome: unknown = await fetch(`http://127.0.0.1:${port}/`, {
      signal: AbortSignal.timeout(1_000),
    }).catch((error: Error) => error);
    expect(outcome).not.toMatchObject({ cause: { message: 'bad port' } });
  });
});
