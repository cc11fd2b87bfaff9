import fc from 'fast-check';
import { expect, test } from 'vitest';
import { silentLog } from '../../main/core/domain/log.ts';
import { noNotices } from '../../main/core/domain/notices.ts';
import type { WireListener } from '../../main/core/domain/wire.ts';
import { ACK, BlockReader, blockOf, ENQ, EOT, NAK, STX } from '../../main/tills/concert/blocks.ts';
import { concertFraming, textOf } from '../../main/tills/concert/tcp-framing.ts';
import { createConcertTill } from '../../main/tills/concert/till.ts';
import { ManualClock, settled } from '../unit/support/manual-clock.ts';
import { ScriptedViews, ticket } from '../unit/tills/zvt/support.ts';

const bytes = (maxLength: number) => fc.uint8Array({ maxLength });
const concat = (parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(Buffer.concat(parts));
const record = (tag: string, value: Uint8Array): Uint8Array =>
  concat([Buffer.from(`${tag}${String(value.length).padStart(3, '0')}`), value]);
const ETX = 0x03;
/**
 * One in 65536 values has an ETX whose next byte is the LRC of what precedes: it ends the block.
 */
function isAmbiguous(message: Uint8Array): boolean {
  let lrc = 0;
  return [...message, ETX].some((byte, at) => {
    const before = lrc;
    lrc ^= byte;
    return message[at - 1] === ETX && byte === before;
  });
}
/** A payment with any bytes in its private data. */
const payment = bytes(300)
  .map((value) =>
    concat([
      Buffer.from('CZ0040320CA00201CE003208CD0010CB0041234'),
      ...(value.length === 0 ? [] : [record('CF', value)]),
    ]),
  )
  .filter((message) => !isAmbiguous(message));
/** What a till may send: messages, almost messages, and anything. */
const text = fc.oneof(
  bytes(60),
  payment,
  fc.tuple(payment, fc.nat(400)).map(([message, length]) => message.slice(0, length)),
  bytes(20).map((rest) => concat([Buffer.from('01000012340102080123456789'), rest])),
);

test('a block is read as it was written, whatever its values hold', () => {
  fc.assert(
    fc.property(payment, (message) => {
      expect(Buffer.from(textOf(blockOf(message)) ?? []).equals(message)).toBe(true);
    }),
  );
});

test('blocks over TCP are found however they are split', () => {
  fc.assert(
    fc.property(payment, fc.array(fc.nat(350)), (message, cuts) => {
      const sent = concat([blockOf(message), Uint8Array.of(ACK, EOT), blockOf(message)]);
      const till = concertFraming.recognise(sent.subarray(0, 11), '');
      const stream = till === null || till === 'stranger' ? null : till.stream;
      const at = [
        0,
        ...cuts.filter((cut) => cut < sent.length).toSorted((one, other) => one - other),
        sent.length,
      ];
      const messages = at
        .slice(1)
        .flatMap((end, index) => stream?.push(sent.subarray(at[index], end)) ?? []);
      expect(messages.map(({ length }) => length)).toEqual([
        message.length + 3,
        1,
        1,
        message.length + 3,
      ]);
      expect(stream?.isInside).toBe(false);
    }),
  );
});

test('any bytes end within a block, or are bounded', () => {
  fc.assert(
    fc.property(bytes(5_000), (noise) => {
      const reader = new BlockReader();
      const end = noise.findIndex((byte) => reader.push(byte) !== null);
      expect(end).toBeLessThanOrEqual(4_097);
    }),
    { numRuns: 50 },
  );
});

test('on a cable each block that is acknowledged begins a payment or is answered', async () => {
  const commands = new ScriptedViews();
  let listener: WireListener | null = null;
  let heard: number[] = [];
  const till = createConcertTill({
    settings: {
      protocol: 'concert',
      transport: 'serial',
      path: '/dev/ttyTEST',
      baudRate: 9600,
      stopBits: 1,
    },
    clock: new ManualClock(),
    log: silentLog,
    notices: noNotices,
    openSerialWire: async (_port, wire) => {
      listener = wire;
      return { write: async (written) => void heard.push(...written), close: async () => {} };
    },
  });
  await till.open(commands);
  const say = async (sent: Uint8Array): Promise<readonly number[]> => {
    heard = [];
    listener?.data(sent);
    await settled();
    return heard;
  };
  await fc.assert(
    fc.asyncProperty(text, async (message) => {
      commands.asked.length = 0;
      expect(await say(Uint8Array.of(ENQ))).toEqual([ACK]);
      const [taken] = await say(blockOf(message));
      const answer = await say(Uint8Array.of(EOT));
      if (taken === NAK) return;
      expect(taken).toBe(ACK);
      if (commands.asked.length > 0) {
        heard = [];
        till.conclude(ticket, { paid: false, reason: 'timedOut' });
        await settled();
        expect(heard).toEqual([ENQ]);
      } else expect(answer).toEqual([ENQ]);
      expect((await say(Uint8Array.of(ACK)))[0]).toBe(STX);
      expect(await say(Uint8Array.of(ACK))).toEqual([EOT]);
    }),
    { numRuns: 300 },
  );
  await till.close();
});
