/**
 * A shop's till, as strict as the protocol: it believes in a payment when 04 0F said so and 06 0F
 * ended it. Whenever a command ends without that it asks for the last receipt (06 20) until it is
 * answered, and only then knows. What it remembers survives everything.
 */
import type { Cancel } from '../../main/core/domain/clock.ts';
import { encodeBcd } from '../../main/tills/zvt/bcd.ts';
import { BMP, type Fields } from '../../main/tills/zvt/bitmaps.ts';
import { encodeCurrency } from '../../main/tills/zvt/currency.ts';
import { describe } from '../../main/tills/zvt/describe.ts';
import { type PacketName, packets } from '../../main/tills/zvt/packet-table.ts';
import {
  encodePacket,
  negativeAnswer,
  parseAnswer,
  parsePacket,
  positiveAnswer,
  resultCodeOf,
} from '../../main/tills/zvt/packets.ts';
import { RESULT } from '../../main/tills/zvt/result-codes.ts';
import { encodeTlv, TAG } from '../../main/tills/zvt/tlv.ts';
import type { Closings } from './day-book.ts';
import type { Chance } from './random.ts';
import type { Stage } from './stage.ts';
import { amountFields, amountOf, handedOut, receiptOf, textOf, traceOf } from './till-fields.ts';
import { type SimulatedLine, TillLine } from './till-line.ts';
import { TillOddities } from './till-oddities.ts';
import { type RequestEnd, type TillCommand, type TillRequest, unheard } from './till-request.ts';
import { TillReservations } from './till-reservations.ts';

/**
 * Commands without status information where they are about no money: of the reversal, the question
 * for open reservations.
 */
const withoutResult: ReadonlySet<PacketName> = new Set(['registration', 'partialReversal']);

interface Running {
  readonly what: PacketName;
  readonly about: TillRequest | null;
  /** Whether the command was sent before, and its end was not received. */
  readonly isRepeated: boolean;
  status: Fields | null;
  accepted: boolean;
}

/**
 * ZVT PA00P016, section 5: until an answer is given up, after the line's own repetitions; and until
 * a terminal that says nothing is.
 */
const t3Ms = 5_000;
const serialSendMs = 15_000;
const t4Ms = 180_000;
const password = encodeBcd(123_456, 3);

export class ShopTill {
  readonly laneId: string;
  readonly requests: TillRequest[] = [];
  /**
   * Messages of the terminal that cannot be true, for which a till's software would show an alarm.
   */
  readonly alarms: string[] = [];
  /** Receipt numbers that the terminal has named, whatever their results. */
  readonly receiptsTold = new Set<number>();
  readonly #stage: Stage;
  readonly #chance: Chance;
  /** Random numbers of their own for partial refunds, so that runs without them stay the same. */
  readonly #parts: Chance;
  readonly #paper: Chance;
  /** Random numbers for reservations; null when this till makes none. */
  readonly #reserving: Chance | null;
  readonly #reservations: TillReservations | null;
  /** Random numbers for closings; null when this till closes no days. */
  readonly #closing: Chance | null;
  readonly #closings: Closings;
  readonly #odd: TillOddities | null;
  /** It missed the end of an end-of-day command, and must repeat it. */
  #mustClose = false;
  /** The number of the last closing whose end it has received. */
  #lastClosing = 0;
  readonly #line: TillLine;
  readonly #name: string;
  readonly #nextAmount: () => number;
  readonly #heard: (heard: RequestEnd) => void;
  readonly #powerFails: () => void;
  #running: Running | null = null;
  #cancelWait: Cancel = () => {};
  #cancelNext: Cancel = () => {};
  /**
   * The receipts of commands whose end was received, and all that were named before the till's
   * newest request. The last one need not be the newest, because an earlier one may be repeated.
   */
  readonly #receiptsHeard = new Set<number>();
  #salesLeft: number;
  #refundsLeft: number;
  #isOn = true;
  #registered = false;
  #mustAsk: TillRequest | null = null;
  /** Aborts without an answer on this connection. */
  #abortsUnanswered = 0;

