import type { HttpAnswer, HttpRequest, HttpSend } from '../../main/wallets/http/http.ts';
import type { ServiceAnswer, ServiceEngine } from '../../main/sandbox/simulator/service-engine.ts';
import { epaymentProfile } from '../../main/wallets/epayment/epayment-profile.ts';
import type { Life } from './life.ts';
import type { Chance } from './random.ts';
import type { Stage } from './stage.ts';
import type { HttpFault, Operation } from './weather.ts';

/**
 * The address of both services. Pictures of codes may come from the service's own address, and from
 * this machine without TLS.
 */
export const serviceUrl = 'http://127.0.0.1:5900';
const serviceHost = serviceUrl.slice('http://'.length);
const picturesAt = '/simulator/epayment-code/';

/** A request, with the operation that it is for. */
export interface Arrived {
  readonly operation: string;
  readonly parameters: readonly string[];
  readonly key: string | null;
  readonly body: string | null;
  /** Whether the request is for the ePayment service. */
  readonly isEpayment: boolean;
}

export interface NetworkListeners {
  /** Called before the service acts on the request. */
  readonly arrived: (arrived: Arrived, departure: Departure) => void;
  readonly answered?: (arrived: Arrived, status: number) => void;
}

/** Who sent a request, and when. */
export interface Departure {
  readonly life: Life;
  readonly leftAtMs: number;
}

/** The wallet services behind a network that loses, delays and spoils; no HTTP, the same engine. */
export class Network {
  readonly service: ServiceEngine;
  readonly #stage: Stage;
  readonly #chance: Chance;
  readonly #listeners: NetworkListeners;
  /** Time of creation, by reference. */
  readonly #madeAtMs = new Map<string, number>();

  constructor(stage: Stage, service: ServiceEngine, chance: Chance, listeners: NetworkListeners) {
    this.service = service;
    this.#stage = stage;
    this.#chance = chance;
    this.#listeners = listeners;
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
        this.#carry(this.#carried(request, { life, leftAtMs: this.#stage.time.monotonicMs() }), {
          answer: (answer) =>
            life.receive('socket', () =>
              finish(() => life.survives('before an answer') && resolve(answer)),
            ),
          fail: (why) =>
            life.receive('socket', () =>
              finish(() => life.survives('before an answer') && reject(new Error(why))),
            ),
        });
        life.survives('after a request');
      });
  }

  #carried(request: HttpRequest, departure: Departure): Carried {
    const url = request.url.slice(serviceUrl.length);
    const queryAt = url.indexOf('?');
    const [path, search] = queryAt < 0 ? [url, ''] : [url.slice(0, queryAt), url.slice(queryAt)];
    const matched =
      path === this.service.world.profile.tokenPath
        ? null
        : this.service.route(request.method, path);
    const found = matched === 'method' ? null : matched;
    if (found === null)
      return { request, departure, url, search, found, arrived: null, spoilt: spoilt.older };
    const { operation } = found.route;
    const isEpayment = operation.interface.name in epaymentProfile.paths;
    const key =
      operation.idempotency === 'headerKey' && isEpayment
        ? (request.headers['Idempotency-Key'] ?? null)
        : null;
    const arrived = {
      operation: operation.name,
      parameters: Object.values(found.path),
      key,
      body: request.body,
      isEpayment,
    };
    return {
      request,
      departure,
      url,
      search,
      found,
      arrived,
      spoilt: isEpayment ? spoilt.newer : spoilt.older,
    };
  }

  #carry(
    carried: Carried,
    back: { answer: (answer: HttpAnswer) => void; fail: (why: string) => void },
  ): void {
    const { time } = this.#stage;
    const chance = this.#chance;
    const { request, url, arrived, spoilt: says } = carried;
    const fault = this.#fault(arrived?.operation ?? 'token');
    if (fault !== null)
      this.#stage.say('network', () => `${fault} will meet ${request.method} ${url}`);
    if (fault === 'unreachable')
      return void time.after(chance.between(1, 30), () => back.fail('ECONNREFUSED'));
    const thereMs = delayMs(fault, chance);
    const backMs = chance.between(3, 60);
    const later = (run: () => void): void => void time.after(backMs, run);
    time.after(thereMs, () => {
      const isBefore = fault !== null && (fault.endsWith('Before') || neverActed.has(fault));
      const done = isBefore ? null : this.#act(carried);
      const plain = (status: number, body: string, retryAfterMs: number | null = null): void =>
        later(() => back.answer({ status, body, retryAfterMs }));
      if (fault === 'notThereYet' && this.#isNew(arrived)) return plain(404, says.notFound);
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
          return plain(500, says.failed);
        case 'ignoredBefore':
          return plain(204, '');
        case 'status401':
          return plain(401, '');
        case 'refusedBefore':
          return plain(...says.refused);
        case 'askedToWait':
          return plain(429, '', chance.between(60_300, 63_000));
        case 'tooMany':
          return plain(429, '');
        case 'status429':
          return plain(429, '', chance.between(1, 3) * 1000);
        case 'htmlBefore':
        case 'htmlAfter':
          return plain(200, "<html><body>Welcome to the shop's guest network</body></html>");
        case 'wrongTypesAfter':
          return plain(200, says.wrongTypes);
        case 'slow':
        case 'late':
        case 'muchLater':
        case 'notThereYet':
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
    // An outage lasts until its end, even after all other faults have stopped.
    if (weather.outages.some(({ fromMs, toMs }) => nowMs >= fromMs && nowMs < toMs))
      return 'unreachable';
    if (calm) return null;
    const probability =
      weather.httpOn === null ? weather.httpFault : (weather.httpOn.get(operation) ?? 0);
    const fault = this.#chance.is(probability) ? this.#chance.one(weather.httpFaults) : null;
    return fault === 'ignoredBefore' && !answeredWithoutBody.has(operation) ? null : fault;
  }

  /**
   * Whether the payment was created a moment ago, so that readers may not find it yet (document 5,
   * section 10).
   */
  #isNew(arrived: Arrived | null): boolean {
    if (arrived?.operation !== 'getEpayment') return false;
    const madeAtMs = this.#madeAtMs.get(arrived.parameters[0] ?? '');
    return madeAtMs !== undefined && this.#stage.time.monotonicMs() - madeAtMs < unreadForMs;
  }

  #act({ request, departure, url, search, found, arrived }: Carried): {
    answer: HttpAnswer;
    leaves: ServiceAnswer['leaves'];
  } {
    const { service } = this;
    const text = (
      status: number,
      body: unknown,
      { leaves, retryAfterSeconds = null }: Partial<ServiceAnswer> = {},
    ) => {
      const retryAfterMs = retryAfterSeconds === null ? null : retryAfterSeconds * 1000;
      const answer: HttpAnswer = {
        status,
        body: body === null ? '' : JSON.stringify(body),
        retryAfterMs,
      };
      this.#stage.say(
        'service',
        () => `${request.method} ${url} ${request.body ?? ''} -> ${status} ${answer.body}`,
      );
      return { answer, leaves };
    };
    const { headers, body: sent } = request;
    if (found === null || arrived === null) {
      if (url.startsWith(picturesAt))
        return { answer: this.#picture(url.slice(picturesAt.length)), leaves: undefined };
      if (url !== service.world.profile.tokenPath) return text(404, null);
      const { status, body } = service.integratorAuth.token(
        headers['authorization'],
        headers['content-type'],
        sent ?? '',
      );
      return text(status, body);
    }
    const { route, path } = found;
    const incoming = incomingOf(request);
    this.#listeners.arrived(arrived, departure);
    service.arrived(route, path, incoming);
    const answer = service.answer(route, path, new URLSearchParams(search), incoming, sent ?? '');
    this.#listeners.answered?.(arrived, answer.status);
    if (arrived.operation === 'createEpayment' && answer.status === 201) {
      const { reference } = answer.body as { reference: string };
      if (!this.#madeAtMs.has(reference))
        this.#madeAtMs.set(reference, this.#stage.time.monotonicMs());
    }
    return text(answer.status, answer.body, answer);
  }

  /** The picture only names its payment, because drawing a real one takes too long. */
  #picture(reference: string): HttpAnswer {
    const isOpen = [...this.service.epayments.payments.values()].some(
      (payment) => payment.reference === reference && payment.state === 'CREATED',
    );
    return isOpen
      ? { status: 200, body: `${pngBegins}${reference}`, retryAfterMs: null }
      : { status: 404, body: '', retryAfterMs: null };
  }
}

