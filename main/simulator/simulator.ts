import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Cancel, Clock } from '../primitives/clock.ts';
import type { Ids } from '../primitives/ids.ts';
import { toMajorUnits } from '../primitives/money.ts';
import type { Profile } from '../wallet/profile.ts';
import { type Fault, Faults } from './faults.ts';
import { phoneNumbered } from './handlers.ts';
import { accept, cancelByUser, checkIn, leave, settle } from './payments.ts';
import { settleRefund } from './refunds.ts';
import { type Answer, Service } from './service.ts';
import { type Policy, ServiceError, World } from './world.ts';

export interface SimulatorOptions {
  readonly profile: Profile;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The shops that there are; two when nothing is said. */
  readonly storeIds?: readonly string[];
  readonly policy?: Partial<Policy>;
}

/** The same at every start, so that settings written once go on working. */
const usualCredentials = { clientId: 'tillbeacon', clientSecret: 'simulated-client-secret', merchantVat: 'DK90000028' } as const;
const usualStoreIds = ['51070000-0000-4000-8000-000000000001', '51070000-0000-4000-8000-000000000002'];
const longestBodyBytes = 1024 * 1024;
/** Requests that `GET /simulator/requests` can still show. */
const mostRequestsKept = 10_000;

interface LoggedRequest {
  readonly seq: number;
  readonly at: string;
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly status: number | null;
  readonly code: string | null;
  readonly idempotencyKey: string | null;
  readonly fault: Fault['kind'] | null;
}

/** The whole wallet service on one port, for one machine with nothing else. */
export class Simulator {
  readonly world: World;
  readonly faults = new Faults();
  readonly credentials = usualCredentials;
  readonly #service: Service;
  readonly #server: Server;
  readonly #requests: LoggedRequest[] = [];
  readonly #delays = new Set<Cancel>();
  #seq = 0;
  #baseUrl = '';

