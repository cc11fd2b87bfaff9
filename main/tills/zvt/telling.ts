import type { ClosingTold } from '../../core/domain/day.ts';
import type { BookingTicket } from '../../core/domain/sale.ts';
import {
  abort,
  completion,
  dayInformation,
  refusalInformation,
  statusInformation,
} from './answers.ts';
import type { ZvtExchange } from './exchange.ts';
import { offerStatusInformation, type Patience } from './offer.ts';
import { receiptPackets } from './receipt.ts';
import type { Registration } from './registration.ts';
import { reportPackets } from './report.ts';
import { bookingRefusal, booked, RESULT } from './result-codes.ts';
import type { ZvtTerminal } from './terminal.ts';

/**
 * A result that is there when the till's command begins: it is told, with its paper, until the till
 * has taken it all or says that it does not.
 */
export class Telling {
  readonly terminal: ZvtTerminal;
  readonly exchange: ZvtExchange;
  readonly #patience: Patience;
  #isLost = false;

  constructor(terminal: ZvtTerminal, exchange: ZvtExchange, patience: Patience) {
    this.terminal = terminal;
    this.exchange = exchange;
    this.#patience = patience;
  }

  /** The till is gone for good. */
  lost(): void {
    this.#isLost = true;
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  /**
   * Whether the till has taken the result and every line of the paper (ZVT PA00P015, section
   * 2.2.9).
   */
  async deliverResult(result: Uint8Array, paper: readonly Uint8Array[]): Promise<boolean> {
    const { clock, log } = this.terminal;
    const about = { exchange: this.exchange, clock, log, isOver: () => this.#isLost };
    if ((await offerStatusInformation(result, this.#patience, about)) !== 'positive') return false;
    for (const packet of paper)
      if ((await this.exchange.send(packet, { decisive: true })) !== 'positive') return false;
    return true;
  }
}

export interface BookingTerms {
  readonly booking: BookingTicket;
  readonly registration: Registration;
  readonly namesCurrency: boolean;
}

/**
 * The booking is decided when the till has taken its result; otherwise nothing changes.
 * @param over runs synchronously with the end of the till's command, because the next one may
 * follow in the same bytes
 */
export async function tellBooking(
  telling: Telling,
  { booking, registration, namesCurrency }: BookingTerms,
  over: () => void,
): Promise<void> {
  const { terminal, exchange } = telling;
  let isAcknowledged = false;
  let end: ReturnType<ZvtTerminal['commands']['endBooking']> = 'notAcknowledged';
  try {
    const result = statusInformation(booking, booked, {
      namesCurrency,
      terminalId: terminal.terminalId,
      isTest: terminal.shop.isTest === true,
      ...registration,
    });
    isAcknowledged = await telling.deliverResult(
      result,
      receiptPackets(booking, terminal, registration),
    );
  } finally {
    end = terminal.commands.endBooking(booking, isAcknowledged && !telling.isLost);
  }
  if (end === 'booked') return void (await exchange.send(completion, { settled: over }));
  if (end === 'notAcknowledged')
    return void (await exchange.send(abort(RESULT.timeoutOrAbort), { settled: over }));
  const refusal = bookingRefusal(end);
  await exchange.send(refusalInformation(refusal, registration.language));
  await exchange.send(abort(refusal.code), { settled: over });
}

export interface ClosingTerms {
  /** On disk. */
  readonly closing: ClosingTold;
  readonly registration: Registration;
}

/**
 * A till that does not take it all is not told that it is done: it asks again, and is told the
 * same.
 * @param over runs synchronously with the end of the till's command, because the next one may
 * follow in the same bytes
 */
export async function tellClosing(
  telling: Telling,
  { closing, registration }: ClosingTerms,
  over: () => void,
): Promise<void> {
  const { terminal, exchange } = telling;
  const { number } = closing;
  terminal.toldClosing = { number, isHeard: false };
  const report = registration.wantsAdministrationLines
    ? reportPackets(closing, terminal, registration)
    : [];
  const isAcknowledged = await telling.deliverResult(
    dayInformation(closing, terminal.currency),
    report,
  );
  await exchange.send(isAcknowledged ? completion : abort(RESULT.timeoutOrAbort), {
    settled: (result) => {
      if (isAcknowledged && result !== 'silent') terminal.toldClosing = { number, isHeard: true };
      over();
    },
  });
}
