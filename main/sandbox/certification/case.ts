/** What a case of the certification checklist is (document 4, section 7): data, a run, and rules that the run's records are held against. */
import type { Profile } from '../../wallet/v10/profile.ts';
import type { Bench } from './bench.ts';
import type { Exchange } from './exchange.ts';
import type { LogEntry } from './recording-log.ts';

export interface Case {
  readonly id: string;
  readonly section: 'A' | 'B' | 'C' | 'D' | 'E' | 'F' | 'G';
  readonly title: string;
  readonly source: string;
  readonly rules: readonly Rule[];
  /** Holds by the way the product is built, and where that is tested; this run does not see it. */
  readonly documented?: readonly string[];
  /** What no program can see, and a person has to confirm. */
  readonly people?: readonly string[];
  /** Drives the client. What it returns is told in the report, and rules may look at it. Absent: the other cases' records are looked at. */
  readonly run?: (bench: Bench) => Promise<Evidence>;
}

export type Evidence = Readonly<Record<string, unknown>>;

export interface Rule {
  /** One sentence. */
  readonly says: string;
  readonly source: string;
  /** `outcome`: says that something was reached; not judged where the run could not be driven that far. `conduct`: holds for whatever was sent. */
  readonly kind: 'outcome' | 'conduct';
  look(seen: Seen): Finding;
}

/** What a rule has to go by. */
export interface Seen {
  /** Of this case. */
  readonly own: readonly Exchange[];
  /** Of every case so far. */
  readonly all: readonly Exchange[];
  readonly evidence: Evidence;
  readonly log: readonly LogEntry[];
  readonly profile: Profile;
  /** The version that the client is certified with. */
  readonly clientVersion: string;
  readonly merchantVat: string;
  readonly storeId: string;
  /** How late this machine may notice that a moment has come. */
  readonly slackMs: number;
  /** What the service itself counted; null: it does not tell. */
  readonly witness: Witness | null;
}

export interface Witness {
  /** Rules that the service states and does not enforce, and how often each was broken. */
  readonly violations: Readonly<Record<string, number>>;
  /** Everything that arrived: method and path without its query. */
  readonly arrived: readonly string[];
}

export interface Finding {
  readonly verdict: 'shown' | 'broken' | 'notShown';
  /** What was seen, or why nothing was. */
  readonly detail: string;
  /** The numbers of the exchanges that it stands on. */
  readonly exchanges: readonly number[];
}

export type Verdict = 'passed' | 'failed' | 'notShown' | 'documented' | 'forPeople';

/** What a case needs is not to be had here: that is no fault of the client, and no proof of it either. */
export class NotShownError extends Error {
  override readonly name = 'NotShownError';
}

const numbers = (exchanges: readonly Exchange[]): number[] => exchanges.map(({ number }) => number);

export const shown = (detail: string, exchanges: readonly Exchange[] = []): Finding => ({ verdict: 'shown', detail, exchanges: numbers(exchanges) });
export const broken = (detail: string, exchanges: readonly Exchange[] = []): Finding => ({ verdict: 'broken', detail, exchanges: numbers(exchanges) });
export const notShown = (detail: string): Finding => ({ verdict: 'notShown', detail, exchanges: [] });

/**
 * Shown by all of `exchanges`, unless there is none, or one to which `wrong` objects.
 * @param what one of them, e.g. "call"
 * @param rest what is said after it
 */
export function each(exchanges: readonly Exchange[], wrong: (exchange: Exchange) => string | null, what: string, rest = ''): Finding {
  if (exchanges.length === 0) return notShown(`no ${what}${rest} was seen`);
  for (const exchange of exchanges) {
    const objection = wrong(exchange);
    if (objection !== null) return broken(`request ${exchange.number} (${exchange.operation}): ${objection}`, [exchange]);
  }
  return shown(`${counted(exchanges.length, what)}${rest}`, exchanges);
}

/** "1 request", "3 requests". */
export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
