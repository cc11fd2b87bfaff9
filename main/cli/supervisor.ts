/**
 * What Electron starts: the desktop app where its supervisor asks for it, otherwise the supervisor,
 * which starts the app and starts it again.
 */
import '../support/umask.ts';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { app, dialog } from 'electron';
import { terminalVersion } from '../counter/app/version.ts';
import { appImageOf, sandboxWarning } from '../host/desktop/app-image.ts';
import { displayOptions, hasXServer } from '../host/desktop/display-server.ts';
import { previousInstaller } from '../host/desktop/previous-installer.ts';
import { previousAppImage } from '../host/desktop/previous-app-image.ts';
import { exits, supervised, supervisedOption } from '../host/desktop/supervised.ts';
import { openUserData } from '../host/desktop/user-data.ts';
import { systemClock } from '../core/domain/clock.ts';
import { messageOf } from '../core/domain/errors.ts';
import { watchingLog } from '../support/log-file.ts';
import { createLogger } from '../support/logger.ts';
import { sayAside } from '../support/standard-output.ts';
import { launch, type Program, readyWithinMs } from '../host/updates/launch.ts';

// Imported by name, because it is a separate bundle that the supervisor does not need. Awaited,
// because much of the app is too late once Electron is ready.
if (process.argv.includes(supervisedOption))
  await import(pathToFileURL(join(import.meta.dirname, 'desktop.js')).href);
else start();

function start(): void {
  const warning = sandboxWarning(appImageOf(process.env, process.execPath), process.argv);
  if (warning !== null) sayAside(warning);
  if (
    !openUserData({
      app,
      dialog,
      platform: process.platform,
      environment: process.env,
      log: createLogger('info').log,
    })
  )
    app.exit(exits.cannotStart);
  else if (begins()) supervise();
  else app.exit(exits.wanted);
}

/** Called for a newer version before an app starts that opens the journal. */
function begins(): boolean {
  const updates = join(app.getPath('userData'), 'updates');
  return process.platform !== 'win32' || previousInstaller(updates).begins(terminalVersion);
}

function supervise(): void {
  const userData = app.getPath('userData');
  // Chromium's own files: the app has them.
  app.setPath('sessionData', join(userData, 'supervisor'));
  app.disableHardwareAcceleration();
  if (process.platform === 'darwin') void app.whenReady().then(() => app.dock?.hide());
  // On Linux the session keeps what the app says.
  const about = {
    environment: process.env,
    platform: process.platform,
    lostOn: ['win32', 'darwin'],
    clock: systemClock,
  } as const;
  const { log, relayText, close } = watchingLog({ folder: join(userData, 'log'), ...about });
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.abort());
  app.on('before-quit', (event) => {
    event.preventDefault();
    stop.abort();
  });
  const appImage = appImageOf(process.env, process.execPath);
  const argv = process.argv.slice(1);
  const args = [
    ...argv,
    ...displayOptions({
      platform: process.platform,
      environment: process.env,
      args: argv,
      hasXServer,
    }),
  ];
  const updates = join(userData, 'updates');
  const shared = { updates, relayText, stop: stop.signal, clock: systemClock, log };
  void launch({
    ...shared,
    program: supervised({
      ...shared,
      command:
        appImage === null ? [process.execPath, ...process.execArgv, ...args] : [appImage, ...args],
      putBack: putBack(updates, appImage),
    }),
    journal: join(userData, 'data', 'journal.sqlite'),
    // Not what `--settings` names: that is imported into this one.
    settings: join(userData, 'data', 'settings.json'),
    version: terminalVersion,
    readyWithinMs: readyWithinMs(),
  })
    .catch((error: unknown) => {
      log.error({ detail: messageOf(error) }, 'supervisor failed');
      return 1;
    })
    .then((code) => close().then(() => app.exit(code)));
}

/** null when no earlier version is stored. */
function putBack(updates: string, appImage: string | null): Program['putBack'] {
  if (appImage !== null) return () => previousAppImage(updates).putBack(appImage);
  const installer = previousInstaller(updates);
  return process.platform === 'win32' && installer.isThere() ? () => installer.putBack() : null;
}
