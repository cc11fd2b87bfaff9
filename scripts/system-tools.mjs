// What the tests need beyond npm. Installed where that is allowed (Debian, as root); elsewhere named exactly.
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Commands by any of these names, and the Debian package that has one. */
const tools = [
  { names: ['chromium', 'chromium-browser', 'google-chrome'], debianPackage: 'chromium', use: 'shows the screens in the tests' },
  { names: ['socat'], debianPackage: 'socat', use: 'makes the pairs of serial ports' },
];

export function find(names) {
  for (const name of names) {
    for (const folder of (process.env.PATH ?? '').split(delimiter)) {
      const path = join(folder, name);
      try {
        accessSync(path, constants.X_OK);
        return path;
      } catch {
        // not in this folder
      }
    }
  }
  return null;
}

export function ensureSystemTools() {
  const missing = tools.filter(({ names }) => find(names) === null);
  if (missing.length === 0) return;
  const packages = missing.map(({ debianPackage }) => debianPackage);
  const mayInstall = process.getuid?.() === 0 && find(['apt-get']) !== null;
  if (mayInstall) {
    process.stdout.write(`installing ${packages.join(' and ')} for the tests\n`);
    const quiet = { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
    spawnSync('apt-get', ['update', '-qq'], quiet);
    const installed = spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], quiet);
    if (installed.status === 0) return;
  }
  for (const { names, debianPackage, use } of missing) {
    process.stderr.write(`The tests need ${names[0]} (${use}). On Debian and Ubuntu: sudo apt-get install ${debianPackage}\n`);
  }
  process.exit(1);
}
