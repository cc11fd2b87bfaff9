/** The settings of a till that speaks ZVT. */
import { z } from 'zod';
import { RecordingPeriod, Refunds, TillPassword } from '../../core/domain/field-rules.ts';
import { eightBitFormatSettings } from '../../core/domain/serial-format.ts';
import {
  deviationSettings,
  stopBitsSetting,
  terminalIdSetting as terminalId,
} from '../../core/domain/till-profiles.ts';
import { defaultPorts } from '../../core/domain/default-ports.ts';
import { secretThat } from '../../support/settings/secrets.ts';
import { serialPort, serialTransport, tcpPort, tcpTransport } from '../line/line-settings.ts';

/**
 * The password that is set in a till. Elsewhere or sealed, it is held to its rule once it has been
 * looked up.
 */
export const SecretTillPassword = secretThat(
  TillPassword,
  'The password that is set in the till, six digits. Commands with another one are refused. Default: any password is accepted. ',
);

/** What a till may do. The defaults depend on the line, see `permissions.ts`. */
const permissions = {
  password: SecretTillPassword.optional(),
  refunds: Refunds.optional().describe(
    'Whether the till may refund. A number: the maximum for one payment, in minor units. Default: true; over TCP from another machine only with the password.',
  ),
  partialReversals: z
    .boolean()
    .optional()
    .describe(
      'true: the amount of a reversal (06 30) is the part to refund. Default: it is a check, and an amount other than the whole payment is refused, so that a mistyped receipt number refunds no other customer.',
    ),
  record: RecordingPeriod.optional().describe(
    'true, or an end, e.g. 2026-11-24T18:00:00Z: the traffic of the line is recorded in recordings/ of the data folder, without passwords, card data and loyalty. Default: only when a manager asks for it.',
  ),
};

export const defaultPort = defaultPorts.zvt;
const protocol = z.literal('zvt').describe('ZVT.');

const Serial = z.strictObject({
  protocol,
  transport: serialTransport,
  ...serialPort,
  ...eightBitFormatSettings,
  stopBits: stopBitsSetting,
  terminalId,
  ...deviationSettings,
  ...permissions,
});
const Tcp = z.strictObject({
  protocol,
  transport: tcpTransport,
  ...tcpPort(defaultPort),
  terminalId,
  ...deviationSettings,
  ...permissions,
});

export const ZvtTill = z.discriminatedUnion('transport', [Serial, Tcp]);
type Ready<Till> = Till extends object ? Omit<Till, 'password'> & { password?: string } : never;
/** With the password itself. */
export type ReadyZvtTill = Ready<z.infer<typeof ZvtTill>>;
