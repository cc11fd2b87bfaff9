// The whole test, or the suites that are named: `npm test [-- SUITE …]`. `npm run test:long` is the
// same at full length.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { buildIfNeeded, root } from './build.mjs';
import { runChecks } from './check.mjs';
import { readCommand } from './command.mjs';
import { npmTool } from './npm-tool.mjs';
import { suites, suitesWithSystemTools, vitestSuites } from './suites.mjs';
import { ensureSystemTools } from './system-tools.mjs';

const { values, operands } = readCommand({
  call: 'npm test --',
  does: `Runs all test suites, or those named: ${suites.join(', ')}. Prints what it installs, and why.`,
  operands: '[SUITE …]',
  options: {
    long: {
      type: 'boolean',
      does: 'includes the slow tests',
    },
  },
});
const unknown = operands.filter((name) => !suites.includes(name));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no suite ${unknown.join(', ')}. There are: ${suites.join(', ')}\n`,
  );
  process.exit(2);
}
const chosenSuites = operands.length === 0 ? suites : operands;
const isChosen = (name) => chosenSuites.includes(name);

function run(file, args) {
  const env = { ...process.env, ...(values.long && { TILLBEACON_TEST_LONG: '1' }) };
  const { status } = spawnSync(file, args, { cwd: root, stdio: 'inherit', env });
  if (status !== 0) process.exit(status ?? 1);
}

if (suitesWithSystemTools.some(isChosen)) ensureSystemTools();
if (isChosen('check')) await runChecks();
buildIfNeeded();
if (isChosen('package')) run(process.execPath, [join(root, 'scripts', 'package-check.mjs')]);
if (isChosen('electron')) run(process.execPath, [join(root, 'scripts', 'test-electron.mjs')]);
const projects = vitestSuites.filter(isChosen).flatMap((project) => ['--project', project]);
if (projects.length > 0) run(process.execPath, [npmTool('vitest'), 'run', ...projects]);
if (isChosen('windows'))
  run(process.execPath, [
    join(root, 'scripts', 'test-windows.mjs'),
    ...(values.long ? ['--long'] : []),
  ]);
