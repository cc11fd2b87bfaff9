import type { CustomerFacts, RefundOutcome, PaymentOutcome } from '../../core/domain/sale.ts';
import type { Peer } from '../line/peer.ts';
import type { OfferAnswer, PaymentProgress } from '../../core/lane/till-port.ts';
import type { Standing } from '../line/tcp-line.ts';
import { completion } from './answers.ts';
import { BMP, type Fields } from './bitmaps.ts';
import { type IdleCommand, isJournalCommand, movesMoney } from './commands.ts';
import { ZvtConnection, type Packet } from './connection.ts';
import { inWords } from './describe.ts';
import type { ApduLink, ApduListener, Reception } from './link.ts';
import {
  fieldByte,
  hexByte,
  isOfAnswerClass,
  outline,
  parseAnswer,
  type ParsedPacket,
  parsePacket,
  password as passwordPart,
  positiveAnswer,
} from './packets.ts';
import { type PaymentWithPassword, paymentWithPassword } from './payment-password.ts';
import { moveMoney, tellTried } from './money-commands.ts';
import {
  forgetRegistration,
  register,
  selectLanguage,
  withPassword,
} from './registration-commands.ts';
import { closeDay, repeatReceipt, repeatReceipts, tellTotals } from './report-commands.ts';
import { RESULT } from './result-codes.ts';
import { baudRateAnswer, serviceAnswer, statusAnswer } from './service-commands.ts';
import type { ZvtTerminal } from './terminal.ts';
import type { Ticket } from './ticket.ts';
import type { Transaction } from './transaction.ts';

/** On a line that repeats nothing. */
const surelyNew: Reception = { mayBeOver: false, mayBeRepeated: false };
/** Beside a command that is answered from memory. A till asks for at most a few a second. */
const costOfJournal = 10;
/**
 * A till may know commands that we do not have; six of them in a row, and nothing that we know, it
 * has none.
 */
const mostStrangePackets = 6;

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

  /** How much this connection has shown to be a till's, for whoever must make room. */
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
   * Bytes of another protocol happen to look like packets now and then, and whoever pads a request
   * with answers hopes to hit a question. A serial cable is noisy and leads to one till: it is
   * never given up.
   */
  #isTooStrange(apdu: Uint8Array): boolean {
    if (this.#connection.peer.kind === 'serial') return false;
    this.#strange += 1;
    if (this.#strange <= mostStrangePackets) return false;
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
    const { name } = packet;
    if (name === 'abortCommand') return this.#abort();
    if (this.#connection.isHeldBack) return this.#connection.refuse(RESULT.pleaseWait);
    withPassword(this.#connection, packet, () => this.#commandWithPassword(packet, name));
  }

  #commandWithPassword(packet: Packet, name: Exclude<Packet['name'], 'abortCommand'>): void {
    switch (name) {
      case 'statusEnquiry':
        return this.#statusEnquiry(packet.fields);
      case 'registration':
      case 'authorisation':
      case 'preauthorisation':
      case 'partialReversal':
      case 'bookTotal':
      case 'preauthorisationReversal':
      case 'preauthorisationReversalByTrace':
      case 'reversal':
      case 'refund':
      case 'logOff':
      case 'repeatReceipt':
      case 'endOfDay':
      case 'repeatReceipts':
      case 'totals':
      case 'printTotals':
      case 'partialReconciliation':
      case 'diagnosis':
      case 'reset':
      case 'initialisation':
      case 'printConfiguration':
      case 'selfTest':
      case 'setTime':
      case 'selectLanguage':
        if (this.#connection.running === null) return this.#commandWhenIdle(packet, name);
        if (name === 'authorisation') tellTried(this.#connection, packet);
        return this.#connection.refuse(RESULT.pleaseWait);
      case 'statusInformation':
      case 'intermediateStatus':
      case 'completion':
      case 'abort':
      case 'printLine':
      case 'printTextBlock':
      case 'setTerminalId':
      case 'changePassword':
      case 'cardReader':
      case 'readCard':
      case 'closeCardSession':
      case 'sendToCard':
      case 'displayKeyInput':
      case 'displayNumberInput':
      case 'pinInput':
        // Also while another command runs: "please wait" would let the till ask without end.
        return this.#connection.refuse(RESULT.functionNotPossible);
      case 'displayText':
        // Taken and dropped: the customer's display shows what the payment needs, never what
        // somebody sends to this port.
        return this.#connection.answer(positiveAnswer);
      case 'setBaudRate':
        return this.#connection.answer(baudRateAnswer(packet.parts, this.#connection.peer));
    }
  }

  #commandWhenIdle(packet: Packet, name: IdleCommand): void {
    this.#connection.commandBegins(movesMoney(name));
    switch (name) {
      case 'registration':
        return register(this.#connection, packet);
      case 'authorisation':
      case 'preauthorisation':
      case 'partialReversal':
      case 'bookTotal':
      case 'preauthorisationReversal':
      case 'preauthorisationReversalByTrace':
      case 'reversal':
      case 'refund':
        return moveMoney(this.#connection, name, packet);
      case 'logOff':
        forgetRegistration(this.#connection);
        return this.#connection.answer(positiveAnswer);
      case 'repeatReceipt':
        return repeatReceipt(this.#connection, packet.fields);
      case 'repeatReceipts':
        return repeatReceipts(this.#connection, packet);
      case 'endOfDay':
        return closeDay(this.#connection);
      case 'totals':
      case 'partialReconciliation':
        return tellTotals(this.#connection, 'asStatus');
      case 'printTotals':
        return tellTotals(this.#connection, 'inPrint');
      case 'reset':
        forgetRegistration(this.#connection);
        return this.#connection.answerAndSend(completion);
      case 'selectLanguage':
        selectLanguage(this.#connection, packet);
        return this.#connection.answerAndSend(completion);
      case 'diagnosis':
      case 'initialisation':
      case 'printConfiguration':
      case 'selfTest':
      case 'setTime':
        return void this.#connection.answerAndCarryOut(
          ...serviceAnswer(name, this.#terminal, this.#connection.registration),
        );
    }
  }

  #abort(): void {
    // Asked first, answered before anything that follows from it: what follows waits its turn in
    // the exchange. A booking is being told from its beginning on: the answer to that decides. What
    // is only told or printed goes on to its end, and a closing is done.
    const { running, isCarryingOut } = this.#connection;
    const tooLate =
      isCarryingOut ||
      (running !== null && running.is !== 'transaction') ||
      this.#transaction?.abort() === 'tooLate';
    if (tooLate) this.#connection.refuse(RESULT.functionNotPossible);
    else this.#connection.answer(positiveAnswer);
  }

  #statusEnquiry(fields: Fields): void {
    if (this.#connection.awaitsMoney) return this.#connection.refuse(RESULT.pleaseWait);
    this.#connection.enquiryBegins();
    const isClosing = this.#connection.running?.is === 'closing';
    this.#connection.answerAndSend(
      ...statusAnswer(fieldByte(fields, BMP.serviceByte) ?? 0, this.#terminal, { isClosing }),
    );
  }
}
