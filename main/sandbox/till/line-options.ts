/** The options `--tcp HOST:PORT` and `--serial PATH` of commands that connect to a terminal. */
import type { OpenSerialWire } from '../../core/domain/wire.ts';
import { CommandEnd, wholeNumber } from '../../support/command-line.ts';
import type { TerminalLine } from './try-till.ts';

export const lineOptions = {
  tcp: {
    type: 'string',
    value: 'HOST:PORT',
    does: 'address of the terminal, such as 127.0.0.1:20007',
  },
  'length-prefix': {
    type: 'boolean',
    does: 'over TCP, each packet starts with its length in two bytes',
  },
  serial: { type: 'string', value: 'PATH', does: 'serial port with the cable to the terminal' },
  baud: { type: 'string', value: 'N', does: 'baud rate of the serial port', default: '9600' },
  'stop-bits': {
    type: 'string',
    value: 'N',
    does: 'stop bits of the serial port: 1 or 2',
    default: '2',
  },
} as const;

interface LineValues {
  readonly tcp: string | undefined;
  readonly 'length-prefix': boolean;
  readonly serial: string | undefined;
  readonly baud: string;
  readonly 'stop-bits': string;
}

/** @throws CommandEnd */
export function lineOf(
  { tcp, 'length-prefix': prefixed, serial, baud, 'stop-bits': stopBits }: LineValues,
  open: OpenSerialWire,
): TerminalLine {
  if ((tcp === undefined) === (serial === undefined))
    throw new CommandEnd('--tcp, --serial: exactly one of them is required');
  if (tcp !== undefined) {
    const [, host = '', port = ''] = /^\[?([^[\]]+)\]?:(\d+)$/.exec(tcp) ?? [];
    if (host === '') throw new CommandEnd(`--tcp: must be HOST:PORT, got ${tcp}`);
    return {
      transport: 'tcp',
      host,
      port: wholeNumber('--tcp', port, 1, 65_535),
      framing: prefixed ? 'lengthPrefixed' : 'bare',
    };
  }
  const bits = wholeNumber('--stop-bits', stopBits, 1, 2) === 1 ? 1 : 2;
  return {
    transport: 'serial',
    path: serial ?? '',
    baudRate: wholeNumber('--baud', baud, 300, 115_200),
    stopBits: bits,
    open,
  };
}

const passwordVariable = 'TILLBEACON_TILL_PASSWORD';
const defaultPassword = '123456';

export const passwordOption = {
  password: {
    type: 'string',
    value: 'DIGITS',
    does: `six digits, sent with each command that has a password; default: the variable ${passwordVariable}, which other users of this computer cannot see, otherwise ${defaultPassword}`,
  },
} as const;

/** @throws CommandEnd */
export function passwordOf(
  { password }: { readonly password?: string | undefined },
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const text = password ?? environment[passwordVariable] ?? defaultPassword;
  if (!/^\d{6}$/.test(text))
    throw new CommandEnd(
      `${password === undefined ? passwordVariable : '--password'}: must be six digits`,
    );
  return text;
}
