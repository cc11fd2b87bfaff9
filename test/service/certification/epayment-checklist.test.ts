import { describe, expect, test } from 'vitest';
import { systemIds } from '../../../main/core/domain/ids.ts';
import { epaymentChecklist } from '../../../main/sandbox/certification/epayment/epayment-checklist.ts';
import { runEpaymentChecklist } from '../../../main/sandbox/certification/epayment/epayment-run.ts';
import { embeddedEpayment } from '../../../main/sandbox/certification/epayment/epayment-service.ts';
import { reportPage } from '../../../main/sandbox/certification/html.ts';
import type { Report } from '../../../main/sandbox/certification/report.ts';
import { fetchHttp, type HttpSend } from '../../../main/wallets/http/http.ts';
import { isLong } from '../../support/long.ts';
import { SteadyClock } from '../../unit/support/steady-clock.ts';
import {
  caseOf,
  type Mischief,
  pathOf,
  spoiledBy,
  withBody,
  without,
} from './certification-support.ts';

/** So many milliseconds of the client and the service in one of the clock's. */
const speed = 20;
const around = { clock: new SteadyClock(speed), ids: systemIds, send: fetchHttp };

interface Certifying {
  /** Changes what the client sends or receives. */
  readonly spoil?: (send: HttpSend) => HttpSend;
  /** Changes what the service sends; by default it is honest. */
  readonly send?: HttpSend;
  readonly left?: (what: string) => void;
}

async function certify(
  ids: readonly string[],
  { spoil, send = fetchHttp, left = () => {} }: Certifying = {},
) {
  const service = await embeddedEpayment(around);
  const cases = epaymentChecklist.filter(({ id }) => ids.includes(id));
  const options = {
    ...around,
    send,
    service,
    clientVersion: '1.2.3',
    cases,
    left,
    interrupted: new AbortController().signal,
    slackMs: 200 * speed,
  };
  const report = await runEpaymentChecklist({
    ...options,
    ...(spoil !== undefined && { spoil }),
  }).finally(() => void service.stop());
  return report as Report;
}

const groups = ['1 2 3 4 5 6 13 14 15 16 17', '8 10 11', '9', '12'];
/** Half a minute passes before an end is believed. */
const slow = ['7'];

describe.concurrent('the product’s own client', () => {
  test.for([...groups, ...(isLong ? slow : [])])(
    'passes cases %s, and nothing is called passed that was not seen',
    async (group, { expect }) => {
      const left: string[] = [];
      const report = await certify(group.split(' '), { left: (what) => left.push(what) });
      const expected = (id: string): string =>
        id === '13' ? 'documented' : id === '17' ? 'forPeople' : 'passed';
      expect(
        report.cases.map(({ id, verdict, ended, rules }) => ({
          id,
          verdict,
          ended,
          not: rules.filter((rule) => rule.verdict !== 'shown'),
        })),
      ).toEqual(
        report.cases.map(({ id }) => ({ id, verdict: expected(id), ended: null, not: [] })),
      );
      expect(left).toEqual([]);
      for (const text of [JSON.stringify(report), reportPage(report)])
        expect(text.match(/simulated-(client-secret|primary)|Bearer [\w+/=]{20,}/)).toBeNull();
    },
  );

  test('is taken through the whole checklist', ({ expect }) => {
    expect(
      [...new Set([...groups, ...slow].flatMap((group) => group.split(' ')))].toSorted(),
    ).toEqual(epaymentChecklist.map(({ id }) => id).toSorted());
  });
});

type Request = Parameters<Mischief>[0];
type Answer = Awaited<ReturnType<HttpSend>>;
const isAt = (end: string) => (request: Request) =>
  request.method === 'POST' && pathOf(request).endsWith(end);
const isCapture = isAt('/capture');
const isCancel = isAt('/cancel');
const isRefund = isAt('/refund');
const isCreate = isAt('/payments');
const isRead = ({ method, url }: Request) =>
  method === 'GET' && /\/payments\/certify[^/]*$/.test(new URL(url).pathname);
const isLog = ({ method, url }: Request) => method === 'GET' && url.endsWith('/events');
const stateIn = ({ body }: Answer): unknown => (JSON.parse(body) as { state?: unknown }).state;

const patience = () => AbortSignal.timeout(5_000);
const keyed = (request: Request): Request => ({
  ...request,
  headers: { ...request.headers, 'Idempotency-Key': systemIds.uuid() },
});
/** @param change what follows the payment's reference, instead of what `request` asked for */
const changeOf = (request: Request, change: string, about: object): Request => {
  const url = request.url.replace(/(\/payments\/[^/]+).*$/, `$1/${change}`);
  return keyed({
    ...request,
    method: 'POST',
    url,
    headers: { ...request.headers, 'content-type': 'application/json' },
    body: JSON.stringify(about),
  });
};
const all = { modificationAmount: { value: 1_250, currency: 'DKK' } };
const answering =
  (is: (request: Request) => boolean, change: (body: never) => void): Mischief =>
  async (request, send) => {
    const answer = await send(request);
    if (!is(request) || answer.status !== 200) return answer;
    const body = JSON.parse(answer.body) as never;
    change(body);
    return { ...answer, body: JSON.stringify(body) };
  };

