import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';

const entry = fileURLToPath(new URL('../../../main/simulator.ts', import.meta.url));
const run = (...args: string[]): ChildProcessByStdio<null, Readable, Readable> =>
  spawn(process.execPath, [entry, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });

describe.concurrent('the simulator as a program', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('says one line when it is ready, answers, and ends on %s', async (signal) => {
    const child = run('--port', '0', '--seed', '7', '--poll-delay', '0');
    const said: string[] = [];
    child.stdout.setEncoding('utf8').on('data', (part: string) => said.push(part));
    await once(child.stdout, 'data');
    const ready = JSON.parse(said.join('')) as Record<string, unknown>;
    expect(Object.keys(ready)).toEqual(['ready', 'baseUrl', 'authUrl', 'clientId', 'clientSecret', 'merchantVat', 'storeIds']);
    const state = await fetch(`${String(ready['baseUrl'])}/simulator/state`);
    expect(await state.json()).toMatchObject({ payments: [], refunds: [], pointsOfSale: [], violations: { earlyPolls: 0 } });
    child.kill(signal);
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(said.join('').split('\n')).toEqual([expect.any(String), '']);
  });

  test.each([
    ['--port', '65536'],
    ['--seed', '-1'],
    ['--profile', 'nobody'],
    ['--nonsense', ''],
  ])('refuses %s %s with one line', async (...args) => {
    const child = run(...(args as string[]));
    const [out, said, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(said).toMatch(/^[^\n]+\n$/);
  });
});
