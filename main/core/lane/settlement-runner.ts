import { type Cancel, type Clock, sleep } from '../domain/clock.ts';
import type { Log } from '../domain/log.ts';
import {
  type SettlementDecision,
  type SettlementEffect,
  type SettlementEvent,
  type SettlementInput,
  type Settlement,
  type ServiceId,
  idIn,
  nounOf,
} from '../settlement/payment-or-refund.ts';
import { reservationPauseMs } from '../settlement/reservation.ts';
import type { PaymentInput, PolledPayment, StopReason } from '../settlement/payment.ts';
import type { PolledRefund, RefundInput, RefundStopReason } from '../settlement/refund.ts';
import type { SettleAnswer } from '../settlement/settlement.ts';
import type { OfferAnswer } from './till-port.ts';
import { asError } from '../domain/errors.ts';
import type { PollDelay } from './wallet-port.ts';

/**
 * What the runner needs of payments or refunds: the machine, the journal, the operations at the
 * service, and the till. Declared as methods, because TypeScript then lets each of the two take
 * only its ids, inputs and events.
 */
export interface Settling<State extends Settlement> {
  decide(state: State, input: SettlementInput): SettlementDecision;
  apply(state: State, event: SettlementEvent): State;
  /** @throws when the disk refuses; then nothing was written */
  write(events: readonly SettlementEvent[]): void;
  /** @param stopped the reason of the last request to stop it; null when there was none */
  create(
    idempotencyKey: string,
    stopped: () => StopReason | RefundStopReason | null,
  ): Promise<CreateAnswer>;
  lookUp(): Promise<LookedUp>;
  identify(idempotencyKey: string): Promise<LookedUp>;
  /** @param namedBefore see `PointOfSaleClient.watch` */
  watch(id: ServiceId, namedBefore: number | null): Watch;
  /**
   * `state` is the state on disk when the request is sent: it has the amount and the number of the
   * attempt.
   */
  capture(id: ServiceId, state: State): Promise<SettleAnswer>;
  cancel(id: ServiceId, state: State): Promise<SettleAnswer>;
  /** Cancels only while the customer has not approved; never called for a refund. */
  cancelUnapproved(id: ServiceId): Promise<SettleAnswer>;
  offer(state: State): Promise<OfferAnswer>;
  conclude(state: State): void;
  /** Carries out an effect that only a payment has. @returns null when no input follows */
  carryOut(
    effect: Extract<SettlementEffect, { type: 'clearPointOfSale' | 'ready' | 'showCode' }>,
    state: State,
  ): Promise<SettlementInput | null>;
}

type CreateAnswer = Extract<PaymentInput | RefundInput, { type: 'createAnswered' }>['answer'];

type LookedUp =
  | (ServiceId & { readonly kind: 'found' })
  | Exclude<SettleAnswer | { readonly kind: 'none' }, { kind: 'done' | 'refused' | 'notFound' }>;

interface Watch {
  /**
   * Rejects only when `signal` is aborted. `isNews` is true when something was learned that is no
   * event of the payment, such as who the customer is.
   */
  poll(
    signal: AbortSignal,
  ): Promise<
    | ((PolledPayment | PolledRefund) &
        PollDelay & { readonly kind: 'seen'; readonly isNews?: boolean })
    | { readonly kind: 'notFound' }
    | { readonly kind: 'unknown'; readonly detail: string; readonly credentialsRefused?: true }
  >;
}

export interface SettlementRunnerOptions<State extends Settlement> {
  readonly settling: Settling<State>;
  readonly clock: Clock;
  readonly log: Log;
  /** Delay between polls in milliseconds, as the journal has it; null for the usual one. */
  readonly pollDelayMs: number | null;
  /** Called after each change of the state, once its effects have been begun. */
  readonly changed: () => void;
  /** Called after each failure or success of the disk. */
  readonly storage: (working: boolean, error: Error | null) => void;
}

/** How long until something that could not be written is tried again. */
const storageRetryMs = 1_000;

/**
 * Carries one payment or refund: input → decision → events on disk → effects → inputs again. One
 * loop, one direction; a restart enters it with an input like any other.
 */
