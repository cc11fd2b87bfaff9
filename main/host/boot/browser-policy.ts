/**
 * From version 142 on, Chromium, Chrome and Edge ask before a web page may reach this computer or
 * its network (Local Network Access). A managed policy answers for the pages in the settings, so
 * that no cashier has to. Documented at chromeenterprise.google/policies and learn.microsoft.com.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import type { Step } from './step.ts';

const policy = 'LocalNetworkAccessAllowedForUrls';

/** Where Chromium, its snap, Chrome and Edge look for policies on Linux. */
const linuxFolders = ['/etc/chromium', '/etc/chromium-browser', '/etc/opt/chrome', '/etc/opt/edge'];
/**
 * First by name: where another file names the same policy, that of the shop's administrator holds.
 */
const linuxFile = '00-tillbeacon.json';

const windowsKeys = [String.raw`Google\Chrome`, String.raw`Microsoft\Edge`, 'Chromium'].map(
  (name) => win32.join(String.raw`HKLM\SOFTWARE\Policies`, name, policy),
);
/**
 * A list in the registry is values that are called by numbers. Ours begin here; others are not
 * touched.
 */
const firstValue = 41_820;
const maxValues = 100;

/** Answers a question of the system; null when it failed. */
export type Ask = (command: readonly [string, ...string[]]) => string | null;

/**
 * The patterns for these origins, each with its port, so that it is for that origin alone. Pages
 * without encryption are left out: browsers ignore a policy for them.
 */
export function policyPatterns(origins: readonly string[]): string[] {
  return origins.flatMap((origin) => {
    const url = URL.parse(origin);
    if (url === null || url.protocol !== 'https:' || !/^[a-z0-9.-]+$/.test(url.hostname)) return [];
    return [`https://${url.hostname}:${url.port === '' ? '443' : url.port}`];
  });
}

/** Writes the policy for these origins, or removes it when the list is empty. */
export function linuxPolicy(origins: readonly string[]): readonly Step[] {
  const patterns = policyPatterns(origins);
  return linuxFolders.flatMap((folder): Step[] => {
    const managed = posix.join(folder, 'policies/managed');
    const path = posix.join(managed, linuxFile);
    if (patterns.length > 0)
      return [
        { do: 'makeFolder', path: managed },
        { do: 'write', path, text: `${JSON.stringify({ [policy]: patterns }, null, 2)}\n` },
      ];
    return [
      { do: 'remove', path },
      // `rmdir` removes empty folders only. Tillbeacon may have created them.
      {
        do: 'run',
        command: ['rmdir', managed, posix.join(folder, 'policies'), folder],
        mayFail: true,
      },
    ];
  });
}

/** The files of others that name pages: the last one by its name holds, which is not ours. */
export const otherPolicies = (folders = linuxFolders): string[] =>
  folders
    .map((folder) => posix.join(folder, 'policies/managed'))
    .flatMap((managed) => jsonIn(managed).map((name) => posix.join(managed, name)))
    .filter((path) => readFileSync(path, 'utf8').includes(`"${policy}"`));

function jsonIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json') && name !== linuxFile);
  } catch {
    return [];
  }
}

/** As `linuxPolicy`, in the registry. */
export function windowsPolicy(origins: readonly string[], ask: Ask): readonly Step[] {
  const patterns = policyPatterns(origins);
  return windowsKeys.flatMap((key): Step[] => {
    const there = valuesIn(ask(['reg', 'query', key]) ?? '');
    const ours = there.filter((name) => name >= firstValue && name < firstValue + maxValues);
    if (patterns.length === 0 && there.length > 0 && ours.length === there.length)
      return [{ do: 'run', command: ['reg', 'delete', key, '/f'] }];
    const wanted = patterns.map((_, index) => firstValue + index);
    return [
      ...ours
        .filter((name) => !wanted.includes(name))
        .map(
          (name): Step => ({
            do: 'run',
            command: ['reg', 'delete', key, '/v', String(name), '/f'],
          }),
        ),
      ...patterns.map((pattern, index): Step => {
        return {
          do: 'run',
          command: [
            'reg',
            'add',
            key,
            '/v',
            String(firstValue + index),
            '/t',
            'REG_SZ',
            '/d',
            pattern,
            '/f',
          ],
        };
      }),
    ];
  });
}

/** The numbers by which the values of a key are called, as `reg query` prints them. */
const valuesIn = (answer: string): number[] =>
  [...answer.matchAll(/^ {4}(\d{1,9}) {4}REG_SZ/gm)].map(([, name]) => Number(name));
