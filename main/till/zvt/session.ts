import type { Cancel } from '../../domain/clock.ts';
import type { ClosingTold } from '../../domain/day.ts';
import type { Language } from '../../domain/languages.ts';
import type { BookingTicket, CustomerFacts, FinishedBooking, FinishedRefund, FinishedSale, RefundOutcome, SaleOutcome } from '../../domain/sale.ts';
import type { OfferAnswer, SaleProgress } from '../port.ts';
import {
  abort,
  completion,
  dayInformation,
  openReservationsAnswer,
  refusalInformation,
  registrationCompletion,
  statusInformation,
  wrongCurrencyAnswer,
} from './answers.ts';
import { decodeBcd } from './bcd.ts';
import { BMP, type Fields } from './bitmaps.ts';
import { decodeCurrency } from './currency.ts';
import { ClosingTransaction } from './closing.ts';
import { inWords } from './describe.ts';
import { Exchange } from './exchange.ts';
import type { ApduLink, ApduListener, Reception } from './link.ts';
import { type Asked, isOfReservations, type MoneyCommand, readMoneyCommand } from './money-commands.ts';
import {
  fieldByte,
  hexByte,
  isOfAnswerClass,
  negativeAnswer,
  outline,
  type PacketName,
  packets,
  type ParsedPacket,
  parseAnswer,
  parsePacket,
  password,
  positiveAnswer,
} from './packets.ts';
import type { Peer } from '../peer.ts';
import type { Standing } from '../tcp-line.ts';
import { barredFromRefunds, isBarredFromBookings, isBarredFromClosings, isPassword, type RefundBar, refundLimitMinor } from './permissions.ts';
import { receiptPackets } from './receipt.ts';
import { agreedObjects, type Copy, notRegistered, readRegistration, type Registration, servedWith } from './registration.ts';
import { reportPackets } from './report.ts';
import { bookingRefusal, closingRefusal, type Refusal, RESULT, refundRefusal, reportRefusal, resultToldAgain, saleRefusal } from './result-codes.ts';
import { unheardClosing, unheardRefund } from './retransmission.ts';
import { baudRateAnswer, type ServiceCommand, serviceAnswer, statusAnswer } from './service-commands.ts';
import { inLanguage, languageChosen } from './till-language.ts';
import type { Terminal } from './terminal.ts';
import { tillTexts } from './texts.ts';
import type { Ticket } from './ticket.ts';
import { BookingTransaction } from './booking.ts';
import type { Patience } from './offer.ts';
import { Transaction } from './transaction.ts';
import { isPaper } from './paper.ts';
import { repeatedReceiptIn } from './repeat-receipt.ts';

type Packet = Extract<ParsedPacket, { kind: 'packet' }>;
type DayCommand = 'endOfDay' | 'repeatReceipts' | 'totals' | 'printTotals' | 'partialReconciliation';
type IdleCommand = Extract<PacketName, MoneyCommand | DayCommand | ServiceCommand | 'registration' | 'logOff' | 'repeatReceipt'>;

/** On a line that repeats nothing. */
const surelyNew: Reception = { mayBeOver: false, mayBeRepeated: false };
/** ZVT PA00P015, section 9: how long a till may say "please wait" to a result, unless it named its own limits. */
const usualGoodsTimeoutSeconds = 30;
/** A till may know commands that we do not have; six of them in a row, and nothing that we know, it has none. */
const mostStrangePackets = 6;
/** 80 00 or 84 xx must come within T3 (5 s). */
const longestUnansweredMs = 4_000;
/** A command that was accepted may take a while: well below T4 (180 s). */
const longestHeldBackMs = 60_000;

const patienceOf = (fields: Fields): Patience => ({
  goodsTimeoutMs: (fieldByte(fields, BMP.goodsTimeout) ?? usualGoodsTimeoutSeconds) * 1000,
  mostStatusInformations: fieldByte(fields, BMP.mostStatusInformations) ?? Number.POSITIVE_INFINITY,
});

