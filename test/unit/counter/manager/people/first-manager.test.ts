import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { managersHandlers } from '../../../../../main/counter/manager/people/people-handlers.ts';
import { FirstManager } from '../../../../../main/counter/manager/people/first-manager.ts';
import { Managers } from '../../../../../main/counter/manager/people/managers.ts';
import { Sessions } from '../../../../../main/counter/manager/people/sessions.ts';
import { systemIds } from '../../../../../main/core/domain/ids.ts';
import { type Log, silentLog } from '../../../../../main/core/domain/log.ts';
import { noNotices } from '../../../../../main/core/domain/notices.ts';
import { Router } from '../../../../../main/counter/server/router.ts';
import type { Session } from '../../../../../main/counter/server/session.ts';
import type { Answer } from '../../../../../preload/procedures/procedure.ts';
import { cheapPinCost } from '../../../../support/first-manager.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const signsOutAfterMs = 5 * 60_000;
let folder: string;
let codePath: string;
let clock: ManualClock;
let managers: Managers;
let firstManager: FirstManager;
let sessions: Sessions;
let router: Router;
let isSetUp: boolean;
let logged: [message: string, fields: Record<string, unknown>][];
let written: [who: string | undefined, action: string, facts: object][];

function start(): void {
  const log: Log = { ...silentLog, warn: (fields, message) => logged.push([message, fields]) };
  const actions = {
    record: (manager: { name: string } | null, action: string, facts: object) =>
      void written.push([manager?.name, action, facts]),
  };
  managers = new Managers({
    path: join(folder, 'managers.json'),
    clock,
    ids: systemIds,
    log,
    cost: cheapPinCost,
  });
  firstManager = new FirstManager({ managers, isSetUp: () => isSetUp, path: codePath, clock, log });
  sessions = new Sessions({
    managers,
    firstManager,
    actions,
    notices: noNotices,
    clock,
    log,
    signsOutAfterMs,
  });
  router = new Router({
    handlers: managersHandlers({ managers, sessions, signsOutAfterMs }),
    middleware: sessions,
    log,
  });
  firstManager.announce();
}
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-first-manager-'));
  codePath = join(folder, 'first-manager-code.txt');
  clock = new ManualClock();
  isSetUp = true;
  logged = [];
  written = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const screen = (): Session => ({ manager: null, address: '127.0.0.1:53122', screen: 'manager' });
const add = (session: Session): Promise<Answer> =>
  router.call(session, 'addManager', { name: 'Ada', pin: '4711' });
const enter = (session: Session, code: string): Promise<Answer> =>
  router.call(session, 'enterCode', { code });
const codeInFile = (): string => readFileSync(codePath, 'utf8').trim();
const codeFile = async (session: Session): Promise<unknown> =>
  ((await router.call(session, 'session', {})) as { value: { codeFile: unknown } }).value.codeFile;

describe('the first manager of a counter that has settings', () => {
  test('cannot be made without the code, with any input', async () => {
    start();
    const session = screen();
    expect(await add(session)).toMatchObject({ code: 'pinNeeded' });
    for (const code of ['', 'AAAA-AAAA', codeInFile().slice(1), '0'.repeat(20)])
      expect(await enter(session, code)).toMatchObject({ ok: false });
    expect(await add(session)).toMatchObject({ code: 'pinNeeded' });
    expect(managers.list()).toEqual([]);
  });

  test('is made with the code from a file for its owner alone, which is in no log; the code is worth nothing then', async () => {
    start();
    const session = screen();
    const code = codeInFile();
    expect(code).toMatch(/^[2-9A-HJ-NP-Z]{4}(-[2-9A-HJ-NP-Z]{4}){2}$/);
    expect(JSON.stringify(logged)).not.toContain(code);
    if (process.platform !== 'win32') expect(statSync(codePath).mode & 0o777).toBe(0o600);
    expect(await codeFile(session)).toBe(codePath);
    expect(await enter(session, code)).toMatchObject({ ok: true });
    expect(await codeFile(session)).toBeNull();
    expect(await codeFile(screen())).toBe(codePath);
    expect(await add(session)).toMatchObject({ ok: true });
    expect(session.manager).toMatchObject({ name: 'Ada' });
    expect(logged.at(-1)).toEqual([
      'the first manager was made',
      { manager: 'Ada', address: '127.0.0.1:53122', screen: 'manager' },
    ]);
    expect(existsSync(codePath)).toBe(false);
    expect(await codeFile(screen())).toBeNull();
    const late = screen();
    expect(await enter(late, code)).toMatchObject({ code: 'pinNeeded' });
    expect(await router.call(late, 'addManager', { name: 'Eve', pin: '4711' })).toMatchObject({
      code: 'pinNeeded',
    });
  });

  test.each([
    (code: string) => code.toLowerCase(),
    (code: string) => code.replaceAll('-', ''),
    (code: string) => ` ${code.replaceAll('-', ' ')} `,
  ])('is made with the code however it is typed', async (typed) => {
    start();
    expect(await enter(screen(), typed(codeInFile()))).toMatchObject({ ok: true });
  });

  test('is one alone: who showed the code and was slower is asked for a PIN', async () => {
    start();
    const [fast, slow] = [screen(), screen()];
    for (const session of [fast, slow]) await enter(session, codeInFile());
    await add(fast);
    expect(await router.call(slow, 'addManager', { name: 'Bea', pin: '4711' })).toMatchObject({
      code: 'pinNeeded',
    });
  });

  test('needs another code after a restart', async () => {
    start();
    const before = codeInFile();
    start();
    expect(codeInFile()).not.toBe(before);
    expect(await enter(screen(), before)).toMatchObject({ code: 'wrongCode' });
    expect(readFileSync(codePath, 'utf8')).toBe(`${codeInFile()}\n`);
  });

  test('is made in five minutes after the code, or it is asked for again', async () => {
    start();
    const session = screen();
    await enter(session, codeInFile());
    await clock.pass(signsOutAfterMs);
    expect(await add(session)).toMatchObject({ code: 'pinNeeded' });
    expect(await codeFile(session)).toBe(codePath);
  });
});

