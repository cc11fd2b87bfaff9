import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { procedures } from '../../preload/procedures.ts';
import { type CallResult, ScreenLine } from './screen-line.ts';

/**
 * An action of a person at a counter's screen, and what the screen knows about it. Its amount is
 * unique, so that it can be found by it.
 */
export interface Action {
  readonly what: 'payment' | 'refund';
  readonly laneId: string;
  readonly actionId: string;
  readonly amountMinor: number;
  /** The sale that is refunded; null for a payment, or before it is chosen. */
  saleId: string | null;
  /** The last answer; null when there was none. */
  answer: CallResult | null;
  /** How often it was sent. */
  sent: number;
}

interface PersonOptions {
  /** Number of the counter, from 1. */
  readonly number: number;
  /** The present address of the screens. */
  readonly screens: () => string;
  readonly tell: (what: string) => void;
}

/** The manager of every counter. */
export const manager = { name: 'Ada Lund', pin: '4711' };
const patienceMs = 12_000;
/** Refusals that pass: nobody is signed in yet, or the lane is busy with an earlier request. */
const passing: ReadonlySet<string> = new Set([
  'nobody there',
  'notReady',
  'laneNotReady',
  'serviceUnreachable',
  'busy',
  'refundOpen',
  'notHere',
  'unknownLane',
  'pinNeeded',
]);

/**
 * The cashier who types amounts, and the manager who refunds. An action without an answer is sent
 * again with the same id.
 */
export class Person {
  readonly actions: Action[] = [];
  readonly #options: PersonOptions;
  readonly #laneId: string;

  constructor(options: PersonOptions) {
    this.#options = options;
    this.#laneId = String(options.number);
  }

  /** Starts a payment by hand; resolves when it is answered. */
  pay(): Promise<Action> {
    return this.#do('payment', this.#options.number * 100_000 + 50_001);
  }

  /** Refunds a part of the newest payment that is paid. */
  refund(): Promise<Action> {
    return this.#do('refund', (this.#options.number - 1) * 2_000 + 1_011);
  }

  /** Sends an action again that was answered long ago, as a screen does that missed the answer. */
  async sendAgain(): Promise<void> {
    for (const action of this.actions) await this.#untilAnswered(action);
  }

  /** Cancels the newest sale of the lane. @returns the answer */
  async cancel(saleId: string): Promise<string> {
    return inWords(
      await this.#at((line) => line.ask('cancelSale', { laneId: this.#laneId, saleId })),
    );
  }

  async #do(what: Action['what'], firstMinor: number): Promise<Action> {
    const amountMinor = firstMinor + this.actions.filter((action) => action.what === what).length;
    const action: Action = {
      what,
      laneId: this.#laneId,
      actionId: randomUUID(),
      amountMinor,
      saleId: null,
      answer: null,
      sent: 0,
    };
    this.actions.push(action);
    await this.#untilAnswered(action);
    return action;
  }

  async #untilAnswered(action: Action): Promise<void> {
    const giveUpAtMs = performance.now() + patienceMs;
    for (;;) {
      const result = await this.#at((line) =>
        action.what === 'payment' ? this.#askPayment(action, line) : this.#askRefund(action, line),
      );
      this.#options.tell(
        `counter ${this.#laneId}: ${action.what} of ${action.amountMinor} at the screen, ${action.actionId}: ${inWords(result)}`,
      );
      if (result.ok || !passing.has(result.code) || performance.now() > giveUpAtMs) {
        action.answer = result;
        return;
      }
      await sleep(40);
    }
  }

  #askPayment(action: Action, line: ScreenLine): Promise<CallResult> {
    const { laneId, actionId, amountMinor } = action;
    action.sent += 1;
    return line.ask('payByHand', { laneId, actionId, amountMinor, orderText: null });
  }

  async #askRefund(action: Action, line: ScreenLine): Promise<CallResult> {
    const { laneId, actionId, amountMinor } = action;
    const isIn = await signIn(line);
    if (!isIn.ok) return isIn;
    if (action.saleId === null) {
      const answer = await line.ask('findSales', { laneId });
      if (!answer.ok) return answer;
      const { sales } = procedures.findSales.output.parse(answer.value);
      const paid = sales.find(
        (sale) => sale.state === 'paid' && sale.refundedMinor + amountMinor <= sale.amountMinor,
      );
      if (paid === undefined) return { ok: false, code: 'nothing to refund' };
      action.saleId = paid.saleId;
    }
    action.sent += 1;
    return line.ask('refund', { actionId, saleId: action.saleId, amountMinor, note: 'Chaos' });
  }

  async #at(say: (line: ScreenLine) => Promise<CallResult>): Promise<CallResult> {
    const line = new ScreenLine(this.#options.screens());
    try {
      return await say(line);
    } finally {
      line.close();
    }
  }
}

async function signIn(line: ScreenLine): Promise<CallResult> {
  const session = await line.ask('session', {});
  if (!session.ok) return session;
  const managerEntry = procedures.session.output
    .parse(session.value)
    .managers.find(({ name }) => name === manager.name);
  return line.ask('signIn', { managerId: managerEntry?.managerId ?? '', pin: manager.pin });
}

const inWords = (result: CallResult): string => (result.ok ? 'taken' : result.code);
