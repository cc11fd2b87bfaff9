import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { followPower } from '../../../../main/host/desktop/power.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';

test('after sleep the service is asked and windows are put in their places; the end of the computer is the app’s', () => {
  const monitor = new EventEmitter();
  const did: string[] = [];
  followPower({
    monitor: monitor as never,
    payments: { resumed: () => void did.push('asked') },
    windows: { arrange: () => void did.push('arranged') },
    ending: { atOnce: () => void did.push('ended') },
    log: silentLog,
  });
  monitor.emit('suspend');
  expect(did).toEqual([]);
  monitor.emit('resume');
  expect(did).toEqual(['asked', 'arranged']);
  monitor.emit('shutdown');
  expect(did.at(-1)).toBe('ended');
});