describe('a wrong code', () => {
  const wrongs = async (times: number): Promise<Answer[]> => {
    const answers: Answer[] = [];
    // Each guess comes from another connection, as an attacker would do.
    for (let time = 0; time < times; time += 1) answers.push(await enter(screen(), 'WRNG-WRNG'));
    return answers;
  };

  test('says how many tries are left, and five lock for a minute; the right one is always taken', async () => {
    start();
    expect(await wrongs(6)).toMatchObject([
      ...[4, 3, 2, 1].map((triesLeft) => ({
        code: 'wrongCode',
        field: 'code',
        facts: { triesLeft },
      })),
      { code: 'locked', facts: { seconds: 60 } },
      { code: 'locked', facts: { seconds: 60 } },
    ]);
    expect(await enter(screen(), codeInFile())).toMatchObject({ ok: true });
  });

  test('is in the log and in the journal, without what was typed; what finds it locked is not', async () => {
    start();
    const code = codeInFile();
    logged = [];
    await wrongs(8);
    const at = { address: '127.0.0.1:53122', screen: 'manager' };
    const facts = [
      ...[4, 3, 2, 1].map((triesLeft) => ({ ...at, triesLeft })),
      { ...at, triesLeft: 0 },
    ];
    expect(logged).toEqual(facts.map((fact) => ['a wrong one-time code', fact]));
    expect(written).toEqual(facts.map((fact) => [undefined, 'wrongCode', fact]));
    expect(JSON.stringify([logged, written])).not.toMatch(new RegExp(`WRNG|${code}`));
  });
});

describe('the first manager of a counter without settings', () => {
  test('needs no code, and none is published, while there is nothing to protect', async () => {
    isSetUp = false;
    start();
    const session = screen();
    expect(await codeFile(session)).toBeNull();
    expect(logged).toEqual([]);
    expect(await add(session)).toMatchObject({ ok: true });
    expect(existsSync(codePath)).toBe(false);
  });

  test('needs a code as soon as there are settings, and then it is published', async () => {
    isSetUp = false;
    start();
    const session = screen();
    expect(await router.call(session, 'stillHere', {})).toMatchObject({ ok: true });
    isSetUp = true;
    expect(await router.call(session, 'stillHere', {})).toMatchObject({ code: 'pinNeeded' });
    expect(await codeFile(session)).toBe(codePath);
    expect(await enter(session, codeInFile())).toMatchObject({ ok: true });
  });

  test('is handed over with the code by who set the counter up, and may be made by them at once', async () => {
    isSetUp = false;
    start();
    const session = screen();
    isSetUp = true;
    expect(sessions.handOver(session)).toBe(codeInFile());
    expect(await add(session)).toMatchObject({ ok: true });
    expect(sessions.handOver(session)).toBeNull();
  });
});

describe('what other computers reach', () => {
  const window = (): Session => ({ manager: null });
  const mayOpen = (session: Session): boolean => {
    try {
      sessions.requirePerson(session);
      return true;
    } catch (error) {
      expect(error).toMatchObject({ code: 'pinNeeded' });
      return false;
    }
  };

  test('is opened before there are settings by a window of this program, and from elsewhere with the code alone', async () => {
    isSetUp = false;
    start();
    const [session, other] = [screen(), screen()];
    expect(mayOpen(window())).toBe(true);
    expect(existsSync(codePath)).toBe(false);
    expect(mayOpen(session)).toBe(false);
    expect(await codeFile(session)).toBe(codePath);
    // A screen that opens nothing in the network needs no code.
    expect(await codeFile(other)).toBeNull();
    expect(await enter(session, 'AAAA-AAAA')).toMatchObject({ code: 'wrongCode' });
    expect(mayOpen(session)).toBe(false);
    expect(await enter(session, codeInFile())).toMatchObject({ ok: true });
    expect([mayOpen(session), await codeFile(session), mayOpen(other)]).toEqual([
      true,
      null,
      false,
    ]);
    await clock.pass(signsOutAfterMs);
    expect(mayOpen(session)).toBe(false);
  });

  test('is opened by no program that makes itself the first manager, or sets the counter up, without the code', async () => {
    isSetUp = false;
    start();
    const session = screen();
    expect(await add(session)).toMatchObject({ ok: true });
    expect(session.manager).not.toBeNull();
    expect(mayOpen(session)).toBe(false);
    expect(await enter(session, codeInFile())).toMatchObject({ ok: true });
    expect([mayOpen(session), session.manager?.name]).toEqual([true, 'Ada']);
    rmSync(join(folder, 'managers.json'));

    start();
    const program = screen();
    isSetUp = true;
    sessions.handOver(program);
    expect(mayOpen(program)).toBe(false);
    expect(await codeFile(program)).toBe(codePath);
  });

  test('is opened by a manager of a counter that has settings', async () => {
    start();
    const session = screen();
    await enter(session, codeInFile());
    await add(session);
    expect(mayOpen(session)).toBe(true);
    await router.call(session, 'signOut', {});
    expect(mayOpen(session)).toBe(false);
  });
});

test('a code that an earlier run left behind is removed when it is needed no more', async () => {
  start();
  isSetUp = false;
  start();
  expect(existsSync(codePath)).toBe(false);
});
