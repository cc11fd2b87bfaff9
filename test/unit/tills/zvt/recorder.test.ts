import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Log, silentLog } from '../../../../main/core/domain/log.ts';
import type { Wire, WireListener } from '../../../../main/core/domain/wire.ts';
import { encodeBcd } from '../../../../main/tills/zvt/bcd.ts';
import { BMP } from '../../../../main/tills/zvt/bitmaps.ts';
import { maskOf, type Side } from '../../../../main/tills/zvt/masking.ts';
import { encodePacket, hex, hexByte } from '../../../../main/tills/zvt/packets.ts';
import { createRecorder, type LineFraming, tapped } from '../../../../main/tills/zvt/recorder.ts';
import { encodeBlock } from '../../../../main/tills/zvt/serial-framing.ts';
import { framed } from '../../../../main/tills/zvt/tcp-framing.ts';
import { encodeText } from '../../../../main/tills/zvt/text.ts';
import { encodeTlv, TAG } from '../../../../main/tills/zvt/tlv.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { bytesOf, eventually, TcpLine } from './support.ts';

interface Recorded {
  readonly no: number;
  readonly at: string;
  readonly ms: number;
  readonly line: string;
  readonly peer: string;
  readonly framing: LineFraming;
  readonly from: Side;
  readonly hex: string;
}

const sink = () => {
  const records: Recorded[] = [];
  const switchedOn = { on: true };
  return {
    records,
    switchedOn,
    isOn: () => switchedOn.on,
    write: (line: string) => void records.push(JSON.parse(line) as Recorded),
  };
};
const recorder = (framing: LineFraming, log: Log = silentLog) => {
  const clock = new ManualClock();
  const kept = sink();
  return {
    clock,
    ...kept,
    line: createRecorder({ sink: kept, clock, log })('192.168.1.40:50122', framing),
  };
};
const shown = (bytes: Uint8Array, from: Side = 'till'): string => {
  const mask = maskOf(bytes, from);
  return Array.from(bytes, (byte, index) => (mask[index] === 0 ? hexByte(byte) : '**')).join(' ');
};

describe('what is hidden of a packet', () => {
  test.each([
    [
      'the password of a registration',
      '06 00 0A 12 34 56 BE 02 08 06 02 12 00',
      '06 00 0A ** ** ** BE 02 08 06 02 12 00',
    ],
    ['the password of a reversal', '06 30 06 12 34 56 87 00 17', '06 30 06 ** ** ** 87 00 17'],
    [
      'a password as a field',
      '06 01 0B 04 00 00 00 00 12 34 3D 65 43 21',
      '06 01 0B 04 00 00 00 00 12 34 3D ** ** **',
    ],
    [
      'a card number and its expiry',
      '06 01 10 04 00 00 00 00 12 34 22 F0 F3 67 65 43 0E 29 12',
      '06 01 10 04 00 00 00 00 12 34 22 F0 F3 ** ** ** 0E ** **',
    ],
    [
      'a card number that comes twice',
      '06 01 0A 22 F0 F2 67 65 22 F0 F2 67 65',
      '06 01 0A 22 F0 F2 ** ** 22 F0 F2 ** **',
    ],
    [
      'everything behind a field that nobody knows',
      '06 01 0B 49 02 08 5A 08 67 65 43 21 00 00',
      '06 01 0B 49 02 08 ** ** ** ** ** ** ** **',
    ],
    [
      'what is in a command that nobody knows',
      '0F A1 05 00 01 12 34 56',
      '0F A1 05 ** ** ** ** **',
    ],
    [
      'objects that nobody knows',
      '06 01 0A 06 08 5A 02 67 65 12 02 00 40',
      '06 01 0A 06 08 5A 02 ** ** 12 02 00 40',
    ],
    ['a packet that cannot be read', '06 30 02 12 34', '06 30 02 ** **'],
    [
      'nothing of an amount that was handed out',
      '84 9D 07 04 00 00 00 00 05 00',
      '84 9D 07 04 00 00 00 00 05 00',
    ],
  ])('%s', (_what, packet, expected) => {
    expect(shown(bytesOf(packet))).toBe(expected);
  });

  test('the customer of a paid sale, in words and in objects; not why a payment failed', () => {
    const card = (id: string) => encodeTlv([{ tag: TAG.valueAddedData, value: encodeText(id) }]);
    const loyalty = encodeTlv([
      { tag: TAG.valueAdded, value: encodeTlv([{ tag: TAG.loyalty, value: card('4711') }]) },
    ]);
    const of = (code: number, text: string) =>
      encodePacket('statusInformation', {
        fields: new Map([
          [BMP.resultCode, Uint8Array.of(code)],
          [BMP.amount, encodeBcd(1234, 6)],
          [BMP.additionalText, encodeText(text)],
          [BMP.tlv, loyalty],
        ]),
      });
    expect(shown(of(0, 'Id 4711'), 'terminal')).toMatch(
      /^04 0F 22 27 00 04 00 00 00 00 12 34 3C F0 F0 F7( \*\*){7} 06 0C E8 0A( \*\*){10}$/,
    );
    expect(shown(of(5, 'Declined'), 'terminal')).toContain(hex(encodeText('Declined')));
  });

  test('what looks like a card on a printed line', () => {
    const line = encodePacket('printLine', {
      parts: [Uint8Array.of(0)],
      rest: encodeText('Card 4111 1111 1111 1111 DKK 10.10'),
    });
    expect(shown(line, 'terminal')).toBe(
      `06 D1 23 00 ${hex(encodeText('Card '))}${' **'.repeat(19)} ${hex(encodeText(' DKK 10.10'))}`,
    );
  });

  test('never fails, and never shows a password, whatever comes', () => {
    const password = [0xa7, 0xb7, 0xc7];
    const packet = fc.record({
      classByte: fc.constantFrom(4, 5, 6, 8, 0x0f, 0x80, 0x84),
      instruction: fc.nat(255),
      data: fc.uint8Array({ maxLength: 60 }),
    });
    fc.assert(
      fc.property(
        packet,
        fc.constantFrom<Side>('till', 'terminal'),
        ({ classByte, instruction, data }, from) => {
          expect(
            maskOf(Uint8Array.of(classByte, instruction, data.length, ...data), from),
          ).toHaveLength(3 + data.length);
        },
      ),
    );
    for (const instruction of [0x00, 0x20, 0x30, 0x31, 0x50, 0x93])
      expect(shown(Uint8Array.of(6, instruction, 3, ...password))).toBe(
        `06 ${hexByte(instruction)} 03 ** ** **`,
      );
  });
});

