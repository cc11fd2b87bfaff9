import { expect, test } from 'vitest';
import { setupTexts } from '../../../../renderer/locales/setup.ts';
import { isBoundToSocket, portName, tillName } from '../../../../renderer/setup/port-name.ts';

test.each([
  ['COM3', 'COM3', false],
  ['/dev/serial/by-id/usb-FTDI', '/dev/serial/by-id/usb-FTDI', false],
  ['usb:0403:6001:A50285BI', 'USB adapter with serial number A50285BI', false],
  ['usb:0403:6011:FT4/1.0', 'USB adapter with serial number FT4/1.0', false],
  ['usb:1a86:7523@0000:00:14.0-1.2', 'USB adapter 1a86:7523 in socket 0000:00:14.0-1.2', true],
  ['usb:10c4:ea60:0001@0000:00:14.0-1.2', 'USB adapter 0001 in socket 0000:00:14.0-1.2', true],
])('%s is shown as %s', (path, name, isBound) => {
  expect([portName(path, setupTexts.en.till), isBoundToSocket(path)]).toEqual([name, isBound]);
});

test.each([
  ['serial:usb:0403:6001:A50285BI', 'USB adapter with serial number A50285BI'],
  ['serial:/dev/ttyUSB0', 'serial:/dev/ttyUSB0'],
  ['tcp:127.0.0.1:20007', 'tcp:127.0.0.1:20007'],
])('a lane’s till at %s is shown as %s', (address, name) =>
  expect(tillName(address, setupTexts.en.till)).toBe(name),
);
