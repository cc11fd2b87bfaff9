import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/**
 * The files that start programs, all by fixed names: the launcher starts the daemon, and the
 * supervisor the app, which on Windows runs installers by their hash; `npm run service` runs the
 * system's tools for an administrator; systemd is notified by its own program; what is mounted
 * (macOS), the computer's id (Windows, macOS), and whether the daemon's task is enabled (Windows),
 * are asked of the system's own.
 */
const startsPrograms: ReadonlySet<string> = new Set([
  'main/host/boot/starts.ts',
  'main/host/updates/daemon-program.ts',
  'main/host/desktop/supervised.ts',
  'main/host/desktop/previous-installer.ts',
  'main/cli/service.ts',
  'main/host/boot/step.ts',
  'main/host/boot/systemd.ts',
  'main/support/local-disk.ts',
  'main/support/this-computer.ts',
]);

/**
 * What a command says goes through the first. The others pass on what the program that they watch
 * has said, or write what was made plain before.
 */
const writesOut: ReadonlySet<string> = new Set([
  'main/support/standard-output.ts',
  'main/support/log-file.ts',
  'main/host/updates/daemon-program.ts',
]);

/** Calls that the product makes nowhere, each with a line that the check must find. */
const forbidden: readonly (readonly [what: string, look: RegExp, line: string])[] = [
  ['starts a program', /\bchild_process\b/, "import { spawn } from 'node:child_process';"],
  ['runs text as code', /\beval\(|new Function\(|\bnode:vm\b/, 'eval(text);'],
  [
    'takes text for markup',
    /\b(inner|outer)HTML\b|insertAdjacentHTML|document\.write|unsafe(HTML|SVG|Static)/,
    'element.innerHTML = text;',
  ],
  [
    'writes to a terminal',
    /process\.std(out|err)\.write|console\.(log|error|warn|info)/,
    'process.stdout.write(text);',
  ],
  [
    'trusts any certificate',
    /rejectUnauthorized|checkServerIdentity/,
    'connect({ rejectUnauthorized: false });',
  ],
];

const allowed: Readonly<Record<string, ReadonlySet<string>>> = {
  'starts a program': startsPrograms,
  'writes to a terminal': writesOut,
};

const root = new URL('../../', import.meta.url).pathname;
const sources = ['main', 'preload', 'renderer'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|html)$/.test(name))
    .map((name) => join(folder, name)),
);

test.each(forbidden)('nothing in the product %s', (what, look, line) => {
  expect(line).toMatch(look);
  expect(sources.length).toBeGreaterThan(100);
  expect(
    sources.filter(
      (path) => !allowed[what]?.has(path) && look.test(readFileSync(join(root, path), 'utf8')),
    ),
  ).toEqual([]);
});
