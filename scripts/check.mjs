// Types, imports, mistakes, format, and nothing unused: seconds, and the same as in `npm test`.
import './node-version.mjs';
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { root } from './build.mjs';

const checks = [
  { what: 'types', command: 'tsc', args: ['--noEmit'] },
  { what: 'texts', command: process.execPath, args: ['scripts/locales.mjs', '--check'] },
  { what: 'who imports whom', command: process.execPath, args: ['scripts/dependencies.mjs'] },
  { what: 'mistakes', command: 'oxlint', args: ['--type-aware', '--deny-warnings'] },
  { what: 'format, style sheets', command: 'biome', args: ['check', '.'] },
  { what: 'nothing unused', command: 'knip', args: ['--no-progress'] },
];

export function runChecks() {
  for (const { what, command, args } of checks) {
    const startedAt = Date.now();
    const { status } = spawnSync(resolve(root, 'node_modules/.bin', command), args, { cwd: root, stdio: 'inherit' });
    process.stdout.write(`${status === 0 ? 'ok  ' : 'FAIL'} ${what} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)\n`);
    if (status !== 0) process.exit(1);
  }
}

if (process.argv[1]?.endsWith('check.mjs')) runChecks();
