import type { Cancel } from '../../domain/clock.ts';
import type { CustomerFacts, RefundOutcome, SaleOutcome } from '../../domain/sale.ts';
import type { SaleProgress } from '../port.ts';
import { abort, completion, intermediateStatus, printLines, statusInformation } from './answers.ts';
import { customerFields } from './customer.ts';
import type { Exchange } from './exchange.ts';
import { receiptLines } from './receipt.ts';
import type { Registration } from './registration.ts';
import { RESULT, resultOf } from './result-codes.ts';
import type { Terminal } from './terminal.ts';
import { idOf, isRefund, type Ticket } from './ticket.ts';

/** Well below T4 (180 s) and below what tills wait for in practice. */
const heartbeatMs = 10_000;
/** ZVT PA00P015, section 9: after 84 9C the till is asked again. */
const askAgainMs = 2_000;

export interface TransactionTerms {
  readonly ticket: Ticket;
  /** The agreement at its start; later registrations do not change it. */
  readonly registration: Registration;
  readonly namesCurrency: boolean;
  /** Limits for the till's "please wait" answers to the result. */
  readonly goodsTimeoutMs: number;
  readonly mostStatusInformations: number;
}

/** One sale or refund that a till waits for: heartbeats, then the result, then the end of the till's command. */
export class Transaction {
  readonly #terminal: Terminal;
  readonly #exchange: Exchange;
  readonly #terms: TransactionTerms;
  #progress: SaleProgress = 'contactingService';
  /** postponed: the till only asked to wait and never accepted the result. */
  #stage: 'waiting' | 'offered' | 'postponed' | 'over' = 'waiting';
  #cancelHeartbeat: Cancel = () => {};

  constructor(terminal: Terminal, exchange: Exchange, terms: TransactionTerms) {
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
    const { commands } = this.#terminal;
    return isRefund(this.#terms.ticket) ? commands.abortRefund(this.id) : commands.abortSale(this.id);
  }

  /** The till is gone for good. */
  lost(): void {
    this.#stage = 'over';
    this.#cancelHeartbeat();
    this.#terminal.commands.tillLost(this.id);
  }

  progress(progress: SaleProgress): void {
    if (this.#stage !== 'waiting') return;
    this.#progress = progress;
    if (this.#exchange.isQuiet) this.#heartbeat();
    else if (this.#terms.registration.wantsIntermediateStatus)
      void this.#exchange.send(intermediateStatus(progress, this.#terms.registration, this.#terminal.approach));
  }

  /** @param customer what the customer of a sale shares with the shop */
  async offer(customer: CustomerFacts | null): Promise<'acknowledged' | 'notAcknowledged'> {
    if (this.#stage !== 'waiting') return 'notAcknowledged';
    this.#stage = 'offered';
    this.#cancelHeartbeat();
    if (!(await this.#offerStatusInformation(customer))) return 'notAcknowledged';
    const { registration, ticket } = this.#terms;
    if (!registration.wantsPrintLines) return 'acknowledged';
    // With receipt lines, the payment counts as delivered when the last line is acknowledged (ZVT PA00P015, section 2.2.9).
    for (const line of printLines(receiptLines(ticket, { laneName: this.#terminal.laneName, ...registration }))) {
      const result = await this.#exchange.send(line, { decisive: true });
      if (result !== 'positive') {
        this.#terminal.log.warn({ result }, 'the till could not print the receipt: the money does not move');
        return 'notAcknowledged';
      }
    }
    return 'acknowledged';
  }

  /** @param over runs synchronously with the end of the till's command, because the next one may follow in the same bytes */
  async conclude(outcome: SaleOutcome | RefundOutcome, over: () => void): Promise<void> {
    const { ticket, registration, namesCurrency } = this.#terms;
    const told = resultOf(outcome);
    const { code } = told;
    const tellsReason = code !== RESULT.ok && this.#stage !== 'offered';
    this.#stage = 'over';
    this.#cancelHeartbeat();
    if (tellsReason) await this.#exchange.send(statusInformation(ticket, told, { namesCurrency, language: registration.language }));
    const result = await this.#exchange.send(code === RESULT.ok ? completion : abort(code), { settled: over });
    if (isRefund(ticket) && result !== 'silent') this.#terminal.heardRefund = this.id;
  }

  /** Sends 04 0F until the till accepts or refuses it or has said "please wait" too often. */
  async #offerStatusInformation(customer: CustomerFacts | null): Promise<boolean> {
    const { clock, log } = this.#terminal;
    const { ticket, registration, namesCurrency, goodsTimeoutMs, mostStatusInformations } = this.#terms;
    const outcome = isRefund(ticket) ? ({ refunded: true } as const) : ({ paid: true } as const);
    const known = customer === null ? {} : { customer: customerFields(customer, registration) };
    const packet = statusInformation(ticket, resultOf(outcome), { namesCurrency, language: registration.language, ...known });
    const giveUpAtMs = clock.monotonicMs() + goodsTimeoutMs;
    for (let sent = 1; ; sent += 1) {
      const result = await this.#exchange.send(packet, { decisive: true });
      if (result === 'positive') return true;
      log.warn({ result }, 'the till did not take the status information');
      if (result === 'silent' || result.refused !== RESULT.pleaseWait) return false;
      if (sent > mostStatusInformations || clock.monotonicMs() + askAgainMs > giveUpAtMs) {
        this.#stage = 'postponed';
        return false;
      }
      await new Promise<void>((resolve) => clock.after(askAgainMs, resolve));
      if (this.#isOver()) return false;
    }
  }

  #isOver(): boolean {
    return this.#stage === 'over';
  }

  /** Tells the till the progress of its command, which also restarts its T4; only if it asked for this. */
  #heartbeat(): void {
    const { registration } = this.#terms;
    this.#cancelHeartbeat();
    if (!registration.wantsIntermediateStatus) return;
    if (this.#exchange.isQuiet) void this.#exchange.send(intermediateStatus(this.#progress, registration, this.#terminal.approach));
    this.#cancelHeartbeat = this.#terminal.clock.after(heartbeatMs, () => this.#heartbeat());
  }
}
