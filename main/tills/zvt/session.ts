import type { CustomerFacts, RefundOutcome, PaymentOutcome } from '../../core/domain/sale.ts';
import type { Peer } from '../line/peer.ts';
import type { OfferAnswer, PaymentProgress } from '../../core/lane/till-port.ts';
import type { Standing } from '../line/tcp-line.ts';
import { type Handler, type Packet, ZvtConnection } from './connection.ts';
import { inWords } from './describe.ts';
import type { ApduLink, ApduListener, Reception } from './link.ts';
import {
  groupOf,
  type HandlerName,
  isJournalCommand,
  packets,
  password as passwordPart,
} from './packet-table.ts';
import {
  hexByte,
  isOfAnswerClass,
  outline,
  parseAnswer,
  type ParsedPacket,
  parsePacket,
} from './packets.ts';
import { type PaymentWithPassword, paymentWithPassword } from './payment-password.ts';
import { moneyHandlers, tellTried } from './money-commands.ts';
import { registrationHandlers, withPassword } from './registration-commands.ts';
import { reportHandlers } from './report-commands.ts';
import { RESULT } from './result-codes.ts';
import { serviceHandlers } from './service-commands.ts';
import type { ZvtTerminal } from './terminal.ts';
import type { Ticket } from './ticket.ts';
import type { Transaction } from './transaction.ts';

const handlers: Readonly<Record<HandlerName, Handler>> = {
  ...registrationHandlers,
  ...moneyHandlers,
  ...reportHandlers,
  ...serviceHandlers,
};

/** On a line that repeats nothing. */
const surelyNew: Reception = { mayBeOver: false, mayBeRepeated: false };
/** Beside a command that is answered from memory. A till asks for at most a few a second. */
const costOfJournal = 10;
/**
 * A till may know commands that we do not have; six of them in a row, and nothing that we know, it
 * has none.
 */
const maxStrangePackets = 6;

/**
 * One till's conversation with us, the terminal. The till commands; what it asks is answered at
 * once, what it waits for is sent packet by packet.
 */
export class ZvtSession implements ApduListener {
  readonly #terminal: ZvtTerminal;
  readonly #connection: ZvtConnection;
  /**
   * Packets that no till sends in a row: unknown or unreadable commands, and answers that nobody
   * waits for.
   */
  #strange = 0;
  readonly #logged = new Map<string, number>();

  constructor(terminal: ZvtTerminal, link: ApduLink, peer: Peer) {
    this.#terminal = terminal;
    this.#connection = new ZvtConnection(terminal, link, peer);
  }

  /** How well this connection has proven to be a till's: the weakest makes room for new ones. */
  get standing(): Standing {
    const { running, registered, proven, toldReceipts } = this.#connection;
    if (running !== null) return 'waitsForResult';
    if (proven || toldReceipts.size > 0) return 'proven';
    return registered ? 'registered' : 'speaks';
  }

  /** The sale (`saleId`) or refund (`refundOrderId`) that this till waits for. */
  get waitsFor(): string | null {
    return this.#transaction?.id ?? null;
  }

