import { describe, expect, test } from 'vitest';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { noNotices } from '../../../../main/core/domain/notices.ts';
import type { Wire } from '../../../../main/core/domain/wire.ts';
import { ApduStream } from '../../../../main/tills/zvt/apdu.ts';
import { encodeBlock } from '../../../../main/tills/zvt/serial-framing.ts';
import { createZvtTill } from '../../../../main/tills/zvt/till.ts';
import { ManualClock, settled } from '../../support/manual-clock.ts';
import {
  ack,
  authorisation,
  bytesOf,
  Cable,
  paidStatus,
  registered,
  running,
  ScriptedViews,
  ticket,
} from './support.ts';

describe('a line that breaks', () => {
  test('the same command again, after an answer that the till never took and that was given up, is a new one', async () => {
    const cable = await new Cable().plugIn();
    cable.acknowledgesBlocks = false;
    await cable.send('05 01 05 12 34 56 03 02');
    await cable.clock.pass(20_000 + 15_000);
    cable.acknowledgesBlocks = true;
    await cable.heard();
    expect(await cable.send('05 01 05 12 34 56 03 02')).toEqual(['ACK', ack, '06 0F 01 00']);
  });

  test('nor is it a repetition when the cable was out for longer than we wait', async () => {
    const cable = await new Cable().plugIn();
    cable.acknowledgesBlocks = false;
    await cable.send('05 01 05 12 34 56 03 02');
    cable.pull();
    await cable.clock.pass(60_000);
    cable.present = true;
    await cable.clock.pass(60_000);
    cable.acknowledgesBlocks = true;
    expect(await cable.send('05 01 05 12 34 56 03 02')).toEqual(['ACK', ack, '06 0F 01 00']);
  });

  test('a result that begins to wait long after the cable was pulled is given up too', async () => {
    const cable = await running();
    cable.pull();
    await cable.clock.pass(60_000);
    let result: unknown = null;
    void cable.till.offerPaid(ticket).then((answer) => {
      result = answer;
    });
    await cable.clock.pass(29_999);
    expect(result).toBeNull();
    await cable.clock.pass(1);
    expect(result).toBe('notAcknowledged');
  });

  test('a result that was given up is not told when the cable comes back', async () => {
    const cable = await running();
    cable.pull();
    const offer = cable.till.offerPaid(ticket);
    await cable.clock.pass(30_000);
    expect(await offer).toBe('notAcknowledged');
    cable.present = true;
    await cable.clock.pass(30_000);
    expect((await cable.heard()).filter((packet) => paidStatus.test(packet))).toEqual([]);
  });

  test('a block that begins anew inside another is answered once', async () => {
    const cable = await new Cable().plugIn();
    const block = encodeBlock(bytesOf(authorisation));
    expect(await cable.sendBytes(Uint8Array.of(...block.subarray(0, 6), ...block))).toEqual([
      'ACK',
      ack,
    ]);
  });

  test('a port that opens while the daemon is closing is let go of', async () => {
    let opened = (_wire: Wire): void => {};
    let closed = 0;
    const till = createZvtTill({
      settings: {
        protocol: 'zvt',
        transport: 'serial',
        path: '/dev/ttyTEST',
        baudRate: 9600,
        stopBits: 2,
      },
      currency: 'DKK',
      beacons: ['QR'],
      laneName: 'Check-out 1',
      softwareVersion: '1.2.3',
      clock: new ManualClock(),
      log: silentLog,
      notices: noNotices,
      openSerialWire: () => new Promise((resolve) => (opened = resolve)),
    });
    void till.open(new ScriptedViews());
    await settled();
    await till.close();
    opened({ write: async () => {}, close: async () => void (closed += 1) });
    await settled();
    expect(closed).toBe(1);
  });
});

describe('a packet that makes no sense', () => {
  test.each(['80 00', '84 9C', '80 00 05 01'])(
    '%s, an answer that is broken, is not answered',
    async (answer) => {
      const cable = await new Cable().plugIn();
      expect(await cable.send(answer)).toEqual(['ACK']);
    },
  );

  test('an amount that comes twice, with two values, is none', async () => {
    const cable = await new Cable().plugIn();
    expect(await cable.send('06 01 11 04 00 00 00 00 12 34 04 00 00 00 12 34 00 49 02 08')).toEqual(
      ['ACK', '84 9A 00'],
    );
    expect(await cable.send('06 01 11 04 00 00 00 00 12 34 04 00 00 00 00 12 34 49 02 08')).toEqual(
      ['ACK', ack],
    );
  });

  test('a printer of a hundred million columns is none: the receipt has the usual width', async () => {
    const cable = await running(await registered('82', '06 06 12 04 99 99 99 99'));
    const offer = cable.till.offerPaid(ticket);
    await cable.heard();
    for (let line = 0; line < 11; line += 1) await cable.send(ack);
    expect(await offer).toBe('acknowledged');
  });

  test('a command that fails is answered with "system error", and the next one works', async () => {
    const cable = await new Cable().plugIn();
    cable.commands.lastFinished = () => {
      throw new Error('the disk cannot be read');
    };
    expect(await cable.send('06 20 05 12 34 56 03 01')).toEqual(['ACK', '84 FF 00']);
    expect(await cable.send(authorisation)).toEqual(['ACK', ack]);
  });

  test('a stream of the largest packet in large portions is read, not a crash', () => {
    const stream = new ApduStream();
    const packet = new Uint8Array(5 + 0xffff);
    packet.set([0x06, 0xd1, 0xff, 0xff, 0xff]);
    expect(stream.push(packet.subarray(0, 65_535))).toEqual([]);
    expect(
      stream.push(Uint8Array.of(...packet.subarray(65_535), ...new Uint8Array(60_000))),
    ).toHaveLength(20_001);
  });
});

describe('a till that asks and never answers', () => {
  test('does not fill the memory: what waits for it has a limit, and then it works again', async () => {
    const cable = await new Cable().plugIn();
    for (let count = 0; count < 100; count += 1)
      await cable.send(count % 2 === 0 ? '05 01 05 12 34 56 03 02' : '05 01 03 12 34 56');
    await cable.heard();
    await cable.clock.pass(300_000);
    const completions = (await cable.heard()).filter((packet) => packet.startsWith('06 0F'));
    expect(completions.length).toBeLessThan(40);
    expect(await cable.send(authorisation)).toEqual(['ACK', ack]);
  });

  test('and takes no blocks either: the same', async () => {
    const cable = await new Cable().plugIn();
    cable.acknowledgesBlocks = false;
    for (let count = 0; count < 100; count += 1)
      await cable.send(count % 2 === 0 ? '05 01 05 12 34 56 03 02' : '05 01 03 12 34 56');
    await cable.clock.pass(3_000_000);
    expect((await cable.heard()).filter((packet) => packet === ack).length).toBeLessThanOrEqual(
      3 * 33,
    );
    cable.acknowledgesBlocks = true;
    expect(await cable.send(authorisation)).toEqual(['ACK', ack]);
  });
});
