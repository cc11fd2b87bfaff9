/**
 * A shop's till, as strict as the protocol: it believes in a payment when 04 0F said so and 06 0F ended it. Whenever a command ends without
 * that it asks for the last receipt (06 20) until it is answered, and only then knows. What it remembers survives everything.
 */
import type { Cancel } from '../../main/domain/clock.ts';
import { silentLog } from '../../main/domain/log.ts';
import { ApduStream } from '../../main/till/zvt/apdu.ts';
import { decodeBcd, encodeBcd } from '../../main/till/zvt/bcd.ts';
import { BMP, type Fields, parseFields } from '../../main/till/zvt/bitmaps.ts';
import { encodeCurrency } from '../../main/till/zvt/currency.ts';
import { describe } from '../../main/till/zvt/describe.ts';
import { encodePacket, negativeAnswer, type PacketName, packets, parseAnswer, parsePacket, positiveAnswer, resultCodeOf } from '../../main/till/zvt/packets.ts';
import { RESULT } from '../../main/till/zvt/result-codes.ts';
import { ZvtSerialLink } from '../../main/till/zvt/serial-link.ts';
import { encodeTlv, parseTlv, TAG } from '../../main/till/zvt/tlv.ts';
import type { Cable } from './cable.ts';
import type { Closings } from './day-book.ts';
import type { Chance } from './random.ts';
import type { Counter, SimulatedSocket } from './sockets.ts';
import type { Stage } from './stage.ts';
import { amountFields, amountOf, handedOut, receiptOf, textOf, traceOf } from './till-fields.ts';

/** One press of the till's key for payment, reversal or reservation, and what the till knows of it. */
export interface TillRequest {
  readonly kind: 'sale' | 'refund' | 'reservation' | 'booking';
  /** For a refund, the sale or the capture of a reservation that is refunded; for a booking, the reservation. */
  readonly of: TillRequest | null;
  /** For a booking, what is to be done. `impossible` asks for something invalid, such as more than is reserved. */
  readonly booking: 'capture' | 'release' | 'impossible' | null;
  /**
   * No two of a run's sales and reservations have the same: it is their name. Of a booking what is captured, or given back; null for a reversal of all that
   * is left, until the terminal tells how much that is.
   */
  amountMinor: number | null;
  belief: 'open' | 'yes' | 'no';
  /** Why the till believes this; null while it does not know. */
  because: string | null;
  /** The receipt number from 04 0F. */
  receiptNumber: number | null;
  traceNumber: number | null;
  /**
   * The till acknowledged a 04 0F that told it "paid" or "refunded", in the command that asked for it. On a serial line it is enough that such a
   * 04 0F came: the line repeats packets, and nobody can tell which one an acknowledgement is for.
   */
  acknowledged: boolean;
  /** Whether it was sent while the answer to an abort was still to come: the till may have taken that refusal for the refusal of this one. */
  isMisleading?: true;
  /** For a sale, the amount of the goods that are handed out, which the till reports whenever it is told "paid"; null for all of them. */
  readonly handedOutMinor: number | null;
}

/** How a command about a payment or a refund ended, as the terminal said. */
export interface Heard {
  readonly request: TillRequest;
  /** The result code of the last 04 0F. */
  readonly code: number;
  /** null when no payment or refund was begun. */
  readonly receiptNumber: number | null;
  /** The text beside the code. */
  readonly text: string | null;
}

export type SimulatedLine = { readonly kind: 'serial'; readonly cable: Cable } | { readonly kind: 'tcp'; readonly counter: Counter };

/** Commands that end without status information, where they are about no money: of the reversal, the question for open reservations. */
const withoutResult: ReadonlySet<PacketName> = new Set(['registration', 'partialReversal']);

interface Running {
  readonly what: PacketName;
  readonly about: TillRequest | null;
  /** Whether the command was sent before, and its end was not received. */
  readonly isRepeated: boolean;
  status: Fields | null;
  accepted: boolean;
}

/** A reservation that the till intends to decide about, and how many more times it will try. */
interface ToDecide {
  readonly reservation: TillRequest;
  attemptsLeft: number;
}

/** ZVT PA00P016, section 5: until an answer is given up, after the line's own repetitions; and until a terminal that says nothing is. */
const t3Ms = 5_000;
const serialSendMs = 15_000;
const t4Ms = 180_000;
const password = encodeBcd(123_456, 3);

