// Starts an entry of the daemon: `node scripts/run.mjs daemon --settings …`. Builds first when a source is newer than the build.
import './node-version.mjs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildIfNeeded, root } from './build.mjs';

const [entry, ...rest] = process.argv.slice(2);
buildIfNeeded();
const file = join(root, 'out', 'main', `${entry}.js`);
process.argv = [process.argv[0], file, ...rest];
await import(pathToFileURL(file).href);
