import { beforeEach, describe, expect, test } from 'vitest';
import { sleep } from '../../../../main/core/domain/clock.ts';
import { withCorrelation } from '../../../../main/core/domain/correlation.ts';
import type { Log } from '../../../../main/core/domain/log.ts';
import {
  type HttpAnswer,
  type HttpSend,
  NoAnswerInTimeError,
} from '../../../../main/wallets/http/http.ts';
import { monitorLimits, ServiceMonitor } from '../../../../main/wallets/http/service-monitor.ts';
import { ManualClock, settled } from '../../support/manual-clock.ts';

const saleId = '5a1e0000-0000-4000-8000-000000000001';
const readTimeoutMs = 2_000;

let clock: ManualClock;
let lines: { level: string; message: string; fields: Record<string, unknown> }[];
let monitor: ServiceMonitor;
/** What happens to every request. */
let service: 'answers' | 'frozen' | 'refused' | number;
let retryAfterMs: number | null;
/** The time in the service's answers; undefined for none. */
let dateMs: number | undefined;
/** When the monitor asked for itself. */
let reads: number[];
let told: number;
let send: HttpSend;

const network: HttpSend = async (_request, signal): Promise<HttpAnswer> => {
  if (service === 'frozen')
    return new Promise((_, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error)),
    );
  if (service === 'refused')
    throw new Error('fetch failed', { cause: new Error('connect ECONNREFUSED') });
  return {
    status: service === 'answers' ? 200 : service,
    retryAfterMs,
    body: '',
    ...(dateMs !== undefined && { dateMs }),
  };
};

/** Sends one request, which ends with its time-out. */
async function asks(
  about: { timeoutMs?: number; authorization?: string; signal?: AbortSignal } = {},
): Promise<void> {
  const { timeoutMs = 500, authorization = 'Bearer t' } = about;
  const abort = new AbortController();
  about.signal?.addEventListener('abort', () => abort.abort(about.signal?.reason));
  const cancel = clock.after(timeoutMs, () => abort.abort(new NoAnswerInTimeError(timeoutMs)));
  await send(
    { method: 'GET', url: 'http://service', headers: { authorization }, body: null },
    abort.signal,
  ).catch(() => undefined);
  cancel();
}

beforeEach(() => {
  clock = new ManualClock();
  lines = [];
  const line = (level: string) => (fields: Record<string, unknown>, message: string) =>
    void lines.push({ level, message, fields });
  const log: Log = {
    debug: line('debug'),
    info: line('info'),
    warn: line('warn'),
    error: line('error'),
    child: () => log,
  };
  monitor = new ServiceMonitor({ clock, log });
  service = 'answers';
  retryAfterMs = null;
  dateMs = undefined;
  reads = [];
  told = 0;
  send = monitor.watching(network);
  monitor.subscribe(() => (told += 1));
  monitor.begin(async (signal) => {
    reads.push(clock.monotonicMs());
    await asks({ timeoutMs: readTimeoutMs, signal });
  });
});

const untilAway = async (): Promise<number> => {
  for (let ms = 0; ms < 200_000; ms += 100) {
    if (monitor.awaySinceMs !== null) return ms;
    await clock.pass(100);
  }
  throw new Error('never away');
};
const untilBack = async (): Promise<number> => {
  for (let ms = 0; ms < 200_000; ms += 100) {
    if (monitor.awaySinceMs === null) return ms;
    await clock.pass(100);
  }
  throw new Error('never back');
};

describe('asking for itself', () => {
  test('only after a minute in which nothing was asked, once', async () => {
    await clock.pass(59_000);
    expect(reads).toEqual([]);
    await clock.pass(10 * 60_000);
    expect(reads).toEqual(
      Array.from({ length: 10 }, (_, index) => (index + 1) * monitorLimits.quietMs),
    );
  });

  test('not while others ask', async () => {
    for (let seconds = 0; seconds < 600; seconds += 30) {
      await asks();
      await clock.pass(30_000);
    }
    expect(reads).toEqual([]);
  });

  test('at once when a manager wants to know; a second one joins', async () => {
    service = 'frozen';
    const first = monitor.ask();
    const second = monitor.ask();
    await clock.pass(readTimeoutMs);
    await Promise.all([first, second]);
    expect(reads).toEqual([0]);
    expect(monitor.seen).toMatchObject({ state: 'silent', lastAnswerMs: null });
  });

  test('not before the service wants to be asked again', async () => {
    service = 503;
    retryAfterMs = 20_000;
    await asks();
    await clock.pass(19_000);
    expect(reads).toEqual([]);
    await clock.pass(1_000);
    expect(reads).toEqual([20_000]);
  });

  test('ends with the lanes, and begins anew with other settings', async () => {
    service = 'refused';
    await untilAway();
    const stop = monitor.begin(async () => void reads.push(clock.monotonicMs()));
    expect(monitor.awaySinceMs).toBeNull();
    expect(monitor.seen).toBeNull();
    stop();
    const before = reads.length;
    await clock.pass(10 * 60_000);
    expect(reads).toHaveLength(before);
  });
});

