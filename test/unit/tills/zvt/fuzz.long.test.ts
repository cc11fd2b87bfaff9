/**
 * Random bytes and settings for each parser on the till's side: each is read or refused quickly,
 * and no memory is kept.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkSettings } from '../../../../main/support/settings/settings-text.ts';
import { SettingsError } from '../../../../main/support/settings/settings-error.ts';
import { LaneSettings } from '../../../../main/counter/settings/schema.ts';
import { ApduStream, decodeApdu, encodeApdu } from '../../../../main/tills/zvt/apdu.ts';
import { decodeBcd, encodeBcd } from '../../../../main/tills/zvt/bcd.ts';
import { encodeFields, parseFields } from '../../../../main/tills/zvt/bitmaps.ts';
import { describe as inWords } from '../../../../main/tills/zvt/describe.ts';
import { packets } from '../../../../main/tills/zvt/packet-table.ts';
import { parseAnswer, parsePacket } from '../../../../main/tills/zvt/packets.ts';
import { encodeBlock, SerialDecoder } from '../../../../main/tills/zvt/serial-framing.ts';
import { decodeText, encodeText } from '../../../../main/tills/zvt/text.ts';
import { encodeTlv, parseTlv } from '../../../../main/tills/zvt/tlv.ts';
import { captured } from '../../../protocol/zvt-conversations.ts';
import { chosen, isLong } from '../../../support/long.ts';
import { PlayedLine } from './played-line.ts';
import { bytesOf } from './support.ts';

const numRuns = isLong ? 100_000 : 2_000;
/** A limit that also holds on a busy machine. The largest input takes less than a millisecond. */
const maxDurationMs = 2_000;
const maxGrowthMegabytes = 8;

setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as () => void;
const heapMegabytes = (): number => {
  collectGarbage();
  return process.memoryUsage().heapUsed / 2 ** 20;
};

/** Every declared packet without content, and examples of real ones. */
const models = [
  ...Object.values(packets).map(({ classByte, instruction, parts }) =>
    encodeApdu({
      classByte,
      instruction,
      data: new Uint8Array(parts.reduce((sum, { byteCount }) => sum + byteCount, 0)),
    }),
  ),
  ...captured.map(bytesOf),
];

const byte = fc.oneof(
  { weight: 3, arbitrary: fc.nat(255) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      0x00,
      0x01,
      0x02,
      0x03,
      0x04,
      0x06,
      0x10,
      0x15,
      0x1f,
      0x22,
      0x3c,
      0x80,
      0x81,
      0x82,
      0x84,
      0xf0,
      0xf9,
      0xfa,
      0xff,
    ),
  },
);
const noise = fc.array(byte, { maxLength: 80 }).map((bytes) => Uint8Array.from(bytes));
const change = fc.record({
  at: fc.nat(2_000),
  cut: fc.nat(4),
  put: fc.array(byte, { maxLength: 4 }),
});
/**
 * A real packet in which some bytes were taken out, put in or replaced, and of which the length
 * field mostly fits.
 */
const spoilt = fc
  .tuple(fc.constantFrom(...models), fc.array(change, { maxLength: 4 }), fc.boolean())
  .map(([model, changes, fits]) => {
    let bytes = [...model];
    for (const { at, cut, put } of changes)
      bytes = bytes.toSpliced(at % (bytes.length + 1), cut, ...put);
    if (!fits || bytes.length < 3) return Uint8Array.from(bytes);
    return encodeApdu({
      classByte: bytes[0] as number,
      instruction: bytes[1] as number,
      data: Uint8Array.from(bytes.slice(3)),
    });
  });
const input = fc.oneof({ weight: 1, arbitrary: noise }, { weight: 2, arbitrary: spoilt });
/** The bytes after the header: fields, objects, digits. */
const content = input.map((bytes) => bytes.subarray(Math.min(3, bytes.length)));

/**
 * Runs the parser on so many inputs. A tenth of them warms it up, and memory that it keeps after
 * that is a leak.
 */
async function bombard<Input>(
  what: string,
  arbitrary: fc.Arbitrary<Input>,
  parse: (input: Input) => void | Promise<void>,
): Promise<void> {
  let maxSeenMs = 0;
  const property = fc.asyncProperty(arbitrary, async (one) => {
    const startedAtMs = performance.now();
    await parse(one);
    maxSeenMs = Math.max(maxSeenMs, performance.now() - startedAtMs);
  });
  const seed = chosen(2 ** 31, `fuzz ${what}`);
  await fc.assert(property, { numRuns: numRuns / 10, seed });
  const before = heapMegabytes();
  await fc.assert(property, { numRuns: (numRuns * 9) / 10, seed: seed + 1 });
  expect(heapMegabytes() - before, `${what} keeps memory`).toBeLessThan(maxGrowthMegabytes);
  expect(maxSeenMs, `${what} takes its time`).toBeLessThan(maxDurationMs);
}

