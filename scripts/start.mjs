// The demonstration: in Electron's windows where its binary and a display are, otherwise as the
// daemon with the screens in a browser.
import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { buildIfNeeded, root } from './build.mjs';
import { readCommand } from './command.mjs';
import { electronBinary } from './electron-binary.mjs';

const { defaultPorts } = await import('../main/core/domain/default-ports.ts');

const { values } = readCommand({
  call: 'npm start --',
  does: 'Starts the demonstration: a till, the screens, a phone and an embedded provider. No money moves. Opens windows if Electron is installed; otherwise prints the address to open in a browser.',
  options: {
    data: {
      type: 'string',
      value: 'DIR',
      does: 'data folder of the demonstration',
      default: join('data', 'demo'),
    },
    service: {
      type: 'string',
      value: 'NAME',
      does: 'interface to demonstrate: v10 (point of sale) or epayment',
      default: 'v10',
    },
    port: {
      type: 'string',
      value: 'N',
      does: `port of the screens; 0 for any free port (default: ${defaultPorts.screens}, or the next free port)`,
    },
  },
});
const port = values.port === undefined ? [] : ['--port', values.port];
const electron = electronBinary();
if (electron === null) {
  process.argv = [
    process.argv[0],
    'start',
    'daemon',
    '--demo',
    '--data',
    values.data,
    '--service',
    values.service,
    ...port,
  ];
  await import('./run.mjs');
} else {
  buildIfNeeded();
  const child = spawn(
    electron,
    [root, '--demo', '--data', resolve(values.data), '--service', values.service],
    { stdio: 'inherit' },
  );
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill(signal));
  child.once('exit', (code) => process.exit(code ?? 1));
}
