import type { PaymentTicket } from '../../core/domain/sale.ts';
import type { OfferAnswer } from '../../core/lane/till-port.ts';
import { unknownForm } from './e.ts';
import { readRequest } from './read-request.ts';
import { type Request, type ConcertOutcome, refused, paidOutcome, WHY } from './request.ts';
import { ConcertSerialLink, type SerialLinkListener } from './serial-link.ts';
import type { ConcertTerminal } from './terminal.ts';

/**
 * The till at the other end of a cable. Each block that was acknowledged is answered, in its own
 * format.
 */
export class SerialSession implements SerialLinkListener {
  readonly link: ConcertSerialLink;
  readonly #terminal: ConcertTerminal;
  readonly #from: string;
  #running: { readonly request: Request; readonly sale: PaymentTicket; isTaken: boolean } | null =
    null;

  constructor(terminal: ConcertTerminal, from: string) {
    const { clock, log } = terminal;
    this.#terminal = terminal;
    this.#from = from;
    this.link = new ConcertSerialLink({ clock, log, listener: this });
  }

  get waitsFor(): string | null {
    return this.#running?.sale.saleId ?? null;
  }

  /**
   * The till's acknowledgement of the block is its acknowledgement of the result; EOT, which makes
   * it valid, waits for `conclude`.
   */
  async offer(sale: PaymentTicket): Promise<OfferAnswer> {
    const running = this.#running;
    if (running === null) return 'notAcknowledged';
    running.isTaken = await this.link.send(running.request.answer(paidOutcome(sale)));
    return running.isTaken ? 'acknowledged' : 'notAcknowledged';
  }

  conclude(result: ConcertOutcome): void {
    const running = this.#running;
    this.#running = null;
    if (running === null) return;
    this.#terminal.log.info({ told: result }, 'to the till');
    if (running.isTaken && result.done) return this.link.end();
    void this.#answer(running.request, result);
  }

  mayAsk(): boolean {
    return this.#running === null;
  }

  received(text: Uint8Array): void {
    const { log } = this.#terminal;
    const request = this.#read(text);
    log.info({ asked: request.command }, 'from the till');
    const answer = this.#terminal.take(request, this.#from);
    if ('sale' in answer) this.#running = { request, sale: answer.sale, isTaken: false };
    else void this.#answer(request, answer.result);
  }

  /** A request counts when its session has ended. */
  unended(text: Uint8Array): void {
    void this.#answer(this.#read(text), refused(WHY.notCompleted), { isEotLate: true });
  }

  cancelled(): void {
    const { commands, log } = this.#terminal;
    if (this.#running === null) return;
    log.info(
      { answer: commands.abortSale(this.#running.sale.saleId) },
      'the till cancels the payment',
    );
  }

  #read(text: Uint8Array): Request {
    const request = readRequest(text);
    if (request === null)
      this.#terminal.log.warn(
        { byteCount: text.length },
        'the till sent a message of an unknown form: it is refused',
      );
    return request ?? unknownForm;
  }

  async #answer(
    request: Request,
    result: ConcertOutcome,
    how?: { readonly isEotLate: boolean },
  ): Promise<void> {
    if (await this.link.send(request.answer(result), how)) this.link.end();
  }
}
