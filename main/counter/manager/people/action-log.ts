import type { ManagerRecords } from '../../../core/journal/manager-records.ts';
import type { Recorded } from '../../../../preload/procedures/procedure.ts';
import type { Manager } from './managers.ts';

/** Records managers' actions in the journal. */
export interface ActionLog {
  /**
   * Durable when it returns. `manager` is null for the installer, before there is a manager.
   * @throws when it cannot be written
   */
  record(manager: Manager | null, action: string, facts: Recorded): void;
}

/** The name recorded before this counter had a manager. */
const installer = 'setup';

export function journalActionLog(records: Pick<ManagerRecords, 'keepAction'>): ActionLog {
  return {
    record(manager, action, { subject = null, ...facts }) {
      // Names can be reused, ids cannot.
      records.keepAction({
        manager: manager?.name ?? installer,
        action,
        subject,
        detail: { by: manager?.managerId ?? null, ...facts },
      });
    },
  };
}
