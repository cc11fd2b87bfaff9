import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { managerNames, requestUnlock } from '../../../../../main/counter/app/unlock-managers.ts';
import {
  type Manager,
  Managers,
  type PinTry,
} from '../../../../../main/counter/manager/people/managers.ts';
import { hashPin, type PinCost } from '../../../../../main/counter/manager/people/pin.ts';
import { systemIds } from '../../../../../main/core/domain/ids.ts';
import { silentLog } from '../../../../../main/core/domain/log.ts';
import { cheapPinCost as cheap } from '../../../../support/first-manager.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

let folder: string;
let path: string;
let clock: ManualClock;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-managers-'));
  path = join(folder, 'managers.json');
  clock = new ManualClock();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (about: { clock?: ManualClock; cost?: PinCost } = {}): Managers =>
  new Managers({ path, clock, ids: systemIds, log: silentLog, cost: cheap, ...about });
async function withAda(): Promise<{ managers: Managers; ada: Manager }> {
  const managers = open();
  return { managers, ada: (await managers.add('Ada', '1234', true)) as Manager };
}
async function wrong(managers: Managers, { managerId }: Manager, times: number): Promise<PinTry> {
  let last: PinTry = { kind: 'unknown' };
  for (let time = 0; time < times; time += 1) last = await managers.tryPin(managerId, '0000');
  return last;
}

describe('the managers of a counter', () => {
  test('are kept across a restart, and their PINs cannot be read back', async () => {
    const { managers, ada } = await withAda();
    const bea = (await managers.add('Bea', '1234', false)) as Manager;
    expect(open().list()).toEqual([ada, bea]);
    const storedFile = JSON.parse(readFileSync(path, 'utf8')) as {
      managers: { pin: { salt: string; hash: string } }[];
    };
    expect(JSON.stringify(storedFile)).not.toContain('1234');
    // Equal PINs have different hashes.
    expect(storedFile.managers[0]?.pin.hash).not.toBe(storedFile.managers[1]?.pin.hash);
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(await open().tryPin(bea.managerId, '1234')).toEqual({ kind: 'right', manager: bea });
  });

  test('keep their PINs at the cost that this machine has, which is measured once', async () => {
    const { managers, ada } = await withAda();
    await managers.add('Bea', '5836', false);
    const file = (): { cost: PinCost; managers: { pin: PinCost }[] } =>
      JSON.parse(readFileSync(path, 'utf8')) as never;
    expect(file()).toMatchObject({ cost: cheap, managers: [{ pin: cheap }, { pin: cheap }] });
    // On another machine, or later on the same one, the measured cost is kept.
    const later = open({ cost: { ...cheap, cost: 32 } });
    await later.changePin(ada.managerId, '4712');
    expect(file()).toMatchObject({ cost: cheap, managers: [{ pin: cheap }, { pin: cheap }] });
  });

  test('whose PIN was hashed at another cost sign in with it, and it is hashed again', async () => {
    const { cost, salt, hash } = await hashPin('1234', {
      cost: 32,
      blockSize: 8,
      parallelization: 1,
    });
    const managerId = systemIds.uuid();
    const older = {
      managerId,
      name: 'Ada',
      pin: { salt, hash, cost },
      wrongTries: 0,
      locks: 0,
      lock: null,
    };
    writeFileSync(path, JSON.stringify({ version: 1, managers: [older] }));
    const managers = open();
    expect(await managers.tryPin(managerId, '4711')).toMatchObject({ kind: 'wrong' });
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ managers: [{ pin: { hash } }] });
    expect(await managers.tryPin(managerId, '1234')).toMatchObject({ kind: 'right' });
    const storedFile = JSON.parse(readFileSync(path, 'utf8')) as { managers: { pin: PinCost }[] };
    expect(storedFile).toMatchObject({ cost: cheap, managers: [{ pin: cheap }] });
    expect(await open().tryPin(managerId, '1234')).toMatchObject({ kind: 'right' });
    // The hash already has the highest cost that is allowed here, so it is not written anew each
    // time.
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(storedFile);
  });

  test('have different names, however they are written', async () => {
    const { managers } = await withAda();
    expect(await managers.add('ADA', '5678', false)).toBe('nameTaken');
  });

  test('cannot be added as the first one twice: of two at the same time one stays', async () => {
    const managers = open();
    const both = await Promise.all([
      managers.add('Ada', '1234', true),
      managers.add('Eve', '6666', true),
    ]);
    expect(both.filter((one) => one === 'notFirst')).toHaveLength(1);
    expect(managers.list()).toHaveLength(1);
  });

  test('can be removed, but not the last one', async () => {
    const { managers, ada } = await withAda();
    expect(managers.remove(ada.managerId)).toBe('last');
    const bea = (await managers.add('Bea', '5678', false)) as Manager;
    expect(managers.remove(ada.managerId)).toBe('removed');
    expect(managers.remove(ada.managerId)).toBe('unknown');
    expect(open().list()).toEqual([bea]);
    expect(await managers.tryPin(ada.managerId, '1234')).toEqual({ kind: 'unknown' });
  });

  test('who are removed while their PIN is being looked at do not get in', async () => {
    const { managers, ada } = await withAda();
    await managers.add('Bea', '5678', false);
    const trying = managers.tryPin(ada.managerId, '1234');
    managers.remove(ada.managerId);
    expect(await trying).toEqual({ kind: 'unknown' });
  });

  test('are nobody’s to add when their file is damaged: nobody passes for the first one', async () => {
    writeFileSync(path, '{"version":1,"managers":[');
    const managers = open();
    expect(() => managers.list()).toThrow('is damaged');
    await expect(managers.add('Eve', '6666', true)).rejects.toThrow('is damaged');
    await expect(managers.tryPin(systemIds.uuid(), '1234')).rejects.toThrow('is damaged');
    expect(readFileSync(path, 'utf8')).toBe('{"version":1,"managers":[');
  });
});

