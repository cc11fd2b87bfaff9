import { EventEmitter } from 'node:events';
import {
  type ClientRequest as NodeRequest,
  request as httpRequest,
  type RequestOptions,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { ClientRequestConstructorOptions, Net } from 'electron';
import { readyOr } from './chromium.ts';

/**
 * The parts of Electron's requests that differ from Node's: `redirect` as an event, and `abort`.
 */
class ClientRequest extends EventEmitter {
  readonly #request: NodeRequest;
  readonly #options: ClientRequestConstructorOptions;

  constructor(options: ClientRequestConstructorOptions) {
    super();
    readyOr('net module can only be used after app is ready');
    this.#options = options;
    const { protocol = 'http:', hostname, port, path, method, headers } = options;
    const about: RequestOptions = {
      protocol,
      method,
      path,
      headers,
      hostname: hostname ?? null,
      port: port ?? null,
    };
    this.#request = (protocol === 'https:' ? httpsRequest : httpRequest)(about);
    this.#request.on('response', (response) => {
      const { statusCode = 0, headers: answered } = response;
      if (statusCode >= 300 && statusCode < 400 && answered.location !== undefined) {
        response.resume();
        if (this.#options.redirect !== 'manual')
          throw new Error('the stand-in follows no redirection by itself');
        return void this.emit(
          'redirect',
          statusCode,
          'GET',
          new URL(answered.location, this.#address()).href,
          answered,
        );
      }
      this.emit('response', response);
    });
    for (const event of ['error', 'abort', 'close', 'finish'])
      this.#request.on(event, (...args: unknown[]) => this.emit(event, ...args));
  }

  #address(): string {
    const { protocol, hostname, port, path } = this.#options;
    return `${protocol}//${hostname}:${port}${path}`;
  }
  setHeader(name: string, value: string): void {
    this.#request.setHeader(name, value);
  }
  write(chunk: string | Buffer): void {
    this.#request.write(chunk);
  }
  end(chunk?: string | Buffer): void {
    this.#request.end(chunk);
  }
  abort(): void {
    this.#request.destroy();
    this.emit('abort');
  }
}

export const net = {
  request: (options: ClientRequestConstructorOptions) => new ClientRequest(options),
} satisfies {
  [Name in 'request']: (options: never) => Partial<ReturnType<Net[Name]>> | EventEmitter;
};
