import type { DemoView } from '../../../preload/contract.ts';
import { messageOf } from '../../core/domain/errors.ts';
import type { Log } from '../../core/domain/log.ts';
import type { Managers } from '../manager/people/managers.ts';

/** No secret: a demonstration has nothing to protect, and its page shows the PIN. */
const demoManager = { name: 'Ada', pin: '4711' };

/** While there is nobody else. */
export async function makeDemoManager(managers: Managers, log: Log): Promise<void> {
  try {
    if (managers.list().length === 0) await managers.add(demoManager.name, demoManager.pin, true);
  } catch (error) {
    log.warn({ detail: messageOf(error) }, 'the demonstration has no manager of its own');
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