describe('away', () => {
  test.each(['frozen', 'refused', 500, 503] as const)(
    'is said after at most ten seconds of doubt: %s',
    async (what) => {
      await asks();
      service = what;
      void asks();
      expect(await untilAway()).toBeLessThanOrEqual(10_000);
      expect(monitor.awaySinceMs).toBe(clock.startedAtMs);
      expect(told).toBe(1);
    },
  );

  test('is said within about a minute where nobody pays', async () => {
    service = 'frozen';
    expect(await untilAway()).toBeLessThanOrEqual(monitorLimits.quietMs + 10_000);
  });

  test.each([400, 401, 403, 404, 409, 429])('is not said for a refusal: %s', async (status) => {
    service = status;
    for (let count = 0; count < 20; count += 1) {
      await asks();
      await clock.pass(1_000);
    }
    expect(monitor.awaySinceMs).toBeNull();
    expect(monitor.seen).toMatchObject({ state: 'answers' });
  });

  test('is not said for one slow or failed call, nor for a short hiccup', async () => {
    for (const hiccupMs of [0, 500, 2_000, 4_000]) {
      service = 'frozen';
      void asks();
      await clock.pass(hiccupMs);
      service = 'answers';
      await clock.pass(20_000);
      expect(monitor.awaySinceMs).toBeNull();
    }
    expect(lines).toEqual([]);
    expect(told).toBe(0);
  });

  test('is not said for one operation that always fails while the service answers', async () => {
    const fails = monitor.watching(async () => ({ status: 500, retryAfterMs: null, body: '' }));
    for (let count = 0; count < 100; count += 1) {
      await fails(
        {
          method: 'POST',
          url: 'http://service/capture',
          headers: { authorization: 'Bearer t' },
          body: null,
        },
        new AbortController().signal,
      );
      await clock.pass(300);
    }
    expect(monitor.awaySinceMs).toBeNull();
    expect(reads.length).toBeGreaterThan(0);
    expect(reads.length).toBeLessThanOrEqual(31);
  });

  test('is not said for calls that whoever made them gave up', async () => {
    service = 'frozen';
    for (let count = 0; count < 10; count += 1) {
      const abort = new AbortController();
      void asks({ signal: abort.signal, timeoutMs: 60_000 });
      abort.abort(new Error('superseded'));
      await clock.pass(1_000);
    }
    expect(monitor.seen).toBeNull();
    expect(reads).toEqual([]);
  });

  test.each([
    [400, 'refused'],
    [401, 'refused'],
    [429, 'accepted'],
  ] as const)('a token endpoint that answers %i: credentials %s', async (status, credentials) => {
    await asks();
    service = status;
    await asks({ authorization: 'Basic c2VjcmV0' });
    expect(monitor.seen).toMatchObject({ credentials });
  });

  test('does not end because the token endpoint answers', async () => {
    service = 'refused';
    void asks();
    await untilAway();
    service = 'answers';
    await asks({ authorization: 'Basic c2VjcmV0' });
    expect(monitor.awaySinceMs).not.toBeNull();
  });

  test('ends with the first answer to anybody', async () => {
    service = 'refused';
    void asks();
    await untilAway();
    service = 404;
    await asks();
    expect(monitor.awaySinceMs).toBeNull();
    expect(monitor.seen).toMatchObject({
      state: 'answers',
      sinceMs: clock.wallMs(),
      lastAnswerMs: clock.wallMs(),
    });
    expect(told).toBe(2);
  });

  test.each(['frozen', 'refused', 503] as const)(
    'its end is noticed within a few seconds, after an hour too: %s',
    async (what) => {
      service = what;
      void asks();
      await untilAway();
      await clock.pass(60 * 60_000);
      // Wherever between two reads it comes back.
      for (let turn = 0; turn < 12; turn += 1) {
        await clock.pass(500 * turn);
        service = 'answers';
        expect(await untilBack()).toBeLessThanOrEqual(6_000);
        service = what;
        void asks();
        await untilAway();
        await clock.pass(60_000);
      }
    },
  );

  test('is not asked more often than every four seconds for long', async () => {
    service = 'refused';
    void asks();
    await untilAway();
    reads.length = 0;
    await clock.pass(60 * 60_000);
    expect(reads.length).toBeLessThanOrEqual(3_600 / 4 + 3);
    expect(reads.length).toBeGreaterThan(800);
  });

  test('is logged once at its beginning and once at its end, and kept for the diagnostics', async () => {
    for (let outage = 0; outage < 25; outage += 1) {
      service = 'refused';
      void asks();
      await untilAway();
      await clock.pass(30_000);
      service = 'answers';
      await untilBack();
    }
    expect(lines).toHaveLength(50);
    expect(lines.slice(0, 2)).toMatchObject([
      { level: 'warn', fields: { detail: 'connect ECONNREFUSED' } },
      { level: 'info', fields: { seconds: expect.any(Number) } },
    ]);
    expect(monitor.outages).toHaveLength(20);
    expect(
      monitor.outages.every(({ untilMs, fromMs }) => untilMs !== null && untilMs > fromMs),
    ).toBe(true);
  });
});

