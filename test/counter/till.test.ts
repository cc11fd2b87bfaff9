/** `npm run till` as it is built, at the daemon. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { Counter } from '../support/counter.ts';
import { Product } from '../support/processes.ts';

let counter: Counter;
afterEach(() => counter?.close());

const cancelled = { do: 'pay', amount: 1010, abortWhenShown: 'Scan', expect: { ended: 'aborted', abortCode: '6C', result: '6C', amount: 1010 } };

test.each(['tcp', 'serial'] as const)('a script over %s comes to what it expects, and the exit code says when it does not', async (transport) => {
  counter = await Counter.open({ transport, records: true });
  // The port belongs to one till at a time.
  await counter.till.close();
  const where = counter.cable === null ? ['--tcp', `127.0.0.1:${counter.started.lanes[0]?.till.split(':')[2]}`] : ['--serial', counter.cable.tillPath];
  const run = async (steps: object[]): Promise<{ code: number | null; said: string }> => {
    const script = join(counter.folder, 'script.json');
    writeFileSync(script, JSON.stringify({ steps }));
    const till = new Product('till', [...where, '--script', script]);
    const { code } = await till.exited;
    return { code, said: till.lines.join('\n') + till.stderr };
  };
  const day = await run([{ do: 'register' }, cancelled, { do: 'repeatReceipt', expect: { result: '6C', ended: 'completed' } }]);
  expect(day).toEqual({ code: 0, said: expect.stringMatching(/→ Authorisation 06 01: amount 10\.10 DKK[^]*step 3 \(repeatReceipt\): .*: as expected/) });
  expect(await counter.lastPayment()).toMatchObject({ status: 'CancelledByClient', captureCount: 0 });
  expect(await run([{ do: 'reverse', receipt: 42 }])).toEqual({
    code: 1,
    said: expect.stringContaining('step 1 (reverse): ended: expected completed, got aborted'),
  });
  const recorded = (): string => readFileSync(join(counter.folder, 'data/recordings/till-1.jsonl'), 'utf8');
  expect(recorded()).toMatch(/06 01 0A 04 00 00 00 00 10 10/);
  expect(recorded()).toMatch(/06 00 08 \*\* \*\* \*\* 8A 02 08 06 00/);
  expect(recorded()).not.toMatch(/12 34 56/);
  expect(await run([{ do: 'pay', amount: '10' }])).toEqual({ code: 2, said: expect.stringContaining('steps.0.amount: must be a whole number of minor units') });
});
