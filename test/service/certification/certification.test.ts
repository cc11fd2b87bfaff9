import { beforeAll, describe, expect, test } from 'vitest';
import { checklist } from '../../../main/sandbox/certification/checklist.ts';
import { faultsStayInLog } from '../../../main/sandbox/certification/cases/support-data.ts';
import type { Seen } from '../../../main/sandbox/certification/case.ts';
import { reportPage } from '../../../main/sandbox/certification/html.ts';
import type { Report } from '../../../main/sandbox/certification/report.ts';
import { tableOf } from '../../../main/sandbox/certification/table.ts';
import { fetchHttp, type HttpSend } from '../../../main/wallets/http/http.ts';
import { profileNamed } from '../../../main/wallets/v10/v10-profile.ts';
import { caseOf, certify } from './certification-support.ts';

const secrets =
  /simulated-client-secret|dGlsbGJlYWNvbjpzaW11bGF0ZWQ|(Bearer|Basic) [\w+/=]{20,}|customer-of-/;

/** Side by side: most of the time they wait. */
const groups = [
  '1, 2, 3, 4, 5, 6',
  '7, 8',
  '9, 10, 11, 12, 13',
  '14, 15 E1, 15 E2',
  '16, 17',
  '18, 19, 20',
  '7, 10, 21, 22, 23, 24, 25, 26, 27',
];

describe.concurrent('the product’s own client', () => {
  test.for(groups)(
    'passes cases %s, and nothing is called passed that was not seen',
    async (group, { expect }) => {
      const left: string[] = [];
      const report = (await certify(group.split(', '), {
        left: (what) => left.push(what),
      })) as Report;
      const expected = (id: string): string =>
        ['20', '21', '23'].includes(id)
          ? 'documented'
          : ['24', '25', '27'].includes(id)
            ? 'forPeople'
            : 'passed';
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
    },
  );

  test('is taken through the whole checklist', ({ expect }) => {
    expect([...new Set(groups.flatMap((group) => group.split(', ')))].toSorted()).toEqual(
      checklist.map(({ id }) => id).toSorted(),
    );
  });
});

