import { pinWeakness } from '../../../../preload/procedures/pin.ts';
import { Refusal } from '../../../../preload/procedures/procedure.ts';
import type { Handlers } from '../../server/router.ts';
import type { Session } from '../../server/session.ts';
import type { Managers } from './managers.ts';
import type { Sessions } from './sessions.ts';

/** The handlers of `preload/procedures/session.ts`. */
export function managersHandlers({
  managers,
  sessions,
  signsOutAfterMs,
}: {
  readonly managers: Managers;
  readonly sessions: Sessions;
  readonly signsOutAfterMs: number;
}): Handlers {
  const unknown = (): Refusal =>
    new Refusal('notFound', 'there is no such manager any more', { field: 'managerId' });
  return {
    session: (_asked, session) => ({
      managers: signsIn(session) ? managers.list() : [],
      signedIn: session.manager,
      signsOutAfterMs,
      codeFile: sessions.codeFile(session),
    }),

    enterCode({ code }, session) {
      sessions.enterCode(session, code);
      return {};
    },

    async signIn({ managerId, pin, screenToken = null }, session) {
      const { name } = await sessions.signIn(session, { managerId, pin, screenToken });
      return { name, hasWeakPin: pinWeakness(pin) !== null };
    },

    passOn({ ticket }, session) {
      sessions.passOn(session, ticket);
      return {};
    },

    takeOver({ ticket }, session) {
      sessions.takeOver(session, ticket);
      return {};
    },

    signOut(_asked, session) {
      sessions.signOut(session);
      return {};
    },

    stillHere(_asked, session) {
      sessions.renew(session);
      return {};
    },

    async addManager({ name, pin, screenToken = null }, session) {
      const asFirst = session.manager === null;
      const manager = await managers.add(name, pin, asFirst);
      if (manager === 'notFirst')
        throw new Refusal('pinNeeded', 'this counter has a manager by now');
      if (manager === 'nameTaken')
        throw new Refusal('nameTaken', `there is a manager ${name} already`, { field: 'name' });
      // The installer goes on without typing the PIN a third time.
      if (asFirst) {
        sessions.enterAsFirst(session, manager);
        managers.remember(screenToken);
      }
      return { managerId: manager.managerId };
    },

    async changePin({ managerId, pin }, session) {
      if (!(await managers.changePin(managerId, pin))) throw unknown();
      sessions.signOutManager(managerId, 'pinChanged', session);
      return {};
    },

    removeManager({ managerId }) {
      const removed = managers.remove(managerId);
      if (removed === 'unknown') throw unknown();
      if (removed === 'last')
        throw new Refusal('lastManager', 'the last manager cannot be removed', {
          field: 'managerId',
        });
      sessions.signOutManager(managerId, 'removed');
      return {};
    },
  };
}

/**
 * A program that says no screen may be one that signs in: the names are no secret on this computer,
 * and the cashier's page does not need them.
 */
const signsIn = ({ screen }: Session): boolean =>
  screen === undefined || screen === 'manager' || screen === 'setup';