/** The beginnings of rules, by their cases. */
type Rules = Readonly<Record<string, readonly string[]>>;
interface Bad {
  readonly breaks: Rules;
  /** The other cases from which a standing rule takes its records. */
  readonly also?: readonly string[];
  readonly mischief: () => Mischief;
  readonly isSlow?: true;
}

const ends = 'the payment ends';
const says = 'the event log says';
const noCapture = 'no captureEpayment is sent';
const of = (ids: string, ...rules: string[]): Rules =>
  Object.fromEntries(ids.split(' ').map((id) => [id, rules]));

const capturesWhatHasEnded: () => Mischief = () => async (request, send, honest) => {
  const answer = await send(request);
  if (isRead(request) && /ABORTED|TERMINATED|EXPIRED/.test(String(stateIn(answer))))
    await honest(changeOf(request, 'capture', all), patience());
  return answer;
};

const badClients: Readonly<Record<string, Bad>> = {
  'keeps its name to itself': {
    breaks: of('1', 'every call carries the four'),
    also: ['13'],
    mischief: () => (request, send) => send(without(request, 'vipps-system-name')),
  },
  'does not say for whom it calls': {
    breaks: of('1', 'every call names the sales unit'),
    also: ['13'],
    mischief: () => (request, send) => send(without(request, 'merchant-serial-number')),
  },
  'fetches a token for each call': {
    breaks: of('2', 'a token is used for many'),
    also: ['13', '5'],
    mischief() {
      let token: Request | null = null;
      return async (request, send, honest) => {
        if (pathOf(request) === '/accesstoken/get') token = request;
        else if (token !== null) await honest(token, patience());
        return send(request);
      };
    },
  },
  'calls without its token': {
    breaks: of('2', 'every call carries a bearer'),
    also: ['13'],
    mischief: () => (request, send) => send(without(request, 'authorization')),
  },
  'says nothing of the customer’s presence': {
    breaks: of('3', 'it is created with the customer present'),
    mischief: () => (request, send) =>
      send(
        isCreate(request)
          ? withBody(request, (body) => delete body['customerInteraction'])
          : request,
      ),
  },
  'captures before it has read anything': {
    breaks: of('3', 'captureEpayment leaves only after'),
    mischief: () => async (request, send, honest) => {
      const answer = await send(request);
      const { reference } = JSON.parse(request.body ?? '{}') as { reference?: string };
      if (isCreate(request))
        await honest(
          changeOf({ ...request, url: `${request.url}/${reference}` }, 'capture', all),
          patience(),
        );
      return answer;
    },
  },
  'gives back what it has captured': {
    breaks: of('3', ends, says),
    mischief: () => async (request, send, honest) => {
      const answer = await send(request);
      if (isCapture(request)) await honest(changeOf(request, 'refund', all), patience());
      return answer;
    },
  },
  'captures what has ended': { breaks: of('4 5', noCapture), mischief: capturesWhatHasEnded },
  'captures what has expired': {
    breaks: of('7', noCapture),
    mischief: capturesWhatHasEnded,
    isSlow: true,
  },
  'cancels without a condition': {
    breaks: of('5', 'an open payment is cancelled on the condition'),
    mischief: () => (request, send) =>
      send(
        isCancel(request)
          ? withBody(request, (body) => (body['cancelTransactionOnly'] = false))
          : request,
      ),
  },
  'takes a payment for cancelled that was approved meanwhile': {
    breaks: of('6', 'a cancel that comes too late'),
    mischief: () => async (request, send, honest) => {
      const answer = await send(request);
      if (!isCancel(request) || answer.status !== 400) return answer;
      return honest(
        { ...request, method: 'GET', url: request.url.replace('/cancel', ''), body: null },
        patience(),
      );
    },
  },
  'repeats with new keys': {
    breaks: {
      8: ['createEpayment is repeated'],
      9: ['captureEpayment is repeated'],
      12: ['refundEpayment is repeated'],
    },
    mischief: () => (request, send) =>
      send(isCreate(request) || isCapture(request) || isRefund(request) ? keyed(request) : request),
  },
  'repeats something else': {
    breaks: {
      8: ['createEpayment is repeated'],
      9: ['captureEpayment is repeated'],
      12: ['refundEpayment is repeated'],
    },
    mischief() {
      const used = new Set<string>();
      return (request, send) => {
        const { 'Idempotency-Key': key = '' } = request.headers;
        if (!used.has(key)) return used.add(key) && send(request);
        return send(
          withBody(request, (body) =>
            isCreate(request)
              ? (body['paymentDescription'] = 'other')
              : (body['modificationAmount'] = { value: 1, currency: 'DKK' }),
          ),
        );
      };
    },
  },
  'refunds under keys that it does not keep': {
    breaks: of('11', 'each is found in the event log'),
    mischief() {
      const kept = new Map<string, string>();
      return async (request, send) => {
        const sent = isRefund(request) ? keyed(request) : request;
        if (sent !== request)
          kept.set(sent.headers['Idempotency-Key'] ?? '', request.headers['Idempotency-Key'] ?? '');
        const answer = await send(sent);
        const body = [...kept].reduce(
          (text, [there, here]) => text.replaceAll(there, here),
          answer.body,
        );
        return isLog(request) ? { ...answer, body } : answer;
      };
    },
  },
  'asks for changes without a pause': {
    breaks: of('14', 'no more than 5 changes', 'nothing is answered with 429'),
    also: ['3'],
    mischief: () => async (request, send, honest) => {
      const answer = await send(request);
      if (isCapture(request))
        for (let again = 0; again < 5; again += 1) await honest(request, patience());
      return answer;
    },
  },
  'polls without a pause': {
    breaks: of('14', 'no more than 120 reads'),
    also: ['3'],
    mischief: () => async (request, send, honest) => {
      if (isRead(request))
        for (let poll = 0; poll < 125; poll += 1) await honest(request, patience());
      return send(request);
    },
    isSlow: true,
  },
  'reuses a reference': {
    breaks: of('15', 'each reference has letters and a number'),
    also: ['3'],
    mischief: () => async (request, send, honest) => {
      if (isCreate(request)) await honest(keyed(request), patience());
      return send(request);
    },
  },
  'calls its payments by a number': {
    breaks: of('15', 'each reference has letters and a number'),
    also: ['3'],
    mischief: () => (request, send) =>
      send(
        isCreate(request)
          ? withBody(request, (body) => (body['reference'] = '1234567890'))
          : request,
      ),
  },
  'does not keep the trace ids of errors': {
    breaks: of('16', 'for each fault the log holds'),
    also: ['6'],
    mischief: () => async (request, send) => {
      const answer = await send(request);
      return answer.status < 400
        ? answer
        : { ...answer, body: answer.body.replace('traceId', 'forgotten') };
    },
  },
};

