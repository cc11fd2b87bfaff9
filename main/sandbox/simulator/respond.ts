/**
 * Sends answers, with or without a planned fault. They are written to Node's response, because
 * faults need its socket.
 */
import type { ServerResponse } from 'node:http';
import type { Fault } from './faults.ts';
import type { ServiceAnswer } from './service-engine.ts';

export function respond(response: ServerResponse, answer: ServiceAnswer): ServiceAnswer {
  const { status, body, retryAfterSeconds = null } = answer;
  awaitReceipt(response, answer);
  if (retryAfterSeconds !== null) response.setHeader('retry-after', String(retryAfterSeconds));
  if (body === null) response.writeHead(status, { 'content-length': 0 }).end();
  else if (body instanceof Uint8Array)
    response
      .writeHead(status, { 'content-type': 'application/pdf', 'content-length': body.length })
      .end(body);
  else {
    const text = JSON.stringify(body);
    response
      .writeHead(status, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(text),
        'cache-control': 'no-store',
      })
      .end(text);
  }
  return answer;
}

/**
 * The poll delay counts only for an answer that reached the client (document 4, section 1.7), and
 * not for one that the client had stopped waiting for while this process was busy.
 */
function awaitReceipt(response: ServerResponse, { leaves }: ServiceAnswer): void {
  const { socket } = response;
  const received = leaves?.();
  if (received === undefined) return;
  response.once('finish', () => {
    const judge = (): void => {
      if (!socket?.readableEnded && !socket?.destroyed) received();
    };
    // When the client has closed the connection right after its request, Node notices that only in
    // the next turn of the event loop.
    setImmediate(() => setImmediate(judge));
  });
}

/** Statuses that a planned fault answers in the form of the interface. */
export type FailureStatus = 404 | 409 | 423 | 500;

export interface FaultTools {
  /** Executes the request. */
  readonly act: () => ServiceAnswer | Promise<ServiceAnswer>;
  /** The interface's answer when the service refuses or fails. */
  readonly failure: (status: FailureStatus, code: string | null) => ServiceAnswer;
  readonly pause: (ms: number) => Promise<void>;
  readonly jump: (ms: number) => Promise<void>;
}

/** @returns the answer; null when the client gets none that it can read */
export async function respondWithFault(
  fault: Fault,
  response: ServerResponse,
  { act, failure, pause, jump }: FaultTools,
): Promise<ServiceAnswer | null> {
  const send = (answer: ServiceAnswer): ServiceAnswer => respond(response, answer);
  const json = { 'content-type': 'application/json' };
  switch (fault.kind) {
    case 'timeoutBefore':
      return null; // the client gives up and closes
    case 'timeoutAfter':
      await act();
      return null;
    case 'status500':
      return send(failure(500, '2000'));
    case 'status500After':
      await act();
      return send(failure(500, '2000'));
    case 'status409':
      return send(failure(409, fault.code ?? '1306'));
    case 'status404':
      return send(failure(404, fault.code ?? null));
    case 'status423':
      return send(failure(423, fault.code ?? null));
    case 'status429':
      return send({
        status: 429,
        body: null,
        code: null,
        retryAfterSeconds: fault.retryAfterSeconds,
      });
    case 'status401':
      return send({ status: 401, body: null, code: null });
    case 'reset':
      response.socket?.resetAndDestroy();
      return null;
    case 'resetAfter':
      await act();
      response.socket?.resetAndDestroy();
      return null;
    case 'delay':
      await pause(fault.delayMs);
      return send(await act());
    case 'clockJump':
      await jump(fault.jumpMs);
      return send(await act());
    case 'malformedJson': {
      const answer = await act();
      response.writeHead(answer.status, json).end(`${JSON.stringify(answer.body).slice(0, -1)},,`);
      return answer;
    }
    case 'html':
      await act();
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end("<html><body>Welcome to the shop's guest network</body></html>");
      return null;
    case 'wrongTypes':
      await act();
      response.writeHead(200, json).end(
        JSON.stringify({
          paymentId: 7,
          status: null,
          posIds: 'none',
          paymentIds: {},
          access_token: 1,
        }),
      );
      return null;
    case 'truncated': {
      const text = JSON.stringify((await act()).body);
      response.writeHead(200, { ...json, 'content-length': Buffer.byteLength(text) + 10 });
      response.write(text, () => response.socket?.destroy());
      return null;
    }
    case 'slowBody': {
      const text = JSON.stringify((await act()).body);
      response.writeHead(200, { ...json, 'content-length': Buffer.byteLength(text) });
      response.write(text.slice(0, 1)); // and then nothing, until the client gives up
      return null;
    }
    case 'drip': {
      const answer = await act();
      const text = JSON.stringify(answer.body);
      response.writeHead(answer.status, { ...json, 'content-length': Buffer.byteLength(text) });
      for (const piece of text.match(/.{1,16}/gsu) ?? []) {
        if (response.destroyed) return null;
        response.write(piece);
        await pause(fault.delayMs);
      }
      awaitReceipt(response, answer);
      response.end();
      return answer;
    }
  }
}
