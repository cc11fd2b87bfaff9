import type { Cancel } from '../../domain/clock.ts';
import type { SaleTicket } from '../../domain/sale.ts';
import type { OfferAnswer } from '../port.ts';
import type { Peer } from '../peer.ts';
import type { Standing, TcpLink } from '../tcp-line.ts';
import type { Request, ConcertOutcome } from './request.ts';
import type { ConcertTerminal } from './terminal.ts';
import { isLineEnd, mostRecords, readRecord, readV3, type TlvRecord } from './v3.ts';

/** Nothing marks the end of a message: it counts as complete when nothing has followed for this time. */
const quietMs = 200;

/** One connection of a till: a request, and its answer. */
export class TcpSession {
  readonly #terminal: ConcertTerminal;
  readonly #link: TcpLink;
  readonly #peer: Peer;
  #records: TlvRecord[] = [];
  #cancelQuiet: Cancel = () => {};
  #running: { readonly request: Request; readonly sale: SaleTicket } | null = null;
  #hasAsked = false;

  constructor(terminal: ConcertTerminal, link: TcpLink, peer: Peer) {
    this.#terminal = terminal;
    this.#link = link;
    this.#peer = peer;
  }

  get standing(): Standing {
    if (this.#running !== null) return 'waitsForResult';
    return this.#hasAsked ? 'registered' : 'speaks';
  }

  get waitsFor(): string | null {
    return this.#running?.sale.saleId ?? null;
  }

  received(bytes: Uint8Array): void {
    this.#cancelQuiet();
    if (isLineEnd(bytes)) return this.#messageIsOver();
    const record = readRecord(bytes);
    if (record === null) return this.#hangUp(`it sent bytes that are not a record: ${JSON.stringify(Buffer.from(bytes.subarray(0, 32)).toString('latin1'))}`);
    if (record.tag === 'CZ') this.#messageIsOver();
    if (this.#records.length === 0 && record.tag !== 'CZ') return this.#hangUp('it sent a message that does not begin with its version');
    if (this.#records.length === mostRecords) return this.#hangUp(`it sent a message of more than ${mostRecords} records`);
    this.#records.push(record);
    this.#cancelQuiet = this.#terminal.clock.after(quietMs, () => this.#messageIsOver());
  }

  /** The connection is gone for good. */
  closed(): void {
    this.#cancelQuiet();
    const running = this.#running;
    this.#running = null;
    if (running !== null) this.#terminal.commands.tillLost(running.sale.saleId);
  }

  /** A till does not acknowledge the answer, which ends the exchange and is therefore sent by `conclude`. Here it only matters whether the till still waits. */
  offer(): OfferAnswer {
    return this.#running !== null && this.#link.isUp() ? 'acknowledged' : 'notAcknowledged';
  }

  conclude(told: ConcertOutcome): void {
    if (this.#running === null) return;
    const { request } = this.#running;
    this.#running = null;
    this.#answer(request, told);
  }

  #messageIsOver(): void {
    if (this.#records.length === 0 || !this.#link.isUp()) return;
    const request = readV3(this.#records);
    this.#records = [];
    this.#hasAsked = true;
    const { log, commands } = this.#terminal;
    log.info({ from: this.#peer.name, asked: request.asked }, 'from the till');
    if (this.#running !== null) {
      // The till could take the answer to one request for the answer to the other. It asks again on a new connection.
      log.warn({ from: this.#peer.name }, 'the till asked again before it was answered: the connection is closed');
      if (request.asked.what === 'payment') commands.saleTried({ ...request.asked, from: this.#peer.name });
      return this.#link.close();
    }
    const taken = this.#terminal.take(request, this.#peer.name);
    if ('sale' in taken) this.#running = { request, sale: taken.sale };
    else this.#answer(request, taken.told);
  }

  /** Only the meaning is logged, not the bytes: a till's private data may hold secrets. */
  #answer(request: Request, told: ConcertOutcome): void {
    const { log } = this.#terminal;
    log.info({ asked: request.asked, told }, 'to the till');
    this.#link.send(request.answer(told), ({ delivered }) => {
      if (!delivered) log.warn({ from: this.#peer.name }, 'the till disconnected before it had its answer');
    });
  }

  #hangUp(why: string): void {
    this.#terminal.incidents.tell('tillStranger', this.#peer, why);
    this.#link.close();
  }
}
