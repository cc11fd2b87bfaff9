import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { packaged, type Place } from '../../../../main/host/boot/definition.ts';
import { linux } from '../../../../main/host/boot/linux.ts';
import { macos } from '../../../../main/host/boot/macos.ts';
import type { ReceiverService, ServiceSystem } from '../../../../main/host/boot/service-system.ts';
import { carryOut, type Step, stepText } from '../../../../main/host/boot/step.ts';
import { windows } from '../../../../main/host/boot/windows.ts';

const template = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../../../assets/service', name), 'utf8');
const firstLines = (
  system: ServiceSystem,
  place: Parameters<ServiceSystem['install']>[0],
): string[] =>
  system.install(place, template).map((step) => stepText(step).split('\n', 1)[0] as string);

test('a package’s command knows what runs as a command in a checkout', () => {
  const read = (name: string): string =>
    readFileSync(join(import.meta.dirname, '../../../..', name), 'utf8');
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const inCheckout = Object.values(scripts).flatMap(
    (script) => /^node scripts\/run\.mjs ([\w-]+)$/.exec(script)?.[1] ?? [],
  );
  const [, list = ''] =
    /^const commands = \[(.+?)\];$/ms.exec(read('assets/package/tillbeacon.mjs')) ?? [];
  expect([...list.matchAll(/'([\w-]+)'/g)].map(([, name = '']) => name).toSorted()).toEqual(
    inCheckout.toSorted(),
  );
});

describe('the callback receiver as a service', () => {
  const receiverOf = (system: ServiceSystem): ReceiverService => {
    if (system.receiver === null) throw new Error('this system has none');
    return system.receiver;
  };
  const registration = [
    '--service',
    'https://wallet.example',
    '--key-env',
    'KEY',
    '--address',
    'https://callbacks.example',
  ];
  const linesOf = (steps: readonly Step[]): string[] =>
    steps.map((step) => stepText(step).split('\n', 1)[0] as string);
  const { data } = receiverOf(linux);
  const checkout = {
    node: '/opt/tillbeacon/node',
    program: '/opt/tillbeacon',
    data,
    entry: 'callbacks',
  } as const;
  const folder = `run install -d -o tillbeacon-callbacks -g tillbeacon-callbacks -m 700 ${data}`;
  const started = [
    'run systemctl enable tillbeacon-callbacks.service',
    'run systemctl restart tillbeacon-callbacks.service',
  ];

  test('is registered as its own user, and started', () => {
    expect(
      linesOf(
        receiverOf(linux).install(
          { ...packaged, data, entry: 'callbacks' },
          template,
          registration,
        ),
      ),
    ).toEqual([
      folder,
      [
        'run runuser -u tillbeacon-callbacks -- /usr/lib/tillbeacon/bin/node /usr/lib/tillbeacon/out/main/callbacks.js',
        `register --settings ${data}/settings.json ${registration.join(' ')}`,
      ].join(' '),
      ...started,
    ]);
  });

  test('is started with the settings that are there, and refused without', () => {
    const steps = receiverOf(linux).install(
      { ...packaged, data, entry: 'callbacks' },
      template,
      null,
    );
    expect(linesOf(steps)).toEqual([
      folder,
      `check with test -f ${data}/settings.json`,
      ...started,
    ]);
    const check = steps.find((step) => step.do === 'check');
    expect(check?.refusal(null)).toContain('has no settings yet');
    expect(check?.refusal('')).toBeNull();
  });

  test('has user and unit of a checkout', () => {
    expect(linesOf(receiverOf(linux).install(checkout, template, null)).slice(0, 5)).toEqual([
      'make the folder /etc/sysusers.d',
      'write /etc/sysusers.d/tillbeacon.conf:',
      'run systemd-sysusers /etc/sysusers.d/tillbeacon.conf',
      'write /etc/systemd/system/tillbeacon-callbacks.service:',
      'run systemctl daemon-reload',
    ]);
  });

  test('goes with the program, and by itself', () => {
    expect(linesOf(linux.uninstall())).toContain(
      'run systemctl disable --now tillbeacon-callbacks.service',
    );
    const alone = linesOf(receiverOf(linux).uninstall());
    expect(alone).toContain('run systemctl disable --now tillbeacon-callbacks.service');
    expect(alone.join('\n')).not.toContain('tillbeacon.service');
  });

  test('is off until it is set up, and reaches nothing of the daemon', () => {
    const unit = template('tillbeacon-callbacks.service').split('\n');
    expect(unit).toEqual(
      expect.arrayContaining([
        `ConditionPathExists=${data}/settings.json`,
        'User=tillbeacon-callbacks',
        `InaccessiblePaths=-${linux.data}`,
        'StateDirectoryMode=0700',
        'PrivateDevices=yes',
      ]),
    );
    expect(linesOf(linux.install({ ...packaged }, template)).join('\n')).not.toContain('callbacks');
    const readAsset = (name: string): string =>
      readFileSync(join(import.meta.dirname, '../../../../assets/package', name), 'utf8');
    for (const name of ['deb.postinst', 'rpm.spec'])
      expect(readAsset(name), name).not.toMatch(/enable[^\n]*callbacks/);
    // An update stops it, and starts it again only where it is enabled.
    expect(readAsset('deb.prerm')).toMatch(/systemctl stop .*tillbeacon-callbacks\.service/);
    expect(readAsset('deb.postinst')).toContain(
      'for unit in tillbeacon.service tillbeacon-callbacks.service',
    );
    expect(readAsset('rpm.spec')).toContain(
      '/usr/lib/systemd/system/tillbeacon-callbacks.service\n',
    );
    expect(readAsset('tillbeacon.nsi')).toContain('schtasks /end /tn "Tillbeacon callbacks"');
  });

  test('is a task of its own on Windows, in the closed folder', () => {
    const system = windows(String.raw`C:\ProgramData`);
    const receiver = receiverOf(system);
    const place = {
      node: String.raw`C:\t\node.exe`,
      program: String.raw`C:\t`,
      data: receiver.data,
      entry: 'callbacks',
    } as const;
    const steps = receiver.install(place, template, registration);
    expect(receiver.data).toBe(String.raw`C:\ProgramData\Tillbeacon\callbacks`);
    expect(steps[0]).toMatchObject({ do: 'check' });
    const lines = linesOf(steps);
    expect(lines.find((line) => line.includes(' register '))).toContain('callbacks.js');
    expect(lines.at(-1)).toBe('run schtasks /run /tn "Tillbeacon callbacks"');
    const written = steps.find((step) => step.do === 'write');
    expect(written?.text).toContain(
      String.raw`\out\main\callbacks.js" --data "C:\ProgramData\Tillbeacon\callbacks"`,
    );
    expect(linesOf(system.uninstall())).toContain(
      'run schtasks /delete /tn "Tillbeacon callbacks" /f',
    );
  });

  test('is no service on macOS', () => {
    expect(macos.receiver).toBeNull();
  });
});

