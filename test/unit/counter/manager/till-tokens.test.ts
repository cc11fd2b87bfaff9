import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemIds } from '../../../../main/core/domain/ids.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { tillTokenHandlers } from '../../../../main/counter/manager/till-tokens/till-tokens-handlers.ts';
import { Router } from '../../../../main/counter/server/router.ts';
import { Tokens } from '../../../../main/tills/http/tokens.ts';
import { procedures } from '../../../../preload/procedures.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const ada = { managerId: '3d500000-0000-4000-8000-000000000001', name: 'Ada' };
let folder: string;
let tokens: Tokens;
let recorded: unknown[];
let router: Router;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-tokens-'));
  tokens = new Tokens({
    path: join(folder, 'till-tokens.json'),
    clock: new ManualClock(),
    ids: systemIds,
    log: silentLog,
  });
  recorded = [];
  router = new Router({
    handlers: tillTokenHandlers({
      tokens,
      lanes: () => [{ laneId: '1', name: 'Check-out 1' }],
      address: async () => 'http://127.0.0.1:4182',
    }),
    middleware: {
      mayCall: (_who, { manager }) => manager !== null,
      record: (_manager, procedure, facts) => void recorded.push([procedure, facts]),
      recordRefused: () => {},
    },
    log: silentLog,
  });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const call = async (name: string, input: unknown) => router.call({ manager: ada }, name, input);

test('a token is made, told once, listed without its secret, and revoked; the journal has what was done and no token', async () => {
  const tokenAnswer = await call('makeTillToken', {
    name: ' Kiosk ',
    laneId: '1',
    scopes: ['pay', 'read'],
  });
  const { token } = (tokenAnswer.ok ? tokenAnswer.value : {}) as { token: string };
  expect(tokens.find(token)).toMatchObject({ name: 'Kiosk', laneId: '1', scopes: ['pay', 'read'] });
  const listed = await call('tillTokens', {});
  expect(listed).toMatchObject({
    ok: true,
    value: {
      address: 'http://127.0.0.1:4182',
      lanes: [{ laneId: '1' }],
      tokens: [{ name: 'Kiosk' }],
    },
  });
  expect(JSON.stringify(listed)).not.toContain(token.slice(4));
  expect(JSON.stringify(listed)).not.toContain('sha256');
  const [{ tokenId } = { tokenId: '' }] = tokens.list();
  expect(await call('revokeTillToken', { tokenId })).toEqual({ ok: true, value: {} });
  expect(await call('revokeTillToken', { tokenId })).toMatchObject({ ok: false, code: 'notFound' });
  expect(tokens.find(token)).toBeNull();
  expect(recorded.slice(0, 2)).toEqual([
    ['makeTillToken', { name: 'Kiosk', laneId: '1', scopes: ['pay', 'read'] }],
    ['revokeTillToken', { subject: tokenId }],
  ]);
  expect(JSON.stringify(recorded)).not.toContain(token.slice(4));
});

test.each([
  [{ laneId: '2' }, 'notFound', 'laneId'],
  [{ name: '  ' }, 'invalid', 'name'],
  [{ scopes: [] }, 'invalid', 'scopes'],
  [{ scopes: ['pay', 'pay'] }, 'invalid', 'scopes'],
  [{ scopes: ['everything'] }, 'invalid', 'scopes.0'],
])('%j is refused by its field, and no token is made', async (about, code, field) => {
  expect(
    await call('makeTillToken', { name: 'Kiosk', laneId: '1', scopes: ['pay'], ...about }),
  ).toMatchObject({ ok: false, code, field });
  expect(tokens.list()).toEqual([]);
});

test('a caller without a sign-in neither sees nor makes one', async () => {
  for (const name of ['tillTokens', 'makeTillToken', 'revokeTillToken'] as const) {
    expect(procedures[name].who).toBe('manager');
    expect(
      await router.call({ manager: null }, name, { name: 'Kiosk', laneId: '1', scopes: ['pay'] }),
    ).toMatchObject({ ok: false, code: 'pinNeeded' });
  }
  expect(tokens.list()).toEqual([]);
});

test('there are no more than two hundred', async () => {
  for (let index = 0; index < 200; index += 1)
    tokens.make({ name: `Till ${index}`, laneId: '1', scopes: ['pay'] });
  expect(
    await call('makeTillToken', { name: 'Kiosk', laneId: '1', scopes: ['pay'] }),
  ).toMatchObject({ ok: false, code: 'tooManyTokens' });
});

test('a token that is prepared is taken once it is adopted, of the lane that it is adopted for, and again changes nothing but that', () => {
  const { token, prepared } = tokens.prepare({ name: 'Kiosk', scopes: ['pay'] });
  expect([tokens.find(token), tokens.list()]).toEqual([null, []]);
  expect(JSON.stringify(prepared)).not.toContain(token);
  for (const laneId of ['3', '3', '4']) {
    expect(tokens.adopt(prepared, laneId)).toBe('adopted');
    expect(tokens.list()).toMatchObject([{ laneId, name: 'Kiosk', scopes: ['pay'] }]);
  }
  expect(tokens.find(token)).toMatchObject({ laneId: '4' });
  tokens.revoke(prepared.tokenId);
  expect(tokens.find(token)).toBeNull();
});
