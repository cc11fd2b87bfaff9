/**
 * Takes requests to the wallet service from Node's server, because a framework's request objects
 * would take half of the simulator's time.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Faults } from './faults.ts';
import type { RequestLog } from './request-log.ts';
import { type FailureStatus, type FaultTools, respond, respondWithFault } from './respond.ts';
import type { Operation } from '../../wallets/http/operation.ts';
import { type ServiceAnswer, sentCorrelationId, type ServiceEngine } from './service-engine.ts';

export interface ServiceListenerOptions extends Pick<FaultTools, 'pause' | 'jump'> {
  readonly service: ServiceEngine;
  readonly faults: Faults;
  readonly requests: RequestLog;
}

export interface ServiceRequest {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly url: URL;
}

interface Tools extends Pick<FaultTools, 'failure'> {
  readonly act: () => ServiceAnswer;
}

/** An operation, or the token endpoint. */
type Served = Pick<Operation, 'name'> & Partial<Pick<Operation, 'interface'>>;

const maxBodyBytes = 5 * 1024 * 1024;

export function serviceListener(
  options: ServiceListenerOptions,
): (request: ServiceRequest) => void {
  const { service, faults, requests } = options;
  const { world, integratorAuth } = service;
  const { eventLog, profile } = world;

  function log(
    { incoming, url }: ServiceRequest,
    operation: Served | null,
    answer: ServiceAnswer | null,
    fault: string | null,
  ): void {
    const { method = '' } = incoming;
    const { status = null, code = null } = answer ?? {};
    const idempotencyKey = service.sentKey(incoming);
    const correlationId = sentCorrelationId(incoming, operation?.interface ?? {});
    requests.add({
      atMs: world.clock.wallMs(),
      operation: operation?.name ?? null,
      method,
      path: url.pathname,
      status,
      code,
      idempotencyKey,
      correlationId,
      fault,
    });
  }

  /** Answers a request that is not one of the service's operations. */
  function refuse(request: ServiceRequest, status: number): void {
    log(request, null, respond(request.outgoing, { status, body: null, code: null }), null);
    request.incoming.resume();
  }

  /** Executes a request to the service, or fails it as planned. */
  async function execute(
    request: ServiceRequest,
    operation: Served,
    { act, failure }: Tools,
  ): Promise<void> {
    const fault = faults.next(operation.name);
    const { outgoing } = request;
    const executed = (): ServiceAnswer | Promise<ServiceAnswer> => {
      const answer = act();
      return answer.outcome ?? answer;
    };
    const answer =
      fault === null
        ? respond(outgoing, await executed())
        : await respondWithFault(fault, outgoing, { ...options, act: executed, failure });
    log(request, operation, answer, fault?.kind ?? null);
  }

  async function issueToken(request: ServiceRequest): Promise<void> {
    const { authorization, 'content-type': contentType } = request.incoming.headers;
    const form = await bodyOf(request.incoming);
    if (form === null) return refuse(request, 413);
    const act = (): ServiceAnswer =>
      eventLog.record(
        () => ({ kind: 'token', authorization, contentType, form }),
        () => ({ code: null, ...integratorAuth.token(authorization, contentType, form) }),
      );
    await execute(request, { name: 'token' }, { act, failure: plainFailure });
  }

  async function serve(request: ServiceRequest): Promise<void> {
    const { incoming, url } = request;
    const { method = '', headers, headersDistinct } = incoming;
    const { pathname: path, search, searchParams } = url;
    if (method === 'POST' && path === profile.tokenPath) return issueToken(request);
    const route = service.route(method, path);
    if (route === null || route === 'method') return refuse(request, route === null ? 404 : 405);
    const body = await bodyOf(incoming);
    if (body === null) return refuse(request, 413);
    const about = { method, path, headers, headersDistinct };
    eventLog.record(
      () => ({ kind: 'arrived', ...about }),
      () => service.arrived(route.route, route.path, about),
    );
    await execute(request, route.route.operation, {
      act: () =>
        eventLog.record(
          () => ({ kind: 'acted', ...about, search, body }),
          () => service.answer(route.route, route.path, searchParams, about, body),
        ),
      failure: (status, code) => service.failure(route, about, status, code),
    });
  }

  return (request) =>
    void serve(request).catch((error: unknown) => {
      if (!request.outgoing.headersSent)
        respond(request.outgoing, plainFailure(500, '2000', String(error)));
    });
}

const plainFailure = (
  status: FailureStatus,
  code: string | null,
  message = 'Internal error',
): ServiceAnswer => ({ status, code, body: { code, message } });

/** Resolves with null when the body is too long. Rejects when the client disconnects. */
function bodyOf(incoming: IncomingMessage): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    incoming.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBodyBytes) resolve(null);
      else chunks.push(chunk);
    });
    incoming.once('end', () => resolve(Buffer.concat(chunks).toString()));
    incoming.once('error', reject);
  });
}
