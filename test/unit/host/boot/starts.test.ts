import { describe, expect, test } from 'vitest';
import { findStarts, type StartsFacts, startsBy } from '../../../../main/host/boot/starts.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { launcherVariable } from '../../../../main/host/boot/starts.ts';

/** A computer with these files; `folders` with the names in them. */
function computer(
  about: {
    files?: Record<string, string>;
    folders?: Record<string, readonly string[]>;
  } & Partial<StartsFacts> = {},
): StartsFacts {
  const { files = {}, folders = {}, ...facts } = about;
  return {
    platform: 'linux',
    environment: { INVOCATION_ID: 'e8f1' },
    parentPid: 1,
    home: '/home/shop',
    read: (path) => files[path] ?? '',
    list: (path) => folders[path] ?? [],
    task: null,
    isLoginItem: () => false,
    ...facts,
  };
}

const service = {
  '/proc/self/cgroup': '0::/system.slice/tillbeacon.service\n',
  '/proc/1/comm': 'systemd\n',
};
const enabled = {
  '/etc/systemd/system': ['multi-user.target.wants', 'tillbeacon.service'],
  '/etc/systemd/system/multi-user.target.wants': ['tillbeacon.service'],
};
const ofUser = {
  '/proc/self/cgroup':
    '0::/user.slice/user-1000.slice/user@1000.service/app.slice/tillbeacon.service\n',
  '/proc/812/comm': 'systemd\n',
};
const enabledByUser = {
  '/home/shop/.config/systemd/user': ['default.target.wants'],
  '/home/shop/.config/systemd/user/default.target.wants': ['tillbeacon.service'],
};

describe('what starts Tillbeacon', () => {
  test('is the computer for an enabled service, the user’s sign-in for a user’s', () => {
    expect(startsBy(computer({ files: service, folders: enabled }))).toEqual({
      with: 'computer',
      system: 'linux',
    });
    expect(startsBy(computer({ files: ofUser, folders: enabledByUser, parentPid: 812 }))).toEqual({
      with: 'signIn',
      system: 'linux',
    });
  });

  test('is the computer for a service that cannot see the processes of others', () => {
    expect(
      startsBy(computer({ files: { ...service, '/proc/1/comm': '' }, folders: enabled })).with,
    ).toBe('computer');
    expect(startsBy(computer({ files: service, folders: enabled, parentPid: 77 })).with).toBe(
      'nothing',
    );
  });

  test('is that of the launcher where one has started this process', () => {
    const environment = { INVOCATION_ID: 'e8f1', [launcherVariable]: '1' };
    const startedBy = (pid: number) => ({
      environment,
      parentPid: 40,
      folders: { ...enabled, ...enabledByUser },
      status: `Name:\tnode\nPPid:\t${pid}\n`,
    });
    const by = (
      { status, ...about }: ReturnType<typeof startedBy>,
      files: Record<string, string>,
    ) =>
      startsBy(
        computer({
          ...about,
          files: { ...files, '/proc/40/status': status, '/proc/77/comm': 'bash\n' },
        }),
      ).with;
    expect(by(startedBy(1), service)).toBe('computer');
    expect(by(startedBy(812), ofUser)).toBe('signIn');
    expect(by(startedBy(77), service)).toBe('nothing');
    expect(
      startsBy(computer({ files: service, folders: enabled, parentPid: 40, environment })).with,
    ).toBe('nothing');
  });

  test.each([
    [
      'a service that is not enabled',
      { files: service, folders: { '/etc/systemd/system': ['tillbeacon.service'] } },
    ],
    [
      'a shell inside an enabled service',
      { files: { ...service, '/proc/77/comm': 'bash\n' }, folders: enabled, parentPid: 77 },
    ],
    [
      'a terminal',
      {
        files: {
          ...service,
          '/proc/self/cgroup': '0::/user.slice/user-1000.slice/session-3.scope\n',
        },
        folders: enabled,
      },
    ],
    [
      'a container whose first process is something else',
      { files: { ...service, '/proc/1/comm': 'sh\n' }, folders: enabled },
    ],
    ['a process that systemd did not start', { files: service, folders: enabled, environment: {} }],
    ['a computer that tells nothing', {}],
  ] as const)('is nothing for %s', (_what, about) => {
    expect(startsBy(computer(about)).with).toBe('nothing');
  });

  test('is the user’s sign-in for a desktop app that is a login item, on every system', () => {
    expect(startsBy(computer({ platform: 'win32', isLoginItem: () => true }))).toEqual({
      with: 'signIn',
      system: 'windows',
    });
    expect(startsBy(computer({ platform: 'win32' }))).toEqual({
      with: 'nothing',
      system: 'windows',
    });
    expect(startsBy(computer({ platform: 'darwin' }))).toEqual({
      with: 'nothing',
      system: 'other',
    });
  });

  // As PowerShell prints TASK_STATE: 1 disabled, 2 queued, 3 ready, 4 running.
  test.each([
    ['4\r\n', 'computer'],
    ['3\r\n', 'computer'],
    ['2\r\n', 'computer'],
    ['1\r\n', 'nothing'],
    ['0\r\n', 'nothing'],
    ['', 'nothing'],
    [null, 'nothing'],
  ] as const)('on Windows is what the Task Scheduler answers: %j', (task, found) => {
    const environment = { USERPROFILE: String.raw`C:\Users\Kasse` };
    expect(startsBy(computer({ platform: 'win32', environment, task }))).toEqual({
      with: found,
      system: 'windows',
    });
  });

  test('on Windows is the task for a daemon that runs as Local Service and cannot see its task', () => {
    const environment = { USERPROFILE: String.raw`C:\WINDOWS\ServiceProfiles\LocalService` };
    expect(startsBy(computer({ platform: 'win32', environment })).with).toBe('computer');
    expect(startsBy(computer({ platform: 'win32', environment, task: '1\r\n' })).with).toBe(
      'nothing',
    );
  });

  test('on Windows is asked in the background, and again when the answer is old', async () => {
    const clock = new ManualClock();
    const questions: (readonly string[])[] = [];
    let answer = '3\r\n';
    const now = findStarts(
      () => false,
      clock,
      'win32',
      (command, answered) => {
        questions.push(command);
        answered(answer);
      },
    );
    expect(now().with).toBe('computer');
    expect(questions).toEqual([
      [
        expect.stringMatching(/^powershell/),
        '-NoProfile',
        '-NonInteractive',
        '-Command',
        expect.stringContaining("-TaskName 'Tillbeacon'"),
      ],
    ]);
    answer = '1\r\n';
    expect(now().with).toBe('computer');
    await clock.pass(61_000);
    now();
    expect(now().with).toBe('nothing');
    expect(questions.length).toBe(2);
  });

  test('is found of this process too: nothing starts a test', () => {
    expect(findStarts(() => false, new ManualClock())().with).toBe('nothing');
  });
});
