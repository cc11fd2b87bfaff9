import type { BookingTicket } from '../../domain/sale.ts';
import { abort, completion, refusalInformation, statusInformation } from './answers.ts';
import type { Exchange } from './exchange.ts';
import { offerStatusInformation, type Patience } from './offer.ts';
import { receiptPackets } from './receipt.ts';
import type { Registration } from './registration.ts';
import { bookingRefusal, booked, RESULT } from './result-codes.ts';
import type { Terminal } from './terminal.ts';

export interface BookingTerms extends Patience {
  readonly booking: BookingTicket;
  readonly registration: Registration;
  readonly namesCurrency: boolean;
}

/** How a till is told of a booking: the result, its receipt, then the decision, then the end of its command. */
export class BookingTransaction {
  readonly #terminal: Terminal;
  readonly #exchange: Exchange;
  readonly #terms: BookingTerms;
  #isLost = false;

  constructor(terminal: Terminal, exchange: Exchange, terms: BookingTerms) {
    this.#terminal = terminal;
    this.#exchange = exchange;
    this.#terms = terms;
  }

  /** The till is gone for good. */
  lost(): void {
    this.#isLost = true;
  }

  /**
   * Decides when the till has taken the result and every line of the receipt (ZVT PA00P015, section 2.2.9); otherwise nothing changes.
   * @param over runs synchronously with the end of the till's command, because the next one may follow in the same bytes
   */
  async carry(over: () => void): Promise<void> {
    const { booking, registration } = this.#terms;
    let isTaken = false;
    let end: ReturnType<Terminal['commands']['endBooking']> = 'notAcknowledged';
    try {
      isTaken = await this.#isTaken();
    } finally {
      end = this.#terminal.commands.endBooking(booking, isTaken && !this.#isLost);
    }
    if (end === 'booked') return void (await this.#exchange.send(completion, { settled: over }));
    if (end === 'notAcknowledged') return void (await this.#exchange.send(abort(RESULT.timeoutOrAbort), { settled: over }));
    const refusal = bookingRefusal(end);
    await this.#exchange.send(refusalInformation(refusal, registration.language));
    await this.#exchange.send(abort(refusal.code), { settled: over });
  }

  async #isTaken(): Promise<boolean> {
    const { clock, log } = this.#terminal;
    const { booking, registration, namesCurrency } = this.#terms;
    const packet = statusInformation(booking, booked, { namesCurrency, ...registration });
    const about = { exchange: this.#exchange, clock, log, isOver: () => this.#isLost };
    if ((await offerStatusInformation(packet, this.#terms, about)) !== 'positive') return false;
    for (const packet of receiptPackets(booking, this.#terminal, registration))
      if ((await this.#exchange.send(packet, { decisive: true })) !== 'positive') return false;
    return true;
  }
}
