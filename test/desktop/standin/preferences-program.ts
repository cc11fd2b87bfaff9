/**
 * Does to the preferences what the app and people do to them, and says what each came to: a line of
 * JSON.
 */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { app, ipcMain } from 'electron';
import { openPreferences } from '../../../main/host/desktop/preferences.ts';
import { silentLog } from '../../../main/core/domain/log.ts';

const folder = app.getPath('userData');
const file = join(folder, 'this-pc.json');
const errors: string[] = [];
const warned: unknown[] = [];
const log = {
  ...silentLog,
  error: (_facts: object, message: string) => void errors.push(message),
  warn: (facts: object) => void warned.push(facts),
};
const open = () => openPreferences({ folder, log });

const usual = open().choices;
open().change({ zoomPercent: 150, kiosk: false });
const kept = open().choices;
let refused = '';
try {
  open().change({ zoomPercent: 1_000 });
} catch (error) {
  refused = (error as Error).message;
}
const unchanged = open().choices.zoomPercent;
const mode = statSync(file).mode & 0o777;
writeFileSync(file, readFileSync(file, 'utf8').slice(0, 20));
const afterDamage = open().choices;
const damaged = existsSync(join(folder, 'this-pc.damaged.json'));

// A file of a newer version that has one more language and one more screen.
const unknown = {
  ...kept,
  zoomPercent: 125,
  language: 'et',
  screenKeyboard: 'byVoice',
  windows: [{ screen: 'kitchen', laneId: null, display: null }],
  updates: { feed: 1 },
};
writeFileSync(file, JSON.stringify(unknown));
const mended = open();
const ofNewer = { choices: mended.choices, updates: mended.updates };
const told = warned.map((facts) => (facts as { choice: string }).choice);

const { updateChannel: _, screenKeyboard: __, ...first } = kept;
writeFileSync(
  file,
  JSON.stringify({
    ...first,
    updateChannel: 'stable',
    __internal__: { migrations: { version: '1.0.0' } },
  }),
);
const ofFirstLayout = open().choices;
open().change({ updateChannel: 'beta' });
const chosenChannel = open().choices.updateChannel;
const channels = ipcMain.eventNames();
process.stdout.write(
  `${JSON.stringify({
    usual,
    kept,
    refused: refused.includes('zoomPercent'),
    unchanged,
    mode,
    afterDamage,
    damaged,
    ofNewer,
    told,
    ofFirstLayout,
    chosenChannel,
    errors: errors.length,
    channels,
  })}\n`,
);
process.exit(0);
