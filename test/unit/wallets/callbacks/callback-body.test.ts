import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { type Body, bodyReader } from '../../../../main/wallets/callbacks/callback-body.ts';

const sender = (): PassThrough & IncomingMessage =>
  Object.assign(new PassThrough(), { headers: {} }) as unknown as PassThrough & IncomingMessage;

const most = 100;
const text = (body: Body): string =>
  body.kind === 'whole' ? new TextDecoder().decode(body.bytes) : body.kind;

test('all bodies under way together are bounded; what has ended makes room', async () => {
  const withBody = bodyReader(100);
  const [slow, one, another] = [sender(), sender(), sender()];
  const slowBody = withBody(slow, most, text);
  slow.write('x'.repeat(60));
  const oneBody = withBody(one, most, text);
  one.write('y'.repeat(41));
  expect(await oneBody).toBe('noRoom');
  slow.end();
  expect(await slowBody).toBe('x'.repeat(60));
  const anotherBody = withBody(another, most, text);
  another.end('z'.repeat(100));
  expect(await anotherBody).toBe('z'.repeat(100));
});

test('a body that is being dealt with is still under way', async () => {
  const withBody = bodyReader(100);
  const [first, second, third] = [sender(), sender(), sender()];
  const { promise: stored, resolve: store } = Promise.withResolvers<void>();
  const firstBody = withBody(first, most, () => stored);
  first.end('x'.repeat(60));
  await new Promise((resolve) => first.once('close', resolve));
  const secondBody = withBody(second, most, text);
  second.end('y'.repeat(41));
  expect(await secondBody).toBe('noRoom');
  store();
  await firstBody;
  const thirdBody = withBody(third, most, text);
  third.end('z'.repeat(41));
  expect(await thirdBody).toBe('z'.repeat(41));
});

test('a sender that goes away makes room too', async () => {
  const withBody = bodyReader(100);
  const [gone, next] = [sender(), sender()];
  const body = withBody(gone, most, text);
  gone.write('x'.repeat(60));
  gone.destroy(new Error('reset'));
  expect(await body).toBe('gone');
  const nextBody = withBody(next, most, text);
  next.end('y'.repeat(100));
  expect(await nextBody).toBe('y'.repeat(100));
});
