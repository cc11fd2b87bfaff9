/**
 * `tillbeacon/till`: a till that speaks ZVT over TCP, as a test kit for the daemon or a payment
 * terminal.
 *
 * `openTill` connects; `do` executes one step and waits for its end. Amounts are integers in minor
 * units (øre, cents).
 */
import type { Currency } from '../core/domain/money.ts';
import { defaultPorts } from '../core/domain/default-ports.ts';
import {
  runScript as runIt,
  type ScriptReport,
  type TimedPacket,
  TryTill,
} from '../sandbox/till/try-till.ts';
import type { Script, Step } from '../sandbox/till/steps.ts';
import type { StepOutcome } from '../sandbox/till/step-outcome.ts';

export { StepMistake } from '../sandbox/till/steps.ts';
export type { Script, Step } from '../sandbox/till/steps.ts';
export type { StepOutcome as Told } from '../sandbox/till/step-outcome.ts';
export { type ScriptReport, TerminalSilent, type TimedPacket } from '../sandbox/till/try-till.ts';

export interface TillStart {
  /** 127.0.0.1 when left out. */
  readonly host?: string;
  /** 20007 when left out. */
  readonly port?: number;
  /** Sent with registrations, payments and reservations; DKK by default, null for none. */
  readonly currency?: Currency | null;
  /** Six digits; 123456 when left out. */
  readonly password?: string;
  /** Called with each packet that is sent or received, decoded, with its times. */
  readonly packet?: (packet: TimedPacket) => void;
}

export interface RunningTill {
  /**
   * Executes one step and waits for its end. Rejects with StepMistake before anything is sent, and
   * with TerminalSilent when the terminal does not answer.
   */
  do(step: Step): Promise<StepOutcome>;
  /** The cancel key, at any moment. Resolves with the code of 84 xx, or null for 80 00. */
  abort(): Promise<number | null>;
  /** Executes the steps in order, up to the first with an unexpected outcome. Rejects as `do`. */
  run(script: Script): Promise<ScriptReport>;
  close(): Promise<void>;
}

/** Rejects when nothing listens at the address. */
export async function openTill({
  host = '127.0.0.1',
  port = defaultPorts.zvt,
  currency = 'DKK',
  password,
  packet,
}: TillStart = {}): Promise<RunningTill> {
  const line = { transport: 'tcp', host, port } as const;
  const till = await TryTill.open({
    line,
    currency,
    ...(password !== undefined && { password }),
    ...(packet !== undefined && { packet }),
  });
  return {
    do: (step) => till.do(step),
    abort: () => till.abort(),
    run: (script) => runIt(till, script),
    close: () => till.close(),
  };
}
