import { journalUnwritable } from '../domain/errors.ts';
import type { Log } from '../domain/log.ts';
import type { Hindrance } from './till-port.ts';
import type { ServiceContact } from './wallet-port.ts';
import type { LaneCondition, NotReadyReason } from './snapshot.ts';

export interface NotOpen {
  readonly accepted: false;
  readonly reason: 'notReady' | 'serviceUnreachable';
}

const hindrances: Readonly<Record<NotReadyReason, Hindrance>> = {
  starting: 'starting',
  settlingOpenPayments: 'starting',
  serviceUnreachable: 'serviceUnreachable',
  credentialsRefused: 'needsPerson',
  pointOfSaleRefused: 'needsPerson',
  storageFailed: 'needsPerson',
  tillPortFailed: 'needsPerson',
  clockWrong: 'needsPerson',
};

interface AvailabilityOptions {
  /** The service's reachability. Without it, every request is tried. */
  readonly service?: ServiceContact;
  /** Whether it is known what time it is. Missing: it always is. */
  readonly isTimeKnown?: () => boolean;
  /** How far the lane has come with opening at the service. */
  readonly opening: () => LaneCondition;
  readonly changed: () => void;
  readonly log: Log;
}

/** Whether a lane begins anything new now, and if not, why. */
export class Availability {
  readonly #options: AvailabilityOptions;
  #storageError: string | null = null;

  constructor(options: AvailabilityOptions) {
    this.#options = options;
  }

  get #awaySinceMs(): number | null {
    return this.#options.service?.awaySinceMs ?? null;
  }

  /** The day of a payment, and the age of one that is to be refunded, are not guessed. */
  get isTimeKnown(): boolean {
    return this.#options.isTimeKnown?.() ?? true;
  }

  /**
   * Why no payment can begin; null when one can. While the service is away, a customer would only
   * wait for the same refusal. What has begun goes on.
   */
  notOpen(): NotOpen | null {
    if (!this.isTimeKnown) return { accepted: false, reason: 'notReady' };
    if (this.#awaySinceMs !== null) return { accepted: false, reason: 'serviceUnreachable' };
    return this.#options.opening().kind === 'open' ? null : { accepted: false, reason: 'notReady' };
  }

  /** The reason as a till is told. */
  hindrance(): Hindrance | null {
    if (!this.isTimeKnown) return hindrances.clockWrong;
    if (this.#awaySinceMs !== null) return 'serviceUnreachable';
    const opening = this.#options.opening();
    return opening.kind === 'open' ? null : hindrances[opening.reason];
  }

  /** The condition as screens show it. */
  get condition(): LaneCondition {
    if (this.#storageError !== null)
      return { kind: 'notReady', reason: 'storageFailed', detail: this.#storageError };
    // Before the service's silence, which a wrong clock causes: no certificate is valid then.
    if (!this.isTimeKnown) return { kind: 'notReady', reason: 'clockWrong', detail: null };
    const opening = this.#options.opening();
    const sinceMs = this.#awaySinceMs;
    const isAway =
      sinceMs !== null && (opening.kind === 'open' || opening.reason === 'serviceUnreachable');
    return isAway
      ? {
          kind: 'notReady',
          reason: 'serviceUnreachable',
          detail: opening.kind === 'open' ? null : opening.detail,
          sinceMs,
        }
      : opening;
  }

  /** Called when the journal was written, or could not be. */
  storage(working: boolean, error: Error | null): void {
    const storageError = working ? null : (error?.message ?? 'the journal could not be written');
    if (storageError === this.#storageError) return;
    this.#storageError = storageError;
    if (storageError !== null) this.#options.log.error({ detail: storageError }, journalUnwritable);
    this.#options.changed();
  }
}
