import type { CustomerFacts, FinishedRefund, FinishedSale, RefundOutcome, SaleOutcome } from '../../primitives/sale.ts';
import type { SaleProgress } from '../port.ts';
import {
  abort,
  completion,
  printLines,
  refusalInformation,
  registrationCompletion,
  statusCompletion,
  statusInformation,
  wrongCurrencyAnswer,
} from './answers.ts';
import { BMP, type Fields } from './bitmaps.ts';
import { inWords } from './describe.ts';
import { Exchange } from './exchange.ts';
import type { ApduLink, ApduListener } from './link.ts';
import { type MoneyCommand, readMoneyCommand } from './money-commands.ts';
import {
  fieldByte,
  hexByte,
  isOfAnswerClass,
  negativeAnswer,
  outline,
  type PacketName,
  type ParsedPacket,
  parseAnswer,
  parsePacket,
  positiveAnswer,
} from './packets.ts';
import { receiptLines } from './receipt.ts';
import { notRegistered, readRegistration } from './registration.ts';
import { type Refusal, RESULT, refundRefusal, resultToldAgain, saleRefusal } from './result-codes.ts';
import { unheardRefund } from './retransmission.ts';
import type { Terminal } from './terminal.ts';
import type { Ticket } from './ticket.ts';
import { Transaction } from './transaction.ts';

type Packet = Extract<ParsedPacket, { kind: 'packet' }>;
type IdleCommand = Extract<PacketName, MoneyCommand | 'registration' | 'logOff' | 'repeatReceipt' | 'diagnosis' | 'reset' | 'initialisation'>;

/** ZVT PA00P015, section 9: how long a till may say "please wait" to a result, unless it named its own limits. */
const usualGoodsTimeoutSeconds = 30;

/** One till's conversation with us, the terminal. The till commands; what it asks is answered at once, what it waits for is sent packet by packet. */
export class Session implements ApduListener {
  readonly #terminal: Terminal;
  readonly #link: ApduLink;
  readonly #exchange: Exchange;
  #transaction: Transaction | null = null;

  constructor(terminal: Terminal, link: ApduLink) {
    this.#terminal = terminal;
    this.#link = link;
    this.#exchange = new Exchange(link, terminal.clock, terminal.log);
  }

  /** The sale (`saleId`) or refund (`refundOrderId`) that this till waits for. */
  get waitsFor(): string | null {
    return this.#transaction?.id ?? null;
  }

  received(apdu: Uint8Array): void {
    const { log } = this.#terminal;
    const answer = parseAnswer(apdu);
    if (answer !== null) {
      if (!this.#exchange.answered(answer)) log.warn({ ...answer }, 'the till answered a packet that does not wait for an answer');
      return;
    }
    const packet = parsePacket(apdu);
    log.info(inWords(apdu), 'from the till');
    switch (packet.kind) {
      case 'unknown':
        log.warn(outline(apdu), 'the till sent a command that this terminal does not have');
        return this.#answer(negativeAnswer(RESULT.functionNotPossible));
      case 'malformed':
        log.warn({ ...outline(apdu), reason: packet.reason }, 'the till sent a packet that cannot be read');
        if (!isOfAnswerClass(apdu)) this.#answer(negativeAnswer(RESULT.parseError));
        return;
      case 'packet':
        if (packet.unknown !== null)
          log.warn({ ...outline(apdu), bitmap: hexByte(packet.unknown.bitmap) }, 'an unknown bitmap: it and what follows is ignored');
        return this.#commandGuarded(packet);
    }
  }

  /** The connection is gone for good. */
  closed(): void {
    this.#exchange.close();
    const transaction = this.#transaction;
    this.#transaction = null;
    transaction?.lost();
  }

  progress(progress: SaleProgress): void {
    this.#transaction?.progress(progress);
  }

  async offer(customer: CustomerFacts | null): Promise<'acknowledged' | 'notAcknowledged'> {
    return this.#transaction?.offer(customer) ?? 'notAcknowledged';
  }

  async conclude(outcome: SaleOutcome | RefundOutcome): Promise<void> {
    const transaction = this.#transaction;
    await transaction?.conclude(outcome, () => {
      if (this.#transaction === transaction) this.#transaction = null;
    });
  }

  #answer(packet: Uint8Array): void {
    this.#link.send(packet);
  }

  /** One command that fails (a disk that cannot be read) must not end the daemon, which may owe others a capture. */
  #commandGuarded(packet: Packet): void {
    try {
      this.#command(packet);
    } catch (error) {
      this.#terminal.log.error({ command: packet.name, detail: String(error) }, 'a command of the till failed');
      this.#answer(negativeAnswer(RESULT.systemError));
    }
  }