describe('a wrong PIN', () => {
  test('tells how many tries are left; a right one starts again', async () => {
    const { managers, ada } = await withAda();
    expect(await wrong(managers, ada, 1)).toEqual({ kind: 'wrong', triesLeft: 4 });
    expect(await wrong(managers, ada, 3)).toEqual({ kind: 'wrong', triesLeft: 1 });
    expect(await managers.tryPin(ada.managerId, '1234')).toMatchObject({ kind: 'right' });
    expect(await wrong(managers, ada, 1)).toEqual({ kind: 'wrong', triesLeft: 4 });
  });

  test('five times locks for a minute, then two, then four, also with the right PIN; of one manager alone', async () => {
    const { managers, ada } = await withAda();
    const bea = (await managers.add('Bea', '5678', false)) as Manager;
    for (const minutes of [1, 2, 4]) {
      expect(await wrong(managers, ada, 5)).toEqual({
        kind: 'locked',
        leftMs: minutes * 60_000,
        now: true,
      });
      await clock.pass(minutes * 60_000 - 1);
      expect(await managers.tryPin(ada.managerId, '1234')).toEqual({
        kind: 'locked',
        leftMs: 1,
        now: false,
      });
      expect(await managers.tryPin(bea.managerId, '5678')).toMatchObject({ kind: 'right' });
      await clock.pass(1);
    }
    expect(await managers.tryPin(ada.managerId, '1234')).toMatchObject({ kind: 'right' });
    expect(await wrong(managers, ada, 5)).toMatchObject({ leftMs: 60_000 });
  });

  test('never locks for longer than a day', async () => {
    const { managers, ada } = await withAda();
    let last: PinTry = { kind: 'unknown' };
    for (let lock = 0; lock < 14; lock += 1) {
      last = await wrong(managers, ada, 5);
      await clock.pass(24 * 60 * 60_000);
    }
    expect(last).toEqual({ kind: 'locked', leftMs: 24 * 60 * 60_000, now: true });
  });

  test('is no free one for many tries at once', async () => {
    const { managers, ada } = await withAda();
    const tries = await Promise.all(
      Array.from({ length: 20 }, (_, guess) =>
        managers.tryPin(ada.managerId, String(1_215 + guess)),
      ),
    );
    // The PIN 1234 is the twentieth guess.
    expect(tries.filter(({ kind }) => kind === 'wrong')).toHaveLength(4);
    expect(tries.filter(({ kind }) => kind === 'locked')).toHaveLength(16);
  });

  test('counts across a restart, and so does a lock: what is left of it', async () => {
    const { managers, ada } = await withAda();
    await wrong(managers, ada, 4);
    const second = open();
    expect(await wrong(second, ada, 1)).toMatchObject({ kind: 'locked', leftMs: 60_000 });
    await clock.pass(20_000);
    expect(await wrong(open(), ada, 1)).toEqual({ kind: 'locked', leftMs: 40_000, now: false });
    await clock.pass(40_000);
    expect(await wrong(open(), ada, 5)).toMatchObject({ leftMs: 120_000 });
  });

  test('locks no longer than it should when the wall clock has jumped back meanwhile, or forth', async () => {
    const { managers, ada } = await withAda();
    await clock.pass(10 * 60_000);
    await wrong(managers, ada, 5);
    // The clock shows a time ten minutes before the lock began.
    expect(await wrong(open({ clock: new ManualClock() }), ada, 1)).toEqual({
      kind: 'locked',
      leftMs: 60_000,
      now: false,
    });
    const nextYear = new ManualClock();
    await nextYear.pass(365 * 24 * 60 * 60_000);
    expect(await open({ clock: nextYear }).tryPin(ada.managerId, '1234')).toMatchObject({
      kind: 'right',
    });
  });

  test('is counted on a full disk too, and the right one still lets in', async () => {
    const { managers, ada } = await withAda();
    // A folder in its place, which cannot be replaced by a file.
    rmSync(path);
    mkdirSync(path);
    expect(await wrong(managers, ada, 2)).toEqual({ kind: 'wrong', triesLeft: 3 });
    expect(await managers.tryPin(ada.managerId, '1234')).toMatchObject({ kind: 'right' });
    expect(await wrong(managers, ada, 5)).toMatchObject({ kind: 'locked' });
    await expect(managers.add('Bea', '5678', false)).rejects.toThrow();
    expect(managers.list()).toEqual([ada]);
  });

  test('is forgiven when another manager gives a new PIN', async () => {
    const { managers, ada } = await withAda();
    await wrong(managers, ada, 5);
    expect(await managers.changePin(ada.managerId, '87654321')).toBe(true);
    expect(await managers.tryPin(ada.managerId, '87654321')).toMatchObject({ kind: 'right' });
    expect(await managers.tryPin(ada.managerId, '1234')).toMatchObject({
      kind: 'wrong',
      triesLeft: 4,
    });
  });
});

