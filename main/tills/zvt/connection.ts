import type { Cancel } from '../../core/domain/clock.ts';
import type { Language } from '../../core/domain/languages.ts';
import type { Peer } from '../line/peer.ts';
import { abort, refusalInformation } from './answers.ts';
import { ZvtExchange } from './exchange.ts';
import type { ConnectionTries } from '../line/guesses.ts';
import type { ApduLink } from './link.ts';
import type { HandlerName } from './packet-table.ts';
import { negativeAnswer, type ParsedPacket, positiveAnswer } from './packets.ts';
import { isPaper } from './paper.ts';
import { isBarredFromBookings, isBarredFromClosings } from './permissions.ts';
import { notRegistered, type Registration } from './registration.ts';
import { type ZvtRefusal, RESULT } from './result-codes.ts';
import type { Telling } from './telling.ts';
import type { ZvtTerminal } from './terminal.ts';
import { inLanguage } from './till-language.ts';
import type { Transaction } from './transaction.ts';

export type Packet = Extract<ParsedPacket, { kind: 'packet' }>;
/** Answers a command, and does what the till asks for. */
export type Handler = (connection: ZvtConnection, packet: Packet) => void;
/** Some of the handlers that the rows of `packet-table.ts` name. */
export type Handlers = Readonly<Partial<Record<HandlerName, Handler>>>;

/** 80 00 or 84 xx must come within T3 (5 s). */
const maxUnansweredMs = 4_000;

/** What a till waits for. */
export type Running =
  | { readonly is: 'transaction'; readonly transaction: Transaction }
  /** The answer of a booking, or of a closing of the day. */
  | { readonly is: 'booking' | 'closing'; readonly telling: Telling };

/**
 * One till's line to us: what it has agreed, proven and begun, and how its commands are answered.
 */
export class ZvtConnection {
  readonly terminal: ZvtTerminal;
  readonly peer: Peer;
  readonly exchange: ZvtExchange;
  readonly #link: ApduLink;
  registration: Registration;
  /**
   * The language chosen with 08 30, which takes precedence over the registration's; null when none
   * was chosen.
   */
  language: Language | null;
  /**
   * Whether a registration of this connection, or of its till's address, is complete: the till has
   * answered our 06 0F.
   */
  completedRegistration: boolean;
  /** Whether this connection has sent the right password. */
  proven = false;
  /**
   * A password that came while somebody guesses: compared once a command needs it; otherwise
   * null.
   */
  unjudgedPassword: Uint8Array | null = null;
  readonly passwordTries: ConnectionTries;
  readonly receiptTries: ConnectionTries;
  /** Receipts of payments whose result this connection has acknowledged. */
  readonly toldReceipts = new Set<number>();
  running: Running | null = null;
  /** Counts the till's commands, apart from those it may send while another one runs. */
  #commandCount = 0;
  /**
   * How many refusals, or results told again, a till hears that has asked for money to be moved.
   */
  #moneyTold = 0;
  /** How many commands that only tell or print something are being carried out. */
  #carriedOut = 0;
  #cancelHeldBack: Cancel | null = null;

  constructor(terminal: ZvtTerminal, link: ApduLink, peer: Peer) {
    this.terminal = terminal;
    this.#link = link;
    this.peer = peer;
    this.language = terminal.language;
    const agreed = terminal.addressRegistrations.of(peer);
    this.completedRegistration = agreed !== null;
    this.registration = inLanguage(
      agreed ?? terminal.agreed ?? notRegistered(terminal),
      this.language,
    );
    this.exchange = new ZvtExchange(link, terminal.clock, terminal.log);
    this.passwordTries = terminal.passwordGuesses.connection(peer.address);
    this.receiptTries = terminal.receiptGuesses.connection(peer.address);
  }

  /**
   * Whether a registration of this connection is complete, with the right password where there is
   * one.
   */
  get registered(): boolean {
    return this.completedRegistration && this.unjudgedPassword === null;
  }

  /** Called when the connection has ended for good. */
  closed(): void {
    this.#cancelHeldBack?.();
    const { running } = this;
    if (running !== null && running.is !== 'transaction') running.telling.lost();
    this.exchange.close();
    this.running = null;
    if (running?.is === 'transaction') running.transaction.lost();
  }

  hangUp(): void {
    this.#link.close();
  }

  /**
   * A command that runs alone begins: what is left to tell about an earlier one is not told any
   * more.
   */
  commandBegins(movesMoney: boolean): void {
    this.#commandCount += 1;
    this.exchange.commandBegan({ movesMoney });
  }

