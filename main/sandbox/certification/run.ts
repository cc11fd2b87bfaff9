/** Runs the cases one after the other, then checks their rules against the recorded requests. */
import type { BeaconType } from '../../domain/beacons.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Ids } from '../../domain/ids.ts';
import type { Currency } from '../../domain/money.ts';
import type { PaymentSettings } from '../../wallet/v10/point-of-sale/settings.ts';
import { errorText } from '../simulator/error-text.ts';
import { outsideText } from '../../domain/outside-text.ts';
import type { HttpSend } from '../../wallet/http/http.ts';
import { Harness } from './harness.ts';
import type { Case, Evidence, Seen, Verdict } from './case.ts';
import { type Finding, notShown, NotShownError } from './finding.ts';
import { checklist } from './checklist.ts';
import type { Exchange } from './exchange.ts';
import type { CaseReport, RecordedExchange, Report, RuleReport } from './report.ts';
import type { CertificationTarget } from './service.ts';

export interface RunOptions {
  readonly service: CertificationTarget;
  readonly clientVersion: string;
  readonly storeId: string;
  readonly beaconTypes: readonly BeaconType[];
  readonly currency: Currency;
  /** As the lane's settings have them; left out: nothing goes with its payments. */
  readonly payments?: PaymentSettings;
  readonly callbackAlias?: string | null | undefined;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly send: HttpSend;
  /** Ends the run early, with everything closed at the service. */
  readonly interrupted: AbortSignal;
  readonly cases?: readonly Case[];
  readonly slackMs?: number;
  /** Wraps the client's requests before they are recorded; tests make it misbehave with this. */
  readonly spoil?: (send: HttpSend) => HttpSend;
  /** Called when a case has run, before it is judged. */
  readonly ran?: (one: Case) => void;
  /** Called with what could not be closed at the service. */
  readonly left: (what: string) => void;
}

const longestBody = 20_000;

/** Tolerance for time-outs on a busy machine. */
const usualSlackMs = 400;

interface Ran {
  readonly evidence: Evidence;
  /** Why it could not be driven to its end. */
  readonly ended: { readonly verdict: 'failed' | 'notShown'; readonly why: string } | null;
}

/** @returns null when it was interrupted */
export async function runChecklist(options: RunOptions): Promise<Report | null> {
  const { service, clock, interrupted, cases = checklist, clientVersion, storeId, payments = {}, callbackAlias = null } = options;
  const harness = new Harness({ ...service, ...options });
  const interrupt = (): void => harness.interrupt();
  interrupted.addEventListener('abort', interrupt, { once: true });
  const startedAt = new Date(clock.wallMs()).toISOString();
  const ran: { readonly one: Case; readonly outcome: Ran }[] = [];
  try {
    for (const one of cases) {
      if (interrupted.aborted) break;
      ran.push({ one, outcome: await runCase(harness, one) });
      for (const what of interrupted.aborted ? [] : await harness.tidyUp()) options.left(what);
      options.ran?.(one);
    }
  } finally {
    interrupted.removeEventListener('abort', interrupt);
    for (const what of await harness.close()) options.left(what);
  }
  if (interrupted.aborted) return null;

  const { exchanges } = harness.recorder;
  const { credentials, profile } = service;
  const witness = await service.witness();
  const { merchantVat } = credentials;
  const ofLane = { clientVersion, merchantVat, storeId, payments, callbackAlias };
  const common = { ...ofLane, all: exchanges, log: harness.log, profile, slackMs: options.slackMs ?? usualSlackMs, witness };
  const reports = ran.map(({ one, outcome: { evidence, ended } }) =>
    judge(one, ended, { ...common, evidence, own: exchanges.filter(({ caseId }) => caseId === one.id) }),
  );
  return {
    startedAt,
    endedAt: new Date(clock.wallMs()).toISOString(),
    service: service.called,
    profile: profile.name,
    clientVersion,
    merchantVat,
    storeId,
    cases: reports,
    exchanges: exchanges.map((exchange) => recorded(exchange, reports)),
  };
}

function recorded({ endedAtMs, sentAtMs, ...exchange }: Exchange, cases: readonly CaseReport[]): RecordedExchange {
  const shows = cases.flatMap(({ id, rules }) =>
    rules.filter((rule) => rule.exchanges.includes(exchange.number)).map((rule) => ({ case: id, rule: rule.says })),
  );
  const { answer } = exchange;
  const kept = answer && { ...answer, body: outsideText(answer.body, longestBody) };
  return { ...exchange, answer: kept, tookMs: Number.isFinite(endedAtMs) ? Math.round((endedAtMs - sentAtMs) * 10) / 10 : null, shows };
}

async function runCase(harness: Harness, one: Case): Promise<Ran> {
  harness.recorder.caseId = one.id;
  try {
    return { evidence: (await one.run?.(harness)) ?? {}, ended: null };
  } catch (error) {
    const verdict = error instanceof NotShownError ? 'notShown' : 'failed';
    return { evidence: {}, ended: { verdict, why: errorText(error) } };
  } finally {
    harness.recorder.caseId = null;
  }
}

function judge(one: Case, ended: Ran['ended'], seen: Seen): CaseReport {
  const { id, section, title, source, documented = [], people = [] } = one;
  const rules = one.rules.map((rule): RuleReport => ({ says: rule.says, source: rule.source, ...look(rule, ended, seen) }));
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

function look(rule: Case['rules'][number], ended: Ran['ended'], seen: Seen): Finding {
  if (rule.kind === 'outcome' && ended?.verdict === 'notShown') return notShown(ended.why);
  return rule.look(seen);
}

/** The weakest verdict of its parts. */
function verdictOf(rules: readonly RuleReport[], ended: Ran['ended'], documented: readonly string[], people: readonly string[]): Verdict {
  if (ended?.verdict === 'failed' || rules.some(({ verdict }) => verdict === 'broken')) return 'failed';
  if (ended?.verdict === 'notShown' || rules.some(({ verdict }) => verdict === 'notShown')) return 'notShown';
  if (documented.length > 0) return 'documented';
  return rules.length === 0 && people.length > 0 ? 'forPeople' : 'passed';
}
