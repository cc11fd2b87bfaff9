import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { passOnMs } from '../../../../../main/counter/manager/people/sessions.ts';
import type { Session } from '../../../../../main/counter/server/session.ts';
import {
  clock,
  mayManage,
  openSessionsWorld,
  router,
  screen,
  setUp,
  signsOutAfterMs,
  value,
  written,
} from './sessions-world.ts';

openSessionsWorld();

describe('a sign-in that is passed on to the next page', () => {
  const newTicket = (): string => randomBytes(32).toString('hex');
  const passedOn = async (session: Session): Promise<string> => {
    const ticket = newTicket();
    await value(session, 'passOn', { ticket });
    return ticket;
  };
  const takeOver = (session: Session, ticket: string) =>
    router.call(session, 'takeOver', { ticket });
  const untaken = { ok: false, code: 'notFound' };

  test('goes on there without a PIN, ends at the page before, and is written down', async () => {
    const { session } = await setUp();
    const next: Session = { ...screen(), screen: 'setup' };
    expect(await takeOver(next, await passedOn(session))).toMatchObject({ ok: true });
    expect(next.manager).toMatchObject({ name: 'Ada' });
    expect(written.slice(-2)).toEqual([
      ['Ada', 'signOut', { because: 'passedOn' }],
      ['Ada', 'signIn', { passedOn: true }],
    ]);
    expect([await mayManage(session), await mayManage(next)]).toEqual([false, true]);
  });

  test('also when the page before is gone, but for once and for some seconds alone', async () => {
    const { session } = await setUp();
    const ticket = await passedOn(session);
    session.manager = null;
    await clock.pass(passOnMs - 1);
    expect(await takeOver(screen(), ticket)).toMatchObject({ ok: true });
    expect(await takeOver(screen(), ticket)).toMatchObject(untaken);
    const again = await signedIn('4711');
    const late = await passedOn(again);
    await clock.pass(passOnMs);
    expect(await takeOver(screen(), late)).toMatchObject(untaken);
  });

  test('has one ticket, and none after the sign-out, a changed PIN, or the removal of the manager', async () => {
    const { session, ada } = await setUp();
    const first = await passedOn(session);
    const second = await passedOn(session);
    expect(await takeOver(screen(), first)).toMatchObject(untaken);
    await value(session, 'changePin', { managerId: ada, pin: '5836' });
    expect(await takeOver(screen(), second)).toMatchObject(untaken);
    const third = await passedOn(session);
    await value(session, 'signOut', {});
    expect(await takeOver(screen(), third)).toMatchObject(untaken);
    const bea = (await value(await signedIn('5836'), 'addManager', { name: 'Bea', pin: '6394' }))[
      'managerId'
    ];
    const hers = screen();
    await value(hers, 'signIn', { managerId: bea, pin: '6394' });
    const fourth = await passedOn(hers);
    await value(await signedIn('5836'), 'removeManager', { managerId: bea });
    expect(await takeOver(screen(), fourth)).toMatchObject(untaken);
  });

  test('lasts no longer than it would have, however often it is passed on, and ends when nobody is there', async () => {
    const { session } = await setUp();
    let at = session;
    for (let hour = 0; hour < 12 * 60; hour += 4) {
      await clock.pass(4 * 60_000 - 1);
      const next = screen();
      expect(await takeOver(next, await passedOn(at))).toMatchObject({ ok: true });
      at = next;
    }
    await clock.pass(4 * 60_000);
    expect(at.manager).toBeNull();
    const idle = screen();
    await takeOver(idle, await passedOn(await signedIn('4711')));
    await clock.pass(signsOutAfterMs);
    expect(idle.manager).toBeNull();
  });

  test('cannot be taken from a window of the app by a program of this computer, nor guessed', async () => {
    const { ada } = await setUp();
    const { address: _address, ...window } = screen();
    await value(window, 'signIn', { managerId: ada, pin: '4711' });
    expect(await takeOver(screen(), await passedOn(window))).toMatchObject(untaken);
    expect(await takeOver(screen(), newTicket())).toMatchObject(untaken);
    const ticket = newTicket();
    expect(await router.call(screen(), 'passOn', { ticket })).toMatchObject({
      ok: false,
      code: 'pinNeeded',
    });
    expect(await takeOver(screen(), ticket)).toMatchObject(untaken);
    for (const short of ['', 'a'.repeat(63), 'A'.repeat(64)])
      expect(await router.call(window, 'passOn', { ticket: short })).toMatchObject({
        code: 'invalid',
      });
  });

  test('cannot be replaced by that of another page with the same ticket', async () => {
    const { session } = await setUp();
    const bea = (await value(session, 'addManager', { name: 'Bea', pin: '6394' }))['managerId'];
    const hers = screen();
    await value(hers, 'signIn', { managerId: bea, pin: '6394' });
    const ticket = await passedOn(session);
    expect(await router.call(hers, 'passOn', { ticket })).toMatchObject({
      ok: false,
      code: 'pinNeeded',
    });
    const next = screen();
    expect(await takeOver(next, ticket)).toMatchObject({ ok: true });
    expect(next.manager).toMatchObject({ name: 'Ada' });
  });

  test('is there for the next page although its own is gone before it is answered', async () => {
    const { session } = await setUp();
    const ticket = newTicket();
    const answered = router.call(session, 'passOn', { ticket });
    session.manager = null;
    await answered;
    expect(await takeOver(screen(), ticket)).toMatchObject({ ok: true });
  });

  async function signedIn(pin: string): Promise<Session> {
    const session = screen();
    const { managers } = (await value(session, 'session', {})) as {
      managers: { managerId: string; name: string }[];
    };
    await value(session, 'signIn', {
      managerId: managers.find(({ name }) => name === 'Ada')?.managerId,
      pin,
    });
    return session;
  }
});