/** With what moved. */
function ticketOf(last: FinishedSale | FinishedRefund | FinishedBooking): Ticket | BookingTicket {
  if ('booking' in last) return last.booking;
  return 'refund' in last ? last.refund : { ...last.sale, amountMinor: last.capturedMinor ?? last.sale.amountMinor };
}

/** Of what failed, is contested or only reserved, there is none. */
function hasReceipt(last: FinishedSale | FinishedRefund | FinishedBooking): boolean {
  const told = resultToldAgain(last);
  return told.code === RESULT.ok && told.words === null && !('sale' in last && !last.outcome.paid);
}

const usualPatience: Patience = patienceOf(new Map());

/** 06 12: of a mistyped range a till would print for hours. */
const mostRepeated = 50;
const noBytes = new Uint8Array(0);

interface TellAgain {
  readonly withStatus: boolean;
  readonly withReceipt: boolean;
  /** One copy; null: as the till wants receipts. */
  readonly only: Copy | null;
  readonly registration: Registration;
}
const wholly = { withStatus: true, withReceipt: true, only: null } as const;

/** One till's conversation with us, the terminal. The till commands; what it asks is answered at once, what it waits for is sent packet by packet. */
export class ZvtSession implements ApduListener {
  readonly #terminal: Terminal;
  readonly #link: ApduLink;
  readonly #peer: Peer;
  readonly #exchange: Exchange;
  #transaction: Transaction | null = null;
  #booking: BookingTransaction | null = null;
  #closing: ClosingTransaction | null = null;
  #registration: Registration;
  /** Chosen with 08 30, which counts more than what a registration names; null: never. */
  #language: Language | null;
  /** A registration of this connection is complete: the till has answered our 06 0F. */
  #registered = false;
  /** This connection has sent the right password. */
  #proven = false;
  /** Packets that no till sends in a row: unknown or unreadable commands, and answers that nobody waits for. */
  #strange = 0;
  readonly #logged = new Map<string, number>();
  /** Counts the till's commands, apart from those it may send while another one runs. */
  #commandCount = 0;
  /** Commands that are being carried out by what is told and printed. */
  #carriedOut = 0;
  /** An answer is held back because its sender guesses: until then nothing else is done. */
  #cancelHeldBack: Cancel | null = null;

  constructor(terminal: Terminal, link: ApduLink, peer: Peer) {
    this.#terminal = terminal;
    this.#link = link;
    this.#peer = peer;
    this.#language = terminal.language;
    this.#registration = inLanguage(terminal.agreed ?? notRegistered(terminal.profile), this.#language);
    this.#exchange = new Exchange(link, terminal.clock, terminal.log);
  }