const registration = '06 00 06 12 34 10 BE 02 08';

describe.each(['bare', 'lengthPrefixed', 'serial'] as const)(
  'a recording of a %s line',
  (framing) => {
    const onWire = (text: string): Uint8Array =>
      framing === 'serial' ? encodeBlock(bytesOf(text)) : framed(framing, bytesOf(text));

    test('holds every byte in order, however they were split, and no password', () => {
      fc.assert(
        fc.property(
          fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 12 }),
          (sizes) => {
            const { line, records } = recorder(framing);
            const bytes = Buffer.concat(
              [registration, '80 00 00', '06 01 0A 04 00 00 00 00 10 10 49 02 08'].map(onWire),
            );
            for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
              const size = sizes[turn % sizes.length] ?? 1;
              line.bytes('till', bytes.subarray(at, at + size));
              at += size;
            }
            line.closed();
            const all = records
              .map((record) => record.hex)
              .filter((text) => text !== '')
              .join(' ')
              .split(' ');
            // The password has a 10, which a serial line doubles: that of the two that would betray
            // it is left out.
            const kept =
              framing === 'serial' ? [...bytes.subarray(0, 8), ...bytes.subarray(9)] : [...bytes];
            expect(all).toHaveLength(kept.length);
            expect(records.map(({ no }) => no)).toEqual(records.map((_, index) => index + 1));
            // Each byte is as it was, or hidden; the digits of the password are, and what is
            // checked of them.
            const hidden = all.flatMap((text, index) => (text === '**' ? [index] : []));
            const first = { bare: 3, lengthPrefixed: 5, serial: 5 }[framing];
            expect(hidden).toEqual(
              framing === 'serial' ? [5, 6, 7, 13, 14] : [first, first + 1, first + 2],
            );
            expect(
              all.every((text, index) => text === '**' || text === hexByte(kept[index] ?? 0)),
            ).toBe(true);
          },
        ),
      );
    });

    test('keeps both sides in the order in which they spoke, with the times of both clocks', async () => {
      const { line, records, clock } = recorder(framing);
      const request = onWire(registration);
      line.bytes('till', request.subarray(0, 4));
      await clock.pass(50);
      line.bytes('terminal', onWire('80 00 00'));
      await clock.pass(50);
      // Nothing is written before the packet that triggers the recording.
      expect(records).toEqual([]);
      line.bytes('till', request.subarray(4));
      expect(records.map(({ no, from, ms, at }) => [no, from, ms, at])).toEqual([
        [1, 'till', 0, '2026-11-21T09:00:00.000Z'],
        [2, 'terminal', 50, '2026-11-21T09:00:00.050Z'],
        [3, 'till', 100, '2026-11-21T09:00:00.100Z'],
      ]);
      expect(records[0]).toMatchObject({
        line: '2026-11-21T09:00:00.000Z/1',
        peer: '192.168.1.40:50122',
        framing,
      });
    });

    test('hides what is left of a packet that never ends', async () => {
      const { line, records, clock } = recorder(framing);
      line.bytes('till', onWire(registration).subarray(0, -1));
      await clock.pass(6_000);
      expect(records.map((record) => record.hex).join(' ')).toMatch(/^\?\?( \?\?)+$/);
    });

    test('that begins in the middle of a packet begins with the next one, unharmed', () => {
      const { line, records, switchedOn } = recorder(framing);
      const request = onWire(registration);
      switchedOn.on = false;
      line.bytes('till', request.subarray(0, 6));
      switchedOn.on = true;
      line.bytes('till', request.subarray(6));
      line.bytes('till', onWire('06 02 00'));
      expect(records.map((record) => record.hex).join(' ')).not.toMatch(/34|\?\?/);
      expect(records.at(-1)?.hex).toBe(hex(onWire('06 02 00')));
      switchedOn.on = false;
      line.bytes('till', onWire('06 02 00'));
      expect(records).toHaveLength(2);
    });
  },
);

