import { expect, test } from 'vitest';
import { SaleCode } from '../../../main/lane/sale-code.ts';
import type { CodePictureAnswer } from '../../../main/wallet/port.ts';

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
const named = { kind: 'picture', address: 'https://codes.example/1' } as const;
const host = (answer: CodePictureAnswer | Promise<CodePictureAnswer>) => ({ codePicture: async () => answer });

test('a text is shown as it is, a picture as the daemon fetched it', async () => {
  const [text, picture] = [new SaleCode(), new SaleCode()];
  text.learn({ kind: 'text', text: 'https://codes.example/1' });
  expect(text.shown).toBe('awaited');
  expect(await text.show({})).toBeNull();
  expect(text.shown).toEqual({ kind: 'text', text: 'https://codes.example/1' });
  picture.learn(named);
  expect(await picture.show(host({ kind: 'fetched', png }))).toBeNull();
  expect(picture.shown).toEqual({ kind: 'picture', picture: `data:image/png;base64,${Buffer.from(png).toString('base64')}` });
});

test.each<[string, CodePictureAnswer, RegExp]>([
  ['nobody answers', { kind: 'unknown', detail: 'silence' }, /silence/],
  ['no PNG', { kind: 'fetched', png: new TextEncoder().encode('<html>') }, /no PNG/],
  ['too large', { kind: 'fetched', png: Buffer.concat([png, Buffer.alloc(100_000)]) }, /100011 bytes/],
])('a picture that is not shown: %s', async (_, answer, why) => {
  const code = new SaleCode();
  code.learn(named);
  expect(await code.show(host(answer))).toMatch(why);
  expect(code.shown).toBe('awaited');
});

test('nothing is shown that comes when its payment is over', async () => {
  const code = new SaleCode();
  let arrive: (answer: CodePictureAnswer) => void = () => {};
  code.learn(named);
  const shown = code.show(host(new Promise((resolve) => (arrive = resolve))));
  code.forget();
  arrive({ kind: 'fetched', png });
  expect(await shown).toBeNull();
  code.learn({ kind: 'text', text: 'late' });
  expect(code.shown).toBeNull();
});
