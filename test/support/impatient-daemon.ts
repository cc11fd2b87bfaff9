/**
 * The daemon of a counter whose cashiers have less patience than a minute: from source, with the
 * built screens, and a process of its own that can be killed.
 * `impatient-daemon.ts --settings FILE --data DIR --port N --leave-after-ms N`
 */
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import manifest from '../../package.json' with { type: 'json' };

// The bundler resolves these names with package.json. Node alone finds only the package as a whole.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier.endsWith('/package.json') &&
    context.parentURL?.endsWith('/main/counter/app/version.ts')
      ? {
          url: `data:text/javascript,export const version = ${JSON.stringify(manifest.version)}`,
          importAttributes: {},
          shortCircuit: true,
        }
      : next(specifier, context),
});
const { systemClock } = await import('../../main/core/domain/clock.ts');
const { systemIds } = await import('../../main/core/domain/ids.ts');
const { SettingsFile } = await import('../../main/counter/settings/settings-file.ts');
const { createLogger } = await import('../../main/support/logger.ts');
const { startApplication } = await import('../../main/counter/app/application.ts');

const string = { type: 'string', default: '' } as const;
const { values } = parseArgs({
  options: { settings: string, data: string, port: string, 'leave-after-ms': string },
});
const { log } = createLogger('info');
const terminal = await startApplication({
  settings: new SettingsFile({
    path: values.settings,
    dataFolder: values.data,
    environment: process.env,
    safe: null,
    clock: systemClock,
    log,
  }),
  dataFolder: values.data,
  screens: { port: Number(values.port) },
  rendererFolder: join(import.meta.dirname, '../../out/renderer'),
  demo: false,
  limits: { leaveAfterMs: Number(values['leave-after-ms']) },
  system: { clock: systemClock, ids: systemIds, log },
});
await terminal.ready;
process.stdout.write(
  `${JSON.stringify({ ready: true, screens: terminal.screensUrl, lanes: terminal.lanes() })}\n`,
);
