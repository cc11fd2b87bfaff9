import { beforeEach, describe, expect, test } from 'vitest';
import { DownloadStore } from '../../../../main/counter/server/download-store.ts';
import { type Handlers, type Middleware, Router } from '../../../../main/counter/server/router.ts';
import type { Session } from '../../../../main/counter/server/session.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { systemIds } from '../../../../main/core/domain/ids.ts';
import { filePartBytes } from '../../../../preload/procedures/files.ts';
import { Refusal, type Who } from '../../../../preload/procedures/procedure.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const managerId = '3d500000-0000-4000-8000-000000000001';
const session: Session = { manager: null };
let recorded: unknown[];
let refusals: unknown[];
let logged: Record<string, unknown>[];
let allowed: readonly Who[];

beforeEach(() => {
  recorded = [];
  refusals = [];
  logged = [];
  allowed = ['anyone', 'manager', 'installer'];
});

function router(handlers: Handlers, middleware: Partial<Middleware> = {}): Router {
  return new Router({
    handlers,
    middleware: {
      mayCall: (who) => allowed.includes(who),
      record: (...about) => void recorded.push(about),
      recordRefused: (...about) => void refusals.push(about),
      ...middleware,
    },
    log: { ...silentLog, error: (fields) => void logged.push(fields) },
  });
}

describe('a call', () => {
  test('is answered with what its declaration promises, and nothing else', async () => {
    const handlers: Handlers = { addManager: () => ({ managerId, secret: 'salt' }) };
    expect(
      await router(handlers).call(session, 'addManager', { name: ' Ada ', pin: '4711' }),
    ).toEqual({ ok: true, value: { managerId } });
  });

  test('that changes something is recorded first, without its secrets; when it cannot be recorded, nothing is done', async () => {
    const done: string[] = [];
    const handlers: Handlers = { addManager: ({ name }) => (done.push(name), { managerId }) };
    await router(handlers).call(session, 'addManager', { name: 'Ada', pin: '4711' });
    expect(recorded).toEqual([[null, 'addManager', { name: 'Ada' }]]);
    const full: Partial<Middleware> = {
      record() {
        throw new Error('disk full');
      },
    };
    expect(
      await router(handlers, full).call(session, 'addManager', { name: 'Bea', pin: '4711' }),
    ).toMatchObject({ ok: false, code: 'failed' });
    expect(done).toEqual(['Ada']);
  });

  test('that only looks is answered also when it cannot be recorded: the bundle is wanted most when the disk is full', async () => {
    const file = { fileId: managerId, name: 'a.zip', type: 'application/zip', bytes: 1 };
    const full: Partial<Middleware> = {
      record() {
        throw new Error('disk full');
      },
    };
    expect(
      await router({ diagnostics: () => file }, full).call(session, 'diagnostics', {}),
    ).toEqual({ ok: true, value: file });
    expect(logged).toMatchObject([{ procedure: 'diagnostics', detail: 'disk full' }]);
  });

  test('of a manager that is refused is kept with the reason: by the rules, in the wrong state, or because it failed', async () => {
    const ada = { managerId, name: 'Ada' };
    const answering = (error: Error): Router =>
      router({
        removeManager() {
          throw error;
        },
      });
    await answering(new Refusal('lastManager', 'the last one', { field: 'managerId' })).call(
      { manager: ada },
      'removeManager',
      { managerId },
    );
    await answering(new Error('oops')).call({ manager: ada }, 'removeManager', { managerId });
    await answering(new Error('was answered')).call({ manager: ada }, 'removeManager', {
      managerId: 'typed wrong',
    });
    expect(refusals).toEqual([
      [ada, 'removeManager', { subject: managerId, refused: 'lastManager', field: 'managerId' }],
      [ada, 'removeManager', { subject: managerId, refused: 'failed' }],
      [ada, 'removeManager', { refused: 'invalid', field: 'managerId' }],
    ]);
  });

  test('of a stranger, or that only asks, is not kept when it is refused', async () => {
    const closing: Handlers = {
      closing() {
        throw new Refusal('notFound', 'none');
      },
    };
    await router(closing).call({ manager: { managerId, name: 'Ada' } }, 'closing', { number: 7 });
    allowed = ['anyone'];
    await router({}).call(session, 'removeManager', { managerId });
    await router({}).call({ manager: { managerId, name: 'Ada' } }, 'removeManager', { managerId });
    expect(refusals).toEqual([]);
  });

  test('of somebody without a PIN is refused before it is looked at, recorded or answered', async () => {
    allowed = ['anyone'];
    const handlers: Handlers = {
      addManager() {
        throw new Error('was answered');
      },
    };
    expect(await router(handlers).call(session, 'addManager', { name: 7 })).toMatchObject({
      ok: false,
      code: 'pinNeeded',
    });
    expect(recorded).toEqual([]);
  });

  test.each([
    ['addManager', { name: 'Ada', pin: '12a4' }, 'pin', 'must be 4 to 8 digits'],
    ['addManager', { name: ' ', pin: '4711' }, 'name', 'must not be empty'],
    ['addManager', 'Ada', null, /./],
  ])('%s with %j is refused: the field and the rule', async (name, input, field, rule) => {
    const answer = await router({ addManager: () => ({ managerId }) }).call(session, name, input);
    expect(answer).toMatchObject({ ok: false, code: 'invalid', field });
    expect(answer).toHaveProperty('message', expect.stringMatching(rule));
    expect(recorded).toEqual([]);
  });

  test('that nobody knows, or that this daemon does not answer, says so', async () => {
    expect(await router({}).call(session, 'toString', {})).toMatchObject({
      ok: false,
      code: 'invalid',
    });
    expect(await router({}).call(session, 'session', {})).toMatchObject({
      ok: false,
      code: 'notHere',
    });
  });

  test('is refused in its own words; what nobody expected is logged and not shown as a refusal', async () => {
    const refuse = (error: Error): Handlers => ({
      signIn() {
        throw error;
      },
    });
    const asked = { managerId, pin: '4711' };
    expect(
      await router(refuse(new Refusal('wrongPin', 'no', { facts: { triesLeft: 4 } }))).call(
        session,
        'signIn',
        asked,
      ),
    ).toMatchObject({
      code: 'wrongPin',
      facts: { triesLeft: 4 },
    });
    expect(logged).toEqual([]);
    expect(
      await router(refuse(new Refusal('lastManager', 'of another question'))).call(
        session,
        'signIn',
        asked,
      ),
    ).toMatchObject({ code: 'failed' });
    expect(await router(refuse(new Error('oops'))).call(session, 'signIn', asked)).toMatchObject({
      code: 'failed',
      message: 'oops',
    });
    expect(
      await router({ addManager: () => ({ managerId: 'none' }) }).call(session, 'addManager', {
        name: 'Ada',
        pin: '4711',
      }),
    ).toMatchObject({
      code: 'failed',
    });
    expect(logged).toHaveLength(3);
  });

  test('and fails again and again fills no log', async () => {
    const broken = router({
      session() {
        throw new Error('the file of the managers is damaged');
      },
    });
    for (let time = 0; time < 100; time += 1) await broken.call(session, 'session', {});
    expect(logged).toHaveLength(20);
  });
});