  get #transaction(): Transaction | null {
    const { running } = this.#connection;
    return running?.is === 'transaction' ? running.transaction : null;
  }

  /** For the pace of the connection: our own packets set that of their answers. */
  costOf(apdu: Uint8Array): number {
    if (isOfAnswerClass(apdu) && !this.#connection.exchange.isQuiet) return 0;
    return isJournalCommand(apdu) ? costOfJournal : 1;
  }

  received(apdu: Uint8Array, { mayBeOver, mayBeRepeated }: Reception = surelyNew): void {
    const { log } = this.#terminal;
    const answer = parseAnswer(apdu);
    if (answer !== null) {
      if (this.#connection.exchange.answered(answer, mayBeRepeated)) this.#strange = 0;
      else if (!this.#isTooStrange(apdu))
        this.#logStrange(
          answer.positive ? {} : { code: answer.code },
          'the till answered a packet that does not wait for an answer',
        );
      return;
    }
    const odd = paymentWithPassword(apdu);
    const packet = odd === null ? parsePacket(apdu) : this.#paymentOf(odd);
    if (packet === null) return;
    if (packet.kind !== 'packet' && this.#isTooStrange(apdu)) return;
    switch (packet.kind) {
      case 'unknown':
        this.#logStrange(outline(apdu), 'the till sent a command that this terminal does not have');
        return this.#connection.refuse(RESULT.functionNotPossible);
      case 'malformed':
        this.#logStrange(
          { ...outline(apdu), reason: packet.reason },
          'the till sent a packet that cannot be read',
        );
        if (!isOfAnswerClass(apdu)) this.#connection.refuse(RESULT.parseError);
        return;
      case 'packet':
        this.#strange = 0;
        log.info(inWords(odd?.payment ?? apdu, packet.name), 'from the till');
        if (packet.unknown !== null)
          log.warn(
            { ...outline(apdu), bitmap: hexByte(packet.unknown.bitmap) },
            'an unknown bitmap: it and what follows is ignored',
          );
        if (mayBeOver) {
          log.warn(
            { command: packet.name },
            'the till may have taken an earlier refusal as the answer to this command: it is refused too',
          );
          return this.#connection.refuse(RESULT.pleaseWait);
        }
        return this.#connection.guarded(() => this.#command(packet));
    }
  }

  /** The connection is gone for good. */
  closed(): void {
    this.#connection.closed();
  }

  progress(progress: PaymentProgress): void {
    this.#transaction?.progress(progress);
  }

  async offer(ticket: Ticket, customer: CustomerFacts | null): Promise<OfferAnswer> {
    const answer = (await this.#transaction?.offer(ticket, customer)) ?? 'notAcknowledged';
    if (answer !== 'notAcknowledged') this.#connection.toldReceipts.add(ticket.receiptNumber);
    return answer;
  }

  /** @param ticket with the amount that was decided */
  async conclude(ticket: Ticket, outcome: PaymentOutcome | RefundOutcome): Promise<void> {
    const transaction = this.#transaction;
    await transaction?.conclude(ticket, outcome, () => this.#connection.ended(transaction));
  }

  /**
   * @returns the payment; null when it was refused, as it is where the settings do not say that the
   * till sends such payments
   */
  #paymentOf({ password, payment }: PaymentWithPassword): ParsedPacket | null {
    const { profile, incidents } = this.#terminal;
    if (!profile.passwordInPayment) {
      incidents.tell(
        'tillPasswordInPayment',
        this.#connection.peer,
        'set till.passwordInPayment to take it',
      );
      this.#connection.refuse(RESULT.parseError);
      return null;
    }
    const packet = parsePacket(payment);
    return packet.kind === 'packet'
      ? { ...packet, parts: new Map([[passwordPart.name, password]]) }
      : packet;
  }

  /**
   * Bytes of another protocol sometimes look like packets, and an attacker may send answers in the
   * hope that one fits a question. A serial cable is noisy and leads to one till: never close it.
   */
  #isTooStrange(apdu: Uint8Array): boolean {
    if (this.#connection.peer.kind === 'serial') return false;
    this.#strange += 1;
    if (this.#strange <= maxStrangePackets) return false;
    this.#terminal.incidents.tell(
      'tillStranger',
      this.#connection.peer,
      `${this.#strange} packets in a row that no till sends, the last one ${outline(apdu).header}`,
    );
    this.#connection.hangUp();
    return true;
  }

  /**
   * The first of each kind, and then the tenth, the hundredth…: a till that asks for what we lack,
   * all day, must not push out the rest of the log.
   */
  #logStrange(fields: Record<string, unknown>, message: string): void {
    const count = (this.#logged.get(message) ?? 0) + 1;
    this.#logged.set(message, count);
    if (/^10*$/.test(String(count)))
      this.#terminal.log.warn({ ...fields, from: this.#connection.peer.name, count }, message);
  }

  #command(packet: Packet): void {
    if (packet.name === 'abortCommand') return this.#handle(packet);
    if (this.#connection.isHeldBack) return this.#connection.refuse(RESULT.pleaseWait);
    withPassword(this.#connection, packet, () => this.#commandWithPassword(packet));
  }

  #commandWithPassword(packet: Packet): void {
    const { name } = packet;
    const { runsAlone, movesMoney } = groupOf(name);
    if (!runsAlone) return this.#handle(packet);
    if (this.#connection.running === null) {
      this.#connection.commandBegins(movesMoney);
      return this.#handle(packet);
    }
    if (name === 'authorisation') tellTried(this.#connection, packet);
    this.#connection.refuse(RESULT.pleaseWait);
  }

  #handle(packet: Packet): void {
    handlers[packets[packet.name].handler](this.#connection, packet);
  }
}
