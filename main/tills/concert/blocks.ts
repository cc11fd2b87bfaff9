/**
 * Blocks: STX, text, ETX, LRC. The LRC is the exclusive or of the text and ETX. On a cable a block
 * is sent within a session, over TCP without one.
 */
import { RecordStream } from './v3.ts';

export const [STX, EOT, ENQ, ACK, NAK, CAN] = [0x02, 0x04, 0x05, 0x06, 0x15, 0x18] as const;
const ETX = 0x03;

/** More than any message has: 64 records of 40 characters. */
const maxTextBytes = 4_096;

const lrcOf = (text: Uint8Array): number => text.reduce((sum, byte) => sum ^ byte, ETX);

export const blockOf = (text: Uint8Array): Uint8Array =>
  Uint8Array.of(STX, ...text, ETX, lrcOf(text));

/** Reads one block, byte by byte after its STX. */
export class BlockReader {
  readonly #bytes: number[] = [];
  /** The exclusive or of all bytes: the LRC when the last one is ETX. */
  #lrc = 0;
  /** The records in the first `#split` bytes. */
  readonly #records = new RecordStream();
  #split = 0;

  /** @returns the block's text, or null while more bytes are needed */
  push(byte: number): Uint8Array | 'damaged' | null {
    const textBytes = this.#bytes.length - 1;
    const isEnd = this.#bytes[textBytes] === ETX;
    if (isEnd && byte === this.#lrc) return Uint8Array.from(this.#bytes.slice(0, textBytes));
    // The value of a record may hold an ETX: the record's length says where it ends.
    if ((isEnd && !this.#isInsideRecord(textBytes)) || textBytes >= maxTextBytes) return 'damaged';
    this.#bytes.push(byte);
    this.#lrc ^= byte;
    return null;
  }

  #isInsideRecord(textBytes: number): boolean {
    this.#records.push(Uint8Array.from(this.#bytes.slice(this.#split, textBytes)));
    this.#split = textBytes;
    return this.#records.isInside;
  }
}
