/** One request to the service and its answer as they were on the network, with secrets masked. */
import { parseAnswer } from '../../wallets/http/json.ts';

export interface ObservedExchange {
  /** Numbers begin at 1, in the order of sending. */
  readonly number: number;
  /** The case that sent it; null before and after the cases. */
  readonly caseId: string | null;
  /** The operation's name, `token`, or `?` for a request that is not an operation. */
  readonly operation: string;
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Wall time, ISO 8601. */
  readonly sentAt: string;
  readonly sentAtMs: number;
  /**
   * 1 for the first time, and one more each time that the same request is sent again because it had
   * no usable answer.
   */
  readonly attempt: number;
  /** Monotonic; infinite until it has an answer or has failed. */
  endedAtMs: number;
  answer: { readonly status: number; readonly body: string } | null;
  /** The reason for a missing answer. */
  failure: string | null;
}

/**
 * Whether a request may be sent again for it: no answer, or the service's own failure (document 4,
 * section 1.8).
 */
export const isUseless = ({ answer }: ObservedExchange): boolean =>
  answer === null || answer.status >= 500;

export const isAnswered = (exchange: ObservedExchange, status = 200): boolean =>
  exchange.answer?.status === status;

export const tookMs = ({ sentAtMs, endedAtMs }: ObservedExchange): number => endedAtMs - sentAtMs;

/** What a request and its repetition have in common. */
export const contentOf = ({
  method,
  path,
  body,
}: Pick<ObservedExchange, 'method' | 'path' | 'body'>): string => `${method} ${path} ${body ?? ''}`;

/** A header by its name in any case; null when it is missing. */
export function headerOf({ headers }: ObservedExchange, name: string): string | null {
  const header = Object.entries(headers).find(([key]) => key.toLowerCase() === name.toLowerCase());
  return header?.[1] ?? null;
}

/** A field of the request's JSON body. */
export const sentField = (exchange: ObservedExchange, name: string): unknown =>
  field(exchange.body, name);

/** A field of the answer's JSON body. */
export const answeredField = ({ answer }: ObservedExchange, name: string): unknown =>
  field(answer?.body ?? null, name);

function field(text: string | null, name: string): unknown {
  const value = text === null ? undefined : parseAnswer(text);
  return typeof value === 'object' && value !== null
    ? new Map<string, unknown>(Object.entries(value)).get(name)
    : undefined;
}
