/** Runs the cases one after the other, then checks their rules against the recorded requests. */
import type { Clock } from '../../core/domain/clock.ts';
import { errorText } from '../simulator/error-text.ts';
import { outsideText } from '../../core/domain/outside-text.ts';
import { Harness, type HarnessOptions } from './harness.ts';
import type { Case, Evidence, OfLane, Rule, Seen, Verdict } from './case.ts';
import { type Finding, notShown, NotShownError } from './finding.ts';
import { checklist, sections } from './checklist.ts';
import type { Driver } from './driver.ts';
import type { ObservedExchange } from './exchange.ts';
import type { CaseReport, RecordedExchange, Report, RuleReport } from './report.ts';
import type { CertificationTarget } from './service.ts';

type OfHarness =
  | 'storeId'
  | 'beaconTypes'
  | 'currency'
  | 'payments'
  | 'callbackAlias'
  | 'ids'
  | 'send'
  | 'spoil';

export interface RunOptions
  extends CommonOptions<Harness, OfLane>,
    Pick<HarnessOptions, OfHarness> {
  readonly service: CertificationTarget;
}

/** Options of any checklist. */
export interface CommonOptions<By extends Driver, Facts> {
  readonly clientVersion: string;
  readonly clock: Clock;
  /** Ends the run early. Payments that are open at the provider are still closed. */
  readonly interrupted: AbortSignal;
  readonly cases?: readonly Case<By, Facts>[];
  readonly slackMs?: number;
  /** Called when a case has run, before it is judged. */
  readonly ran?: (one: Case<By, Facts>) => void;
  /** Called with what could not be closed at the service. */
  readonly left: (what: string) => void;
}

const maxBody = 20_000;

/** Tolerance for time-outs on a busy machine. */
const defaultSlackMs = 400;

interface Ran {
  readonly evidence: Evidence;
  /** Why the case could not be driven to its end; null when it was. */
  readonly ended: { readonly verdict: 'failed' | 'notShown'; readonly why: string } | null;
}

/** Runs the checklist of point of sale v10. @returns null when it was interrupted */
export function runChecklist(options: RunOptions): Promise<Report | null> {
  const { service, cases = checklist, storeId, payments = {}, callbackAlias = null } = options;
  const { profile } = service;
  const { merchantVat } = service.credentials;
  return runCases<Harness, OfLane>({
    ...options,
    cases,
    driver: new Harness({ ...service, ...options }),
    facts: async () => ({
      profile,
      merchantVat,
      storeId,
      payments,
      callbackAlias,
      witness: await service.witness(),
    }),
    about: {
      service: `${service.called} (names of profile ${profile.name})`,
      merchant: `${merchantVat}, store ${storeId}`,
      sections,
    },
  });
}

interface CasesOptions<By extends Driver, Facts> extends CommonOptions<By, Facts> {
  readonly cases: readonly Case<By, Facts>[];
  readonly driver: By;
  /** Asked after the last case. */
  readonly facts: () => Promise<Facts>;
  readonly about: Pick<Report, 'service' | 'merchant' | 'sections'>;
}

/** @returns null when it was interrupted */
export async function runCases<By extends Driver, Facts>(
  options: CasesOptions<By, Facts>,
): Promise<Report | null> {
  const { driver, cases, clock, interrupted, clientVersion, about } = options;
  const interrupt = (): void => driver.interrupt();
  interrupted.addEventListener('abort', interrupt, { once: true });
  const startedAt = new Date(clock.wallMs()).toISOString();
  const ran: { readonly one: Case<By, Facts>; readonly outcome: Ran }[] = [];
  try {
    for (const one of cases) {
      if (interrupted.aborted) break;
      ran.push({ one, outcome: await runCase(driver, one) });
      for (const what of interrupted.aborted ? [] : await driver.tidyUp()) options.left(what);
      options.ran?.(one);
    }
  } finally {
    interrupted.removeEventListener('abort', interrupt);
    for (const what of await driver.close()) options.left(what);
  }
  if (interrupted.aborted) return null;

  const { exchanges } = driver.recorder;
  const common = {
    ...(await options.facts()),
    clientVersion,
    all: exchanges,
    log: driver.log,
    slackMs: options.slackMs ?? defaultSlackMs,
  };
  const reports = ran.map(({ one, outcome: { evidence, ended } }) =>
    judge(one, ended, {
      ...common,
      evidence,
      own: exchanges.filter(({ caseId }) => caseId === one.id),
    }),
  );
  const endedAt = new Date(clock.wallMs()).toISOString();
  return {
    ...about,
    startedAt,
    endedAt,
    clientVersion,
    cases: reports,
    exchanges: exchanges.map((exchange) => recorded(exchange, reports)),
  };
}

function recorded(
  { endedAtMs, sentAtMs, ...exchange }: ObservedExchange,
  cases: readonly CaseReport[],
): RecordedExchange {
  const shows = cases.flatMap(({ id, rules }) =>
    rules
      .filter((rule) => rule.exchanges.includes(exchange.number))
      .map((rule) => ({ case: id, rule: rule.says })),
  );
  const { answer } = exchange;
  const answerCut = answer && { ...answer, body: outsideText(answer.body, maxBody) };
  return {
    ...exchange,
    answer: answerCut,
    tookMs: Number.isFinite(endedAtMs) ? Math.round((endedAtMs - sentAtMs) * 10) / 10 : null,
    shows,
  };
}

async function runCase<By extends Driver, Facts>(driver: By, one: Case<By, Facts>): Promise<Ran> {
  driver.recorder.caseId = one.id;
  try {
    return { evidence: (await one.run?.(driver)) ?? {}, ended: null };
  } catch (error) {
    const verdict = error instanceof NotShownError ? 'notShown' : 'failed';
    return { evidence: {}, ended: { verdict, why: errorText(error) } };
  } finally {
    driver.recorder.caseId = null;
  }
}

function judge<By extends Driver, Facts>(
  one: Case<By, Facts>,
  ended: Ran['ended'],
  seen: Seen<Facts>,
): CaseReport {
  const { id, section, title, source, documented = [], people = [] } = one;
  const rules = one.rules.map(
    (rule): RuleReport => ({ says: rule.says, source: rule.source, ...look(rule, ended, seen) }),
  );
  return {
    id,
    section,
    title,
    source,
    verdict: verdictOf(rules, ended, documented, people),
    ended: ended?.why ?? null,
    rules,
    documented,
    people,
    evidence: seen.evidence,
    requests: seen.own.map(({ number }) => number),
  };
}

function look<Facts>(rule: Rule<Facts>, ended: Ran['ended'], seen: Seen<Facts>): Finding {
  if (rule.kind === 'outcome' && ended?.verdict === 'notShown') return notShown(ended.why);
  return rule.look(seen);
}

/** The verdict of a case is that of its weakest part. */
function verdictOf(
  rules: readonly RuleReport[],
  ended: Ran['ended'],
  documented: readonly string[],
  people: readonly string[],
): Verdict {
  if (ended?.verdict === 'failed' || rules.some(({ verdict }) => verdict === 'broken'))
    return 'failed';
  if (ended?.verdict === 'notShown' || rules.some(({ verdict }) => verdict === 'notShown'))
    return 'notShown';
  if (documented.length > 0) return 'documented';
  return rules.length === 0 && people.length > 0 ? 'forPeople' : 'passed';
}
