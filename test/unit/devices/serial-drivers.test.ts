import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { driverNameOf, driverOf, serialDrivers } from '../../../main/devices/serial-drivers.ts';

const unit = readFileSync(join(import.meta.dirname, '../../../assets/service/tillbeacon.service'), 'utf8');
const valuesOf = (name: string): string[] => [...unit.matchAll(new RegExp(`^${name}=(.+)$`, 'gm'))].map(([, value = '']) => value);

test('the systemd unit allows each driver whose ports setup lists, and no other device', () => {
  expect(valuesOf('DevicePolicy')).toEqual(['closed']);
  expect(valuesOf('DeviceAllow')).toEqual(serialDrivers.map(({ name }) => `char-${name} rw`));
});

test('the unit loads the drivers of what is plugged in later, because it allows none that is not loaded yet', () => {
  const modules = serialDrivers.flatMap(({ module }) => (module === undefined ? [] : [`modprobe@${module}.service`])).join(' ');
  expect(valuesOf('Wants')).toContain(modules);
  expect(valuesOf('After')).toContain(modules);
});

test.each([
  ['ttyS12', 'ttyS'],
  ['ttymxc0', 'ttymxc'],
  ['ttyr0a', 'ttyr'],
  ['ttyCH341USB3', 'ttyCH341USB'],
  ['ttyCH9344USB10', 'ttyCH9344USB'],
  ['ttyXYZ3', 'ttyXYZ'],
])('%s is a port of the driver %s', (port, name) => expect(driverNameOf(port)).toBe(name));

test('a driver that is not in the list is none', () => {
  expect(driverOf('ttyXYZ3')).toBeNull();
  expect(driverOf('tty1')).toBeNull();
  expect(new Set(serialDrivers.map(({ name }) => name)).size).toBe(serialDrivers.length);
});
