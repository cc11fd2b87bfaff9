/**
 * The serial line's blocks: `10 02` APDU `10 03` CRC, 10 doubled inside, CRC raw (ZVT PA00P016,
 * section 3).
 */
import { maxApduBytes } from './apdu.ts';
import { crc16 } from './crc.ts';

const DLE = 0x10;
const STX = 0x02;
const ETX = 0x03;
export const ACK = 0x06;
export const NAK = 0x15;

/** What arrived on the line. Noise and broken blocks are reported as events, not as exceptions. */
export type SerialItem =
  | { readonly kind: 'apdu'; readonly bytes: Uint8Array }
  | { readonly kind: 'ack' }
  | { readonly kind: 'nak' }
  | {
      readonly kind: 'badBlock';
      readonly reason: 'checksum' | 'tooLong' | 'strayEscape' | 'restarted' | 'interrupted';
      readonly bytes: Uint8Array;
    }
  | { readonly kind: 'noise'; readonly byteCount: number };

export function encodeBlock(apdu: Uint8Array): Uint8Array {
  const block: number[] = [DLE, STX];
  for (const byte of apdu) {
    block.push(byte);
    if (byte === DLE) block.push(DLE);
  }
  const crc = checksum(apdu);
  block.push(DLE, ETX, crc & 0xff, crc >>> 8);
  return new Uint8Array(block);
}

/** Whether it begins as a block does; null: more bytes are needed. */
export function beginsBlock(head: Uint8Array): 'blocks' | 'stranger' | null {
  if ((head[0] ?? DLE) !== DLE || (head[1] ?? STX) !== STX) return 'stranger';
  return head.length < 2 ? null : 'blocks';
}

const etx = Uint8Array.of(ETX);
const checksum = (apdu: ArrayLike<number>): number => crc16(etx, crc16(apdu));

type State = 'idle' | 'idleEscape' | 'data' | 'dataEscape' | 'crcLow' | 'crcHigh';

/** Parses the line's bytes in any portions, in one pass and bounded memory. */
export class SerialDecoder {
  #state: State = 'idle';
  #apdu: number[] = [];
  #crcLow = 0;
  #noise = 0;

  /** Whether a block is incomplete; the next byte is due within T1. */
  get insideBlock(): boolean {
    return this.#state !== 'idle';
  }

  push(chunk: Uint8Array): SerialItem[] {
    const items: SerialItem[] = [];
    for (const byte of chunk) this.#take(byte, items);
    this.#reportNoise(items);
    return items;
  }

  /**
   * Discards an incomplete block after T1: also one of which only the first byte came, because the
   * rest will be noise.
   */
  interrupt(): SerialItem[] {
    const items: SerialItem[] = [];
    if (this.#state === 'idleEscape') this.#apdu = [];
    if (this.#state !== 'idle') this.#fail('interrupted', items);
    return items;
  }

  #take(byte: number, items: SerialItem[]): void {
    switch (this.#state) {
      case 'idle':
        if (byte === DLE) this.#state = 'idleEscape';
        else if (byte === ACK || byte === NAK) {
          this.#reportNoise(items);
          items.push({ kind: byte === ACK ? 'ack' : 'nak' });
        } else this.#noise += 1;
        return;
      case 'idleEscape':
        if (byte === STX) this.#begin(items);
        else if (byte === DLE) this.#noise += 1;
        else {
          this.#noise += 2;
          this.#state = 'idle';
        }
        return;
      case 'data':
        if (byte === DLE) this.#state = 'dataEscape';
        else this.#add(byte, items);
        return;
      case 'dataEscape':
        if (byte === DLE) {
          this.#state = 'data';
          this.#add(byte, items);
        } else if (byte === ETX) this.#state = 'crcLow';
        else if (byte === STX) {
          this.#fail('restarted', items);
          this.#begin(items);
        } else this.#fail('strayEscape', items);
        return;
      case 'crcLow':
        this.#crcLow = byte;
        this.#state = 'crcHigh';
        return;
      case 'crcHigh':
        if (checksum(this.#apdu) === (this.#crcLow | (byte << 8))) {
          items.push({ kind: 'apdu', bytes: new Uint8Array(this.#apdu) });
          this.#state = 'idle';
        } else this.#fail('checksum', items);
        return;
    }
  }

  #begin(items: SerialItem[]): void {
    this.#reportNoise(items);
    this.#apdu = [];
    this.#state = 'data';
  }

  #add(byte: number, items: SerialItem[]): void {
    if (this.#apdu.length >= maxApduBytes) this.#fail('tooLong', items);
    else this.#apdu.push(byte);
  }

  #fail(reason: Extract<SerialItem, { kind: 'badBlock' }>['reason'], items: SerialItem[]): void {
    items.push({ kind: 'badBlock', reason, bytes: new Uint8Array(this.#apdu) });
    this.#apdu = [];
    this.#state = 'idle';
  }

  #reportNoise(items: SerialItem[]): void {
    if (this.#noise > 0) items.push({ kind: 'noise', byteCount: this.#noise });
    this.#noise = 0;
  }
}
