import { expect, test } from 'vitest';
import { ScannedTexts } from '../../../../main/counter/devices/scanned-texts.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const code = 'https://qr.vipps.no/p/abc-DEF_1';

function scanner() {
  const clock = new ManualClock();
  const read: string[] = [];
  const texts = new ScannedTexts(clock, (text) => read.push(text));
  return { clock, read, texts, send: (text: string) => texts.data(Buffer.from(text, 'latin1')) };
}

test.each([
  ['CR', `${code}\r`],
  ['LF', `${code}\n`],
  ['both', `${code}\r\n`],
  ['frames', `\u0002${code}\u0003\r`],
])('a code ends with %s, however it is cut, and is read once', (_name, sent) => {
  for (let at = 0; at <= sent.length; at += 1) {
    const { send, read } = scanner();
    send(sent.slice(0, at));
    send(sent.slice(at));
    expect(read).toEqual([code]);
  }
});

test('a scanner that ends a code with nothing is read after a pause, and not before', async () => {
  const { send, read, clock } = scanner();
  send(code.slice(0, 10));
  await clock.pass(149);
  send(code.slice(10));
  await clock.pass(149);
  expect(read).toEqual([]);
  await clock.pass(1);
  expect(read).toEqual([code]);
});

test('two codes in one piece are two; noise and half a code of a line that went away are none', async () => {
  const { send, read, texts, clock } = scanner();
  send(`${code}\r${code}2\r`);
  send('\r\n\u0000x\r');
  send(code.slice(0, 20));
  texts.forget();
  await clock.pass(1_000);
  expect(read).toEqual([code, `${code}2`]);
});

test('a line that never ends takes no memory, and is no code', () => {
  const { send, read } = scanner();
  for (let piece = 0; piece < 1_000; piece += 1) send('x'.repeat(1_000));
  send('\r');
  expect(read).toEqual(['x'.repeat(1_000)]);
});
