import { expect, test } from 'vitest';
import { isLong } from '../support/long.ts';
import { playChaos } from '../chaos/chaos.ts';

test('whatever is killed, and whenever: till, journal and service agree in the end, and nothing was done that was not decided', async () => {
  const { failures, kills, restartsMs } = await playChaos({ rounds: isLong ? 60 : 9, seed: 261 });
  const told = failures
    .map(({ seed, broken, storyFile }) =>
      [`seed ${seed}, the whole story is in ${storyFile}`, ...broken].join('\n'),
    )
    .join('\n\n');
  expect(told).toBe('');
  expect(kills.size).toBeGreaterThan(4);
  expect(restartsMs.length).toBeGreaterThan(3);
}, 3_600_000);
