import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { bodyReader } from '../../../main/wallet/callbacks/body.ts';

const sender = (): PassThrough & IncomingMessage => Object.assign(new PassThrough(), { headers: {} }) as unknown as PassThrough & IncomingMessage;

test('all bodies under way together are bounded; what has ended makes room', async () => {
  const read = bodyReader(100);
  const [slow, one, another] = [sender(), sender(), sender()];
  const slowBody = read(slow);
  slow.write('x'.repeat(60));
  const oneBody = read(one);
  one.write('y'.repeat(41));
  expect(await oneBody).toEqual({ kind: 'noRoom' });
  slow.end();
  expect(await slowBody).toEqual({ kind: 'whole', text: 'x'.repeat(60) });
  const anotherBody = read(another);
  another.end('z'.repeat(100));
  expect(await anotherBody).toEqual({ kind: 'whole', text: 'z'.repeat(100) });
});

test('a sender that goes away makes room too', async () => {
  const read = bodyReader(100);
  const [gone, next] = [sender(), sender()];
  const body = read(gone);
  gone.write('x'.repeat(60));
  gone.destroy(new Error('reset'));
  expect(await body).toEqual({ kind: 'gone' });
  const nextBody = read(next);
  next.end('y'.repeat(100));
  expect(await nextBody).toMatchObject({ kind: 'whole' });
});
