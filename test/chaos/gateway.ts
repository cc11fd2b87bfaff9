import {
  Agent,
  createServer,
  request as send,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OnStep, WalletRequest } from './steps.ts';

/** A request that may move money, as it reached the service. */
export interface Seen {
  readonly kind: WalletRequest;
  /** Id of the payment or refund in the path; for a new refund, the id of its payment. */
  readonly id: string | null;
  readonly idempotencyKey: string | null;
  readonly body: Readonly<Record<string, unknown>>;
}

interface GatewayOptions {
  /** The service's own address. */
  readonly service: string;
  readonly onStep: OnStep;
  /** Called before the request reaches the service; null when the request moves no money. */
  readonly onRequest: (seen: Seen | null) => void;
  readonly tell: (what: string) => void;
}

const patterns: readonly [string, RegExp, WalletRequest][] = [
  ['POST', /\/payments$/, 'create'],
  ['POST', /\/payments\/prepare$/, 'create'],
  ['POST', /\/payments\/([^/]+)\/ready$/, 'ready'],
  ['POST', /\/payments\/([^/]+)\/capture$/, 'capture'],
  ['POST', /\/payments\/([^/]+)\/cancel$/, 'cancel'],
  ['GET', /\/payments$/, 'lookUp'],
  ['GET', /\/payments\/([^/]+)$/, 'poll'],
  ['POST', /\/refunds$/, 'createRefund'],
  ['POST', /\/refunds\/([^/]+)\/capture$/, 'captureRefund'],
  ['POST', /\/refunds\/([^/]+)\/cancel$/, 'cancelRefund'],
  ['GET', /\/refunds$/, 'lookUpRefund'],
  ['GET', /\/refunds\/([^/]+)$/, 'pollRefund'],
];

/** A proxy between the daemon and the service, which observes requests and can be cut. */
export class Gateway {
  readonly #options: GatewayOptions;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #server = createServer((request, response) => void this.#pass(request, response));
  readonly #sockets = new Set<Socket>();
  #isCut = false;
  #underWay = 0;
  #passed = 0;
  /** Delay of requests on their way to the service, in milliseconds. */
  lateMs = 0;

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.#server.on('connection', (socket) => {
      if (this.#isCut) return void socket.resetAndDestroy();
      this.#sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  /** Its address, which the settings of the daemon name. */
  start(): Promise<string> {
    return new Promise((resolve) => {
      this.#server.listen(0, '127.0.0.1', () =>
        resolve(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`),
      );
    });
  }

  stop(): void {
    this.cut();
    this.#server.close();
    this.#agent.destroy();
  }

  /**
   * Resets every connection, and every new one. The service finishes what it has begun, but its
   * answers are lost.
   */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  /** Whether no request is on its way to the service. */
  get isQuiet(): boolean {
    return this.#underWay === 0;
  }

  mend(): void {
    this.#isCut = false;
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { onStep, onRequest } = this.#options;
    const number = (this.#passed += 1);
    const tell = (what: string): void => this.#options.tell(`request ${number} ${what}`);
    const body = await text(request).catch(() => null);
    const about = `${request.method} ${request.url}`;
    if (body === null) return tell(`${about}: its sender broke off in the middle of it`);
    const seen = recognise(
      request.method ?? '',
      new URL(request.url ?? '/', 'http://gateway').pathname,
      request.headers,
      body,
    );
    tell(`${about} ${seen === null ? '' : `${body} ${seen.idempotencyKey ?? ''} `}arrives`);
    onRequest(seen);
    if (seen !== null) onStep(`${seen.kind} arrives`);
    this.#underWay += 1;
    const { lateMs } = this;
    if (lateMs > 0) {
      tell(`is held back for ${lateMs} ms`);
      await sleep(lateMs);
      tell('goes on to the service');
    }
    const answer = await this.#forward(request, body).catch(() => null);
    this.#underWay -= 1;
    if (answer === null) {
      tell('was never answered by the service');
      return void response.destroy();
    }
    tell(
      `was done: ${answer.status} ${seen === null ? '' : answer.body}${response.destroyed ? '; its sender is gone' : ''}`,
    );
    if (seen !== null) onStep(`${seen.kind} is done`);
    response.once('finish', () => {
      if (seen === null) return;
      onStep(`${seen.kind} is answered`);
      if (
        seen.kind === 'poll' &&
        (JSON.parse(answer.body) as { status?: string }).status === 'Reserved'
      )
        onStep('Reserved is told');
    });
    if (!response.destroyed) response.writeHead(answer.status, answer.headers).end(answer.body);
  }

  #forward(
    { method, url, headers }: IncomingMessage,
    body: string,
  ): Promise<{ status: number; headers: IncomingHttpHeaders; body: string }> {
    return new Promise((resolve, reject) => {
      const forwarded = send(
        new URL(url ?? '/', this.#options.service),
        { method: method ?? 'GET', headers, agent: this.#agent },
        (answer) => {
          text(answer).then(
            (answered) =>
              resolve({
                status: answer.statusCode ?? 500,
                headers: answer.headers,
                body: answered,
              }),
            reject,
          );
        },
      );
      forwarded.once('error', reject);
      forwarded.end(body);
    });
  }
}

function recognise(
  method: string,
  path: string,
  headers: IncomingHttpHeaders,
  body: string,
): Seen | null {
  for (const [asked, pattern, kind] of patterns) {
    const match = method === asked ? pattern.exec(path) : null;
    if (match === null) continue;
    const key = Object.entries(headers).find(([name]) => name.includes('idempotency'))?.[1];
    const parsed = body === '' ? {} : (JSON.parse(body) as Readonly<Record<string, unknown>>);
    const id = match[1] ?? (typeof parsed['paymentId'] === 'string' ? parsed['paymentId'] : null);
    return { kind, id, idempotencyKey: typeof key === 'string' ? key : null, body: parsed };
  }
  return null;
}
