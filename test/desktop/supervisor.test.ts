import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { terminalVersion } from '../../main/counter/app/version.ts';
import { createBackup } from '../../main/counter/backup/create-backup.ts';
import { systemClock } from '../../main/core/domain/clock.ts';
import { openJournalReader } from '../../main/core/journal/reader.ts';
import { openSqliteJournal } from '../../main/core/journal/sqlite-journal.ts';
import { Register } from '../../main/sandbox/till/register.ts';
import { isLong } from '../support/long.ts';
import { noReserve, paid, saleNumbered } from '../unit/core/journal/support.ts';
import { Product, type SimulatorReady, until } from '../support/processes.ts';
import { appOfTest } from './app-of-test.ts';
import { type Desktop, settingsFor } from './desktop-app.ts';

const app = appOfTest({ entry: 'out/main/supervisor.js', endsBy: 'SIGTERM' });
let desktop: Desktop;
const start = async (...about: Parameters<typeof app.start>): Promise<void> => {
  desktop = await app.start(...about);
};

/** The processes of the app so far, as its supervisor tells them. */
const apps = (): number[] =>
  [...desktop.stderr.matchAll(/"pid":(\d+),"msg":"app started"/g)].map(([, pid]) => Number(pid));
const ready = (times: number): Promise<void> =>
  until(
    () => desktop.stderr.split('"msg":"ready"').length > times,
    `the app to be ready ${times} times`,
  );
const kill = (signal: NodeJS.Signals): void => void process.kill(apps().at(-1) as number, signal);

describe('the supervisor (over the stand-in)', () => {
  describe.runIf(isLong)('with a payment under way', () => {
    test.each(['SIGKILL', 'SIGSEGV'] as const)(
      'brings the app back that %s has ended, and the payment is settled',
      async (signal) => {
        const service = new Product('simulator', ['--port', '0']);
        const { baseUrl } = await service.ready<SimulatorReady>();
        const payments = async (): Promise<string[]> =>
          (
            (await (await fetch(`${baseUrl}/simulator/state`)).json()) as {
              payments: { status: string }[];
            }
          ).payments.map(({ status }) => status);
        const file = join(app.userData, 'counter.json');
        const { settings, clientSecret } = await settingsFor(service, 'desktop-9');
        writeFileSync(file, JSON.stringify(settings));
        await start(['--settings', file], { TILLBEACON_LOG_FOLDER: join(app.userData, 'log') });
        await ready(1);
        const port = Number(/"till":"[^"]*:(\d+)"/.exec(desktop.stderr)?.[1]);
        const till = await Register.overTcp({ host: '127.0.0.1', port });
        await till.register({ currency: 'DKK', config: 0 });
        till.pay(500, 'DKK').catch(() => {});
        await until(
          async () => (await payments()).includes('Initiated'),
          'the payment to be under way',
        );

        kill(signal);
        await ready(2);
        expect(apps()).toHaveLength(2);
        expect(desktop.stderr).toContain(`"signal":"${signal}","msg":"app was ended by a signal"`);
        await until(
          async () => (await payments()).join() === 'CancelledByClient',
          'the payment to be cancelled',
        );
        await (await desktop.window('cashier')).locator('[data-state="idle"]').waitFor();
        const logText = readFileSync(join(app.userData, 'log', 'tillbeacon.jsonl'), 'utf8');
        for (const words of ['"msg":"app was ended by a signal"', '"msg":"ready"'])
          expect(logText).toContain(words);
        expect(logText).not.toContain(clientSecret);
        await till.close();

        // Without its supervisor the app goes on, although nobody reads its output any more.
        desktop.child.kill('SIGKILL');
        await until(() => desktop.child.signalCode !== null, 'the supervisor to be gone');
        const again = await Register.overTcp({
          host: '127.0.0.1',
          port: Number([...desktop.stderr.matchAll(/"till":"[^"]*:(\d+)"/g)].at(-1)?.[1]),
        });
        await again.register({ currency: 'DKK', config: 0 });
        again.pay(700, 'DKK').catch(() => {});
        await until(
          async () => (await payments()).at(-1) === 'Initiated',
          'the next payment to be under way',
        );
        await again.close();
        kill('SIGTERM');
        await desktop.exited;
        await service.end();
      },
    );
  });

  test('starts the app again with a backup that was restored into it, and no lane opens before that is confirmed', async () => {
    const old = join(app.userData, 'old');
    mkdirSync(old, { mode: 0o700 });
    const journal = openSqliteJournal(join(old, 'journal.sqlite'), systemClock, {
      reserve: noReserve,
    });
    journal.append('1', saleNumbered(1).saleId, paid(saleNumbered(1)));
    journal.close();
    const pointOfSale = {
      merchantPosId: 'shop-1',
      storeId: '5a1e0000-0000-4000-8000-000000000010',
      name: 'Check-out 1',
      beaconTypes: ['QR'],
      beaconId: null,
    };
    const till = { protocol: 'zvt', transport: 'tcp', host: '127.0.0.1', port: 0 };
    const wallet = {
      baseUrl: 'http://127.0.0.1:9',
      authUrl: 'http://127.0.0.1:9',
      clientId: 'a',
      clientSecret: 'b',
      merchantVat: 'DK12345678',
    };
    writeFileSync(
      join(old, 'settings.json'),
      JSON.stringify({
        wallet,
        lanes: [{ id: '1', name: 'Check-out 1', currency: 'DKK', pointOfSale, till }],
      }),
    );
    const file = join(app.userData, 'counter.backup');
    await createBackup({
      dataFolder: old,
      settings: null,
      file,
      passphrase: 'correct horse battery',
      version: terminalVersion,
      nowMs: 5_000,
      cost: 12,
    });

    await start([]);
    const setup = await desktop.window('setup');
    await setup.getByTestId('restore').click();
    const [chooser] = await Promise.all([
      setup.waitForEvent('filechooser'),
      setup.getByTestId('backup-file').click(),
    ]);
    await chooser.setFiles(file);
    await setup.locator('#passphrase').fill('correct horse batterie');
    await setup.getByTestId('restore-now').click();
    await setup.locator('#passphrase-problem span').waitFor();
    await setup.locator('#passphrase').fill('correct horse battery');
    await setup.getByTestId('restore-now').click();
    await setup.getByTestId('restored').waitFor();
    await ready(2);
    expect(apps()).toHaveLength(2);
    expect(desktop.stderr).toContain('no lane is opened until a manager has confirmed');
    expect(readdirSync(app.userData).filter((name) => name.startsWith('data'))).toEqual(['data']);
    const reader = openJournalReader(join(app.userData, 'data', 'journal.sqlite'));
    expect(reader.check()).toMatchObject({ problems: [], sales: 1 });
    reader.close();
    for (const secret of ['correct horse', '"clientSecret":"b"'])
      expect(desktop.stderr).not.toContain(secret);
  });

  test('brings the app back that was killed, and passes on that the computer shuts down', async () => {
    await start(['--demo']);
    await ready(1);
    kill('SIGKILL');
    await ready(2);
    await desktop.end();
    expect(apps()).toHaveLength(2);
    expect(desktop.stderr.split('starting it again')).toHaveLength(2);
  });
});