  #command(packet: Packet): void {
    switch (packet.name) {
      case 'abortCommand': {
        // Asked first, answered before anything that follows from it: what follows waits its turn in the exchange.
        const tooLate = this.#transaction?.abort() === 'tooLate';
        return this.#answer(tooLate ? negativeAnswer(RESULT.functionNotPossible) : positiveAnswer);
      }
      case 'statusEnquiry':
        return this.#statusEnquiry(packet.fields);
      case 'registration':
      case 'authorisation':
      case 'reversal':
      case 'refund':
      case 'logOff':
      case 'repeatReceipt':
      case 'diagnosis':
      case 'reset':
      case 'initialisation':
        if (this.#transaction !== null) return this.#answer(negativeAnswer(RESULT.pleaseWait));
        return this.#commandWhenIdle(packet, packet.name);
      case 'statusInformation':
      case 'intermediateStatus':
      case 'completion':
      case 'abort':
      case 'printLine':
        return this.#answer(negativeAnswer(RESULT.functionNotPossible));
    }
  }

  #commandWhenIdle(packet: Packet, name: IdleCommand): void {
    switch (name) {
      case 'registration':
        return this.#register(packet);
      case 'authorisation':
      case 'reversal':
      case 'refund':
        return this.#moveMoney(name, packet);
      case 'logOff':
        this.#terminal.registration = notRegistered;
        return this.#answer(positiveAnswer);
      case 'repeatReceipt':
        return this.#repeatReceipt(packet.fields);
      case 'diagnosis':
        return this.#answerAndSend(this.#terminal.desk.readiness() === 'notReady' ? abort(RESULT.noConnection) : completion);
      case 'reset':
      case 'initialisation':
        return this.#answerAndSend(completion);
    }
  }

  #register({ parts, fields }: Packet): void {
    const { currency } = this.#terminal;
    const registration = readRegistration(parts.get('config')?.[0] ?? 0, parts.get('currency'), fields);
    if (registration === null || (registration.currency !== null && registration.currency !== currency)) return this.#answer(wrongCurrencyAnswer(currency));
    this.#terminal.registration = registration;
    this.#answerAndSend(registrationCompletion(registration.currency));
  }

  #moveMoney(command: MoneyCommand, packet: Packet): void {
    const { desk, registration, currency: laneCurrency, log } = this.#terminal;
    const asked = readMoneyCommand(command, packet, { registration, laneCurrency });
    switch (asked.kind) {
      case 'unreadable':
        log.warn({ command, reason: asked.reason }, 'the till sent a packet that cannot be read');
        return this.#answer(negativeAnswer(RESULT.parseError));
      case 'refused':
        return this.#decline(asked.refusal);
      case 'sale': {
        const answer = desk.requestSale(asked.request);
        if (answer.accepted) return this.#begin(answer.sale, packet.fields, asked.namesCurrency);
        return answer.reason === 'busy' ? this.#answer(negativeAnswer(RESULT.pleaseWait)) : this.#decline(saleRefusal(answer.reason));
      }
      case 'refund': {
        const done = unheardRefund(asked.request, this.#terminal);
        if (done !== null) {
          log.warn({ refundOrderId: done.refund.refundOrderId }, 'the till asks again for a refund whose end it did not hear: told, not repeated');
          return this.#tellAgain(done, { withStatus: true, withReceipt: true });
        }
        const answer = desk.requestRefund(asked.request);
        if (answer.accepted) return this.#begin(answer.refund, packet.fields, asked.namesCurrency);
        if (answer.reason === 'busy') return this.#answer(negativeAnswer(RESULT.pleaseWait));
        return this.#decline(refundRefusal(answer.reason, 'askAgainMinutes' in answer ? answer.askAgainMinutes : null));
      }
    }
  }

  #begin(ticket: Ticket, fields: Fields, namesCurrency: boolean): void {
    this.#answer(positiveAnswer);
    this.#transaction = new Transaction(this.#terminal, this.#exchange, {
      ticket,
      registration: this.#terminal.registration,
      namesCurrency,
      goodsTimeoutMs: (fieldByte(fields, BMP.goodsTimeout) ?? usualGoodsTimeoutSeconds) * 1000,
      mostStatusInformations: fieldByte(fields, BMP.mostStatusInformations) ?? Number.POSITIVE_INFINITY,
    });
    this.#transaction.begin();
  }

  /** A business decline: accepted as a command, then answered like a payment that failed (ZVT PA00P015, section 9). */
  #decline(refusal: Refusal): void {
    this.#answerAndSend(refusalInformation(refusal, this.#terminal.registration.language), abort(refusal.code));
  }

  #statusEnquiry(fields: Fields): void {
    const { desk, softwareVersion } = this.#terminal;
    const withoutVersion = ((fieldByte(fields, BMP.serviceByte) ?? 0) & 0x02) !== 0;
    const status = desk.readiness() === 'ready' ? 0x00 : RESULT.pleaseWait;
    this.#answerAndSend(statusCompletion(status, withoutVersion ? null : `Tillbeacon ${softwareVersion}`));
  }

  #repeatReceipt(fields: Fields): void {
    const { desk } = this.#terminal;
    // Of another connection, or of this one before it broke: what is last is just being decided.
    if (desk.readiness() === 'busy') return this.#answer(negativeAnswer(RESULT.pleaseWait));
    const service = fieldByte(fields, BMP.serviceByte) ?? 0;
    const last = desk.lastFinished();
    if (last === null) return this.#answerAndSend(abort(RESULT.functionNotPossible));
    this.#tellAgain(last, { withStatus: (service & 0x01) !== 0, withReceipt: (service & 0x02) === 0 });
  }

  /** What was decided before, told once more: nothing follows from how the till takes it. */
  #tellAgain(last: FinishedSale | FinishedRefund, { withStatus, withReceipt }: { withStatus: boolean; withReceipt: boolean }): void {
    const { registration, laneName } = this.#terminal;
    const ticket = 'sale' in last ? last.sale : last.refund;
    const told = resultToldAgain(last);
    // Of what failed, or is contested, there is no receipt.
    const hasReceipt = told.code === RESULT.ok && told.words === null;
    const options = { namesCurrency: registration.currency !== null, language: registration.language };
    const status = withStatus ? [statusInformation(ticket, told, options)] : [];
    const lines = withReceipt && registration.wantsPrintLines && hasReceipt ? printLines(receiptLines(ticket, { laneName, ...registration })) : [];
    this.#answer(positiveAnswer);
    void this.#sendAll([...status, ...lines, completion]).then((heard) => {
      if (heard && withStatus && 'refund' in last) this.#terminal.heardRefund = last.refund.refundOrderId;
    });
  }

  #answerAndSend(...packets: readonly Uint8Array[]): void {
    this.#answer(positiveAnswer);
    void this.#sendAll(packets);
  }

  /** false: the till stopped answering. */
  async #sendAll(packets: readonly Uint8Array[]): Promise<boolean> {
    for (const packet of packets) if ((await this.#exchange.send(packet)) === 'silent') return false;
    return true;
  }
}
