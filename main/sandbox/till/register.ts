import { connect, type Socket } from 'node:net';
import type { Clock } from '../../core/domain/clock.ts';
import { silentLog } from '../../core/domain/log.ts';
import type { Language } from '../../core/domain/languages.ts';
import type { Currency } from '../../core/domain/money.ts';
import type { OpenSerialWire } from '../../core/domain/wire.ts';
import { decodeBcd, encodeBcd } from '../../tills/zvt/bcd.ts';
import { BMP, type Fields, parseFields } from '../../tills/zvt/bitmaps.ts';
import { encodeCurrency } from '../../tills/zvt/currency.ts';
import { describe, displayText, printedText } from '../../tills/zvt/describe.ts';
import type { ApduLink, ApduListener } from '../../tills/zvt/link.ts';
import type { PacketName } from '../../tills/zvt/packet-table.ts';
import {
  encodePacket,
  hex,
  parseAnswer,
  parsePacket,
  positiveAnswer,
} from '../../tills/zvt/packets.ts';
import { ZvtSerialLink } from '../../tills/zvt/serial-link.ts';
import { framed, sourceOf, type TcpFraming } from '../../tills/zvt/tcp-framing.ts';
import { decodeText, encodeAscii } from '../../tills/zvt/text.ts';
import { encodeTlv, parseTlv, TAG } from '../../tills/zvt/tlv.ts';

/** A packet in the till's log. */
export interface LoggedPacket {
  readonly direction: 'sent' | 'received';
  readonly hex: string;
  readonly meaning: string;
}

interface TillOptions {
  /**
   * Six digits, sent with every command that has a field for them. Default: 123456, as most tills
   * have.
   */
  readonly password?: string;
  readonly log?: (packet: LoggedPacket) => void;
  /** Called when the connection is closed or the cable is unplugged. */
  readonly gone?: () => void;
  /** Called with each intermediate status. */
  readonly progress?: (text: string) => void;
}
interface TcpLine {
  readonly host: string;
  readonly port: number;
  readonly localAddress?: string;
  /** `bare` when left out. */
  readonly framing?: TcpFraming;
}
type TcpOptions = TillOptions & TcpLine;
interface SerialOptions extends TillOptions {
  readonly path: string;
  readonly open: OpenSerialWire;
  readonly clock: Clock;
  readonly baudRate?: number;
  readonly stopBits?: 1 | 2;
}

/** The result of a command. */
export interface CommandOutcome {
  /** The code of 84 xx; null when it was accepted with 80 00. */
  readonly refused: number | null;
  /** null when the terminal did not end it (refused, log-off, or connection lost). */
  readonly ended:
    | { readonly by: 'completion'; readonly rest: Uint8Array }
    | { readonly by: 'abort'; readonly code: number }
    | null;
  readonly statusInformations: readonly Fields[];
  /** Texts or codes of intermediate statuses. */
  readonly progress: readonly string[];
  readonly printed: readonly string[];
}

interface RegistrationOptions {
  readonly config?: number;
  readonly currency: Currency | null;
  readonly tlv?: boolean;
  readonly language?: Language;
}

/** The till's answer to a packet of the terminal; null for no answer. */
export type PacketResponder = (packet: PacketName, fields: Fields) => Uint8Array | null;

/**
 * The till prints receipts and reports from the terminal's lines, and wants 04 FF (ZVT PA00P015,
 * config byte).
 */
const defaultConfig = 0x8e;
const defaultPassword = encodeBcd(123_456, 3);

/**
 * The till's side of ZVT (the ECR), as strict as a real one. Used by the demonstration, by
 * `npm run till` and by tests.
 */
export class Register {
  readonly #link: ApduLink;
  readonly #log: (packet: LoggedPacket) => void;
  readonly #answers: ((bytes: Uint8Array) => void)[] = [];
  #onPacket: ((bytes: Uint8Array) => void) | null = null;
  #onGone: (() => void) | null = null;
  #onProgress: (text: string) => void = () => {};
  #password = defaultPassword;
  /** What followed the code of the last 06 1E. */
  #abortedWith: Uint8Array = new Uint8Array(0);
  respondTo: PacketResponder = () => positiveAnswer;

  private constructor(link: ApduLink, log: (packet: LoggedPacket) => void) {
    this.#link = link;
    this.#log = log;
  }

