import type { Page } from 'playwright';
import { Refusal } from '../../../preload/procedures/procedure.ts';
import { well } from './manager-health.ts';
import { managerScene, refuses } from './manager-shared.ts';
import type { State } from './state.ts';

const typePassphrase = async (page: Page): Promise<void> => {
  await page.getByTestId('backup').click();
  for (const id of ['#passphrase', '#passphrase-again'])
    await page.locator(id).fill('correct horse battery');
  await page.getByTestId('backup-make').click();
};
const at = '#health';

/** A backup made on the health page. */
export const backup: readonly State[] = [
  {
    name: 'backup',
    at,
    scene: managerScene({ health: () => well }),
    reach: async (page) => {
      await page.getByTestId('backup').click();
      await page.locator('#passphrase').fill('too short');
      await page.getByTestId('backup-make').click();
    },
  },
  {
    name: 'backup-saved',
    at,
    scene: managerScene({
      health: () => well,
      makeBackup: () => ({
        file: {
          fileId: '3d500000-0000-4000-8000-000000000002',
          name: 'tillbeacon-backup-2026-11-21.backup',
          type: 'application/octet-stream',
          bytes: 1,
        },
        unsettled: 0,
        missing: [
          'clientSecret: sealed by the desktop app for the old computer alone: enter it again in the setup',
        ],
      }),
      filePart: () => ({ base64: 'AA==', last: true }),
    }),
    reach: async (page) => {
      await typePassphrase(page);
      await page.getByTestId('backup-saved').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'backup-failed',
    at,
    likeAnother: true,
    scene: managerScene({
      health: () => well,
      makeBackup: refuses(
        new Refusal('notMade', 'callbacks.db could not be copied: disk I/O error'),
      ),
    }),
    reach: async (page) => {
      await typePassphrase(page);
      await page.getByTestId('backup-failed').scrollIntoViewIfNeeded();
    },
  },
];
