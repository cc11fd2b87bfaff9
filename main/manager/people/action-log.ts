import type { Office } from '../../journal/office.ts';
import type { Recorded } from '../../../preload/procedures/procedure.ts';
import type { Manager } from './managers.ts';

/** Managers' actions in the journal. */
export interface ActionLog {
  /** Durable when it returns. @param manager null: the installer, before there was a manager. @throws when it cannot be written */
  record(manager: Manager | null, action: string, facts: Recorded): void;
}

/** Named as the author of what was done before this counter had a manager. */
const installer = 'setup';

export function journalActionLog(office: Pick<Office, 'keepAction'>): ActionLog {
  return {
    record(manager, action, { subject = null, ...facts }) {
      // A name can be reused, an id cannot.
      office.keepAction({ manager: manager?.name ?? installer, action, subject, detail: { by: manager?.managerId ?? null, ...facts } });
    },
  };
}
