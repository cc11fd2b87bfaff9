import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Desktop } from './desktop-app.ts';

test('the stand-in refuses what Electron refuses, and names it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-standin-'));
  const app = await Desktop.start([], folder, {}, 'test/desktop/standin/refusals.ts');
  expect(await app.exited, app.stderr).toBe(0);
  expect(JSON.parse(app.stdout)).toEqual({
    'a window before ready': 'Cannot create BrowserWindow before app is ready',
    'displays before ready': "The 'screen' module can't be used before the app 'ready' event",
    'keys before ready': 'safeStorage cannot be used before app is ready',
    'a scheme after ready':
      'protocol.registerSchemesAsPrivileged should be called before app is ready',
    'a handler of a scheme that is not registered':
      'the scheme other has no origin: it was not registered',
    'a second handler': 'The scheme has been intercepted',
    'a window without sandbox': 'a window without isolation and sandbox',
    'a window with webviews': 'a window whose pages may include others',
    'a preload outside the app': `the preload is not in the app: ${join(folder, 'preload.cjs')}`,
    'a file': "ERR_FAILED (-2) loading 'file:///etc/passwd'",
    'the network': "ERR_FAILED (-2) loading 'https://example.com/'",
    'a page': 'done',
    'a message that cannot be cloned': 'Failed to serialize arguments',
    'a message that can': 'done',
    'a message to a window that is gone': 'Object has been destroyed',
    'a call that nobody handles':
      "Error invoking remote method 'unhandled': Error: No handler registered for 'unhandled'",
  });
  expect(app.stderr).toContain('module not found: node:fs');
  // A test of the app fails when it finds this message.
  expect(app.stderr).toContain('nobody listens to the channel unheard');
  rmSync(folder, { recursive: true });
});
