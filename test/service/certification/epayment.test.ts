import { describe, test } from 'vitest';
import { systemIds } from '../../../main/domain/ids.ts';
import { epaymentChecklist } from '../../../main/sandbox/certification/epayment/checklist.ts';
import { runEpaymentChecklist } from '../../../main/sandbox/certification/epayment/run.ts';
import { embeddedEpayment } from '../../../main/sandbox/certification/epayment/service.ts';
import { reportPage } from '../../../main/sandbox/certification/html.ts';
import type { Report } from '../../../main/sandbox/certification/report.ts';
import { fetchHttp, type HttpSend } from '../../../main/wallet/http/http.ts';
import { isLong } from '../../support/long.ts';
import { SteadyClock } from '../../unit/support/steady-clock.ts';
import { caseOf, type Mischief, pathOf, spoiledBy, withBody, without } from './support.ts';

/** So many milliseconds of the client and the service in one of the clock's. */
const speed = 20;
const around = { clock: new SteadyClock(speed), ids: systemIds, send: fetchHttp };

async function certify(ids: readonly string[], { spoil, left = () => {} }: { spoil?: (send: HttpSend) => HttpSend; left?: (what: string) => void } = {}) {
  const service = await embeddedEpayment(around);
  const cases = epaymentChecklist.filter(({ id }) => ids.includes(id));
  const options = { ...around, service, clientVersion: '1.2.3', cases, left, interrupted: new AbortController().signal, slackMs: 200 * speed };
  const report = await runEpaymentChecklist({ ...options, ...(spoil !== undefined && { spoil }) }).finally(() => void service.stop());
  return report as Report;
}

const groups = ['1 2 3 4 5 6 13 14 15 16 17', '8 10 11', '9', '12'];
/** Half a minute passes before an end is believed. */
const slow = ['7'];

describe.concurrent('the product’s own client', () => {
  test.for([...groups, ...(isLong ? slow : [])])('passes cases %s, and nothing is called passed that was not seen', async (group, { expect }) => {
    const left: string[] = [];
    const report = await certify(group.split(' '), { left: (what) => left.push(what) });
    const expected = (id: string): string => (id === '13' ? 'documented' : id === '17' ? 'forPeople' : 'passed');
    expect(report.cases.map(({ id, verdict, ended, rules }) => ({ id, verdict, ended, not: rules.filter((rule) => rule.verdict !== 'shown') }))).toEqual(
      report.cases.map(({ id }) => ({ id, verdict: expected(id), ended: null, not: [] })),
    );
    expect(left).toEqual([]);
    for (const text of [JSON.stringify(report), reportPage(report)]) expect(text.match(/simulated-(client-secret|primary)|Bearer [\w+/=]{20,}/)).toBeNull();
  });

  test('is taken through the whole checklist', ({ expect }) => {
    expect([...new Set([...groups, ...slow].flatMap((group) => group.split(' ')))].toSorted()).toEqual(epaymentChecklist.map(({ id }) => id).toSorted());
  });
});

const isAt = (end: string) => (request: Parameters<Mischief>[0]) => request.method === 'POST' && pathOf(request).endsWith(end);
const isCapture = isAt('/capture');
const isCreate = isAt('/payments');

const mischiefs: readonly (readonly [says: string, cases: string, broken: string, mischief: Mischief])[] = [
  ['keeps its name to itself', '1 3', '1', (request, send) => send(without(request, 'vipps-system-name'))],
  [
    'captures twice',
    '3',
    '3',
    async (request, send, honest) => {
      const answer = await send(request);
      if (isCapture(request)) {
        const again = { ...request, url: request.url.replace('/capture', '/refund'), headers: { ...request.headers, 'Idempotency-Key': 'another' } };
        await honest(again, AbortSignal.timeout(5_000));
      }
      return answer;
    },
  ],
  [
    'says nothing of the customer’s presence',
    '3',
    '3',
    (request, send) => send(isCreate(request) ? withBody(request, (body) => delete body['customerInteraction']) : request),
  ],
  [
    'repeats with new keys',
    '9',
    '9',
    (request, send) => send(isCapture(request) ? { ...request, headers: { ...request.headers, 'Idempotency-Key': systemIds.uuid() } } : request),
  ],
  [
    'cancels without a condition',
    '5',
    '5',
    (request, send) => send(isAt('/cancel')(request) ? withBody(request, (body) => (body['cancelTransactionOnly'] = false)) : request),
  ],
  [
    'polls without a pause',
    '3 14',
    '14',
    async (request, send, honest) => {
      if (request.method === 'GET' && /\/payments\/certify[^/]*$/.test(pathOf(request)))
        for (let poll = 0; poll < 125; poll += 1) await honest(request, AbortSignal.timeout(5_000));
      return send(request);
    },
  ],
  [
    'reuses a reference',
    '3 15',
    '15',
    async (request, send, honest) => {
      if (isCreate(request)) await honest({ ...request, headers: { ...request.headers, 'Idempotency-Key': 'another' } }, AbortSignal.timeout(5_000));
      return send(request);
    },
  ],
];

test.concurrent.for(mischiefs.filter(([says]) => isLong || !says.startsWith('polls')))(
  'a client that %s fails case %s',
  async ([, cases, broken, mischief], { expect }) => {
    const report = await certify(cases.split(' '), { spoil: spoiledBy(mischief) });
    expect(caseOf(report, broken).verdict).toBe('failed');
  },
);
