// The whole test, or the suites that are named: `npm test [-- SUITE …]`. `npm run test:long` is the same at full length.
import './node-version.mjs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfNeeded, root } from './build.mjs';
import { runChecks } from './check.mjs';
import { npmTool } from './npm-tool.mjs';
import { suites, suitesWithSystemTools, vitestSuites } from './suites.mjs';
import { ensureSystemTools } from './system-tools.mjs';

const { values, positionals } = parseArgs({ options: { long: { type: 'boolean', default: false } }, allowPositionals: true });
const unknown = positionals.filter((name) => !suites.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`There is no suite ${unknown.join(', ')}. There are: ${suites.join(', ')}\n`);
  process.exit(2);
}
const asked = positionals.length === 0 ? suites : positionals;
const isAsked = (name) => asked.includes(name);

function run(file, args) {
  const env = { ...process.env, ...(values.long && { TILLBEACON_TEST_LONG: '1' }) };
  const { status } = spawnSync(file, args, { cwd: root, stdio: 'inherit', env });
  if (status !== 0) process.exit(status ?? 1);
}

if (suitesWithSystemTools.some(isAsked)) ensureSystemTools();
if (isAsked('check')) await runChecks();
buildIfNeeded();
if (isAsked('package')) run(process.execPath, [join(root, 'scripts', 'package-check.mjs')]);
if (isAsked('electron')) run(process.execPath, [join(root, 'scripts', 'test-electron.mjs')]);
const projects = vitestSuites.filter(isAsked).flatMap((project) => ['--project', project]);
if (projects.length > 0) run(process.execPath, [npmTool('vitest'), 'run', ...projects]);