  /** A status enquiry begins. Results and receipts that are being sent go on. */
  enquiryBegins(): void {
    if (this.running === null && !this.isCarryingOut)
      this.exchange.commandBegan({ movesMoney: false });
    else this.exchange.askedMeanwhile();
  }

  /**
   * Whether the till waits for the end of a command that moves money. Some tills take any 06 0F
   * before that for "paid".
   */
  get awaitsMoney(): boolean {
    const is = this.running?.is;
    return is === 'transaction' || is === 'booking' || this.#moneyTold > 0;
  }

  /** Ends what was begun as `command`; does nothing when another command runs by now. */
  ended(command: Transaction | Telling): void {
    const { running } = this;
    if (
      running !== null &&
      (running.is === 'transaction' ? running.transaction : running.telling) === command
    )
      this.running = null;
  }

  /** Whether a command that only tells or prints something is being carried out. */
  get isCarryingOut(): boolean {
    return this.#carriedOut > 0;
  }

  /**
   * Whether a command is held back because somebody at its address guesses; nothing else is done
   * until it is answered.
   */
  get isHeldBack(): boolean {
    return this.#cancelHeldBack !== null;
  }

  get isBarredFromBookings(): boolean {
    return isBarredFromBookings(this);
  }

  get isBarredFromClosings(): boolean {
    const { permissions, incidents } = this.terminal;
    const isBarred = isBarredFromClosings(permissions, this);
    if (isBarred)
      incidents.log(
        { from: this.peer.name },
        'the day, or its totals, were asked for on a connection that may not: refused',
      );
    return isBarred;
  }

  answer(packet: Uint8Array): void {
    this.#link.send(packet);
  }

  refuse(code: number): void {
    this.answer(negativeAnswer(code));
  }

  /**
   * A business decline: accepted as a command, then answered like a payment that failed (ZVT
   * PA00P015, section 9).
   */
  decline(refusal: ZvtRefusal): void {
    this.answer(positiveAnswer);
    void this.#sendRefusal(refusal);
  }

  /**
   * Carries a command out as soon as this connection may try again. When that is too late for its
   * answer, the till is told to wait.
   */
  whenMayTry(tries: ConnectionTries, carryOut: () => void): void {
    const { leftMs } = tries;
    if (leftMs === 0) return carryOut();
    if (leftMs > maxUnansweredMs) return this.refuse(RESULT.pleaseWait);
    this.#cancelHeldBack = this.terminal.clock.after(leftMs, () => {
      this.#cancelHeldBack = null;
      this.guarded(carryOut);
    });
  }

  /**
   * One command that fails (a disk that cannot be read) must not end the daemon, which may owe
   * others a capture.
   */
  guarded(carryOut: () => void): void {
    try {
      carryOut();
    } catch (error) {
      this.terminal.log.error({ detail: String(error) }, 'a command of the till failed');
      this.refuse(RESULT.systemError);
    }
  }

  answerAndSend(...packets: readonly Uint8Array[]): void {
    this.answer(positiveAnswer);
    void this.#sendAll(packets);
  }

  /**
   * Answers a command that takes a while and moves no money. @returns whether the till has received
   * all packets
   */
  answerAndCarryOut(...packets: readonly Uint8Array[]): Promise<boolean> {
    this.answer(positiveAnswer);
    return this.#carryOut(packets);
  }

  async #carryOut(packets: readonly Uint8Array[]): Promise<boolean> {
    this.#carriedOut += 1;
    try {
      return await this.#sendAll(packets);
    } finally {
      this.#carriedOut -= 1;
    }
  }

  async #sendRefusal(refusal: ZvtRefusal): Promise<void> {
    await this.untilMoneyIsTold(
      this.#sendAll([refusalInformation(refusal, this.registration.language), abort(refusal.code)]),
    );
  }

  /** To the till its command about money runs as long as that is told. */
  async untilMoneyIsTold(telling: Promise<unknown>): Promise<void> {
    this.#moneyTold += 1;
    await telling.finally(() => (this.#moneyTold -= 1));
  }

  /**
   * @returns false when the till stopped answering or began another command: it would take the
   * remaining packets, above all 06 0F, as the answer to that command
   */
  async #sendAll(packets: readonly Uint8Array[]): Promise<boolean> {
    const count = this.#commandCount;
    for (const packet of packets) {
      if (count !== this.#commandCount) return false;
      const result = await this.exchange.send(packet);
      if (result === 'silent') return false;
      if (result !== 'positive' && isPaper(packet)) {
        this.terminal.log.warn({ code: result.refused }, 'the till could not print');
        if (count === this.#commandCount) await this.exchange.send(abort(RESULT.printerNotReady));
        return false;
      }
    }
    return true;
  }
}
