import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { certified } from './authority.ts';

/** What a proxy does with a tunnel that somebody wants. */
export type ProxyMood =
  | { readonly kind: 'opens' }
  /** Answers with this status, and these bytes behind it. */
  | { readonly kind: 'refuses'; readonly status: number; readonly body?: string }
  /** Says that the tunnel is open, or nothing, and does this with its socket. */
  | {
      readonly kind: 'takesOver';
      readonly opened: boolean;
      readonly serve: (socket: Duplex) => void;
    }
  | { readonly kind: 'silent' };

/** A proxy as companies have them: it opens tunnels (CONNECT), and forwards nothing else. */
export class Proxy {
  /** The hosts that tunnels were asked to. */
  readonly asked: string[] = [];
  /** Requests that were not for a tunnel: their content would be readable. */
  readonly readable: string[] = [];
  readonly credentials: (string | undefined)[] = [];
  /** Bytes that went through its tunnels. */
  bytes: Buffer[] = [];
  mood: ProxyMood = { kind: 'opens' };
  readonly #server: Server;
  readonly #sockets = new Set<Duplex>();

  private constructor(server: Server) {
    this.#server = server;
  }

  /** @param to the port here at which every host is found */
  static async before(to: () => number): Promise<Proxy> {
    const server = createServer((request, response) => {
      proxy.readable.push(`${request.method} ${request.url}`);
      response
        .writeHead(proxy.mood.kind === 'refuses' ? proxy.mood.status : 200)
        .end('{"from":"the proxy"}');
    });
    const proxy = new Proxy(server);
    server.on('connect', (request, socket) => proxy.#connect(request, socket, to()));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** Connections that are open. */
  get open(): number {
    return this.#sockets.size;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  #connect({ url = '', headers }: IncomingMessage, socket: Duplex, port: number): void {
    this.asked.push(url);
    this.credentials.push(headers['proxy-authorization']);
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => this.#sockets.delete(socket));
    const { mood } = this;
    if (mood.kind === 'silent') return;
    if (mood.kind === 'refuses') {
      const { status, body = '' } = mood;
      socket.end(
        `HTTP/1.1 ${status} No\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
      return;
    }
    if (mood.kind === 'takesOver') {
      if (mood.opened) socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      mood.serve(socket);
      return;
    }
    const onward = connect(port, '127.0.0.1', () =>
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n'),
    );
    this.#sockets.add(onward);
    onward.on('error', () => socket.destroy());
    onward.on('close', () => socket.destroy());
    socket.on('close', () => onward.destroy());
    socket.on('data', (part: Buffer) => this.bytes.push(part));
    socket.pipe(onward).pipe(socket);
  }

  /** Ends the tunnels that are open, so that the next request needs a new one. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  close(): void {
    this.cut();
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

/** An https server with a certificate of the shop's own authority, before a server without one. */
export async function tlsBefore(
  target: string,
): Promise<{ readonly port: number; readonly close: () => void }> {
  const server = createTlsServer(certified, (request, response) => {
    void (async () => {
      const parts: Uint8Array[] = [];
      for await (const part of request) parts.push(part as Uint8Array);
      const {
        host: _,
        connection: __,
        'content-length': ___,
        'transfer-encoding': ____,
        ...headers
      } = request.headers as Record<string, string>;
      const body = parts.length === 0 ? {} : { body: Buffer.concat(parts) };
      const answer = await fetch(target + request.url, {
        method: request.method ?? 'GET',
        headers,
        ...body,
      });
      const content = Buffer.from(await answer.arrayBuffer());
      response
        .writeHead(answer.status, {
          'content-type': answer.headers.get('content-type') ?? 'text/plain',
        })
        .end(content);
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
