/**
 * Every case fails for a client that breaks its rule: otherwise its "passed" would mean nothing.
 */
import { describe, expect, test } from 'vitest';
import { checklist } from '../../../main/sandbox/certification/checklist.ts';
import type { RunOptions } from '../../../main/sandbox/certification/run.ts';
import { systemIds } from '../../../main/core/domain/ids.ts';
import { fetchHttp, type HttpAnswer, type HttpRequest } from '../../../main/wallets/http/http.ts';
import {
  caseOf,
  certify,
  type Mischief,
  pathOf,
  quickClock,
  spoiledBy,
  withBody,
  without,
} from './certification-support.ts';

const key = 'X-Service-Idempotency-Key';
const version = 'X-Service-Client-System-Version';
const vat = 'X-Service-Merchant-VAT-Number';

const is = (request: HttpRequest, method: string, path: RegExp): boolean =>
  request.method === method && path.test(pathOf(request));
const poll = /\/payments\/[^/]+$/;
const statusIn = ({ body }: HttpAnswer): unknown =>
  body === '' ? undefined : (JSON.parse(body) as { status?: unknown }).status;
const post = (
  request: HttpRequest,
  change: (url: string) => string,
  body: object | null,
): HttpRequest => ({
  ...request,
  method: 'POST',
  url: change(request.url),
  headers: { ...request.headers, 'content-type': 'application/json', [key]: systemIds.uuid() },
  body: body && JSON.stringify(body),
});

/** The n-th time that the same request is sent: from 1. */
function counting(
  mischief: (
    request: HttpRequest,
    times: number,
    send: (request: HttpRequest) => Promise<HttpAnswer>,
  ) => Promise<HttpAnswer>,
): Mischief {
  const sent = new Map<string, number>();
  return (request, send) => {
    const content = `${request.method} ${request.url} ${request.body}`;
    const times = (sent.get(content) ?? 0) + 1;
    sent.set(content, times);
    return mischief(request, times, send);
  };
}

const changed =
  (method: string, path: RegExp, change: (body: Record<string, unknown>) => void): Mischief =>
  (request, send) =>
    send(is(request, method, path) ? withBody(request, change) : request);

const capturesAt =
  (status: string): Mischief =>
  async (request, send) => {
    const answer = await send(request);
    if (is(request, 'GET', poll) && statusIn(answer) === status)
      await send(post(request, (url) => `${url}/capture`, { amount: 12.5 }));
    return answer;
  };

const withoutKey = counting((request, times, send) =>
  send(times > 1 ? without(request, key) : request),
);
const freshKey = counting((request, times, send) =>
  send(
    times > 1 && key in request.headers
      ? { ...request, headers: { ...request.headers, [key]: systemIds.uuid() } }
      : request,
  ),
);
/** Takes the service's own failure for its last word. */
const givesUp =
  (path: RegExp): Mischief =>
  async (request, send) => {
    const answer = await send(request);
    return path.test(pathOf(request)) && answer.status >= 500 ? { ...answer, status: 400 } : answer;
  };
const believesIt =
  (method: string, path: RegExp): Mischief =>
  async (request, send) =>
    is(request, method, path) ? { status: 200, retryAfterMs: null, body: '' } : send(request);

const waitsFiveSeconds: Mischief = (request, _send, honest) => {
  const patience = new AbortController();
  quickClock.after(5_000, () => patience.abort(new Error('no answer within 5000 ms')));
  return honest(request, patience.signal);
};

interface Bad extends Pick<RunOptions, 'payments' | 'callbackAlias'> {
  readonly does: string;
  readonly fails: string;
  /** What the report must say about the fault. */
  readonly because: RegExp;
  readonly mischief: () => Mischief;
  /** The other cases from which a standing rule takes its records. */
  readonly also?: readonly string[];
  readonly tokenFor?: 'integrator';
}

