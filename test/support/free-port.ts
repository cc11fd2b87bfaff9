import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below those that systems give to whoever asks for any port, so that nobody else in a run gets it
 * before it is used.
 */
const range = { from: 21_000, below: 32_000 };

/** A port of 127.0.0.1 that nobody listens at. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const port = randomInt(range.from, range.below);
    const server = createServer();
    server.once('error', () => resolve(freePort()));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(port)));
  });
}
