import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemIds } from '../../../../../main/core/domain/ids.ts';
import { silentLog } from '../../../../../main/core/domain/log.ts';
import { startApplication, type Application } from '../../../../../main/counter/app/application.ts';
import { type ProcedureName, procedures } from '../../../../../preload/procedures.ts';
import { ContractClient } from '../../../../support/contract-client.ts';
import { cheapPinCost } from '../../../../support/first-manager.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

/** A client at the socket that is not one of our screens. */
class Stranger extends ContractClient {
  static async connect(url: string): Promise<Stranger> {
    return new Stranger(await ContractClient.open(url));
  }
}

const protectedProcedures = (Object.keys(procedures) as ProcedureName[]).filter(
  (name) => procedures[name].who !== 'anyone',
);
const clock = new ManualClock();
let folder: string;
let terminal: Application;
let url: string;
let manager: Stranger;
let managerId: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-pin-needed-'));
  mkdirSync(join(folder, 'renderer'));
  writeFileSync(join(folder, 'renderer', 'index.html'), '<!doctype html>');
  const screens = { port: 0 };
  terminal = await startApplication({
    settings: null,
    dataFolder: join(folder, 'data'),
    screens,
    rendererFolder: join(folder, 'renderer'),
    demo: false,
    limits: { signsOutAfterMs: 60_000, pinCost: cheapPinCost },
    system: { clock, ids: systemIds, log: silentLog },
  });
  url = terminal.screensUrl as string;
  manager = await Stranger.connect(url);
  const added = await manager.call('addManager', { name: 'Ada', pin: '4711' });
  managerId = (added.ok && (added.value as { managerId: string }).managerId) || '';
});
afterAll(async () => {
  await terminal.close();
  rmSync(folder, { recursive: true, force: true });
});

test('there is something to protect', () => {
  expect(protectedProcedures).toEqual(
    expect.arrayContaining(['addManager', 'changePin', 'removeManager', 'health', 'diagnostics']),
  );
});

test('a daemon’s pages restore no backup, also before there is anything to protect, and for a manager', async () => {
  const part = { part: 0, base64: '', last: true };
  for (const one of [
    await manager.call('backupPart', part),
    await manager.call('restoreBackup', { passphrase: 'correct horse battery' }),
  ])
    expect(one).toMatchObject({ ok: false, code: 'notHere' });
  const state = await manager.call('setupState', {});
  expect(state).toMatchObject({ ok: true });
  expect(JSON.stringify(state)).not.toContain('canRestore');
});

async function expectNoneIsAnswered(whom: Stranger, callInput: unknown = {}): Promise<void> {
  const answers = await Promise.all(
    protectedProcedures.map(async (name) => [name, await whom.call(name, callInput)] as const),
  );
  expect(answers.filter(([, answer]) => answer.ok || answer.code !== 'pinNeeded')).toEqual([]);
}

describe('none of the questions that need a PIN is answered', () => {
  test('to who has none, whatever they send', async () => {
    const stranger = await Stranger.connect(url);
    for (const asked of [{}, null, { managerId, pin: '9999', name: 'Eve' }, { managerId }])
      await expectNoneIsAnswered(stranger, asked);
    stranger.close();
  });

  test('to who was wrong', async () => {
    const stranger = await Stranger.connect(url);
    expect(await stranger.call('signIn', { managerId, pin: '0000' })).toMatchObject({
      ok: false,
      code: 'wrongPin',
    });
    await expectNoneIsAnswered(stranger);
    stranger.close();
  });

  test('to who was signed in for too long without a question', async () => {
    await clock.pass(60_000);
    await expectNoneIsAnswered(manager);
  });

  test('to who has signed out', async () => {
    expect(await manager.call('signIn', { managerId, pin: '4711' })).toMatchObject({ ok: true });
    expect(await manager.call('signOut', {})).toMatchObject({ ok: true });
    await expectNoneIsAnswered(manager);
  });
});

test('what a manager may ask is answered to a manager: the refusals above are the guard’s', async () => {
  await manager.call('signIn', { managerId, pin: '4711' });
  expect(await manager.call('health', {})).toMatchObject({
    ok: true,
    value: { service: { code: 'notSetUp' } },
  });
});
