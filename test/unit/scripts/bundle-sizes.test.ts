import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
// @ts-expect-error: a script, without types
import { screenBytes } from '../../../scripts/bundle-sizes.mjs';

let out: string;
beforeEach(() => void (out = mkdtempSync(join(tmpdir(), 'tillbeacon-sizes-'))));
afterEach(() => rmSync(out, { recursive: true }));

/** Writes a file with this many bytes that cannot be compressed. */
function put(name: string, bytes: number, code = ''): void {
  const file = join(out, 'renderer', name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${code}//${randomBytes(bytes).toString('latin1')}`, 'latin1');
}

test('what is loaded at a screen’s start is counted with the longest language, and each part with all that it adds', () => {
  mkdirSync(join(out, 'renderer/cashier'), { recursive: true });
  writeFileSync(
    join(out, 'renderer/cashier/index.html'),
    '<script src="../assets/cashier-12345678.js"></script><link href="../assets/a-12345678.css">',
  );
  put('assets/a-12345678.css', 1_000);
  put(
    'assets/cashier-12345678.js',
    2_000,
    'import{a}from"./shared-12345678.js";const p=()=>import(`./page-123-5678.js`),t=[()=>import("./texts-en-GB-screens-12345678.js"),()=>import("./texts-fi-FI-screens-12345678.js")];',
  );
  put('assets/shared-12345678.js', 4_000);
  put('assets/texts-en-GB-screens-12345678.js', 500);
  put('assets/texts-fi-FI-screens-12345678.js', 8_000);
  put(
    'assets/page-123-5678.js',
    16_000,
    'import"./shared-12345678.js";import"./deep-12345678.js";const t=[()=>import("./texts-fi-FI-screens-12345678.js"),()=>import("./texts-fi-FI-pages-12345678.js")];',
  );
  put('assets/deep-12345678.js', 32_000);
  put('assets/texts-fi-FI-pages-12345678.js', 64_000);
  const { first, parts } = screenBytes(out, 'cashier');
  // gzip adds some bytes to each file, and the code above is in it.
  expect(first).toBeGreaterThan(15_000);
  expect(first).toBeLessThan(15_700);
  expect(parts).toEqual([['page', expect.any(Number)]]);
  expect(parts[0][1]).toBeGreaterThan(112_000);
  expect(parts[0][1]).toBeLessThan(112_500);
});