describe('a sale without an answer', () => {
  const within = (work: () => Promise<void>): Promise<void> => withCorrelation(saleId, work);

  test('is told after three seconds, counting from the first request, and no longer once one is answered', async () => {
    service = 'frozen';
    void within(async () => {
      for (;;) {
        await asks({ timeoutMs: 2_000 });
        if (service !== 'frozen') return;
        await sleep(clock, 250);
      }
    });
    await clock.pass(2_900);
    expect(monitor.unansweredMs(saleId)).toBeNull();
    await clock.pass(100);
    expect(monitor.unansweredMs(saleId)).toBe(3_000);
    expect(told).toBe(1);
    await clock.pass(1_600);
    expect(monitor.unansweredMs(saleId)).toBe(4_600);
    service = 'answers';
    await within(() => asks());
    expect(monitor.unansweredMs(saleId)).toBeNull();
    expect(told).toBe(2);
  });

  test('does not count while nothing is asked, however long the service wants the pause to be', async () => {
    await within(() => asks());
    await clock.pass(30_000);
    expect(monitor.unansweredMs(saleId)).toBeNull();
    expect(told).toBe(0);
  });

  test('counts a 5xx as no answer, and is of this sale alone', async () => {
    service = 500;
    await within(() => asks());
    await clock.pass(3_000);
    expect(monitor.unansweredMs(saleId)).toBe(3_000);
    service = 'answers';
    await asks();
    await withCorrelation('5a1e0000-0000-4000-8000-000000000002', () => asks());
    expect(monitor.unansweredMs(saleId)).toBe(3_000);
  });

  test('counts no poll that was given up for another question', async () => {
    service = 'frozen';
    const abort = new AbortController();
    void within(() => asks({ signal: abort.signal, timeoutMs: 60_000 }));
    abort.abort(new Error('superseded'));
    await settled();
    await clock.pass(10_000);
    expect(monitor.unansweredMs(saleId)).toBeNull();
    expect(told).toBe(0);
  });

  test('is forgotten when there are too many', async () => {
    service = 500;
    for (let count = 0; count < 1_000; count += 1)
      await withCorrelation(`sale ${count}`, () => asks());
    await clock.pass(5_000);
    expect(monitor.unansweredMs('sale 0')).toBeNull();
    expect(monitor.unansweredMs('sale 999')).toBe(5_000);
  });
});

describe('this computer’s clock', () => {
  const isAhead = async (seconds: number): Promise<void> => {
    dateMs = clock.wallMs() - seconds * 1_000;
    await asks();
  };

  test('is compared with each answer that tells the time, also one that refuses', async () => {
    await asks();
    expect(monitor.clockOffSeconds).toBeNull();
    await isAhead(-7);
    expect(monitor.clockOffSeconds).toBe(-7);
    service = 503;
    await isAhead(4_000);
    expect(monitor.clockOffSeconds).toBe(4_000);
    dateMs = undefined;
    await asks();
    expect(monitor.clockOffSeconds).toBe(4_000);
  });

  test('is told to the screens, and logged once, where it becomes wrong and right again', async () => {
    await isAhead(60);
    expect([told, lines.length]).toEqual([0, 0]);
    await isAhead(61);
    await isAhead(300);
    expect(told).toBe(1);
    expect(lines).toEqual([
      { level: 'warn', message: expect.stringContaining('clock'), fields: { secondsAhead: 61 } },
    ]);
    await isAhead(0);
    expect([told, lines.length]).toEqual([2, 1]);
  });

  test('is not known of another service', async () => {
    await isAhead(500);
    monitor.begin(() => Promise.resolve());
    expect(monitor.clockOffSeconds).toBeNull();
  });
});
