import type { App } from 'electron';
import type { Clock } from '../../core/domain/clock.ts';
import type { Log } from '../../core/domain/log.ts';
import { CrashCounter } from './crash-counter.ts';
import type { Preferences } from './preferences.ts';

interface GraphicsCrashesOptions {
  readonly app: Pick<App, 'on'>;
  readonly preferences: Pick<Preferences, 'choices' | 'change'>;
  readonly isSomebodyWaiting: () => boolean;
  readonly restart: () => void;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Three in a minute: from the next start on without the graphics card. Chromium itself ends after a
 * few more.
 */
export function followGraphicsCrashes({
  app,
  preferences,
  isSomebodyWaiting,
  restart,
  clock,
  log,
}: GraphicsCrashesOptions): void {
  const crashes = new CrashCounter(clock, { maxCrashes: 3, withinMs: 60_000 });
  app.on('child-process-gone', (_event, { type, reason }) => {
    if (type !== 'GPU' || reason === 'clean-exit') return;
    log.error({ reason }, 'graphics process died');
    if (!crashes.crashed() || preferences.choices.softwareRendering) return;
    preferences.change({ softwareRendering: true });
    log.error(
      {},
      'graphics card fails repeatedly: the app restarts without it when nobody waits for a payment',
    );
    const whenQuiet = (): void =>
      isSomebodyWaiting() ? void clock.after(1_000, whenQuiet) : restart();
    whenQuiet();
  });
}
