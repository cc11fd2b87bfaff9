import type { Clock } from '../../../core/domain/clock.ts';
import type { Log } from '../../../core/domain/log.ts';
import type { JournalDamage } from '../../../core/journal/journal.ts';
import type { DamageShown } from '../../../core/lane/snapshot.ts';

interface JournalConditionOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** What screens show of it is another. */
  readonly changed: () => void;
}

/**
 * The condition of the journal file: its damage, until a manager has noted it, and the time of the
 * last complete check.
 */
export class JournalCondition {
  readonly #options: JournalConditionOptions;
  #damage: JournalDamage | null = null;
  #checkedMs: number | null = null;

  constructor(options: JournalConditionOptions) {
    this.#options = options;
  }

  get damage(): JournalDamage | null {
    return this.#damage;
  }

  /** When it was read to its end, by the wall clock; null before that. */
  get checkedMs(): number | null {
    return this.#checkedMs;
  }

  get shown(): DamageShown | null {
    return this.#damage && { repaired: this.#damage.repaired, lostSales: this.#damage.lost.length };
  }

  checked(): void {
    this.#checkedMs = this.#options.clock.wallMs();
  }

  damaged(damage: JournalDamage): void {
    const { log } = this.#options;
    const { lost, ...facts } = damage;
    log.error(
      { ...facts, lost: lost.length },
      damage.repaired
        ? 'the journal was damaged and is repaired'
        : 'the journal is damaged: a restart repairs it',
    );
    for (const sale of lost)
      log.error({ ...sale }, 'events of a sale were lost: search for the sale at the service');
    this.show(damage);
  }

  /** @param damage null when a manager has noted it */
  show(damage: JournalDamage | null): void {
    this.#damage = damage;
    this.#options.changed();
  }
}
