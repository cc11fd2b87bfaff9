// Builds main, preload and renderer into out/ when a source is newer than the last build.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamp = join(root, 'out', '.built');
const sources = [
  'main',
  'preload',
  'renderer',
  'assets',
  'electron.vite.config.ts',
  'package.json',
  'package-lock.json',
];

function newest(path) {
  if (!existsSync(path)) return 0;
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return readdirSync(path).reduce(
    (latest, name) => Math.max(latest, newest(join(path, name))),
    stat.mtimeMs,
  );
}

export function buildIfNeeded() {
  const builtAt = existsSync(stamp) ? statSync(stamp).mtimeMs : 0;
  if (builtAt > 0 && sources.every((source) => newest(join(root, source)) <= builtAt)) return;
  const startedAt = new Date();
  const electronVite = join(root, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js');
  if (!existsSync(electronVite)) {
    process.stderr.write(
      'Run "npm ci" first: the tools that build Tillbeacon are not installed.\n',
    );
    process.exit(1);
  }
  const built = spawnSync(process.execPath, [electronVite, 'build', '--logLevel', 'warn'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (built.status !== 0) {
    process.stderr.write(`Tillbeacon could not be built:\n${built.stdout}${built.stderr}`);
    process.exit(1);
  }
  writeFileSync(stamp, '');
  // A source that was saved while the build ran is newer than what was built.
  utimesSync(stamp, startedAt, startedAt);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // Others import this before they know their Node.
  const { readCommand } = await import('./command.mjs');
  readCommand({
    call: 'npm run build --',
    does: 'Builds the daemon and its screens into out when a source is newer than the last build.',
    options: {},
  });
  buildIfNeeded();
}