const pngBegins = '\x89PNG\r\n\x1a\n';

interface Carried {
  readonly request: HttpRequest;
  readonly departure: Departure;
  readonly url: string;
  readonly search: string;
  readonly found: Route | null;
  /** null for a request for a token, or for a picture. */
  readonly arrived: Arrived | null;
  readonly spoilt: (typeof spoilt)['older'];
}

/** Faults without `Before` in their names at which the service has done nothing either. */
const neverActed: ReadonlySet<string> = new Set([
  'status401',
  'status429',
  'askedToWait',
  'tooMany',
] satisfies HttpFault[]);
/** Operations of the older service that are answered 204. */
const answeredWithoutBody: ReadonlySet<string> = new Set<Operation>([
  'readyPayment',
  'capturePayment',
  'cancelPayment',
  'captureRefund',
  'cancelRefund',
]);
/** Less than the client's limit for an answer. */
const unreadForMs = 5_000;

/** Spoilt answers, which the services never send on purpose. */
const spoilt = {
  older: {
    failed: '{"code":"2000","message":"Internal error"}',
    refused: [409, '{"code":"1099","message":"Refused","correlationId":null}'],
    wrongTypes:
      '{"paymentId":7,"refundId":7,"status":null,"posIds":"none","paymentIds":{},"refundIds":{},"access_token":1}',
    notFound: '',
  },
  newer: {
    failed:
      '{"title":"Internal error","status":500,"extraDetails":[{"name":"ErrorCode","reason":"3010"}]}',
    // Another status of refusal would stick to the key.
    refused: [423, '{"title":"Locked","status":423}'],
    wrongTypes:
      '{"reference":7,"redirectUrl":7,"state":null,"aggregate":"none","amount":[],"access_token":1}',
    notFound:
      '{"title":"Not found","status":404,"extraDetails":[{"name":"ErrorCode","reason":"5090"}]}',
  },
} satisfies Record<
  string,
  { failed: string; refused: [number, string]; wrongTypes: string; notFound: string }
>;

/** Delay until a request arrives, in milliseconds. */
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

type Route = Exclude<ReturnType<ServiceEngine['route']>, 'method' | null>;

/** A cache for the few names of headers. */
const lowerNames = new Map<string, string>();

function incomingOf({ headers }: HttpRequest) {
  const single: Record<string, string> = { host: serviceHost };
  const distinct: Record<string, string[]> = { host: [serviceHost] };
  for (const name in headers) {
    const value = headers[name] as string;
    let lower = lowerNames.get(name);
    if (lower === undefined) lowerNames.set(name, (lower = name.toLowerCase()));
    single[lower] = value;
    distinct[lower] = [value];
  }
  return { headers: single, headersDistinct: distinct };
}
