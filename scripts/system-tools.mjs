// Programs that the tests need beyond npm's. Installed where that is possible (Debian, as root),
// after saying so; elsewhere named with the command.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright';

/** Commands by any of these names, and the Debian package that brings one. */
const tools = [
  {
    names: ['chromium', 'chromium-browser', 'google-chrome'],
    debianPackage: 'chromium',
    use: 'the browser in which the screens are tested',
    isThere: () => existsSync(chromium.executablePath()),
  },
  {
    names: ['socat'],
    debianPackage: 'socat',
    use: 'makes pairs of connected serial ports, for tills on a cable',
  },
];

function find(names) {
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
  const missing = tools.filter(
    ({ names, isThere }) => find(names) === null && isThere?.() !== true,
  );
  if (missing.length === 0) return;
  const packages = missing.map(({ debianPackage }) => debianPackage);
  const mayInstall = process.getuid?.() === 0 && find(['apt-get']) !== null;
  if (mayInstall) {
    for (const { debianPackage, use } of missing)
      process.stdout.write(
        `The tests need ${debianPackage}, ${use}, and this computer has none.\n`,
      );
    process.stdout.write(`Installing for that with apt-get, as root: ${packages.join(', ')}\n`);
    const quiet = {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    };
    spawnSync('apt-get', ['update', '-qq'], quiet);
    const installed = spawnSync(
      'apt-get',
      ['install', '-y', '-qq', '--no-install-recommends', ...packages],
      quiet,
    );
    if (installed.status === 0) return;
  }
  for (const { names, debianPackage, use } of missing) {
    process.stderr.write(
      `The tests need ${names[0]} (${use}). On Debian and Ubuntu: sudo apt-get install ${debianPackage}\n`,
    );
  }
  process.exit(1);
}
