import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hashPin } from '../../../../../main/counter/manager/people/pin.ts';
import { maxRefusalsPerHour } from '../../../../../main/counter/manager/people/sessions.ts';
import { systemIds } from '../../../../../main/core/domain/ids.ts';
import { cheapPinCost } from '../../../../support/first-manager.ts';
import {
  clock,
  failToRecord,
  folder,
  logged,
  mayManage,
  noticed,
  openSessionsWorld,
  router,
  screen,
  setUp,
  signsOutAfterMs,
  start,
  value,
  written,
} from './sessions-world.ts';

openSessionsWorld();

test('names are told to pages at which a manager signs in, and to no other', async () => {
  await setUp();
  const tellsNames = async (
    name: 'cashier' | 'customer' | 'demo' | 'manager' | 'setup',
  ): Promise<unknown> => (await value({ ...screen(), screen: name }, 'session', {}))['managers'];
  for (const name of ['manager', 'setup'] as const)
    expect(await tellsNames(name)).toMatchObject([{ name: 'Ada' }]);
  for (const name of ['cashier', 'customer', 'demo'] as const)
    expect(await tellsNames(name)).toEqual([]);
});

test('a screen at which a manager was made, or has signed in, goes on when others guess', async () => {
  const tokens = ['a'.repeat(32), 'b'.repeat(32)];
  const added = await value(screen(), 'addManager', {
    name: 'Ada',
    pin: '4711',
    screenToken: tokens[0],
  });
  const signIn = (pin: string, more: object) =>
    router.call(screen(), 'signIn', { managerId: added['managerId'], pin, ...more });
  expect(await signIn('4711', { screenToken: tokens[1] })).toMatchObject({ ok: true });
  for (let guess = 0; guess < 6; guess += 1) await signIn('0000', { screenToken: 'c'.repeat(32) });
  expect(await signIn('4711', {})).toMatchObject({ code: 'locked' });
  start();
  for (const screenToken of tokens)
    expect(await signIn('4711', { screenToken })).toMatchObject({ ok: true });
});

describe('the first manager', () => {
  test('is added by whoever sets the counter up, and is signed in by it; the next ones only by a manager', async () => {
    const { session, ada } = await setUp();
    expect(await value(session, 'session', {})).toEqual({
      managers: [{ managerId: ada, name: 'Ada' }],
      signedIn: { managerId: ada, name: 'Ada' },
      signsOutAfterMs,
      codeFile: null,
    });
    expect(await router.call(screen(), 'addManager', { name: 'Eve', pin: '6394' })).toMatchObject({
      code: 'pinNeeded',
    });
    await value(session, 'addManager', { name: 'Bea', pin: '5836' });
    // Adding a manager does not change who is signed in.
    expect((await value(session, 'session', {}))['signedIn']).toMatchObject({ name: 'Ada' });
    expect(written).toEqual([
      [undefined, 'addManager', { name: 'Ada' }],
      ['Ada', 'signIn', {}],
      ['Ada', 'addManager', { name: 'Bea' }],
    ]);
  });

  test('has a rule for the PIN that is told with its field', async () => {
    for (const pin of ['123', '123456789', '12a4', ''])
      expect(await router.call(screen(), 'addManager', { name: 'Ada', pin })).toMatchObject({
        code: 'invalid',
        field: 'pin',
        message: 'must be 4 to 8 digits',
      });
  });

  test.each([
    ['0000', 'must not repeat the same digits'],
    ['77777777', 'must not repeat the same digits'],
    ['1212', 'must not repeat the same digits'],
    ['457457', 'must not repeat the same digits'],
    ['1234', 'must not count up or down'],
    ['23456789', 'must not count up or down'],
    ['7890', 'must not count up or down'],
    ['654321', 'must not count up or down'],
    ['1987', 'must not be a year'],
    ['2026', 'must not be a year'],
  ])('cannot have the PIN %s, nor get it later: it %s', async (pin, message) => {
    const { session, ada } = await setUp();
    const refused = { code: 'invalid', field: 'pin', message };
    expect(await router.call(session, 'addManager', { name: 'Bea', pin })).toMatchObject(refused);
    expect(await router.call(session, 'changePin', { managerId: ada, pin })).toMatchObject(refused);
    expect(await router.call(screen(), 'signIn', { managerId: ada, pin: '4711' })).toMatchObject({
      ok: true,
    });
  });

  test.each(['4711', '1243', '12345679', '2126', '198706', '112233'])(
    'can have the PIN %s',
    async (pin) => {
      const { session, ada } = await setUp();
      expect(await router.call(session, 'changePin', { managerId: ada, pin })).toMatchObject({
        ok: true,
      });
    },
  );
});

