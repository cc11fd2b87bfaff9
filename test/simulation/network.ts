import type { HttpAnswer, HttpRequest, HttpSend } from '../../main/wallet/http/http.ts';
import { type Answer, ServiceEngine } from '../../main/sandbox/simulator/service-engine.ts';
import type { World } from '../../main/sandbox/simulator/world.ts';
import type { Life } from './life.ts';
import type { Chance } from './random.ts';
import type { Stage } from './stage.ts';
import type { HttpFault } from './weather.ts';

export const serviceUrl = 'http://service';

/** A request as it arrives, with the operation that it is for. */
export interface Arrived {
  readonly operation: string;
  readonly parameters: readonly string[];
}

/** The wallet service behind a network that loses, delays and spoils; no HTTP, the same engine. */
export class Network {
  readonly service: ServiceEngine;
  readonly #stage: Stage;
  readonly #chance: Chance;
  readonly #listen: (arrived: Arrived) => void;

  /** @param listen hears of each request before the service acts on it */
  constructor(stage: Stage, world: World, chance: Chance, listen: (arrived: Arrived) => void) {
    this.service = new ServiceEngine(world);
    this.#stage = stage;
    this.#chance = chance;
    this.#listen = listen;
  }

  sendFor(life: Life): HttpSend {
    return (request, signal) =>
      new Promise((resolve, reject) => {
        if (!life.survives('before a request')) return;
        if (signal.aborted) return reject(signal.reason as Error);
        let isOver = false;
        const finish = (end: () => void): void => {
          if (isOver || !life.isAlive) return;
          isOver = true;
          signal.removeEventListener('abort', onAbort);
          end();
        };
        const onAbort = (): void => finish(() => reject(signal.reason as Error));
        signal.addEventListener('abort', onAbort);
        this.#carry(request, {
          answer: (answer) => finish(() => life.survives('before an answer') && resolve(answer)),
          fail: (why) => finish(() => life.survives('before an answer') && reject(new Error(why))),
        });
        life.survives('after a request');
      });
  }

  #carry(request: HttpRequest, back: { answer: (answer: HttpAnswer) => void; fail: (why: string) => void }): void {
    const { time } = this.#stage;
    const chance = this.#chance;
    const url = request.url.slice(serviceUrl.length);
    const queryAt = url.indexOf('?');
    const [path, search] = queryAt < 0 ? [url, ''] : [url.slice(0, queryAt), url.slice(queryAt)];
    const found = path === this.service.world.profile.tokenPath ? null : this.service.route(request.method, path);
    const route = found === 'method' ? null : found;
    const fault = this.#fault(route?.route.operation.name ?? 'token');
    if (fault !== null) this.#stage.say('network', () => `${fault} will meet ${request.method} ${url}`);
    if (fault === 'unreachable') return void time.after(chance.between(1, 30), () => back.fail('ECONNREFUSED'));
    const thereMs = delayMs(fault, chance);
    const backMs = chance.between(3, 60);
    const later = (run: () => void): void => void time.after(backMs, run);
    time.after(thereMs, () => {
      const isBefore = fault !== null && (fault.endsWith('Before') || fault === 'status401' || fault === 'status429' || fault === 'askedToWait');
      const done = isBefore ? null : this.#act(request, url, search, route);
      const plain = (status: number, body: string, retryAfterMs: number | null = null): void => later(() => back.answer({ status, body, retryAfterMs }));
      switch (fault) {
        case 'lostBefore':
        case 'lostAfter':
          return;
        case 'resetBefore':
        case 'resetAfter':
          return later(() => back.fail('ECONNRESET'));
        case 'truncatedAfter':
          return later(() => back.fail('terminated'));
        case 'status500Before':
        case 'status500After':
          return plain(500, '{"code":"2000","message":"Internal error"}');
        case 'status401':
          return plain(401, '');
        case 'refusedBefore':
          return plain(409, '{"code":"1099","message":"Refused","correlationId":null}');
        case 'askedToWait':
          return plain(429, '', chance.between(60_300, 63_000));
        case 'status429':
          return plain(429, '', chance.between(1, 3) * 1000);
        case 'htmlBefore':
        case 'htmlAfter':
          return plain(200, "<html><body>Welcome to the shop's guest network</body></html>");
        case 'wrongTypesAfter':
          return plain(200, '{"paymentId":7,"refundId":7,"status":null,"posIds":"none","paymentIds":{},"refundIds":{},"access_token":1}');
        case 'slow':
        case 'late':
        case 'muchLater':
        case null:
          return later(() => {
            if (done === null) return;
            back.answer(done.answer);
            done.leaves?.()();
          });
      }
    });
  }

  #fault(operation: string): HttpFault | 'unreachable' | null {
    const { weather, time, calm } = this.#stage;
    const nowMs = time.monotonicMs();
    // An outage ends when it ends, however calm everything else has become.
    if (weather.outages.some(({ fromMs, toMs }) => nowMs >= fromMs && nowMs < toMs)) return 'unreachable';
    if (calm) return null;
    const probability = weather.httpOn === null ? weather.httpFault : (weather.httpOn.get(operation) ?? 0);
    return this.#chance.is(probability) ? this.#chance.one(weather.httpFaults) : null;
  }

  #act(request: HttpRequest, url: string, search: string, found: Found | null): { answer: HttpAnswer; leaves: Answer['leaves'] } {
    const { service } = this;
    const text = (status: number, body: unknown, leaves?: Answer['leaves']) => {
      const answer: HttpAnswer = { status, body: body === null ? '' : JSON.stringify(body), retryAfterMs: null };
      this.#stage.say('service', () => `${request.method} ${url} ${request.body ?? ''} -> ${status} ${answer.body}`);
      return { answer, leaves };
    };
    const { headers, body: sent } = request;
    if (found === null) {
      if (url !== service.world.profile.tokenPath) return text(404, null);
      const { status, body } = service.integratorAuth.token(headers['authorization'], headers['content-type'], sent ?? '');
      return text(status, body);
    }
    const { route, path } = found;
    const incoming = incomingOf(request);
    this.#listen({ operation: route.operation.name, parameters: Object.values(path) });
    service.arrived(route, path, incoming);
    const { status, body, leaves } = service.answer(route, path, new URLSearchParams(search), incoming, sent ?? '');
    return text(status, body, leaves);
  }
}

/** Until a request arrives. */
function delayMs(fault: HttpFault | null, chance: Chance): number {
  switch (fault) {
    case 'slow':
      return chance.steeply(300, 8_000);
    case 'late':
      return chance.steeply(5_000, 55_000);
    case 'refusedBefore':
      return chance.steeply(3, 1_500);
    case 'muchLater':
      return chance.between(130_000, 400_000);
    default:
      return chance.between(3, 60);
  }
}

type Found = Exclude<ReturnType<ServiceEngine['route']>, 'method' | null>;

/** Of the few headers that there are. */
const lowerNames = new Map<string, string>();

function incomingOf({ headers }: HttpRequest) {
  const single: Record<string, string> = {};
  const distinct: Record<string, string[]> = {};
  for (const name in headers) {
    const value = headers[name] as string;
    let lower = lowerNames.get(name);
    if (lower === undefined) lowerNames.set(name, (lower = name.toLowerCase()));
    single[lower] = value;
    distinct[lower] = [value];
  }
  return { headers: single, headersDistinct: distinct };
}
