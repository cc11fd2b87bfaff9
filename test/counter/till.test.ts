/** `npm run till` as it is built, at the daemon. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { Counter } from '../support/counter.ts';
import { Product } from '../support/processes.ts';

let counter: Counter;
afterEach(() => counter?.close());

const cancelled = {
  do: 'pay',
  amount: 1010,
  abortWhenShown: 'Scan',
  expect: { ended: 'aborted', abortCode: '6C', result: '6C', amount: 1010 },
};

test.each(['tcp', 'serial'] as const)(
  'a script over %s comes to what it expects, and the exit code says when it does not',
  async (transport) => {
    counter = await Counter.open({ transport, records: true });
    // The port belongs to one till at a time.
    await counter.till.close();
    const where =
      counter.cable === null
        ? ['--tcp', `127.0.0.1:${counter.started.lanes[0]?.till.split(':')[2]}`]
        : ['--serial', counter.cable.tillPath];
    const run = async (steps: object[]): Promise<{ code: number | null; said: string }> => {
      const script = join(counter.folder, 'script.json');
      writeFileSync(script, JSON.stringify({ steps }));
      const till = new Product('till', [...where, '--script', script]);
      const { code } = await till.exited;
      return { code, said: till.lines.join('\n') + till.stderr };
    };
    expect(await run([{ do: 'register' }, cancelled])).toEqual({
      code: 0,
      said: expect.stringMatching(
        /→ Authorisation 06 01: amount 10\.10 DKK[^]*step 2 \(pay\): .*: as expected/,
      ),
    });
    await expect
      .poll(() => counter.lastPayment())
      .toMatchObject({ status: 'CancelledByClient', captureCount: 0 });
    expect(await run([{ do: 'reverse', receipt: 42 }])).toEqual({
      code: 1,
      said: expect.stringContaining('step 1 (reverse): ended: expected completed, got aborted'),
    });
    const file = join(counter.folder, 'data/recordings/till-1.jsonl');
    const recorded = (): string => readFileSync(file, 'utf8');
    expect(recorded()).toMatch(/06 01 0A 04 00 00 00 00 10 10/);
    expect(recorded()).toMatch(/06 00 08 \*\* \*\* \*\* 8E 02 08 06 00/);
    expect(recorded()).not.toMatch(/12 34 56/);
    const wire = async (...args: string[]): Promise<{ code: number | null; said: string }> => {
      const tool = new Product('wire', args);
      const { code } = await tool.exited;
      return { code, said: tool.lines.join('\n') + tool.stderr };
    };
    expect(await wire('show', file)).toEqual({
      code: 0,
      said: expect.stringMatching(
        /→ Authorisation 06 01: amount 10\.10 DKK[^]*← Aborted 06 1E: timeout or abort/,
      ),
    });
    const again = await wire('replay', file, ...where);
    expect(again.said).toContain('→ Authorisation 06 01: amount 10.10 DKK: as recorded');
    expect(again.code, again.said).toBe(0);
    expect(await wire('replay', file, ...where, '--password', '12')).toEqual({
      code: 2,
      said: '--password: must be six digits\n',
    });
    // Not in the recording: what a repeated receipt says depends on whether the service confirmed.
    expect(
      await run([
        { do: 'register' },
        { do: 'repeatReceipt', expect: { result: '6C', ended: 'completed' } },
      ]),
    ).toEqual({
      code: 0,
      said: expect.stringMatching(/step 2 \(repeatReceipt\): .*: as expected/),
    });
    expect(await run([{ do: 'pay', amount: '10' }])).toEqual({
      code: 2,
      said: expect.stringContaining('steps.0.amount: must be a whole number of minor units'),
    });
  },
);
