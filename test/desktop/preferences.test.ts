import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Desktop } from './desktop-app.ts';

test('what this computer shows is kept whole, refused where it breaks a rule, and set aside where it cannot be read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-preferences-'));
  const program = await Desktop.start(
    [],
    folder,
    {},
    'test/desktop/standin/preferences-program.ts',
  );
  expect(await program.exited, program.stderr).toBe(0);
  const { usual, kept, afterDamage, ofNewer, ofFirstLayout, ...said } = JSON.parse(
    program.stdout,
  ) as Record<string, unknown>;
  expect(usual).toMatchObject({
    windows: [],
    kiosk: true,
    zoomPercent: 100,
    autostart: false,
    screenKeyboard: 'automatic',
    softwareRendering: false,
  });
  expect(kept).toEqual({ ...(usual as object), zoomPercent: 150, kiosk: false });
  expect(afterDamage).toEqual(usual);
  // The choices that this version knows are kept, and each other one is reported once.
  expect(ofNewer).toEqual({ choices: { ...(kept as object), zoomPercent: 125 }, updates: null });
  // Every file of the first layout had this channel, although nobody had chosen it.
  expect(ofFirstLayout).toEqual({ ...(kept as object), updateChannel: null });
  // electron-store would open an IPC channel of its own, which tells a page where the app's files
  // are.
  expect(said).toEqual({
    refused: true,
    unchanged: 150,
    mode: 0o600,
    damaged: true,
    told: ['windows', 'language', 'screenKeyboard', 'updates'],
    chosenChannel: 'beta',
    errors: 1,
    channels: [],
  });
  rmSync(folder, { recursive: true });
});
