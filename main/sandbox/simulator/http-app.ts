/**
 * The simulator's own routes, which the real service does not have: its page, the OpenAPI document
 * and the test endpoints.
 */
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { z } from 'zod';
import { errorText } from './error-text.ts';
import type { Faults } from './faults.ts';
import { openApi } from './openapi.ts';
import { overview } from './overview.ts';
import { page, pageHeaders } from './page.ts';
import type { RequestLog } from './request-log.ts';
import type { ServiceEngine } from './service-engine.ts';
import { ServiceError } from './service-error.ts';

export interface HttpAppOptions {
  readonly service: ServiceEngine;
  readonly faults: Faults;
  readonly requests: RequestLog;
  readonly advance: (ms: number) => Promise<void>;
  /** The body of `GET /simulator/state`. */
  readonly state: () => object;
}

const maxBodyBytes = 5 * 1024 * 1024;
const maxAdvanceMs = 400 * 24 * 60 * 60 * 1000;
/** The body of `POST /simulator/clock`. */
const ClockMove = z
  .strictObject({ advanceMs: z.int().min(0).max(maxAdvanceMs) })
  .describe(
    'Moves the simulator’s clock ahead, and runs everything that becomes due. An address that does not answer callbacks delays nothing.',
  );

/** Whether a request is for the simulator itself, and not for the service that it simulates. */
export const isOfHttpApp = (path: string): boolean =>
  path === '/' ||
  path === '/openapi.json' ||
  path === '/simulator' ||
  path.startsWith('/simulator/');

export function httpApp(options: HttpAppOptions): Hono {
  const { service } = options;
  const app = new Hono();
  app.use(bodyLimit({ maxSize: maxBodyBytes, onError: (c: Context) => c.body(null, 413) }));
  app.get('/', (c) => c.body(page, 200, pageHeaders));
  const schemas = new Map<string, z.ZodType>([
    ['clock', ClockMove],
    ...Array.from(service.testEndpoints, ([name, { schema }]) => [name, schema] as const),
  ]);
  app.get('/openapi.json', () => send(openApi(service.operations, service.world.profile, schemas)));
  app.route('/simulator', testApp(options));
  app.all('*', (c) => c.body(null, 404));
  return app;
}

/** `/simulator/…` */
function testApp({ service, faults, requests, advance, state }: HttpAppOptions): Hono {
  const { world } = service;
  const app = new Hono();
  app.onError((error) => {
    const { status, code } = error instanceof ServiceError ? error : { status: 400, code: '1099' };
    return send({ code, message: errorText(error) }, status);
  });
  for (const [name, endpoint] of service.testEndpoints)
    app.post(`/${name}`, async (c) => {
      const body = await json(c);
      const answer = world.eventLog.record(
        () => ({ kind: 'door', name, body }),
        () => endpoint(body),
      );
      return send(answer ?? {});
    });
  app.get('/state', () => send(state()));
  app.get('/glance', () => send(overview(service, faults.planned(), requests.latest())));
  app.get('/requests', (c) => send(requests.since(Number(c.req.query('since')) || 0)));
  app.get('/clock', () => send({ at: world.at() }));
  app.get('/epayment-code/:name', async (c) => {
    for (const module of service.modules) {
      const picture = await module.picture?.(c.req.param('name'));
      if (picture === 'silence')
        await new Promise((resolve) => c.req.raw.signal.addEventListener('abort', resolve));
      else if (picture)
        return c.body(picture.bytes, 200, {
          'content-type': picture.type,
          'cache-control': 'no-store',
        });
    }
    return c.body(null, 404);
  });
  app.post('/clock', async (c) => {
    await advance(ClockMove.parse(await json(c)).advanceMs);
    return send({ at: world.at() });
  });
  app.post('/faults', async (c) => {
    faults.addOrPlan(await json(c));
    return send({});
  });
  app.delete('/faults', () => {
    faults.clear();
    return send({});
  });
  app.all('*', (c) => c.body(null, 404));
  return app;
}

/** Parses the body for any content type. @throws SyntaxError */
const json = async (c: Context): Promise<unknown> => JSON.parse(await c.req.text());

const send = (body: unknown, status = 200): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
  });
