import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { withCorrelation } from '../../../../main/core/domain/correlation.ts';
import {
  type LogEntry,
  recordingLog,
} from '../../../../main/sandbox/certification/recording-log.ts';
import { merchantAccess } from '../../../../main/wallets/http/access.ts';
import { clientOf } from '../../../../main/wallets/v10/typed-client.ts';
import { readErrorBody } from '../../../../main/wallets/http/error-body.ts';
import type { HttpAnswer, HttpRequest } from '../../../../main/wallets/http/http.ts';
import {
  defineOperation,
  FileAnswer,
  type Operation,
  type Rule,
} from '../../../../main/wallets/http/operation.ts';
import { subscriptionsInterface } from '../../../../main/wallets/v10/v10-interfaces.ts';
import { profileNamed } from '../../../../main/wallets/v10/v10-profile.ts';
import { queryFromWire, queryToWire } from '../../../../main/wallets/http/query.ts';
import { type ServiceCall, Transport } from '../../../../main/wallets/http/transport.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const id = '6a0e0000-0000-4000-8000-000000000001';
const clock = new ManualClock();
let sent: HttpRequest[];
let answers: HttpAnswer[];
let logged: LogEntry[];
let seen: ServiceCall[];
beforeEach(() => {
  logged = [];
  seen = [];
  sent = [];
  answers = [];
});
const answer = (status: number, body: unknown = ''): HttpAnswer => ({
  status,
  retryAfterMs: null,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

function transport(access = merchantAccess('the-key')): Transport {
  return new Transport({
    baseUrl: 'https://service.example/',
    access,
    profile: profileNamed('generic'),
    clock,
    log: recordingLog(logged),
    observe: (call) => seen.push(call),
    send(request) {
      sent.push(request);
      const next = answers.shift();
      return next === undefined
        ? Promise.reject(new Error('the line is dead'))
        : Promise.resolve(next);
    },
  });
}

const latest: Rule<{ day: string }> = {
  says: 'must not be in the past',
  source: 'this test',
  refusedByService: false,
  broken: ({ day }, { today }) => (day < today ? { field: 'day', value: day } : null),
};
const common = { says: 'A test.', source: 'this test', interface: subscriptionsInterface } as const;
const create = defineOperation({
  ...common,
  name: 'create',
  method: 'POST',
  path: '/things',
  body: z.object({ day: z.string() }),
  idempotency: 'none',
  rules: [latest],
  success: 202,
});
const change = defineOperation({
  ...common,
  name: 'change',
  method: 'PATCH',
  path: '/things/{thingId}',
  body: z.object({ day: z.string() }),
  success: 204,
});
const find = defineOperation({
  ...common,
  name: 'find',
  method: 'GET',
  path: '/things',
  query: z.object({
    page: z.int().min(1).default(1),
    states: z.array(z.string()).optional(),
    deep: z.boolean().optional(),
    from: z.string().nullish(),
  }),
  answer: z.object({ things: z.array(z.string()) }),
});
const file = defineOperation({
  ...common,
  name: 'file',
  method: 'GET',
  path: '/things/{thingId}/pdf',
  answer: FileAnswer,
  answerType: 'pdf',
});
const day = '2026-11-21';

test.each([
  [answer(200, { things: [] }), 'answered'],
  [answer(404), 'refused'],
  [answer(401), 'refused'],
  [answer(429), 'refused'],
  [answer(200, 'a page of a portal'), 'unreadable'],
] as const)('whoever looks on is told of %j as %s', async (given, result) => {
  answers = [given];
  await transport()
    .call(find, { query: { page: 1 } }, { maxAttempts: 1 })
    .catch(() => {});
  expect(seen).toEqual([{ operation: 'find', polled: false, result, ms: 0 }]);
});

test('whoever looks on is told of each repetition by itself: no answer, then a failure', async () => {
  const asked = transport()
    .call(find, { query: { page: 1 } }, { maxAttempts: 2 })
    .catch(() => {});
  await clock.pass(0);
  answers = [answer(500)];
  await clock.pass(1_000);
  await asked;
  expect(seen.map(({ result }) => result)).toEqual(['noAnswer', 'failed']);
});

/** Lets time pass until the repetitions of a call have run. */
async function outcome(call: Promise<unknown>): Promise<unknown> {
  let ended: unknown;
  call.then(
    (value) => (ended = { value }),
    (error: Error) => (ended = { error }),
  );
  for (let steps = 0; ended === undefined && steps < 50; steps += 1) await clock.pass(250);
  return ended;
}

afterEach(() => expect(answers).toEqual([]));

describe('an operation that creates without a key', () => {
  test('is sent once, whatever comes of it: nobody could tell a repetition from a second wish', async () => {
    answers = [answer(500)];
    expect(await outcome(transport().call(create, { body: { day } }))).toMatchObject({
      error: { name: 'ServiceUnreachableError', attempts: 1 },
    });
    expect(await outcome(transport().call(create, { body: { day } }))).toMatchObject({
      error: { name: 'ServiceUnreachableError', attempts: 1 },
    });
    expect(sent).toHaveLength(2);
  });

  test('and every other one is repeated unchanged, five times at most', async () => {
    expect(await outcome(transport().call(change, { thingId: id, body: { day } }))).toMatchObject({
      error: { attempts: 6 },
    });
    expect(sent).toHaveLength(6);
    expect(new Set(sent.map((request) => JSON.stringify(request))).size).toBe(1);
  });
});

describe('success without an answer', () => {
  test.each(['', ' \n', '{}', 'null'])('may say %o', async (body) => {
    answers = [answer(204, body)];
    expect(await outcome(transport().call(change, { thingId: id, body: { day } }))).toEqual({
      value: undefined,
    });
  });

  test('is not a page of HTML: whoever says that is not the service, and the outcome is not known', async () => {
    answers = [answer(200, '<html>Welcome to the guest network</html>')];
    expect(await outcome(transport().call(change, { thingId: id, body: { day } }))).toMatchObject({
      error: { name: 'UnexpectedAnswerError' },
    });
  });
});

describe('a rule beyond the schema', () => {
  test('stops the request before it leaves, and names field, rule and value', async () => {
    expect(await outcome(transport().call(create, { body: { day: '2026-11-20' } }))).toMatchObject({
      error: {
        name: 'InvalidRequestError',
        field: 'day',
        rule: 'must not be in the past',
        value: '2026-11-20',
      },
    });
    expect(sent).toEqual([]);
  });

  test('lets pass what keeps it', async () => {
    answers = [answer(202)];
    expect(await outcome(transport().call(create, { body: { day } }))).toEqual({
      value: undefined,
    });
    expect(sent[0]).toMatchObject({
      method: 'POST',
      url: 'https://service.example/subscriptions/api/things',
      body: JSON.stringify({ day }),
    });
  });
});

describe('the correlation id of a call', () => {
  const ids = (): (string | undefined)[] => sent.map(({ headers }) => headers['CorrelationId']);

  test('is its own, and its repetitions have the same', async () => {
    answers = [answer(500), answer(204), answer(204)];
    await outcome(transport().call(change, { thingId: id, body: { day } }));
    await outcome(transport().call(change, { thingId: id, body: { day } }));
    expect(ids()).toEqual(
      Array.from({ length: 3 }, () =>
        expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      ),
    );
    expect(ids()[0]).toBe(ids()[1]);
    expect(ids()[1]).not.toBe(ids()[2]);
  });

  test('is that of what it is made for; what is no UUID stays here', async () => {
    answers = [answer(204), answer(204), answer(204)];
    const call = () => transport().call(change, { thingId: id, body: { day } });
    await withCorrelation(id, call);
    await withCorrelation('x\r\ny: z', call);
    await call();
    expect(ids()[0]).toBe(id);
    expect(new Set(ids()).size).toBe(3);
    expect(ids()[1]).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('is in the log of each fault, beside the one that the service names instead', async () => {
    answers = [
      answer(500),
      answer(409, { code: '1301', correlationId: id }),
      answer(409, { code: '1301', correlationId: 'other' }),
    ];
    await outcome(transport().call(change, { thingId: id, body: { day } }, { correlationId: id }));
    await outcome(transport().call(change, { thingId: id, body: { day } }, { correlationId: id }));
    const told = logged.map(({ fields }) => fields);
    expect(told).toEqual([
      expect.objectContaining({ correlationId: id, status: 500 }),
      expect.objectContaining({ correlationId: id, status: 409 }),
      expect.objectContaining({ correlationId: id, serviceCorrelationId: 'other' }),
    ]);
    expect(told[1]).not.toHaveProperty('serviceCorrelationId');
  });
});

describe('a merchant’s access', () => {
  test('is the key as a bearer, without the integrator’s headers', async () => {
    answers = [answer(204)];
    await transport().call(change, { thingId: id, body: { day } }, { correlationId: id });
    expect(sent[0]?.headers).toEqual({
      accept: 'application/json',
      'content-type': 'application/json',
      authorization: 'Bearer the-key',
      CorrelationId: id,
    });
  });

  test('a key that is refused is refused: nothing newer can be had', async () => {
    answers = [answer(401)];
    expect(await outcome(transport().call(change, { thingId: id, body: { day } }))).toMatchObject({
      error: { name: 'CredentialsRefusedError' },
    });
    expect(sent).toHaveLength(1);
  });

  test('a token that somebody keeps fresh is asked for once more', async () => {
    answers = [answer(401), answer(204)];
    const tokens = ['old', 'new'];
    await transport(merchantAccess(() => Promise.resolve(tokens.shift() as string))).call(change, {
      thingId: id,
      body: { day },
    });
    expect(sent.map(({ headers }) => headers['authorization'])).toEqual([
      'Bearer old',
      'Bearer new',
    ]);
  });
});

describe('a client made from declarations', () => {
  test('has one method for each, and answers what the declaration says', async () => {
    const client = clientOf(transport(), [create, change, find, file]);
    answers = [answer(200, { things: ['one'], extra: 1 }), answer(200, '%PDF-1.4 \u00ff')];
    expect(await client.find({ query: { page: 2, states: ['a', 'b & c'], deep: true } })).toEqual({
      things: ['one'],
    });
    expect(sent[0]?.url).toBe(
      'https://service.example/subscriptions/api/things?page=2&states=a&states=b+%26+c&deep=true',
    );
    const pdf: Uint8Array = await client.file({ thingId: id });
    expect([...pdf].at(-1)).toBe(0xff);
    expect(sent[1]).toMatchObject({ binary: true, headers: { accept: 'application/pdf' } });
    // @ts-expect-error a path parameter is missing
    await expect(client.change({ body: { day } })).rejects.toMatchObject({
      field: 'thingId',
      rule: 'must be a UUID',
    });
  });
});

describe('a query', () => {
  const schema = (find as unknown as Operation).query as z.ZodType;
  test('comes back from the wire in the types of its schema', () => {
    const query = { page: 3, states: ['one'], deep: false, from: '2026-01-01' };
    expect(queryFromWire(schema, new URLSearchParams(queryToWire(query)))).toEqual(query);
  });
  test('what is no number stays what it was, for the schema to refuse', () => {
    expect(queryFromWire(schema, new URLSearchParams('page=two&deep=perhaps'))).toEqual({
      page: 'two',
      deep: 'perhaps',
    });
    expect(queryFromWire(schema, new URLSearchParams('page=0x10'))).toEqual({ page: '0x10' });
  });
  test('leaves out what is not there', () => {
    expect(queryToWire({ a: null, b: undefined, c: [], d: 0 })).toBe('d=0');
  });
});

describe('an error answer is understood in the shape of each interface', () => {
  test.each([
    ['point of sale', { code: '1301', message: 'active', correlationId: 'c' }],
    [
      'point of sale, as one example writes it',
      { Code: 1301, Message: 'active', CorrelationId: 'c' },
    ],
    [
      'subscriptions',
      {
        error: 'InputError',
        error_description: {
          message: 'active',
          error_type: 'InputError',
          correlation_id: 'c',
          error_code: '1301',
        },
      },
    ],
    [
      'subscriptions’ refunds',
      {
        errorText: 'no',
        errorDetails: {
          message: 'active',
          errorType: 'InputError',
          correlationId: 'c',
          errorCode: '1301',
        },
      },
    ],
    [
      'invoice',
      {
        correlation_id: 'c',
        error: 'DomainError',
        error_code: '1301',
        error_description: 'active',
        error_context: 'x',
      },
    ],
  ])('%s', (_name, body) => {
    expect(readErrorBody(JSON.stringify(body))).toMatchObject({
      code: '1301',
      message: 'active',
      correlationId: 'c',
    });
  });

  test.each(['', '<html>', '[]', '7', 'null', '{}'])(
    '%o says nothing, and breaks nothing',
    (body) => {
      expect(readErrorBody(body)).toEqual({
        code: null,
        message: null,
        correlationId: null,
        origin: null,
      });
    },
  );
});

test('a refusal is logged with everything that its body says for support, the part of the service that refused too', async () => {
  answers = [answer(409, { code: '1368', message: 'too low', correlationId: 'c', origin: 'PoS' })];
  await expect(transport().call(create, { body: { day: '9999-12-31' } })).rejects.toMatchObject({
    status: 409,
  });
  expect(logged).toEqual([
    expect.objectContaining({
      fields: expect.objectContaining({
        operation: 'create',
        status: 409,
        code: '1368',
        serviceCorrelationId: 'c',
        origin: 'PoS',
      }),
    }),
  ]);
});
