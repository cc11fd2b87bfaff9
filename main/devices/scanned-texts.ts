import type { Cancel, Clock } from '../domain/clock.ts';

/** A code has some hundred characters; the rest of a line that never ends is thrown away. */
const longest = 1_000;
/** What is shorter is noise on the line. */
const shortest = 4;
/** A scanner that ends a code with nothing sends it without a pause. */
const endsAfterMs = 150;
const firstPrintable = 0x20;
const carriageReturn = 0x0d;
const lineFeed = 0x0a;

/** What a scanner sends at a serial port → what it has read: each ends with CR, LF, both, or a pause. */
export class ScannedTexts {
  readonly #clock: Clock;
  readonly #read: (text: string) => void;
  #text = '';
  #cancel: Cancel = () => {};

  constructor(clock: Clock, read: (text: string) => void) {
    this.#clock = clock;
    this.#read = read;
  }

  data(bytes: Uint8Array): void {
    this.#cancel();
    for (const byte of bytes) {
      if (byte === carriageReturn || byte === lineFeed) this.#end();
      // Some scanners frame a code in STX and ETX. What is no ASCII stays wrong, and is refused as such.
      else if (byte >= firstPrintable && this.#text.length < longest) this.#text += String.fromCharCode(byte);
    }
    if (this.#text !== '') this.#cancel = this.#clock.after(endsAfterMs, () => this.#end());
  }

  /** The line is gone: half a code is none. */
  forget(): void {
    this.#cancel();
    this.#text = '';
  }

  #end(): void {
    const text = this.#text;
    this.forget();
    if (text.length >= shortest) this.#read(text);
  }
}
