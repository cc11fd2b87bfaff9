import { messageOf } from '../../core/domain/errors.ts';
import { Turns } from '../../core/domain/turns.ts';
import {
  type ListenerThread,
  openListenerThread,
  workerThread,
} from '../../support/listener-thread.ts';
import type { Certificate } from '../../support/paced-server.ts';
import { type ApiRequest, type Handlers, handlers } from './api.ts';
import {
  type ApiProcess,
  type ApiThread,
  type OperationAnswer,
  type OperationCall,
  outcomeOf,
  type ProtocolCall,
  type StreamCall,
} from './calls.ts';
import type { HttpCounter } from './lane.ts';
import { type OperationName, operations } from './operations.ts';
import type { HttpApiOptions } from './options.ts';
import { Refused } from './problems.ts';
import { Streams } from './streams.ts';
import { ThreadStream } from './thread-stream.ts';
import type { TillToken } from './tokens.ts';
import { Waits } from './waits.ts';

export interface HttpApi {
  readonly port: number;
  /** Resolves when its thread has ended although nobody closed it. */
  readonly died: Promise<Error>;
  /** Requests that wait are answered with the present state. */
  close(): Promise<void>;
}

const certificateReadEveryMs = 10 * 60_000;

/** One call is begun in a turn of the loop, however many tills call. */
const callTurns = new Turns({ maxSteps: 1 });

/**
 * Serves the HTTP API for all lanes whose till is software. @throws when the port cannot be had or
 * the certificate not be read
 */
export async function startHttpApi(options: HttpApiOptions): Promise<HttpApi> {
  const {
    host,
    port,
    names,
    origins,
    version,
    startThread = workerThread(import.meta.url, 'api-worker'),
  } = options;
  const tls = options.tls?.() ?? null;
  const protocols = (options.protocols ?? []).map(({ paths, maxBodyBytes }) => ({
    paths,
    maxBodyBytes,
  }));
  const calls = new ApiCalls(options);
  const started = startThread({
    host,
    port,
    tls,
    names,
    origins,
    version,
    protocols,
    tellsRefusedPages: options.onRefusedPage !== undefined,
  });
  const thread = await openListenerThread<ApiThread>(started, calls.functions, options).catch(
    (error: unknown) => {
      calls.end();
      throw error;
    },
  );
  calls.thread = thread;
  void thread.died.then(() => calls.end());
  const stopReading = tls === null ? () => {} : keepCertificate(thread, tls, options);
  return {
    port: thread.port,
    died: thread.died,
    async close() {
      stopReading();
      calls.end();
      // Answers that this has brought about leave first.
      await callTurns.next();
      await thread.close();
    },
  };
}

/** What the thread hands over, carried out by the lanes. */
class ApiCalls {
  readonly #options: HttpApiOptions;
  readonly #waits: Waits;
  readonly #streams: Streams;
  /** Requests that are not answered yet. */
  readonly #underWay = new Map<number, AbortController>();
  readonly #open = new Map<number, ThreadStream>();
  /** Set before the first call comes. */
  thread: ListenerThread<ApiThread> | null = null;

  constructor(options: HttpApiOptions) {
    this.#options = options;
    this.#waits = new Waits(options);
    this.#streams = new Streams(options);
  }

  readonly functions: { readonly [Name in keyof ApiProcess]: ApiProcess[Name] } = {
    findToken: (token) => this.#options.tokens.find(token),
    heard: (token) => this.#heard(token),
    refusedPage: (refused) => this.#options.onRefusedPage?.(refused),
    perform: (call) => this.#inTurn(call.id, (signal) => this.#perform(call, signal)),
    openStream: (call) => this.#inTurn(call.id, (signal) => this.#openStream(call, signal)),
    answerOther: (call) => this.#inTurn(call.id, (signal) => this.#answerOther(call, signal)),
    gone: (id) => {
      this.#underWay.get(id)?.abort();
      this.#open.get(id)?.closed();
      this.#open.delete(id);
    },
    written: (ids) => {
      for (const id of ids) this.#open.get(id)?.written();
    },
  };

  /** Ends what waits. */
  end(): void {
    this.#waits.end();
    this.#streams.close();
  }