describe('systemd', () => {
  const checkout = {
    node: '/opt/tillbeacon/node',
    program: '/opt/tillbeacon',
    data: linux.data,
    entry: 'launcher',
  } as const;

  test('is given user and unit of a checkout, and does not wait until the tills can pay', () => {
    expect(firstLines(linux, checkout)).toEqual([
      'make the folder /etc/sysusers.d',
      'write /etc/sysusers.d/tillbeacon.conf:',
      'run systemd-sysusers /etc/sysusers.d/tillbeacon.conf',
      'make the folder /etc/udev/rules.d',
      'write /etc/udev/rules.d/91-tillbeacon-serial.rules:',
      'run udevadm control --reload',
      'run udevadm trigger --action=change --subsystem-match=usb --subsystem-match=tty',
      'write /etc/systemd/system/tillbeacon.service:',
      'write /etc/systemd/system/tillbeacon-browsers.service:',
      'write /etc/systemd/system/tillbeacon-browsers.path:',
      'run systemctl daemon-reload',
      'run systemctl enable tillbeacon.service',
      'run systemctl --no-block restart tillbeacon.service',
    ]);
  });
  test('has those of a package', () => {
    expect(firstLines(linux, packaged)).toEqual([
      'run systemctl enable tillbeacon.service',
      'run systemctl --no-block restart tillbeacon.service',
    ]);
  });
  test('could not start what is in somebody’s folder', () => {
    expect(() =>
      linux.install({ ...checkout, program: '/home/anna/tillbeacon' }, template),
    ).toThrow('/home/anna/tillbeacon: a service cannot read home folders');
  });
  test.each([
    ['LoadState=not-found\nActiveState=inactive', { isRunning: false, words: 'not installed' }],
    [
      'NRestarts=0\nLoadState=loaded\nActiveState=activating\nSubState=start\nStatusText=not set up\nUnitFileState=enabled\n',
      { isRunning: true, words: 'running: not set up; starts with the computer' },
    ],
    [
      'NRestarts=3\nLoadState=loaded\nActiveState=active\nSubState=running\nStatusText=the lane takes payments\nUnitFileState=disabled\n',
      {
        isRunning: true,
        words:
          'running: the lane takes payments; started again 3 times; does not start with the computer',
      },
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

const onWindows = (programData: string): { system: ServiceSystem; place: Place } => {
  const system = windows(programData);
  return {
    system,
    place: {
      node: String.raw`C:\t\node.exe`,
      program: String.raw`C:\t`,
      data: system.data,
      entry: 'launcher',
    },
  };
};

test('Windows closes the folder before anything secret is in it, and keeps it when the task goes', () => {
  const { system, place } = onWindows(String.raw`D:\It's ProgramData`);
  const [first] = system.install(place, template);
  if (first?.do !== 'check') throw new Error('the folder is not looked at first');
  const [program, ...args] = first.command;
  const script = args.at(-1) ?? '';
  expect([program, ...args.slice(0, -1)]).toEqual([
    'powershell',
    '-NoProfile',
    '-NonInteractive',
    '-Command',
  ]);
  // Its rights come with the folder, and not afterwards.
  expect(script).toContain(String.raw`$path = 'D:\It''s ProgramData\Tillbeacon'`);
  expect(script).toContain(
    "SetSecurityDescriptorSddlForm('O:BAG:BAD:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;0x1301bf;;;LS)')",
  );
  expect(script).toContain('CreateDirectory($path, $rights)');
  expect(script).not.toContain('"');
  // Its content does not change.
  const lines = firstLines(system, place);
  expect(lines.join('\n')).not.toMatch(/icacls|takeown/);
  expect(lines.slice(-2)).toEqual([
    String.raw`run schtasks /create /tn Tillbeacon /xml "D:\\It's ProgramData\\Tillbeacon\\task.xml" /f`,
    'run schtasks /run /tn Tillbeacon',
  ]);
});

const ours = 'O:BAG:BAD:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;0x1301bf;;;LS)';
test.each([
  ['is made by this version', `16 ${ours}\r\n`, null],
  [
    'is made by an earlier version, as another administrator of the domain',
    `16 ${ours.replace('G:BA', 'G:S-1-5-21-1-2-3-513')}`,
    null,
  ],
  ['has no rights for Local Service yet', '16 O:SYG:SYD:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)', null],
  [
    'belongs to a user of the computer',
    `16 ${ours.replace('O:BA', 'O:S-1-5-21-1-2-3-1001')}`,
    'others than administrators made it',
  ],
  [
    'belongs to Local Service',
    `16 ${ours.replace('O:BA', 'O:LS')}`,
    'others than administrators made it',
  ],
  ['is open to users', `16 ${ours}(A;CI;0x100006;;;BU)`, 'others than administrators made it'],
  [
    'is open to one user',
    `16 ${ours}(A;;FA;;;S-1-5-21-1-2-3-1001)`,
    'others than administrators made it',
  ],
  [
    'inherits what users may do in ProgramData',
    `16 ${ours.replace('PAI', 'AI')}`,
    'others than administrators made it',
  ],
  ['is a junction', `1040 ${ours}`, 'leads elsewhere: remove this link'],
  [
    'is open to everybody without a list',
    '16 O:BAG:BAD:NO_ACCESS_CONTROL',
    'its owner and rights cannot be read',
  ],
  [
    'has rights with a condition',
    `16 ${ours}(XA;;FA;;;WD;(Exists a))`,
    'its owner and rights cannot be read',
  ],
  ['is not told of', '', 'its owner and rights cannot be read'],
  ['cannot be looked at', null, 'its owner and rights cannot be read: PowerShell failed'],
])('a folder in ProgramData that %s', (_, answer, why) => {
  const { system, place } = onWindows(String.raw`C:\ProgramData`);
  const [first] = system.install(place, template);
  const refusal = first?.do === 'check' ? first.refusal(answer) : '';
  if (why === null) expect(refusal).toBeNull();
  else expect(refusal).toContain(why);
});

test.each([
  ['Directory root 755\n', true],
  ['Directory _tillbeacon 700\n', true],
  ['Directory anna 755\n', false],
  ['Directory root 775\n', false],
  ['Directory root 757\n', false],
  ['Symbolic Link root 755\n', false],
  ['', false],
  [null, false],
])('macOS: a folder that is there is ours or refused: %j', (answer, isOurs) => {
  const checks = macos
    .install({ node: '/n', program: '/p', data: macos.data, entry: 'launcher' }, template)
    .filter((step) => step.do === 'check');
  expect(checks).toHaveLength(2);
  for (const { refusal } of checks) expect(refusal(answer) === null).toBe(isOurs);
});

test('macOS: nothing below a folder is given to the daemon’s user, who could have put links there', () => {
  const lines = firstLines(macos, {
    node: '/n',
    program: '/p',
    data: macos.data,
    entry: 'launcher',
  });
  expect(lines.filter((line) => /^run (chown|chmod)/.test(line))).toEqual([
    'run chown root "/Library/Application Support/Tillbeacon"',
    'run chmod 755 "/Library/Application Support/Tillbeacon"',
    'run chown _tillbeacon "/Library/Application Support/Tillbeacon/data"',
    'run chmod 700 "/Library/Application Support/Tillbeacon/data"',
  ]);
});

describe.skipIf(process.platform === 'win32')('a step', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tillbeacon-step-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('that finds something wrong ends the installation before the next one', () => {
    const path = join(folder, 'made');
    const check = {
      do: 'check',
      command: ['echo', 'somebody’s'],
      refusal: (answer: string | null) => `it is ${answer?.trim()}`,
    } as const;
    expect(() => carryOut([check, { do: 'makeFolder', path }])).toThrow('it is somebody’s');
    expect(existsSync(path)).toBe(false);
    carryOut([
      {
        ...check,
        command: ['false'],
        refusal: (answer) => (answer === null ? null : 'it did not fail'),
      },
    ]);
  });

  test('shows the output that is for the person, and no other', () => {
    const outputs: string[] = [];
    const echo = (text: string, about: { isShown?: true } = {}): Step => ({
      do: 'run',
      command: ['echo', text],
      ...about,
    });
    carryOut(
      [echo('registered', { isShown: true }), echo('silent')],
      (output) => void outputs.push(output),
    );
    expect(outputs).toEqual(['registered']);
  });

  test('that writes a file does not follow a link that is there', () => {
    writeFileSync(join(folder, 'victim'), 'somebody’s');
    symlinkSync(join(folder, 'victim'), join(folder, 'unit'));
    carryOut([{ do: 'write', path: join(folder, 'unit'), text: 'ours' }]);
    expect([
      readFileSync(join(folder, 'victim'), 'utf8'),
      readFileSync(join(folder, 'unit'), 'utf8'),
    ]).toEqual(['somebody’s', 'ours']);
  });
});

test.each([
  [
    '4\r\n',
    { isRunning: true, words: 'running; starts with the computer, and again within a minute' },
  ],
  [
    '3\r\n',
    { isRunning: false, words: 'not running; starts with the computer, and again within a minute' },
  ],
  ['1\r\n', { isRunning: false, words: 'disabled; does not start with the computer' }],
  [null, { isRunning: false, words: 'not installed, or visible to administrators alone' }],
])('Windows says by a number how its task is: %j', (answer, status) => {
  expect(windows(String.raw`C:\ProgramData`).status(answer)).toEqual(status);
});

test('the task is started each minute from its installation on, and never a second time while it runs', () => {
  const task = template('tillbeacon-task.xml');
  const [, minutely = ''] = /<TimeTrigger>([^]*)<\/TimeTrigger>/.exec(task) ?? [];
  expect(minutely).toMatch(/<Interval>PT1M<\/Interval>\s*<\/Repetition>/);
  expect(Date.parse(/<StartBoundary>(.*)<\/StartBoundary>/.exec(minutely)?.[1] ?? '')).toBeLessThan(
    Date.now(),
  );
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
