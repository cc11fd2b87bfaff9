import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  linuxPolicy,
  otherPolicies,
  policyPatterns,
  windowsPolicy,
} from '../../../../main/host/boot/browser-policy.ts';
import { carryOut, type Step, stepText } from '../../../../main/host/boot/step.ts';
import { webOrigin } from '../../../../main/core/domain/service-address.ts';

const lines = (steps: readonly Step[]): string[] =>
  steps.map((step) => stepText(step).split('\n', 1)[0] as string);

test.each([
  ['https://till.example', 'https://till.example:443'],
  ['https://till.example:8443', 'https://till.example:8443'],
  ['https://192.168.1.20', 'https://192.168.1.20:443'],
])('the policy is for %s alone, and not for its other ports', (origin, pattern) => {
  expect(policyPatterns([origin])).toEqual([pattern]);
});

// Most are refused by the settings, too.
test.each([
  'http://till.example',
  '*',
  'https://*',
  'https://*.example',
  '[*.]example',
  'https://[*.]example',
  'https://',
  'file:///',
  'chrome-extension://abc',
])('a page that browsers would not let in, or a wildcard, gets no policy: %s', (origin) =>
  expect(policyPatterns([origin])).toEqual([]),
);

test.each([
  '*',
  'https://*',
  '[*.]example',
  'https://[*.]till.example',
  'https://till.example/',
  'https://till.example,*',
  'null',
])('the settings refuse what is no origin: %s', (origin) =>
  expect(webOrigin.safeParse(origin).success).toBe(false),
);

describe('on Linux', () => {
  test('it is a file for each browser, which an administrator’s own file outranks', () => {
    const steps = linuxPolicy(['https://till.example', 'http://till.example']);
    const files = steps.flatMap((step) => (step.do === 'write' ? [step] : []));
    expect(files.map(({ path }) => path)).toEqual([
      '/etc/chromium/policies/managed/00-tillbeacon.json',
      '/etc/chromium-browser/policies/managed/00-tillbeacon.json',
      '/etc/opt/chrome/policies/managed/00-tillbeacon.json',
      '/etc/opt/edge/policies/managed/00-tillbeacon.json',
    ]);
    for (const { text } of files)
      expect(JSON.parse(text)).toEqual({
        LocalNetworkAccessAllowedForUrls: ['https://till.example:443'],
      });
  });

  test('it goes with the last page, and empty folders with it', () => {
    for (const origins of [[], ['http://till.example']])
      expect(lines(linuxPolicy(origins)).slice(-2)).toEqual([
        'remove /etc/opt/edge/policies/managed/00-tillbeacon.json',
        'run rmdir /etc/opt/edge/policies/managed /etc/opt/edge/policies /etc/opt/edge',
      ]);
  });

  describe.skipIf(process.platform === 'win32')('in a folder', () => {
    let folder: string;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'tillbeacon-policy-'));
    });
    afterEach(() => rmSync(folder, { recursive: true, force: true }));
    /** The steps as they are, below that folder. */
    const here = (steps: readonly Step[]): Step[] =>
      JSON.parse(JSON.stringify(steps).replaceAll('"/etc/', `"${folder}/`)) as Step[];

    test('files of others stay, and those that name pages too are told', () => {
      const managed = join(folder, 'chromium/policies/managed');
      mkdirSync(managed, { recursive: true });
      writeFileSync(
        join(managed, 'shop.json'),
        '{ "LocalNetworkAccessAllowedForUrls": ["https://shop.example"] }',
      );
      writeFileSync(join(managed, 'home.json'), '{ "HomepageLocation": "https://shop.example" }');
      carryOut(here(linuxPolicy(['https://till.example'])));
      expect(existsSync(join(managed, '00-tillbeacon.json'))).toBe(true);
      expect(otherPolicies([join(folder, 'chromium'), join(folder, 'none')])).toEqual([
        join(managed, 'shop.json'),
      ]);
      carryOut(here(linuxPolicy([])));
      expect([
        existsSync(join(managed, '00-tillbeacon.json')),
        existsSync(join(folder, 'opt/chrome')),
      ]).toEqual([false, false]);
      expect(readFileSync(join(managed, 'shop.json'), 'utf8')).toContain('shop.example');
    });
  });
});

describe('on Windows', () => {
  const chrome = String.raw`HKLM\SOFTWARE\Policies\Google\Chrome\LocalNetworkAccessAllowedForUrls`;
  const answers =
    (values: Readonly<Record<string, string>>) =>
    (command: readonly string[]): string | null => {
      if (command[2] !== chrome || Object.keys(values).length === 0) return null;
      return `\r\n${chrome}\r\n${Object.entries(values)
        .map(([name, value]) => `    ${name}    REG_SZ    ${value}\r\n`)
        .join('')}\r\n`;
    };
  const ofChrome = (steps: readonly Step[]): string[] =>
    lines(steps).flatMap((line) => (line.includes('Google') ? [line.replace(chrome, 'KEY')] : []));

  test('it is values of its own in each browser’s list', () => {
    const steps = windowsPolicy(['https://till.example', 'https://other.example'], answers({}));
    expect(ofChrome(steps)).toEqual([
      'run reg add KEY /v 41820 /t REG_SZ /d https://till.example:443 /f',
      'run reg add KEY /v 41821 /t REG_SZ /d https://other.example:443 /f',
    ]);
    expect(lines(steps).filter((line) => line.includes('Edge'))).toHaveLength(2);
  });

  test('an administrator’s values stay, and ours go when their page does', () => {
    const there = answers({
      1: 'https://shop.example',
      41820: 'https://till.example:443',
      41821: 'https://other.example:443',
    });
    expect(ofChrome(windowsPolicy(['https://till.example'], there))).toEqual([
      'run reg delete KEY /v 41821 /f',
      'run reg add KEY /v 41820 /t REG_SZ /d https://till.example:443 /f',
    ]);
    expect(ofChrome(windowsPolicy([], there))).toEqual([
      'run reg delete KEY /v 41820 /f',
      'run reg delete KEY /v 41821 /f',
    ]);
  });

  test('a list that is ours alone is removed, and one that is not there is left', () => {
    expect(ofChrome(windowsPolicy([], answers({ 41820: 'https://till.example:443' })))).toEqual([
      'run reg delete KEY /f',
    ]);
    expect(windowsPolicy([], answers({}))).toEqual([]);
  });
});
