import type { Cancel, Clock } from '../../primitives/clock.ts';
import type { Log } from '../../primitives/log.ts';
import type { Currency } from '../../primitives/money.ts';
import type { SaleOutcome, SaleTicket } from '../../primitives/sale.ts';
import type { LaneDesk, SaleProgress } from '../port.ts';
import {
  abort,
  completion,
  intermediateStatus,
  printLines,
  refusalInformation,
  registrationCompletion,
  statusCompletion,
  statusInformation,
  wrongCurrencyAnswer,
} from './answers.ts';
import { decodeBcd } from './bcd.ts';
import { BMP, type Fields } from './bitmaps.ts';
import { decodeCurrency } from './currency.ts';
import { describe } from './describe.ts';
import { Exchange } from './exchange.ts';
import type { ApduLink, ApduListener } from './link.ts';
import { fieldByte, hex, hexByte, negativeAnswer, type ParsedPacket, parseAnswer, parsePacket, positiveAnswer } from './packets.ts';
import { receiptLines } from './receipt.ts';
import { notRegistered, type Registration, readRegistration } from './registration.ts';
import { notPaidResults, RESULT } from './result-codes.ts';

/** What all connections of one till line have in common. */
export interface Terminal {
  readonly desk: LaneDesk;
  readonly currency: Currency;
  readonly laneName: string;
  readonly softwareVersion: string;
  readonly clock: Clock;
  readonly log: Log;
  registration: Registration;
}

type Packet = Extract<ParsedPacket, { kind: 'packet' }>;

/** Well below T4 (180 s) and below what tills wait in practice. */
const heartbeatMs = 10_000;
/** ZVT PA00P015, section 9: after 84 9C the till is asked again; how often it may say that, unless it named its own limits. */
const askAgainMs = 2_000;
const usualGoodsTimeoutSeconds = 30;

interface RunningSale {
  readonly ticket: SaleTicket;
  readonly namesCurrency: boolean;
  readonly goodsTimeoutMs: number;
  readonly mostStatusInformations: number;
  offered: boolean;
  progress: SaleProgress;
  cancelHeartbeat: Cancel;
}

/** One till's conversation with us, the terminal. The till commands; what it asks is answered at once, what it waits for is sent packet by packet. */
export class Session implements ApduListener {
  readonly #terminal: Terminal;
  readonly #link: ApduLink;
  readonly #exchange: Exchange;
  #sale: RunningSale | null = null;

  constructor(terminal: Terminal, link: ApduLink) {
    this.#terminal = terminal;
    this.#link = link;
    this.#exchange = new Exchange(link, terminal.clock, terminal.log);
  }

  /** The sale that this till waits for. */
  get saleId(): string | null {
    return this.#sale?.ticket.saleId ?? null;
  }

