import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { linuxPorts, portlessAdapter } from '../../../../main/counter/devices/linux-ports.ts';
import { portsFor } from '../../../../main/counter/devices/serial-ports.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'tillbeacon-sys-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const write = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${text}\n`);
};
const controller = '/devices/pci0000:00/0000:00:14.0';

/**
 * Lays out a device as a kernel does: real folders below `devices`, and relative links from the
 * class and from each terminal to its device.
 * @param driver in the device's bus @param type of the chip, 0 for none; left out, it is not
 * readable
 */
function tty(
  name: string,
  device: string,
  { driver, type }: { driver?: string; type?: number } = {},
): void {
  const folder = join(root, device, 'tty', name);
  if (type !== undefined) write(join(folder, 'type'), String(type));
  if (driver !== undefined) {
    const drivers = join(root, 'bus/drivers', driver);
    mkdirSync(drivers, { recursive: true });
    mkdirSync(join(root, device), { recursive: true });
    symlinkSync(relative(join(root, device), drivers), join(root, device, 'driver'));
  }
  mkdirSync(folder, { recursive: true });
  mkdirSync(join(root, 'class/tty'), { recursive: true });
  symlinkSync(relative(join(root, 'class/tty'), folder), join(root, 'class/tty', name));
  mkdirSync(folder, { recursive: true });
  symlinkSync('../..', join(folder, 'device'));
  write(join(root, 'dev', name), '');
}
function usb(bus: number, socket: string, facts: Record<string, string>): string {
  const device = `${controller}/usb${bus}/${bus}-${socket}`;
  for (const [file, text] of Object.entries({ devpath: socket, ...facts }))
    write(join(root, device, file), text);
  write(join(root, `${controller}/usb${bus}/idVendor`), '1d6b');
  return device;
}
function usbSerial(name: string, device: string, { at = '0', port = '0' } = {}): void {
  const usbInterface = `${device}/${device.slice(device.lastIndexOf('/') + 1)}:1.${at}`;
  write(join(root, usbInterface, 'bInterfaceNumber'), `0${at}`);
  write(join(root, usbInterface, name, 'port_number'), port);
  tty(name, `${usbInterface}/${name}`);
}
function acm(name: string, device: string): void {
  const usbInterface = `${device}/${device.slice(device.lastIndexOf('/') + 1)}:1.0`;
  write(join(root, usbInterface, 'bInterfaceNumber'), '00');
  tty(name, usbInterface);
}
const ports = () => linuxPorts({ sys: root, dev: join(root, 'dev') });
const paths = (): Record<string, string> =>
  Object.fromEntries(
    portsFor(ports()).map(({ name, path }) => [
      name.slice(join(root, 'dev/').length),
      path.replace(`${root}/dev`, '/dev'),
    ]),
  );
const ftdi = { idVendor: '0403', idProduct: '6001', serial: 'A50285BI', manufacturer: 'FTDI' };
const ch340 = { idVendor: '1a86', idProduct: '7523' };

test('an adapter with a serial number: who made it, and where it is', () => {
  usbSerial('ttyUSB0', usb(1, '1.2', ftdi));
  expect(ports()).toEqual([
    {
      name: join(root, 'dev/ttyUSB0'),
      manufacturer: 'FTDI',
      vendorId: '0403',
      productId: '6001',
      serialNumber: 'A50285BI',
      location: '0000:00:14.0-1.2',
      port: '0.0',
    },
  ]);
  expect(paths()).toEqual({ ttyUSB0: 'usb:0403:6001:A50285BI' });
});

test('a bus that is numbered anew, another name: an adapter without a serial number is the same in its socket', () => {
  usbSerial('ttyUSB0', usb(1, '2', ch340));
  const before = paths()['ttyUSB0'];
  rmSync(root, { recursive: true });
  usbSerial('ttyUSB1', usb(3, '2', ch340));
  expect(paths()).toEqual({ ttyUSB1: before });
  expect(before).toBe('usb:1a86:7523@0000:00:14.0-2');
});

test('two alike: each by its socket', () => {
  usbSerial('ttyUSB0', usb(1, '2', ch340));
  usbSerial('ttyUSB1', usb(1, '4.1', ch340));
  expect(paths()).toEqual({
    ttyUSB0: 'usb:1a86:7523@0000:00:14.0-2',
    ttyUSB1: 'usb:1a86:7523@0000:00:14.0-4.1',
  });
});

test('an adapter with several ports: by interface, or by the port of its driver', () => {
  const quad = usb(1, '1', { idVendor: '0403', idProduct: '6011', serial: 'FT4' });
  usbSerial('ttyUSB0', quad);
  usbSerial('ttyUSB1', quad, { at: '1' });
  const moxa = usb(1, '2', { idVendor: '9710', idProduct: '7840', serial: 'M4' });
  usbSerial('ttyUSB2', moxa);
  usbSerial('ttyUSB3', moxa, { port: '1' });
  expect(paths()).toEqual({
    ttyUSB0: 'usb:0403:6011:FT4/0.0',
    ttyUSB1: 'usb:0403:6011:FT4/1.0',
    ttyUSB2: 'usb:9710:7840:M4/0.0',
    ttyUSB3: 'usb:9710:7840:M4/0.1',
  });
});

test('a till that is a USB device itself', () => {
  acm('ttyACM0', usb(1, '3', { idVendor: '1fc9', idProduct: '0094', serial: 'TILL-7' }));
  expect(paths()).toEqual({ ttyACM0: 'usb:1fc9:0094:TILL-7' });
});

test('a mainboard’s ports stay by their names; phantoms, consoles and what has no node are left out', () => {
  for (const name of ['ttyS0', 'ttyS7', 'tty1', 'ptmx', 'ttyUSB9'])
    tty(name, `/devices/platform/serial8250/${name}`);
  rmSync(join(root, 'dev/ttyUSB9'));
  expect(paths()).toEqual({ ttyS0: '/dev/ttyS0' });
});

const platform = '/devices/platform';
test('six ports of a POS board have a driver of their own; those that Linux lists for any mainboard have none', () => {
  for (let number = 0; number < 6; number += 1)
    tty(`ttyS${number}`, `/devices/pnp0/00:0${number}`, { driver: 'serial' });
  for (let number = 6; number < 32; number += 1)
    tty(`ttyS${number}`, `${platform}/serial8250/${number}`, { driver: 'serial8250' });
  expect(Object.keys(paths()).toSorted()).toEqual([
    'ttyS0',
    'ttyS1',
    'ttyS2',
    'ttyS3',
    'ttyS4',
    'ttyS5',
  ]);
});

test('on newer systems the kind of chip says which ports of a mainboard are real, whatever their number', () => {
  const base = `${platform}/serial8250/serial8250:0`;
  for (const [number, type] of [0, 4, 0, 0, 0, 4, 0].entries())
    tty(`ttyS${number}`, `${base}/serial8250:0.${number}`, { driver: `port-${number}`, type });
  tty('ttyS7', '/devices/pci0000:00/0000:00:1c.0/0000:02:00.0/0000:02:00.0:0/0000:02:00.0:0.0', {
    driver: 'port-7',
    type: 4,
  });
  expect(Object.keys(paths()).toSorted()).toEqual(['ttyS1', 'ttyS5', 'ttyS7']);
});

test('a port is listed because it has a driver, also one that nobody here has heard of', () => {
  tty('ttymxc2', `${platform}/soc/30860000.serial`, { driver: 'imx-uart', type: 62 });
  tty('ttyAP0', '/devices/pci0000:00/0000:00:1c.1', { driver: 'advserial' });
  tty('ttyr0a', `${platform}/npreal2`, { driver: 'npreal2' });
  tty('ttyCH341USB0', `${usb(1, '2', ch340)}/1-2:1.0`, { driver: 'usb_ch341' });
  tty('ttyXYZ3', `${platform}/xyz`, { driver: 'xyz' });
  tty('ttyXYZ4', `${platform}/none`);
  tty('ttyS9', `${platform}/elsewhere`);
  expect(paths()).toEqual({
    ttymxc2: '/dev/ttymxc2',
    ttyAP0: '/dev/ttyAP0',
    ttyr0a: '/dev/ttyr0a',
    ttyCH341USB0: 'usb:1a86:7523@0000:00:14.0-2',
    ttyXYZ3: '/dev/ttyXYZ3',
  });
});

test('a driver whose ports have no device in sysfs is known by name', () => {
  for (const name of ['rfcomm0', 'ttyWCH1', 'ttyr1', 'console', 'tty7']) {
    mkdirSync(join(root, 'class/tty', name), { recursive: true });
    write(join(root, 'dev', name), '');
  }
  expect(Object.keys(paths()).toSorted()).toEqual(['rfcomm0', 'ttyWCH1']);
});

const adapterAt = (path: string) => portlessAdapter(path, { sys: root, dev: '/dev' });
/** An adapter whose port is gone. @param driver of its interface; null for none */
function withoutPort(device: string, driver: string | null): void {
  const name = `${device.slice(device.lastIndexOf('/') + 1)}:1.0`;
  const folder = join(root, device, name);
  write(join(folder, 'bInterfaceNumber'), '00');
  write(join(root, device, 'busnum'), '1');
  write(join(root, device, 'devnum'), '5');
  mkdirSync(join(root, 'bus/usb/devices'), { recursive: true });
  symlinkSync(folder, join(root, 'bus/usb/devices', name));
  if (driver === null) return;
  mkdirSync(join(root, 'bus/usb/drivers', driver), { recursive: true });
  symlinkSync(join(root, 'bus/usb/drivers', driver), join(folder, 'driver'));
}

test('an adapter that a program has claimed from its driver is found by its name in the settings, or as the port that it was', () => {
  withoutPort(usb(1, '2', ch340), 'usbfs');
  const claimedAdapter = { node: '/dev/bus/usb/001/005', isClaimed: true };
  expect(adapterAt('usb:1a86:7523@0000:00:14.0-2')).toEqual(claimedAdapter);
  for (const path of [
    '/dev/ttyUSB0',
    '/dev/ttyCH341USB0',
    '/dev/serial/by-id/usb-1a86_USB_Serial-if00-port0',
  ])
    expect(adapterAt(path)).toEqual(claimedAdapter);
  for (const path of [
    'usb:1a86:7523@0000:00:14.0-3',
    'usb:0403:6001:A50285BI',
    '/dev/ttyS0',
    'COM3',
  ])
    expect(adapterAt(path)).toBeNull();
});

test('an adapter with a driver is not taken, one without is, and a device of another maker is none', () => {
  withoutPort(usb(1, '2', ch340), 'ch341');
  expect(adapterAt('/dev/ttyUSB0')).toBeNull();
  withoutPort(usb(1, '3', { idVendor: '046d', idProduct: 'c52b' }), 'usbfs');
  expect(adapterAt('/dev/ttyUSB0')).toBeNull();
  withoutPort(usb(1, '4', ftdi), null);
  expect(adapterAt('usb:0403:6001:A50285BI/1.0')).toEqual({
    node: '/dev/bus/usb/001/005',
    isClaimed: false,
  });
});

test('a system without sysfs has none', () =>
  expect(linuxPorts({ sys: '/nowhere', dev: '/nowhere' })).toEqual([]));
