import type { PaymentByHandAnswer } from '../../main/core/lane/by-hand.ts';
import { screenPaymentId } from '../../main/core/domain/ids.ts';
import type { Lane } from '../../main/core/lane/lane.ts';
import { isToBeAgreed } from '../../main/core/settlement/payment-decisions.ts';
import { isWaitedFor, outcomeOf } from '../../main/core/settlement/outcome.ts';
import type { Cancel } from '../../main/core/domain/clock.ts';
import type { PaymentOutcome } from '../../main/core/domain/sale.ts';
import type { Books } from './books.ts';
import type { Chance } from './random.ts';
import type { Broken, Rule } from './rules.ts';
import type { Stage } from './stage.ts';

/** A payment that was typed on the screen, and what the screen has shown about it. */
export interface ActionByHand {
  readonly actionId: string;
  readonly laneId: string;
  /** The amount, which no other sale of the run has. */
  readonly amountMinor: number;
  /**
   * What the cashier has sent once the customer was found; null when there is nothing. Of no other
   * sale of the run either, but the same as `amountMinor` where it is kept.
   */
  agreedMinor: number | null;
  /** Whether the lane has accepted that amount. */
  isAgreed: boolean;
  /** `refused` means that the lane did not begin it and the cashier has given up. */
  belief: 'open' | 'held' | 'yes' | 'no' | 'refused';
  /** Whether the amount is only reserved, so that a manager decides about it later. */
  readonly reserve: boolean;
}

/**
 * Whether a payment of this action can be over so much: what was agreed may have been lost on its
 * way. @param paid then it was agreed
 */
export const isItsAmount = (
  { amountMinor, agreedMinor, isAgreed }: ActionByHand,
  shownMinor: number,
  paid: boolean,
): boolean =>
  shownMinor === (agreedMinor ?? amountMinor) || (!paid && !isAgreed && shownMinor === amountMinor);

export interface CashierOptions {
  readonly stage: Stage;
  readonly chance: Chance;
  /** Random numbers of their own for payments by hand that are reservations. */
  readonly reservations: Chance;
  readonly books: Books;
  readonly laneIds: readonly string[];
  /** The lanes of the daemon, while it lives. */
  readonly lanes: () => readonly Lane[];
  readonly nextAmount: () => number;
}

/**
 * Patience of a cashier who waits for the answer to a cancellation, somewhat longer than the lane's
 * own limit.
 */
const patienceMs = 5_200;

/**
 * At the screen: wants out of sales, the till's as well, and in some shops takes payments by hand.
 * Each has an action id, which is sent again whenever the answer was not heard, and sometimes
 * although it was. Goods are handed out when the screen shows "paid".
 */
export class Cashier {
  readonly actions: ActionByHand[] = [];
  readonly broken: Broken[] = [];
  readonly #options: CashierOptions;
  #actionsLeft: number;
  #pressesUnderWay = 0;
  #open = 0;

  constructor(options: CashierOptions) {
    this.#options = options;
    const { stage, chance } = options;
    this.#actionsLeft = chance.one(stage.weather.byHand);
    if (this.#actionsLeft > 0) this.#later();
  }

  get isDone(): boolean {
    return this.#actionsLeft === 0 && this.#pressesUnderWay === 0 && this.#open === 0;
  }

  /** Cancels whatever is under way. */
  cancelsAll(): void {
    for (const lane of this.#options.lanes()) {
      const { current } = lane.snapshot();
      if (current !== null) this.#cancel(lane, current.payment.sale.saleId);
    }
  }

  /** Called when this lane's screen has changed. */
  looks(laneId: string): void {
    if (this.actions.length === 0) return;
    const lane = this.#lane(laneId);
    if (lane === undefined) return;
    const { current, result, recent } = lane.snapshot();
    for (const action of this.actions) {
      if (action.laneId !== laneId) continue;
      if (
        action.agreedMinor === null &&
        current?.payment.sale.saleId === screenPaymentId(action.actionId) &&
        isToBeAgreed(current.payment)
      )
        this.#seesCustomer(action);
      for (const shown of [result, ...recent]) {
        if (shown?.saleId !== screenPaymentId(action.actionId)) continue;
        if (shown.by !== 'cashier' || !isItsAmount(action, shown.amountMinor, shown.outcome.paid))
          this.#alarm(
            2,
            action,
            `is on the screen as one of a ${shown.by} over ${shown.amountMinor}`,
          );
        this.#believe(action, shown.outcome);
      }
    }
  }

  // The amounts that the cashier types.

  #later(): void {
    const { stage, chance } = this.#options;
    stage.time.after(chance.steeply(2_000, 120_000), () => {
      this.#actionsLeft -= 1;
      this.#type();
      if (this.#actionsLeft > 0) this.#later();
    });
  }

