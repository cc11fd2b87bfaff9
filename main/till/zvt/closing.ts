import type { ClosingTold } from '../../domain/day.ts';
import { abort, completion, dayInformation } from './answers.ts';
import type { Exchange } from './exchange.ts';
import { offerStatusInformation, type Patience } from './offer.ts';
import type { Registration } from './registration.ts';
import { reportPackets } from './report.ts';
import { RESULT } from './result-codes.ts';
import type { Terminal } from './terminal.ts';

export interface ClosingTerms extends Patience {
  readonly closing: ClosingTold;
  readonly registration: Registration;
}

/** How a till is told that its day is closed, which is on disk: the figures, the report, then the end of its command. */
export class ClosingTransaction {
  readonly #terminal: Terminal;
  readonly #exchange: Exchange;
  readonly #terms: ClosingTerms;
  #isLost = false;

  constructor(terminal: Terminal, exchange: Exchange, terms: ClosingTerms) {
    this.#terminal = terminal;
    this.#exchange = exchange;
    this.#terms = terms;
  }

  /** The till is gone for good. */
  lost(): void {
    this.#isLost = true;
  }

  /**
   * A till that does not take it all is not told that it is done: it asks again, and is told the same.
   * @param over runs synchronously with the end of the till's command, because the next one may follow in the same bytes
   */
  async carry(over: () => void): Promise<void> {
    const { number } = this.#terms.closing;
    this.#terminal.toldClosing = { number, isHeard: false };
    const isTaken = await this.#isTaken();
    await this.#exchange.send(isTaken ? completion : abort(RESULT.timeoutOrAbort), {
      settled: (result) => {
        if (isTaken && result !== 'silent') this.#terminal.toldClosing = { number, isHeard: true };
        over();
      },
    });
  }

  async #isTaken(): Promise<boolean> {
    const { clock, log, currency } = this.#terminal;
    const { closing, registration } = this.#terms;
    const about = { exchange: this.#exchange, clock, log, isOver: () => this.#isLost };
    if ((await offerStatusInformation(dayInformation(closing, currency), this.#terms, about)) !== 'positive') return false;
    if (!registration.wantsAdministrationLines) return true;
    for (const packet of reportPackets(closing, this.#terminal, registration))
      if ((await this.#exchange.send(packet, { decisive: true })) !== 'positive') return false;
    return true;
  }
}
