/** Recognises the protocol of a till from its bytes. */
import type { Heard, SuggestedProfileId } from '../../../preload/procedures/setup-till.ts';
import type { LineProtocol } from '../../core/domain/line-protocols.ts';
import type { Currency } from '../../core/domain/money.ts';
import type { WholeSerialFormat } from '../../core/domain/serial-format.ts';
import { hasMessage, recogniseOnCable } from '../../tills/concert/recognition.ts';
import { framingOf as concertFramingOf } from '../../tills/concert/tcp-framing.ts';
import { readRecord } from '../../tills/concert/v3.ts';
import type { MessageStream } from '../../tills/line/tcp-line.ts';
import { BMP } from '../../tills/zvt/bitmaps.ts';
import { decodeCurrency } from '../../tills/zvt/currency.ts';
import { describe } from '../../tills/zvt/describe.ts';
import { parseAnswer, parsePacket } from '../../tills/zvt/packets.ts';
import { paymentWithPassword } from '../../tills/zvt/payment-password.ts';
import { SerialDecoder } from '../../tills/zvt/serial-framing.ts';
import { framingOfBlocks } from '../../tills/zvt/tcp-blocks.ts';
import { framingOf, sourceOf } from '../../tills/zvt/tcp-framing.ts';

type Protocol = NonNullable<Heard['protocol']>;

/**
 * otherProtocol: another one than was waited for. noise: no protocol looks like this; on a serial
 * line, what a wrong rate makes of any.
 */
export type Verdict =
  | { readonly what: 'nothing' | 'unclear' | 'zvtDamaged' | 'noise' }
  | { readonly what: 'zvt'; readonly meaning: string }
  | { readonly what: 'concert' }
  | {
      readonly what: 'otherProtocol';
      readonly protocol: Protocol;
      readonly meaning: string | null;
    };

/** A message of Concert over TCP begins with the record of its version, e.g. `CZ0040300`. */
const versionOfConcert = { begins: 'CZ00403', byteCount: 9 };
/** Enough to recognise a protocol. */
const maxBytes = 512;
/** Below, a wrong rate and a bad contact look the same as the beginning of a message. */
const minNoiseBytes = 4;
const minTextBytes = 8;

/** ESC and GS with the letters that receipt printers begin with. */
const printerCommands = [
  '\u001b@',
  '\u001b!',
  '\u001ba',
  '\u001bd',
  '\u001bE',
  '\u001bt',
  '\u001dV',
  '\u001dL',
  '\u001dB',
  '\u001dk',
];

/** Listens to one line at one rate. */
export class TillJudge {
  readonly #transport: 'serial' | 'tcp';
  readonly #laneCurrency: Currency | null;
  readonly #blocks = new SerialDecoder();
  /**
   * Splits bare packets, or packets behind their length; null while the framing is not known, or
   * when it is not ZVT.
   */
  #stream: MessageStream | null = null;
  #head = Buffer.alloc(0);
  #blockMeaning: string | null = null;
  #firstBlock: Uint8Array | null = null;
  #bareMeaning: string | null = null;
  #damaged = false;
  #bytes = 0;
  #packets = 0;
  /** The profile that the first command suggests. */
  #profile: SuggestedProfileId | null = null;

  /** @param laneCurrency null while it is not known */
  constructor(transport: 'serial' | 'tcp', laneCurrency: Currency | null = null) {
    this.#transport = transport;
    this.#laneCurrency = laneCurrency;
  }

  get bytes(): number {
    return this.#bytes;
  }
  /** Whole packets of ZVT. */
  get packets(): number {
    return this.#packets;
  }
  /** A profile that fits a till that begins like this; null when there is none in particular. */
  get profile(): SuggestedProfileId | null {
    // Without its framing nothing else of the till can be heard.
    return this.#transport === 'tcp' && this.#blockMeaning !== null
      ? 'blocksOverTcp'
      : this.#profile;
  }
  get firstBytes(): Buffer {
    return this.#head;
  }