  received(apdu: Uint8Array): void {
    const { log } = this.#terminal;
    const answer = parseAnswer(apdu);
    if (answer !== null) {
      if (!this.#exchange.answered(answer)) log.warn({ bytes: hex(apdu) }, 'the till answered a packet that was not sent');
      return;
    }
    const packet = parsePacket(apdu);
    log.info({ packet: describe(apdu) }, 'from the till');
    switch (packet.kind) {
      case 'unknown':
        log.warn({ bytes: hex(apdu) }, 'the till sent a command that this terminal does not have');
        return this.#answer(negativeAnswer(RESULT.functionNotPossible));
      case 'malformed':
        log.warn({ bytes: hex(apdu.subarray(0, 64)), reason: packet.reason }, 'the till sent a packet that cannot be read');
        return this.#answer(negativeAnswer(RESULT.parseError));
      case 'packet':
        if (packet.unknown !== null)
          log.warn({ bytes: hex(apdu), bitmap: hexByte(packet.unknown.bitmap) }, 'an unknown bitmap: it and what follows is ignored');
        return this.#command(packet);
    }
  }

  /** The connection is gone for good. */
  closed(): void {
    this.#exchange.close();
    const sale = this.#sale;
    this.#sale = null;
    sale?.cancelHeartbeat();
    if (sale !== null) this.#terminal.desk.tillLost(sale.ticket.saleId);
  }

  progress(progress: SaleProgress): void {
    const sale = this.#sale;
    if (sale === null || sale.offered) return;
    sale.progress = progress;
    if (this.#exchange.isQuiet) this.#heartbeat(sale);
    else if (this.#terminal.registration.wantsIntermediateStatus) void this.#exchange.send(intermediateStatus(progress, this.#terminal.registration));
  }

  async offerPaid(): Promise<'acknowledged' | 'notAcknowledged'> {
    const sale = this.#sale;
    if (sale === null) return 'notAcknowledged';
    sale.offered = true;
    sale.cancelHeartbeat();
    const packet = statusInformation(sale.ticket, { paid: true }, sale);
    if (!(await this.#offerStatusInformation(sale, packet))) return 'notAcknowledged';
    const { registration, laneName } = this.#terminal;
    if (!registration.wantsPrintLines) return 'acknowledged';
    const width = registration.printerWidth;
    // With a receipt from our lines the payment becomes final when the last of them is taken (ZVT PA00P015, section 2.2.9).
    for (const line of printLines(receiptLines(sale.ticket, { laneName, ...(width === null ? {} : { width }) }))) {
      const result = await this.#exchange.send(line);
      if (result !== 'positive') {
        this.#terminal.log.warn({ result }, 'the till could not print the receipt: the payment does not become final');
        return 'notAcknowledged';
      }
    }
    return 'acknowledged';
  }

  async conclude(outcome: SaleOutcome): Promise<void> {
    const sale = this.#sale;
    if (sale === null) return;
    sale.cancelHeartbeat();
    const last = outcome.paid ? completion : abort(notPaidResults[outcome.reason].code);
    if (!outcome.paid && !sale.offered) await this.#exchange.send(statusInformation(sale.ticket, outcome, sale));
    await this.#exchange.send(last, () => {
      if (this.#sale === sale) this.#sale = null;
    });
  }

  #answer(packet: Uint8Array): void {
    void this.#link.send(packet);
  }

  #command(packet: Packet): void {
    const { desk } = this.#terminal;
    switch (packet.name) {
      case 'abortCommand': {
        // Asked first, answered before anything that follows from it: what follows waits its turn in the exchange.
        const tooLate = this.#sale !== null && desk.abortSale(this.#sale.ticket.saleId) === 'tooLate';
        return this.#answer(tooLate ? negativeAnswer(RESULT.functionNotPossible) : positiveAnswer);
      }
      case 'statusEnquiry':
        return this.#statusEnquiry(packet.fields);
      case 'registration':
      case 'authorisation':
      case 'logOff':
      case 'repeatReceipt':
      case 'diagnosis':
      case 'reset':
      case 'initialisation':
        if (this.#sale !== null) return this.#answer(negativeAnswer(RESULT.pleaseWait));
        return this.#commandWhenIdle(packet, packet.name);
      case 'statusInformation':
      case 'intermediateStatus':
      case 'completion':
      case 'abort':
      case 'printLine':
        return this.#answer(negativeAnswer(RESULT.functionNotPossible));
    }
  }

  #commandWhenIdle(packet: Packet, name: 'registration' | 'authorisation' | 'logOff' | 'repeatReceipt' | 'diagnosis' | 'reset' | 'initialisation'): void {
    switch (name) {
      case 'registration':
        return this.#register(packet);
      case 'authorisation':
        return this.#authorise(packet);
      case 'logOff':
        this.#terminal.registration = notRegistered;
        return this.#answer(positiveAnswer);
      case 'repeatReceipt':
        return this.#repeatReceipt(packet.fields);
      case 'diagnosis':
        this.#answer(positiveAnswer);
        void this.#exchange.send(this.#terminal.desk.readiness() === 'notReady' ? abort(RESULT.noConnection) : completion);
        return;
      case 'reset':
      case 'initialisation':
        this.#answer(positiveAnswer);
        void this.#exchange.send(completion);
        return;
    }
  }

  #register({ parts, fields }: Packet): void {
    const { currency } = this.#terminal;
    const registration = readRegistration(fieldOf(parts, 'config'), parts.get('currency'), fields);
    if (registration === null || (registration.currency !== null && registration.currency !== currency)) return this.#answer(wrongCurrencyAnswer(currency));
    this.#terminal.registration = registration;
    this.#answer(positiveAnswer);
    void this.#exchange.send(registrationCompletion(registration.currency));
  }

  #authorise({ fields, unknown }: Packet): void {
    const { desk, registration } = this.#terminal;
    const amountMinor = decodeBcd(fields.get(BMP.amount) ?? Uint8Array.of(0xff));
    // What follows the amount is no bitmap: it may be a seventh byte of it. Better no sale than a hundredth of one.
    if (amountMinor === null || unknown?.after === BMP.amount) return this.#answer(negativeAnswer(RESULT.parseError));
    const named = fields.get(BMP.currency);
    // A till that names no currency, now or at registration, means euro by the standard. Never guessed from the lane.
    const currency = named === undefined ? (registration.currency ?? 'EUR') : decodeCurrency(named);
    if (currency === null) return this.#decline(RESULT.wrongCurrency, 'Wrong currency');
    const answer = desk.requestSale({ amountMinor, currency });
    if (!answer.accepted) {
      switch (answer.reason) {
        case 'busy':
          return this.#answer(negativeAnswer(RESULT.pleaseWait));
        case 'notReady':
          return this.#decline(RESULT.noConnection, 'Not ready');
        case 'wrongCurrency':
          return this.#decline(RESULT.wrongCurrency, 'Wrong currency');
        case 'amountTooSmall':
          return this.#decline(RESULT.amountTooSmall, 'Amount too small');
        case 'amountTooHigh':
          return this.#decline(RESULT.amountTooHigh, 'Amount too high');
        case 'storageFailed':
          return this.#decline(RESULT.storageFull, 'The terminal cannot store payments');
      }
    }
    this.#answer(positiveAnswer);
    this.#sale = {
      ticket: answer.sale,
      namesCurrency: named !== undefined || registration.currency !== null,
      goodsTimeoutMs: (fieldByte(fields, BMP.goodsTimeout) ?? usualGoodsTimeoutSeconds) * 1000,
      mostStatusInformations: fieldByte(fields, BMP.mostStatusInformations) ?? Number.POSITIVE_INFINITY,
      offered: false,
      progress: 'contactingService',
      cancelHeartbeat: () => {},
    };
    this.#heartbeat(this.#sale);
  }

  /** A business decline: accepted as a command, then answered like a payment that failed (ZVT PA00P015, section 9). */
  #decline(code: number, text: string): void {
    this.#answer(positiveAnswer);
    void this.#exchange.send(refusalInformation(code, text)).then(() => this.#exchange.send(abort(code)));
  }

  #statusEnquiry(fields: Fields): void {
    const { desk, softwareVersion } = this.#terminal;
    const withoutVersion = ((fieldByte(fields, BMP.serviceByte) ?? 0) & 0x02) !== 0;
    this.#answer(positiveAnswer);
    void this.#exchange.send(
      statusCompletion(desk.readiness() === 'ready' ? 0x00 : RESULT.pleaseWait, withoutVersion ? null : `Tillbeacon ${softwareVersion}`),
    );
  }

  #repeatReceipt(fields: Fields): void {
    const { desk, registration, laneName } = this.#terminal;
    const service = fieldByte(fields, BMP.serviceByte) ?? 0;
    const last = desk.lastSale();
    this.#answer(positiveAnswer);
    if (last === null) {
      void this.#exchange.send(abort(RESULT.functionNotPossible));
      return;
    }
    const packets: Uint8Array[] = [];
    if (service & 0x01) packets.push(statusInformation(last.sale, last.outcome, { namesCurrency: registration.currency !== null }));
    const width = registration.printerWidth;
    if (!(service & 0x02) && registration.wantsPrintLines && last.outcome.paid)
      packets.push(...printLines(receiptLines(last.sale, { laneName, ...(width === null ? {} : { width }) })));
    void this.#sendAll([...packets, completion]);
  }

  async #sendAll(packets: readonly Uint8Array[]): Promise<void> {
    for (const packet of packets) if ((await this.#exchange.send(packet)) === 'silent') return;
  }

  /** 04 0F until the till takes it, refuses it, or has said "please wait" too often. */
  async #offerStatusInformation(sale: RunningSale, packet: Uint8Array): Promise<boolean> {
    const { clock, log } = this.#terminal;
    const giveUpAtMs = clock.monotonicMs() + sale.goodsTimeoutMs;
    for (let sent = 1; ; sent += 1) {
      const result = await this.#exchange.send(packet);
      if (result === 'positive') return true;
      log.warn({ result }, 'the till did not take the status information');
      if (result === 'silent') return false;
      if (result.refused !== RESULT.pleaseWait || sent > sale.mostStatusInformations || clock.monotonicMs() + askAgainMs > giveUpAtMs) return false;
      await new Promise<void>((resolve) => clock.after(askAgainMs, resolve));
      if (this.#sale !== sale) return false;
    }
  }

  /** Tells the till how far its sale is, and keeps its T4 alive; only to a till that asked for it. */
  #heartbeat(sale: RunningSale): void {
    const { registration, clock } = this.#terminal;
    sale.cancelHeartbeat();
    if (!registration.wantsIntermediateStatus) return;
    if (this.#exchange.isQuiet) void this.#exchange.send(intermediateStatus(sale.progress, registration));
    sale.cancelHeartbeat = clock.after(heartbeatMs, () => this.#heartbeat(sale));
  }
}

function fieldOf(parts: Packet['parts'], name: string): number {
  return parts.get(name)?.[0] ?? 0;
}
