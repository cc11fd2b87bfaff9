import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** What the product does not do anywhere, and a line that does. */
const forbidden: readonly (readonly [what: string, look: RegExp, line: string])[] = [
  ['starts a program', /\bchild_process\b/, "import { spawn } from 'node:child_process';"],
  ['runs text as code', /\beval\(|new Function\(|\bnode:vm\b/, 'eval(text);'],
  ['takes text for markup', /\b(inner|outer)HTML\b|insertAdjacentHTML|document\.write|unsafe(HTML|SVG|Static)/, 'element.innerHTML = text;'],
  ['trusts any certificate', /rejectUnauthorized|checkServerIdentity/, 'connect({ rejectUnauthorized: false });'],
];

/** Programs of the system, by fixed names: what `npm run service` runs for an administrator, and systemd's own way to be told. */
const startPrograms: ReadonlySet<string> = new Set(['main/service.ts', 'main/boot/step.ts', 'main/boot/systemd.ts']);

const root = new URL('../../', import.meta.url).pathname;
const sources = ['main', 'preload', 'renderer'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|html)$/.test(name))
    .map((name) => join(folder, name)),
);

test.each(forbidden)('nothing in the product %s', (what, look, line) => {
  expect(line).toMatch(look);
  expect(sources.length).toBeGreaterThan(100);
  const allowed = what === 'starts a program' ? startPrograms : new Set();
  expect(sources.filter((path) => !allowed.has(path) && look.test(readFileSync(join(root, path), 'utf8')))).toEqual([]);
});
