import { describe, expect, test } from 'vitest';
import {
  lastingName,
  type PortOfSystem,
  systemNameOf,
} from '../../../../main/counter/devices/adapters.ts';
import { described, portsFor } from '../../../../main/counter/devices/serial-ports.ts';
import { nameOfAdapter, parseAdapter } from '../../../../main/core/domain/usb-adapter.ts';
import { isNamed, portViews } from '../../../../main/counter/setup/ports.ts';

const port = (name: string, about: Partial<PortOfSystem> = {}): PortOfSystem => ({
  name,
  manufacturer: null,
  vendorId: null,
  productId: null,
  serialNumber: null,
  location: null,
  port: null,
  ...about,
});
const ftdi = {
  vendorId: '0403',
  productId: '6001',
  serialNumber: 'A50285BI',
  location: '0000:00:14.0-1',
  port: '0.0',
};
const ch340 = { vendorId: '1a86', productId: '7523', location: '0000:00:14.0-2', port: '0.0' };
const lastingPath = (one: PortOfSystem, ...others: PortOfSystem[]): string =>
  lastingName(one, [one, ...others]);

describe('the name of an adapter', () => {
  test.each([
    [
      'usb:0403:6001:A50285BI',
      { vendorId: '0403', productId: '6001', serialNumber: 'A50285BI', location: null, port: null },
    ],
    [
      'usb:1a86:7523@0000:00:14.0-1.2',
      {
        vendorId: '1a86',
        productId: '7523',
        serialNumber: null,
        location: '0000:00:14.0-1.2',
        port: null,
      },
    ],
    [
      'usb:0403:6011:FT%2F1%20%40@Port_%230001.Hub_%230004/1.0',
      {
        vendorId: '0403',
        productId: '6011',
        serialNumber: 'FT/1 @',
        location: 'Port_#0001.Hub_#0004',
        port: '1.0',
      },
    ],
  ])('%s means what it says, there and back', (name, adapter) => {
    expect(parseAdapter(name)).toEqual(adapter);
    expect(nameOfAdapter(adapter)).toBe(name);
  });

  test.each([
    'usb:0403:6001',
    'usb:0403:6001:',
    'usb:403:6001:A',
    'usb:0403:6001:A@',
    'usb:0403:6001:%E0%A4%A',
    'usb:0403:6001:A/x',
    '/dev/ttyUSB0',
    'COM3',
  ])('%s means none', (name) => expect(parseAdapter(name)).toBeNull());
});

describe('the name that setup keeps', () => {
  test('is the serial number’s, in any socket', () =>
    expect(lastingPath(port('/dev/ttyUSB0', ftdi), port('/dev/ttyUSB1', ch340))).toBe(
      'usb:0403:6001:A50285BI',
    ));
  test('takes the socket where there is no serial number', () =>
    expect(lastingPath(port('/dev/ttyUSB0', ch340))).toBe('usb:1a86:7523@0000:00:14.0-2'));
  test('takes the socket where two share one', () =>
    expect(
      lastingPath(
        port('/dev/ttyUSB0', ftdi),
        port('/dev/ttyUSB1', { ...ftdi, location: '0000:00:14.0-3' }),
      ),
    ).toBe('usb:0403:6001:A50285BI@0000:00:14.0-1'));
  test('takes the port of an adapter with several', () =>
    expect(
      lastingPath(port('/dev/ttyUSB1', { ...ftdi, port: '1.0' }), port('/dev/ttyUSB0', ftdi)),
    ).toBe('usb:0403:6001:A50285BI/1.0'));
  test('is the system’s for a port of the mainboard', () =>
    expect(lastingPath(port('/dev/ttyS0'))).toBe('/dev/ttyS0'));
  test('is the system’s where nothing tells two apart', () =>
    expect(
      lastingPath(
        port('COM3', { ...ch340, location: null }),
        port('COM4', { ...ch340, location: null }),
      ),
    ).toBe('COM3'));
  test('is the system’s where two are alike in all that is known', () =>
    expect(lastingPath(port('COM3', ftdi), port('COM4', ftdi))).toBe('COM3'));
  test('is found again by what wrote it, upper case and odd characters too', () => {
    const odd = port('COM7', {
      ...ftdi,
      vendorId: '1A86',
      productId: '55D3',
      serialNumber: 'a:b@c/d e',
    });
    expect(systemNameOf(lastingPath(odd), [{ ...odd, name: 'COM9', location: 'elsewhere' }])).toBe(
      'COM9',
    );
  });
});

