// Starts an entry of the daemon: `node scripts/run.mjs daemon --settings …`. Builds first when a
// source is newer than the build.
import './node-version.mjs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildIfNeeded, root } from './build.mjs';

// npm runs this in a shell, which does not pass SIGTERM on: when the shell has ended, this ends
// too.
if (process.env.npm_lifecycle_event !== undefined) {
  const shell = process.ppid;
  setInterval(() => {
    if (process.ppid !== shell) process.kill(process.pid, 'SIGTERM');
  }, 200).unref();
}

const [entry, ...rest] = process.argv.slice(2);
buildIfNeeded();
const file = join(root, 'out', 'main', `${entry}.js`);
process.argv = [process.argv[0], file, ...rest];
await import(pathToFileURL(file).href);
