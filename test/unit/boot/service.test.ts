import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packaged } from '../../../main/boot/definition.ts';
import { linux } from '../../../main/boot/linux.ts';
import { macos } from '../../../main/boot/macos.ts';
import type { ServiceSystem } from '../../../main/boot/service-system.ts';
import { stepText } from '../../../main/boot/step.ts';
import { windows } from '../../../main/boot/windows.ts';

const template = (name: string): string => readFileSync(join(import.meta.dirname, '../../../assets/service', name), 'utf8');
const firstLines = (system: ServiceSystem, place: Parameters<ServiceSystem['install']>[0]): string[] =>
  system.install(place, template).map((step) => stepText(step).split('\n', 1)[0] as string);

test('a package’s command knows what runs as a command in a checkout', () => {
  const read = (name: string): string => readFileSync(join(import.meta.dirname, '../../..', name), 'utf8');
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const inCheckout = Object.values(scripts).flatMap((script) => /^node scripts\/run\.mjs ([\w-]+)$/.exec(script)?.[1] ?? []);
  const [, list = ''] = /^const commands = \[(.+)\];$/m.exec(read('assets/package/tillbeacon.mjs')) ?? [];
  expect(
    list
      .split(', ')
      .map((name) => name.slice(1, -1))
      .toSorted(),
  ).toEqual(inCheckout.toSorted());
});

describe('systemd', () => {
  const checkout = { node: '/opt/tillbeacon/node', program: '/opt/tillbeacon', data: linux.data, entry: 'launcher' } as const;

  test('is given user and unit of a checkout, and does not wait until the tills can pay', () => {
    expect(firstLines(linux, checkout)).toEqual([
      'make the folder /etc/sysusers.d',
      'write /etc/sysusers.d/tillbeacon.conf:',
      'run systemd-sysusers /etc/sysusers.d/tillbeacon.conf',
      'write /etc/systemd/system/tillbeacon.service:',
      'run systemctl daemon-reload',
      'run systemctl enable tillbeacon.service',
      'run systemctl --no-block restart tillbeacon.service',
    ]);
  });
  test('has those of a package', () => {
    expect(firstLines(linux, packaged)).toEqual(['run systemctl enable tillbeacon.service', 'run systemctl --no-block restart tillbeacon.service']);
  });
  test('could not start what is in somebody’s folder', () => {
    expect(() => linux.install({ ...checkout, program: '/home/anna/tillbeacon' }, template)).toThrow('/home/anna/tillbeacon: a service has no access');
  });
  test.each([
    ['LoadState=not-found\nActiveState=inactive', { isRunning: false, words: 'not installed' }],
    [
      'NRestarts=0\nLoadState=loaded\nActiveState=activating\nSubState=start\nStatusText=not set up\nUnitFileState=enabled\n',
      { isRunning: true, words: 'running: not set up; starts with the computer' },
    ],
    [
      'NRestarts=3\nLoadState=loaded\nActiveState=active\nSubState=running\nStatusText=the lane takes payments\nUnitFileState=disabled\n',
      { isRunning: true, words: 'running: the lane takes payments; started again 3 times; does not start with the computer' },
    ],
    [
      'NRestarts=0\nLoadState=loaded\nActiveState=failed\nSubState=failed\nStatusText=\nUnitFileState=enabled',
      { isRunning: false, words: 'failed; starts with the computer' },
    ],
    [
      'NRestarts=0\nLoadState=loaded\nActiveState=reloading\nSubState=reload\nStatusText=another version is started\nUnitFileState=enabled',
      { isRunning: true, words: 'running: another version is started; starts with the computer' },
    ],
    [null, { isRunning: false, words: 'systemd does not answer' }],
  ])('says how it is: %j', (answer, status) => {
    expect(linux.status(answer)).toEqual(status);
  });
});

test('Windows closes the folder before anything secret is in it, and keeps it when the task goes', () => {
  const system = windows(String.raw`D:\ProgramData`);
  const lines = firstLines(system, { node: String.raw`C:\t\node.exe`, program: String.raw`C:\t`, data: system.data, entry: 'launcher' });
  const closing = lines.findIndex((line) => line.includes('/inheritance:r'));
  expect(closing).toBeGreaterThan(0);
  expect(closing).toBeLessThan(lines.indexOf(String.raw`make the folder D:\ProgramData\Tillbeacon\data`));
  expect(lines.slice(-2)).toEqual([
    String.raw`run schtasks /create /tn Tillbeacon /xml D:\ProgramData\Tillbeacon\task.xml /f`,
    'run schtasks /run /tn Tillbeacon',
  ]);
});

test.each([
  ['4\r\n', { isRunning: true, words: 'running; starts with the computer, and again within a minute' }],
  ['3\r\n', { isRunning: false, words: 'not running; starts with the computer, and again within a minute' }],
  ['1\r\n', { isRunning: false, words: 'disabled; does not start with the computer' }],
  [null, { isRunning: false, words: 'not installed, or visible to administrators alone' }],
])('Windows says by a number how its task is: %j', (answer, status) => {
  expect(windows(String.raw`C:\ProgramData`).status(answer)).toEqual(status);
});

test('the task is started each minute from its installation on, and never a second time while it runs', () => {
  const task = template('tillbeacon-task.xml');
  const [, minutely = ''] = /<TimeTrigger>([^]*)<\/TimeTrigger>/.exec(task) ?? [];
  expect(minutely).toMatch(/<Interval>PT1M<\/Interval>\s*<\/Repetition>/);
  expect(Date.parse(/<StartBoundary>(.*)<\/StartBoundary>/.exec(minutely)?.[1] ?? '')).toBeLessThan(Date.now());
  expect(task).toContain('<BootTrigger />');
  expect(task).toContain('<MultipleInstancesPolicy>IgnoreNew<');
});

test.each([
  ['systemd', linux],
  ['launchd', macos],
  ['the task scheduler', windows(String.raw`C:\ProgramData`)],
])('%s: no data is removed with the service', (_, system) => {
  const removed = system.uninstall().flatMap((step) => (step.do === 'remove' ? step.path : []));
  expect(removed.length).toBeGreaterThan(0);
  expect(removed.filter((path) => path.startsWith(system.data))).toEqual([]);
});
