/** The commands of a recording with their packets, as they are replayed and compared. */
import { packets } from '../../tills/zvt/packet-table.ts';
import { isOfAnswerClass, parseAnswer } from '../../tills/zvt/packets.ts';
import type { Bytes, Event } from './recording.ts';

export interface RecordedCommand {
  readonly command: Bytes;
  /** Milliseconds since the packet before it on the connection. */
  readonly afterMs: number;
  /** The terminal's packets, without intermediate statuses, which depend on the clock. */
  readonly terminal: Bytes[];
  /** The till's answers to them, by the kind of packet, in order. */
  readonly answers: Map<string, Bytes[]>;
  /** Commands that the till sent meanwhile, such as its cancel key. */
  readonly meanwhile: Meanwhile[];
}
interface Meanwhile {
  readonly command: Bytes;
  /** The number of the terminal's packets before it. */
  readonly afterPackets: number;
  /** Milliseconds since the packet before it on the connection. */
  readonly afterMs: number;
}

type Kind = Pick<(typeof packets)[keyof typeof packets], 'classByte' | 'instruction'>;
const isA = ({ classByte, instruction }: Kind, bytes: Uint8Array): boolean =>
  bytes[0] === classByte && bytes[1] === instruction;
export const isIntermediate = (bytes: Uint8Array): boolean =>
  isA(packets.intermediateStatus, bytes);
export const kindOf = (bytes: Uint8Array): string => `${bytes[0] ?? 0} ${bytes[1] ?? 0}`;
const endsCommand = (bytes: Uint8Array): boolean =>
  isA(packets.completion, bytes) || isA(packets.abort, bytes);

/** Whether these packets of the terminal end the command. */
export function hasEnded(command: Uint8Array, terminal: readonly Uint8Array[]): boolean {
  if (terminal.some(endsCommand)) return true;
  const first = terminal.find(isOfAnswerClass);
  const answer = first === undefined ? null : parseAnswer(first);
  return answer !== null && (!answer.positive || isA(packets.logOff, command));
}

export function exchangesOf(events: readonly Event[]): RecordedCommand[] {
  const exchanges: RecordedCommand[] = [];
  let unanswered: Bytes[] = [];
  let lastMs: number | null = null;
  for (const event of events) {
    if (event.what !== 'packet' || event.isRepeated || event.isDamaged) continue;
    const { bytes, hidden, piece } = event;
    const current = exchanges.at(-1);
    const afterMs = lastMs === null ? 0 : piece.ms - lastMs;
    if (piece.from === 'terminal') {
      if (!isOfAnswerClass(bytes)) unanswered.push({ bytes, hidden });
      if (!isIntermediate(bytes)) current?.terminal.push({ bytes, hidden });
    } else if (isOfAnswerClass(bytes)) {
      const to = unanswered.shift();
      if (to !== undefined && current !== undefined) {
        const kind = kindOf(to.bytes);
        current.answers.set(kind, [...(current.answers.get(kind) ?? []), { bytes, hidden }]);
      }
    } else if (
      current !== undefined &&
      !hasEnded(current.command.bytes, bytesOf(current.terminal)) &&
      !isCut(current)
    ) {
      current.meanwhile.push({
        command: { bytes, hidden },
        afterPackets: current.terminal.length,
        afterMs,
      });
    } else {
      unanswered = [];
      exchanges.push({
        command: { bytes, hidden },
        afterMs,
        terminal: [],
        answers: new Map(),
        meanwhile: [],
      });
    }
    lastMs = piece.ms;
  }
  return exchanges;
}

/** The terminal did not answer at all, so that the till's next packet begins another command. */
const isCut = ({ terminal }: RecordedCommand): boolean => terminal.length === 0;
export const bytesOf = (all: readonly Bytes[]): Uint8Array[] => all.map(({ bytes }) => bytes);

/**
 * The bytes to send. Hidden ones are those of the password where the packet has it, and 00
 * elsewhere. @returns also how many were replaced by 00
 */
export function revealed(
  { bytes, hidden }: Bytes,
  password: Uint8Array,
): { readonly bytes: Uint8Array; readonly guessed: number } {
  const out = Uint8Array.from(bytes, (byte, index) => (hidden[index] ? 0 : byte));
  const part = passwordPlace(bytes);
  if (part !== null && hidden[part] === true)
    out.set(password.subarray(0, Math.max(0, out.length - part)), part);
  const guessed = hidden.filter(
    (one, index) => one && (part === null || index < part || index >= part + password.length),
  ).length;
  return { bytes: out, guessed };
}

/** The index of the password in a packet; null when the packet has none. */
function passwordPlace(bytes: Uint8Array): number | null {
  const declared = Object.values(packets).find((one) => isA(one, bytes));
  const [first] = declared?.parts ?? [];
  return first?.name === 'password' ? (bytes[2] === 0xff ? 5 : 3) : null;
}
