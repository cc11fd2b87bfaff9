/**
 * What a case of a certification checklist is: data, a run, and rules that the run's records are
 * held against.
 */
import type { PaymentSettings } from '../../wallets/v10/point-of-sale/point-of-sale-settings.ts';
import type { Profile } from '../../wallets/v10/v10-profile.ts';
import type { Driver } from './driver.ts';
import type { ObservedExchange } from './exchange.ts';
import type { Finding } from './finding.ts';
import type { Harness } from './harness.ts';
import type { LogEntry } from './recording-log.ts';

/**
 * `Facts` is what the rules need beside the records; by default the facts of point of sale v10
 * (document 4, section 7).
 */
export interface CaseDefinition<By extends Driver = Harness, Facts = OfLane> {
  /** The number in the checklist. */
  readonly id: string;
  readonly title: string;
  readonly rules: readonly Rule<Facts>[];
  /** Claims that this run does not check, with the tests that do. */
  readonly documented?: readonly string[];
  /** What a person has to confirm. */
  readonly people?: readonly string[];
  /**
   * Drives the client. The result is printed in the report and given to the rules. A case without
   * it judges the requests of the other cases.
   */
  readonly run?: (driver: By) => Promise<Evidence>;
}

export interface Case<By extends Driver = Harness, Facts = OfLane>
  extends CaseDefinition<By, Facts> {
  /** The letter of the checklist's section. */
  readonly section: string;
  readonly source: string;
}

export type Evidence = Readonly<Record<string, unknown>>;

export interface Rule<Facts = OfLane> {
  /** What the rule demands, in one sentence. */
  readonly says: string;
  readonly source: string;
  /**
   * `outcome` is about the result of the case, and is not judged when the run could not reach one.
   * `conduct` is about every request.
   */
  readonly kind: 'outcome' | 'conduct';
  look(seen: Seen<Facts>): Finding;
}

/** What a rule judges by. */
export type Seen<Facts = OfLane> = SeenInRun & Facts;

export interface SeenInRun {
  /** The case's own requests. */
  readonly own: readonly ObservedExchange[];
  /** The requests of all cases. */
  readonly all: readonly ObservedExchange[];
  readonly evidence: Evidence;
  readonly log: readonly LogEntry[];
  /** Version of the client under certification. */
  readonly clientVersion: string;
  /** Tolerance for the timers of a busy machine. */
  readonly slackMs: number;
}

/** The facts of a lane at point of sale v10. */
export interface OfLane {
  readonly profile: Profile;
  readonly merchantVat: string;
  readonly storeId: string;
  /** What the lane's settings say of its payments. */
  readonly payments: PaymentSettings;
  /** See `PointOfSaleSettings`. */
  readonly callbackAlias: string | null;
  /** The service's own record of requests; null when it offers none. */
  readonly witness: Witness | null;
}

export interface Witness {
  /** Rules that the service states and does not enforce, and how often each was broken. */
  readonly violations: Readonly<Record<string, number>>;
  /** Each request that arrived: method and path, without the query. */
  readonly arrived: readonly string[];
}

export const verdicts = ['passed', 'failed', 'notShown', 'documented', 'forPeople'] as const;
export type Verdict = (typeof verdicts)[number];
