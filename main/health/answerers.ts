import type { FileShelf } from '../screens/file-shelf.ts';
import type { Answerers } from '../screens/question-desk.ts';
import { makeBundle } from './bundle.ts';
import { type HealthSources, lookAtHealth } from './health.ts';
import { countSales, extract, type ExtractReader } from './journal-extract.ts';

export interface HealthAnswerersOptions extends HealthSources {
  readonly shelf: FileShelf;
  /** Of the journal, for as long as one bundle takes. */
  readonly openReader: () => ExtractReader & { close(): void };
  readonly recentLog: () => readonly string[];
  /** As they are in use, secrets and all; null: not set up yet. */
  readonly settings: () => object | null;
  /** See `BundleParts.known`. */
  readonly known: () => readonly string[];
}

const extractedMs = 7 * 24 * 60 * 60_000;

/** Answers `preload/questions/health.ts`. */
export function healthAnswerers(options: HealthAnswerersOptions): Answerers {
  const { clock, shelf, recentLog, settings, known } = options;
  const reading = async <Value>(read: (reader: ExtractReader) => Promise<Value>): Promise<Value> => {
    const reader = options.openReader();
    try {
      return await read(reader);
    } finally {
      reader.close();
    }
  };
  return {
    health: () => lookAtHealth(options),

    async diagnosticsContents() {
      const fromMs = clock.wallMs() - extractedMs;
      return { logLines: recentLog().length, sales: await reading((reader) => countSales(reader, fromMs)), fromMs };
    },

    async diagnostics(_asked, session) {
      const madeAtMs = clock.wallMs();
      const fromMs = madeAtMs - extractedMs;
      const health = await lookAtHealth(options);
      const journal = await reading((reader) => extract(reader, fromMs));
      const bundle = makeBundle({ madeAtMs, health, settings: settings(), logLines: recentLog(), journal, fromMs, known: known() });
      return shelf.offer(session, { ...bundle, type: 'application/zip' });
    },
  };
}