  /** No till over TCP begins like this. */
  get isStranger(): boolean {
    return (
      framingOf(this.#head) === 'stranger' &&
      framingOfBlocks(this.#head) === 'stranger' &&
      !mayBeConcert(this.#head)
    );
  }

  /**
   * Whether a till of Concert on a cable waits to be answered with ACK, before it sends anything
   * more.
   */
  get isEnquiry(): boolean {
    return this.#transport === 'serial' && recogniseOnCable(this.#head).isEnquiry;
  }

  /** The first block on a cable whose checksum is right; null before. */
  get firstBlock(): Uint8Array | null {
    return this.#firstBlock;
  }

  /** The protocol that was recognised, if setup answers it. */
  get protocol(): LineProtocol | null {
    const verdict = this.verdict();
    if (verdict.what === 'zvt') return 'zvt';
    return verdict.what === 'otherProtocol' && verdict.protocol === 'concert' ? 'concert' : null;
  }

  /**
   * The format in which a till of Concert on a cable understands an answer; null when none fits.
   */
  get likelyFormat(): WholeSerialFormat | null {
    return recogniseOnCable(this.#head).likely;
  }

  /** Data bits and parity of a till of Concert on a cable; null where they are not known. */
  get format(): WholeSerialFormat | null {
    return this.#transport === 'serial' ? recogniseOnCable(this.#head).format : null;
  }

  push(chunk: Uint8Array): void {
    const before = this.#head;
    this.#bytes += chunk.length;
    if (this.#head.length < maxBytes)
      this.#head = Buffer.concat([this.#head, chunk]).subarray(0, maxBytes);
    for (const item of this.#blocks.push(chunk)) {
      if (item.kind === 'badBlock') this.#damaged = true;
      // A checksum of 16 bits over a known packet: no noise looks like this.
      if (item.kind === 'apdu') {
        this.#packets += 1;
        if (this.#blockMeaning === null) this.#profile = profileFor(item.bytes, this.#laneCurrency);
        this.#blockMeaning ??= meaningOf(item.bytes);
        this.#firstBlock ??= item.bytes;
      }
    }
    for (const apdu of this.#packetsIn(before, chunk)) {
      if (!isKnown(apdu)) continue;
      if (this.#transport === 'tcp') this.#packets += 1;
      if (this.#transport === 'tcp' && this.#bareMeaning === null)
        this.#profile = profileFor(apdu, this.#laneCurrency);
      this.#bareMeaning ??= meaningOf(apdu);
    }
  }

  #packetsIn(before: Buffer, chunk: Uint8Array): readonly Uint8Array[] {
    if (this.#stream !== null) return this.#stream.push(chunk) ?? [];
    // On a cable the first bytes do not tell the framing, because noise may come before.
    const framing = this.#transport === 'serial' ? 'bare' : framingOf(this.#head);
    if (framing === null || framing === 'stranger') return [];
    this.#stream = sourceOf(framing);
    // The earlier bytes, which were too few to tell, are read too.
    return this.#stream.push(Buffer.concat([before, chunk])) ?? [];
  }

  /** @param wanted what is waited for */
  verdict(wanted: LineProtocol = 'zvt'): Verdict {
    const recognised = this.#recognised();
    if (wanted === 'zvt') return recognised;
    if (recognised.what === 'zvt')
      return { what: 'otherProtocol', protocol: 'zvt', meaning: recognised.meaning };
    return recognised.what === 'otherProtocol' && recognised.protocol === 'concert'
      ? { what: 'concert' }
      : recognised;
  }

  #recognised(): Verdict {
    if (this.#bytes === 0) return { what: 'nothing' };
    const isSerial = this.#transport === 'serial';
    const [right, wrong] = isSerial
      ? [this.#blockMeaning, this.#bareMeaning]
      : [this.#bareMeaning, this.#blockMeaning];
    if (isSerial && right !== null) return { what: 'zvt', meaning: right };
    if (isSerial ? recogniseOnCable(this.#head).isConcert : beginsAsConcert(this.#head))
      return { what: 'otherProtocol', protocol: 'concert', meaning: null };
    const other = protocolOf(this.#head);
    if (other !== null) return { what: 'otherProtocol', protocol: other, meaning: null };
    if (!isSerial && wrong !== null) return { what: 'zvt', meaning: wrong };
    if (right !== null) return { what: 'zvt', meaning: right };
    if (this.#damaged) return { what: 'zvtDamaged' };
    if (wrong !== null) return { what: 'otherProtocol', protocol: 'zvtTcp', meaning: wrong };
    return { what: this.#bytes < minNoiseBytes ? 'unclear' : 'noise' };
  }
}

/** Whether it is a packet that the standard lets tills send. */
function isKnown(apdu: Uint8Array): boolean {
  return (
    parseAnswer(apdu) === null &&
    (parsePacket(apdu).kind === 'packet' || paymentWithPassword(apdu) !== null)
  );
}
const meaningOf = (apdu: Uint8Array): string =>
  describe(paymentWithPassword(apdu)?.payment ?? apdu);

/**
 * A till that begins with a payment, without its currency, has not registered: then the standard
 * would take the amount for euro. One that registers in another currency than the lane's is
 * refused.
 */
function profileFor(apdu: Uint8Array, laneCurrency: Currency | null): SuggestedProfileId | null {
  if (paymentWithPassword(apdu) !== null) return 'passwordInPayment';
  const parsed = parsePacket(apdu);
  const named =
    parsed.kind === 'packet' && parsed.name === 'registration'
      ? parsed.parts.get('currency')
      : undefined;
  if (named !== undefined && laneCurrency !== null)
    return decodeCurrency(named) === laneCurrency ? null : 'currencyOfLane';
  return parsed.kind === 'packet' &&
    parsed.name === 'authorisation' &&
    !parsed.fields.has(BMP.currency)
    ? 'noRegistration'
    : null;
}

/** Whether a till of Concert over TCP begins like this: with its version, or with a block. */
function beginsAsConcert(head: Buffer): boolean {
  if (concertFramingOf(head) === 'blocks') return hasMessage(head.subarray(1));
  const record = readRecord(head.subarray(0, versionOfConcert.byteCount));
  return record !== null && head.toString('latin1').startsWith(versionOfConcert.begins);
}

function mayBeConcert(head: Buffer): boolean {
  const framing = concertFramingOf(head);
  if (framing !== 'records') return framing !== 'stranger';
  return versionOfConcert.begins.startsWith(
    head.toString('latin1', 0, versionOfConcert.begins.length),
  );
}

function protocolOf(head: Buffer): Protocol | null {
  if (head[0] === 0x16 && head[1] === 0x03 && (head[2] ?? 9) <= 4) return 'tls';
  const text = head.toString('latin1');
  if (/^(GET|POST|HEAD|PUT|OPTIONS) \S+ HTTP/.test(text)) return isOfNexo(text) ? 'nexo' : 'http';
  // O.P.I. puts the length, four bytes, before its XML.
  if (/<(CardService|Service|Device)(Request|Response)\b/.test(text)) return 'opi';
  if (/<\?xml|^[\s\S]{0,4}<[A-Za-z]+[\s>]/.test(text)) return 'xml';
  if (printerCommands.some((command) => head.includes(command))) return 'printer';
  return isText(head) ? 'text' : null;
}

/** Where terminals of Nexo are mostly asked, or what they are asked. */
const isOfNexo = (text: string): boolean =>
  /^POST \/nexo\b/.test(text) || text.includes('SaleToPOIRequest');

function isText(head: Buffer): boolean {
  if (head.length < minTextBytes) return false;
  const readable = head.filter(
    (byte) => (byte >= 0x20 && byte < 0x7f) || byte === 0x0d || byte === 0x0a || byte === 0x09,
  );
  return readable.length >= head.length * 0.9;
}
