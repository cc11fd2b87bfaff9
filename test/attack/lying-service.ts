import {
  createServer,
  request as ask,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy in front of the wallet service: passes everything on until it is told to lie. */
export class LyingService {
  /** Answers instead of the service; null to pass everything on. */
  lie: RequestListener | null = null;
  /** Only requests that match, as `METHOD /path`, are answered with a lie. */
  about = /^/;
  /** Every request that was received. */
  readonly requestCount: string[] = [];
  /** Number of lies so far. */
  lies = 0;
  /** Lies whose connection is still open. */
  readonly open = new Set<ServerResponse>();
  readonly #server: Server;
  /** The address of the honest one. */
  readonly service: string;

  private constructor(service: string) {
    this.service = service;
    this.#server = createServer((request, response) => {
      const what = `${request.method} ${request.url}`;
      this.requestCount.push(what);
      if (this.lie !== null && this.about.test(what)) {
        this.lies += 1;
        this.open.add(response);
        response.once('close', () => this.open.delete(response));
        return this.lie(request, response);
      }
      const onward = ask(
        new URL(request.url ?? '/', service),
        { method: request.method, headers: request.headers },
        (answer) => {
          response.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(response);
        },
      );
      onward.on('error', () => response.destroy());
      request.pipe(onward);
    });
  }

  static async before(service: string): Promise<LyingService> {
    const liar = new LyingService(service);
    await new Promise<void>((resolve) => liar.#server.listen(0, '127.0.0.1', resolve));
    return liar;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  tells(about: RegExp, lie: RequestListener): void {
    this.about = about;
    this.lie = lie;
    this.lies = 0;
  }

  close(): void {
    this.#server.close().closeAllConnections();
  }
}
