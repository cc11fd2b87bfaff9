/**
 * The thread of the HTTP API: sockets, TLS, requests and their rules. What keeps the rules is
 * handed to the process, a few at a time.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MessagePort } from 'node:worker_threads';
import { getRequestListener } from '@hono/node-server';
import { type Clock, systemClock } from '../../core/domain/clock.ts';
import { boundedLog } from '../../core/domain/bounded-log.ts';
import { serveListener } from '../../support/listener-thread.ts';
import { PacedServer } from '../../support/paced-server.ts';
import type { threadRpc } from '../../support/thread-rpc.ts';
import { appOf } from './app.ts';
import type { ApiProcess, ApiThread, ApiThreadData } from './calls.ts';
import { HandOver } from './hand-over.ts';

/** A till has a few connections, and each event stream one. */
const limits = {
  perAddress: 800,
  all: 1_000,
  bytes: { perSecond: 256 * 1_024, burst: 2 * 1_024 * 1_024 },
  messages: { perSecond: 100, burst: 1_000 },
};
/**
 * After this time a silent connection is closed. Longer than a request may wait (`waitMost` in
 * `schemas.ts`).
 */
const silentMs = 90_000;
/** How long the last answers have before connections are cut. */
const closesWithinMs = 500;

export function serveApi(port: MessagePort, data: ApiThreadData, clock: Clock = systemClock): void {
  serveListener<ApiProcess>(port, async (owner, log) => {
    const bounded = boundedLog(log);
    const process: ReturnType<typeof threadRpc<ApiProcess>> = owner;
    const handOver = new HandOver(process, clock);
    let listener: (request: IncomingMessage, response: ServerResponse) => unknown = () => {};
    const server = new PacedServer({
      name: 'the HTTP API',
      limits,
      tls: data.tls,
      silentMs,
      onRequest: (request, response) => listener(request, response),
      log: bounded,
    });
    await server.listen(data.port, data.host);
    const hold = ({
      incoming,
      outgoing,
    }: {
      readonly incoming: IncomingMessage;
      readonly outgoing: ServerResponse;
    }): void => {
      if (outgoing.closed) return;
      outgoing.once('close', server.hold(incoming));
    };
    const isTrusted = ({ incoming }: { readonly incoming: IncomingMessage }): boolean =>
      server.isTrusted(incoming);
    listener = getRequestListener(
      appOf({ ...data, port: server.port, process, handOver, hold, isTrusted, bounded, clock, log })
        .fetch,
    );
    const functions: ApiThread = {
      begun: (id) => handOver.begun(id),
      write: (id, bytes) => handOver.write(id, bytes),
      end: (id) => handOver.end(id),
      waits: (id, ms) => handOver.waits(id, ms + silentMs),
      useCertificate: (certificate) => server.useCertificate(certificate),
    };
    return {
      port: server.port,
      functions,
      close() {
        bounded.close();
        return server.close(closesWithinMs);
      },
    };
  });
}
