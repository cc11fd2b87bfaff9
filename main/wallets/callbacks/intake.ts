/**
 * From the whole body of an authenticated request to records on disk and the answer. 2xx means that
 * they are on disk.
 */
import type { Clock } from '../../core/domain/clock.ts';
import type { Log } from '../../core/domain/log.ts';
import { parseJson } from '../http/json.ts';
import { type Endpoint, endpointsOf } from './endpoints.ts';
import type { CallbackRecord, RejectedRecord } from './callback-record.ts';
import type { CallbackSettings } from './callback-settings.ts';
import { shapeMistake } from './body-shape.ts';
import { type CallbackStore, StoreWriteError } from './callback-store.ts';

export interface CallbackAnswer {
  readonly status: number;
  readonly body: object | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The service repeats a callback for the first time after five seconds (document 1, "Events"). */
export const comeAgain: CallbackAnswer = {
  status: 503,
  body: null,
  headers: { 'retry-after': '5' },
};
const refuse = (reason: string): CallbackAnswer => ({ status: 400, body: { reason } });

export interface Intake {
  /**
   * @param path of an endpoint; @param body may be transferred: the caller must not use it
   * afterwards
   */
  take(path: string, body: Uint8Array<ArrayBuffer>): Promise<CallbackAnswer>;
  health(): Promise<CallbackAnswer>;
}

export interface IntakeOptions {
  readonly settings: CallbackSettings;
  readonly store: CallbackStore;
  readonly clock: Clock;
  readonly log: Log;
}

type Rejected = Pick<RejectedRecord, 'endpoint' | 'reason' | 'raw'>;

export function openIntake({ settings, store, clock, log }: IntakeOptions): Intake {
  const endpoints = endpointsOf(settings);
  const recentCheckIns = checkInGate(clock);

  /**
   * Takes callbacks of an authenticated sender: readable records are stored, the others are stored
   * with the reason.
   */
  function takeCallbacks(path: string, endpoint: Endpoint, body: Uint8Array): CallbackAnswer {
    const elements = elementsOf(body, endpoint);
    if (typeof elements === 'string') {
      log.warn({ endpoint: path, reason: elements }, 'a callback was refused as a whole');
      return refuse(elements);
    }
    const records: CallbackRecord[] = [];
    const rejected: Rejected[] = [];
    for (const element of elements) {
      const reading = endpoint.read(element);
      if (reading.kind === 'record') records.push(reading.record);
      else rejected.push({ endpoint: path, reason: reading.reason, raw: reading.raw });
    }
    if (rejected.length > 0)
      log.warn(
        { endpoint: path, rejected: rejected.length, reason: rejected[0]?.reason },
        'callback records were set aside',
      );
    const counts = onDisk(records, rejected);
    if (counts === null) return comeAgain;
    return records.length === 0 && rejected[0] !== undefined
      ? refuse(rejected[0].reason)
      : { status: 200, body: { ...counts, rejected: rejected.length } };
  }

  /** Takes a check-in, which anybody can send; anything else is dropped. */
  function takeCheckIn(endpoint: Endpoint, body: Uint8Array): CallbackAnswer {
    const elements = elementsOf(body, endpoint);
    if (typeof elements === 'string') return refuse(elements);
    if (elements.length === 0) return { status: 200, body: null };
    const reading = endpoint.read(elements[0]);
    if (reading.kind === 'rejected') return refuse(reading.reason);
    const { subjectId } = reading.record;
    if (recentCheckIns.isRepeated(subjectId)) return { status: 200, body: null };
    if (recentCheckIns.isFull() || onDisk([reading.record], []) === null) return comeAgain;
    recentCheckIns.stored(subjectId);
    return { status: 200, body: null };
  }

  /** Stores the records; null when the disk refused. */
  function onDisk(
    records: CallbackRecord[],
    rejected: Rejected[],
  ): { readonly stored: number; readonly repeated: number } | null {
    if (records.length + rejected.length === 0) return { stored: 0, repeated: 0 };
    try {
      return store.add({ origin: 'callback', receivedAtMs: clock.wallMs(), records, rejected });
    } catch (error) {
      if (!(error instanceof StoreWriteError)) throw error;
      log.error(
        { error: error.message },
        'callbacks could not be stored; their sender was asked to send them again',
      );
      return null;
    }
  }

  return {
    async take(path, body) {
      const endpoint = endpoints.get(path);
      if (endpoint === undefined) throw new Error(`nothing is taken at ${path}`);
      return endpoint.admission.by === 'nothing'
        ? takeCheckIn(endpoint, body)
        : takeCallbacks(path, endpoint, body);
    },
    async health() {
      try {
        const { lastSeq, lastRejected, writable } = store.health();
        return {
          status: writable ? 200 : 503,
          body: { ok: writable, records: lastSeq, rejected: lastRejected },
        };
      } catch {
        return { status: 503, body: { ok: false } };
      }
    },
  };
}

/**
 * The elements of the body, or the reason why all of it is refused: the service sends no such body.
 */
function elementsOf(body: Uint8Array, { limits }: Endpoint): readonly unknown[] | string {
  const mistake = shapeMistake(body, limits);
  if (mistake !== null) return mistake;
  // TextDecoder drops the byte order mark that some senders put in front.
  const json = parseJson(new TextDecoder().decode(body));
  if (json === undefined) return 'the body must be JSON';
  const elements: readonly unknown[] = Array.isArray(json) ? json : [json];
  return elements;
}

const repeatedWithinMs = 5_000;
const maxCheckInsPerSecond = 20;

/**
 * Check-ins are not signed: repeated ones are dropped, and their number is limited, so that a flood
 * does not keep the disk from other callbacks.
 */
function checkInGate(clock: Clock) {
  const storedAtMs = new Map<string, number>();
  const within = (periodMs: number) => (atMs: number) => clock.monotonicMs() - atMs < periodMs;
  return {
    /** A check-in at this point of sale was stored a moment ago. */
    isRepeated(posId: string): boolean {
      const isRecent = within(repeatedWithinMs);
      for (const [stored, atMs] of storedAtMs) if (!isRecent(atMs)) storedAtMs.delete(stored);
      return storedAtMs.has(posId);
    },
    /** Too many in the last second: the sender is asked to repeat it later. */
    isFull: (): boolean =>
      storedAtMs.values().filter(within(1_000)).toArray().length >= maxCheckInsPerSecond,
    stored: (posId: string): void => void storedAtMs.set(posId, clock.monotonicMs()),
  };
}
