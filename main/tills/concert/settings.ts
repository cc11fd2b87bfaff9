/** The settings of a till that speaks Concert (Caisse-AP), as tills in France do. */
import { z } from 'zod';
import { serialFormatSettings } from '../../core/domain/serial-format.ts';
import { defaultPorts } from '../../core/domain/default-ports.ts';
import { serialPort, serialTransport, tcpPort, tcpTransport } from '../line/line-settings.ts';

export const defaultPort = defaultPorts.concert;
const protocol = z.literal('concert').describe('Concert (Caisse-AP).');

const Serial = z.strictObject({
  transport: serialTransport,
  ...serialPort,
  protocol,
  stopBits: z
    .union([z.literal(1), z.literal(2)])
    .default(1)
    .describe('The stop bits of the serial line.'),
  ...serialFormatSettings,
});
const Tcp = z.strictObject({ protocol, transport: tcpTransport, ...tcpPort(defaultPort) });

export const ConcertTill = z.discriminatedUnion('transport', [Serial, Tcp]);
export type ConcertTill = z.infer<typeof ConcertTill>;