describe('a screen at which a manager has signed in', () => {
  const token = 'a'.repeat(32);
  const other = 'b'.repeat(32);

  test('is not locked by wrong PINs from elsewhere, also after a restart; a screen that is not known is', async () => {
    const { managers, ada } = await withAda();
    expect(await managers.tryPin(ada.managerId, '1234', token)).toMatchObject({ kind: 'right' });
    expect(await wrong(managers, ada, 6)).toMatchObject({ kind: 'locked' });
    for (const one of [managers, open()]) {
      expect(await one.tryPin(ada.managerId, '1234', token)).toMatchObject({ kind: 'right' });
      expect(await one.tryPin(ada.managerId, '1234', other)).toMatchObject({ kind: 'locked' });
      expect(await one.tryPin(ada.managerId, '1234')).toMatchObject({ kind: 'locked' });
    }
    expect(readFileSync(join(folder, 'known-screens.json'), 'utf8')).not.toContain(token);
    if (process.platform !== 'win32')
      expect(statSync(join(folder, 'known-screens.json')).mode & 0o777).toBe(0o600);
  });

  test('does not give others new tries by signing in', async () => {
    const { managers, ada } = await withAda();
    await managers.tryPin(ada.managerId, '1234', token);
    await wrong(managers, ada, 4);
    await managers.tryPin(ada.managerId, '1234', token);
    expect(await wrong(managers, ada, 1)).toMatchObject({ kind: 'locked' });
  });

  test('is locked by its own wrong PINs for longer and longer, across restarts, and locks nobody elsewhere', async () => {
    const { managers, ada } = await withAda();
    await managers.tryPin(ada.managerId, '1234', token);
    for (let time = 0; time < 4; time += 1) await managers.tryPin(ada.managerId, '0000', token);
    expect(await open().tryPin(ada.managerId, '0000', token)).toEqual({
      kind: 'locked',
      leftMs: 60_000,
      now: true,
    });
    const later = open();
    expect(await later.tryPin(ada.managerId, '1234', token)).toEqual({
      kind: 'locked',
      leftMs: 60_000,
      now: false,
    });
    expect(await later.tryPin(ada.managerId, '1234')).toMatchObject({ kind: 'right' });
    await clock.pass(60_000);
    for (let time = 0; time < 5; time += 1) await later.tryPin(ada.managerId, '0000', token);
    expect(await later.tryPin(ada.managerId, '1234', token)).toMatchObject({
      kind: 'locked',
      leftMs: 120_000,
    });
    await later.changePin(ada.managerId, '5836');
    expect(await later.tryPin(ada.managerId, '5836', token)).toMatchObject({ kind: 'right' });
  });

  test('is one of eight: the one that was used longest ago is a stranger again', async () => {
    const { managers, ada } = await withAda();
    const tokens = Array.from({ length: 9 }, (_, index) => String(index).repeat(32));
    for (const one of tokens) await managers.tryPin(ada.managerId, '1234', one);
    await wrong(managers, ada, 5);
    expect(await managers.tryPin(ada.managerId, '1234', tokens[0])).toMatchObject({
      kind: 'locked',
    });
    expect(await managers.tryPin(ada.managerId, '1234', tokens[1])).toMatchObject({
      kind: 'right',
    });
  });

  test('is forgotten with a damaged file, which keeps nobody from signing in', async () => {
    const { managers, ada } = await withAda();
    await managers.tryPin(ada.managerId, '1234', token);
    writeFileSync(join(folder, 'known-screens.json'), '{');
    const later = open();
    expect(await later.tryPin(ada.managerId, '1234', token)).toMatchObject({ kind: 'right' });
    await wrong(later, ada, 5);
    expect(await open().tryPin(ada.managerId, '1234', token)).toMatchObject({ kind: 'right' });
  });
});

