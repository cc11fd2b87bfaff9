/** A whole body → the records in it → the disk → the answer. 2xx means: it is on disk. */
import type { Clock } from '../../primitives/clock.ts';
import type { Log } from '../../primitives/log.ts';
import { parseJson } from '../json.ts';
import type { HintGate } from './hints.ts';
import type { Reader } from './readers.ts';
import type { CallbackRecord, RejectedRecord } from './record.ts';
import { type CallbackStore, StoreWriteError } from './store.ts';

export interface Answer {
  readonly status: number;
  readonly body: object | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The service's own first repetition comes after five seconds (document 1, "Events"). */
export const comeAgain: Answer = { status: 503, body: null, headers: { 'retry-after': '5' } };
const refuse = (reason: string): Answer => ({ status: 400, body: { reason } });

export interface IntakeOptions {
  readonly store: CallbackStore;
  readonly clock: Clock;
  readonly hints: HintGate;
  readonly log: Log;
}

type Rejected = Pick<RejectedRecord, 'endpoint' | 'reason' | 'raw'>;

/** From a sender who has shown that he may. Good records are stored although there are bad ones beside them; those are set aside with the reason. */
export function takeCallbacks(body: string, endpoint: string, read: Reader, options: IntakeOptions): Answer {
  const found = readAll(body, endpoint, read);
  if (found === null) return refuse('the body must be JSON');
  const { records, rejected } = found;
  if (rejected.length > 0) options.log.warn({ endpoint, rejected: rejected.length, reason: rejected[0]?.reason }, 'callback records were set aside');
  return onDisk(options, records, rejected, (counts) =>
    records.length === 0 && rejected[0] !== undefined ? refuse(rejected[0].reason) : { status: 200, body: { ...counts, rejected: rejected.length } },
  );
}

/** From anybody: what is no check-in is not kept either. */
export function takeHints(body: string, endpoint: string, read: Reader, options: IntakeOptions): Answer {
  const found = readAll(body, endpoint, read);
  if (found === null) return refuse('the body must be JSON');
  const { records, rejected } = found;
  if (records.length === 0 && rejected[0] !== undefined) return refuse(rejected[0].reason);
  const fresh = options.hints.fresh(records.map(({ subjectId }) => subjectId));
  if (fresh === null) return comeAgain;
  const ofFresh = new Map(records.map((record) => [record.subjectId, record]));
  const news = [...ofFresh.values()].filter(({ subjectId }) => fresh.has(subjectId));
  return onDisk(options, news, [], () => {
    options.hints.stored(fresh);
    return { status: 200, body: null };
  });
}

/** null: no JSON. */
function readAll(body: string, endpoint: string, read: Reader): { records: CallbackRecord[]; rejected: Rejected[] } | null {
  const json = parseJson(body);
  if (json === undefined) return null;
  const records: CallbackRecord[] = [];
  const rejected: Rejected[] = [];
  for (const element of (Array.isArray(json) ? json : [json]) as unknown[]) {
    const reading = read(element);
    if (reading.kind === 'record') records.push(reading.record);
    else rejected.push({ endpoint, reason: reading.reason, raw: reading.raw });
  }
  return { records, rejected };
}

type Counts = { readonly stored: number; readonly repeated: number };

function onDisk({ store, clock, log }: IntakeOptions, records: CallbackRecord[], rejected: Rejected[], answer: (counts: Counts) => Answer): Answer {
  if (records.length + rejected.length === 0) return answer({ stored: 0, repeated: 0 });
  let counts: Counts;
  try {
    counts = store.add({ origin: 'callback', receivedAtMs: clock.wallMs(), records, rejected });
  } catch (error) {
    if (!(error instanceof StoreWriteError)) throw error;
    log.error({ error: error.message }, 'callbacks could not be stored; their sender was asked to send them again');
    return comeAgain;
  }
  return answer(counts);
}
