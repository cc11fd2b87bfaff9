/**
 * A till that reads a 03 in our data as the end of the block sends 15 while the block is still
 * leaving (ZVT PA00P016, section 2.1).
 */
import { expect, test } from 'vitest';
import { silentLog } from '../../../../main/core/domain/log.ts';
import type { Sent } from '../../../../main/tills/zvt/link.ts';
import { encodeBlock } from '../../../../main/tills/zvt/serial-framing.ts';
import { ZvtSerialLink } from '../../../../main/tills/zvt/serial-link.ts';
import { ManualClock, settled } from '../../support/manual-clock.ts';
import { bytesOf } from './support.ts';

const packet = bytesOf('04 0F 09 27 00 04 00 00 00 00 03 00');

/** A line on which a block takes 100 ms. */
function line() {
  const clock = new ManualClock();
  const written: string[] = [];
  const sent: Sent[] = [];
  const link = new ZvtSerialLink({ clock, log: silentLog, listener: { received: () => {} } });
  let leftAtMs = 0;
  link.attach({
    write: async (bytes) => {
      written.push(bytes.length > 1 ? 'block' : 'byte');
      leftAtMs = clock.monotonicMs() + 100;
    },
    leavesInMs: () => Math.max(0, leftAtMs - clock.monotonicMs()),
    close: async () => {},
  });
  link.send(packet, (how) => sent.push(how));
  const hear = async (byte: number): Promise<void> => {
    link.data(Uint8Array.of(byte));
    await settled();
  };
  return { clock, written, sent, hear, link };
}

test('it is repeated once, after it has left and the line was quiet, however often the till refused it', async () => {
  const { clock, written, sent, hear } = line();
  await clock.pass(40);
  for (let refused = 0; refused < 3; refused += 1) await hear(0x15);
  await clock.pass(70);
  await hear(0x15);
  await clock.pass(199);
  expect(written).toEqual(['block']);
  await clock.pass(1);
  expect(written).toEqual(['block', 'block']);
  await clock.pass(100);
  await hear(0x06);
  expect(sent).toEqual([{ delivered: true, copies: 1 }]);
});

test('it is not repeated when the till takes it after all', async () => {
  const { clock, written, sent, hear } = line();
  await clock.pass(40);
  await hear(0x15);
  await clock.pass(100);
  await hear(0x06);
  await clock.pass(1_000);
  expect(written).toEqual(['block']);
  expect(sent).toHaveLength(1);
});

test('a block that was refused after it had left is repeated at once', async () => {
  const { clock, written, hear } = line();
  await clock.pass(100);
  await hear(0x15);
  expect(written).toEqual(['block', 'block']);
});

test('a block whose port is lost meanwhile goes over the next one alone', async () => {
  const { clock, written, hear, link } = line();
  await hear(0x15);
  link.detach();
  await clock.pass(1_000);
  expect(written).toEqual(['block']);
  const next: Uint8Array[] = [];
  link.attach({ write: async (bytes) => void next.push(bytes), close: async () => {} });
  expect(next).toEqual([encodeBlock(packet)]);
  await clock.pass(1_000);
  expect(next).toHaveLength(1);
});