describe('where the till is now', () => {
  test('another socket and another name after a reboot: the same adapter', () => {
    const moved = [
      port('/dev/ttyUSB0', ch340),
      port('/dev/ttyUSB4', { ...ftdi, location: '0000:00:14.0-4.4' }),
    ];
    expect(systemNameOf('usb:0403:6001:A50285BI', moved)).toBe('/dev/ttyUSB4');
  });
  test('two without a serial number that have changed names: each by its socket', () => {
    const swapped = [
      port('/dev/ttyUSB1', ch340),
      port('/dev/ttyUSB0', { ...ch340, location: '0000:00:14.0-3' }),
    ];
    expect(systemNameOf('usb:1a86:7523@0000:00:14.0-2', swapped)).toBe('/dev/ttyUSB1');
    expect(systemNameOf('usb:1a86:7523@0000:00:14.0-3', swapped)).toBe('/dev/ttyUSB0');
  });
  test('unplugged, a twin in another socket is not taken for it', () =>
    expect(() =>
      systemNameOf('usb:1a86:7523@0000:00:14.0-2', [
        port('/dev/ttyUSB0', { ...ch340, location: '0000:00:14.0-3' }),
      ]),
    ).toThrow(
      expect.objectContaining({
        problem: 'absent',
        message: expect.stringContaining('is the cable plugged in?'),
      }),
    ));
  test('two with one serial number: neither is opened, because one may be another lane’s till', () => {
    const both = [
      port('/dev/ttyUSB0', ftdi),
      port('/dev/ttyUSB1', { ...ftdi, location: '0000:00:14.0-3' }),
    ];
    expect(() => systemNameOf('usb:0403:6001:A50285BI', both)).toThrow(
      expect.objectContaining({
        problem: 'failed',
        message: expect.stringContaining('/dev/ttyUSB0, /dev/ttyUSB1'),
      }),
    );
  });
  test('a plain path stays what it is', () =>
    expect(systemNameOf('/dev/ttyUSB0', [])).toBe('/dev/ttyUSB0'));
});

describe('what Windows says', () => {
  test.each([
    [
      'a serial number',
      {
        path: 'COM3',
        pnpId: 'FTDIBUS\\VID_0403+PID_6001+A50285BIA\\0000',
        serialNumber: 'A50285BI',
        vendorId: '0403',
        productId: '6001',
      },
      'usb:0403:6001:A50285BI',
    ],
    // The instance id that Windows invents for a device without one, which serialport reports as
    // the serial number.
    [
      'none of its own',
      {
        path: 'COM4',
        pnpId: 'USB\\VID_1A86&PID_7523\\6&1B2C3D4E&0&2',
        serialNumber: '6&1B2C3D4E&0&2',
        locationId: 'Port_#0002.Hub_#0001',
        vendorId: '1A86',
        productId: '7523',
      },
      'usb:1a86:7523@Port_%230002.Hub_%230001',
    ],
    [
      'no socket either',
      {
        path: 'COM5',
        pnpId: 'USB\\VID_1A86&PID_7523\\6&1B2C3D4E&0&2',
        serialNumber: '6&1B2C3D4E&0&2',
        vendorId: '1A86',
        productId: '7523',
      },
      'COM5',
    ],
    ['a port of the mainboard', { path: 'COM1', pnpId: 'ACPI\\PNP0501\\1' }, 'COM1'],
  ])('of %s', (_what, about, path) => {
    const none = {
      manufacturer: undefined,
      serialNumber: undefined,
      locationId: undefined,
      productId: undefined,
      vendorId: undefined,
      pnpId: undefined,
    };
    expect(portsFor([described({ ...none, ...about })])).toMatchObject([
      { path, name: about.path },
    ]);
  });
});

describe('what setup shows', () => {
  const ports = portsFor([port('/dev/ttyUSB0', ftdi), port('/dev/ttyS0')]);
  const offeredPorts = (keptPath: string | null, plugged: string[] = []) =>
    portViews(ports, new Set(plugged), [], keptPath).map(({ path, justPluggedIn }) => ({
      path,
      justPluggedIn,
    }));
  test('is the adapter, whatever its port is called', () =>
    expect(offeredPorts(null, ['/dev/ttyUSB0'])).toEqual([
      { path: 'usb:0403:6001:A50285BI', justPluggedIn: true },
      { path: '/dev/ttyS0', justPluggedIn: false },
    ]));
  test('and a plain name in the settings is another choice, so that it can be changed for the adapter', () =>
    expect(offeredPorts('/dev/ttyUSB0').map(({ path }) => path)).toContain(
      'usb:0403:6001:A50285BI',
    ));
  test('knows a port by both of its names', () => {
    const [adapter] = ports;
    if (adapter === undefined) throw new Error('no port');
    expect(
      [adapter.path, '/dev/ttyUSB0', '/dev/ttyS0'].map((wanted) => isNamed(adapter, wanted)),
    ).toEqual([true, true, false]);
  });
});