describe(`${numRuns.toLocaleString('en')} inputs`, { timeout: isLong ? 600_000 : 60_000 }, () => {
  test('of the serial line: what comes out has a checksum that fits, and a whole block behind them is read', async () => {
    const decoder = new SerialDecoder();
    const block = encodeBlock(bytesOf('06 0F 00'));
    const line = fc.oneof(
      input,
      input.map(encodeBlock),
      fc.tuple(input, change).map(([apdu, { at, put }]) => {
        const bytes = [...encodeBlock(apdu)];
        return Uint8Array.from(bytes.toSpliced(at % bytes.length, 1, ...put));
      }),
    );
    await bombard('the serial line', line, (bytes) => {
      decoder.push(bytes);
      decoder.interrupt();
      expect(decoder.insideBlock).toBe(false);
      expect(decoder.push(block)).toEqual([{ kind: 'apdu', bytes: bytesOf('06 0F 00') }]);
    });
  });

  test('of packets: read, unknown or malformed, and told in words', async () => {
    await bombard('packets', input, (bytes) => {
      const packet = parsePacket(bytes);
      if (packet.kind === 'packet') expect(decodeApdu(bytes)).not.toBeNull();
      parseAnswer(bytes);
      expect(inWords(bytes).length).toBeGreaterThan(0);
    });
  });

  test('of bitmaps: what was read is the same once it was written again', async () => {
    await bombard('bitmaps', content, (bytes) => {
      const parsed = parseFields(bytes);
      if (!parsed.ok) return;
      const again = parseFields(encodeFields(parsed.fields));
      expect(again).toEqual({ ok: true, fields: parsed.fields, unknown: null });
    });
  });

  test('of TLV: the objects are parts of the input, and the same once they were written again', async () => {
    await bombard('TLV', content, (bytes) => {
      const objects = parseTlv(bytes);
      expect(objects.reduce((sum, { value }) => sum + value.length, 0)).toBeLessThanOrEqual(
        bytes.length,
      );
      const short = objects.filter(({ tag }) => tag <= 0xffff);
      expect(parseTlv(encodeTlv(short))).toEqual(short);
    });
  });

  test('of BCD: digits that come back, or none', async () => {
    await bombard('BCD', fc.uint8Array({ maxLength: 6 }), (bytes) => {
      const value = decodeBcd(bytes);
      if (value !== null) expect(encodeBcd(value, bytes.length)).toEqual(bytes);
    });
  });

  test('of text: every byte is a character', async () => {
    await bombard('text', noise, (bytes) => {
      expect(decodeText(bytes)).toHaveLength(bytes.length);
      encodeText(decodeText(bytes));
    });
  });

  test('of a TCP stream: what comes out are whole packets, and no more than one packet is kept', async () => {
    let stream = new ApduStream();
    await bombard('a TCP stream', input, (bytes) => {
      for (const apdu of stream.push(bytes)) expect(decodeApdu(apdu)).not.toBeNull();
      // The longest packet takes a thousand inputs to fill: now and then the next till connects.
      if (stream.isInside && bytes.length % 3 === 0) stream = new ApduStream();
    });
  });

  test('at the terminal’s port: answered or hung up, and the next till is served', async () => {
    const line = await new PlayedLine('tcp').open();
    await bombard('the port', fc.array(input, { minLength: 1, maxLength: 3 }), async (chunks) => {
      line.connect();
      for (const chunk of chunks) line.send(chunk);
      await line.heard();
      line.cut();
      line.commands.asked.length = 0;
      line.commands.refundRequests.length = 0;
      line.commands.links.length = 0;
    });
    line.connect();
    line.send(bytesOf('06 01 0A 04 00 00 00 00 12 34 49 02 08'));
    // The address has sent so much that its messages wait for a moment.
    await line.clock.pass(100);
    expect((await line.heard())[0]).toEqual(bytesOf('80 00 00'));
    await line.till.close();
  });

  test('of a till’s settings: taken, or refused with the field and the rule', async () => {
    const lane = {
      id: '1',
      name: 'Check-out 1',
      currency: 'DKK',
      pointOfSale: {
        merchantPosId: 'lane-1',
        storeId: '51070000-0000-4000-8000-000000000001',
        name: 'Check-out 1',
        beaconTypes: ['QR'],
        beaconId: null,
      },
    };
    const serial = {
      protocol: 'zvt',
      transport: 'serial',
      path: '/dev/ttyUSB0',
      baudRate: 9600,
      stopBits: 2,
    };
    const tcp = { protocol: 'zvt', transport: 'tcp', host: '127.0.0.1', port: 20_007 };
    const keys = [
      ...Object.keys(serial),
      ...Object.keys(tcp),
      'password',
      'from',
      'refunds',
      'partialReversals',
      '__proto__',
      'constructor',
      '',
    ];
    const value = fc.oneof(
      fc.constantFrom(
        'zvt',
        'serial',
        'tcp',
        'none',
        9600,
        115_200,
        1,
        2,
        '123456',
        '0.0.0.0',
        '::',
        'localhost',
        -1,
        1e308,
        null,
        [],
        {},
        true,
        ['10.0.0.0/8'],
        ['/'],
      ),
      fc.jsonValue(),
      fc.string(),
    );
    const till = fc
      .tuple(
        fc.constantFrom(serial, tcp, {}),
        fc.array(fc.tuple(fc.constantFrom(...keys), value), { maxLength: 3 }),
      )
      .map(([model, changes]) => ({ ...model, ...Object.fromEntries(changes) }));
    expect(checkSettings(LaneSettings, { ...lane, till: serial })).toMatchObject({ till: serial });
    await bombard('settings', till, (one) => {
      try {
        checkSettings(LaneSettings, { ...lane, till: one });
      } catch (error) {
        expect(error).toBeInstanceOf(SettingsError);
        expect(String(error)).toMatch(/till/);
      }
    });
  });
});
