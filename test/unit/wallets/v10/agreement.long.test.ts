/**
 * Client and simulator held against each other, operation by operation, with requests made from the
 * declarations: what the documents allow leaves the client and is not refused as bad; what they
 * forbid is stopped by the client, and refused by the service.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { merchantAccess } from '../../../../main/wallets/http/access.ts';
import { integratorAccess } from '../../../../main/wallets/v10/v10-access.ts';
import { v10Catalogue } from '../../../../main/wallets/v10/v10-catalogue.ts';
import { InvalidRequestError } from '../../../../main/wallets/http/errors.ts';
import {
  fetchHttp,
  type HttpAnswer,
  type HttpRequest,
} from '../../../../main/wallets/http/http.ts';
import {
  type Operation,
  operationPath,
  pathParameterNames,
} from '../../../../main/wallets/http/operation.ts';
import { profileNamed } from '../../../../main/wallets/v10/v10-profile.ts';
import { queryFromWire, queryToWire } from '../../../../main/wallets/http/query.ts';
import { Transport } from '../../../../main/wallets/http/transport.ts';
import { Service } from '../../sandbox/simulator/support.ts';
import { allowed, jsonSchemaOf, mistakes, withMistake } from '../../support/requests.ts';

const profile = profileNamed('generic');
const service = new Service();
const apiKey = 'simulated-key-of-DK90000028';
let answered: { request: HttpRequest; answer: HttpAnswer }[] = [];
const transports = new Map<string, Transport>();

beforeAll(async () => {
  await service.start();
  const { baseUrl, authUrl, credentials } = service.simulator;
  const network = { clock: service.clock, send: fetchHttp };
  const access = {
    integrator: integratorAccess({
      ...network,
      authUrl,
      credentials,
      clientVersion: '1.2.3',
      profile,
    }),
    merchant: merchantAccess(apiKey),
  };
  const send = async (request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> => {
    const answer = await fetchHttp(request, signal);
    answered.push({ request, answer });
    return answer;
  };
  for (const kind of ['integrator', 'merchant'] as const)
    transports.set(
      kind,
      new Transport({ ...network, send, baseUrl, access: access[kind], profile, log: silentLog }),
    );
});
afterAll(() => service.simulator.stop());

const transportOf = (operation: Operation): Transport =>
  transports.get(operation.interface.authentication) as Transport;
const ids = (operation: Operation): Record<string, string> =>
  Object.fromEntries(
    pathParameterNames(operation.path).map((name) => [name, service.simulator.world.ids.uuid()]),
  );

/** The reason why the client does not send a request; undefined when it sends it. */
async function byClient(
  operation: Operation,
  about: { query?: unknown; body?: unknown },
): Promise<InvalidRequestError | HttpAnswer> {
  answered = [];
  const transport = transportOf(operation) as {
    call(operation: Operation, input: object, options: object): Promise<unknown>;
  };
  const outcome = await transport
    .call(
      operation,
      { ...ids(operation), ...about },
      { idempotencyKey: service.simulator.world.ids.uuid() },
    )
    .catch((error: Error) => error);
  if (outcome instanceof InvalidRequestError) {
    expect(answered).toEqual([]);
    return outcome;
  }
  const last = answered.at(-1);
  if (last === undefined) throw outcome;
  return last.answer;
}

/** The service's answer to a request that the client's checks did not see. */
async function byService(
  operation: Operation,
  about: { query?: object; body?: unknown },
): Promise<{ status: number; text: string }> {
  const path = Object.entries(ids(operation)).reduce(
    (whole, [name, id]) => whole.replace(`{${name}}`, id),
    operationPath(profile, operation),
  );
  const search = about.query === undefined ? '' : `?${queryToWire(about.query)}`;
  const merchant = operation.interface.authentication === 'merchant';
  const answer = await service.call(
    operation.method,
    path + search,
    about.body as object | undefined,
    merchant ? { authorization: `Bearer ${apiKey}` } : {},
  );
  return { status: answer.status, text: JSON.stringify(answer.body) };
}

