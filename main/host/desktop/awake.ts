import type { PowerSaveBlocker } from 'electron';
import type { ThisPcChoices } from '../../../preload/procedures/this-pc.ts';
import type { Clock } from '../../core/domain/clock.ts';

const lookEveryMs = 60_000;

interface AwakeOptions {
  readonly blocker: Pick<PowerSaveBlocker, 'start' | 'stop'>;
  readonly hours: () => ThisPcChoices['awake'];
  readonly isSomebodyWaiting: () => boolean;
  readonly clock: Clock;
}

/** Displays do not sleep while the shop is open, nor while somebody waits. */
export function keepDisplaysAwake({
  blocker,
  hours,
  isSomebodyWaiting,
  clock,
}: AwakeOptions): void {
  let started: number | null = null;
  const look = (): void => {
    const awake = isAwake(hours(), new Date(clock.wallMs())) || isSomebodyWaiting();
    if (awake) started ??= blocker.start('prevent-display-sleep');
    else if (started !== null) {
      blocker.stop(started);
      started = null;
    }
    clock.after(lookEveryMs, look);
  };
  look();
}

/** @param now by this computer's clock */
function isAwake({ fromMinute, untilMinute }: ThisPcChoices['awake'], now: Date): boolean {
  const minute = now.getHours() * 60 + now.getMinutes();
  // A shop may close after midnight.
  return fromMinute < untilMinute
    ? minute >= fromMinute && minute < untilMinute
    : minute >= fromMinute || minute < untilMinute;
}