  /** How much this connection has shown to be a till's, for whoever must make room. */
  get standing(): Standing {
    if (this.#isCommandRunning) return 'waitsForResult';
    return this.#registered || this.#proven ? 'registered' : 'speaks';
  }

  /** The sale (`saleId`) or refund (`refundOrderId`) that this till waits for. */
  get waitsFor(): string | null {
    return this.#transaction?.id ?? null;
  }

  received(apdu: Uint8Array, { mayBeOver, mayBeRepeated }: Reception = surelyNew): void {
    const { log } = this.#terminal;
    const answer = parseAnswer(apdu);
    if (answer !== null) {
      if (this.#exchange.answered(answer, mayBeRepeated)) this.#strange = 0;
      else if (!this.#isTooStrange(apdu))
        this.#logStrange(answer.positive ? {} : { code: answer.code }, 'the till answered a packet that does not wait for an answer');
      return;
    }
    const packet = parsePacket(apdu);
    if (packet.kind !== 'packet' && this.#isTooStrange(apdu)) return;
    switch (packet.kind) {
      case 'unknown':
        this.#logStrange(outline(apdu), 'the till sent a command that this terminal does not have');
        return this.#answer(negativeAnswer(RESULT.functionNotPossible));
      case 'malformed':
        this.#logStrange({ ...outline(apdu), reason: packet.reason }, 'the till sent a packet that cannot be read');
        if (!isOfAnswerClass(apdu)) this.#answer(negativeAnswer(RESULT.parseError));
        return;
      case 'packet':
        this.#strange = 0;
        log.info(inWords(apdu), 'from the till');
        if (packet.unknown !== null)
          log.warn({ ...outline(apdu), bitmap: hexByte(packet.unknown.bitmap) }, 'an unknown bitmap: it and what follows is ignored');
        if (mayBeOver) {
          log.warn({ command: packet.name }, 'the till may have taken an earlier refusal as the answer to this command: it is refused too');
          return this.#answer(negativeAnswer(RESULT.pleaseWait));
        }
        return this.#commandGuarded(packet);
    }
  }

  /** The connection is gone for good. */
  closed(): void {
    this.#cancelHeldBack?.();
    this.#booking?.lost();
    this.#closing?.lost();
    this.#exchange.close();
    const transaction = this.#transaction;
    this.#transaction = null;
    this.#booking = null;
    this.#closing = null;
    transaction?.lost();
  }

  get #isCommandRunning(): boolean {
    return this.#transaction !== null || this.#booking !== null || this.#closing !== null;
  }

  progress(progress: SaleProgress): void {
    this.#transaction?.progress(progress);
  }

  async offer(ticket: Ticket, customer: CustomerFacts | null): Promise<OfferAnswer> {
    return this.#transaction?.offer(ticket, customer) ?? 'notAcknowledged';
  }

  /** @param ticket with the amount that was decided */
  async conclude(ticket: Ticket, outcome: SaleOutcome | RefundOutcome): Promise<void> {
    const transaction = this.#transaction;
    await transaction?.conclude(ticket, outcome, () => {
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

  /**
   * Bytes of another protocol happen to look like packets now and then, and whoever pads a request with answers hopes to hit a question.
   * A serial cable is noisy and leads to one till: it is never given up.
   */
  #isTooStrange(apdu: Uint8Array): boolean {
    if (this.#peer.kind === 'serial') return false;
    this.#strange += 1;
    if (this.#strange <= mostStrangePackets) return false;
    this.#terminal.incidents.tell('tillStranger', this.#peer, `${this.#strange} packets in a row that no till sends, the last one ${outline(apdu).header}`);
    this.#link.close();
    return true;
  }

  /** The first of each kind, and then the tenth, the hundredth…: a till that asks for what we lack, all day, must not push out the rest of the log. */
  #logStrange(fields: Record<string, unknown>, message: string): void {
    const count = (this.#logged.get(message) ?? 0) + 1;
    this.#logged.set(message, count);
    if (/^10*$/.test(String(count))) this.#terminal.log.warn({ ...fields, from: this.#peer.name, count }, message);
  }

  #command(packet: Packet): void {
    if (packet.name !== 'abortCommand') {
      if (this.#cancelHeldBack !== null) return this.#answer(negativeAnswer(RESULT.pleaseWait));
      if (!this.#acceptsPassword(packet)) return;
    }
    switch (packet.name) {
      case 'abortCommand': {
        // Asked first, answered before anything that follows from it: what follows waits its turn in the exchange.
        // A booking is being told from its beginning on: the answer to that decides.
        // What is only told or printed goes on to its end, and a closing is done.
        const tooLate = this.#carriedOut > 0 || this.#booking !== null || this.#closing !== null || this.#transaction?.abort() === 'tooLate';
        return this.#answer(tooLate ? negativeAnswer(RESULT.functionNotPossible) : positiveAnswer);
      }
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
        if (!this.#isCommandRunning) return this.#commandWhenIdle(packet, packet.name);
        if (packet.name === 'authorisation') this.#tellTried(packet);
        return this.#answer(negativeAnswer(RESULT.pleaseWait));
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
        return this.#answer(negativeAnswer(RESULT.functionNotPossible));
      case 'displayText':
        // Taken and dropped: the customer's display shows what the payment needs, never what somebody sends to this port.
        return this.#answer(positiveAnswer);
      case 'setBaudRate':
        return this.#answer(baudRateAnswer(packet.parts, this.#peer));
    }
  }

  #commandWhenIdle(packet: Packet, name: IdleCommand): void {
    this.#commandCount += 1;
    switch (name) {
      case 'registration':
        return this.#register(packet);
      case 'authorisation':
      case 'preauthorisation':
      case 'partialReversal':
      case 'bookTotal':
      case 'preauthorisationReversal':
      case 'preauthorisationReversalByTrace':
      case 'reversal':
      case 'refund':
        return this.#moveMoney(name, packet);
      case 'logOff':
        this.#forgetRegistration();
        return this.#answer(positiveAnswer);
      case 'repeatReceipt':
        return this.#repeatReceipt(packet.fields);
      case 'repeatReceipts':
        return this.#repeatReceipts(packet);
      case 'endOfDay':
        return this.#closeDay();
      case 'totals':
      case 'partialReconciliation':
        return this.#tellTotals('asStatus');
      case 'printTotals':
        return this.#tellTotals('inPrint');
      case 'reset':
        this.#forgetRegistration();
        return this.#answerAndSend(completion);
      case 'selectLanguage':
        this.#selectLanguage(packet);
        return this.#answerAndSend(completion);
      case 'diagnosis':
      case 'initialisation':
      case 'printConfiguration':
      case 'selfTest':
      case 'setTime':
        return this.#answerAndCarryOut(...serviceAnswer(name, this.#terminal, this.#registration));
    }
  }

  #forgetRegistration(): void {
    this.#registration = inLanguage(notRegistered(this.#terminal.profile), this.#language);
    this.#registered = false;
    if (this.#proven) this.#terminal.agreed = null;
  }

  /** Holds until another one is chosen, also across registrations. For other connections and the next start, only by the cable or one that has sent the password. */
  #selectLanguage({ parts }: Packet): void {
    const language = languageChosen(parts);
    this.#language = language;
    this.#registration = inLanguage(this.#registration, language);
    if (!this.#proven && this.#peer.kind !== 'serial') return;
    this.#terminal.language = language;
    this.#terminal.keepLanguage(language);
    if (this.#terminal.agreed !== null) this.#terminal.agreed = inLanguage(this.#terminal.agreed, language);
  }

  #register({ parts, fields }: Packet): void {
    const { currency, profile, otherCurrencies } = this.#terminal;
    const read = readRegistration(parts.get('config')?.[0] ?? 0, parts.get('currency'), fields, profile);
    const isOther = read === null || (read.currency !== null && read.currency !== currency);
    if (parts.has('currency')) otherCurrencies.named(this.#peer.address, isOther);
    if (isOther) return this.#answer(wrongCurrencyAnswer(currency));
    const registration = inLanguage(read, this.#language);
    this.#registration = registration;
    if (this.#proven) this.#terminal.agreed = registration;
    this.#answer(positiveAnswer);
    const agreed = registration.isMinimal ? completion : registrationCompletion(registration.currency, agreedObjects(fields, registration));
    void this.#exchange.send(agreed, {
      settled: (result) => {
        this.#registered = result === 'positive';
      },
    });
  }

  /** Where the settings have a password, each that a command carries must be it. false: the command has been refused. */
  #acceptsPassword({ name, parts, fields }: Packet): boolean {
    const { permissions, passwordGuesses, incidents } = this.#terminal;
    const sent = parts.get(password.name) ?? fields.get(BMP.password);
    if (permissions.password === undefined || sent === undefined) return true;
    const { address } = this.#peer;
    if (!this.#proven && passwordGuesses.isBlocked(address)) {
      this.#answer(negativeAnswer(RESULT.pleaseWait));
      return false;
    }
    if (isPassword(permissions.password, sent)) {
      this.#proven = true;
      return true;
    }
    this.#proven = false;
    const delayMs = passwordGuesses.missed(address);
    incidents.tell('tillPasswordWrong', this.#peer, `with ${packets[name].words}`);
    this.#heldBack(Math.min(delayMs, longestUnansweredMs), () => this.#answer(negativeAnswer(RESULT.wrongPassword)));
    return false;
  }

  #heldBack(delayMs: number, answer: () => void): void {
    if (delayMs === 0) return answer();
    this.#cancelHeldBack = this.#terminal.clock.after(delayMs, () => {
      this.#cancelHeldBack = null;
      answer();
    });
  }

  #moveMoney(command: MoneyCommand, packet: Packet): void {
    const { commands, log } = this.#terminal;
    // What a lane does not have is not possible, whatever else is wrong with it.
    if (isOfReservations(command) && commands.openReservations() === null) return this.#answer(negativeAnswer(RESULT.functionNotPossible));
    const asked = this.#read(command, packet);
    switch (asked.kind) {
      case 'unreadable':
        log.warn({ command, reason: asked.reason }, 'the till sent a packet that cannot be read');
        return this.#answer(negativeAnswer(RESULT.parseError));
      case 'refused':
        return this.#decline(asked.refusal);
      case 'sale': {
        const answer = commands.requestSale({ ...asked.request, from: this.#peer.name });
        if (answer.accepted) return this.#begin(answer.sale, packet.fields, asked.namesCurrency);
        if (answer.reason === 'busy') return this.#answer(negativeAnswer(RESULT.pleaseWait));
        if (answer.reason === 'noReservations') return this.#answer(negativeAnswer(RESULT.functionNotPossible));
        return this.#decline(saleRefusal(answer.reason));
      }
      case 'booking':
        return this.#book(packet, asked);
      case 'openOnes': {
        if (this.#isBarredFromBookings) return this.#decline(bookingRefusal('notRegistered'));
        const { allowsTlv: withTlv, language } = servedWith(this.#registration, packet.fields);
        return this.#answerAndSend(openReservationsAnswer(commands.openReservations() ?? [], { withTlv, language }));
      }
      case 'refund':
        return this.#refund(packet, asked);
    }
  }

  #read(command: MoneyCommand, packet: Packet): Asked {
    const { currency: laneCurrency, profile, otherCurrencies } = this.#terminal;
    const { address } = this.#peer;
    const named = packet.fields.get(BMP.currency);
    if (named !== undefined && decodeCurrency(named) !== laneCurrency) otherCurrencies.named(address, true);
    const missingCurrency = profile.missingCurrency === 'euro' ? 'EUR' : otherCurrencies.has(address) ? null : laneCurrency;
    return readMoneyCommand(command, packet, { registration: this.#registration, laneCurrency, missingCurrency });
  }

  /** Not begun: the cashier reads what the till wanted. */
  #tellTried(packet: Packet): void {
    const { commands } = this.#terminal;
    const asked = this.#read('authorisation', packet);
    if (asked.kind === 'sale') commands.saleTried({ ...asked.request, from: this.#peer.name });
  }

  #refund(packet: Packet, { request, namesCurrency }: Extract<Asked, { kind: 'refund' }>): void {
    const { commands, permissions, receiptGuesses, incidents, log } = this.#terminal;
    const bar = barredFromRefunds(permissions, { peer: this.#peer, proven: this.#proven, registered: this.#registered });
    if (bar !== null) return this.#refuseRefund(bar);
    if (receiptGuesses.isBlocked(this.#peer.address)) return this.#answer(negativeAnswer(RESULT.pleaseWait));
    const done = unheardRefund(request, this.#terminal);
    if (done !== null) {
      log.warn({ refundOrderId: done.refund.refundOrderId }, 'the till asks again for a refund whose end it did not hear: told, not repeated');
      return this.#tellAgain(done, { ...wholly, registration: servedWith(this.#registration, packet.fields) });
    }
    const wholeOnly = packet.name === 'reversal' && permissions.partialReversals !== true;
    const answer = commands.requestRefund({ ...request, wholeOnly, limitMinor: refundLimitMinor(permissions), from: this.#peer.name });
    if (answer.accepted) return this.#begin(answer.refund, packet.fields, namesCurrency);
    switch (answer.reason) {
      case 'busy':
        return this.#answer(negativeAnswer(RESULT.pleaseWait));
      case 'overTillLimit':
        return this.#refuseRefund(answer.reason);
      case 'unknownReceipt': {
        const delayMs = receiptGuesses.missed(this.#peer.address);
        if (delayMs > 0) incidents.tell('tillReceiptsGuessed', this.#peer, `receipt ${request.receiptNumber}`);
        this.#answer(positiveAnswer);
        return this.#heldBack(Math.min(delayMs, longestHeldBackMs), () => this.#sendRefusal(refundRefusal('unknownReceipt')));
      }
      default:
        return this.#decline(refundRefusal(answer.reason, 'askAgainMinutes' in answer ? answer.askAgainMinutes : null));
    }
  }

  get #isBarredFromBookings(): boolean {
    return isBarredFromBookings({ peer: this.#peer, proven: this.#proven, registered: this.#registered });
  }

  #book(packet: Packet, { request, namesCurrency }: Extract<Asked, { kind: 'booking' }>): void {
    const { commands, receiptGuesses, incidents, log } = this.#terminal;
    if (this.#isBarredFromBookings) return this.#decline(bookingRefusal('notRegistered'));
    if (receiptGuesses.isBlocked(this.#peer.address)) return this.#answer(negativeAnswer(RESULT.pleaseWait));
    const answer = commands.requestBooking({ ...request, from: this.#peer.name });
    if (answer.accepted) {
      this.#answer(positiveAnswer);
      const booking = new BookingTransaction(this.#terminal, this.#exchange, {
        booking: answer.booking,
        registration: servedWith(this.#registration, packet.fields),
        namesCurrency,
        ...patienceOf(packet.fields),
      });
      this.#booking = booking;
      return void booking.carry(() => {
        if (this.#booking === booking) this.#booking = null;
      });
    }
    switch (answer.reason) {
      case 'busy':
        return this.#answer(negativeAnswer(RESULT.pleaseWait));
      case 'done':
        log.warn({ ...answer.finished.booking }, 'the till asks again for what it has decided about a reservation: told, not repeated');
        return this.#tellAgain(answer.finished, { ...wholly, registration: servedWith(this.#registration, packet.fields) });
      case 'unknownReservation': {
        const delayMs = receiptGuesses.missed(this.#peer.address);
        if (delayMs > 0) incidents.tell('tillReceiptsGuessed', this.#peer, `reservation ${request.receiptNumber ?? request.traceNumber}`);
        this.#answer(positiveAnswer);
        return this.#heldBack(Math.min(delayMs, longestHeldBackMs), () => this.#sendRefusal(bookingRefusal('unknownReservation')));
      }
      default:
        return this.#decline(bookingRefusal(answer.reason));
    }
  }

  get #isBarredFromClosings(): boolean {
    const { permissions, incidents } = this.#terminal;
    const isBarred = isBarredFromClosings(permissions, { peer: this.#peer, proven: this.#proven, registered: this.#registered });
    if (isBarred) incidents.log({ from: this.#peer.name }, 'the day, or its totals, were asked for on a connection that may not: refused');
    return isBarred;
  }

  #closeDay(): void {
    const { commands, log } = this.#terminal;
    if (this.#isBarredFromClosings) return this.#decline(closingRefusal('notRegistered'));
    const told = commands.readiness() === 'busy' ? null : unheardClosing(this.#terminal);
    if (told !== null) {
      log.warn({ number: told.number }, 'the till asks again for an end of day whose end it did not hear: told, not closed twice');
      return this.#tellClosing(told);
    }
    const answer = commands.closeDay(this.#peer.name);
    if (answer.closed) return this.#tellClosing(answer.closing);
    switch (answer.reason) {
      case 'busy':
        return this.#answer(negativeAnswer(RESULT.pleaseWait));
      case 'noClosings':
        return this.#answer(negativeAnswer(RESULT.functionNotPossible));
      case 'storageFailed':
        return this.#decline(closingRefusal(answer.reason));
    }
  }

  #tellClosing(closing: ClosingTold): void {
    this.#answer(positiveAnswer);
    const telling = new ClosingTransaction(this.#terminal, this.#exchange, { closing, registration: this.#registration, ...usualPatience });
    this.#closing = telling;
    void telling.carry(() => {
      if (this.#closing === telling) this.#closing = null;
    });
  }

  /** Closes nothing. */
  #tellTotals(how: 'asStatus' | 'inPrint'): void {
    const { commands, currency } = this.#terminal;
    if (this.#isBarredFromClosings) return this.#decline(reportRefusal);
    const totals = commands.dayTotals();
    if (totals === null) return this.#answer(negativeAnswer(RESULT.functionNotPossible));
    if (how === 'asStatus') return this.#answerAndCarryOut(dayInformation(totals, currency), completion);
    const report = this.#registration.wantsAdministrationLines ? reportPackets(totals, this.#terminal, this.#registration) : [];
    this.#answerAndCarryOut(...report, completion);
  }

  /** The copies that 06 20 would print, of each number. A report by the standard, so that it depends on how the till prints those. */
  #repeatReceipts({ parts, fields }: Packet): void {
    const { commands, log } = this.#terminal;
    const first = decodeBcd(parts.get('first') ?? noBytes);
    const last = decodeBcd(parts.get('last') ?? parts.get('first') ?? noBytes);
    if (first === null || last === null) return this.#answer(negativeAnswer(RESULT.parseError));
    if (this.#isBarredFromClosings) return this.#decline(reportRefusal);
    if (last - first >= mostRepeated) log.warn({ first, last, most: mostRepeated }, 'the till asked for more receipts than are printed at once: refused');
    const found = last - first >= mostRepeated ? [] : commands.finishedBetween(first, last);
    if (found === null) return this.#answer(negativeAnswer(RESULT.functionNotPossible));
    const tickets = found.filter(hasReceipt).map(ticketOf);
    if (tickets.length === 0) return this.#answerAndSend(abort(RESULT.functionNotPossible));
    const registration = servedWith({ ...this.#registration, wantsPrintLines: this.#registration.wantsAdministrationLines }, fields);
    const receipts = tickets.flatMap((ticket) => receiptPackets(ticket, this.#terminal, registration, { isReprint: true }));
    this.#answerAndCarryOut(...receipts, completion);
  }

  /** By the till's settings. */
  #refuseRefund(reason: RefundBar | 'overTillLimit'): void {
    this.#terminal.incidents.tell('tillRefundRefused', this.#peer, refundRefusal(reason).words(tillTexts.en));
    this.#decline(refundRefusal(reason));
  }

  #begin(ticket: Ticket, fields: Fields, namesCurrency: boolean): void {
    this.#answer(positiveAnswer);
    this.#transaction = new Transaction(this.#terminal, this.#exchange, {
      ticket,
      registration: servedWith(this.#registration, fields),
      namesCurrency,
      ...patienceOf(fields),
    });
    this.#transaction.begin();
  }

  /** A business decline: accepted as a command, then answered like a payment that failed (ZVT PA00P015, section 9). */
  #decline(refusal: Refusal): void {
    this.#answer(positiveAnswer);
    this.#sendRefusal(refusal);
  }

  #sendRefusal(refusal: Refusal): void {
    void this.#sendAll([refusalInformation(refusal, this.#registration.language), abort(refusal.code)]);
  }

  #statusEnquiry(fields: Fields): void {
    this.#answerAndSend(...statusAnswer(fieldByte(fields, BMP.serviceByte) ?? 0, this.#terminal, { isClosing: this.#closing !== null }));
  }

  #repeatReceipt(fields: Fields): void {
    const { commands } = this.#terminal;
    // Of another connection, or of this one before it broke: what is last is just being decided.
    if (commands.readiness() === 'busy') return this.#answer(negativeAnswer(RESULT.pleaseWait));
    const service = fieldByte(fields, BMP.serviceByte) ?? 0;
    const registration = servedWith(this.#registration, fields);
    const which = repeatedReceiptIn(fields);
    if (which === 'closing') return this.#repeatClosing(registration, (service & 0x01) !== 0);
    const last = commands.lastFinished();
    if (last === null || which === 'none') return this.#answerAndSend(abort(RESULT.functionNotPossible));
    this.#tellAgain(last, { withStatus: (service & 0x01) !== 0, withReceipt: (service & 0x02) === 0, only: which, registration });
  }

  /** @param withStatus for a till that writes the report itself */
  #repeatClosing(registration: Registration, withStatus: boolean): void {
    const { commands, currency } = this.#terminal;
    if (this.#isBarredFromClosings) return this.#decline(reportRefusal);
    const closing = commands.lastClosing();
    if (closing === null) return this.#answerAndSend(abort(RESULT.functionNotPossible));
    // By the receipts' rule, also of a report (ZVT PA00P015, 06 20).
    if (registration.wantsPrintLines) return this.#answerAndCarryOut(...reportPackets(closing, this.#terminal, registration), completion);
    this.#answerAndCarryOut(...(withStatus ? [dayInformation(closing, currency)] : []), completion);
  }

  /** What was decided before, told once more: nothing follows from how the till takes it. */
  #tellAgain(last: FinishedSale | FinishedRefund | FinishedBooking, { withStatus, withReceipt, only, registration }: TellAgain): void {
    const ticket = ticketOf(last);
    const told = resultToldAgain(last);
    const status = withStatus ? [statusInformation(ticket, told, { namesCurrency: registration.currency !== null, ...registration })] : [];
    const about = { isReprint: true, ...(only !== null && { only }) };
    const receipts = withReceipt && hasReceipt(last) ? receiptPackets(ticket, this.#terminal, registration, about) : [];
    this.#answer(positiveAnswer);
    void this.#carryOut([...status, ...receipts, completion]).then((heard) => {
      if (heard && withStatus && 'refund' in last) this.#terminal.heardRefund = last.refund.refundOrderId;
    });
  }

  #answerAndSend(...packets: readonly Uint8Array[]): void {
    this.#answer(positiveAnswer);
    void this.#sendAll(packets);
  }

  #answerAndCarryOut(...packets: readonly Uint8Array[]): void {
    this.#answer(positiveAnswer);
    void this.#carryOut(packets);
  }

  /** false: the till stopped answering, or began another command: the rest, above all 06 0F, would be taken for that one's. */
  async #sendAll(packets: readonly Uint8Array[]): Promise<boolean> {
    const count = this.#commandCount;
    for (const packet of packets) {
      if (count !== this.#commandCount) return false;
      const result = await this.#exchange.send(packet);
      if (result === 'silent') return false;
      if (result !== 'positive' && isPaper(packet)) {
        this.#terminal.log.warn({ code: result.refused }, 'the till could not print');
        if (count === this.#commandCount) await this.#exchange.send(abort(RESULT.printerNotReady));
        return false;
      }
    }
    return true;
  }

  /** Of a command that takes a while and moves no money. */
  async #carryOut(packets: readonly Uint8Array[]): Promise<boolean> {
    this.#carriedOut += 1;
    try {
      return await this.#sendAll(packets);
    } finally {
      this.#carriedOut -= 1;
    }
  }
}