  constructor(options: SimulatorOptions) {
    this.world = new World(options);
    const { clientId, clientSecret, merchantVat } = this.credentials;
    this.world.clients.set(clientId, { clientId, clientSecret, integratorId: 'the integrator' });
    for (const storeId of new Set(options.storeIds ?? usualStoreIds)) this.world.addStore({ storeId, merchantVat });
    this.#service = new Service(this.world);
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
  start({ port }: { port: number }): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', (error: NodeJS.ErrnoException) =>
        reject(error.code === 'EADDRINUSE' ? new Error(`the simulator cannot listen on port ${port}: another program does`, { cause: error }) : error),
      );
      this.#server.listen(port, '127.0.0.1', () => {
        this.#baseUrl = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
        resolve();
      });
    });
  }

  stop(): Promise<void> {
    for (const cancel of this.#delays) cancel();
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  /** What `GET /simulator/state` says: everything, oldest first. */
  state(): object {
    const { world } = this;
    return {
      payments: [...world.payments.values()].map((payment) => {
        const { paymentId, pos, orderId, amountMinor, currency, status, history, captureCount } = settle(world, payment);
        return {
          paymentId,
          posId: pos.posId,
          orderId,
          amount: amountMinor === null ? null : toMajorUnits(amountMinor),
          currencyCode: currency,
          status,
          history,
          captureCount,
        };
      }),
      refunds: [...world.refunds.values()].map((refund) => {
        const { refundId, payment, refundOrderId, amountMinor, currency, status, history } = settleRefund(world, refund);
        return { refundId, paymentId: payment.paymentId, refundOrderId, amount: toMajorUnits(amountMinor), currencyCode: currency, status, history };
      }),
      pointsOfSale: [...world.pointsOfSale.values()].map(({ posId, merchantPosId, name, storeId, beaconId, supportedBeaconTypes, deleted }) => ({
        posId,
        merchantPosId,
        name,
        storeId,
        beaconId,
        supportedBeaconTypes,
        deleted,
      })),
      violations: this.#service.watchman.violations,
    };
  }

  /** What a phone's owner does at a beacon. @throws ServiceError */
  phone(action: 'checkin' | 'accept' | 'refuse' | 'leave', beaconId: string, phoneNumber: string): void {
    const pos = this.world.posByBeaconId.get(beaconId.toLowerCase());
    if (pos === undefined) throw new ServiceError(409, '1000', 'No point of sale has this beacon');
    switch (action) {
      case 'checkin':
        return checkIn(this.world, pos, phoneNumbered(this.world, phoneNumber));
      case 'accept':
        return accept(this.world, pos, phoneNumbered(this.world, phoneNumber));
      case 'refuse':
        return cancelByUser(this.world, pos);
      case 'leave':
        return leave(this.world, pos);
    }
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const url = new URL(request.url ?? '/', 'http://simulator');
      const body = await readBody(request);
      if (body === null) return respond(response, { status: 413, body: null, code: null });
      if (url.pathname.startsWith('/simulator/')) return respond(response, this.#control(request.method ?? '', url, body));
      const isToken = url.pathname === this.world.profile.tokenPath && request.method === 'POST';
      const route = isToken ? null : this.#service.route(request.method ?? '', url.pathname);
      if (!isToken && (route === null || route === 'method')) return respond(response, { status: route === null ? 404 : 405, body: null, code: null });
      const operation = route === null || route === 'method' ? 'token' : route.operation.name;
      const fault = this.faults.next(operation);
      const act = (): Answer =>
        route === null || route === 'method'
          ? { code: null, ...this.#service.authority.token(request.headers.authorization, request.headers['content-type'], body) }
          : this.#service.answer(route.operation, route.parameters, url.searchParams, request, body);
      const answer = await this.#respondWith(fault, act, response);
      this.#note(request, url.pathname, operation, answer, fault);
    } catch (error) {
      if (!response.headersSent)
        respond(response, { status: 500, code: '2000', body: { code: '2000', message: String(error), correlationId: this.world.ids.uuid() } });
    }
  }

  /** Answers, or fails in the way that was asked for. Returns what was answered; null when nothing was. */
  async #respondWith(fault: Fault | null, act: () => Answer, response: ServerResponse): Promise<Answer | null> {
    const failure: Answer = { status: 500, code: '2000', body: { code: '2000', message: 'Internal error', correlationId: this.world.ids.uuid() } };
    switch (fault?.kind) {
      case undefined: {
        const answer = act();
        respond(response, answer);
        return answer;
      }
      case 'timeoutBefore':
        return null; // the client gives up and closes
      case 'timeoutAfter':
        act();
        return null;
      case 'status500':
        respond(response, failure);
        return failure;
      case 'status500After':
        act();
        respond(response, failure);
        return failure;
      case 'status401': {
        const answer: Answer = { status: 401, body: null, code: null };
        respond(response, answer);
        return answer;
      }
      case 'reset':
        response.socket?.resetAndDestroy();
        return null;
      case 'resetAfter':
        act();
        response.socket?.resetAndDestroy();
        return null;
      case 'delay': {
        await new Promise<void>((resolve) => {
          const cancel = this.world.clock.after(fault.delayMs, () => {
            this.#delays.delete(cancel);
            resolve();
          });
          this.#delays.add(cancel);
        });
        const answer = act();
        respond(response, answer);
        return answer;
      }
      case 'malformedJson':
        return this.#garble(act(), response, (text) => `${text.slice(0, -1)},,`);
      case 'html':
        act();
        response.writeHead(200, { 'content-type': 'text/html' }).end("<html><body>Welcome to the shop's guest network</body></html>");
        return null;
      case 'wrongTypes':
        act();
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ paymentId: 7, status: null, posIds: 'none', paymentIds: {}, access_token: 1 }));
        return null;
      case 'truncated': {
        const text = JSON.stringify(act().body);
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) + 10 });
        response.write(text, () => response.socket?.destroy());
        return null;
      }
      case 'slowBody': {
        const text = JSON.stringify(act().body);
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
        response.write(text.slice(0, 1)); // and then nothing, until the client gives up
        return null;
      }
    }
  }

  #garble(answer: Answer, response: ServerResponse, change: (text: string) => string): Answer {
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(change(JSON.stringify(answer.body)));
    return answer;
  }

  /** The simulator's own doors, which the real service does not have. */
  #control(method: string, url: URL, body: string): Answer {
    const ok = (answer: unknown): Answer => ({ status: 200, body: answer, code: null });
    const route = `${method} ${url.pathname}`;
    try {
      const phoneAction = /^POST \/simulator\/phone\/(checkin|accept|refuse|leave)$/.exec(route)?.[1];
      if (phoneAction !== undefined) {
        const { beaconId = '', phoneNumber = '' } = JSON.parse(body) as { beaconId?: string; phoneNumber?: string };
        this.phone(phoneAction as 'checkin', beaconId, phoneNumber);
        return ok({});
      }
      switch (route) {
        case 'GET /simulator/state':
          return ok(this.state());
        case 'GET /simulator/requests': {
          const since = Number(url.searchParams.get('since') ?? 0);
          return ok(this.#requests.filter(({ seq }) => seq > since));
        }
        case 'POST /simulator/faults':
          this.faults.add(JSON.parse(body) as never);
          return ok({});
        case 'DELETE /simulator/faults':
          this.faults.clear();
          return ok({});
        default:
          return { status: 404, body: null, code: null };
      }
    } catch (error) {
      const code = error instanceof ServiceError ? error.code : '1099';
      return { status: error instanceof ServiceError ? error.status : 400, code, body: { code, message: (error as Error).message } };
    }
  }

  #note(request: IncomingMessage, path: string, operation: string, answer: Answer | null, fault: Fault | null): void {
    const key = request.headers[`${this.world.profile.headerPrefix}Idempotency-Key`.toLowerCase()];
    this.#requests.push({
      seq: (this.#seq += 1),
      at: this.world.at(),
      operation,
      method: request.method ?? '',
      path,
      status: answer?.status ?? null,
      code: answer?.code ?? null,
      idempotencyKey: typeof key === 'string' ? key : null,
      fault: fault?.kind ?? null,
    });
    // In blocks, so that a request costs the same whether the list is full or not.
    if (this.#requests.length > 2 * mostRequestsKept) this.#requests.splice(0, mostRequestsKept);
  }
}

function respond(response: ServerResponse, { status, body, delivered }: Answer): void {
  if (delivered !== undefined) response.once('finish', delivered);
  if (body === null) response.writeHead(status, { 'content-length': 0 }).end();
  else {
    const text = JSON.stringify(body);
    response
      .writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(text), 'cache-control': 'no-store' })
      .end(text);
  }
}

/** null: longer than any request of the interface. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  if (request.method === 'GET') return '';
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > longestBodyBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
