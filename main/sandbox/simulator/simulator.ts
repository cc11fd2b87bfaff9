import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import type { Cancel, Clock } from '../../domain/clock.ts';
import type { Ids } from '../../domain/ids.ts';
import type { Profile } from '../../wallet/v10/profile.ts';
import { type FaultTools, respond, respondWithFault } from './answering.ts';
import type { Door } from './face.ts';
import { type Fault, Faults } from './faults.ts';
import type { Chronicle, Happening } from './happening.ts';
import { openApi } from './openapi.ts';
import { overview } from './overview.ts';
import { page, pageHeaders } from './page.ts';
import { type PhoneAction, phoneAtBeacon } from './point-of-sale/face.ts';
import { readBody } from './request-body.ts';
import { type LoggedRequest, RequestLog } from './request-log.ts';
import { happenAgain } from './retelling.ts';
import { type Answer, Service } from './service.ts';
import { type Policy, ServiceError, World } from './world.ts';

export interface SimulatorOptions {
  readonly profile: Profile;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The shops that there are; two when nothing is said. */
  readonly storeIds?: readonly string[];
  readonly policy?: Partial<Policy>;
  /** Where everything that happens is kept; `clock` and `ids` are then its own. */
  readonly chronicle?: Chronicle & { retell(happen: (happening: Happening) => void): void };
}

/** The same at every start, so that settings written once go on working. */
const usualCredentials = { clientId: 'tillbeacon', clientSecret: 'simulated-client-secret', merchantVat: 'DK90000028' } as const;
const usualStoreIds = ['51070000-0000-4000-8000-000000000001', '51070000-0000-4000-8000-000000000002'];
/** What `POST /simulator/clock` takes. */
const ClockMove = z.strictObject({
  advanceMs: z
    .int()
    .min(0)
    .max(400 * 24 * 60 * 60 * 1000),
});

/** The whole wallet service on one port, for one machine with nothing else. */
export class Simulator {
  readonly world: World;
  readonly faults: Faults;
  readonly credentials = usualCredentials;
  readonly #service: Service;
  readonly #server: Server;
  readonly #requests = new RequestLog();
  readonly #delays = new Set<Cancel>();
  #baseUrl = '';