/** Each rule about what the service says, in every case that has it. */
const otherAmount = answering(
  isRead,
  (payment: { aggregate: { refundedAmount: { value: number } } }) => {
    payment.aggregate.refundedAmount.value += 1;
  },
);
const otherLog = answering(isLog, (events: object[]) =>
  events.push({ ...events[0], name: 'EXPIRED' }),
);
const badServices: Readonly<Record<string, Bad>> = {
  'shows another amount': { breaks: of('3 4 5 6 8 9 10 11', ends), mischief: () => otherAmount },
  'shows another amount of what has expired': {
    breaks: of('7', ends),
    mischief: () => otherAmount,
    isSlow: true,
  },
  'logs an event too many': { breaks: of('3 4 5 6 8 9 10 11 12', says), mischief: () => otherLog },
  'logs an event too many of what has expired': {
    breaks: of('7', says),
    mischief: () => otherLog,
    isSlow: true,
  },
  'takes no refunds, and tells no registrations': {
    breaks: {
      10: ['refundEpayment is answered with 200'],
      13: ['listRegisteredWebhooks is answered with 200'],
    },
    mischief: () => async (request, send) =>
      isRefund(request) || pathOf(request).includes('/webhooks/')
        ? { status: 403, retryAfterMs: null, body: '{}' }
        : send(request),
  },
};

const bad = [
  ...Object.entries(badClients).map(([does, one]) => ({ who: 'client', does, ...one })),
  ...Object.entries(badServices).map(([does, one]) => ({ who: 'service', does, ...one })),
];

test.concurrent.for(bad.filter(({ isSlow }) => isLong || isSlow !== true))(
  'a $who that $does fails its cases, by their rules',
  async ({ who, breaks, also = [], mischief }, { expect }) => {
    const spoil = spoiledBy(mischief());
    const report = await certify(
      [...also, ...Object.keys(breaks)],
      who === 'client' ? { spoil } : { send: spoil(fetchHttp) },
    );
    for (const [id, beginnings] of Object.entries(breaks)) {
      const { verdict, rules } = caseOf(report, id);
      const broken = rules.filter((rule) => rule.verdict === 'broken').map((rule) => rule.says);
      for (const beginning of beginnings)
        expect(broken, `case ${id}`).toContainEqual(
          expect.stringMatching(new RegExp(`^${beginning}`)),
        );
      expect(verdict).toBe('failed');
    }
  },
);

test('each rule has a client or a service that breaks it', () => {
  const isBroken = (id: string, rule: string): boolean =>
    bad.some(({ breaks }) => breaks[id]?.some((beginning) => rule.startsWith(beginning)) === true);
  const unbroken = epaymentChecklist.flatMap(({ id, rules }) =>
    rules.filter((rule) => !isBroken(id, rule.says)).map((rule) => `${id}: ${rule.says}`),
  );
  expect(unbroken).toEqual([]);
  // The item of the checklist that no program can check.
  expect(epaymentChecklist.filter(({ rules }) => rules.length === 0).map(({ id }) => id)).toEqual([
    '17',
  ]);
});
