// Types, imports, mistakes, format, and nothing unused: `npm run check`.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './build.mjs';
import { readCommand } from './command.mjs';
import { npmTool } from './npm-tool.mjs';

const checks = [
  // One program for types and lint: rules about promises need the type of every expression, so that
  // a separate tsc would do the same work twice.
  {
    what: 'types and mistakes',
    script: npmTool('oxlint'),
    args: ['--type-aware', '--type-check', '--deny-warnings'],
  },
  { what: 'nothing unused', script: npmTool('knip'), args: ['--no-progress'] },
  { what: 'who imports whom', script: join(root, 'scripts', 'dependencies.mjs'), args: [] },
  { what: 'source text', script: join(root, 'scripts', 'source-rules.mjs'), args: [] },
  {
    what: 'format, style sheets',
    script: npmTool('biome', '@biomejs/biome'),
    args: ['check', '.'],
  },
  { what: 'texts', script: join(root, 'scripts', 'locales.mjs'), args: ['--check'] },
];
/** Each check uses one core for most of its time. */
const atOnce = 2;

/**
 * Prints a check's output as a whole once the check has ended, so that parallel checks do not mix.
 */
function runCheck({ what, script, args }) {
  const startedAt = Date.now();
  // The child writes to a pipe, so it must be told to use colours.
  const env = { ...process.env, ...(process.stdout.isTTY && { FORCE_COLOR: '1' }) };
  const child = spawn(process.execPath, [script, ...args], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => output.push(chunk));
  return new Promise((done) => {
    child.once('error', (error) => output.push(Buffer.from(`${error.message}\n`)));
    child.once('close', (status) => {
      process.stdout.write(Buffer.concat(output));
      process.stdout.write(
        `${status === 0 ? 'ok  ' : 'FAIL'} ${what} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)\n`,
      );
      done(status === 0);
    });
  });
}

/** Ends the process with 1 when a check fails, after all have run. */
export async function runChecks() {
  const waiting = [...checks];
  let allHold = true;
  const worker = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift())
      allHold = (await runCheck(check)) && allHold;
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  if (!allHold) process.exit(1);
}

if (process.argv[1]?.endsWith('check.mjs')) {
  readCommand({
    call: 'npm run check --',
    does: 'Checks types, imports, lint rules, format, texts and unused code. Exit code 1: a check failed.',
    options: {},
  });
  await runChecks();
}
