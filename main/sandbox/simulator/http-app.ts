/** What the simulator serves over HTTP: the operations, its page, and the endpoints for tests, which the real service does not have. */
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { z } from 'zod';
import { errorText } from './error-text.ts';
import type { Faults } from './faults.ts';
import { openApi } from './openapi.ts';
import { overview } from './overview.ts';
import { page, pageHeaders } from './page.ts';
import type { RequestLog } from './request-log.ts';
import { type FaultTools, respond, respondWithFault } from './respond.ts';
import type { Answer, ServiceEngine } from './service-engine.ts';
import { ServiceError } from './service-error.ts';

// Where another server of this process has replaced the global Response by hono's own, that one is sent once more, on its fast path. Reading the body
// turns it into a plain Response, whose header hono respects.
void RESPONSE_ALREADY_SENT.body;

type Env = { readonly Bindings: HttpBindings };

export interface HttpAppOptions extends Pick<FaultTools, 'pause' | 'jump'> {
  readonly service: ServiceEngine;
  readonly faults: Faults;
  readonly requests: RequestLog;
  readonly advance: (ms: number) => Promise<void>;
  /** The body of `GET /simulator/state`. */
  readonly state: () => object;
}

const longestBodyBytes = 5 * 1024 * 1024;
const longestAdvanceMs = 400 * 24 * 60 * 60 * 1000;
/** The body of `POST /simulator/clock`. */
const ClockMove = z.strictObject({ advanceMs: z.int().min(0).max(longestAdvanceMs) });

export function httpApp(options: HttpAppOptions): Hono<Env> {
  const { service, faults, requests } = options;
  const { world, integratorAuth } = service;
  const { eventLog, profile } = world;

  function log(c: Context<Env>, operation: string | null, answer: Answer | null, fault: string | null): void {
    const { method } = c.req;
    const { status = null, code = null } = answer ?? {};
    const idempotencyKey = integratorAuth.sentKey(c.env.incoming);
    requests.add({ atMs: world.clock.wallMs(), operation, method, path: pathOf(c), status, code, idempotencyKey, fault });
  }

  /** Of what is no request to the service at all. */
  function refuse(c: Context<Env>, status: number): Response {
    const answer: Answer = { status, body: null, code: null };
    log(c, null, answer, null);
    return send(c, answer);
  }

  /** Executes a request to the service, or fails it as planned. */
  async function serve(c: Context<Env>, operation: string, tools: Pick<FaultTools, 'act' | 'failure'>): Promise<Response> {
    const fault = faults.next(operation);
    const { outgoing } = c.env;
    const answer = fault === null ? respond(outgoing, tools.act()) : await respondWithFault(fault, outgoing, { ...options, ...tools });
    log(c, operation, answer, fault?.kind ?? null);
    return RESPONSE_ALREADY_SENT;
  }

  const app = new Hono<Env>();
  app.onError((error, c) => (c.env.outgoing.headersSent ? RESPONSE_ALREADY_SENT : send(c, plainFailure(500, '2000', String(error)))));
  app.use(bodyLimit({ maxSize: longestBodyBytes, onError: (c: Context<Env>) => refuse(c, 413) }));
  app.get('/', (c) => c.body(page, 200, pageHeaders));
  app.get('/openapi.json', (c) => send(c, ok(openApi(service.operations, profile))));
  app.route('/simulator', testApp(options));

  app.post(profile.tokenPath, async (c) => {
    const { authorization, 'content-type': contentType } = c.env.incoming.headers;
    const form = await c.req.text();
    const act = (): Answer =>
      eventLog.record(
        () => ({ kind: 'token', authorization, contentType, form }),
        () => ({ code: null, ...integratorAuth.token(authorization, contentType, form) }),
      );
    return serve(c, 'token', { act, failure: plainFailure });
  });

  app.all('*', async (c) => {
    const { method } = c.req;
    const path = pathOf(c);
    const found = service.route(method, path);
    if (found === null || found === 'method') return refuse(c, found === null ? 404 : 405);
    const body = await c.req.text();
    const { search, searchParams } = new URL(c.req.url);
    const { headers, headersDistinct } = c.env.incoming;
    const request = { method, path, headers, headersDistinct };
    eventLog.record(
      () => ({ kind: 'arrived', ...request }),
      () => service.arrived(found.route, found.path, request),
    );
    return serve(c, found.route.operation.name, {
      act: () =>
        eventLog.record(
          () => ({ kind: 'acted', ...request, search, body }),
          () => service.answer(found.route, found.path, searchParams, request, body),
        ),
      failure: (status, code) => service.failure(found.route, status, code),
    });
  });
  return app;
}

/** `/simulator/…` */
function testApp({ service, faults, requests, advance, state }: HttpAppOptions): Hono<Env> {
  const { world } = service;
  const app = new Hono<Env>();
  app.onError((error, c) => {
    const { status, code } = error instanceof ServiceError ? error : { status: 400, code: '1099' };
    return send(c, { status, code, body: { code, message: errorText(error) } });
  });
  for (const [name, endpoint] of service.testEndpoints)
    app.post(`/${name}`, async (c) => {
      const body = await json(c);
      const answer = world.eventLog.record(
        () => ({ kind: 'door', name, body }),
        () => endpoint(body),
      );
      return send(c, ok(answer ?? {}));
    });
  app.get('/state', (c) => send(c, ok(state())));
  app.get('/glance', (c) => send(c, ok(overview(service, faults.planned(), requests.latest()))));
  app.get('/requests', (c) => send(c, ok(requests.since(Number(c.req.query('since')) || 0))));
  app.get('/clock', (c) => send(c, ok({ at: world.at() })));
  app.post('/clock', async (c) => {
    await advance(ClockMove.parse(await json(c)).advanceMs);
    return send(c, ok({ at: world.at() }));
  });
  app.post('/faults', async (c) => {
    faults.addOrPlan(await json(c));
    return send(c, ok({}));
  });
  app.delete('/faults', (c) => {
    faults.clear();
    return send(c, ok({}));
  });
  app.all('*', (c) => send(c, { status: 404, body: null, code: null }));
  return app;
}

const ok = (body: unknown): Answer => ({ status: 200, body, code: null });
const plainFailure = (status: 409 | 500, code: string, message = 'Internal error'): Answer => ({ status, code, body: { code, message } });

/** As sent: hono's own `path` is decoded. */
const pathOf = (c: Context<Env>): string => new URL(c.req.url).pathname;
/** Whatever its content type says. @throws SyntaxError */
const json = async (c: Context<Env>): Promise<unknown> => JSON.parse(await c.req.text());

function send(c: Context<Env>, answer: Answer): Response {
  respond(c.env.outgoing, answer);
  return RESPONSE_ALREADY_SENT;
}