describe('the daemon’s user', () => {
  test('ends all locks, once, while the daemon runs or before it starts', async () => {
    const { managers, ada } = await withAda();
    const bea = (await managers.add('Bea', '5678', false)) as Manager;
    const token = 'a'.repeat(32);
    await managers.tryPin(ada.managerId, '1234', token);
    const lock = async (one: Managers): Promise<void> => {
      for (const manager of [ada, bea]) await wrong(one, manager, 5);
      for (let time = 0; time < 5; time += 1) await one.tryPin(ada.managerId, '0000', token);
    };
    for (const next of [() => managers, open]) {
      await lock(managers);
      expect(managerNames(folder)).toEqual(['Ada', 'Bea']);
      requestUnlock(folder);
      const one = next();
      expect(await one.tryPin(bea.managerId, '0000')).toEqual({ kind: 'wrong', triesLeft: 4 });
      expect(await one.tryPin(ada.managerId, '1234')).toMatchObject({ kind: 'right' });
      expect(await one.tryPin(ada.managerId, '1234', token)).toMatchObject({ kind: 'right' });
      expect(await wrong(one, bea, 5)).toMatchObject({ kind: 'locked', leftMs: 60_000 });
      expect(existsSync(join(folder, 'unlock-managers.txt'))).toBe(false);
      await clock.pass(60_000);
    }
  });

  test('is reported when a folder has no managers', () => {
    expect(() => requestUnlock(folder)).toThrow('has no managers.json');
    expect(existsSync(join(folder, 'unlock-managers.txt'))).toBe(false);
  });
});

test('very many PINs at once are refused before they count as a try', async () => {
  const managers = open();
  const ada = (await managers.add('Ada', '4711', true)) as Manager;
  const others = await Promise.all(
    ['Bea', 'Cy', 'Dee'].map((name) => managers.add(name, '583604', false)),
  );
  const flood = [ada, ...(others as Manager[])].flatMap(({ managerId }) =>
    [1, 2].map(() => managers.tryPin(managerId, '0000')),
  );
  await expect(managers.tryPin(ada.managerId, '4711')).rejects.toMatchObject({ code: 'failed' });
  await Promise.all(flood);
  expect(await wrong(managers, ada, 1)).toEqual({ kind: 'wrong', triesLeft: 2 });
});