describe('a file for a person', () => {
  const clock = new ManualClock();
  const downloads = new DownloadStore({ clock, ids: systemIds });
  const answers = router(downloads.handlers);
  const offer = (bytes: number) =>
    downloads.offer(session, {
      name: 'a.csv',
      type: 'text/csv',
      content: new Uint8Array(bytes).map((_, index) => index),
    });
  const part = async (of: Session, fileId: string, number: number) =>
    answers.call(of, 'filePart', { fileId, part: number });

  test.each([0, 1, filePartBytes - 1, filePartBytes, filePartBytes + 1, 3 * filePartBytes])(
    'of %i bytes arrives whole, and only once',
    async (bytes) => {
      const { fileId, ...about } = offer(bytes);
      expect(about).toEqual({ name: 'a.csv', type: 'text/csv', bytes });
      const parts: Buffer[] = [];
      for (let last = false; !last; ) {
        const answer = await part(session, fileId, parts.length);
        if (!answer.ok) throw new Error(answer.message);
        const value = answer.value as { base64: string; last: boolean };
        parts.push(Buffer.from(value.base64, 'base64'));
        last = value.last;
      }
      const whole = Buffer.concat(parts);
      expect(whole.byteLength).toBe(bytes);
      expect(whole.every((byte, index) => byte === index % 256)).toBe(true);
      expect(await part(session, fileId, 0)).toMatchObject({ ok: false, code: 'notFound' });
    },
  );

  test('of a manager is not for the next user of that screen', async () => {
    const screen: Session = { manager: { managerId, name: 'Ada' } };
    const { fileId } = downloads.offer(screen, {
      name: 'a.csv',
      type: 'text/csv',
      content: new Uint8Array(filePartBytes + 1),
    });
    expect(await part(screen, fileId, 0)).toMatchObject({ ok: true });
    screen.manager = null;
    expect(await part(screen, fileId, 1)).toMatchObject({ code: 'notFound' });
    screen.manager = { managerId: managerId.replace('3d', '4d'), name: 'Bea' };
    expect(await part(screen, fileId, 1)).toMatchObject({ code: 'notFound' });
  });

  test('is nobody else’s, and is forgotten after ten minutes', async () => {
    const { fileId } = offer(3);
    expect(await part({ manager: null }, fileId, 0)).toMatchObject({ code: 'notFound' });
    await clock.pass(10 * 60_000);
    expect(await part(session, fileId, 0)).toMatchObject({ code: 'notFound' });
  });
});
