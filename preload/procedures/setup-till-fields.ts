/**
 * The settings of a till that setup asks for. The schemas of the protocols describe them in the
 * settings.
 */
import { z } from 'zod';
import {
  BaudRate,
  baudRates,
  RecordingPeriod,
  Refunds,
  TcpPort,
  TillAddresses,
} from '../../main/core/domain/field-rules.ts';
import { tillProfileIds } from '../../main/core/domain/till-profiles.ts';
import { defaultPorts } from '../../main/core/domain/default-ports.ts';
import type { AnsweredFields } from './setup-field.ts';

/** The fields of a serial port, for a till or a scanner. */
export const portFields = {
  baudRate: { rule: BaudRate, default: 9600, input: 'select', choices: baudRates },
} as const satisfies AnsweredFields;

/** The fields of a till at a serial port. */
export const serialFields = {
  ...portFields,
  stopBits: { rule: z.literal([1, 2]), default: 2, input: 'select', choices: [2, 1] },
} as const satisfies AnsweredFields;

/** The fields of a till in the network. */
export const tcpFields = {
  /** The address of this machine to listen on. Everybody who can reach it can start payments. */
  host: {
    rule: z.string().min(1, 'must not be empty').max(255),
    default: '127.0.0.1',
    input: 'text',
  },
  port: { rule: TcpPort, default: defaultPorts.zvt, input: 'number' },
  /** Addresses that may connect; all of them when it is empty. */
  from: { rule: TillAddresses, default: [] as string[], input: 'own' },
} as const satisfies AnsweredFields;

/** The fields of a till that speaks ZVT, in the order of the screen. */
export const zvtFields = {
  /** null requires the password over TCP from another machine, and allows refunds otherwise. */
  refunds: { rule: Refunds, default: null, input: 'own' },
  /** The profile of a till that differs from the standard; null for none. */
  profile: { rule: z.enum(tillProfileIds), default: null, input: 'own' },
  /** How long the line is always recorded; null for only when a manager asks for it. */
  record: { rule: RecordingPeriod, default: null, input: 'own' },
  /** Whether the amount of a reversal is the part to refund. */
  partialReversals: { rule: z.boolean(), default: false, input: 'checkbox' },
} as const satisfies AnsweredFields;
