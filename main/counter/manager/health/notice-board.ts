import { CappedMap } from '../../../core/domain/capped-map.ts';
import type { Clock } from '../../../core/domain/clock.ts';
import type { Notice, NoticeCode, Notices } from '../../../core/domain/notices.ts';

export interface RaisedNotice extends Notice {
  /** When it happened first, by the wall clock. */
  readonly firstMs: number;
  readonly lastMs: number;
  readonly count: number;
}

/** Bounded, because an attacker may cause them. */
const maxNotices = 50;
const maxSubjectLength = 200;
const maxDetailLength = 500;
/** A notice expires after a day; a persisting reason raises it again. */
const displayMs = 24 * 60 * 60_000;

/** The notices since the daemon started, newest first. The log keeps all of them. */
export class NoticeBoard implements Notices {
  readonly #clock: Clock;
  readonly #notices = new CappedMap<string, RaisedNotice>(maxNotices);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  raise({ code, subject, detail }: Notice): void {
    const atMs = this.#clock.wallMs();
    const about = subject.slice(0, maxSubjectLength);
    const key = keyOf(code, about);
    const before = this.#notices.get(key);
    this.#notices.set(key, {
      code,
      subject: about,
      detail: detail?.slice(0, maxDetailLength) ?? null,
      firstMs: before?.firstMs ?? atMs,
      lastMs: atMs,
      count: (before?.count ?? 0) + 1,
    });
  }

  settle(code: NoticeCode, subject: string): void {
    this.#notices.delete(keyOf(code, subject.slice(0, maxSubjectLength)));
  }

  list(): readonly RaisedNotice[] {
    const fromMs = this.#clock.wallMs() - displayMs;
    return [...this.#notices.values()].filter(({ lastMs }) => lastMs >= fromMs).reverse();
  }
}

const keyOf = (code: NoticeCode, subject: string): string => `${code} ${subject}`;
