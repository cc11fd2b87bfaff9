import type { ThisPcChoices } from '../../preload/procedures/this-pc.ts';

/** Whether displays are to stay on. @param now by this computer's clock */
export function isAwake({ fromMinute, untilMinute }: ThisPcChoices['awake'], now: Date): boolean {
  const minute = now.getHours() * 60 + now.getMinutes();
  // A shop may close after midnight.
  return fromMinute < untilMinute ? minute >= fromMinute && minute < untilMinute : minute >= fromMinute || minute < untilMinute;
}
