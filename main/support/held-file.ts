import { systemCodeOf } from '../core/domain/errors.ts';

/**
 * What Windows answers while a virus scanner or a backup program has the file; on other systems the
 * last two are there to stay.
 */
const heldCodes: readonly (string | undefined)[] =
  process.platform === 'win32' ? ['EBUSY', 'EPERM', 'EACCES'] : ['EBUSY'];
const maxAttempts = 20;
const pauseMs = 25;

/**
 * Tries again for half a second while another program holds the file. Blocks meanwhile. @throws
 * what `act` throws
 */
export function whileHeld<Result>(act: () => Result): Result {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return act();
    } catch (error) {
      if (attempt === maxAttempts || !heldCodes.includes(systemCodeOf(error))) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
}
