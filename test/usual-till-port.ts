import { createServer } from 'node:net';

/**
 * A demonstration takes the usual port of tills when it is free. Two that start at the same time
 * would both find it free.
 */
export default function setup(): () => void {
  const taken = createServer().on('error', () => {});
  taken.listen(20_007, '127.0.0.1');
  return () => taken.close();
}
