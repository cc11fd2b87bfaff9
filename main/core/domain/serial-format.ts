/** Data bits and parity of a serial line: one definition for settings, setup and drivers. */
import { z } from 'zod';

const DataBits = z.literal([7, 8]);
const Parity = z.enum(['none', 'even', 'odd']);

const defaultDataBits = 8;
const defaultParity = 'none';

/** The format beside `stopBits`. */
export const serialFormat = { dataBits: DataBits.optional(), parity: Parity.optional() };

/** The same in the settings. */
export const serialFormatSettings = {
  dataBits: serialFormat.dataBits.describe(
    `The data bits of the serial line. Default: ${defaultDataBits}.`,
  ),
  parity: serialFormat.parity.describe(`The parity of the serial line. Default: ${defaultParity}.`),
};

/** The same for a protocol whose bytes have eight bits. */
export const eightBitFormatSettings = {
  ...serialFormatSettings,
  dataBits: z
    .literal(8, 'must be 8: the bytes of this protocol have eight bits')
    .optional()
    .describe(`The data bits of the serial line: ${defaultDataBits}.`),
};

export type SerialFormat = z.infer<z.ZodObject<typeof serialFormat>>;
export interface WholeSerialFormat {
  readonly dataBits: z.infer<typeof DataBits>;
  readonly parity: z.infer<typeof Parity>;
}

/** What a serial port is opened with. */
export interface SerialPortSettings extends SerialFormat {
  readonly path: string;
  readonly baudRate: number;
  readonly stopBits: 1 | 2;
}

export type WholePortSettings = SerialPortSettings & WholeSerialFormat;

export const formatOf = ({
  dataBits = defaultDataBits,
  parity = defaultParity,
}: SerialFormat): WholeSerialFormat => ({ dataBits, parity });
