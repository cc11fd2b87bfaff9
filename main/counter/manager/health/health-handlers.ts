import { messageOf } from '../../../core/domain/errors.ts';
import { Refusal } from '../../../../preload/procedures/procedure.ts';
import type { DownloadStore } from '../../server/download-store.ts';
import type { Handlers } from '../../server/router.ts';
import { makeBundle } from './bundle.ts';
import { type HealthSources, lookAtHealth } from './health.ts';
import { countSales, extract, type OpenReader } from './journal-extract.ts';

/** What goes over all tills' lines is recorded until then. */
export interface TillRecordingSwitch {
  /** null when nothing is recorded now. */
  readonly untilMs: number | null;
  /** @throws when that cannot be written down */
  recordUntil(untilMs: number | null): void;
}

export interface HealthHandlersOptions extends HealthSources {
  readonly downloads: DownloadStore;
  readonly openReader: OpenReader;
  readonly recentLog: () => readonly string[];
  /** The settings in use, including secrets; null while the counter is not set up. */
  readonly settings: () => object | null;
  readonly recordings: TillRecordingSwitch;
  /** See `BundleParts.known`. */
  readonly secrets: () => readonly string[];
}

const recordedMs = 24 * 60 * 60_000;
const extractedMs = 7 * 24 * 60 * 60_000;

/** Implements `preload/procedures/health.ts`. */
export function healthHandlers(options: HealthHandlersOptions): Handlers {
  const {
    clock,
    downloads,
    openReader,
    recentLog,
    settings,
    secrets,
    journalCondition,
    recordings,
  } = options;
  return {
    async health({ ask }) {
      if (ask) await options.service.ask();
      return lookAtHealth(options);
    },

    damageNoted({ damagedMs }) {
      const { damage } = journalCondition;
      if (damage?.repaired !== true || damage.atMs !== damagedMs)
        throw new Refusal('notFound', 'no damage of that time is repaired and waits for a manager');
      journalCondition.show(null);
      return {};
    },

    tillRecording: () => ({ untilMs: recordings.untilMs }),

    recordTills({ on }) {
      try {
        recordings.recordUntil(on ? clock.wallMs() + recordedMs : null);
      } catch (error) {
        throw new Refusal('failed', messageOf(error));
      }
      return { untilMs: recordings.untilMs };
    },

    async diagnosticsContents() {
      const fromMs = clock.wallMs() - extractedMs;
      return { logLines: recentLog().length, sales: await countSales(openReader, fromMs), fromMs };
    },

    async diagnostics(_asked, session) {
      const madeAtMs = clock.wallMs();
      const fromMs = madeAtMs - extractedMs;
      const health = await lookAtHealth(options);
      const journal = extract(openReader, fromMs);
      const bundle = await makeBundle({
        madeAtMs,
        health,
        settings: settings(),
        logLines: recentLog(),
        journal,
        fromMs,
        secrets: secrets(),
      });
      return downloads.offer(session, { ...bundle, type: 'application/zip' });
    },
  };
}