const badClients: readonly Bad[] = [
  {
    does: 'leaves its version out',
    fails: '1',
    also: ['2'],
    because: /is missing/,
    mischief: () => (request, send) => send(without(request, version)),
  },
  {
    does: 'names another version than the certified one',
    fails: '1',
    also: ['2'],
    because: /9\.9\.9 is not the version 1\.2\.3/,
    mischief: () => (request, send) =>
      send({ ...request, headers: { ...request.headers, [version]: '9.9.9' } }),
  },
  {
    does: 'does not say for which merchant it calls',
    fails: '2',
    because: /neither the token nor .* names the merchant/,
    mischief: () => (request, send) => send(without(request, vat)),
    tokenFor: 'integrator',
  },
  {
    does: 'shows no token',
    fails: '2',
    because: /401|no bearer token/,
    mischief: () => (request, send) =>
      send(request.url.endsWith('/token') ? request : without(request, 'authorization')),
  },
  {
    does: 'creates a point of sale again without its key',
    fails: '3',
    because: /without its idempotency key/,
    mischief: () => withoutKey,
  },
  {
    does: 'creates a point of sale again with a new key',
    fails: '3',
    because: /without its idempotency key/,
    mischief: () => freshKey,
  },
  {
    does: 'believes that a point of sale is deleted',
    fails: '4',
    because: /was not repeated/,
    mischief: () => givesUpAsDone,
  },
  {
    does: 'puts the posId into the QR code',
    fails: '5',
    because: /the QR code says/,
    mischief: () => async (request, send) => {
      const answer = await send(request);
      return is(request, 'GET', /\/pointofsales\/[^/]+$/)
        ? {
            ...answer,
            body: answer.body.replace(/"beaconId":"[^"]+"/, `"beaconId":"${systemIds.uuid()}"`),
          }
        : answer;
    },
  },
  {
    does: 'names a withdrawn beacon type',
    fails: '6',
    also: ['5'],
    because: /"BluetoothMP1" is no documented beacon type/,
    mischief: () =>
      changed(
        'POST',
        /pointofsales$/,
        (body) => void (body['supportedBeaconTypes'] = ['BluetoothMP1']),
      ),
  },
  {
    does: 'initiates again without its key',
    fails: '7',
    because: /without its idempotency key/,
    mischief: () => withoutKey,
  },
  {
    does: 'gives up at the first 500',
    fails: '7',
    because: /was not repeated/,
    mischief: () => givesUp(/payments$/),
  },
  {
    does: 'captures before the money is reserved',
    fails: '7',
    because: /no poll had answered Reserved yet/,
    mischief: () => capturesAt('IssuedToUser'),
  },
  {
    does: 'asks for another amount when it repeats',
    fails: '7',
    because: /is not what \d+ was/,
    mischief: () =>
      counting((request, times, send) =>
        send(
          times > 1 && is(request, 'POST', /capture$/)
            ? withBody(request, (body) => void (body['amount'] = 12))
            : request,
        ),
      ),
  },
  {
    does: 'polls twice at a time',
    fails: '8',
    because: /poll \d+ left \d+ ms after the one before, 200 were asked for/,
    mischief: () => async (request, send) => {
      if (is(request, 'GET', poll)) await send(request);
      return send(request);
    },
  },
  {
    does: 'stops polling when an answer does not come',
    fails: '8',
    because: /the last poll had no answer/,
    mischief: () => async (request, send) =>
      send(request).catch((error: unknown) => {
        if (is(request, 'GET', poll)) return { status: 404, retryAfterMs: null, body: '' };
        throw error;
      }),
  },
  {
    does: 'captures what the customer has cancelled',
    fails: '9',
    because: /capturePayment (was sent|followed)/,
    mischief: () => capturesAt('CancelledByUser'),
  },
  {
    does: 'polls on after the end',
    fails: '9',
    because: /getPayment followed/,
    mischief: () => async (request, send) => {
      const answer = await send(request);
      if (is(request, 'GET', poll) && statusIn(answer) === 'CancelledByUser') await send(request);
      return answer;
    },
  },
  {
    does: 'does not repeat a cancellation',
    fails: '10',
    because: /was not repeated/,
    mischief: () => givesUp(/cancel$/),
  },
  {
    does: 'initiates again at once when it is blocked',
    fails: '11',
    because: /it was followed by initiatePayment/,
    mischief: () => async (request, send) => {
      const answer = await send(request);
      return answer.status === 409 && is(request, 'POST', /payments$/) ? send(request) : answer;
    },
  },
  {
    does: 'sends the amount with prepare',
    fails: '12',
    because: /prepare carried an amount/,
    mischief: () => changed('POST', /prepare$/, (body) => void (body['amount'] = 12.5)),
  },
  {
    does: 'never lets its cancellations leave',
    fails: '13',
    because: /no payment was cancelled|did not become/,
    mischief: () => believesIt('POST', /cancel$/),
  },
  {
    does: 'prepares again without its key',
    fails: '14',
    because: /without its idempotency key/,
    mischief: () => withoutKey,
  },
  {
    does: 'forgets the restrictions of a payment',
    fails: '15 E1',
    because: /no request carried one/,
    mischief: () => changed('POST', /payments$/, (body) => void delete body['restrictions']),
  },
  {
    does: 'forgets the restrictions of a prepared payment',
    fails: '15 E2',
    because: /no request carried one/,
    mischief: () => changed('POST', /ready$/, (body) => void delete body['restrictions']),
  },
  {
    does: 'forgets the label of a payment',
    fails: '7',
    because: /carries none/,
    payments: { merchantPaymentLabel: 'shift 7' },
    mischief: () =>
      changed('POST', /payments$/, (body) => void delete body['merchantPaymentLabel']),
  },
  {
    does: 'sends a restriction that the lane has not',
    fails: '15 E2',
    because: /carries \{"debitCardDisallowed":true/,
    payments: { restrictions: { debitCardDisallowed: false, creditCardDisallowed: true } },
    mischief: () =>
      changed(
        'POST',
        /ready$/,
        (body) =>
          void (body['restrictions'] = { debitCardDisallowed: true, creditCardDisallowed: true }),
      ),
  },
  {
    does: 'forgets the notification service',
    fails: '5',
    because: /carries undefined/,
    callbackAlias: 'hansens-check-in',
    mischief: () => changed('POST', /pointofsales$/, (body) => void delete body['callbackAlias']),
  },
  {
    does: 'refunds again with a new key',
    fails: '16',
    because: /without its idempotency key/,
    mischief: () => freshKey,
  },
  {
    does: 'captures a refund that it has not seen reserved',
    fails: '16',
    because: /no poll had answered Reserved yet/,
    mischief: () => async (request, send) => {
      const answer = await send(request);
      if (is(request, 'POST', /refunds$/) && answer.status === 200)
        await send(
          post(
            request,
            (url) => `${url}/${(JSON.parse(answer.body) as { refundId: string }).refundId}/capture`,
            null,
          ),
        );
      return answer;
    },
  },
  {
    does: 'pays a refund out that it should cancel',
    fails: '17',
    because: /captureRefund was sent/,
    mischief: () => (request, send) =>
      send(
        is(request, 'POST', /refunds\/[^/]+\/cancel$/)
          ? { ...request, url: request.url.replace(/cancel$/, 'capture') }
          : request,
      ),
  },
  {
    does: 'waits five seconds for an answer',
    fails: '18',
    also: ['10'],
    because: /was waited for \d{4} ms/,
    mischief: () => waitsFiveSeconds,
  },
  {
    does: 'sends a seventh time',
    fails: '18',
    because: /was sent \d+ times/,
    mischief: () => async (request, send) => {
      const answer = await send(request);
      return answer.status >= 500 ? send(request) : answer;
    },
  },
  {
    does: 'sends again what was refused',
    fails: '18',
    because: /was refused with 409 and sent again/,
    mischief: () => async (request, send) => {
      const answer = await send(request);
      return answer.status === 409 ? send(request) : answer;
    },
  },
  {
    does: 'looks for a check-in without showing a QR code',
    fails: '19',
    because: /no QR code was displayed/,
    mischief: () => async (request, send) => {
      if (is(request, 'POST', /payments$/)) {
        const { posId } = JSON.parse(request.body as string) as { posId: string };
        await send({
          ...request,
          method: 'GET',
          url: request.url.replace(/payments$/, `pointofsales/${posId}/checkin`),
          body: null,
        });
      }
      return send(request);
    },
  },
  {
    does: 'asks again what it was just told',
    fails: '19',
    because: /asks again what was answered/,
    mischief: () => async (request, send) => {
      if (is(request, 'GET', /\/pointofsales$/)) await send(request);
      return send(request);
    },
  },
  {
    does: 'talks to the service behind the recorder’s back',
    fails: '19',
    because: /arrived unrecorded/,
    mischief: () => async (request, send) => {
      if (is(request, 'GET', /\/pointofsales$/))
        await fetchHttp(request, new AbortController().signal);
      return send(request);
    },
  },
  {
    does: 'captures another amount later',
    fails: '20',
    because: /the amount changed|it was not confirmed/,
    mischief: () =>
      counting((request, times, send) =>
        send(
          times > 6 && is(request, 'POST', /capture$/)
            ? withBody(request, (body) => void (body['amount'] = 12))
            : request,
        ),
      ),
  },
  {
    does: 'uses one order id for all',
    fails: '21',
    also: ['13'],
    because: /order id the-order was sent with 2 keys/,
    mischief: () => changed('POST', /prepare$/, (body) => void (body['orderId'] = 'the-order')),
  },
  {
    does: 'announces a later capture than it does',
    fails: '22',
    also: ['23'],
    because: /announces LessThan14Days/,
    mischief: () =>
      changed('POST', /payments$/, (body) => void (body['plannedCaptureDelay'] = 'LessThan14Days')),
  },
  {
    does: 'has forgotten its key when it starts anew',
    fails: '23',
    because: /then blocked, then/,
    mischief: () => freshKey,
  },
];

/** A client that takes a failed request for done. */
const givesUpAsDone: Mischief = async (request, send) => {
  const answer = await send(request);
  return request.method === 'DELETE' && answer.status >= 500 ? { ...answer, status: 200 } : answer;
};

describe.concurrent('a client that', () => {
  test.each(badClients)(
    '$does fails case $fails',
    async ({ does: _does, fails, also = [], because, mischief, tokenFor, ...ofLane }) => {
      const report = await certify(
        [...also, fails],
        { spoil: spoiledBy(mischief()), ...ofLane },
        tokenFor,
      );
      const { verdict, rules, ended } = caseOf(report, fails);
      const said = [
        ...rules.filter((rule) => rule.verdict === 'broken').map(({ detail }) => detail),
        ended ?? '',
      ];
      expect(said).toContainEqual(expect.stringMatching(because));
      expect(verdict).toBe('failed');
    },
  );
});

test('there is such a client for every case that has rules', () => {
  const judged = checklist
    .filter(({ id, rules }) => rules.length > 0 && id !== '26')
    .map(({ id }) => id);
  expect(judged.filter((id) => !badClients.some(({ fails }) => fails === id))).toEqual([]);
});
