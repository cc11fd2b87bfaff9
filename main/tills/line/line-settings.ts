/** The settings of a serial or TCP line, for every protocol. */
import { z } from 'zod';
import { BaudRate, TcpPort, TillAddresses } from '../../core/domain/field-rules.ts';
import { adapterRule, namesAdapter, parseAdapter } from '../../core/domain/usb-adapter.ts';

export const serialPort = {
  path: z
    .string()
    .min(1)
    .refine((path) => !namesAdapter(path) || parseAdapter(path) !== null, adapterRule)
    .describe(
      'A port, e.g. /dev/ttyUSB0, /dev/serial/by-id/… or COM3; or a USB adapter at any port, e.g. usb:0403:6001:A50285BI.',
    ),
  baudRate: BaudRate.default(9600).describe('The speed in bit/s.'),
};

export const serialTransport = z.literal('serial').describe('A cable.');
export const tcpTransport = z.literal('tcp').describe('The network.');

export const tcpPort = (defaultPort: number) => ({
  host: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('The address to listen on. Anyone who reaches it can start payments.'),
  port: TcpPort.default(defaultPort).describe('The port. 0: any free port.'),
  from: TillAddresses.min(
    1,
    'must name at least one address; leave it out to let every address connect',
  )
    .optional()
    .describe(
      'The addresses and networks that may connect as the till, e.g. 192.168.1.40 or 192.168.1.0/24. Default: all.',
    ),
});
