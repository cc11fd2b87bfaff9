import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
// @ts-expect-error: a script, without types
import { importedAreas, pictureOf, withPicture } from '../../../scripts/areas-picture.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Sources that are made up lie here. */
let folder: string;
const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), `${text}\n`);
};
const arrows = (): string[] =>
  (pictureOf(importedAreas(folder)) as string).split('\n').slice(2, -1);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-areas-'));
  for (const top of ['main', 'preload', 'renderer']) mkdirSync(join(folder, top));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the picture in ARCHITECTURE.md follows the imports; `node scripts/areas-picture.mjs` writes it', () => {
  const document = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  expect(document).toBe(withPicture(document, importedAreas(root)));
});

test('draws an arrow from the area that imports, of types too', () => {
  write('main/support/log.ts', "import type { Money } from '../core/domain/money.ts';");
  write('main/core/domain/money.ts', 'export type Money = number;');
  expect(arrows()).toEqual(['  support --> domain']);
});

test('draws no arrow that follows from others', () => {
  write('main/host/a.ts', "import '../counter/a.ts';\nimport '../tills/a.ts';");
  write('main/counter/a.ts', "import '../tills/a.ts';");
  write('main/tills/a.ts', 'export {};');
  expect(arrows()).toEqual(['  counter --> tills', '  host --> counter']);
});

test('draws every arrow of a circle', () => {
  write('main/tills/a.ts', "import '../sandbox/b.ts';");
  write('main/sandbox/b.ts', "import '../tills/c.ts';");
  write('main/tills/c.ts', 'export {};');
  expect(arrows()).toEqual(['  sandbox --> tills', '  tills --> sandbox']);
});

test('draws an area without imports, too', () => {
  write('renderer/home/home.ts', 'export {};');
  expect(arrows()).toEqual(['  renderer']);
});
