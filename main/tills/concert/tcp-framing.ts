/**
 * How messages lie on a TCP connection: bare records of version 3, or the blocks of a cable,
 * without ENQ and ACK (caisseFacile). The first bytes decide for the whole connection.
 */
import type { Framing, MessageStream } from '../line/tcp-line.ts';
import { BlockReader, blockOf, STX } from './blocks.ts';
import { beginsAsE } from './e.ts';
import { beginsAsV3, RecordStream } from './v3.ts';

export type ConcertTcpFraming = 'records' | 'blocks';

/** How long the rest of a record or block may take. */
const restWithinMs = 5_000;

/**
 * The text of a block has to begin as a message does: STX alone can also be the length of a STUN
 * message, which a web page can send over TCP.
 * @returns null when more bytes are needed
 */
export function framingOf(head: Uint8Array): ConcertTcpFraming | 'stranger' | null {
  const [first] = head;
  if (first === undefined) return null;
  if (first !== STX) return beginsAsV3(head.subarray(0, 1)) === false ? 'stranger' : 'records';
  const begins = [beginsAsV3(head.subarray(1)), beginsAsE(head.subarray(1))];
  if (begins.includes(true)) return 'blocks';
  return begins.includes(null) ? null : 'stranger';
}

export const concertFraming: Framing = {
  recognise(head) {
    const framing = framingOf(head);
    if (framing === null || framing === 'stranger') return framing;
    const isBlocks = framing === 'blocks';
    const stream = isBlocks ? new BlockStream() : new RecordStream();
    return { name: framing, stream, framed: isBlocks ? blockOf : (message) => message, tap: null };
  },
  restWithinMs,
};

/** The text of a whole block; null when its LRC does not fit. */
export function textOf(block: Uint8Array): Uint8Array | null {
  const reader = new BlockReader();
  const [text] = Array.from(block.subarray(1), (byte) => reader.push(byte)).slice(-1);
  return text instanceof Uint8Array ? text : null;
}

/**
 * Splits bytes into blocks, and single bytes between them. A damaged block is passed on, and
 * nothing after it.
 */
class BlockStream implements MessageStream {
  #block: number[] = [];
  #reader: BlockReader | null = null;
  #isBroken = false;

  get isInside(): boolean {
    return this.#reader !== null;
  }

  push(chunk: Uint8Array): Uint8Array[] {
    const messages: Uint8Array[] = [];
    for (const byte of chunk) {
      if (this.#isBroken) break;
      this.#block.push(byte);
      if (this.#reader === null && byte === STX) {
        this.#reader = new BlockReader();
        continue;
      }
      const read = this.#reader?.push(byte);
      if (read === null) continue;
      messages.push(Uint8Array.from(this.#block));
      this.#block = [];
      this.#reader = null;
      this.#isBroken = read === 'damaged';
    }
    return messages;
  }
}
