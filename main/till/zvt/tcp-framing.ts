import type { Framing } from '../tcp-line.ts';
import { ApduStream } from './apdu.ts';
import { t3Ms } from './link.ts';

/** Class bytes that a till begins a packet with (ZVT PA00P016, section 4). A web page's request begins with a letter, TLS with 16. */
const firstBytes: ReadonlySet<number> = new Set([0x04, 0x05, 0x06, 0x08, 0x0f, 0x80, 0x84]);
export const isFirstByteOfTill = (byte: number): boolean => firstBytes.has(byte);

/** ZVT over TCP (PA00P016, section 2.2): APDUs and nothing else. */
export const bareApdus: Framing = { isFirstByte: isFirstByteOfTill, stream: () => new ApduStream(), restWithinMs: t3Ms };
