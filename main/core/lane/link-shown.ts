import type { Clock } from '../domain/clock.ts';
import type { TillLink } from './till-port.ts';

/** A till that talks is heard with every byte; the screens are told no more often than this. */
const screenUpdateMs = 1_000;

/** The state of a till's line, as screens show it. */
export class LinkShown {
  readonly #clock: Pick<Clock, 'wallMs' | 'monotonicMs'>;
  #link: TillLink = { state: 'absent', detail: null, heardAtMs: null };
  #sinceMs: number;
  /** When the screens were told last. */
  #shownMs = 0;

  constructor(clock: Pick<Clock, 'wallMs' | 'monotonicMs'>) {
    this.#clock = clock;
    this.#sinceMs = clock.wallMs();
  }

  get shown(): TillLink & { readonly sinceMs: number } {
    return { ...this.#link, sinceMs: this.#sinceMs };
  }

  /**
   * @returns `news` when the link's state has changed, `heard` when the till has talked and the
   * screens are due for an update, else null
   */
  change(link: TillLink): 'news' | 'heard' | null {
    const isNews = link.state !== this.#link.state || link.detail !== this.#link.detail;
    if (link.state !== this.#link.state) this.#sinceMs = this.#clock.wallMs();
    this.#link = link;
    const nowMs = this.#clock.monotonicMs();
    if (!isNews && nowMs < this.#shownMs + screenUpdateMs) return null;
    this.#shownMs = nowMs;
    return isNews ? 'news' : 'heard';
  }
}
