import type { SaleTicket } from '../../domain/sale.ts';
import type { OfferAnswer } from '../port.ts';
import { readE } from './e.ts';
import { type Request, type ConcertOutcome, toldPaid } from './request.ts';
import { ConcertSerialLink } from './serial-link.ts';
import type { ConcertTerminal } from './terminal.ts';
import { readRecords, readV3 } from './v3.ts';

/** The till at the other end of a cable. Each request is answered in its own format: E, E+ or version 3. */
export class SerialSession {
  readonly link: ConcertSerialLink;
  readonly #terminal: ConcertTerminal;
  readonly #from: string;
  #running: { readonly request: Request; readonly sale: SaleTicket; isTaken: boolean } | null = null;

  constructor(terminal: ConcertTerminal, from: string) {
    const { clock, log } = terminal;
    this.#terminal = terminal;
    this.#from = from;
    this.link = new ConcertSerialLink({ clock, log, received: (text) => this.#received(text), mayAsk: () => this.#running === null });
  }

  get waitsFor(): string | null {
    return this.#running?.sale.saleId ?? null;
  }

  /** The till's acknowledgement of the block is its acknowledgement of the result; EOT, which makes it valid, waits for `conclude`. */
  async offer(sale: SaleTicket): Promise<OfferAnswer> {
    const running = this.#running;
    if (running === null) return 'notAcknowledged';
    running.isTaken = await this.link.send(running.request.answer(toldPaid(sale)));
    return running.isTaken ? 'acknowledged' : 'notAcknowledged';
  }

  conclude(told: ConcertOutcome): void {
    const running = this.#running;
    this.#running = null;
    if (running === null) return;
    this.#terminal.log.info({ told }, 'to the till');
    if (running.isTaken && told.done) return this.link.end();
    void this.#answer(running.request, told);
  }

  #received(text: Uint8Array): void {
    const { log } = this.#terminal;
    const records = readRecords(text);
    const request = records === null ? readE(text) : readV3(records);
    if (request === null) return log.warn({ byteCount: text.length }, 'the till sent a message that cannot be read');
    log.info({ asked: request.asked }, 'from the till');
    const taken = this.#terminal.take(request, this.#from);
    if ('sale' in taken) this.#running = { request, sale: taken.sale, isTaken: false };
    else void this.#answer(request, taken.told);
  }

  async #answer(request: Request, told: ConcertOutcome): Promise<void> {
    if (await this.link.send(request.answer(told))) this.link.end();
  }
}
