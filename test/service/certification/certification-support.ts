import type { Case } from '../../../main/sandbox/certification/case.ts';
import { checklist } from '../../../main/sandbox/certification/checklist.ts';
import type { Operator } from '../../../main/sandbox/certification/customer.ts';
import type { CaseReport, Report } from '../../../main/sandbox/certification/report.ts';
import { type RunOptions, runChecklist } from '../../../main/sandbox/certification/run.ts';
import { embeddedService, serviceOfSettings } from '../../../main/sandbox/certification/service.ts';
import { systemIds } from '../../../main/core/domain/ids.ts';
import { Simulator } from '../../../main/sandbox/simulator/simulator.ts';
import {
  fetchHttp,
  type HttpAnswer,
  type HttpRequest,
  type HttpSend,
} from '../../../main/wallets/http/http.ts';
import { profileNamed } from '../../../main/wallets/v10/v10-profile.ts';
import { SteadyClock } from '../../unit/support/steady-clock.ts';

/** Ten seconds in one, for the client and the service alike. */
const speed = 10;
export const quickClock = new SteadyClock(speed);

const storeId = '51070000-0000-4000-8000-000000000001';
const around = { clock: quickClock, ids: systemIds, send: fetchHttp };

/** The delay that this machine may add, at that speed. */
const slackMs = 200 * speed;
/** Longer than anything takes that ends at all. */
const patienceMs = 6_000;

type Extra = Partial<
  Pick<RunOptions, 'send' | 'spoil' | 'interrupted' | 'ran' | 'left' | 'payments' | 'callbackAlias'>
>;

const run = (
  service: RunOptions['service'],
  ids: readonly string[] | undefined,
  extra: Extra,
): Promise<Report | null> =>
  runChecklist({
    ...around,
    service,
    clientVersion: '1.2.3',
    storeId,
    beaconTypes: ['QR'],
    currency: 'DKK',
    interrupted: new AbortController().signal,
    left: () => {},
    slackMs,
    cases: casesNamed(ids),
    ...extra,
  });

const casesNamed = (ids?: readonly string[]): readonly Case[] =>
  checklist.filter(({ id }) => ids === undefined || ids.includes(id));

/** Runs the certification against the embedded simulator; null when it was interrupted. */
export async function certify(
  ids?: readonly string[],
  extra: Extra = {},
  tokenFor: 'merchant' | 'integrator' = 'merchant',
): Promise<Report | null> {
  const service = await embeddedService({ ...around, storeIds: [storeId] });
  return run({ ...service, tokenFor, patienceMs }, ids, extra).finally(() => void service.stop());
}

/** Against a service that somebody else runs, with nobody to make it fail. */
export async function certifyElsewhere(
  ids: readonly string[] | undefined,
  simulator: Simulator,
  operator: Operator | null,
  extra: Extra = {},
) {
  const { baseUrl, authUrl, credentials } = simulator;
  const service = serviceOfSettings(
    {
      ...credentials,
      baseUrl,
      authUrl,
      profile: 'generic',
      tokenFor: 'merchant',
      testService: false,
    },
    operator,
  );
  return (await run({ ...service, patienceMs }, ids, extra)) as Report;
}

/** @param afterwards registers what is done when the test is over */
export async function elsewhere(
  afterwards: (act: () => Promise<void>) => void,
): Promise<Simulator> {
  const simulator = new Simulator({
    profile: profileNamed('generic'),
    clock: quickClock,
    ids: systemIds,
    storeIds: [storeId],
    policy: { pollDelayInMs: 200 },
  });
  await simulator.start({ port: 0 });
  afterwards(() => simulator.stop());
  return simulator;
}

export function caseOf(report: Report | null, id: string): CaseReport {
  const found = report?.cases.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no case ${id}`);
  return found;
}

/**
 * A fault of a bad client. `send` sends honestly; `honest` does the same with a patience of its
 * own.
 */
export type Mischief = (
  request: HttpRequest,
  send: (request: HttpRequest) => Promise<HttpAnswer>,
  honest: HttpSend,
) => Promise<HttpAnswer>;

export const spoiledBy =
  (mischief: Mischief) =>
  (honest: HttpSend): HttpSend =>
  (request, signal) =>
    mischief(request, (changed) => honest(changed, signal), honest);

export const pathOf = ({ url }: HttpRequest): string => new URL(url).pathname;

export const without = (request: HttpRequest, header: string): HttpRequest => ({
  ...request,
  headers: Object.fromEntries(Object.entries(request.headers).filter(([name]) => name !== header)),
});

export function withBody(
  request: HttpRequest,
  change: (body: Record<string, unknown>) => void,
): HttpRequest {
  if (request.body === null) return request;
  const body = JSON.parse(request.body) as Record<string, unknown>;
  change(body);
  return { ...request, body: JSON.stringify(body) };
}