describe('a run', () => {
  let report: Report;
  beforeAll(async () => {
    report = (await certify(['1', '2', '7', '24', '26'])) as Report;
  });

  test('is shown with each request: what left, what came back, when, which attempt, and for which rule', () => {
    const seventh = report.exchanges.filter(
      ({ caseId, operation }) => caseId === '7' && operation === 'initiatePayment',
    );
    expect(seventh).toMatchObject([
      { attempt: 1, answer: null, failure: 'no answer within 2000 ms' },
      { attempt: 2, answer: { status: 500 }, failure: null },
      { attempt: 3, answer: { status: 200 }, failure: null },
    ]);
    for (const { method, path, body, sentAt, tookMs, shows } of seventh) {
      expect({ method, path }).toEqual({ method: 'POST', path: '/v10/payments' });
      expect(JSON.parse(body as string)).toMatchObject({
        amount: 12.5,
        plannedCaptureDelay: 'None',
      });
      expect(sentAt).toMatch(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/);
      expect(tookMs).toBeGreaterThan(0);
      expect(shows).toContainEqual({
        case: '7',
        rule: expect.stringContaining('initiatePayment is repeated unchanged') as string,
      });
    }
  });

  test('holds no more of an answer than somebody reads, and nothing that changes how the rest looks', async () => {
    const talkative: HttpSend = async (request, signal) => {
      const answer = await fetchHttp(request, signal);
      return {
        ...answer,
        body: answer.body.replace(/\}$/, `,"more":"\u202e${'x'.repeat(100_000)}"}`),
      };
    };
    const long = (await certify(['1', '2'], { send: talkative })) as Report;
    expect(caseOf(long, '1').verdict).toBe('passed');
    const bodies = long.exchanges.map(({ answer }) => answer?.body ?? '');
    expect(Math.max(...bodies.map(({ length }) => length))).toBe(20_000);
    expect(reportPage(long)).not.toContain('\u202e');
  });

  test('does not give its secrets away, nor what names a customer, in any form of the report', () => {
    const texts = [JSON.stringify(report), reportPage(report), tableOf(report)];
    for (const text of texts) expect(text.match(secrets)).toBeNull();
    expect(texts[0]).toContain('"authorization":"Bearer ***"');
    expect(texts[0]).toContain('"authorization":"Basic ***"');
    expect(texts[0]).toContain('\\"customerToken\\":\\"***\\"');
  });

  test('is told in a page whose links lead somewhere, without a script', () => {
    const page = reportPage(report);
    const anchors = new Set([...page.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]));
    const links = [...page.matchAll(/href="#([^"]+)"/g)].map((match) => match[1]);
    expect(links.length).toBeGreaterThan(100);
    expect(links.filter((link) => !anchors.has(link))).toEqual([]);
    expect(page).not.toMatch(/<script|https?:\/\/(?!127)[^"]*\.(css|js)/);
  });

  test('holds what a lane sends against its settings', async () => {
    const payments = {
      restrictions: { debitCardDisallowed: false, creditCardDisallowed: true },
      merchantPaymentLabel: 'shift 7',
    };
    const ofLane = (await certify(['5', '7', '12', '15 E1', '15 E2'], {
      payments,
      callbackAlias: 'hansens-check-in',
    })) as Report;
    expect(ofLane.cases.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual([
      '5 passed',
      '7 passed',
      '12 passed',
      '15 E1 passed',
      '15 E2 passed',
    ]);
    const detailOf = (id: string, says: RegExp): string =>
      caseOf(ofLane, id).rules.find((rule) => says.test(rule.says))?.detail ?? '';
    for (const id of ['7', '12', '15 E1', '15 E2'])
      expect(detailOf(id, /^merchantPaymentLabel/)).toBe('"shift 7"');
    expect(detailOf('5', /^callbackAlias/)).toBe('hansens-check-in');
    for (const id of ['15 E1', '15 E2'])
      expect(detailOf(id, /^the restrictions/)).toBe(
        '{"debitCardDisallowed":false,"creditCardDisallowed":true}',
      );
  });

  test('is told in a table of one line for each case', () => {
    expect(tableOf(report).split('\n')).toHaveLength(report.cases.length + 1);
  });

  test('leaves traces in the log of every fault; without them case 26 fails', () => {
    expect(caseOf(report, '26').verdict).toBe('passed');
    const all = [
      {
        ...report.exchanges.find(({ answer }) => answer?.status === 500),
        sentAtMs: 0,
        endedAtMs: 1,
      },
    ] as unknown as Seen['all'];
    const seen: Seen = {
      own: [],
      all,
      evidence: {},
      log: [],
      profile: profileNamed('generic'),
      clientVersion: '1.2.3',
      merchantVat: 'DK90000028',
      storeId: 'x',
      payments: {},
      callbackAlias: null,
      slackMs: 0,
      witness: null,
    };
    for (const rule of faultsStayInLog) expect(rule.look(seen).verdict).toBe('broken');
  });
});

test('what a service answers is shown and never becomes part of the page, or of the terminal', () => {
  const evil = '<img src=x onerror="alert(1)">\u001b[2J';
  const report: Report = {
    startedAt: '',
    endedAt: '',
    service: evil,
    clientVersion: '1.2.3',
    merchant: evil,
    sections: { C: evil },
    cases: [
      {
        id: '7',
        section: 'C',
        title: 'T',
        source: 's',
        verdict: 'failed',
        ended: evil,
        documented: [evil],
        people: [evil],
        evidence: { [evil]: evil },
        requests: [1],
        rules: [{ says: 'r', source: 's', verdict: 'broken', detail: evil, exchanges: [1] }],
      },
    ],
    exchanges: [
      {
        number: 1,
        caseId: '7',
        operation: '?',
        method: 'GET',
        path: `/${evil}`,
        headers: { x: evil },
        body: evil,
        sentAt: '',
        attempt: 1,
        tookMs: null,
        failure: null,
        shows: [],
        answer: { status: 200, body: evil },
      },
    ],
  };
  const page = reportPage(report);
  expect(page).not.toContain('<img');
  expect(page.split('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;').length).toBeGreaterThan(8);
  expect(tableOf(report)).not.toContain('\u001b');
});