  async #inTurn<Answer>(id: number, answering: (signal: AbortSignal) => Answer | Promise<Answer>) {
    const controller = new AbortController();
    this.#underWay.set(id, controller);
    await callTurns.next();
    void this.thread?.calls.begun.asEvent(id);
    try {
      return await outcomeOf(() => answering(controller.signal));
    } finally {
      this.#underWay.delete(id);
    }
  }

  #tokenOf({ token }: { readonly token: string }): TillToken {
    const known = token === '' ? null : this.#options.tokens.find(token);
    if (known === null) throw new Refused('token-missing');
    return known;
  }

  #counterOf({ laneId }: TillToken): HttpCounter {
    const counter = this.#options.counter(laneId);
    if (counter === null)
      throw new Refused('lane-gone', `lane ${laneId} is not there, or its till is not software`);
    counter.till.heard();
    return counter;
  }

  #heard(token: string): void {
    const found = this.#options.tokens.find(token);
    if (found !== null) this.#options.counter(found.laneId)?.till.heard();
  }

  async #perform(call: OperationCall, signal: AbortSignal): Promise<OperationAnswer> {
    const token = this.#tokenOf(call);
    if (!token.scopes.includes(operations[call.name].scope)) throw new Refused('scope-missing');
    const counter = this.#counterOf(token);
    const apiRequest = {
      ...call,
      counter,
      from: `http:${call.address} ${token.name}`,
      requester: {
        tokenId: token.tokenId,
        isValid: (tokenId: string) => this.#options.tokens.holds(tokenId),
      },
      dayTotals: (day: string | null) => this.#options.dayTotals(counter.lane.id, day),
      until: (isDone: () => boolean, ms: number) => this.#waits.until(isDone, ms, signal),
    };
    // The thread has parsed the request with the schemas of this very operation, which the compiler
    // cannot see.
    const handle = handlers[call.name] as (
      asked: ApiRequest<OperationName>,
    ) => ReturnType<Handlers[keyof Handlers]>;
    const { status, body, ...more } = await handle(
      apiRequest as unknown as ApiRequest<OperationName>,
    );
    return { status, body, location: 'location' in more ? (more.location ?? null) : null };
  }

  #openStream(call: StreamCall, signal: AbortSignal): null {
    const token = this.#tokenOf(call);
    if (!token.scopes.includes(operations.getEvents.scope)) throw new Refused('scope-missing');
    this.#counterOf(token);
    const { thread } = this;
    if (thread === null || signal.aborted) return null;
    const stream = new ThreadStream(call.id, thread.calls);
    this.#open.set(call.id, stream);
    this.#streams.open(stream, {
      laneId: token.laneId,
      tokenId: token.tokenId,
      lastId: call.lastId,
    });
    return null;
  }

  async #answerOther(call: ProtocolCall, signal: AbortSignal) {
    const protocol = (this.#options.protocols ?? []).find(({ paths }) => paths.includes(call.path));
    if (protocol === undefined) throw new Refused('not-found');
    return protocol.answer({
      text: call.text,
      address: call.address,
      token: () => this.#tokenOf(call),
      until: (isDone, ms) => {
        void this.thread?.calls.waits.asEvent(call.id, ms);
        return this.#waits.until(isDone, ms, signal);
      },
    });
  }
}

/** Certificates are renewed every few weeks, and the new one is used without a restart. */
function keepCertificate(
  thread: ListenerThread<ApiThread>,
  first: Certificate,
  { tls, clock, log }: HttpApiOptions,
): () => void {
  let used = first;
  let cancel = (): void => {};
  const again = (): void => {
    cancel = clock.after(certificateReadEveryMs, () => {
      void renew().catch((error: unknown) =>
        log.error(
          { detail: messageOf(error) },
          'the new certificate of the HTTP API cannot be used: the one before stays in use',
        ),
      );
      again();
    });
  };
  const renew = async (): Promise<void> => {
    const now = tls?.() ?? used;
    const isNew = now.cert !== used.cert || now.key !== used.key;
    used = now;
    if (isNew) await thread.calls.useCertificate(now);
  };
  again();
  return () => cancel();
}
