/** What crosses between the thread that has the sockets and the process that has the lanes. */
import type { Certificate } from '../../support/paced-server.ts';
import type { OperationName } from './operations.ts';
import { type ProblemCode, Refused } from './problems.ts';
import type { HttpProtocol, ProtocolAnswer } from './protocol.ts';
import type { TillToken } from './tokens.ts';

/** What the thread begins with. */
export interface ApiThreadData {
  readonly host: string;
  readonly port: number;
  readonly tls: Certificate | null;
  readonly names: readonly string[];
  readonly origins: readonly string[];
  readonly version: string;
  readonly protocols: readonly Pick<HttpProtocol, 'paths' | 'maxBodyBytes'>[];
  /** Whether the process wants to know which pages are refused. */
  readonly tellsRefusedPages: boolean;
}

/** A request of a web page that was refused. */
export interface RefusedPage {
  /** Its origin, as its browser says it. */
  readonly page: string;
  readonly code: ProblemCode;
}

interface Call {
  /** Names the request until it is answered. */
  readonly id: number;
  readonly address: string;
  /** As it was sent; empty when none was. */
  readonly token: string;
}
/** A request that keeps the operation's schemas. */
export interface OperationCall extends Call {
  readonly name: Exclude<OperationName, 'getEvents'>;
  readonly key: string;
  readonly body: unknown;
  readonly query: unknown;
  readonly path: Readonly<Record<string, string>>;
}
export interface StreamCall extends Call {
  readonly lastId: string;
}
/** A request of another protocol. */
export interface ProtocolCall extends Call {
  readonly path: string;
  readonly text: string;
}

export interface OperationAnswer {
  readonly status: 200 | 201 | 202;
  readonly body: unknown;
  readonly location: string | null;
}

/** A refusal is data, because an error loses its class on the way. */
export type Outcome<Answer> =
  | { readonly answer: Answer }
  | {
      readonly refused: {
        readonly code: ProblemCode;
        readonly detail: string;
        readonly more: Refused['more'];
      };
    };

export async function outcomeOf<Answer>(
  answering: () => Answer | Promise<Answer>,
): Promise<Outcome<Answer>> {
  try {
    return { answer: await answering() };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { refused: { code: error.code, detail: error.message, more: error.more } };
  }
}

/** @throws Refused */
export function answerIn<Answer>(outcome: Outcome<Answer>): Answer {
  if ('answer' in outcome) return outcome.answer;
  const { code, detail, more } = outcome.refused;
  throw new Refused(code, detail, more);
}

/**
 * What the thread calls in the process. A call that has begun is told with `begun`, so that few
 * wait for it at a time.
 */
export interface ApiProcess {
  findToken(token: string): TillToken | null;
  /** A token of this till was shown, with a request that breaks a rule. */
  heard(token: string): void;
  refusedPage(refused: RefusedPage): void;
  perform(call: OperationCall): Promise<Outcome<OperationAnswer>>;
  openStream(call: StreamCall): Promise<Outcome<null>>;
  answerOther(call: ProtocolCall): Promise<Outcome<ProtocolAnswer>>;
  /** The caller has disconnected, or the stream has ended. */
  gone(id: number): void;
  /** The socket has flushed the last writes of these streams. */
  written(ids: readonly number[]): void;
}

/** What the process calls in the thread. */
export interface ApiThread {
  begun(id: number): void;
  /** The request may be answered late: the connection keeps its place. */
  waits(id: number, ms: number): void;
  write(id: number, bytes: Uint8Array<ArrayBuffer>): void;
  end(id: number): void;
  useCertificate(certificate: Certificate): void;
}