  #type(): void {
    const { chance, laneIds, nextAmount } = this.#options;
    const reserve = this.#options.reservations.is(0.5);
    const action: ActionByHand = {
      actionId: chance.uuid(),
      laneId: chance.one(laneIds),
      amountMinor: nextAmount(),
      agreedMinor: null,
      isAgreed: false,
      belief: 'open',
      reserve,
    };
    this.actions.push(action);
    this.#open += 1;
    this.#press(action, 0, chance.between(2, 8));
  }

  /**
   * Sends until the lane has answered, because an unanswered request may be a payment. A lane that
   * refuses is asked a few times.
   */
  #press(action: ActionByHand, delayMs: number, timesLeft: number): void {
    const { chance } = this.#options;
    this.#after(delayMs, () => {
      const answer = this.#ask(action);
      if (answer === null) this.#press(action, chance.steeply(100, 20_000), timesLeft);
      else if (answer.accepted) this.#begun(action);
      else if (timesLeft > 0) this.#press(action, chance.steeply(500, 15_000), timesLeft - 1);
      else this.#giveUp(action);
    });
  }

  /** null when the answer was lost. */
  #ask(action: ActionByHand): PaymentByHandAnswer | null {
    const { stage, chance, books } = this.#options;
    const { actionId, laneId, amountMinor, reserve } = action;
    const lane = this.#lane(laneId);
    if (lane === undefined) return null;
    const saleId = screenPaymentId(actionId);
    const isNew = !books.payments.has(saleId);
    const answer = lane.payByHand({ actionId, amountMinor, orderText: null, reserve });
    if (this.#lane(laneId) !== lane) return null;
    stage.say(
      'cashier',
      () =>
        `asks for ${amountMinor} by hand at lane ${laneId} (action ${actionId.slice(0, 8)}): ${JSON.stringify(answer)}`,
    );
    const known = books.payments.get(saleId);
    if (!answer.accepted && known !== undefined)
      this.#alarm(4, action, `is a payment, and was refused: ${answer.reason}`);
    if (answer.accepted && answer.sale.orderId !== known?.sale.orderId)
      this.#alarm(4, action, `is answered with order ${answer.sale.orderId}`);
    if (answer.accepted && isNew && lane.snapshot().current?.payment.sale.saleId !== saleId)
      this.#alarm(6, action, 'has begun, and the screen does not show it');
    return stage.fault(chance, 0.2) ? null : answer;
  }

  #giveUp(action: ActionByHand): void {
    if (action.belief !== 'open') return;
    action.belief = 'refused';
    this.#open -= 1;
  }

  /**
   * The answer arrived. The action may be sent again all the same, also after a restart, or be used
   * for something else.
   */
  #begun(action: ActionByHand): void {
    const { stage, chance } = this.#options;
    if (chance.is(0.4))
      for (let times = chance.between(1, 2); times > 0; times -= 1)
        this.#after(chance.steeply(10, 60_000), () => void this.#ask(action));
    if (chance.is(0.3)) this.#after(chance.steeply(10, 60_000), () => this.#misuse(action));
    if (stage.fault(chance, 0.4)) {
      stage.time.after(chance.steeply(10, 15_000), () => {
        const lane = this.#lane(action.laneId);
        if (lane !== undefined) this.#cancel(lane, screenPaymentId(action.actionId));
      });
    }
  }

  /**
   * Sends the action for another amount or at another lane, or uses the id of a till's sale for one
   * that would begin nothing.
   */
  #misuse(action: ActionByHand): void {
    const { stage, chance, books, laneIds } = this.#options;
    const tillSale = [...books.payments.values()].findLast(({ sale }) => sale.by === 'till')?.sale;
    const { saleId, amountMinor, laneId } = chance.one([
      { saleId: action.actionId, amountMinor: action.amountMinor + 1, laneId: action.laneId },
      ...laneIds.flatMap((laneId) =>
        laneId === action.laneId
          ? []
          : { saleId: action.actionId, amountMinor: action.amountMinor, laneId },
      ),
      ...(tillSale === undefined ? [] : [{ ...tillSale, amountMinor: 0 }]),
    ]);
    const lane = this.#lane(laneId);
    if (lane === undefined) return;
    const answer = lane.payByHand({ actionId: saleId, amountMinor, orderText: null });
    stage.say(
      'cashier',
      () =>
        `uses action ${saleId.slice(0, 8)} again for ${amountMinor} at lane ${laneId}: ${JSON.stringify(answer)}`,
    );
    const isRight =
      !answer.accepted && (answer.reason === 'actionUsed') === (saleId === action.actionId);
    if (!isRight)
      this.#alarm(
        4,
        action,
        'was used again for something else, or a sale of a till for it, and was not refused for that',
      );
  }

  // The amounts that the cashier agrees with the customer.

  /**
   * The loyalty ids are on the screen: the cashier keeps the amount or changes it, and sometimes
   * takes very long.
   */
  #seesCustomer(action: ActionByHand): void {
    const { chance, nextAmount } = this.#options;
    action.agreedMinor = chance.is(0.4) ? action.amountMinor : nextAmount();
    this.#agree(action, chance.steeply(100, 40_000), chance.between(1, 4));
  }

  /** Sends again when the answer was lost, and sometimes although it was not. */
  #agree(action: ActionByHand, delayMs: number, timesLeft: number): void {
    const { stage, chance } = this.#options;
    const { actionId, laneId, agreedMinor, amountMinor } = action;
    this.#after(delayMs, () => {
      const lane = this.#lane(laneId);
      if (lane === undefined || agreedMinor === null) return;
      const sentMinor = action.isAgreed && chance.is(0.3) ? agreedMinor + 1 : agreedMinor;
      const answer = lane.agreeAmount(screenPaymentId(actionId), sentMinor);
      if (this.#lane(laneId) !== lane) return;
      stage.say(
        'cashier',
        () => `agrees ${sentMinor} for ${amountMinor} by hand at lane ${laneId}: ${answer}`,
      );
      if (answer === 'agreed' && sentMinor !== agreedMinor)
        this.#alarm(4, action, `was agreed over ${agreedMinor}, and again over ${sentMinor}`);
      if (answer === 'agreed') action.isAgreed = true;
      if (timesLeft > 0 && (answer === 'storageFailed' || stage.fault(chance, 0.3)))
        this.#agree(action, chance.steeply(50, 10_000), timesLeft - 1);
    });
  }

  // The cashier's cancellations.

  #cancel(lane: Lane, saleId: string): void {
    const { stage } = this.#options;
    const answer = lane.cancelByCashier(saleId);
    stage.say('cashier', () => `cancels at lane ${lane.id}: ${answer}`);
    stage.time.after(patienceMs, () => this.#leave(lane, saleId));
  }

  /** Leaves a cancellation that has no result. */
  #leave(lane: Lane, saleId: string): void {
    const { stage, books, lanes } = this.#options;
    if (
      stage.calm ||
      !lanes().includes(lane) ||
      lane.snapshot().current?.payment.sale.saleId !== saleId
    )
      return;
    const answer = lane.leaveByCashier(saleId);
    stage.say('cashier', () => `leaves at lane ${lane.id}: ${answer}`);
    const payment = books.payments.get(saleId);
    if (
      answer !== 'left' ||
      payment === undefined ||
      isWaitedFor(payment) ||
      !lanes().includes(lane)
    )
      return;
    if (lane.snapshot().current?.payment.sale.saleId === saleId)
      this.broken.push({
        rule: 6,
        what: `order ${payment.sale.orderId} was left, and the lane is not free`,
      });
  }

  // What the cashier's screen has shown.

  #believe(action: ActionByHand, outcome: PaymentOutcome): void {
    const { stage, books } = this.#options;
    const { paid } = outcome;
    const payment = books.payments.get(screenPaymentId(action.actionId));
    const written = payment === undefined ? null : outcomeOf(payment);
    if (written?.paid !== paid)
      this.#alarm(
        2,
        action,
        `is shown as ${paid ? 'paid' : 'not paid'}, the journal says ${payment?.kind ?? 'nothing'}`,
      );
    const belief = paid ? 'yes' : outcome.reason === 'held' ? 'held' : 'no';
    if (action.belief === belief) return;
    stage.say(
      'cashier',
      () => `SEES that ${action.amountMinor} by hand is ${paid ? 'paid' : 'not paid'}`,
    );
    if (action.belief === 'open') this.#open -= 1;
    else if (action.belief !== 'held')
      this.#alarm(7, action, `was ${action.belief} and is shown as ${belief}`);
    action.belief = belief;
  }

  #alarm(rule: Rule, { actionId, amountMinor }: ActionByHand, what: string): void {
    this.broken.push({ rule, what: `action ${actionId} over ${amountMinor} ${what}` });
  }

  #lane(laneId: string): Lane | undefined {
    return this.#options.lanes().find(({ id }) => id === laneId);
  }

  #after(delayMs: number, run: () => void): Cancel {
    this.#pressesUnderWay += 1;
    return this.#options.stage.time.after(delayMs, () => {
      this.#pressesUnderWay -= 1;
      run();
    });
  }
}
