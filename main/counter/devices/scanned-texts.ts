import type { Cancel, Clock } from '../../core/domain/clock.ts';

/** A code has some hundred characters. The rest of a longer line is dropped. */
const longest = 1_000;
/** Shorter texts are noise on the line. */
const shortest = 4;
/** Some scanners send no line end, but each code without a pause. */
const endsAfterMs = 150;
const firstPrintable = 0x20;
const carriageReturn = 0x0d;
const lineFeed = 0x0a;

/**
 * Splits the bytes of a scanner at a serial port into codes, which end with CR, LF, both, or a
 * pause.
 */
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
      // Control characters are dropped, because some scanners frame a code in STX and ETX. Bytes
      // that are not ASCII stay, and the code is refused.
      else if (byte >= firstPrintable && this.#text.length < longest)
        this.#text += String.fromCharCode(byte);
    }
    if (this.#text !== '') this.#cancel = this.#clock.after(endsAfterMs, () => this.#end());
  }

  /** To be called when the line is lost, because half a code is useless. */
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
