/**
 * What is different on Windows. The long run runs the counter's suites there too
 * (vitest.config.ts).
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { Counter } from '../support/counter.ts';
import { type DaemonReady, Product, until } from '../support/processes.ts';
import { wine } from '../support/wine.ts';

let counter: Counter;
let others: Product[] = [];
afterEach(async () => {
  await Promise.all(others.map((product) => product.end('SIGKILL')));
  others = [];
  await counter?.close();
});

const paid = { ended: { by: 'completion' } };

async function nextIsPaid(): Promise<void> {
  const before = (await counter.state()).payments.length;
  const payment = counter.till.pay(1234, 'DKK');
  await until(async () => (await counter.state()).payments.length > before, 'the payment');
  await counter.customerPays();
  expect(await payment).toMatchObject(paid);
  expect(await counter.serviceSays('Captured')).toMatchObject({ amount: 12.34, captureCount: 1 });
}

test('the daemon is a Windows process, and a till over TCP is paid; killed after "paid" it captures once', async () => {
  counter = await Counter.open({ transport: 'tcp' });
  expect(wine).not.toBeNull();
  await nextIsPaid();
  await counter.fault({ operation: 'capturePayment', kind: 'timeoutBefore', times: 100 });
  const payment = counter.till.pay(500, 'DKK');
  await until(async () => (await counter.state()).payments.length === 2, 'the second payment');
  await counter.customerPays();
  expect(await payment).toMatchObject(paid);
  await counter.daemon.end('SIGKILL');
  await counter.noFaults();
  await counter.till.close();
  await counter.startDaemon();
  expect(await counter.lastPayment()).toMatchObject({ status: 'Captured', captureCount: 1 });
  counter.till = await counter.connectTill();
  await nextIsPaid();
});

test('a till on a COM port is paid', async () => {
  counter = await Counter.open({ transport: 'serial' });
  expect(counter.started.lanes[0]?.till).toContain('COM7');
  await nextIsPaid();
});

test('a second daemon on the same data folder ends and says why; the first goes on', async () => {
  counter = await Counter.open({ transport: 'tcp' });
  const second = new Product('daemon', [
    '--settings',
    join(counter.folder, 'settings.json'),
    '--data',
    join(counter.folder, 'data'),
    '--port',
    '0',
  ]);
  others.push(second);
  expect((await second.exited).code).toBe(1);
  expect(second.stderr).toMatch(/is in use by another Tillbeacon: process \d+/);
  await nextIsPaid();
});

test('the folder has letters of Danish and German, a space and a path longer than 260 characters', async () => {
  counter = await Counter.open({ transport: 'tcp' });
  await counter.daemon.end('SIGKILL');
  const folder = join(
    counter.folder,
    'Bülow & Søn – kassen',
    ...Array.from({ length: 5 }, (_, n) => `${n} ${'æøåß'.repeat(12)}`),
  );
  expect(folder.length).toBeGreaterThan(260);
  mkdirSync(folder, { recursive: true });
  // With a byte order mark, as Windows' own editor writes the file.
  writeFileSync(
    join(folder, 'settings.json'),
    `\uFEFF${JSON.stringify(counter.settings, null, 2).replaceAll('\n', '\r\n')}`,
  );
  const daemon = new Product('daemon', ['--data', folder, '--port', '0']);
  others.push(daemon);
  const { lanes } = await daemon.ready<DaemonReady>();
  expect(lanes).toHaveLength(1);
  expect(existsSync(join(folder, 'journal.sqlite'))).toBe(true);
  expect(readFileSync(join(folder, 'journal.sqlite')).subarray(0, 15).toString()).toBe(
    'SQLite format 3',
  );
});