describe('a recording of a serial line', () => {
  test('has 06 and 15, and hides what is broken', () => {
    const { line, records } = recorder('serial');
    const broken = encodeBlock(bytesOf(registration)).fill(0, -1);
    line.bytes('till', broken);
    line.bytes('terminal', Uint8Array.of(0x15));
    line.bytes('till', Uint8Array.of(0x10, ...encodeBlock(bytesOf('06 02 00'))));
    line.bytes('terminal', Uint8Array.of(0x06));
    line.bytes('till', encodeBlock(bytesOf(registration)).subarray(2));
    expect(records.map(({ from, hex: text }) => [from, text])).toEqual([
      ['till', '?? '.repeat(broken.length).trim()],
      ['terminal', '15'],
      ['till', '?? 10 02 06 02 00 10 03 B9 CC'],
      ['terminal', '06'],
      ['till', `06 ${'?? '.repeat(broken.length - 3).trim()}`],
    ]);
  });

  test('sees what goes over the port, and the port works as before', async () => {
    const { records, clock, isOn, write } = recorder('serial');
    const written: string[] = [];
    let listener: WireListener | null = null;
    const wire: Wire = {
      write: async (bytes) => void written.push(hex(bytes)),
      close: async () => {},
    };
    const open = tapped(
      async (_port, heard) => {
        listener = heard;
        return wire;
      },
      createRecorder({ sink: { isOn, write }, clock, log: silentLog }),
    );
    const heard: string[] = [];
    const opened = await open(
      { path: '/dev/ttyTILL', baudRate: 9600, stopBits: 2 },
      { data: (bytes) => heard.push(hex(bytes)), lost: (why) => heard.push(why) },
    );
    (listener as unknown as WireListener).data(Uint8Array.of(0x06));
    await opened.write(encodeBlock(bytesOf('80 00 00')));
    (listener as unknown as WireListener).lost('unplugged');
    expect(heard).toEqual(['06', 'unplugged']);
    expect(written).toEqual(records.slice(1).map((record) => record.hex));
    expect(records.map(({ peer, from }) => [peer, from])).toEqual([
      ['serial:/dev/ttyTILL', 'till'],
      ['serial:/dev/ttyTILL', 'terminal'],
    ]);
  });
});

test('a mistake in the recording is no mistake in the payment: the log says it once', () => {
  const errors: string[] = [];
  const clock = new ManualClock();
  const fails = {
    isOn: () => true,
    write: () => {
      throw new Error('planted');
    },
  };
  const line = createRecorder({
    sink: fails,
    clock,
    log: { ...silentLog, error: (_fields, message) => void errors.push(message) },
  })('x', 'bare');
  for (let turn = 0; turn < 3; turn += 1) line.bytes('till', bytesOf('06 02 00'));
  line.closed();
  expect(errors).toEqual(['the till line is not recorded any more']);
});

test('a stranger at the port is in no recording; a till is, in both directions', async () => {
  const kept = sink();
  const line = await TcpLine.open({}, undefined, kept);
  const stranger = await line.socket();
  stranger.write('GET / HTTP/1.1\r\n\r\n');
  await new Promise((resolve) => stranger.once('close', resolve));
  const register = await line.register();
  await register.register({ currency: 'DKK', config: 0 });
  await eventually(() => kept.records.length === 4);
  await register.close();
  await line.till.close();
  expect(kept.records.map(({ from, hex: text }) => `${from} ${text}`)).toEqual([
    'till 06 00 08 ** ** ** 00 02 08 06 00',
    'terminal 80 00 00',
    expect.stringMatching(/^terminal 06 0F 0A 19 00/),
    'till 80 00 00',
  ]);
  expect(new Set(kept.records.map((record) => record.framing))).toEqual(new Set(['bare']));
});
