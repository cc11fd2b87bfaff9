import { Refusal } from '../../../preload/procedures/procedure.ts';
import type { DownloadStore } from '../../server/download-store.ts';
import type { Handlers } from '../../server/router.ts';
import { makeBundle } from './bundle.ts';
import { type HealthSources, lookAtHealth } from './health.ts';
import { countSales, extract, type OpenReader } from './journal-extract.ts';

export interface HealthAnswerersOptions extends HealthSources {
  readonly downloads: DownloadStore;
  readonly openReader: OpenReader;
  readonly recentLog: () => readonly string[];
  /** The settings in use, including secrets; null before setup. */
  readonly settings: () => object | null;
  /** See `BundleParts.known`. */
  readonly known: () => readonly string[];
  /** Called when a manager acknowledged the damage, so that the warning ends. */
  readonly damageNoted: () => void;
}

const extractedMs = 7 * 24 * 60 * 60_000;

/** The handlers of `preload/procedures/health.ts`. */
export function healthAnswerers(options: HealthAnswerersOptions): Handlers {
  const { clock, downloads, openReader, recentLog, settings, known, journalDamage, damageNoted } = options;
  return {
    health: () => lookAtHealth(options),

    damageNoted({ damagedMs }) {
      const damage = journalDamage();
      if (damage?.repaired !== true || damage.atMs !== damagedMs) throw new Refusal('notFound', 'no damage of that time is repaired and waits for a manager');
      damageNoted();
      return {};
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
      const bundle = await makeBundle({ madeAtMs, health, settings: settings(), logLines: recentLog(), journal, fromMs, known: known() });
      return downloads.offer(session, { ...bundle, type: 'application/zip' });
    },
  };
}
