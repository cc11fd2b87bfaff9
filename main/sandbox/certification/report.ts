/** The result of a run, as `certification.json` holds it. */
import { type Case, type Evidence, type Verdict, verdicts } from './case.ts';
import type { Finding } from './finding.ts';
import type { ObservedExchange } from './exchange.ts';

export interface Report {
  readonly startedAt: string;
  readonly endedAt: string;
  readonly service: string;
  readonly clientVersion: string;
  /** Whose credentials these are, for people. */
  readonly merchant: string;
  /** The titles of the checklist's sections, by their letters. */
  readonly sections: Readonly<Record<string, string>>;
  readonly cases: readonly CaseReport[];
  readonly exchanges: readonly RecordedExchange[];
}

export interface CaseReport extends Pick<Case, 'id' | 'section' | 'title' | 'source'> {
  readonly verdict: Verdict;
  /** Why the case could not be driven to its end; null when it was. */
  readonly ended: string | null;
  readonly rules: readonly RuleReport[];
  readonly documented: readonly string[];
  readonly people: readonly string[];
  readonly evidence: Evidence;
  /** Numbers of the case's exchanges. */
  readonly requests: readonly number[];
}

export interface RuleReport extends Finding {
  readonly says: string;
  readonly source: string;
}

export interface RecordedExchange extends Omit<ObservedExchange, 'sentAtMs' | 'endedAtMs'> {
  readonly tookMs: number | null;
  /** The rules that refer to it. */
  readonly shows: readonly { readonly case: string; readonly rule: string }[];
}

export const verdictWords: Readonly<Record<Verdict, string>> = {
  passed: 'passed',
  failed: 'FAILED',
  notShown: 'not shown',
  documented: 'documented',
  forPeople: 'for people',
};

/** Explanation of the verdicts for readers of the report. */
export const verdictMeanings: Readonly<Record<Verdict, string>> = {
  passed: 'every rule was seen to hold in this run',
  failed: 'a rule was seen to be broken, or the case could not be driven to its end',
  notShown: 'this run did not bring about what the rule is about: nothing is known',
  documented:
    'what this run can see was seen; the rest holds by the way the product is built, and was not seen here',
  forPeople: 'no program can see it; a person has to confirm it',
};

/** What the case shows, or why it shows nothing, in one sentence. */
export function whatItShows({ ended, rules, documented, people, verdict }: CaseReport): string {
  if (ended !== null) return ended;
  const telling =
    rules.find((rule) => rule.verdict === 'broken') ??
    rules.find((rule) => rule.verdict === 'notShown');
  if (telling !== undefined) return `${telling.says}: ${telling.detail}`;
  if (verdict === 'forPeople') return people[0] ?? '';
  return rules.length === 0 ? (documented[0] ?? '') : rules.map(({ detail }) => detail).join('; ');
}

export function counts({ cases }: Report): string {
  const byVerdict = Map.groupBy(cases, ({ verdict }) => verdict);
  const present = verdicts.filter((verdict) => byVerdict.has(verdict));
  return present
    .map((verdict) => `${byVerdict.get(verdict)?.length} ${verdictWords[verdict]}`)
    .join(', ');
}
