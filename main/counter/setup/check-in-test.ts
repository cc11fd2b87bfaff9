/** Tests a beacon alone: a phone checks in at a lane in use, and no payment is made. */
import { Refusal } from '../../../preload/procedures/procedure.ts';
import type { CheckInTestState } from '../../../preload/procedures/setup-payment.ts';
import type { Cancel, Clock } from '../../core/domain/clock.ts';
import type { Handlers } from '../server/router.ts';
import type { CheckIns, SetupHost } from './setup-host.ts';

/** Time to walk to the beacon and to try more than once. */
const maxWaitMs = 2 * 60_000;
/** The test ends after so long without a call of its page. */
const forgottenMs = 30_000;
/** After so many look-ups in a row without an answer, the service counts as away. */
const maxUnanswered = 3;

const none: CheckInTestState = { state: 'none', laneId: null, atMs: null, remainingMs: 0 };

interface CheckInTestOptions {
  readonly laneId: string;
  readonly lane: CheckIns;
  readonly clock: Clock;
}

/**
 * Looks the check-in up until a phone comes. Nobody must be checked in at first, because a phone
 * that was there before the test proves nothing about the beacon.
 */
export class CheckInTest {
  readonly #options: CheckInTestOptions;
  readonly #lookUps = new AbortController();
  readonly #endsAtMs: number;
  readonly #cancelEnd: Cancel;
  #cancelForgotten: Cancel = () => {};
  #state: CheckInTestState['state'] = 'waiting';
  #atMs: number | null = null;
  /** Whether the service has said that nobody is checked in. */
  #wasFree = false;

  constructor(options: CheckInTestOptions) {
    const { clock } = options;
    this.#options = options;
    this.#endsAtMs = clock.monotonicMs() + maxWaitMs;
    this.#cancelEnd = clock.after(maxWaitMs, () =>
      this.#end(this.#state === 'occupied' ? 'neverFree' : 'nobody'),
    );
    this.state();
    void this.#lookUp();
  }

  /** Each call keeps it looking. */
  state(): CheckInTestState {
    const { laneId, clock } = this.#options;
    if (!this.#isOver) {
      this.#cancelForgotten();
      this.#cancelForgotten = clock.after(forgottenMs, () => this.stop());
    }
    const leftMs = Math.max(0, Math.round(this.#endsAtMs - clock.monotonicMs()));
    const remainingMs = this.#isOver ? 0 : leftMs;
    return { state: this.#state, laneId, atMs: this.#atMs, remainingMs };
  }

  stop(): void {
    this.#end('stopped');
  }

  get #isOver(): boolean {
    return this.#state !== 'waiting' && this.#state !== 'occupied';
  }

  #end(state: CheckInTestState['state']): void {
    if (this.#isOver) return;
    this.#state = state;
    this.#cancelEnd();
    this.#cancelForgotten();
    this.#lookUps.abort(new Error('the test is over'));
  }

  async #lookUp(): Promise<void> {
    const { lane, clock } = this.#options;
    const { signal } = this.#lookUps;
    let unanswered = 0;
    while (!this.#isOver) {
      const answer = await lane.watch.poll(signal).catch(() => null);
      if (answer === null || this.#isOver) return;
      // The customer of a payment checks in as well.
      if (!lane.isFree()) return this.#end('busy');
      if (answer.kind === 'unknown') {
        unanswered += 1;
        if (unanswered === maxUnanswered) return this.#end('unanswered');
        continue;
      }
      unanswered = 0;
      if (!answer.isCheckedIn) {
        this.#wasFree = true;
        this.#state = 'waiting';
      } else if (this.#wasFree) {
        this.#atMs = clock.wallMs();
        return this.#end('checkedIn');
      } else this.#state = 'occupied';
    }
  }
}

interface CheckInTestsOptions {
  readonly host: Pick<SetupHost, 'settings' | 'checkIns'>;
  readonly clock: Clock;
}

/** The one test of a beacon that runs. */
export class CheckInTests {
  readonly #options: CheckInTestsOptions;
  #test: CheckInTest | null = null;

  constructor(options: CheckInTestsOptions) {
    this.#options = options;
  }

  readonly handlers: Handlers = {
    startCheckInTest: ({ laneId }) => {
      const { host, clock } = this.#options;
      const settings = host.settings();
      const lane = settings?.lanes.find(({ id }) => id === laneId);
      if (settings === null || lane === undefined)
        throw new Refusal('notFound', `there is no lane ${laneId}`, { field: 'laneId' });
      if (settings.wallet.service === 'epayment')
        throw new Refusal('notHere', 'this service cannot be asked for a check-in');
      if (lane.pointOfSale.requirePaymentBeforeCheckin)
        throw new Refusal('checkInNeedsPayment', 'nobody can check in before there is an amount');
      const checkIns = host.checkIns(laneId);
      if (checkIns === null) throw new Refusal('laneNotReady', 'the lane is not open');
      if (!checkIns.isFree()) throw new Refusal('busy', 'a payment or a refund is under way');
      this.stop();
      this.#test = new CheckInTest({ laneId, lane: checkIns, clock });
      return this.#test.state();
    },

    checkInTestState: () => this.#test?.state() ?? none,

    stopCheckInTest: () => {
      this.stop();
      return {};
    },
  };

  stop(): void {
    this.#test?.stop();
  }
}
