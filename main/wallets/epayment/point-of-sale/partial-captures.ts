/**
 * Whether a part of a reservation can be captured: the sales unit's own setting, which only
 * production tells (document 5, sections 2.6 and 6.1).
 */
import { CappedMap } from '../../../core/domain/capped-map.ts';
import type { Transport } from '../../http/transport.ts';
import { getSalesUnit } from '../management/management-operations.ts';

const maxRemembered = 1_000;

export class Parts {
  readonly #read: () => Promise<boolean>;
  readonly #reservations = new CappedMap<string, true>(maxRemembered);
  #areAllowed = false;

  constructor(transport: Transport, msn: string) {
    this.#read = async () =>
      (await transport.call(getSalesUnit, { msn }, { maxAttempts: 1 })).configuration
        ?.partialCaptureAllowed === true;
  }

  /**
   * Asks while the customer approves. If the answer is missing by then, or cannot be read, no part
   * can be captured.
   */
  expect(reference: string): void {
    this.#reservations.set(reference, true);
    void this.#read().then(
      (areAllowed) => (this.#areAllowed = areAllowed),
      () => {},
    );
  }

  arePossible(reference: string): boolean {
    return this.#areAllowed && this.#reservations.has(reference);
  }
}