  constructor(options: SimulatorOptions) {
    this.world = new World(options);
    const { clientId, clientSecret, merchantVat } = this.credentials;
    this.world.clients.set(clientId, { clientId, clientSecret, integratorId: 'the integrator' });
    for (const storeId of new Set(options.storeIds ?? usualStoreIds)) this.world.addStore({ storeId, merchantVat });
    this.#service = new Service(this.world);
    this.faults = new Faults(this.#service.operations.map(({ name }) => name));
    options.chronicle?.retell((happening) => happenAgain(this.#service, happening));
    this.world.outbox.resume();
    this.#server = createServer({ keepAliveTimeout: 30_000 }, (request, response) => void this.#serve(request, response));
  }

  /** The token service is at the same address. */
  get baseUrl(): string {
    return this.#baseUrl;
  }
  get authUrl(): string {
    return this.#baseUrl;
  }
  get storeIds(): string[] {
    return [...this.world.stores.keys()];
  }

  /** @throws when the port is taken */
  start({ port, host = '127.0.0.1' }: { port: number; host?: string }): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', (error: NodeJS.ErrnoException) =>
        reject(error.code === 'EADDRINUSE' ? new Error(`the simulator cannot listen on port ${port}: another program does`, { cause: error }) : error),
      );
      this.#server.listen(port, host, () => {
        this.#baseUrl = `http://${host}:${(this.#server.address() as AddressInfo).port}`;
        resolve();
      });
    });
  }

  stop(): Promise<void> {
    this.world.clock.stop();
    this.world.outbox.stop();
    for (const cancel of this.#delays) cancel();
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  /** What `GET /simulator/state` says. */
  state(): object {
    return { ...Object.assign({}, ...this.#service.faces.map((face) => face.state())), violations: this.#service.ruleChecker.violations };
  }

  /** What was asked, oldest first. */
  requests(): LoggedRequest[] {
    return this.#requests.since(0);
  }

  /** What a phone's owner does at a beacon. @throws ServiceError */
  phone(action: PhoneAction, beaconId: string, phoneNumber: string): void {
    this.world.chronicle.happens(
      () => ({ kind: 'door', name: `phone/${action}`, body: { beaconId, phoneNumber } }),
      () => phoneAtBeacon(this.world, action, beaconId, phoneNumber),
    );
  }

  /** Moves the world ahead, through everything that comes due, callbacks delivered. */
  async advance(ms: number): Promise<void> {
    const { clock, outbox } = this.world;
    await outbox.settled();
    await clock.advance(ms, () => outbox.settled());
    await outbox.settled();
  }

  /** Ahead as `advance` does; back only by the wall clock, which is all that can be put back. */
  async jump(ms: number): Promise<void> {
    if (ms > 0) await this.advance(ms);
    else this.world.clock.shiftWall(ms);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const url = URL.parse(request.url ?? '/', 'http://simulator');
      if (url === null) return this.#refuse(request, response, request.url ?? '', 400);
      const body = await readBody(request);
      if (body === null) return this.#refuse(request, response, url.pathname, 413);
      if (url.pathname === '/' && request.method === 'GET') return void response.writeHead(200, pageHeaders).end(page);
      if (url.pathname === '/openapi.json' && request.method === 'GET') return respond(response, { status: 200, body: this.#openApi(), code: null });
      if (url.pathname.startsWith('/simulator/')) return respond(response, await this.#control(request.method ?? '', url, body));
      if (url.pathname === this.world.profile.tokenPath && request.method === 'POST') {
        const { authorization, 'content-type': contentType } = request.headers;
        const act = (): Answer =>
          this.world.chronicle.happens(
            () => ({ kind: 'token', authorization, contentType, form: body }),
            () => ({ code: null, ...this.#service.authority.token(authorization, contentType, body) }),
          );
        return await this.#answer('token', request, response, url.pathname, { act, failure: plainFailure });
      }
      const found = this.#service.route(request.method ?? '', url.pathname);
      if (found === null || found === 'method') return this.#refuse(request, response, url.pathname, found === null ? 404 : 405);
      const { route, parameters } = found;
      const { chronicle } = this.world;
      const { headers, headersDistinct } = request;
      const asked = { method: request.method ?? '', path: url.pathname, headers, headersDistinct };
      chronicle.happens(
        () => ({ kind: 'arrived', ...asked }),
        () => this.#service.arrived(route, parameters, request),
      );
      await this.#answer(route.operation.name, request, response, url.pathname, {
        act: () =>
          chronicle.happens(
            () => ({ kind: 'acted', ...asked, search: url.search, body }),
            () => this.#service.answer(route, parameters, url.searchParams, request, body),
          ),
        failure: (status, code) => this.#service.failure(route, status, code),
      });
    } catch (error) {
      if (!response.headersSent) respond(response, plainFailure(500, '2000', String(error)));
    }
  }

  async #answer(
    operation: string,
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    tools: Pick<FaultTools, 'act' | 'failure'>,
  ): Promise<void> {
    const fault = this.faults.next(operation);
    let answer: Answer | null;
    if (fault === null) {
      answer = tools.act();
      respond(response, answer);
    } else {
      answer = await respondWithFault(fault, response, {
        ...tools,
        pause: (ms) => (ms === 0 ? Promise.resolve() : this.#pause(ms)),
        jump: (ms) => this.jump(ms),
      });
    }
    this.#note(request, path, operation, answer, fault);
  }

  /** What the page shows. */
  #overview(): object {
    return overview(this.#service, this.faults.planned(), this.#requests.latest());
  }

  #openApi(): object {
    return openApi(this.#service.operations, this.world.profile);
  }

  /** Of what is no request to the service at all. */
  #refuse(request: IncomingMessage, response: ServerResponse, path: string, status: number): void {
    const answer: Answer = { status, body: null, code: null };
    respond(response, answer);
    this.#note(request, path, null, answer, null);
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.world.clock.after(ms, () => {
        this.#delays.delete(cancel);
        resolve();
      });
      this.#delays.add(cancel);
    });
  }

  /** The simulator's own doors, which the real service does not have. */
  async #control(method: string, url: URL, body: string): Promise<Answer> {
    const ok = (answer: unknown): Answer => ({ status: 200, body: answer, code: null });
    const route = `${method} ${url.pathname}`;
    try {
      const name = url.pathname.slice('/simulator/'.length);
      const door = method === 'POST' ? this.#service.door(name) : undefined;
      if (door !== undefined) return ok(this.#through(name, door, JSON.parse(body)) ?? {});
      switch (route) {
        case 'GET /simulator/state':
          return ok(this.state());
        case 'GET /simulator/glance':
          return ok(this.#overview());
        case 'GET /simulator/clock':
          return ok({ at: this.world.at() });
        case 'POST /simulator/clock':
          await this.advance(ClockMove.parse(JSON.parse(body)).advanceMs);
          return ok({ at: this.world.at() });
        case 'GET /simulator/requests':
          return ok(this.#requests.since(Number(url.searchParams.get('since')) || 0));
        case 'POST /simulator/faults':
          this.#planFaults(JSON.parse(body));
          return ok({});
        case 'DELETE /simulator/faults':
          this.faults.clear();
          return ok({});
        default:
          return { status: 404, body: null, code: null };
      }
    } catch (error) {
      const code = error instanceof ServiceError ? error.code : '1099';
      return { status: error instanceof ServiceError ? error.status : 400, code, body: { code, message: messageOf(error) } };
    }
  }

  #through(name: string, door: Door, body: unknown): unknown {
    return this.world.chronicle.happens(
      () => ({ kind: 'door', name, body }),
      () => door(body),
    );
  }

  /** One fault, several, or a whole plan with its seed. @throws ZodError, RangeError */
  #planFaults(asked: unknown): void {
    if (Array.isArray(asked)) this.faults.add(...(asked as Parameters<Faults['add']>));
    else if (typeof asked === 'object' && asked !== null && 'faults' in asked) this.faults.plan(asked);
    else this.faults.add(asked as Parameters<Faults['add']>[0]);
  }

  #note(request: IncomingMessage, path: string, operation: string | null, answer: Answer | null, fault: Fault | null): void {
    this.#requests.add({
      atMs: this.world.clock.wallMs(),
      operation,
      method: request.method ?? '',
      path,
      status: answer?.status ?? null,
      code: answer?.code ?? null,
      idempotencyKey: this.#service.authority.sentKey(request),
      fault: fault?.kind ?? null,
    });
  }
}

/** Which field, and which rule. */
function messageOf(error: unknown): string {
  if (!(error instanceof z.ZodError)) return (error as Error).message;
  return error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`).join('; ');
}

const plainFailure = (status: 409 | 500, code: string, message = 'Internal error'): Answer => ({ status, code, body: { code, message } });
