import { expect, test } from 'vitest';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { SaleCode } from '../../../../main/core/lane/sale-code.ts';
import type { CodePictureAnswer } from '../../../../main/core/lane/wallet-port.ts';
import { SimulatedTime } from '../../../simulation/time.ts';

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
const named = { kind: 'picture', address: 'https://codes.example/1' } as const;
const host = (answer: CodePictureAnswer | Promise<CodePictureAnswer>) => ({
  codePicture: async () => answer,
});
const endsNow = () => ({ clock: new SimulatedTime(), log: silentLog, endsAtMs: 0 });

test('a text is shown as it is, a picture as the daemon fetched it', async () => {
  const [text, picture] = [new SaleCode(), new SaleCode()];
  text.learn({ kind: 'text', text: 'https://codes.example/1' });
  expect(text.shown).toBe('awaited');
  expect(await text.show({}, endsNow())).toBeNull();
  expect(text.shown).toEqual({ kind: 'text', text: 'https://codes.example/1' });
  picture.learn(named);
  expect(await picture.show(host({ kind: 'fetched', png }), endsNow())).toBeNull();
  expect(picture.shown).toEqual({
    kind: 'picture',
    picture: `data:image/png;base64,${Buffer.from(png).toString('base64')}`,
  });
});

test.each<[string, CodePictureAnswer, RegExp]>([
  ['nobody answers', { kind: 'unknown', detail: 'silence' }, /silence/],
  ['no PNG', { kind: 'fetched', png: new TextEncoder().encode('<html>') }, /no PNG/],
  [
    'too large',
    { kind: 'fetched', png: Buffer.concat([png, Buffer.alloc(100_000)]) },
    /100011 bytes/,
  ],
])('a picture that is not shown: %s', async (_, answer, why) => {
  const code = new SaleCode();
  code.learn(named);
  expect(await code.show(host(answer), endsNow())).toMatch(why);
  expect(code.shown).toBe('awaited');
});

test.each([
  ['is fetched again until it comes', 5, null],
  ['ends the payment once less than 15 seconds are left to pay', 1_000, 'silence'],
])('a picture that cannot be fetched %s', async (_, failures, ends) => {
  const clock = new SimulatedTime();
  const code = new SaleCode();
  let fetches = 0;
  const codePicture = async (): Promise<CodePictureAnswer> =>
    ++fetches > failures ? { kind: 'fetched', png } : { kind: 'unknown', detail: 'silence' };
  code.learn(named);
  let result: string | null | undefined;
  void code
    .show({ codePicture }, { clock, log: silentLog, endsAtMs: clock.monotonicMs() + 60_000 })
    .then((shown) => (result = shown));
  for (let second = 0; second < 44; second += 1) await clock.pass(1_000);
  if (ends !== null) expect(result).toBeUndefined();
  await clock.pass(2_000);
  expect(result).toBe(ends);
  expect(fetches).toBe(ends === null ? failures + 1 : 46);
});

test('nothing is shown that comes when its payment is over', async () => {
  const code = new SaleCode();
  let arrive: (answer: CodePictureAnswer) => void = () => {};
  code.learn(named);
  const shown = code.show(host(new Promise((resolve) => (arrive = resolve))), endsNow());
  code.forget();
  arrive({ kind: 'fetched', png });
  expect(await shown).toBeNull();
  code.learn({ kind: 'text', text: 'late' });
  expect(code.shown).toBeNull();
});
