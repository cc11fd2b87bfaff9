import type { Cancel } from '../../core/domain/clock.ts';
import type { CustomerFacts, RefundOutcome, PaymentOutcome } from '../../core/domain/sale.ts';
import type { OfferAnswer, PaymentProgress } from '../../core/lane/till-port.ts';
import {
  abort,
  completion,
  intermediateStatus,
  statusInformation,
  type StatusOptions,
} from './answers.ts';
import { type CustomerData, customerData } from './customer.ts';
import type { ZvtExchange } from './exchange.ts';
import { offerStatusInformation, type Patience } from './offer.ts';
import { receiptPackets } from './receipt.ts';
import type { Registration } from './registration.ts';
import { amountIn } from './money-packets.ts';
import { RESULT, resultOf, wholeCaptured } from './result-codes.ts';
import type { ZvtTerminal } from './terminal.ts';
import { idOf, isRefund, isReservation, type Ticket } from './ticket.ts';

/** Well below T4 (180 s) and below what tills wait for in practice. */
const heartbeatMs = 10_000;
export interface TransactionTerms extends Patience {
  readonly ticket: Ticket;
  /** The agreement at its start; later registrations do not change it. */
  readonly registration: Registration;
  readonly namesCurrency: boolean;
}

/**
 * One sale or refund that a till waits for: heartbeats, then the result, then the end of the till's
 * command.
 */
export class Transaction {
  readonly #terminal: ZvtTerminal;
  readonly #exchange: ZvtExchange;
  readonly #terms: TransactionTerms;
  #progress: PaymentProgress = 'contactingService';
  /**
   * declined: the till has not taken the result, or not the receipt, and has said so; it hears what
   * becomes of it.
   */
  #stage: 'waiting' | 'offered' | 'declined' | 'over' = 'waiting';
  /** The end of the command is on its way. */
  #endsAs: 'success' | 'failure' | null = null;
  /** The amount for which the till has handed out goods; null when it is the whole payment. */
  #handedOutMinor: number | null = null;
  #cancelHeartbeat: Cancel = () => {};

  constructor(terminal: ZvtTerminal, exchange: ZvtExchange, terms: TransactionTerms) {
    this.#terminal = terminal;
    this.#exchange = exchange;
    this.#terms = terms;
  }

