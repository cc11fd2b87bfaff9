import { describe, expect, test } from 'vitest';
import { decodeText } from '../../../../main/tills/zvt/text.ts';
import { ack, bytesOf, Cable, registered, TcpLine, ticket } from './support.ts';

const authorisation = '06 01 0A 04 00 00 00 00 12 34 49 02 08';
const part = '84 9D 07 04 00 00 00 00 10 00';

/** The till has been told "paid" and answers with `answer`. */
async function answered(
  answer: string,
  cable?: Cable,
): Promise<{ cable: Cable; offer: Promise<unknown> }> {
  const line = cable ?? (await new Cable().plugIn());
  await line.send(authorisation);
  await line.heard();
  const offer = line.till.offerPaid(ticket);
  await line.heard();
  await line.send(answer);
  return { cable: line, offer };
}

describe('84 9D, goods handed out in part', () => {
  test('takes the payment over for the part, and is completed', async () => {
    const { cable, offer } = await answered(part);
    expect(await offer).toEqual({ handedOutMinor: 1_000 });
    cable.till.conclude({ ...ticket, amountMinor: 1_000 }, { paid: true });
    expect(await cable.heard()).toEqual(['06 0F 00']);
  });

  test('is said by a till over TCP in the same way', async () => {
    const line = await TcpLine.open();
    const till = await line.register();
    till.respondTo = (packet) => bytesOf(packet === 'statusInformation' ? part : ack);
    const paid = till.pay(1234, 'DKK');
    await line.asked('sale 1234 DKK');
    expect(await line.till.offerPaid(ticket)).toEqual({ handedOutMinor: 1_000 });
    line.till.conclude({ ...ticket, amountMinor: 1_000 }, { paid: true });
    expect((await paid).ended).toMatchObject({ by: 'completion' });
    await line.till.close();
  });

  test('prints what was captured, after the decision; a printer without paper changes nothing', async () => {
    const { cable, offer } = await answered(part, await registered('82'));
    expect(await offer).toEqual({ handedOutMinor: 1_000 });
    cable.till.conclude({ ...ticket, amountMinor: 1_000 }, { paid: true });
    const lines: string[] = [];
    let said = await cable.heard();
    while (said.some((packet) => packet.startsWith('06 D1'))) {
      lines.push(
        ...said
          .filter((packet) => packet.startsWith('06 D1'))
          .map((packet) => decodeText(bytesOf(packet).subarray(4))),
      );
      said = await cable.send(lines.length === 5 ? '84 CC 00' : ack);
    }
    expect(lines).toContainEqual(expect.stringMatching(/DKK 10\.00$/));
    expect(lines).toHaveLength(5);
    expect(said).toContain('06 0F 00');
  });

  test('where all of it was captured, the till is told so, with words', async () => {
    const { cable, offer } = await answered(part);
    await offer;
    cable.till.conclude(ticket, { paid: true });
    const [status = ''] = await cable.heard();
    expect(status).toMatch(/^04 0F .. 27 00 04 00 00 00 00 12 34 /);
    expect(decodeText(bytesOf(status))).toContain('Whole amount taken: refund the rest');
    expect(await cable.send(ack)).toEqual(['ACK', '06 0F 00']);
  });

  test.each([
    ['without an amount', '84 9D 00'],
    ['of nothing', '84 9D 07 04 00 00 00 00 00 00'],
    ['of more than was paid', '84 9D 07 04 00 00 00 00 12 35'],
    ['of digits that are none', '84 9D 07 04 00 00 00 00 1A 00'],
    ['whose amount is cut off', '84 9D 06 04 00 00 00 00 10'],
    ['of two amounts', '84 9D 0E 04 00 00 00 00 10 00 04 00 00 00 00 11 00'],
    ['with more behind the amount than can be read', '84 9D 08 04 00 00 00 00 10 00 00'],
    ['in another field', '84 9D 03 87 00 10'],
  ])('%s is not taken: nothing is paid, and the till hears why', async (_what, answer) => {
    const { cable, offer } = await answered(answer);
    expect(await offer).toBe('notAcknowledged');
    cable.till.conclude(ticket, { paid: false, reason: 'notDelivered' });
    const [status = ''] = await cable.heard();
    expect(status).toMatch(/^04 0F .. 27 6C /);
    expect(await cable.send(ack)).toEqual(['ACK', '06 1E 01 6C']);
  });

  test('is repeated with what was captured', async () => {
    const cable = await new Cable().plugIn();
    cable.commands.last = {
      sale: ticket,
      capturedMinor: 1_000,
      outcome: { paid: true },
      certainty: 'confirmed',
    };
    expect(await cable.send('06 20 05 12 34 56 03 03')).toContainEqual(
      expect.stringMatching(/^04 0F .. 27 00 04 00 00 00 00 10 00 /),
    );
  });

  test('whose length lies is no answer at all', async () => {
    const { cable, offer } = await answered('84 9D 08 04 00 00 00 00 10 00');
    await cable.clock.pass(5_000);
    expect(await offer).toBe('notAcknowledged');
  });
});
