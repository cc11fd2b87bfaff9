import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { definitionFrom, packaged } from '../../../../main/host/boot/definition.ts';
import { units } from '../../../../main/host/boot/linux.ts';

const template = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../../../assets/service', name), 'utf8');
const has = (tool: string): boolean =>
  spawnSync(tool, ['--version'], { stdio: 'ignore' }).status === 0;
const unit = (): string =>
  definitionFrom(template('tillbeacon.service'), 'unit', { ...packaged, node: '/bin/sh' });

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-unit-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const written = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

/** What systemd itself says about the unit. */
function analyze(args: readonly string[], text: string): string {
  const { stdout, stderr } = spawnSync(
    'systemd-analyze',
    [...args, written('tillbeacon.service', text)],
    { encoding: 'utf8' },
  );
  return `${stdout}${stderr}`;
}

test.skipIf(!has('systemd-analyze'))(
  'systemd finds nothing wrong with the unit, and little that it exposes (needs systemd-analyze)',
  () => {
    expect(analyze(['verify'], unit())).toBe('');
    expect(analyze(['verify'], unit().replace('Type=notify', 'Type=notyfy'))).toContain('notyfy');
    const exposure = /Overall exposure level for tillbeacon.service: ([\d.]+)/.exec(
      analyze(['security', '--offline=true', '--no-pager'], unit()),
    )?.[1];
    expect(Number(exposure)).toBeLessThanOrEqual(2.5);
  },
);

test.skipIf(!has('systemd-analyze'))(
  'systemd finds nothing wrong with the units of the policy for browsers, and little that they expose (needs systemd-analyze)',
  () => {
    const names = units.filter((name) => name.includes('browsers'));
    const paths = names.map((name) =>
      written(name, definitionFrom(template(name), 'unit', { ...packaged, node: '/bin/sh' })),
    );
    const analyze = (...args: string[]): string => {
      const { stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
      return `${stdout}${stderr}`;
    };
    expect(analyze('verify', ...paths)).toBe('');
    const [service = ''] = paths;
    const exposure = /Overall exposure level for tillbeacon-browsers.service: ([\d.]+)/.exec(
      analyze('security', '--offline=true', '--no-pager', service),
    )?.[1];
    expect(Number(exposure)).toBeLessThanOrEqual(2.5);
  },
);

test.skipIf(!has('systemd-analyze'))(
  'systemd finds nothing wrong with the unit of the callback receiver (needs systemd-analyze)',
  () => {
    const name = 'tillbeacon-callbacks.service';
    const path = written(
      name,
      definitionFrom(template(name), 'unit', { ...packaged, node: '/bin/sh' }),
    );
    const analyzed = (...args: string[]): string => {
      const { stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
      return `${stdout}${stderr}`;
    };
    expect(analyzed('verify', path)).toBe('');
    const [, exposure] =
      /Overall exposure level for tillbeacon-callbacks.service: ([\d.]+)/.exec(
        analyzed('security', '--offline=true', '--no-pager', path),
      ) ?? [];
    expect(Number(exposure)).toBeLessThanOrEqual(2);
  },
);

test('it starts after what waits for a time server, if anything does, and never needs one', () => {
  expect(unit().split('\n')).toEqual(
    expect.arrayContaining(['Wants=time-sync.target', 'After=time-sync.target']),
  );
  expect(unit()).not.toMatch(/Requires=.*time-sync|time-wait-sync/);
});

test('nobody but its user opens its folder, and no watchdog kills it before it has started', () => {
  expect(unit().split('\n')).toEqual(
    expect.arrayContaining([
      'User=tillbeacon',
      'StateDirectoryMode=0700',
      'TimeoutStartSec=infinity',
      'Type=notify',
    ]),
  );
  expect(unit()).toContain(
    'ExecStart=/bin/sh /usr/lib/tillbeacon/out/main/daemon.js --data /var/lib/tillbeacon\n',
  );
  expect(unit()).not.toContain('@NODE@');
});

const parse = `
import sys, plistlib, json
from xml.etree import ElementTree
path = sys.argv[1]
if path.endswith('plist'): print(json.dumps(plistlib.load(open(path, 'rb'))['ProgramArguments']))
else: print(json.dumps([one.text for one in ElementTree.fromstring(open(path, encoding='utf-16').read().split('?>', 1)[1]).iter() if one.tag.endswith(('Command', 'Arguments'))]))
`;
test.skipIf(!has('python3'))(
  'launchd and the task scheduler are given the paths as they are, whatever is in them (needs python3)',
  () => {
    const read = (path: string): unknown =>
      JSON.parse(spawnSync('python3', ['-c', parse, path], { encoding: 'utf8' }).stdout);
    const mac = {
      node: '/opt/R&D <1>/node',
      program: '/opt/R&D <1>',
      data: '/Library/Application Support/Tillbeacon/data',
      entry: 'launcher',
    } as const;
    const plist = written(
      'daemon.plist',
      definitionFrom(template('net.tillbeacon.daemon.plist'), 'xml', mac),
    );
    expect(read(plist)).toEqual([
      mac.node,
      `${mac.program}/out/main/launcher.js`,
      '--data',
      mac.data,
    ]);
    const pc = {
      node: String.raw`C:\R&D\node.exe`,
      program: String.raw`C:\R&D`,
      data: String.raw`C:\ProgramData\Tillbeacon\data`,
      entry: 'launcher',
    } as const;
    const task = join(folder, 'task.xml');
    writeFileSync(
      task,
      `\uFEFF${definitionFrom(template('tillbeacon-task.xml'), 'xml', pc)}`,
      'utf16le',
    );
    expect(read(task)).toEqual([
      pc.node,
      String.raw`"C:\R&D\out\main\launcher.js" --data "C:\ProgramData\Tillbeacon\data"`,
    ]);
  },
);

test.each(['/opt/till beacon', '/opt/100%', '/opt/a;b', '/opt/"a"', '/opt/$HOME'])(
  'a path that systemd would read otherwise is refused: %s',
  (program) => {
    expect(() => definitionFrom('@PROGRAM@', 'unit', { ...packaged, program })).toThrow(
      `${program}: must contain only letters`,
    );
  },
);
test('a path with quotes cannot be in a task', () => {
  expect(() =>
    definitionFrom('@PROGRAM@', 'xml', { ...packaged, program: 'C:\\a" --data "b' }),
  ).toThrow('must not contain quotes');
});
