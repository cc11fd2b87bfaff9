import { CappedMap } from '../../core/domain/capped-map.ts';
import type { Clock } from '../../core/domain/clock.ts';
import { messageOf } from '../../core/domain/errors.ts';
import type { Log } from '../../core/domain/log.ts';
import type { PaymentOutcome, PaymentTicket } from '../../core/domain/sale.ts';
import type { Incidents } from '../line/incidents.ts';
import type { LaneCommands } from '../../core/lane/till-port.ts';
import { concertOutcome, refusalOutcome } from './outcomes.ts';
import { refused, type Request, type ConcertOutcome, WHY } from './request.ts';

/** A till asks for a duplicate soon after the payment, so that few are kept. */
const maxRemembered = 64;

/** A payment with a reference of the till. */
interface NamedPayment {
  readonly saleId: string;
  /** The answer at the payment's end; null before. */
  result: ConcertOutcome | null;
}

/**
 * What all lines of one till share: the lane, and the outcomes of payments by the till's
 * references.
 */
export class ConcertTerminal {
  readonly commands: LaneCommands;
  readonly clock: Clock;
  readonly log: Log;
  readonly incidents: Incidents;
  /**
   * Payments by the till's references; null for a reference that more than one payment has, which
   * therefore identifies none.
   */
  readonly #named = new CappedMap<string, NamedPayment | null>(maxRemembered);

  constructor({
    commands,
    clock,
    log,
    incidents,
  }: { commands: LaneCommands; clock: Clock; log: Log; incidents: Incidents }) {
    this.commands = commands;
    this.clock = clock;
    this.log = log;
    this.incidents = incidents;
  }

  /** @returns the payment that began, or what the till is told at once */
  take(
    request: Request,
    from: string,
  ): { readonly sale: PaymentTicket } | { readonly result: ConcertOutcome } {
    const { command } = request;
    switch (command.what) {
      case 'impossible':
        return { result: refused(command.why) };
      case 'identification':
        return { result: { done: true, paid: null } };
      case 'duplicate':
        // Without a reference no result is repeated: by its amount it could be another customer's.
        return { result: this.#toldAgain(request.reference) };
      case 'payment': {
        const taken = this.#pay(command, from);
        if ('sale' in taken && request.reference !== null)
          this.#name(request.reference, taken.sale.saleId);
        return taken;
      }
    }
  }

  /**
   * Keeps the outcome for a duplicate, also when the till has disconnected. @returns what the till
   * is told
   */
  ended(sale: PaymentTicket, outcome: PaymentOutcome): ConcertOutcome {
    const result = concertOutcome(sale, outcome);
    for (const entry of this.#named.values())
      if (entry?.saleId === sale.saleId) entry.result = result;
    return result;
  }

  #toldAgain(reference: string | null): ConcertOutcome {
    const entry = reference === null ? null : this.#named.get(reference);
    return entry == null ? refused(WHY.badSelection) : (entry.result ?? refused(WHY.notCompleted));
  }

  #name(reference: string, saleId: string): void {
    this.#named.set(reference, this.#named.has(reference) ? null : { saleId, result: null });
  }

  #pay(
    { amountMinor, currency }: { amountMinor: number; currency: PaymentTicket['currency'] },
    from: string,
  ): { sale: PaymentTicket } | { result: ConcertOutcome } {
    const request = { amountMinor, currency, from };
    try {
      const answer = this.commands.requestSale(request);
      if (answer.accepted) return { sale: answer.sale };
      if (answer.reason === 'busy') this.commands.saleTried(request);
      return { result: refusalOutcome(answer.reason) };
    } catch (error) {
      // One request that fails must not end the daemon, which may owe others a capture.
      this.log.error({ detail: messageOf(error) }, 'a request of the till failed');
      return { result: refused(WHY.notCompleted) };
    }
  }
}
