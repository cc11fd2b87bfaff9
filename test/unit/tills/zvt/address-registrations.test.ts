/**
 * A till that opens a connection for each command: its registration holds for its address, where
 * `till.from` names that by itself.
 */
import { afterEach, expect, test } from 'vitest';
import type { Register } from '../../../../main/sandbox/till/register.ts';
import { TcpLine } from './support.ts';

let line: TcpLine | null = null;
afterEach(async () => {
  await line?.till.close();
  line = null;
});

/** Each command on a connection of its own. */
async function alone<Outcome>(
  act: (till: Register) => Promise<Outcome>,
  localAddress?: string,
): Promise<Outcome> {
  const till = await (line as TcpLine).register(localAddress);
  const outcome = await act(till);
  await till.close();
  return outcome;
}
const register = (till: Register) => till.register({ currency: 'DKK', config: 0 });
async function reversalIsTaken(localAddress?: string): Promise<boolean> {
  const { commands } = line as TcpLine;
  commands.refund = { accepted: false, reason: 'alreadyRefunded' };
  commands.asked.length = 0;
  await alone((till) => till.reverse(17), localAddress);
  return commands.asked.some((asked) => asked.startsWith('refund'));
}

test.each([
  ['the address alone', ['127.0.0.1'], true],
  ['it among others', ['192.168.1.40', '127.0.0.1'], true],
  ['its network', ['127.0.0.0/8'], false],
  ['its network, and another address', ['127.0.0.0/8', '192.168.1.40'], false],
  ['nothing', undefined, false],
] as const)(
  'where till.from names %s, a registration of an earlier connection counts: %s',
  async (_what, from, counts) => {
    line = await TcpLine.open({ ...(from && { from: [...from] }), refunds: true });
    await alone(register);
    expect(await reversalIsTaken()).toBe(counts);
  },
);

test('what was agreed holds too, until the till logs off on any connection', async () => {
  line = await TcpLine.open({ from: ['127.0.0.1'], refunds: true });
  await alone(register);
  line.commands.sale = { accepted: false, reason: 'busy' };
  await alone((till) =>
    till.command(Uint8Array.of(0x06, 0x01, 0x07, 0x04, 0, 0, 0, 0, 0x12, 0x34)),
  );
  expect(line.commands.asked).toEqual(['sale 1234 DKK']);
  await alone((till) => till.logOff());
  expect(await reversalIsTaken()).toBe(false);
});

test('another address has to register itself', async () => {
  line = await TcpLine.open({ from: ['127.0.0.1', '127.0.0.2'], refunds: true });
  await alone(register);
  expect(await reversalIsTaken('127.0.0.2')).toBe(false);
  expect(await reversalIsTaken('127.0.0.1')).toBe(true);
});

test('a registration whose end was never answered counts for nothing', async () => {
  line = await TcpLine.open({ from: ['127.0.0.1'], refunds: true });
  const till = await line.register();
  till.respondTo = () => null;
  void register(till);
  for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
  await till.close();
  expect(await reversalIsTaken()).toBe(false);
});