  /** @throws when nothing listens at the address */
  static async overTcp({
    log = () => {},
    gone = () => {},
    progress = () => {},
    password,
    ...where
  }: TcpOptions): Promise<Register> {
    const link = await connectTcp(where, {
      received: (apdu) => register.#received(apdu),
      gone: () => {
        register.#gone();
        gone();
      },
    });
    const register: Register = new Register(link, log);
    register.#onProgress = progress;
    if (password !== undefined) register.#password = encodeBcd(Number(password), 3);
    return register;
  }

  /** @throws when the port does not exist */
  static async overSerial({
    path,
    open,
    clock,
    baudRate = 9600,
    stopBits = 2,
    password,
    log = () => {},
    gone = () => {},
    progress = () => {},
  }: SerialOptions): Promise<Register> {
    const link: ZvtSerialLink = new ZvtSerialLink({
      clock,
      log: silentLog,
      listener: { received: (apdu) => register.#received(apdu) },
    });
    const register = new Register(link, log);
    register.#onProgress = progress;
    if (password !== undefined) register.#password = encodeBcd(Number(password), 3);
    const lost = (): void => {
      link.detach();
      gone();
    };
    const attach = async (): Promise<void> => {
      const wire = await open(
        { path, baudRate, stopBits },
        { data: (bytes) => link.data(bytes), lost },
      );
      link.attach(wire);
      register.#closeWire = () => wire.close();
    };
    register.#attach = attach;
    await attach();
    return register;
  }

  #delivered: Promise<void> = Promise.resolve();
  #closeWire: () => Promise<void> = async () => {};
  #attach: () => Promise<void> = async () => {};

  /** Reconnects the cable; a running command continues. */
  async reopen(): Promise<void> {
    await this.#closeWire();
    await this.#attach();
  }

  get isBusy(): boolean {
    return this.#onPacket !== null;
  }

  /** @param language in which the terminal shall answer; left out, the till names none */
  register({
    config = defaultConfig,
    currency,
    tlv = true,
    language,
  }: RegistrationOptions): Promise<CommandOutcome> {
    const parts = [
      this.#password,
      Uint8Array.of(config),
      ...(currency === null ? [] : [encodeCurrency(currency)]),
    ];
    const fields =
      tlv && currency !== null
        ? new Map([
            [
              BMP.tlv,
              language === undefined
                ? new Uint8Array(0)
                : encodeTlv([{ tag: TAG.language, value: encodeAscii(language.toUpperCase()) }]),
            ],
          ])
        : new Map<number, Uint8Array>();
    return this.command(encodePacket('registration', { parts, fields }));
  }

  pay(amountMinor: number, currency: Currency | null): Promise<CommandOutcome> {
    const fields = new Map<number, Uint8Array>([[BMP.amount, encodeBcd(amountMinor, 6)]]);
    if (currency !== null) fields.set(BMP.currency, encodeCurrency(currency));
    return this.command(encodePacket('authorisation', { fields }));
  }

  /** Reserves without capturing. Later commands refer to the receipt number of the result. */
  reserve(amountMinor: number, currency: Currency | null): Promise<CommandOutcome> {
    const fields = new Map<number, Uint8Array>([[BMP.amount, encodeBcd(amountMinor, 6)]]);
    if (currency !== null) fields.set(BMP.currency, encodeCurrency(currency));
    return this.command(encodePacket('preauthorisation', { fields }));
  }

  /** Captures a reservation: the used amount, or all but the unused amount; null for all of it. */
  capture(
    receiptNumber: number,
    amount: { readonly usedMinor: number } | { readonly unusedMinor: number } | null,
    currency: Currency | null = null,
  ) {
    if (amount === null || 'usedMinor' in amount)
      return this.#book('bookTotal', receiptNumber, amount?.usedMinor ?? null, currency);
    return this.#book('partialReversal', receiptNumber, amount.unusedMinor, currency);
  }

  /** Releases a reservation. */
  release(receiptNumber: number): Promise<CommandOutcome> {
    return this.#book('preauthorisationReversal', receiptNumber, null, null);
  }

  /**
   * Receipt numbers of the open reservations, from 06 1E B8: the first one, or all of them with
   * TLV; null when the terminal does not answer so.
   */
  async openReservations(): Promise<readonly number[] | null> {
    this.#abortedWith = new Uint8Array(0);
    await this.command(
      encodePacket('partialReversal', {
        fields: new Map([[BMP.receiptNumber, Uint8Array.of(0xff, 0xff)]]),
      }),
    );
    const parsed = parseFields(this.#abortedWith);
    const first = parsed.ok ? parsed.fields.get(BMP.receiptNumber) : undefined;
    if (!parsed.ok || first === undefined) return null;
    const list = parseTlv(parsed.fields.get(BMP.tlv) ?? new Uint8Array(0)).find(
      ({ tag }) => tag === TAG.openReservations,
    );
    const all = list === undefined ? [first] : parseTlv(list.value).map(({ value }) => value);
    return all.map(decodeBcd).filter((number) => number !== null);
  }

  #book(
    name: 'bookTotal' | 'partialReversal' | 'preauthorisationReversal',
    receiptNumber: number,
    amountMinor: number | null,
    currency: Currency | null,
  ): Promise<CommandOutcome> {
    const fields = new Map<number, Uint8Array>([[BMP.receiptNumber, encodeBcd(receiptNumber, 2)]]);
    if (amountMinor !== null) fields.set(BMP.amount, encodeBcd(amountMinor, 6));
    if (currency !== null) fields.set(BMP.currency, encodeCurrency(currency));
    return this.command(encodePacket(name, { fields }));
  }

  /** Refunds a sale by its receipt number, or a part of it when an amount is given. */
  reverse(
    receiptNumber: number,
    amountMinor: number | null = null,
    currency: Currency | null = null,
  ): Promise<CommandOutcome> {
    return this.#giveBack('reversal', receiptNumber, amountMinor, currency);
  }

  /**
   * As `reverse`, by 06 31, as some tills send it: with a receipt number, which the standard does
   * not have there.
   */
  refund(
    receiptNumber: number | null,
    amountMinor: number,
    currency: Currency | null = null,
  ): Promise<CommandOutcome> {
    return this.#giveBack('refund', receiptNumber, amountMinor, currency);
  }

  #giveBack(
    name: 'reversal' | 'refund',
    receiptNumber: number | null,
    amountMinor: number | null,
    currency: Currency | null,
  ): Promise<CommandOutcome> {
    const fields = new Map<number, Uint8Array>();
    if (receiptNumber !== null) fields.set(BMP.receiptNumber, encodeBcd(receiptNumber, 2));
    if (amountMinor !== null) fields.set(BMP.amount, encodeBcd(amountMinor, 6));
    if (currency !== null) fields.set(BMP.currency, encodeCurrency(currency));
    return this.command(encodePacket(name, { parts: [this.#password], fields }));
  }

  statusEnquiry(): Promise<CommandOutcome> {
    return this.command(encodePacket('statusEnquiry', { parts: [this.#password] }));
  }

  /** Asks for the status information too, so that the till can compare. */
  repeatReceipt(): Promise<CommandOutcome> {
    return this.command(
      encodePacket('repeatReceipt', {
        parts: [this.#password],
        fields: new Map([[BMP.serviceByte, Uint8Array.of(0x01)]]),
      }),
    );
  }

  /** Closes the day. The report is printed by a till that takes reports in lines. */
  endOfDay(): Promise<CommandOutcome> {
    return this.command(encodePacket('endOfDay', { parts: [this.#password] }));
  }

  /** The totals that a closing would have now. */
  totals(): Promise<CommandOutcome> {
    return this.command(encodePacket('totals', { parts: [this.#password] }));
  }

  /** Repeats the last closing report. The terminal answers 06 1E when no day was closed. */
  repeatClosing(): Promise<CommandOutcome> {
    const lastClosing = encodeTlv([{ tag: TAG.repeatedReceipt, value: Uint8Array.of(0x04) }]);
    return this.command(
      encodePacket('repeatReceipt', {
        parts: [this.#password],
        fields: new Map([[BMP.tlv, lastClosing]]),
      }),
    );
  }

  diagnosis(): Promise<CommandOutcome> {
    return this.command(encodePacket('diagnosis'));
  }

  async logOff(): Promise<CommandOutcome> {
    return this.command(encodePacket('logOff'), { endsWithAnswer: true });
  }

  /** The cancel key; possible at any moment. Resolves with the code of 84 xx, or null for 80 00. */
  async abort(): Promise<number | null> {
    return this.#ask(encodePacket('abortCommand'));
  }

  /** Sends a command and waits for its end. @throws while another command is running */
  async command(packet: Uint8Array, { endsWithAnswer = false } = {}): Promise<CommandOutcome> {
    if (this.#onPacket !== null) throw new Error('a command is already running');
    const statusInformations: Fields[] = [];
    const progress: string[] = [];
    const printed: string[] = [];
    let end: (ended: CommandOutcome['ended']) => void = () => {};
    const ended = new Promise<CommandOutcome['ended']>((resolve) => {
      end = resolve;
    });
    this.#onGone = () => end(null);
    let accepted = false;
    this.#onPacket = (bytes) => {
      const parsed = parsePacket(bytes);
      if (parsed.kind !== 'packet') return;
      const answer = this.respondTo(parsed.name, parsed.fields);
      if (answer !== null) this.#send(answer);
      // A packet that comes before the answer to this command belongs to an earlier one, and is
      // repeated because it was not acknowledged.
      if (!accepted) return;
      switch (parsed.name) {
        case 'statusInformation':
          statusInformations.push(parsed.fields);
          return;
        case 'intermediateStatus': {
          const text =
            displayText(parsed.fields) ?? hex(parsed.parts.get('status') ?? new Uint8Array());
          progress.push(text);
          return this.#onProgress(text);
        }
        case 'printLine':
          printed.push(decodeText(parsed.rest));
          return;
        case 'printTextBlock':
          printed.push(...(printedText(parsed.fields) ?? []));
          return;
        case 'completion':
          return end({ by: 'completion', rest: parsed.rest });
        case 'abort':
          this.#abortedWith = parsed.rest;
          return end({ by: 'abort', code: parsed.parts.get('resultCode')?.[0] ?? 0 });
        default:
          return;
      }
    };
    try {
      const answered = this.#ask(packet, () => {
        accepted = true;
      });
      const refused = await Promise.race([answered, ended.then(() => null)]);
      if (refused !== null || endsWithAnswer)
        return { refused, ended: null, statusInformations, progress, printed };
      return { refused, ended: await ended, statusInformations, progress, printed };
    } finally {
      this.#onPacket = null;
      this.#onGone = null;
    }
  }

  /**
   * Resolves once the last packet is delivered, which on a cable means acknowledged, or cannot be
   * delivered any more.
   */
  get delivered(): Promise<void> {
    return this.#delivered;
  }

  /** Closes the connection, as when a till is switched off. */
  async close(): Promise<void> {
    this.#link.close();
    await this.#closeWire();
  }

  #ask(packet: Uint8Array, answered = (): void => {}): Promise<number | null> {
    return new Promise((resolve) => {
      this.#answers.push((bytes) => {
        answered();
        const answer = parseAnswer(bytes);
        resolve(answer === null || answer.positive ? null : answer.code);
      });
      this.#send(packet);
    });
  }

  #send(packet: Uint8Array): void {
    this.#log({ direction: 'sent', hex: hex(packet), meaning: describe(packet) });
    this.#delivered = new Promise((resolve) => this.#link.send(packet, () => resolve()));
  }

  #received(bytes: Uint8Array): void {
    this.#log({ direction: 'received', hex: hex(bytes), meaning: describe(bytes) });
    if (parseAnswer(bytes) !== null) this.#answers.shift()?.(bytes);
    else this.#onPacket?.(bytes);
  }

  #gone(): void {
    this.#onGone?.();
  }
}

/** Connects as a till. @throws when nothing listens at the address */
export function connectTcp(
  { host, port, localAddress, framing = 'bare' }: TcpLine,
  listener: ApduListener & { readonly gone: () => void },
): Promise<ApduLink> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port,
      noDelay: true,
      ...(localAddress !== undefined && { localAddress }),
    });
    socket.once('error', reject);
    socket.once('connect', () => {
      const stream = sourceOf(framing);
      socket.on('data', (chunk) => {
        for (const apdu of stream.push(chunk) ?? []) listener.received(apdu);
      });
      socket.on('error', () => {});
      socket.on('close', () => listener.gone());
      resolve(linkOver(socket, framing));
    });
  });
}

function linkOver(socket: Socket, framing: TcpFraming): ApduLink {
  return {
    isUp: () => !socket.destroyed,
    unanswered: () => {},
    send: (apdu, sent) =>
      void socket.write(framed(framing, apdu), (error) =>
        sent?.({ delivered: error == null, copies: 1 }),
      ),
    close: () => void socket.destroy(),
  };
}
