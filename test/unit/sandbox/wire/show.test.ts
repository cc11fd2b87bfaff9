import { describe, expect, test } from 'vitest';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { encodePacket } from '../../../../main/tills/zvt/packets.ts';
import { BMP } from '../../../../main/tills/zvt/bitmaps.ts';
import { createRecorder, type LineFraming } from '../../../../main/tills/zvt/recorder.ts';
import { encodeBlock } from '../../../../main/tills/zvt/serial-framing.ts';
import { framed } from '../../../../main/tills/zvt/tcp-framing.ts';
import { encodeText } from '../../../../main/tills/zvt/text.ts';
import { readRecording } from '../../../../main/sandbox/wire/recording.ts';
import { shownLines } from '../../../../main/sandbox/wire/show.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { bytesOf } from '../../tills/zvt/support.ts';

const registration = bytesOf('06 00 06 12 34 10 8A 02 08');
const payment = bytesOf('06 01 0A 04 00 00 00 00 10 10 49 02 08');
const paid = encodePacket('statusInformation', {
  fields: new Map([
    [BMP.resultCode, Uint8Array.of(0)],
    [BMP.additionalText, encodeText('4711')],
  ]),
});
const ack = bytesOf('80 00 00');

async function recorded(
  framing: LineFraming,
  pieces: readonly (readonly ['till' | 'terminal', number, Uint8Array])[],
): Promise<string> {
  const clock = new ManualClock();
  let text = '';
  const line = createRecorder({
    sink: { isOn: () => true, write: (one) => (text += `${one}\n`) },
    clock,
    log: silentLog,
  })('serial:COM3', framing);
  for (const [from, afterMs, bytes] of pieces) {
    await clock.pass(afterMs);
    line.bytes(from, bytes);
  }
  line.closed();
  return text;
}
const linesOf = (text: string, withBytes = false): string[] => [
  ...shownLines(readRecording(text), { withBytes }),
];

describe.each(['bare', 'lengthPrefixed'] as const)(
  'a conversation over TCP, packets %s',
  (framing) => {
    test('is shown packet by packet, with its times, however it was split', async () => {
      const request = framed(framing, registration);
      const text = await recorded(framing, [
        ['till', 0, request.subarray(0, 5)],
        ['till', 10, Buffer.concat([request.subarray(5), framed(framing, payment)])],
        ['terminal', 2, framed(framing, ack)],
        ['terminal', 5, framed(framing, paid)],
        ['till', 1, framed(framing, ack).subarray(0, -1)],
      ]);
      expect(linesOf(text, true)).toEqual([
        `serial:COM3, ${framing === 'bare' ? 'packets bare' : 'packets behind their length'}, 2026-11-21`,
        '09:00:00.010 → Registration 06 00: config 8A, DKK',
        '             06 00 06 ** ** ** 8A 02 08',
        '09:00:00.010 → Authorisation 06 01: amount 10.10 DKK',
        '             06 01 0A 04 00 00 00 00 10 10 49 02 08',
        '09:00:00.012 ← Acknowledged 80 00  (after 2.0 ms)',
        '             80 00 00',
        '09:00:00.017 ← Status information 04 0F: ok, "****"  (after 7.0 ms)',
        '             04 0F 0A 27 00 3C F0 F0 F4 ** ** ** **',
        `09:00:00.018 → ${framing === 'bare' ? 2 : 4} bytes that are not a whole packet  (after 1.0 ms)`,
        '',
      ]);
    });
  },
);

test('a conversation on a serial line has its 06 and 15, repetitions, and what broke', async () => {
  const text = await recorded('serial', [
    ['till', 0, encodeBlock(registration).fill(0, -1)],
    ['terminal', 1, Uint8Array.of(0x15)],
    ['till', 1, encodeBlock(registration)],
    ['till', 5_000, encodeBlock(registration)],
    ['terminal', 1, Uint8Array.of(0x06)],
    ['terminal', 1, encodeBlock(ack)],
    ['till', 1, Uint8Array.of(0x06)],
    ['terminal', 1, encodeBlock(paid)],
    ['till', 1, Uint8Array.of(0x06, ...encodeBlock(ack))],
    ['terminal', 1, Uint8Array.of(0x06, ...encodeBlock(bytesOf('06 0F 00')))],
    ['till', 1, Uint8Array.of(0x06, ...encodeBlock(ack))],
  ]);
  expect(linesOf(text).map((line) => line.slice(13).replace(/ {2}\(after.*/, ''))).toEqual([
    'a serial line, 2026-11-21',
    '→ 16 bytes that are not a whole packet',
    '← 15: the block is to be sent again',
    '→ Registration 06 00: config 8A, DKK',
    '→ Registration 06 00: config 8A, DKK (repeated)',
    '← 06: the block is acknowledged',
    '← Acknowledged 80 00',
    '→ 06: the block is acknowledged',
    '← Status information 04 0F: ok, "****"',
    '→ 06: the block is acknowledged',
    '→ Acknowledged 80 00',
    '← 06: the block is acknowledged',
    '← Completion 06 0F',
    '→ 06: the block is acknowledged',
    // The next answer, not the last one again.
    '→ Acknowledged 80 00',
    '',
  ]);
});

test('a checksum that is wrong in a recording of somebody else is told', async () => {
  const text = await recorded('serial', [['till', 0, encodeBlock(payment)]]);
  expect(linesOf(text)[1]).toBe('09:00:00.000 → Authorisation 06 01: amount 10.10 DKK');
  expect(linesOf(text.replace(/ [0-9A-F]{2}"\}/, ' 00"}'))[1]).toBe(
    '09:00:00.000 → Authorisation 06 01: amount 10.10 DKK (its checksum is wrong)',
  );
});

test('connections are apart, lost pieces are told, and a line that was cut off is passed over', async () => {
  const clock = new ManualClock();
  const lines: string[] = [];
  const tap = createRecorder({
    sink: { isOn: () => true, write: (one) => lines.push(one) },
    clock,
    log: silentLog,
  });
  const [one, other] = [tap('10.0.0.1:1', 'bare'), tap('10.0.0.2:2', 'bare')];
  one.bytes('till', payment);
  other.bytes('till', ack);
  one.bytes('terminal', ack);
  const text = `${lines.join('\n')}\n{"lost":3}\n{"no":9,"at":`;
  expect(linesOf(text)).toEqual([
    '10.0.0.1:1, packets bare, 2026-11-21',
    '09:00:00.000 → Authorisation 06 01: amount 10.10 DKK',
    '09:00:00.000 ← Acknowledged 80 00  (after 0.0 ms)',
    '',
    '10.0.0.2:2, packets bare, 2026-11-21',
    '09:00:00.000 → Acknowledged 80 00',
    '',
    '3 pieces are missing: the disk was too slow for them',
  ]);
});

test.each([
  ['{"no":1}\n', 'line 1: at: '],
  ['hello\n', 'line 1: line: '],
  ['hello', 'line 1: is not a line of a recording'],
])('%j is refused with its line and field', (text, why) => {
  expect(() => readRecording(text)).toThrow(why);
});
