import type { PowerMonitor } from 'electron';
import type { Log } from '../../core/domain/log.ts';
import type { Ending } from './ending.ts';
import type { Payments } from './payments.ts';
import type { Windows } from './windows.ts';

interface PowerOptions {
  readonly monitor: Pick<PowerMonitor, 'on'>;
  readonly payments: Pick<Payments, 'resumed'>;
  readonly windows: Pick<Windows, 'arrange'>;
  readonly ending: Pick<Ending, 'atOnce'>;
  readonly log: Log;
}

/** What becomes of the whole computer. */
export function followPower({ monitor, payments, windows, ending, log }: PowerOptions): void {
  monitor.on('shutdown', () => ending.atOnce());
  monitor.on('resume', () => {
    log.info({}, 'computer resumed from sleep');
    payments.resumed();
    // Displays may have changed meanwhile, and windows with them.
    windows.arrange();
  });
}
