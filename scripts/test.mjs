// The whole test: what it needs, checks, build, every suite, the package.
import './node-version.mjs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { buildIfNeeded, root } from './build.mjs';
import { runChecks } from './check.mjs';
import { ensureSystemTools } from './system-tools.mjs';

function run(file, args) {
  const { status } = spawnSync(file, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

ensureSystemTools();
runChecks();
buildIfNeeded();
run(process.execPath, [join(root, 'scripts', 'package-check.mjs')]);
run(process.execPath, [join(root, 'scripts', 'test-electron.mjs')]);
const projects = ['unit', 'service', 'simulation', 'counter', 'pictures', 'desktop', 'electron'].flatMap((project) => ['--project', project]);
run(join(root, 'node_modules', '.bin', 'vitest'), ['run', ...projects, ...process.argv.slice(2)]);
