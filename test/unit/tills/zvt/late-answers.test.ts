import { describe, expect, test } from 'vitest';
import { encodeBlock } from '../../../../main/tills/zvt/serial-framing.ts';
import {
  ack,
  authorisation,
  bytesOf,
  Cable,
  paidStatus,
  registered,
  running,
  ticket,
} from './support.ts';

describe('an answer that comes late', () => {
  /** The till has received an intermediate status, and has not answered it within T3. */
  const overdue = async (): Promise<Cable> => {
    const cable = await running(await registered('08'));
    await cable.clock.pass(5_000);
    await cable.heard();
    return cable;
  };

  test('to an earlier packet is waited for before the result is told, so that it cannot acknowledge it', async () => {
    const cable = await overdue();
    const offer = cable.till.offerPaid(ticket);
    expect(await cable.heard()).toEqual([]);
    expect(await cable.send(ack)).toEqual(['ACK', expect.stringMatching(paidStatus)]);
    await cable.send('84 66 00');
    expect(await offer).toBe('notAcknowledged');
  });

  test('that never comes is waited for no longer than it could', async () => {
    const cable = await overdue();
    const offer = cable.till.offerPaid(ticket);
    await cable.clock.pass(14_999);
    expect(await cable.heard()).toEqual([]);
    await cable.clock.pass(1);
    expect(await cable.heard()).toEqual([expect.stringMatching(paidStatus)]);
    await cable.send(ack);
    expect(await offer).toBe('acknowledged');
  });

  test('may have answered a later packet, whose own is then still to come', async () => {
    const cable = await overdue();
    await cable.clock.pass(5_000);
    expect(await cable.heard()).toEqual(['04 FF 01 0E']);
    await cable.send(ack);
    const offer = cable.till.offerPaid(ticket);
    await cable.clock.pass(14_999);
    expect(await cable.heard()).toEqual([]);
    await cable.clock.pass(1);
    expect(await cable.heard()).toEqual([expect.stringMatching(paidStatus)]);
    await cable.send(ack);
    expect(await offer).toBe('acknowledged');
  });

  test('that never came is not waited for once it could not come any more, whatever was answered since', async () => {
    const cable = await overdue();
    cable.till.conclude(ticket, { paid: false, reason: 'timedOut' });
    for (let packets = 0; packets < 2; packets += 1) await cable.send(ack);
    await cable.clock.pass(20_000);
    await running(cable);
    expect(await cable.send(ack)).toEqual(['ACK']);
    const offer = cable.till.offerPaid(ticket);
    expect(await cable.heard()).toEqual([expect.stringMatching(paidStatus)]);
    await cable.send(ack);
    expect(await offer).toBe('acknowledged');
  });

  test('to a copy of the result does not stand for a line of the receipt', async () => {
    const cable = await running(await registered('82'));
    cable.acknowledgesBlocks = false;
    const offer = cable.till.offerPaid(ticket);
    await cable.clock.pass(5_000);
    expect(await cable.heard()).toHaveLength(2);
    cable.raw('06');
    expect(await cable.send(ack)).toEqual(['ACK']);
    cable.raw('06');
    cable.acknowledgesBlocks = true;
    expect(await cable.send('84 9C 00')).toEqual(['ACK', expect.stringMatching(/^06 D1 /)]);
    await cable.send('84 CC 00');
    expect(await offer).toBe('notAcknowledged');
  });

  test('when nothing waits clears the line: the result is told at once', async () => {
    const cable = await overdue();
    expect(await cable.send(ack)).toEqual(['ACK']);
    const offer = cable.till.offerPaid(ticket);
    expect(await cable.heard()).toEqual([expect.stringMatching(paidStatus)]);
    await cable.send(ack);
    expect(await offer).toBe('acknowledged');
  });

  test('to a copy of an earlier packet does not acknowledge the result', async () => {
    const cable = await running(await registered('08'));
    await cable.send(ack);
    cable.acknowledgesBlocks = false;
    // The till is busy, so the heartbeat is sent twice, and the result waits behind it.
    await cable.clock.pass(15_000);
    expect(await cable.heard()).toEqual(['04 FF 01 0E', '04 FF 01 0E']);
    const offer = cable.till.offerPaid(ticket);
    cable.raw('06');
    await cable.send('84 9C 00');
    await cable.clock.pass(4_000);
    cable.raw('06');
    await cable.send(ack);
    cable.raw('06');
    await cable.send('84 66 00');
    expect(await offer).toBe('notAcknowledged');
  });

  describe('that the line repeats, because our 06 was lost, while the till decides on the result', () => {
    /**
     * The till has answered a packet, does not know that its answer arrived, and has the result.
     */
    const told = async (): Promise<{ cable: Cable; offer: Promise<unknown> }> => {
      const cable = await running(await registered('08'));
      await cable.send(ack);
      const offer = cable.till.offerPaid(ticket);
      expect(await cable.heard()).toEqual([expect.stringMatching(paidStatus)]);
      await cable.clock.pass(4_990);
      return { cable, offer };
    };

    test.each([
      ['refuses the result', '84 66 00', 'notAcknowledged'],
      ['has handed out a part', '84 9D 07 04 00 00 00 00 10 00', { handedOutMinor: 1_000 }],
      ['takes the result', ack, 'acknowledged'],
    ])('does not stand for what is behind it: the till %s', async (_what, behind, answer) => {
      const { cable, offer } = await told();
      await cable.send(ack);
      await cable.clock.pass(290);
      await cable.send(behind);
      await cable.clock.pass(10);
      expect(await offer).toEqual(answer);
    });

    test('is the till’s own answer where nothing follows it', async () => {
      const { cable, offer } = await told();
      let answer: unknown = 'waiting';
      void offer.then((given) => {
        answer = given;
      });
      await cable.send(ack);
      await cable.clock.pass(299);
      expect(answer).toBe('waiting');
      await cable.clock.pass(1);
      expect(answer).toBe('acknowledged');
    });

    test('leaves its packet’s own to come, before the result is told', async () => {
      const cable = await running(await registered('08'));
      await cable.send(ack);
      await cable.clock.pass(10_000);
      expect(await cable.heard()).toEqual(['04 FF 01 0E']);
      await cable.send(ack);
      const offer = cable.till.offerPaid(ticket);
      expect(await cable.heard()).toEqual([]);
      await cable.clock.pass(300);
      expect(await cable.heard()).toEqual([expect.stringMatching(paidStatus)]);
      await cable.send('84 66 00');
      expect(await offer).toBe('notAcknowledged');
    });
  });

  test('a 15 that may be about another copy of the block before refuses nothing: of what is repeated for it, a copy may have been taken', async () => {
    const cable = await running(await registered('08'));
    await cable.send(ack);
    cable.acknowledgesBlocks = false;
    await cable.clock.pass(15_000);
    expect(await cable.heard()).toEqual(['04 FF 01 0E', '04 FF 01 0E']);
    cable.raw('06');
    await cable.send(ack);
    cable.till.progress(ticket.saleId, 'customerFound');
    expect(await cable.heard()).toEqual(['04 FF 01 0E']);
    cable.raw('15');
    cable.raw('06');
    cable.acknowledgesBlocks = true;
    await cable.send('84 9C 00');
    const offer = cable.till.offerPaid(ticket);
    await cable.heard();
    await cable.send(ack);
    await cable.clock.pass(15_000);
    expect(await cable.heard()).toEqual([expect.stringMatching(paidStatus)]);
    await cable.send('84 66 00');
    expect(await offer).toBe('notAcknowledged');
  });

  test('a block that was refused with 15 was not taken: its repetition leaves nothing unclear', async () => {
    const cable = await running(await registered('08'));
    await cable.send(ack);
    cable.acknowledgesBlocks = false;
    await cable.clock.pass(10_000);
    await cable.heard();
    cable.raw('15');
    cable.acknowledgesBlocks = true;
    cable.raw('06');
    await cable.send(ack);
    const offer = cable.till.offerPaid(ticket);
    await cable.clock.pass(300);
    expect((await cable.heard()).filter((packet) => paidStatus.test(packet))).toHaveLength(1);
    await cable.send(ack);
    expect(await offer).toBe('acknowledged');
  });

  describe('a till that took our answer, and whose line repeats its command because our 06 alone was lost', () => {
    const failed = { accepted: false, reason: 'storageFailed' } as const;

    test.each([
      ['a sale', authorisation, 'sale 1234 DKK'],
      ['a reservation', '06 22 0A 04 00 00 00 00 12 34 49 02 08', 'reserve 1234 DKK'],
      [
        'the rest of a reservation',
        '06 23 0D 87 02 31 04 00 00 00 00 12 95 49 02 08',
        'book 231/-: unused 1295 DKK',
      ],
      [
        'a part of a reservation',
        '06 24 0D 87 02 31 04 00 00 00 00 12 05 49 02 08',
        'book 231/-: used 1205 DKK',
      ],
      ['the release of a reservation', '06 25 03 87 02 31', 'book 231/-: back all -'],
      [
        'the release of a reservation by its trace number',
        '06 26 0E 0B 00 00 42 04 00 00 00 00 12 34 49 02 08',
        'book -/42: back 1234 DKK',
      ],
    ])('has asked for %s once, however the first one ended', async (_what, command, asked) => {
      const cable = await new Cable().plugIn();
      cable.commands.open = [];
      cable.commands.sale = failed;
      expect((await cable.send(command)).slice(0, 2)).toEqual(['ACK', ack]);
      await cable.clock.pass(5_000);
      cable.commands.sale = { accepted: true, sale: ticket };
      expect(
        (await cable.send(command)).filter((packet) => packet === 'ACK' || packet === ack),
      ).toEqual(['ACK']);
      await cable.clock.pass(5_000);
      await cable.send(command);
      expect(cable.commands.asked).toEqual([asked]);
    });

    test.each([
      ['a refund', '06 30 06 12 34 56 87 00 17', 'refund of 17: all DKK', 5_100],
      ['a sale', authorisation, 'sale 1234 DKK', 5_100],
      ['a sale whose first repetition was lost', authorisation, 'sale 1234 DKK', 10_000],
      ['a sale whose first block was on its way for long', authorisation, 'sale 1234 DKK', 4_500],
    ])(
      'has asked for %s once, also when it was refused at once',
      async (_what, command, asked, afterMs) => {
        const cable = await new Cable().plugIn();
        cable.commands.sale = cable.commands.refund = { accepted: false, reason: 'busy' };
        expect((await cable.send(command))[1]).toMatch(/^84 /);
        await cable.clock.pass(afterMs);
        expect(await cable.send(command)).toEqual(['ACK']);
        expect(cable.commands.asked).toEqual([asked]);
      },
    );

    test.each([
      ['its last receipt', '06 20 05 12 34 56 03 03', ['ACK', ack, '06 1E 01 83']],
      [
        'a registration',
        '06 00 06 12 34 56 00 02 08',
        ['ACK', ack, '06 0F 0A 19 00 29 00 00 00 01 49 02 08'],
      ],
      ['open reservations', '06 23 03 87 FF FF', ['ACK', '84 83 00']],
      ['an end of day', '06 50 03 12 34 56', ['ACK', '84 83 00']],
      ['totals', '06 10 03 12 34 56', ['ACK', '84 83 00']],
      ['a range of receipts', '06 12 07 12 34 56 00 01 00 02', ['ACK', '84 83 00']],
      ['a self-test', '06 79 00', ['ACK', ack, '06 0F 00']],
      ['the time', '06 91 03 12 34 56', ['ACK', ack, '06 0F 00']],
      ['a language', '08 30 01 03', ['ACK', ack, '06 0F 00']],
    ])(
      'is not told about %s again: its next command may be behind the block',
      async (_what, command, told) => {
        const cable = await new Cable().plugIn();
        expect(await cable.send(command)).toEqual(told);
        await cable.clock.pass(5_000);
        expect(
          (
            await cable.sendBytes(
              Uint8Array.of(
                ...encodeBlock(bytesOf(command)),
                ...encodeBlock(bytesOf(authorisation)),
              ),
            )
          ).slice(0, 3),
        ).toEqual(['ACK', 'ACK', ack]);
      },
    );

    test.each([
      ['pressed again within T2', 3_000, ''],
      ['pressed again later', 6_500, ''],
      ['after another packet', 5_000, '05 01 00'],
    ])('but a refused sale that is %s is asked for again', async (_when, afterMs, between) => {
      const cable = await new Cable().plugIn();
      cable.commands.sale = { accepted: false, reason: 'busy' };
      await cable.send(authorisation);
      if (between !== '') await cable.send(between);
      await cable.clock.pass(afterMs);
      cable.commands.sale = { accepted: true, sale: ticket };
      expect((await cable.send(authorisation)).slice(0, 2)).toEqual(['ACK', ack]);
      expect(cable.commands.asked).toEqual(['sale 1234 DKK', 'sale 1234 DKK']);
    });

    test('and after what the till answers, the next customer may pay as much', async () => {
      const cable = await new Cable().plugIn();
      cable.commands.sale = failed;
      await cable.send(authorisation);
      await cable.send(ack);
      await cable.send(ack);
      await cable.clock.pass(5_000);
      await cable.send(authorisation);
      expect(cable.commands.asked).toHaveLength(2);
    });
  });

  describe('a refusal that the line repeats because the 06 of the till was lost', () => {
    const next = '06 01 0A 04 00 00 00 00 96 29 49 02 08';
    const refused = async (): Promise<Cable> => {
      const cable = await new Cable().plugIn();
      cable.commands.sale = { accepted: false, reason: 'busy' };
      cable.acknowledgesBlocks = false;
      expect(await cable.send(authorisation)).toEqual(['ACK', '84 9C 00']);
      cable.commands.sale = { accepted: true, sale: ticket };
      return cable;
    };

    test('may be the answer to the next sale, whose own block was lost: that one is refused too, and nobody is charged', async () => {
      const cable = await refused();
      await cable.clock.pass(5_000);
      expect(await cable.heard()).toEqual(['84 9C 00']);
      cable.raw('06');
      cable.acknowledgesBlocks = true;
      await cable.clock.pass(5_000);
      expect(await cable.send(next)).toEqual(['ACK', '84 9C 00']);
      expect(cable.commands.asked).toEqual(['sale 1234 DKK']);
    });

    test('and after the time in which a line repeats blocks, sales are taken again', async () => {
      const cable = await refused();
      await cable.clock.pass(5_000);
      cable.raw('06');
      cable.acknowledgesBlocks = true;
      await cable.heard();
      await cable.clock.pass(15_000);
      expect(await cable.send(next)).toEqual(['ACK', ack]);
      expect(cable.commands.asked).toEqual(['sale 1234 DKK', 'sale 9629 DKK']);
    });

    test('is not repeated any more when the next sale is there first', async () => {
      const cable = await refused();
      await cable.clock.pass(2_000);
      cable.acknowledgesBlocks = true;
      expect(await cable.send(next)).toEqual(['ACK', ack]);
      await cable.clock.pass(30_000);
      expect(await cable.heard()).toEqual([]);
      expect(cable.commands.asked).toEqual(['sale 1234 DKK', 'sale 9629 DKK']);
    });
  });

  test('what is left to tell about one command is not told within the next one: 06 0F would be its end', async () => {
    const cable = await new Cable().plugIn();
    cable.commands.last = {
      sale: { ...ticket, amountMinor: 500 },
      outcome: { paid: false, reason: 'timedOut' },
      certainty: 'confirmed',
    };
    await cable.send('06 20 05 12 34 56 03 03');
    expect(await cable.send(authorisation)).toEqual(['ACK', ack]);
    const offer = cable.till.offerPaid(ticket);
    expect(await cable.send('84 83 00')).toEqual(['ACK', expect.stringMatching(paidStatus)]);
    expect(await cable.send(ack)).toEqual(['ACK']);
    expect(await offer).toBe('acknowledged');
    cable.till.conclude(ticket, { paid: true });
    expect(await cable.heard()).toEqual(['06 0F 00']);
  });

  test('an answer that overtakes its 06 counts', async () => {
    const cable = await running();
    cable.acknowledgesBlocks = false;
    const offer = cable.till.offerPaid(ticket);
    await cable.heard();
    await cable.send(ack);
    cable.raw('06');
    expect(await offer).toBe('acknowledged');
  });

  test('of two answers that overtake it the first counts', async () => {
    const cable = await running();
    cable.acknowledgesBlocks = false;
    const offer = cable.till.offerPaid(ticket);
    await cable.heard();
    await cable.send('84 66 00');
    await cable.send(ack);
    cable.raw('06');
    expect(await offer).toBe('notAcknowledged');
  });

  test('an answer in the same bytes as its 06 counts, and so does the command behind it', async () => {
    const cable = await running();
    cable.till.conclude(ticket, { paid: false, reason: 'timedOut' });
    await cable.heard();
    cable.acknowledgesBlocks = false;
    await cable.send(ack);
    const bytes = [0x06, ...encodeBlock(bytesOf(ack)), ...encodeBlock(bytesOf(authorisation))];
    expect(await cable.sendBytes(Uint8Array.from(bytes))).toEqual(['ACK', 'ACK', ack]);
    expect(cable.commands.asked).toHaveLength(2);
  });
});

test('a result that the till put off is not told again once the sale is over', async () => {
  const cable = await running();
  const offer = cable.till.offerPaid(ticket);
  await cable.heard();
  await cable.send('84 9C 00');
  cable.till.conclude(ticket, { paid: false, reason: 'interrupted' });
  expect(await cable.heard()).toEqual(['06 1E 01 6C']);
  await cable.send(ack);
  await cable.clock.pass(10_000);
  expect(await cable.heard()).toEqual([]);
  expect(await offer).toBe('notAcknowledged');
});