  get id(): string {
    return idOf(this.#terms.ticket);
  }

  begin(): void {
    this.#heartbeat();
  }

  /** The till wants out. */
  abort(): 'aborting' | 'tooLate' {
    if (this.#endsAs !== null) return this.#endsAs === 'success' ? 'tooLate' : 'aborting';
    const { commands } = this.#terminal;
    return isRefund(this.#terms.ticket)
      ? commands.abortRefund(this.id)
      : commands.abortSale(this.id);
  }

  /** The till is gone for good. */
  lost(): void {
    this.#stage = 'over';
    this.#cancelHeartbeat();
    this.#terminal.commands.tillLost(this.id);
  }

  progress(progress: PaymentProgress): void {
    if (this.#stage !== 'waiting') return;
    this.#progress = progress;
    if (this.#exchange.isQuiet) this.#heartbeat();
    else if (this.#terms.registration.wantsIntermediateStatus)
      void this.#exchange.send(
        intermediateStatus(progress, this.#terms.registration, this.#terminal.approach),
      );
  }

  /**
   * @param ticket as it is to be told @param customer what the customer of a sale shares with the
   * shop
   */
  async offer(ticket: Ticket, customer: CustomerFacts | null): Promise<OfferAnswer> {
    if (this.#stage !== 'waiting') return 'notAcknowledged';
    this.#stage = 'offered';
    this.#cancelHeartbeat();
    if (!(await this.#offerStatusInformation(ticket, customer))) return 'notAcknowledged';
    const { registration } = this.#terms;
    // The goods are out: the receipt follows the decision, and cannot change it.
    if (this.#handedOutMinor !== null) return { handedOutMinor: this.#handedOutMinor };
    // The receipt of a reservation comes when it is booked (ZVT PA00P015, 06 22).
    if (isReservation(ticket)) return 'acknowledged';
    // With receipt lines, the payment counts as delivered when the last line is acknowledged (ZVT
    // PA00P015, section 2.2.9).
    for (const packet of receiptPackets(ticket, this.#terminal, registration)) {
      const result = await this.#exchange.send(packet, { decisive: true });
      if (result !== 'positive') {
        this.#terminal.log.warn(
          { result },
          'the till could not print the receipt: the money does not move',
        );
        if (result !== 'silent') this.#declined();
        return 'notAcknowledged';
      }
    }
    return 'acknowledged';
  }

  /**
   * @param ticket with the amount that was decided
   * @param over runs synchronously with the end of the till's command, because the next one may
   * follow in the same bytes
   */
  async conclude(
    ticket: Ticket,
    outcome: PaymentOutcome | RefundOutcome,
    over: () => void,
  ): Promise<void> {
    const { registration } = this.#terms;
    const decision = resultOf(outcome, isRefund(ticket) ? ticket : {});
    const { code } = decision;
    // A refund that the service makes in one step was never offered: it is told once it has
    // happened.
    const isNews = this.#stage !== 'offered';
    this.#stage = 'over';
    this.#endsAs = code === RESULT.ok ? 'success' : 'failure';
    this.#cancelHeartbeat();
    if (isNews) {
      await this.#exchange.send(statusInformation(ticket, decision, this.#statusOptions));
      await this.#print(
        receiptPackets(
          ticket,
          this.#terminal,
          registration,
          code === RESULT.ok ? {} : { failed: decision.words },
        ),
      );
    }
    if (this.#handedOutMinor !== null && code === RESULT.ok)
      await this.#tellInPart(ticket, this.#handedOutMinor);
    const result = await this.#exchange.send(code === RESULT.ok ? completion : abort(code), {
      settled: over,
    });
    if (isRefund(ticket) && result !== 'silent') this.#terminal.heardRefund = this.id;
  }

  get #statusOptions(): StatusOptions {
    const { registration, namesCurrency } = this.#terms;
    const { terminalId, shop } = this.#terminal;
    return { namesCurrency, terminalId, isTest: shop.isTest === true, ...registration };
  }

  async #offerStatusInformation(ticket: Ticket, customer: CustomerFacts | null): Promise<boolean> {
    const { clock, log } = this.#terminal;
    const { registration } = this.#terms;
    const outcome = isRefund(ticket) ? ({ refunded: true } as const) : ({ paid: true } as const);
    const allData = customer === null ? undefined : customerData(customer, registration.language);
    const packetWith = (sentData: CustomerData | undefined): Uint8Array =>
      statusInformation(ticket, resultOf(outcome), {
        ...this.#statusOptions,
        ...(sentData && { customer: sentData }),
      });
    const whole = packetWith(allData);
    // A payment must not fail at a till that takes no packet as long as the customer's data.
    const packet = whole.length > registration.maxApduBytes ? packetWith(undefined) : whole;
    const result = await offerStatusInformation(packet, this.#terms, {
      exchange: this.#exchange,
      clock,
      log,
      isOver: () => this.#isOver(),
    });
    if (result === 'positive') return true;
    if (result === 'silent') return false;
    if (
      result !== 'postponed' &&
      result.refused === RESULT.handedOutInPart &&
      this.#isReadAsPart(result.data)
    )
      return true;
    this.#declined();
    return false;
  }

  #declined(): void {
    if (!this.#isOver()) this.#stage = 'declined';
  }

  /**
   * Reads the part in 84 9D. One that cannot be read, or is more than the payment, is not guessed;
   * the till is told that nothing is paid.
   */
  #isReadAsPart(data: Uint8Array): boolean {
    const { ticket } = this.#terms;
    const handedOutMinor = isRefund(ticket) ? null : amountIn(data);
    if (handedOutMinor !== null && handedOutMinor >= 1 && handedOutMinor <= ticket.amountMinor) {
      this.#handedOutMinor = handedOutMinor;
      return true;
    }
    this.#terminal.log.warn(
      { handedOutMinor },
      'the till handed out goods in part, and for how much cannot be: it is cancelled',
    );
    return false;
  }

  /**
   * Sends the captured amount when it differs from the till's, and the receipt, which was not
   * printed before. The answers change nothing.
   */
  async #tellInPart(ticket: Ticket, handedOutMinor: number): Promise<void> {
    const { registration } = this.#terms;
    if (ticket.amountMinor !== handedOutMinor && !isReservation(ticket)) {
      this.#terminal.log.error(
        { saleId: this.id, handedOutMinor, amountMinor: ticket.amountMinor },
        'the service captures no part: give back the rest',
      );
      await this.#exchange.send(statusInformation(ticket, wholeCaptured, this.#statusOptions));
    }
    if (!isReservation(ticket))
      await this.#print(receiptPackets(ticket, this.#terminal, registration));
  }

  /**
   * Paper from whose answers nothing follows: the rest is left out by a till that cannot print it.
   */
  async #print(packets: readonly Uint8Array[]): Promise<void> {
    for (const packet of packets) if ((await this.#exchange.send(packet)) !== 'positive') return;
  }

  #isOver(): boolean {
    return this.#stage === 'over';
  }

  /**
   * Tells the till the progress of its command, which also restarts its T4; only if it asked for
   * this.
   */
  #heartbeat(): void {
    const { registration } = this.#terms;
    this.#cancelHeartbeat();
    if (!registration.wantsIntermediateStatus) return;
    if (this.#exchange.isQuiet)
      void this.#exchange.send(
        intermediateStatus(this.#progress, registration, this.#terminal.approach),
      );
    this.#cancelHeartbeat = this.#terminal.clock.after(heartbeatMs, () => this.#heartbeat());
  }
}