/**
 * Refused although well-formed: too little to go by, or against a rule that looks beyond the
 * request.
 */
const mayBeRefused = (operation: Operation): boolean => operation.refusals[400] !== undefined;

const withInput = v10Catalogue.flatMap((operation) => {
  const parts = [];
  if (operation.body !== null)
    parts.push([`the body of ${operation.name}`, operation, 'body', operation.body] as const);
  if (operation.query !== null)
    parts.push([`the query of ${operation.name}`, operation, 'query', operation.query] as const);
  return parts;
});

/**
 * The service takes a list with a bad item and says in its answer which one it is
 * (`rejected_payments`).
 */
const answersItemByItem: ReadonlySet<string> = new Set(['requestSubscriptionPayments']);

/** Rules across fields cannot be read from a schema: a generated request may break one. */
const keepsRules = (operation: Operation, body: unknown): boolean =>
  operation.rules.every(
    (rule) =>
      rule.broken(body, {
        today: new Date(service.clock.wallMs()).toISOString().slice(0, 10),
        limits: profile.limits,
      }) === null,
  );

describe.each(withInput)('%s', (_name, operation, part, schema: z.ZodType) => {
  const json = jsonSchemaOf(schema);
  const decode = (wire: unknown) => schema.safeParse(wire);

  test('as the documents allow it leaves the client, and is not refused as bad', async () => {
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(allowed(json), async (wire) => {
        const inside = decode(wire);
        fc.pre(inside.success && keepsRules(operation, inside.data));
        taken += 1;
        const answer = await byClient(operation, { [part]: inside.data });
        if (answer instanceof InvalidRequestError) throw answer;
        expect(answer.status, answer.body).toBeLessThan(500);
        if (!mayBeRefused(operation)) expect(answer.status, answer.body).not.toBe(400);
      }),
      { numRuns: 12 },
    );
    expect(taken).toBeGreaterThan(0);
  });

  const wrong = mistakes(json).filter(
    ({ wire }) => part === 'body' || typeof wire === 'string' || typeof wire === 'number',
  );
  if (wrong.length === 0) return;
  test('with one thing wrong is stopped by the client, which names the field, and refused by the service', async () => {
    const good = fc
      .sample(allowed(json), { numRuns: 60, seed: 1 })
      .filter((wire) => decode(wire).success)
      .slice(0, 3);
    expect(good.length).toBeGreaterThan(0);
    for (const mistake of wrong)
      for (const wire of good) {
        const inside = decode(wire).data;
        const about = `${mistake.path.join('.')} ${mistake.what} in ${JSON.stringify(wire)}`;
        const stopped = await byClient(operation, {
          [part]: withMistake(inside, mistake, mistake.inside),
        });
        expect(stopped, about).toBeInstanceOf(InvalidRequestError);
        expect(
          (stopped as InvalidRequestError).field.startsWith(mistake.path[0] as string),
          `${about}: ${(stopped as InvalidRequestError).message}`,
        ).toBe(true);
        if (answersItemByItem.has(operation.name)) continue;
        const bad = withMistake(wire, mistake, mistake.wire) as object;
        const refused = await byService(
          operation,
          part === 'body' ? { body: bad } : { query: bad },
        );
        expect(refused.status, `${about}: ${refused.text}`).toBe(400);
      }
  });
});

test('what a query says survives the wire', () => {
  for (const [, , part, schema] of withInput) {
    if (part !== 'query') continue;
    for (const wire of fc.sample(allowed(jsonSchemaOf(schema)), 20)) {
      const present = Object.fromEntries(
        Object.entries(wire as object).filter(
          ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
        ),
      );
      expect(queryFromWire(schema, new URLSearchParams(queryToWire(present)))).toEqual(present);
    }
  }
});
