// The demonstration: in Electron's windows where its binary and a display are, otherwise as the daemon with the screens in a browser.
import './node-version.mjs';
import { spawn } from 'node:child_process';
import { buildIfNeeded, root } from './build.mjs';
import { electronBinary } from './electron-binary.mjs';

const electron = electronBinary();
if (electron === null) {
  process.argv = [process.argv[0], 'start', 'daemon', '--demo', ...process.argv.slice(2)];
  await import('./run.mjs');
} else {
  buildIfNeeded();
  const child = spawn(electron, [root, '--demo', ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill(signal));
  child.once('exit', (code) => process.exit(code ?? 1));
}
