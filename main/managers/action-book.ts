import type { Office } from '../journal/office.ts';
import type { Manager } from './managers.ts';

/** What the journal keeps of what managers do. */
export interface ActionBook {
  /** Durable when it returns. `manager` null: who set this counter up, before it had one. @throws when it cannot be kept */
  record(manager: Manager | null, action: string, facts: Readonly<Record<string, unknown>>): void;
}

/** Who did what before this counter had a manager. */
const installer = 'setup';

export function journalActionBook(office: Pick<Office, 'keepAction'>): ActionBook {
  return {
    record(manager, action, facts) {
      const [, subject] = Object.entries(facts).find(([name, value]) => name.endsWith('Id') && typeof value === 'string') ?? [];
      office.keepAction({
        manager: manager?.name ?? installer,
        action,
        subject: (subject as string | undefined) ?? null,
        // Names can be given again, ids cannot.
        detail: { by: manager?.managerId ?? null, ...facts },
      });
    },
  };
}
