import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import { getRequestListener } from '@hono/node-server';
import { messageOf } from '../../domain/errors.ts';
import { listeningPort } from '../../domain/listening-port.ts';
import { boundedLog } from '../../server/bounded-log.ts';
import { limitConnections } from '../../server/connection-limits.ts';
import { appOf, silentMs } from './app.ts';
import type { Certificate, HttpApiOptions } from './options.ts';
import { Streams } from './streams.ts';
import { Waits } from './waits.ts';

export interface HttpApi {
  readonly port: number;
  /** Requests that wait are answered with the present state. */
  close(): Promise<void>;
}

/** A till has a few connections, and each event stream one. */
const mostConnections = { perAddress: 800, all: 1_000 };
const headersMs = 10_000;
const requestMs = 15_000;
/** How long the last answers have before connections are cut. */
const closesWithinMs = 500;
const certificateReadEveryMs = 10 * 60_000;

/** Serves the HTTP API for all lanes whose till is software. @throws when the port cannot be had or the certificate not be read */
export async function startHttpApi(options: HttpApiOptions): Promise<HttpApi> {
  const log = boundedLog(options.log);
  const waits = new Waits(options);
  const streams = new Streams(options);
  const tls = options.tls?.() ?? null;
  const server = tls === null ? createServer() : createTlsServer({ ...tls, minVersion: 'TLSv1.2' });
  server.headersTimeout = headersMs;
  server.requestTimeout = requestMs;
  server.timeout = silentMs;
  await listen(server, options);
  const port = listeningPort(server);
  const isRefused = limitConnections(server, mostConnections, log, 'the HTTP API');
  const listener = getRequestListener(appOf({ ...options, port, waits, streams, bounded: log }).fetch);
  server.on('request', (request, response) => {
    if (isRefused(request.socket)) response.writeHead(503, { connection: 'close' }).end();
    else void listener(request, response);
  });
  // With `tls` it was made by `createTlsServer`.
  const stopReading = tls === null ? () => {} : keepCertificate(server as TlsServer, tls, options);
  return {
    port,
    close() {
      stopReading();
      waits.end();
      streams.close();
      log.close();
      return new Promise((resolve) => {
        const cancel = options.clock.after(closesWithinMs, () => server.closeAllConnections());
        server.close(() => {
          cancel();
          resolve();
        });
        server.closeIdleConnections();
      });
    },
  };
}

/** Certificates are renewed every few weeks, and the new one is used without a restart. */
function keepCertificate(server: TlsServer, first: Certificate, { tls, clock, log }: HttpApiOptions): () => void {
  let used = first;
  let cancel = (): void => {};
  const again = (): void => {
    cancel = clock.after(certificateReadEveryMs, () => {
      try {
        const now = tls?.() ?? used;
        if (now.cert !== used.cert || now.key !== used.key) server.setSecureContext({ ...now, minVersion: 'TLSv1.2' });
        used = now;
      } catch (error) {
        log.error({ detail: messageOf(error) }, 'the new certificate of the HTTP API cannot be used: the one before stays in use');
      }
      again();
    });
  };
  again();
  return () => cancel();
}

const listen = (server: Server | TlsServer, { host, port }: HttpApiOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
