import { abort, completion, type StatusAbout, statusCompletion } from './answers.ts';
import { BMP } from './bitmaps.ts';
import type { Handlers, Packet, ZvtConnection } from './connection.ts';
import { fieldByte, negativeAnswer, positiveAnswer } from './packets.ts';
import { paperPackets } from './paper.ts';
import type { Peer } from '../line/peer.ts';
import { hindranceCodes, RESULT, TERMINAL_STATUS } from './result-codes.ts';
import { softwareName, type ZvtTerminal } from './terminal.ts';
import { terminalLines } from './terminal-lines.ts';

function diagnose(connection: ZvtConnection): void {
  // What the lane knows: a monitor asks the service all the time, and a till may ask as often as it
  // likes.
  const hindrance = connection.terminal.commands.hindrance();
  void connection.answerAndCarryOut(
    hindrance === null ? completion : abort(hindranceCodes[hindrance]),
  );
}

function printTerminal(connection: ZvtConnection, { isTest }: { readonly isTest: boolean }): void {
  const { terminal, registration } = connection;
  const lines = terminalLines(terminal, registration, { isTest });
  const paper = registration.wantsAdministrationLines
    ? paperPackets(lines, { holder: 'administration', ended: 'done' }, registration)
    : [];
  void connection.answerAndCarryOut(...paper, completion);
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
function statusAnswer(
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

function tellStatus(connection: ZvtConnection, { fields }: Packet): void {
  if (connection.awaitsMoney) return connection.refuse(RESULT.pleaseWait);
  connection.enquiryBegins();
  const isClosing = connection.running?.is === 'closing';
  connection.answerAndSend(
    ...statusAnswer(fieldByte(fields, BMP.serviceByte) ?? 0, connection.terminal, { isClosing }),
  );
}

function abortRunning(connection: ZvtConnection): void {
  // Asked first, answered before anything that follows from it: what follows waits its turn in the
  // exchange. A booking is being told from its beginning on: the answer to that decides. What is
  // only told or printed goes on to its end, and a closing is done.
  const { running, isCarryingOut } = connection;
  const tooLate =
    isCarryingOut ||
    (running !== null &&
      (running.is !== 'transaction' || running.transaction.abort() === 'tooLate'));
  if (tooLate) connection.refuse(RESULT.functionNotPossible);
  else connection.answer(positiveAnswer);
}

/** The speeds of 08 40, in baud. */
const baudRates: Readonly<Record<number, number>> = { 0: 9_600, 1: 19_200, 6: 57_600, 7: 115_200 };

/**
 * The settings have the speed of the line. A speed that a command sets would be lost at the next
 * start, and the till could not be read. TCP has no speed.
 */
function baudRateAnswer(
  parts: ReadonlyMap<string, Uint8Array>,
  { baudRate, kind }: Peer,
): Uint8Array {
  if (kind !== 'serial') return positiveAnswer;
  const requestedRate = baudRates[parts.get('baudRate')?.[0] ?? 0xff];
  if (requestedRate === undefined) return negativeAnswer(RESULT.unknownBaudRate);
  return requestedRate === baudRate ? positiveAnswer : negativeAnswer(RESULT.lineNotPossible);
}

export const serviceHandlers = {
  diagnose,
  printConfiguration: (connection) => printTerminal(connection, { isTest: false }),
  testItself: (connection) => printTerminal(connection, { isTest: true }),
  /**
   * Changes nothing. The system sets this computer's clock; receipts, journal and service rely on
   * it.
   */
  complete: (connection) => void connection.answerAndCarryOut(completion),
  tellStatus,
  compareBaudRate: (connection, { parts }) =>
    connection.answer(baudRateAnswer(parts, connection.peer)),
  /**
   * For text that a till wants shown: the customer's display shows what the payment needs, never
   * what somebody sends to this port.
   */
  acknowledge: (connection) => connection.answer(positiveAnswer),
  refuse: (connection) => connection.refuse(RESULT.functionNotPossible),
  abort: abortRunning,
} as const satisfies Handlers;
