import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fileAt, isOurs, screenAt } from '../../../../main/host/desktop/page-address.ts';
import { answerPage } from '../../../../main/host/desktop/page-protocol.ts';

let root: string;
let folder: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'tillbeacon-pages-'));
  folder = join(root, 'renderer');
  mkdirSync(join(folder, 'cashier'), { recursive: true });
  writeFileSync(join(folder, 'cashier', 'index.html'), 'page');
  writeFileSync(join(folder, 'notes.txt'), 'no page');
  writeFileSync(join(root, 'secret.js'), 'secret');
});
afterAll(() => rmSync(root, { recursive: true, force: true }));
const ask = (url: string, method = 'GET') =>
  answerPage(new Request(url, { method }), { folder, picture: () => Promise.resolve(null) });

test('a page is served with the content policy, which allows no script in it', async () => {
  const answer = await ask('tillbeacon://screens/cashier/index.html?lane=1');
  expect(await answer.text()).toBe('page');
  expect(answer.headers.get('content-security-policy')).toContain("script-src 'self';");
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
});

describe('nothing else of the computer is served', () => {
  test.each([
    '..%2fsecret.js',
    '%2e%2e/secret.js',
    '..%5csecret.js',
    'cashier/..%2f..%2fsecret.js',
    '%00',
    '%',
    'C:%5csecret.js',
    'notes.txt',
    'cashier',
    'shop/logo',
  ])('%s', async (path) => {
    expect((await ask(`tillbeacon://screens/${path}`)).status).toBe(404);
  });

  test('not of another origin, and not with another method', async () => {
    expect(fileAt('tillbeacon://elsewhere/cashier/index.html', folder)).toBeNull();
    expect(fileAt('file:///etc/passwd', folder)).toBeNull();
    expect((await ask('tillbeacon://screens/cashier/index.html', 'POST')).status).toBe(405);
  });
});

test('only our origin passes for ours, and only a screen for a screen', () => {
  for (const address of [
    'tillbeacon://screens.evil/',
    'tillbeacon://user@screens/',
    'tillbeacon://screens:80/',
    'https://screens/',
    'file:///screens/',
    'tillbeacon:screens',
  ])
    expect(isOurs(address), address).toBe(false);
  expect(screenAt('tillbeacon://screens/manager/index.html?lang=da#health')).toBe('manager');
  expect(screenAt('tillbeacon://screens/manager/../notes.txt')).toBeNull();
});
