import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { udevRules } from '../../../../main/host/boot/definition.ts';
import {
  adapterVendors,
  driverNameOf,
  driverOf,
  serialDrivers,
} from '../../../../main/counter/devices/serial-drivers.ts';

const unit = readFileSync(
  join(import.meta.dirname, '../../../../assets/service/tillbeacon.service'),
  'utf8',
);
const valuesOf = (name: string): string[] =>
  [...unit.matchAll(new RegExp(`^${name}=(.+)$`, 'gm'))].map(([, value = '']) => value);

test('the systemd unit allows each driver whose ports setup lists, and no other device', () => {
  expect(valuesOf('DevicePolicy')).toEqual(['closed']);
  expect(valuesOf('DeviceAllow')).toEqual(serialDrivers.map(({ name }) => `char-${name} rw`));
});

test('the unit loads the drivers of what is plugged in later, because it allows none that is not loaded yet', () => {
  const modules = serialDrivers
    .flatMap(({ module }) => (module === undefined ? [] : [`modprobe@${module}.service`]))
    .join(' ');
  expect(valuesOf('Wants')).toContain(modules);
  expect(valuesOf('After')).toContain(modules);
});

const rules = readFileSync(
  join(import.meta.dirname, '../../../../assets/service/tillbeacon-serial.rules'),
  'utf8',
);
const lines = rules.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

test('the udev rules keep ModemManager, brltty and gpsd from the adapters of each maker in the list', () => {
  const vendors = adapterVendors.map(({ id }) => id).join('|');
  const about = (field: string): string[] => lines.filter((line) => line.includes(field));
  for (const line of about('idVendor')) expect(line).toContain(`{idVendor}=="${vendors}"`);
  expect(about('ENV{ID_MM_DEVICE_IGNORE}="1"').map((line) => line.split(',', 1)[0])).toEqual([
    'SUBSYSTEM=="usb"',
    'SUBSYSTEM=="tty"',
  ]);
  expect(about('ENV{BRLTTY_BRAILLE_DRIVER}=""')).toHaveLength(1);
  // What other rules want of a device stays.
  for (const line of about('ENV{SYSTEMD_WANTS}=""'))
    expect(line).toMatch(/ENV\{SYSTEMD_WANTS\}=="\*(brltty|gpsd)\*"/);
  // Behind 85-brltty.rules and 90-brltty-….rules, which set what these take back.
  expect(Number.parseInt(udevRules, 10)).toBeGreaterThan(90);
});

test('udev gives each port to the group of serial ports that it does not give to it by itself', () => {
  const ours = lines.flatMap(
    (line) => /KERNEL=="(tty[a-z]+)\[.*GROUP="dialout"$/.exec(line)?.[1] ?? [],
  );
  expect(ours).toEqual(
    serialDrivers.filter(({ hasNoGroup }) => hasNoGroup).map(({ name }) => name),
  );
  // As 50-udev-default.rules has it.
  const usual = /^(tty[A-Z].*|ttymxc|rfcomm)$/;
  expect(
    serialDrivers.filter(({ name, hasNoGroup }) => usual.test(name) === (hasNoGroup === true)),
  ).toEqual([]);
});

const isRoot = process.getuid?.() === 0;
const hasUdev = ['udevadm', 'unshare'].every(
  (tool) => spawnSync(tool, ['--version'], { stdio: 'ignore' }).status === 0,
);
test.skipIf(!isRoot || !hasUdev)(
  'udev itself finds no mistake in the rules (needs root and udevadm)',
  () => {
    const reads = (text: string): string => {
      const script =
        'mount -t tmpfs tmpfs /run && mkdir -p /run/udev/rules.d && cat > "/run/udev/rules.d/$1" && udevadm test -a add /sys/class/tty/tty1 2>&1';
      return spawnSync('unshare', ['--mount', 'sh', '-c', script, 'sh', udevRules], {
        input: text,
        encoding: 'utf8',
      }).stdout;
    };
    const complaint = new RegExp(`${udevRules}:\\d+ `);
    expect(reads(rules)).toContain(`Reading rules file: /run/udev/rules.d/${udevRules}\n`);
    expect(reads(rules)).not.toMatch(complaint);
    expect(reads(`${rules}ACTON=="add"\n`)).toMatch(complaint);
  },
);

test.each([
  ['ttyS12', 'ttyS'],
  ['ttymxc0', 'ttymxc'],
  ['ttyr0a', 'ttyr'],
  ['ttyCH341USB3', 'ttyCH341USB'],
  ['ttyCH9344USB10', 'ttyCH9344USB'],
  ['ttyXYZ3', 'ttyXYZ'],
])('%s is a port of the driver %s', (port, name) => expect(driverNameOf(port)).toBe(name));

test('a driver that is not in the list is unknown', () => {
  expect(driverOf('ttyXYZ3')).toBeNull();
  expect(driverOf('tty1')).toBeNull();
  expect(new Set(serialDrivers.map(({ name }) => name)).size).toBe(serialDrivers.length);
});