describe('who is signed in', () => {
  test('is signed in at one screen only', async () => {
    const { session } = await setUp();
    expect(await mayManage(session)).toBe(true);
    expect(await mayManage(screen())).toBe(false);
  });

  test('is asked for the PIN again after five minutes in which they did nothing; what they do, and each touch of the screen, puts it off', async () => {
    const { session } = await setUp();
    await clock.pass(signsOutAfterMs - 1);
    await value(session, 'stillHere', {});
    await clock.pass(signsOutAfterMs - 1);
    expect(await mayManage(session)).toBe(true);
    await clock.pass(signsOutAfterMs - 1);
    expect(await mayManage(session)).toBe(true);
    await clock.pass(signsOutAfterMs);
    expect(await mayManage(session)).toBe(false);
    expect(written.at(-1)).toEqual(['Ada', 'signOut', { because: 'idle' }]);
    expect(await router.call(session, 'stillHere', {})).toMatchObject({ code: 'pinNeeded' });
  });

  test('does not stay so by what anybody may ask', async () => {
    const { session, ada } = await setUp();
    for (let minute = 0; minute < 5; minute += 1) {
      await clock.pass(60_000 - 1);
      await value(session, 'session', {});
      await router.call(session, 'signIn', { managerId: ada, pin: '0000' });
    }
    await clock.pass(5);
    expect(await mayManage(session)).toBe(false);
  });

  test('is asked for the PIN again after twelve hours, also if they were active', async () => {
    const { session } = await setUp();
    for (let minute = 0; minute < 12 * 60 - 1; minute += 4) {
      expect(await mayManage(session)).toBe(true);
      await clock.pass(4 * 60_000);
    }
    expect(await mayManage(session)).toBe(false);
    expect(written.at(-1)).toEqual(['Ada', 'signOut', { because: 'dayOver' }]);
    await clock.pass(24 * 60 * 60_000);
    expect(written.filter(([, action]) => action === 'signOut')).toHaveLength(1);
  });

  test('and signs in anew has twelve hours again', async () => {
    const { session, ada } = await setUp();
    await clock.pass(signsOutAfterMs);
    await value(session, 'signIn', { managerId: ada, pin: '4711' });
    for (let minute = 0; minute < 11 * 60 + 58; minute += 2) {
      await clock.pass(2 * 60_000);
      expect(await mayManage(session)).toBe(true);
    }
  });

  test('signs out', async () => {
    const { session } = await setUp();
    await value(session, 'signOut', {});
    expect(await mayManage(session)).toBe(false);
    expect(written.at(-1)).toEqual(['Ada', 'signOut', { because: 'asked' }]);
    await clock.pass(signsOutAfterMs);
    expect(written).toHaveLength(3);
  });

  test('makes way for another one who signs in', async () => {
    const { session } = await setUp();
    const { managerId } = await value(session, 'addManager', { name: 'Bea', pin: '5836' });
    await value(session, 'signIn', { managerId, pin: '5836' });
    expect(session.manager).toEqual({ managerId, name: 'Bea' });
    expect(written.slice(-2)).toEqual([
      ['Ada', 'signOut', { because: 'anotherSignedIn' }],
      ['Bea', 'signIn', {}],
    ]);
  });

  test('and is removed is out at every screen at once; a new PIN ends the sessions of the old one', async () => {
    const { session, ada } = await setUp();
    const other = screen();
    await value(other, 'signIn', { managerId: ada, pin: '4711' });
    await value(session, 'changePin', { managerId: ada, pin: '4173' });
    expect(await mayManage(session)).toBe(true);
    expect(await mayManage(other)).toBe(false);
    const { managerId: bea } = await value(session, 'addManager', { name: 'Bea', pin: '5836' });
    await value(other, 'signIn', { managerId: bea, pin: '5836' });
    await value(other, 'removeManager', { managerId: ada });
    expect(await mayManage(session)).toBe(false);
    expect(await router.call(other, 'removeManager', { managerId: bea })).toMatchObject({
      code: 'lastManager',
      field: 'managerId',
    });
  });
});

test('who has a PIN from before the rules still gets in, and hears that it is easy to guess', async () => {
  const { session } = await setUp();
  const { salt, hash, cost } = await hashPin('1234', cheapPinCost);
  const managerId = systemIds.uuid();
  const path = join(folder, 'managers.json');
  const file = JSON.parse(readFileSync(path, 'utf8')) as { managers: object[] };
  file.managers.push({
    managerId,
    name: 'Bea',
    pin: { salt, hash, cost },
    wrongTries: 0,
    locks: 0,
    lock: null,
  });
  writeFileSync(path, JSON.stringify(file));
  start();
  expect(await value(screen(), 'signIn', { managerId, pin: '1234' })).toEqual({
    name: 'Bea',
    hasWeakPin: true,
  });
  const [ada] = (await value(session, 'session', {}))['managers'] as { managerId: string }[];
  expect(await value(screen(), 'signIn', { managerId: ada?.managerId, pin: '4711' })).toEqual({
    name: 'Ada',
    hasWeakPin: false,
  });
});

