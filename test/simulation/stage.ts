import type { Clock } from '../../main/core/domain/clock.ts';
import type { Chance } from './random.ts';
import { SimulatedTime } from './time.ts';
import type { Weather } from './weather.ts';

/** What all actors of a run share: the time, the faults, and the story. */
export class Stage {
  readonly time = new SimulatedTime();
  readonly weather: Weather;
  /** The lines of the story; null when nobody reads them. */
  readonly #story: string[] | null;
  /** From then on no faults happen. */
  calm = false;
  /** Exceptions that nobody caught, which break a run whatever the rules say. */
  readonly surprises: string[] = [];

  constructor(weather: Weather, story: string[] | null) {
    this.weather = weather;
    this.#story = story;
  }

  /** Whether a fault of this probability happens now. */
  fault(chance: Chance, probability: number): boolean {
    return !this.calm && chance.is(probability);
  }

  /** @param what called only when somebody reads the story */
  say(who: string, what: () => string): void {
    this.#story?.push(`${stamp(this.time)}  ${who.padEnd(9)} ${what()}`);
  }

  get isTold(): boolean {
    return this.#story !== null;
  }
}

function stamp(time: Clock): string {
  const ms = time.monotonicMs();
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  const days = Math.floor(ms / 86_400_000);
  return `${days > 0 ? `${days}d ` : ''}${two((ms / 3_600_000) % 24)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}.${String(Math.floor(ms % 1000)).padStart(3, '0')}`;
}
