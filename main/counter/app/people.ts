import type { DemoView } from '../../../preload/contract.ts';
import { messageOf } from '../../core/domain/errors.ts';
import type { Log } from '../../core/domain/log.ts';
import { journalActionLog } from '../manager/people/action-log.ts';
import { FirstManager } from '../manager/people/first-manager.ts';
import { managersHandlers } from '../manager/people/people-handlers.ts';
import { Managers } from '../manager/people/managers.ts';
import type { PinCost } from '../manager/people/pin.ts';
import { Sessions, defaultSignsOutAfterMs } from '../manager/people/sessions.ts';
import type { Handlers } from '../server/router.ts';
import type { Parts } from './parts.ts';

/** The managers of this counter, and who is signed in. */
export interface People {
  readonly managers: Managers;
  readonly firstManager: FirstManager;
  readonly sessions: Sessions;
  readonly handlers: Handlers;
}

export interface PeopleOptions {
  /** There are settings, so that not everybody may become the first manager. */
  readonly isSetUp: () => boolean;
  readonly pinCost?: PinCost | undefined;
  readonly signsOutAfterMs?: number | undefined;
}

export function openPeople(
  { folder, journal, notices, clock, ids, log }: Parts,
  options: PeopleOptions,
): People {
  const { isSetUp, pinCost, signsOutAfterMs = defaultSignsOutAfterMs } = options;
  const managers = new Managers({ path: folder.managers, clock, ids, log, cost: pinCost });
  const firstManager = new FirstManager({
    managers,
    isSetUp,
    path: folder.firstManagerCode,
    clock,
    log,
  });
  const sessions = new Sessions({
    managers,
    firstManager,
    actions: journalActionLog(journal),
    notices,
    clock,
    log,
    signsOutAfterMs,
  });
  return {
    managers,
    firstManager,
    sessions,
    handlers: managersHandlers({ managers, sessions, signsOutAfterMs }),
  };
}

/** No secret: a demonstration has nothing to protect, and its page shows the PIN. */
const demoManager = { name: 'Ada', pin: '4711' };

/** While there is nobody else. */
export async function makeDemoManager(managers: Managers, log: Log): Promise<void> {
  try {
    if (managers.list().length === 0) await managers.add(demoManager.name, demoManager.pin, true);
  } catch (error) {
    log.warn({ detail: messageOf(error) }, 'the manager of the demonstration could not be added');
  }
}

/** null when somebody has removed the manager, or nobody can sign in. */
export function demoManagerOf(managers: Managers): DemoView['manager'] {
  try {
    return managers.list().some(({ name }) => name === demoManager.name) ? demoManager : null;
  } catch {
    return null;
  }
}
