import type { Office } from '../../journal/office.ts';
import type { Recorded } from '../../../preload/procedures/procedure.ts';
import type { Manager } from './managers.ts';

/** What the journal keeps of what managers do. */
export interface ActionBook {
  /** Durable when it returns. `manager` null: who set this counter up, before it had one. @throws when it cannot be kept */
  record(manager: Manager | null, action: string, facts: Recorded): void;
}

/** Who did what before this counter had a manager. */
const installer = 'setup';

export function journalActionBook(office: Pick<Office, 'keepAction'>): ActionBook {
  return {
    record(manager, action, { subject = null, ...facts }) {
      // Names can be given again, ids cannot.
      office.keepAction({ manager: manager?.name ?? installer, action, subject, detail: { by: manager?.managerId ?? null, ...facts } });
    },
  };
}