export class SettlementRunner<State extends Settlement> {
  #state: State;
  readonly #options: SettlementRunnerOptions<State>;
  readonly #timers = new Set<Cancel>();
  #watch: Watch | null = null;
  #namedDelayMs: number | null;
  #poll: AbortController | null = null;
  #isConfirming = false;
  #readyUnderWay = false;
  #stopReason: StopReason | RefundStopReason | null = null;
  #stopped = false;

  /** @param state what the journal already says */
  constructor(state: State, options: SettlementRunnerOptions<State>) {
    this.#state = state;
    this.#options = options;
    this.#namedDelayMs = options.pollDelayMs;
  }

  get state(): State {
    return this.#state;
  }

  /**
   * Whether the service has accepted what was decided, and only the poll that shows it is missing.
   */
  get isConfirming(): boolean {
    return this.#isConfirming;
  }

  /**
   * Takes in what happened. Never throws: what cannot be written is tried again, and nothing is
   * done about it before it is.
   */
  take(input: SettlementInput): void {
    if (!this.attempt(input)) this.after(storageRetryMs, () => this.take(input));
  }

  /**
   * As `take`, for a caller who is told of a failure at once. @returns false when it could not be
   * written; then nothing comes of it
   */
  attempt(input: SettlementInput): boolean {
    if (this.#stopped) return true;
    if (input.type === 'stopRequested') this.#stopReason = input.reason;
    const { events, effects } = this.#options.settling.decide(this.#state, input);
    if (!this.#commit(events)) return false;
    this.carryOut(effects);
    if (events.length > 0) this.#written();
    return true;
  }

  /**
   * As `take`, but without another attempt when the disk refuses it. @returns whether something was
   * written
   */
  takeNow(input: SettlementInput): boolean {
    if (this.#stopped) return false;
    const { events, effects } = this.#options.settling.decide(this.#state, input);
    if (events.length === 0 || !this.#commit(events)) return false;
    this.carryOut(effects);
    this.#written();
    return true;
  }

  carryOut(effects: readonly SettlementEffect[]): void {
    for (const effect of effects) this.#carryOut(effect);
  }

  after(delayMs: number, run: () => void): void {
    const cancel = this.#options.clock.after(delayMs, () => {
      this.#timers.delete(cancel);
      run();
    });
    this.#timers.add(cancel);
  }

  /**
   * Stops timers and polls. Answers that are still on their way change nothing; the next start goes
   * on from the journal.
   */
  stop(): void {
    this.#stopped = true;
    this.#dropPoll();
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
  }

  /**
   * Reports last that the disk works again, so that its readers see the lane's new state.
   */
  #written(): void {
    this.#options.changed();
    this.#options.storage(true, null);
  }

  #commit(events: readonly SettlementEvent[]): boolean {
    if (events.length === 0) return true;
    const { settling, log, storage } = this.#options;
    const next = events.reduce<State>((state, event) => settling.apply(state, event), this.#state);
    try {
      settling.write(events);
    } catch (error) {
      storage(false, asError(error));
      return false;
    }
    for (const event of events) log.info({ ...event }, nounOf(next));
    this.#state = next;
    return true;
  }

  #carryOut(effect: SettlementEffect): void {
    const { settling, log } = this.#options;
    switch (effect.type) {
      case 'create':
        void settling
          .create(effect.idempotencyKey, () => this.#stopReason)
          .then((answer) => {
            if (answer.kind === 'refused' || answer.kind === 'unknown')
              log.warn({ answer }, `the ${nounOf(this.#state)} was not created`);
            this.take({ type: 'createAnswered', answer } as SettlementInput);
          });
        return;
      case 'lookUp':
        void settling.lookUp().then((answer) => this.take(lookedUp(answer)));
        return;
      case 'identify':
        void settling.identify(effect.idempotencyKey).then((answer) => this.take(lookedUp(answer)));
        return;
      case 'poll':
        void this.#pollOnce(effect);
        // A lane that opens does not wait for this poll, which the service may delay for long.
        if (this.#isConfirming) this.#options.changed();
        return;
      case 'offer':
        void settling.offer(this.#state).then((answer) =>
          this.take({
            type: 'tillAnswered',
            acknowledged: answer !== 'notAcknowledged',
            ...(typeof answer === 'object' && answer),
          }),
        );
        return;
      case 'conclude':
        settling.conclude(this.#state);
        return;
      case 'capture':
        void settling
          .capture(effect, this.#state)
          .then((answer) => this.take({ type: 'captureAnswered', answer }));
        return;
      case 'cancel':
        this.#dropPoll();
        void settling
          .cancel(effect, this.#state)
          .then((answer) => this.take({ type: 'cancelAnswered', answer }));
        return;
      case 'cancelUnapproved':
        // The answer to this change is awaited next; a poll that was sent before it would be older.
        this.#dropPoll();
        void settling
          .cancelUnapproved(effect)
          .then((answer) => this.take({ type: 'cancelUnapprovedAnswered', answer }));
        return;
      case 'wait':
        this.after(effect.delayMs, () => this.take({ type: 'retryDue' }));
        return;
      case 'watchReservation':
        this.after(reservationPauseMs(effect.expiresAtMs, this.#options.clock.wallMs()), () => {
          // Only the warning that it ends soon has changed, which depends on the time alone.
          this.#options.changed();
          this.take({ type: 'retryDue' });
        });
        return;
      case 'endWait':
        this.after(effect.delayMs, () => this.take({ type: 'stopRequested', reason: 'timedOut' }));
        return;
      case 'ready':
        if (this.#readyUnderWay) return;
        this.#readyUnderWay = true;
        void settling.carryOut(effect, this.#state).then((input) => {
          this.#readyUnderWay = false;
          if (input !== null) this.take(input);
        });
        return;
      case 'showCode':
      case 'clearPointOfSale':
        void settling.carryOut(effect, this.#state).then((input) => input && this.take(input));
        return;
    }
  }

  /**
   * One poll at a time: one that was asked for in an earlier state is dropped, and its answer with
   * it.
   */
  async #pollOnce(effect: Extract<SettlementEffect, { type: 'poll' }>): Promise<void> {
    const id = idIn(effect);
    const about = effect.confirms === undefined ? {} : ({ confirms: true } as const);
    this.#dropPoll();
    const abort = new AbortController();
    this.#poll = abort;
    this.#isConfirming = effect.confirms === true;
    this.#watch ??= this.#options.settling.watch(id, this.#namedDelayMs);
    const watch = this.#watch;
    // The screens are told of a new state before the service is asked again.
    const answer = await sleep(this.#options.clock, 0, abort.signal)
      .then(() => watch.poll(abort.signal))
      .catch(() => null);
    if (answer === null || abort.signal.aborted || this.#poll !== abort) return;
    this.#dropPoll();
    switch (answer.kind) {
      case 'seen': {
        const { kind: _, pollDelayMs = null, isNews = false, ...seen } = answer;
        this.#keepNamedDelay(pollDelayMs);
        if (seen.status === 'unknown')
          this.#options.log.warn(
            { ...id },
            `the service names a ${nounOf(this.#state)} state that is not documented`,
          );
        const before = this.#state;
        this.take({ type: 'polled', ...seen, ...about });
        // Facts about the customer are no event of the payment.
        if (isNews && this.#state === before) this.#options.changed();
        return;
      }
      case 'notFound':
        return this.take({ type: 'pollNotFound', ...about });
      case 'unknown':
        return this.take({
          type: 'pollFailed',
          detail: answer.detail,
          ...about,
          ...(answer.credentialsRefused && { credentialsRefused: true }),
        });
    }
  }

  /**
   * Writes the delay only when it changes, because the service repeats it in each answer. After a
   * failure of the disk, the next poll writes it.
   */
  #keepNamedDelay(delayMs: number | null): void {
    if (delayMs !== this.#namedDelayMs && this.#commit([{ type: 'pollDelayNamed', delayMs }]))
      this.#namedDelayMs = delayMs;
  }

  /** Drops the poll under way, whose answer would be about an earlier state. */
  #dropPoll(): void {
    this.#poll?.abort(new Error('superseded'));
    this.#poll = null;
    this.#isConfirming = false;
  }
}

function lookedUp(answer: LookedUp): SettlementInput {
  return answer.kind === 'unknown'
    ? { type: 'lookUpFailed', detail: answer.detail }
    : ({ type: 'lookedUp', found: answer.kind === 'found' ? answer : null } as SettlementInput);
}