export class ShopTill {
  readonly laneId: string;
  readonly requests: TillRequest[] = [];
  /** Messages of the terminal that cannot be true, for which a till's software would show an alarm. */
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
  /** Random numbers for closings; null when this till closes no days. */
  readonly #closing: Chance | null;
  readonly #closings: Closings;
  /** Whether the till missed the end of an end-of-day command, and must repeat it. */
  #mustClose = false;
  /** The number of the last closing whose end it has received. */
  #lastClosing = 0;
  readonly #line: SimulatedLine;
  readonly #name: string;
  readonly #nextAmount: () => number;
  readonly #heard: (heard: Heard) => void;
  readonly #powerFails: () => void;
  #send: ((apdu: Uint8Array) => void) | null = null;
  #hangUp: () => void = () => {};
  #running: Running | null = null;
  #cancelWait: Cancel = () => {};
  #cancelNext: Cancel = () => {};
  /**
   * The receipts of commands whose end was received, and all that were named before the till's newest request. The last one need not be the newest, because
   * an earlier one may be repeated.
   */
  readonly #receiptsHeard = new Set<number>();
  #salesLeft: number;
  #refundsLeft: number;
  #reservationsLeft: number;
  #wrongNumbersLeft = 3;
  readonly #toDecide: ToDecide[] = [];
  readonly #packets = new Map<TillRequest, { readonly what: PacketName; readonly packet: Uint8Array }>();
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
    closings: Closings;
    line: SimulatedLine;
    laneId: string;
    sales: number;
    refunds: number;
    nextAmount: () => number;
    heard: (heard: Heard) => void;
    powerFails: () => void;
  }) {
    this.#stage = options.stage;
    this.#chance = options.chance;
    this.#parts = options.parts;
    this.#paper = options.paper;
    this.#reserving = options.reserving;
    this.#closing = options.closing;
    this.#closings = options.closings;
    this.#reservationsLeft = options.reserving?.between(1, 8) ?? 0;
    this.#line = options.line;
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

  /** Whether nothing is left to sell and nothing to find out. */
  get isDone(): boolean {
    return (
      this.#salesLeft === 0 && !this.#isReserving && this.#running === null && this.#mustAsk === null && this.requests.every(({ belief }) => belief !== 'open')
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
    this.#hangUp();
    this.#send = null;
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

  // The next command.

  #soon(delayMs: number): void {
    this.#cancelNext();
    this.#cancelNext = this.#stage.time.after(delayMs, () => this.#next());
  }

  #next(): void {
    if (this.#running !== null || !this.#isOn) return;
    if (this.#send === null) this.#connect();
    if (this.#send === null) return this.#soon(this.#chance.between(500, 3_000));
    if (this.#mustAsk !== null) return this.#ask();
    if (!this.#registered || this.#chance.is(0.05)) return this.#register();
    if (this.#closing?.is(this.#mustClose ? 0.7 : 0.08)) return this.#endTheDay(this.#closing);
    if (this.#reserving !== null && this.#reserves(this.#reserving)) return;
    if (this.#refundsLeft > 0 && this.#chance.is(this.#stage.weather.moments?.isOfRefunds ? 0.6 : 0.3)) this.#giveBack();
    else if (this.#salesLeft > 0) this.#sell();
    else if (this.#isReserving) this.#soon(this.#chance.between(500, 5_000));
  }

  get #isReserving(): boolean {
    return this.#reservationsLeft > 0 || this.#toDecide.length > 0;
  }

  #register(): void {
    this.#registered = true;
    if (this.#chance.is(0.1)) return this.#next();
    const config = (this.#chance.is(0.15) ? 0x82 : 0) | (this.#chance.is(0.6) ? 0x08 : 0) | (this.#closing?.is(0.3) ? 0x84 : 0);
    const withCurrency = this.#chance.is(0.8);
    const parts = [password, Uint8Array.of(config), ...(withCurrency ? [encodeCurrency('DKK')] : [])];
    const fields: Fields = withCurrency && this.#chance.is(0.7) ? new Map([[BMP.tlv, this.#agreed()]]) : new Map<number, Uint8Array>();
    this.#command('registration', encodePacket('registration', { parts, fields }), null);
  }

  /** Closes the day, or asks for totals. */
  #endTheDay(chance: Chance): void {
    const what = this.#mustClose ? 'endOfDay' : chance.one(['endOfDay', 'endOfDay', 'endOfDay', 'totals', 'printTotals'] as const);
    this.#mustClose = what === 'endOfDay';
    this.#command(what, encodePacket(what, { parts: [password] }), null);
  }

  /** Half of the tills that send a container ask for receipts in blocks, with a number of copies that may be 0, or also for failed payments. */
  #agreed(): Uint8Array {
    if (this.#paper.is(0.5)) return new Uint8Array(0);
    const textBlocks = encodeTlv([{ tag: TAG.command, value: Uint8Array.of(packets.printTextBlock.classByte, packets.printTextBlock.instruction) }]);
    return encodeTlv([
      { tag: TAG.permittedCommands, value: textBlocks },
      { tag: TAG.receiptParameter, value: Uint8Array.of(this.#paper.between(0, 256) & 0xf8) },
    ]);
  }

  #sell(): void {
    this.#salesLeft -= 1;
    const amountMinor = this.#nextAmount();
    const handedOutMinor = this.#parts.is(0.05) ? this.#parts.between(1, amountMinor + 1) : null;
    const fields = amountFields(amountMinor);
    this.#request('authorisation', encodePacket('authorisation', { fields }), { ...unheard, kind: 'sale', amountMinor, handedOutMinor });
  }

  /** Makes reservations, and decides about them, among all else. @returns whether a command was sent */
  #reserves(chance: Chance): boolean {
    if (this.#reservationsLeft > 0 && chance.is(0.4)) {
      this.#reservationsLeft -= 1;
      const amountMinor = this.#nextAmount();
      const fields = amountFields(amountMinor);
      this.#request('preauthorisation', encodePacket('preauthorisation', { fields }), { ...unheard, kind: 'reservation', amountMinor });
      return true;
    }
    if (this.#isReserving && chance.is(0.1)) {
      const fields = new Map<number, Uint8Array>([[BMP.receiptNumber, anyReceipt]]);
      if (chance.is(0.5)) fields.set(BMP.tlv, new Uint8Array(0));
      this.#command('partialReversal', encodePacket('partialReversal', { fields }), null);
      return true;
    }
    if (this.#toDecide.length === 0 || chance.is(0.4)) return false;
    const one = chance.one(this.#toDecide);
    one.attemptsLeft -= 1;
    if (one.attemptsLeft <= 0) this.#toDecide.splice(this.#toDecide.indexOf(one), 1);
    this.#book(one.reservation, chance);
    return true;
  }

  /** Books the reservation rightly, wrongly, or as it was told before. */
  #book(reservation: TillRequest, chance: Chance): void {
    const done = this.requests.find(({ of, kind, belief }) => kind === 'booking' && of === reservation && belief === 'yes');
    const sent = done === undefined ? undefined : this.#packets.get(done);
    if (done !== undefined && sent !== undefined && chance.is(0.5))
      return this.#request(sent.what, sent.packet, { ...unheard, kind: 'booking', of: reservation, booking: done.booking, amountMinor: done.amountMinor });
    const reservedMinor = reservation.amountMinor as number;
    const command = chance.one(['bookTotal', 'bookTotal', 'partialReversal', 'preauthorisationReversal', 'preauthorisationReversalByTrace'] as const);
    const isTooMuch = chance.is(0.06);
    const isWrongNumber = !isTooMuch && this.#wrongNumbersLeft > 0 && chance.is(0.05);
    if (isWrongNumber) this.#wrongNumbersLeft -= 1;
    const asksNoAmount = command !== 'preauthorisationReversalByTrace' && chance.is(0.35);
    const isBack = command === 'preauthorisationReversal' || command === 'preauthorisationReversalByTrace';
    const rightMinor = isBack || chance.is(0.1) ? reservedMinor : chance.between(0, reservedMinor);
    const named = isTooMuch ? reservedMinor + chance.between(1, 500) : asksNoAmount ? null : rightMinor;
    const capturedMinor = isBack ? 0 : command === 'bookTotal' ? (named ?? reservedMinor) : reservedMinor - (named ?? 0);
    const fields = named === null ? new Map<number, Uint8Array>() : amountFields(named);
    const receiptNumber = isWrongNumber ? chance.between(9_000, 9_900) : (reservation.receiptNumber as number);
    if (command !== 'preauthorisationReversalByTrace') fields.set(BMP.receiptNumber, encodeBcd(receiptNumber, 2));
    if (command === 'preauthorisationReversalByTrace' || chance.is(0.2))
      fields.set(BMP.traceNumber, encodeBcd(isWrongNumber ? chance.between(900_000, 990_000) : (reservation.traceNumber as number), 3));
    this.#request(command, encodePacket(command, { fields }), {
      ...unheard,
      kind: 'booking',
      of: reservation,
      booking: isTooMuch || isWrongNumber ? 'impossible' : capturedMinor === 0 ? 'release' : 'capture',
      amountMinor: capturedMinor > 0 ? capturedMinor : reservedMinor,
    });
  }

  /** Refunds a part of one of its own paid sales, or by a reversal what is left. */
  #giveBack(): void {
    this.#refundsLeft -= 1;
    const paid = this.requests.filter((one) => one.belief === 'yes' && one.receiptNumber !== null && (one.kind === 'sale' || this.#isFirstCapture(one)));
    if (paid.length === 0) return this.#next();
    const sale = this.#chance.one(paid);
    const part = this.#chance.is(0.6) ? this.#chance.between(1, (sale.amountMinor as number) + 1) : null;
    // The same part of the same sale within a short time would be a repeated refund, because ZVT has no other name for it.
    if (part !== null && this.requests.some(({ of, amountMinor }) => of === sale && amountMinor === part)) return this.#next();
    const fields = new Map<number, Uint8Array>([[BMP.receiptNumber, encodeBcd(sale.receiptNumber as number, 2)]]);
    if (part !== null) fields.set(BMP.amount, encodeBcd(part, 6)).set(BMP.currency, encodeCurrency('DKK'));
    const command = part !== null && this.#chance.is(0.5) ? 'refund' : 'reversal';
    this.#request(command, encodePacket(command, { parts: [password], fields }), { ...unheard, kind: 'refund', of: sale, amountMinor: part });
  }

  /** Whether this is the first capture with this receipt number: a repeated one has the same. */
  #isFirstCapture({ booking, receiptNumber }: TillRequest): boolean {
    return booking === 'capture' && this.requests.filter((other) => other.booking === 'capture' && other.receiptNumber === receiptNumber).length === 1;
  }

  #request(what: PacketName, packet: Uint8Array, request: TillRequest): void {
    this.requests.push(request);
    // A number that was named before, even with a refusal, belongs to something else.
    for (const receipt of this.receiptsTold) this.#receiptsHeard.add(receipt);
    if (request.kind === 'booking') this.#packets.set(request, { what, packet });
    this.#command(what, packet, request);
    const { weather, time } = this.#stage;
    const soon = (act: () => void): void => void time.after(this.#chance.steeply(50, 60_000), () => this.#running?.about === request && act());
    if (this.#stage.fault(this.#chance, weather.impatience)) soon(() => this.abort());
    if (this.#stage.fault(this.#chance, weather.tillMischief)) soon(() => this.restart());
  }

  /** Asks for the last receipt, with its status information and without lines to print; for a booking it may repeat the command instead. */
  #ask(): void {
    const about = this.#mustAsk;
    const sent = about === null ? undefined : this.#packets.get(about);
    if (about !== null && sent !== undefined && this.#reserving?.is(0.5)) {
      // The refund may be a new one with numbers of its own.
      about.receiptNumber = null;
      return this.#command(sent.what, sent.packet, about, true);
    }
    this.#command(
      'repeatReceipt',
      encodePacket('repeatReceipt', { parts: [password], fields: new Map([[BMP.serviceByte, Uint8Array.of(0x03)]]) }),
      this.#mustAsk,
    );
  }

  #command(what: PacketName, packet: Uint8Array, about: TillRequest | null, isRepeated = false): void {
    this.#running = { what, about, isRepeated, status: null, accepted: false };
    if (about !== null && this.#abortsUnanswered > 0) about.isMisleading = true;
    this.#put(packet);
    this.#wait(t3Ms + (this.#line.kind === 'serial' ? serialSendMs : 0));
  }

  #wait(ms: number): void {
    this.#cancelWait();
    this.#cancelWait = this.#stage.time.after(ms, () => {
      this.#stage.say(this.#name, () => `hears nothing about its ${this.#running?.what}`);
      // Without an answer the till closes a TCP connection; a serial line stays open (ZVT PA00P016, section 5).
      if (this.#line.kind === 'tcp') this.#lose();
      else this.#endWithout();
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
    if (answer !== null) return this.#answered(answer.positive ? null : answer.code);
    const parsed = parsePacket(apdu);
    if (parsed.kind !== 'packet') return this.#put(negativeAnswer(RESULT.functionNotPossible));
    const told = parsed.name === 'statusInformation' ? receiptOf(parsed.fields) : null;
    if (told !== null) this.receiptsTold.add(told);
    const running = this.#running;
    // Status information of no command of this till is ignored: before 80 00 it is left from an earlier one, and another amount is another sale.
    const hasNoResult = parsed.name === 'statusInformation' && running?.about === null && withoutResult.has(running.what);
    if (running === null || !running.accepted || hasNoResult || isOfAnother(running, parsed.fields)) {
      // The late end of a sale, of another reservation, or of a booking of that one, is not about this booking.
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
        this.alarms.push(`of a reservation ${running.about.amountMinor} were asked for, and ${amountOf(parsed.fields)} were told as done`);
      return this.#put(negativeAnswer(RESULT.functionNotPossible));
    }
    const manner = this.#manner(parsed.name, parsed.fields);
    const { about, what } = running;
    const saysDone = parsed.name === 'statusInformation' && resultCodeOf(parsed.fields) === RESULT.ok;
    if (about !== null && saysDone && this.#line.kind === 'serial') about.acknowledged = true;
    // The reservation is decided a moment after the answer: a moment for a power cut.
    if (saysDone && about?.kind === 'booking' && this.#reserving !== null && this.#stage.fault(this.#reserving, this.#stage.weather.crash * 30))
      this.#powerFails();
    if (manner === 'silent') return this.#stage.say(this.#name, () => 'does not answer');
    // A till that answers late knows the result: the completion that comes before its answer is of that one, not of one before.
    const isResult = parsed.name === 'statusInformation' && manner === 'takes';
    if (isResult) this.#take(running, parsed.name, parsed.fields);
    const act = (): void => {
      if (this.#running !== running || !this.#isOn) return;
      const part = saysDone && what === 'authorisation' ? (about?.handedOutMinor ?? null) : null;
      this.#put(manner !== 'takes' ? negativeAnswer(manner) : part === null ? positiveAnswer : handedOut(part));
      if (about !== null && saysDone && manner === 'takes' && what !== 'repeatReceipt') about.acknowledged = true;
      this.#wait(t4Ms);
      if (parsed.name === 'abort' && what === 'partialReversal' && about === null && running.status === null) this.#listed(parsed.rest);
      if (manner === 'takes' && !isResult) this.#take(running, parsed.name, parsed.fields);
      else if (parsed.name === 'completion' || parsed.name === 'abort') this.#take(running, parsed.name, parsed.fields);
    };
    if (this.#stage.fault(this.#chance, this.#stage.weather.tillMischief / 2)) this.#stage.time.after(this.#chance.steeply(100, 8_000), act);
    else act();
  }

  #manner(packet: PacketName, fields: Fields): 'takes' | 'silent' | number {
    if (!this.#stage.fault(this.#chance, this.#stage.weather.tillMischief)) return 'takes';
    if (this.#chance.is(0.3)) return 'silent';
    if (packet === 'statusInformation' && resultCodeOf(fields) === RESULT.ok) return this.#chance.is(0.6) ? RESULT.pleaseWait : 0x6c;
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
    if (running.what !== 'repeatReceipt' && running.about !== null && !running.isRepeated) this.#believe(running.about, 'no', 'it was refused');
    this.#soon(code === RESULT.pleaseWait ? this.#chance.between(1_000, 6_000) : this.#chance.between(500, 20_000));
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
      else this.#believe(about, resultCodeOf(status) === RESULT.ok ? 'yes' : 'no', 'it was completed');
      const receipt = status === null ? null : receiptOf(status);
      // The receipt in a repetition may belong to the repeated request.
      if (receipt !== null && !isRepeated) this.#receiptsHeard.add(receipt);
      const isAbout = what !== 'repeatReceipt' || (receipt !== null && receipt === about.receiptNumber);
      const code = status === null ? null : resultCodeOf(status);
      // "Yes" counts when the command was completed with it.
      if (status !== null && code !== null && isAbout && (code !== RESULT.ok || completed))
        this.#heard({ request: about, code, receiptNumber: receipt, text: textOf(status) });
    }
    this.#soon(this.#chance.is(this.#stage.weather.moments === null ? 0.2 : 0.6) ? this.#chance.between(1, 300) : this.#chance.steeply(300, 20_000));
  }

  #endedTheDay(status: Fields | null, completed: boolean): void {
    // A serial line repeats commands: an end without figures belongs to the earlier command.
    const isOfAnother = completed && status === null && this.isOnCable;
    // A command that this connection may not use is not tried again at once.
    this.#mustClose = isOfAnother || (!completed && (status === null || resultCodeOf(status) !== RESULT.endOfDayNotPossible));
    if (completed && !isOfAnother) this.#closed(status);
  }

  /** The day was told as closed: the closing has this sum, and its number is not below the last known one. */
  #closed(status: Fields | null): void {
    const number = status === null ? null : traceOf(status);
    const amountMinor = status === null ? null : amountOf(status);
    if (status === null || number === null || amountMinor === null || !status.has(BMP.singleTotals))
      return void this.alarms.push('a day was closed without its figures');
    const wrong = this.#closings.wrongIn(this.laneId, number, amountMinor);
    if (wrong !== null) this.alarms.push(wrong);
    if (number < this.#lastClosing) this.alarms.push(`closing ${number} was told after ${this.#lastClosing}`);
    this.#lastClosing = number;
  }

  /** Reads the terminal's last receipt: status information and 06 0F, or 06 1E alone when there is none. Everything else is the end of another command. */
  #learn(about: TillRequest, status: Fields | null, completed: boolean): void {
    if (completed === (status === null)) return;
    this.#mustAsk = null;
    const receipt = status === null ? null : receiptOf(status);
    const isMine = receipt !== null && (about.receiptNumber === null ? !this.#receiptsHeard.has(receipt) : receipt === about.receiptNumber);
    if (status === null || !isMine) return this.#believe(about, 'no', 'the last receipt is another one');
    about.receiptNumber = receipt;
    about.traceNumber = traceOf(status);
    about.amountMinor ??= amountOf(status);
    const isOk = resultCodeOf(status) === RESULT.ok;
    const told = amountOf(status);
    // A manager may have captured a part of the reservation by now.
    const isLess = about.kind === 'reservation' && told !== null && told < (about.amountMinor as number);
    if (isOk && told !== about.amountMinor && !isLess && (told === null || told !== about.handedOutMinor))
      this.alarms.push(`${about.amountMinor} was asked for, the last receipt is of ${amountOf(status)}`);
    this.#believe(about, isOk ? 'yes' : 'no', 'the last receipt says so');
  }

  /** The command was done now, or its result was repeated. A "no" is about the repetition alone, which the lost command may be in the way of. */
  #learnFromRepetition(about: TillRequest, status: Fields | null, completed: boolean): void {
    if (!completed || status === null || resultCodeOf(status) !== RESULT.ok) return;
    this.#mustAsk = null;
    this.#believe(about, 'yes', 'it was repeated and completed');
  }

  /** Checks the terminal's list of open reservations: only this till's own, and only those that it has not decided. */
  #listed(rest: Uint8Array): void {
    const parsed = parseFields(rest);
    if (!parsed.ok) return void this.alarms.push('the list of reservations cannot be read');
    const numbers = [
      parsed.fields.get(BMP.receiptNumber),
      ...parseTlv(parsed.fields.get(BMP.tlv) ?? new Uint8Array(0)).flatMap(({ tag, value }) =>
        tag === TAG.openReservations ? parseTlv(value).map((one) => one.value) : [],
      ),
    ];
    for (const bytes of numbers) {
      const number = bytes === undefined ? null : decodeBcd(bytes);
      if (number === null) continue;
      const reservation = this.requests.find(({ kind, receiptNumber }) => kind === 'reservation' && receiptNumber === number);
      const isDecided = this.requests.some(({ kind, of, belief }) => kind === 'booking' && of === reservation && belief === 'yes');
      if (reservation === undefined || reservation.belief === 'no') this.alarms.push(`reservation ${number} is listed, which the till does not know`);
      else if (isDecided) this.alarms.push(`reservation ${number} is listed, which the till has decided`);
    }
  }

  /** Whether the till is on a serial line, which may garble and repeat packets. */
  get isOnCable(): boolean {
    return this.#line.kind === 'serial';
  }

  #believe(about: TillRequest, belief: 'yes' | 'no', why: string): void {
    about.because = why;
    this.#stage.say(this.#name, () => `BELIEVES that its ${about.kind} of ${about.amountMinor ?? 'all'} is ${belief === 'yes' ? 'done' : 'not done'}: ${why}`);
    if (about.belief !== 'open' && about.belief !== belief)
      this.alarms.push(`its ${about.kind} of ${about.amountMinor} was ${about.belief} and is ${belief} now`);
    if (about.belief === 'open' && belief === 'yes' && this.#reserving !== null) {
      // Now and then a reservation is forgotten, and a decided one is tried again.
      if (about.kind === 'reservation' && !this.#reserving.is(0.03)) this.#toDecide.push({ reservation: about, attemptsLeft: this.#reserving.between(3, 8) });
      if (about.kind === 'booking') {
        const at = this.#toDecide.findIndex(({ reservation }) => reservation === about.of);
        const one = at < 0 ? undefined : this.#toDecide[at];
        if (one !== undefined && (!this.#reserving.is(0.4) || (one.attemptsLeft = Math.min(one.attemptsLeft, 2)) < 1)) this.#toDecide.splice(at, 1);
      }
    }
    about.belief = belief;
  }

  // The connection.

  #connect(): void {
    if (this.#line.kind === 'serial') {
      const link: ZvtSerialLink = new ZvtSerialLink({ clock: this.#stage.time, log: silentLog, listener: { received: (apdu) => this.#received(apdu) } });
      link.attach(this.#line.cable.connectTill({ data: (bytes) => link.data(bytes), lost: () => {} }));
      this.#send = (apdu) => link.send(apdu);
      this.#hangUp = () => link.close();
      return;
    }
    const socket = this.#line.counter.connect();
    if (socket === null) return;
    // A registration belongs to its connection, which some tills do not know.
    if (this.#chance.is(0.9)) this.#registered = false;
    this.#converse(socket);
  }

  #converse(socket: SimulatedSocket): void {
    const stream = new ApduStream();
    this.#send = (apdu) => socket.write(apdu);
    this.#hangUp = () => socket.destroy();
    socket.on('data', (bytes: Uint8Array) => {
      if (!socket.destroyed) for (const apdu of stream.push(bytes)) this.#received(apdu);
    });
    const hangUp = this.#hangUp;
    socket.once('close', () => {
      if (this.#hangUp === hangUp) this.#lose();
    });
  }

  /** Loses a TCP connection; a cable cannot be lost like this. */
  #lose(): void {
    if (this.#send === null) return;
    this.#stage.say(this.#name, () => 'has lost its connection');
    const hangUp = this.#hangUp;
    this.#hangUp = () => {};
    this.#send = null;
    this.#abortsUnanswered = 0;
    hangUp();
    this.#endWithout();
  }

  #put(apdu: Uint8Array): void {
    this.#stage.say(this.#name, () => `-> ${describe(apdu)}`);
    this.#send?.(apdu);
  }
}

/** The fields of a request that was just made. */
const unheard = {
  of: null,
  booking: null,
  belief: 'open',
  because: null,
  receiptNumber: null,
  traceNumber: null,
  acknowledged: false,
  handedOutMinor: null,
} as const;
const anyReceipt = Uint8Array.of(0xff, 0xff);
const isOfAnother = ({ what, about }: Running, fields: Fields): boolean => {
  const told = amountOf(fields);
  return what !== 'repeatReceipt' && about !== null && told !== null && about.amountMinor !== null && told !== about.amountMinor;
};
