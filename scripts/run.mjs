// Starts an entry of the daemon: `node scripts/run.mjs daemon --settings …`. Builds first when a source is newer than the build.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 11)) {
  process.stderr.write(`Tillbeacon needs Node 24.11 or newer, this is ${process.versions.node}. On Linux and Windows "npm ci" brings its own; elsewhere install it first.\n`);
  process.exit(1);
}
const { buildIfNeeded, root } = await import('./build.mjs');
const { join } = await import('node:path');
const { pathToFileURL } = await import('node:url');
const [entry, ...rest] = process.argv.slice(2);
buildIfNeeded();
const file = join(root, 'out', 'main', `${entry}.js`);
process.argv = [process.argv[0], file, ...rest];
await import(pathToFileURL(file).href);