  constructor(options: {
    stage: Stage;
    chance: Chance;
    parts: Chance;
    paper: Chance;
    reserving: Chance | null;
    closing: Chance | null;
    odd: Chance | null;
    closings: Closings;
    line: SimulatedLine;
    laneId: string;
    sales: number;
    refunds: number;
    nextAmount: () => number;
    heard: (heard: RequestEnd) => void;
    powerFails: () => void;
  }) {
    this.#stage = options.stage;
    this.#chance = options.chance;
    this.#parts = options.parts;
    this.#paper = options.paper;
    this.#reserving = options.reserving;
    this.#closing = options.closing;
    this.#closings = options.closings;
    this.#odd = options.odd && new TillOddities(options.odd);
    this.#reservations =
      options.reserving &&
      new TillReservations(options.reserving, this.requests, options.nextAmount);
    this.#line = new TillLine(options.line, {
      time: options.stage.time,
      received: (apdu) => this.#received(apdu),
      lost: () => this.#lost(),
    });
    this.laneId = options.laneId;
    this.#name = `till ${options.laneId}`;
    this.#salesLeft = options.sales;
    this.#refundsLeft = options.refunds;
    this.#nextAmount = options.nextAmount;
    this.#heard = options.heard;
    this.#powerFails = options.powerFails;
    this.#connect();
    this.#soon(this.#chance.between(500, 8_000));
  }

  /** Nothing is left to sell, and nothing to find out. */
  get isDone(): boolean {
    const isIdle = this.#running === null && this.#mustAsk === null;
    return (
      this.#salesLeft === 0 &&
      this.#reservations?.areDone !== false &&
      isIdle &&
      this.requests.every(({ belief }) => belief !== 'open')
    );
  }

  /** Presses the cashier's cancel key. */
  abort(): void {
    if (this.#running?.about == null || !this.#running.accepted) return;
    this.#abortsUnanswered += 1;
    this.#put(encodePacket('abortCommand'));
  }

  /** Switches the till off and on again. Its memory is on its own disk. */
  restart(): void {
    if (!this.#isOn) return;
    this.#stage.say(this.#name, () => 'is switched off');
    this.#isOn = false;
    this.#cancelWait();
    this.#cancelNext();
    this.#line.close();
    if (this.#running?.about?.belief === 'open') this.#mustAsk = this.#running.about;
    this.#running = null;
    this.#stage.time.after(this.#chance.steeply(2_000, 60_000), () => {
      this.#stage.say(this.#name, () => 'is switched on');
      this.#isOn = true;
      this.#registered = false;
      this.#connect();
      this.#soon(this.#chance.between(500, 3_000));
    });
  }

  #soon(delayMs: number): void {
    this.#cancelNext();
    this.#cancelNext = this.#stage.time.after(delayMs, () => this.#next());
  }

  #next(): void {
    if (this.#running !== null || !this.#isOn) return;
    if (this.#odd?.isPolling) return this.#soon(this.#chance.between(500, 3_000));
    if (!this.#line.isConnected) this.#connect();
    if (!this.#line.isConnected) return this.#soon(this.#chance.between(500, 3_000));
    if (this.#mustAsk !== null) return this.#ask();
    if (!this.#registered || this.#chance.is(0.05)) return this.#register();
    if (this.#closing?.is(this.#mustClose ? 0.7 : 0.08)) return this.#endTheDay(this.#closing);
    const aboutReservation = this.#reservations?.next();
    if (aboutReservation?.request) return this.#request(aboutReservation, aboutReservation.request);
    if (aboutReservation) return this.#command(aboutReservation, null);
    if (
      this.#refundsLeft > 0 &&
      this.#chance.is(this.#stage.weather.moments?.isOfRefunds ? 0.6 : 0.3)
    )
      this.#giveBack();
    else if (this.#salesLeft > 0) this.#sell();
    else if (this.#reservations?.areDone === false) this.#soon(this.#chance.between(500, 5_000));
  }

  #register(): void {
    this.#registered = true;
    if (this.#chance.is(0.1)) return this.#next();
    const config =
      (this.#chance.is(0.15) ? 0x82 : 0) |
      (this.#chance.is(0.6) ? 0x08 : 0) |
      (this.#closing?.is(0.3) ? 0x84 : 0);
    const withCurrency = this.#chance.is(0.8);
    const parts = [
      password,
      Uint8Array.of(config),
      ...(withCurrency ? [encodeCurrency('DKK')] : []),
    ];
    const fields: Fields =
      withCurrency && this.#chance.is(0.7)
        ? new Map([[BMP.tlv, this.#agreed()]])
        : new Map<number, Uint8Array>();
    this.#command(
      { what: 'registration', packet: encodePacket('registration', { parts, fields }) },
      null,
    );
  }

  /** Closes the day, or asks for totals. */
  #endTheDay(chance: Chance): void {
    const what = this.#mustClose
      ? 'endOfDay'
      : chance.one(['endOfDay', 'endOfDay', 'endOfDay', 'totals', 'printTotals'] as const);
    this.#mustClose = what === 'endOfDay';
    this.#command({ what, packet: encodePacket(what, { parts: [password] }) }, null);
  }

  /**
   * Half of the tills that send a container ask for receipts in blocks, with a number of copies
   * that may be 0, or also for failed payments.
   */
  #agreed(): Uint8Array {
    if (this.#paper.is(0.5)) return new Uint8Array(0);
    const textBlocks = encodeTlv([
      {
        tag: TAG.command,
        value: Uint8Array.of(packets.printTextBlock.classByte, packets.printTextBlock.instruction),
      },
    ]);
    return encodeTlv([
      { tag: TAG.permittedCommands, value: textBlocks },
      { tag: TAG.receiptParameter, value: Uint8Array.of(this.#paper.between(0, 256) & 0xf8) },
    ]);
  }

  #sell(): void {
    this.#salesLeft -= 1;
    const amountMinor = this.#nextAmount();
    const handedOutMinor = this.#parts.is(0.05) ? this.#parts.between(1, amountMinor + 1) : null;
    const { packet, ...asked } = this.#odd?.sale(amountMinor) ?? {
      packet: encodePacket('authorisation', { fields: amountFields(amountMinor) }),
    };
    this.#request(
      { what: 'authorisation', packet },
      { ...unheard, kind: 'sale', amountMinor, handedOutMinor, ...asked },
    );
  }

  /** Refunds a part of one of its own paid sales, or by a reversal what is left. */
  #giveBack(): void {
    this.#refundsLeft -= 1;
    const paid = this.requests.filter(
      (one) =>
        one.belief === 'yes' &&
        one.receiptNumber !== null &&
        (one.kind === 'sale' || this.#isFirstCapture(one)),
    );
    if (paid.length === 0) return this.#next();
    const sale = this.#chance.one(paid);
    const part = this.#chance.is(0.6)
      ? this.#chance.between(1, (sale.amountMinor as number) + 1)
      : null;
    // The same part of the same sale within a short time would be a repeated refund, because ZVT
    // has no other name for it.
    if (
      part !== null &&
      this.requests.some(({ of, amountMinor }) => of === sale && amountMinor === part)
    )
      return this.#next();
    const fields = new Map<number, Uint8Array>([
      [BMP.receiptNumber, encodeBcd(sale.receiptNumber as number, 2)],
    ]);
    if (part !== null)
      fields.set(BMP.amount, encodeBcd(part, 6)).set(BMP.currency, encodeCurrency('DKK'));
    const what = part !== null && this.#chance.is(0.5) ? 'refund' : 'reversal';
    const plain = encodePacket(what, { parts: [password], fields });
    this.#request(
      { what, packet: this.#odd?.spoilt(what, plain) ?? plain },
      { ...unheard, kind: 'refund', of: sale, amountMinor: part },
    );
  }

  /** Whether this is the first capture with this receipt number: a repeated one has the same. */
  #isFirstCapture({ booking, receiptNumber }: TillRequest): boolean {
    return (
      booking === 'capture' &&
      this.requests.filter(
        (other) => other.booking === 'capture' && other.receiptNumber === receiptNumber,
      ).length === 1
    );
  }

  #request(command: TillCommand, request: TillRequest): void {
    this.requests.push(request);
    // A number that was named before, even with a refusal, belongs to something else.
    for (const receipt of this.receiptsTold) this.#receiptsHeard.add(receipt);
    this.#command(command, request);
    const { weather, time } = this.#stage;
    const soon = (act: () => void): void =>
      void time.after(
        this.#chance.steeply(50, 60_000),
        () => this.#running?.about === request && act(),
      );
    if (this.#stage.fault(this.#chance, weather.impatience)) soon(() => this.abort());
    if (this.#stage.fault(this.#chance, weather.tillMischief)) soon(() => this.restart());
    if (this.#odd !== null && !this.#line.isSerial)
      time.after(this.#odd.pollsAfterMs, () => this.#pollWithin(request));
  }

  #pollWithin(request: TillRequest): void {
    const { about, what, accepted } = this.#running ?? {};
    if (accepted && about === request && what !== 'repeatReceipt')
      this.#odd?.poll((apdu) => this.#put(apdu), this.#abortsUnanswered);
  }

  /**
   * Asks for the last receipt, with its status information and without lines to print; for a
   * booking it may repeat the command instead.
   */
  #ask(): void {
    const about = this.#mustAsk;
    const repetition = about && this.#reservations?.repetitionOf(about);
    if (about && repetition) {
      // The refund may be a new one with numbers of its own.
      about.receiptNumber = null;
      return this.#command(repetition, about, true);
    }
    const fields = new Map([[BMP.serviceByte, Uint8Array.of(0x03)]]);
    this.#command(
      {
        what: 'repeatReceipt',
        packet: encodePacket('repeatReceipt', { parts: [password], fields }),
      },
      this.#mustAsk,
    );
  }

  #command({ what, packet }: TillCommand, about: TillRequest | null, isRepeated = false): void {
    this.#running = { what, about, isRepeated, status: null, accepted: false };
    if (about !== null && this.#abortsUnanswered > 0) about.isMisleading = true;
    this.#put(packet);
    this.#wait(t3Ms + (this.#line.isSerial ? serialSendMs : 0));
  }

  #wait(ms: number): void {
    this.#cancelWait();
    this.#cancelWait = this.#stage.time.after(ms, () => {
      this.#stage.say(this.#name, () => `hears nothing about its ${this.#running?.what}`);
      // Without an answer the till closes a TCP connection; a serial line stays open (ZVT PA00P016,
      // section 5).
      if (this.#line.isSerial) this.#endWithout();
      else this.#line.lose();
    });
  }

  /** The running command has ended without a known result. */
  #endWithout(): void {
    const running = this.#running;
    this.#running = null;
    this.#cancelWait();
    if (running?.about?.belief === 'open') this.#mustAsk = running.about;
    this.#soon(this.#chance.between(500, 4_000));
  }

  // The terminal's packets.

  #received(apdu: Uint8Array): void {
    if (!this.#isOn) return;
    this.#stage.say(this.#name, () => `<- ${describe(apdu)}`);
    const answer = parseAnswer(apdu);
    if (answer !== null && this.#odd?.takesAnswer(answer)) return;
    if (answer !== null) return this.#answered(answer.positive ? null : answer.code);
    const parsed = parsePacket(apdu);
    if (parsed.kind !== 'packet') return this.#put(negativeAnswer(RESULT.functionNotPossible));
    const told = parsed.name === 'statusInformation' ? receiptOf(parsed.fields) : null;
    if (told !== null) this.receiptsTold.add(told);
    const running = this.#running;
    if (this.#odd?.takesEnd(parsed.name)) {
      if (running?.about)
        this.alarms.push(
          `06 0F in the middle of its ${running.about.kind} of ${running.about.amountMinor}: it handed out goods`,
        );
      return this.#put(positiveAnswer);
    }
    // Status information of no command of this till is ignored: before 80 00 it is left from an
    // earlier one, and another amount is another sale.
    const hasNoResult =
      parsed.name === 'statusInformation' &&
      running?.about === null &&
      withoutResult.has(running.what);
    if (
      running === null ||
      !running.accepted ||
      hasNoResult ||
      isOfAnother(running, parsed.fields)
    ) {
      // The late end of a sale, of another reservation, or of a booking of that one, is not about
      // this booking.
      const reservation = running?.about?.of;
      const isOfAnotherMoney = this.requests.some(
        (request) =>
          request.kind !== 'refund' &&
          request !== reservation &&
          (request.kind !== 'booking' || request.of !== reservation) &&
          request.amountMinor === amountOf(parsed.fields),
      );
      if (
        running?.accepted &&
        running.about?.kind === 'booking' &&
        !isOfAnotherMoney &&
        parsed.name === 'statusInformation' &&
        resultCodeOf(parsed.fields) === RESULT.ok
      )
        this.alarms.push(
          `of a reservation ${running.about.amountMinor} were asked for, and ${amountOf(parsed.fields)} were told as done`,
        );
      return this.#put(negativeAnswer(RESULT.functionNotPossible));
    }
    const manner = this.#manner(parsed.name, parsed.fields);
    const { about, what } = running;
    const saysDone =
      parsed.name === 'statusInformation' && resultCodeOf(parsed.fields) === RESULT.ok;
    if (about !== null && saysDone && this.#line.isSerial) about.acknowledged = true;
    // The reservation is decided a moment after the answer: a moment for a power cut.
    if (
      saysDone &&
      about?.kind === 'booking' &&
      this.#reserving !== null &&
      this.#stage.fault(this.#reserving, this.#stage.weather.crash * 30)
    )
      this.#powerFails();
    if (manner === 'silent') return this.#stage.say(this.#name, () => 'does not answer');
    // A till that answers late knows the result: the completion that comes before its answer is of
    // that one, not of one before.
    const isResult = parsed.name === 'statusInformation' && manner === 'takes';
    if (isResult) this.#take(running, parsed.name, parsed.fields);
    const act = (): void => {
      if (this.#running !== running || !this.#isOn) return;
      const part = saysDone && what === 'authorisation' ? (about?.handedOutMinor ?? null) : null;
      // Learnt from the last receipt, which has no answer with a part: it hands out all.
      if (
        saysDone &&
        what === 'repeatReceipt' &&
        about?.amountMinor === amountOf(parsed.fields) &&
        !about.hasSentAcknowledgement
      )
        about.handedOutMinor = null;
      this.#put(
        manner !== 'takes'
          ? negativeAnswer(manner)
          : part === null
            ? positiveAnswer
            : handedOut(part),
      );
      const isMore = part !== null && part > (about?.amountMinor ?? 0);
      if (about !== null && saysDone && manner === 'takes' && what !== 'repeatReceipt' && !isMore)
        about.acknowledged = about.hasSentAcknowledgement = true;
      this.#wait(t4Ms);
      if (
        parsed.name === 'abort' &&
        what === 'partialReversal' &&
        about === null &&
        running.status === null
      )
        this.alarms.push(...(this.#reservations?.wrongIn(parsed.rest) ?? []));
      if (manner === 'takes' && !isResult) this.#take(running, parsed.name, parsed.fields);
      else if (parsed.name === 'completion' || parsed.name === 'abort')
        this.#take(running, parsed.name, parsed.fields);
    };
    if (this.#stage.fault(this.#chance, this.#stage.weather.tillMischief / 2))
      this.#stage.time.after(this.#chance.steeply(100, 8_000), act);
    else act();
  }

  #manner(packet: PacketName, fields: Fields): 'takes' | 'silent' | number {
    if (!this.#stage.fault(this.#chance, this.#stage.weather.tillMischief)) return 'takes';
    if (this.#chance.is(0.3)) return 'silent';
    if (packet === 'statusInformation' && resultCodeOf(fields) === RESULT.ok)
      return this.#chance.is(0.6) ? RESULT.pleaseWait : 0x6c;
    return packet === 'printLine' || packet === 'printTextBlock' ? 0xcc : 'takes';
  }

  #take(running: Running, name: PacketName, fields: Fields): void {
    switch (name) {
      case 'statusInformation': {
        running.status = fields;
        const receipt = receiptOf(fields);
        if (receipt === null || running.what === 'repeatReceipt' || running.about === null) return;
        running.about.receiptNumber = receipt;
        running.about.traceNumber = traceOf(fields);
        running.about.amountMinor ??= amountOf(fields);
        return;
      }
      case 'completion':
        return this.#ended(running, true);
      case 'abort':
        return this.#ended(running, false);
      default:
        return;
    }
  }

  /** The answer to the till's command: 80 00, or the code of 84 xx. */
  #answered(code: number | null): void {
    const running = this.#running;
    if (running === null || running.accepted) {
      this.#abortsUnanswered = Math.max(0, this.#abortsUnanswered - 1);
      return;
    }
    if (code === null) {
      running.accepted = true;
      return this.#wait(t4Ms);
    }
    this.#cancelWait();
    this.#running = null;
    if (running.what !== 'repeatReceipt' && running.about !== null && !running.isRepeated)
      this.#believe(running.about, 'no', 'it was refused');
    this.#soon(
      code === RESULT.pleaseWait
        ? this.#chance.between(1_000, 6_000)
        : this.#chance.between(500, 20_000),
    );
  }

  /** 06 0F or 06 1E was received. */
  #ended({ what, about, isRepeated, status }: Running, completed: boolean): void {
    this.#cancelWait();
    this.#running = null;
    if (what === 'endOfDay') this.#endedTheDay(status, completed);
    if (about !== null) {
      if (what === 'repeatReceipt') this.#learn(about, status, completed);
      else if (isRepeated) this.#learnFromRepetition(about, status, completed);
      else if (!completed) this.#believe(about, 'no', 'it was aborted');
      else if (status === null) this.#mustAsk = about;
      else
        this.#believe(about, resultCodeOf(status) === RESULT.ok ? 'yes' : 'no', 'it was completed');
      const receipt = status === null ? null : receiptOf(status);
      // The receipt in a repetition may belong to the repeated request.
      if (receipt !== null && !isRepeated) this.#receiptsHeard.add(receipt);
      const isAbout =
        what !== 'repeatReceipt' || (receipt !== null && receipt === about.receiptNumber);
      const code = status === null ? null : resultCodeOf(status);
      // "Yes" counts when the command was completed with it.
      if (status !== null && code !== null && isAbout && (code !== RESULT.ok || completed))
        this.#heard({ request: about, code, receiptNumber: receipt, text: textOf(status) });
    }
    this.#soon(
      this.#chance.is(this.#stage.weather.moments === null ? 0.2 : 0.6)
        ? this.#chance.between(1, 300)
        : this.#chance.steeply(300, 20_000),
    );
  }

  #endedTheDay(status: Fields | null, completed: boolean): void {
    // A serial line repeats commands: an end without figures belongs to the earlier command.
    const isOfAnother = completed && status === null && this.isOnCable;
    // A command that this connection may not use is not tried again at once.
    this.#mustClose =
      isOfAnother ||
      (!completed && (status === null || resultCodeOf(status) !== RESULT.endOfDayNotPossible));
    if (completed && !isOfAnother) this.#closed(status);
  }

  /**
   * The day was told as closed: the closing has this sum, and its number is not below the last
   * known one.
   */
  #closed(status: Fields | null): void {
    const number = status === null ? null : traceOf(status);
    const amountMinor = status === null ? null : amountOf(status);
    if (status === null || number === null || amountMinor === null || !status.has(BMP.singleTotals))
      return void this.alarms.push('a day was closed without its figures');
    const wrong = this.#closings.wrongIn(this.laneId, number, amountMinor);
    if (wrong !== null) this.alarms.push(wrong);
    if (number < this.#lastClosing)
      this.alarms.push(`closing ${number} was told after ${this.#lastClosing}`);
    this.#lastClosing = number;
  }

  /**
   * Reads the terminal's last receipt: status information and 06 0F, or 06 1E alone when there is
   * none. Everything else is the end of another command.
   */
  #learn(about: TillRequest, status: Fields | null, completed: boolean): void {
    if (completed === (status === null)) return;
    this.#mustAsk = null;
    const receipt = status === null ? null : receiptOf(status);
    const isMine =
      receipt !== null &&
      (about.receiptNumber === null
        ? !this.#receiptsHeard.has(receipt)
        : receipt === about.receiptNumber);
    if (status === null || !isMine)
      return this.#believe(about, 'no', 'the last receipt is another one');
    about.receiptNumber = receipt;
    about.traceNumber = traceOf(status);
    about.amountMinor ??= amountOf(status);
    const isOk = resultCodeOf(status) === RESULT.ok;
    const told = amountOf(status);
    // A manager may have captured a part of the reservation by now.
    const isLess =
      about.kind === 'reservation' && told !== null && told < (about.amountMinor as number);
    if (
      isOk &&
      told !== about.amountMinor &&
      !isLess &&
      (told === null || told !== about.handedOutMinor)
    )
      this.alarms.push(
        `${about.amountMinor} was asked for, the last receipt is of ${amountOf(status)}`,
      );
    this.#believe(about, isOk ? 'yes' : 'no', 'the last receipt says so');
  }

  /**
   * The command was done now, or its result was repeated. A "no" is about the repetition alone,
   * which the lost command may be in the way of.
   */
  #learnFromRepetition(about: TillRequest, status: Fields | null, completed: boolean): void {
    if (!completed || status === null || resultCodeOf(status) !== RESULT.ok) return;
    this.#mustAsk = null;
    this.#believe(about, 'yes', 'it was repeated and completed');
  }

  get isOnCable(): boolean {
    return this.#line.isSerial;
  }

  #believe(about: TillRequest, belief: 'yes' | 'no', why: string): void {
    about.because = why;
    this.#stage.say(
      this.#name,
      () =>
        `BELIEVES that its ${about.kind} of ${about.amountMinor ?? 'all'} is ${belief === 'yes' ? 'done' : 'not done'}: ${why}`,
    );
    if (about.belief !== 'open' && about.belief !== belief)
      this.alarms.push(
        `its ${about.kind} of ${about.amountMinor} was ${about.belief} and is ${belief} now`,
      );
    if (about.belief === 'open' && belief === 'yes') this.#reservations?.done(about);
    about.belief = belief;
  }

  #connect(): void {
    this.#odd?.forget();
    // A registration belongs to its connection, which some tills do not know.
    if (this.#line.connect() && !this.#line.isSerial && this.#chance.is(0.9))
      this.#registered = false;
  }

  #lost(): void {
    this.#stage.say(this.#name, () => 'has lost its connection');
    this.#abortsUnanswered = 0;
    this.#odd?.forget();
    this.#endWithout();
  }

  #put(apdu: Uint8Array): void {
    this.#stage.say(this.#name, () => `-> ${describe(apdu)}`);
    this.#line.send(apdu);
  }
}

const isOfAnother = ({ what, about }: Running, fields: Fields): boolean => {
  const told = amountOf(fields);
  return (
    what !== 'repeatReceipt' &&
    about !== null &&
    told !== null &&
    about.amountMinor !== null &&
    told !== about.amountMinor
  );
};
