import { createServer } from 'node:net';

/** Demonstrations take the port that tills look for when it is free: two that start at the same time would both find it so. */
export default function setup(): () => void {
  const taken = createServer().on('error', () => {});
  taken.listen(20_007, '127.0.0.1');
  return () => taken.close();
}