describe('a wrong PIN', () => {
  test('says how many tries are left, then for how long it is locked', async () => {
    const { ada } = await setUp();
    const session = screen();
    for (const triesLeft of [4, 3, 2, 1])
      expect(await router.call(session, 'signIn', { managerId: ada, pin: '0000' })).toMatchObject({
        code: 'wrongPin',
        facts: { triesLeft },
        field: 'pin',
      });
    for (const pin of ['0000', '4711'])
      expect(await router.call(session, 'signIn', { managerId: ada, pin })).toMatchObject({
        code: 'locked',
        facts: { seconds: 60 },
      });
    await clock.pass(60_000);
    await value(session, 'signIn', { managerId: ada, pin: '4711' });
    expect(written.at(-1)).toEqual(['Ada', 'signIn', {}]);
  });

  test('is in the log and in the journal, with whose it was not and at which screen, and never what was typed; so is the lock', async () => {
    const { ada } = await setUp();
    written.length = 0;
    logged.length = 0;
    const session = screen();
    // The last two find the manager locked, so no PIN is compared and no event is written.
    for (let time = 0; time < 7; time += 1)
      await router.call(session, 'signIn', { managerId: ada, pin: '9083' });
    const at = { address: '127.0.0.1:53122', screen: 'manager' };
    expect(written).toEqual([
      ...[4, 3, 2, 1].map((triesLeft) => ['Ada', 'wrongPin', { ...at, triesLeft }]),
      ['Ada', 'locked', { ...at, seconds: 60 }],
    ]);
    expect(logged).toEqual([
      ...[4, 3, 2, 1].map((triesLeft) => ['a wrong PIN', { manager: 'Ada', ...at, triesLeft }]),
      ['too many wrong PINs: locked', { manager: 'Ada', ...at, seconds: 60 }],
    ]);
    expect(JSON.stringify([written, logged, noticed])).not.toContain('9083');
  });

  test('is somebody’s mistake once or twice; from the third on a manager is told that somebody guesses', async () => {
    const { ada } = await setUp();
    const session = screen();
    for (let time = 0; time < 2; time += 1)
      await router.call(session, 'signIn', { managerId: ada, pin: '0000' });
    await value(session, 'signIn', { managerId: ada, pin: '4711' });
    expect(noticed).toEqual([]);
    for (let time = 0; time < 7; time += 1)
      await router.call(session, 'signIn', { managerId: ada, pin: '0000' });
    expect(noticed).toEqual(
      Array(3).fill({ code: 'wrongPins', subject: 'Ada', detail: 'manager, 127.0.0.1:53122' }),
    );
  });
});

test('a full disk lets a manager in, to see that it is full, and do nothing that would have to be written down', async () => {
  const { ada } = await setUp();
  failToRecord();
  const session = screen();
  await value(session, 'signIn', { managerId: ada, pin: '4711' });
  expect(await router.call(session, 'addManager', { name: 'Bea', pin: '5836' })).toMatchObject({
    code: 'failed',
  });
  expect((await value(session, 'session', {}))['managers']).toHaveLength(1);
});

test('what a manager is refused is in the journal with the reason; a page that asks again and again fills no disk', async () => {
  const { session, ada } = await setUp();
  written.length = 0;
  const ask = () => router.call(session, 'removeManager', { managerId: ada });
  await ask();
  const refused = {
    procedure: 'removeManager',
    subject: ada,
    refused: 'lastManager',
    field: 'managerId',
  };
  expect(written).toEqual([
    ['Ada', 'removeManager', { subject: ada }],
    ['Ada', 'refused', refused],
  ]);
  for (let time = 0; time < maxRefusalsPerHour + 9; time += 1)
    await router.call(session, 'removeManager', { managerId: 'none' });
  expect(written.filter(([, action]) => action === 'refused')).toHaveLength(maxRefusalsPerHour);
  for (let minute = 0; minute < 60; minute += 1) {
    await clock.pass(60_000);
    await router.call(session, 'session', {});
    await router.call(session, 'closings', { before: null });
  }
  await ask();
  expect(written.at(-1)).toEqual(['Ada', 'refused', { ...refused, notKept: 10 }]);
});
