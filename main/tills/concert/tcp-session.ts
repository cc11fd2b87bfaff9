import type { Cancel } from '../../core/domain/clock.ts';
import type { PaymentTicket } from '../../core/domain/sale.ts';
import type { OfferAnswer } from '../../core/lane/till-port.ts';
import type { Peer } from '../line/peer.ts';
import type { Standing, TcpLink } from '../line/tcp-line.ts';
import { ACK, CAN, EOT, NAK } from './blocks.ts';
import { readRequest } from './read-request.ts';
import type { Request, ConcertOutcome } from './request.ts';
import { type ConcertTcpFraming, textOf } from './tcp-framing.ts';
import type { ConcertTerminal } from './terminal.ts';
import { isLineEnd, maxRecords, readRecord, readV3, type TlvRecord } from './v3.ts';

/**
 * Nothing marks the end of a message of records: it is complete when nothing has followed for so
 * long.
 */
const quietMs = 200;
/** Some tills read until the terminal closes: our half is closed so long after an answer. */
const endsAfterMs = 1_500;
/** Then the till has so long to close its half. */
const closesWithinMs = 3_000;
/** A request line of HTTP: a program may hide it in the value of a record. */
const requestLine = /\sHTTP\/\d/;
/** What tills send between blocks: how they take an answer, and a cancellation. */
const controls: ReadonlySet<number> = new Set([ACK, NAK, EOT, CAN]);

/** One connection of a till: a request, and its answer. */
export class TcpSession {
  readonly #terminal: ConcertTerminal;
  readonly #link: TcpLink;
  readonly #peer: Peer;
  #records: TlvRecord[] = [];
  #cancelQuiet: Cancel = () => {};
  /** Cancels the end of our half after an answer, then that of the whole connection. */
  #cancelEnd: Cancel = () => {};
  #hasEnded = false;
  #running: {
    readonly request: Request;
    readonly sale: PaymentTicket;
    isCancelled: boolean;
  } | null = null;
  #hasAsked = false;

  constructor(terminal: ConcertTerminal, link: TcpLink, peer: Peer) {
    this.#terminal = terminal;
    this.#link = link;
    this.#peer = peer;
  }

  get standing(): Standing {
    if (this.#running !== null) return 'waitsForResult';
    if (this.#hasEnded) return 'silent';
    return this.#hasAsked ? 'registered' : 'speaks';
  }

  get waitsFor(): string | null {
    return this.#running?.sale.saleId ?? null;
  }

  received(bytes: Uint8Array): void {
    const framing = this.#link.till?.name as ConcertTcpFraming;
    const [first = 0] = bytes;
    if (isLineEnd(bytes)) return this.#messageIsOver();
    if (framing === 'blocks' && bytes.length === 1 && controls.has(first))
      return this.#control(first);
    // The answer could not be sent any more: the till asks again on a new connection.
    if (this.#hasEnded) return this.#link.close();
    this.#cancelEnd();
    if (framing === 'blocks') this.#receivedBlock(bytes);
    else this.#receivedRecord(bytes);
  }

  /** The connection is gone for good. */
  closed(): void {
    this.#cancelQuiet();
    this.#cancelEnd();
    const running = this.#running;
    this.#running = null;
    if (running !== null) this.#terminal.commands.tillLost(running.sale.saleId);
  }

  /**
   * A till does not acknowledge the answer, which ends the exchange and is therefore sent by
   * `conclude`. Here it only matters whether the till still waits.
   */
  offer(): OfferAnswer {
    return this.#running !== null && this.#link.isUp() ? 'acknowledged' : 'notAcknowledged';
  }

  conclude(result: ConcertOutcome): void {
    if (this.#running === null) return;
    const { request } = this.#running;
    this.#running = null;
    this.#answer(request, result);
  }

  #receivedRecord(bytes: Uint8Array): void {
    this.#cancelQuiet();
    const record = readRecord(bytes);
    if (record === null)
      return this.#hangUp(
        `it sent bytes that are not a record: ${JSON.stringify(Buffer.from(bytes.subarray(0, 32)).toString('latin1'))}`,
      );
    if (requestLine.test(record.value))
      return this.#hangUp('it sent a request of HTTP in a record');
    if (record.tag === 'CZ') this.#messageIsOver();
    if (this.#records.length === 0 && record.tag !== 'CZ')
      return this.#hangUp('it sent a message that does not begin with its version');
    if (this.#records.length === maxRecords)
      return this.#hangUp(`it sent a message of more than ${maxRecords} records`);
    this.#records.push(record);
    this.#cancelQuiet = this.#terminal.clock.after(quietMs, () => this.#messageIsOver());
  }

  #receivedBlock(bytes: Uint8Array): void {
    const text = textOf(bytes);
    if (text === null)
      return this.#hangUp('it sent a block with a wrong LRC, or bytes outside of blocks');
    const request = readRequest(text);
    if (request === null) return this.#hangUp('it sent a block of an unknown form');
    this.#take(request);
  }

  /** How the till takes the answer changes nothing: the result was final when the answer left. */
  #control(byte: number): void {
    const { commands, log } = this.#terminal;
    if (byte !== CAN || this.#running === null || this.#running.isCancelled) return;
    this.#running.isCancelled = true;
    log.info(
      { from: this.#peer.name, answer: commands.abortSale(this.#running.sale.saleId) },
      'the till cancels the payment',
    );
  }

  #messageIsOver(): void {
    if (this.#records.length === 0 || !this.#link.isUp()) return;
    const request = readV3(this.#records);
    this.#records = [];
    this.#take(request);
  }

  #take(request: Request): void {
    this.#hasAsked = true;
    const { log, commands } = this.#terminal;
    log.info({ from: this.#peer.name, asked: request.command }, 'from the till');
    if (this.#running !== null) {
      // The till could take the answer to one request for the answer to the other. It asks again on
      // a new connection.
      log.warn(
        { from: this.#peer.name },
        'the till asked again before it was answered: the connection is closed',
      );
      if (request.command.what === 'payment')
        commands.saleTried({ ...request.command, from: this.#peer.name });
      return this.#link.close();
    }
    const answer = this.#terminal.take(request, this.#peer.name);
    if ('sale' in answer) this.#running = { request, sale: answer.sale, isCancelled: false };
    else this.#answer(request, answer.result);
  }

  /** Only the meaning is logged, not the bytes: a till's private data may hold secrets. */
  #answer(request: Request, result: ConcertOutcome): void {
    const { log } = this.#terminal;
    log.info({ asked: request.command, told: result }, 'to the till');
    this.#link.send(request.answer(result), ({ delivered }) => {
      if (!delivered)
        log.warn({ from: this.#peer.name }, 'the till disconnected before it had its answer');
    });
    this.#endLater();
  }

  #endLater(): void {
    const { clock } = this.#terminal;
    this.#cancelEnd();
    this.#cancelEnd = clock.after(endsAfterMs, () => {
      // Another request has begun.
      if (this.#link.till?.stream.isInside === true || this.#records.length > 0)
        return this.#endLater();
      this.#hasEnded = true;
      this.#link.endAnswers();
      this.#cancelEnd = clock.after(closesWithinMs, () => this.#link.close());
    });
  }

  #hangUp(why: string): void {
    this.#terminal.incidents.tell('tillStranger', this.#peer, why);
    this.#link.close();
  }
}
