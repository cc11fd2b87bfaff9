import { abort, completion, type StatusAbout, statusCompletion } from './answers.ts';
import type { ServiceCommand } from './commands.ts';
import { negativeAnswer, positiveAnswer } from './packets.ts';
import { paperPackets } from './paper.ts';
import type { Peer } from '../line/peer.ts';
import type { Registration } from './registration.ts';
import { hindranceCodes, RESULT, TERMINAL_STATUS } from './result-codes.ts';
import { softwareName, type ZvtTerminal } from './terminal.ts';
import { terminalLines } from './terminal-lines.ts';

/**
 * What follows 80 00 00. The clock stays as it is: this computer's is set by its system, and
 * receipts, journal and service rely on it.
 */
export function serviceAnswer(
  command: Exclude<ServiceCommand, 'reset' | 'selectLanguage'>,
  terminal: ZvtTerminal,
  registration: Registration,
): Uint8Array[] {
  switch (command) {
    case 'diagnosis': {
      // What the lane knows: a monitor asks the service all the time, and a till may ask as often
      // as it likes.
      const hindrance = terminal.commands.hindrance();
      return [hindrance === null ? completion : abort(hindranceCodes[hindrance])];
    }
    case 'printConfiguration':
    case 'selfTest': {
      const lines = terminalLines(terminal, registration, { isTest: command === 'selfTest' });
      return [
        ...(registration.wantsAdministrationLines
          ? paperPackets(lines, { holder: 'administration', ended: 'done' }, registration)
          : []),
        completion,
      ];
    }
    case 'initialisation':
    case 'setTime':
      return [completion];
  }
}

const SERVICE = { withoutVersion: 0x02, withTlv: 0x04, all: 0x07 } as const;
/**
 * A till that sets every bit means none of them: captured terminals answer it with the status
 * alone, and some such tills can read nothing else.
 */
const wantsTlv = (serviceByte: number): boolean =>
  (serviceByte & SERVICE.withTlv) !== 0 && serviceByte !== SERVICE.all;

/**
 * 05 01, from memory. No code that makes a till act by itself: a service that is away for a moment
 * is nothing that a till could mend.
 */
export function statusAnswer(
  serviceByte: number,
  { commands, terminalId, softwareVersion, clock, profile }: ZvtTerminal,
  { isClosing }: { readonly isClosing: boolean },
): Uint8Array[] {
  const hindrance = commands.hindrance();
  // To the lane, a closing is done before it is told.
  const readiness = isClosing ? 'busy' : commands.readiness();
  const status =
    readiness === 'ready'
      ? TERMINAL_STATUS.ready
      : hindrance === 'needsPerson' && readiness !== 'busy'
        ? TERMINAL_STATUS.outOfOrder
        : RESULT.pleaseWait;
  const about: StatusAbout | null =
    wantsTlv(serviceByte) && profile.answers === 'asAgreed'
      ? { terminalId, softwareVersion, hindrance, atMs: clock.wallMs() }
      : null;
  const version =
    (serviceByte & SERVICE.withoutVersion) === 0 ? `${softwareName} ${softwareVersion}` : null;
  return [statusCompletion(status, version, about)];
}

/** The speeds of 08 40, in baud. */
const baudRates: Readonly<Record<number, number>> = { 0: 9_600, 1: 19_200, 6: 57_600, 7: 115_200 };

/**
 * A speed is set on both sides, in the settings of this one: changed by a command it would be
 * forgotten at the next start, and the till not heard. Over TCP there is none.
 */
export function baudRateAnswer(
  parts: ReadonlyMap<string, Uint8Array>,
  { baudRate, kind }: Peer,
): Uint8Array {
  if (kind !== 'serial') return positiveAnswer;
  const asked = baudRates[parts.get('baudRate')?.[0] ?? 0xff];
  if (asked === undefined) return negativeAnswer(RESULT.unknownBaudRate);
  return asked === baudRate ? positiveAnswer : negativeAnswer(RESULT.lineNotPossible);
}
