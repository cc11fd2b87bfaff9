/** Implements `preload/procedures/backup.ts`. */
import { Refusal } from '../../../../preload/procedures/procedure.ts';
import type { RestoredFolder } from '../../backup/restored-folder.ts';
import { messageOf } from '../../../core/domain/errors.ts';
import type { Handlers } from '../../server/router.ts';

interface RestoredHandlersOptions {
  readonly folder: Pick<RestoredFolder, 'waiting' | 'confirm'>;
  /** Opens the lanes. */
  readonly open: () => Promise<void>;
}

export function restoredHandlers({ folder, open }: RestoredHandlersOptions): Handlers {
  return {
    async confirmRestored({ madeAtMs }) {
      const { waiting } = folder;
      if (waiting === null) return {};
      if (waiting.madeAtMs !== madeAtMs)
        throw new Refusal('notFound', 'this counter was restored from another backup', {
          field: 'madeAtMs',
        });
      try {
        folder.confirm();
      } catch (error) {
        throw new Refusal('failed', messageOf(error));
      }
      await open();
      return {};
    },
  };
}
