import { describe, expect, test } from 'vitest';
import { parsePacket } from '../../../../main/tills/zvt/packets.ts';
import { decodeText } from '../../../../main/tills/zvt/text.ts';
import { parseTlv } from '../../../../main/tills/zvt/tlv.ts';
import type { CustomerFacts } from '../../../../main/core/lane/till-port.ts';
import { ack, bytesOf, Cable, registered, ticket } from './support.ts';

const authorisation = '06 01 0A 04 00 00 00 00 12 34 49 02 08';
const customer: CustomerFacts = {
  loyaltyIds: ['LOYAL-4711', 'B-2'],
  receiptToken: 'receipts-of-04',
};

/**
 * The facts about who paid that the till reads: the text, and the content of each loyalty card
 * (FF02) within the value-added services (E8).
 */
async function told(
  cable: Cable,
  facts: CustomerFacts | undefined,
  command = authorisation,
): Promise<{ text: string | null; objects: [string, string][][]; result: unknown }> {
  await cable.send(command);
  await cable.heard();
  const offer = cable.till.offerPaid(ticket, facts);
  const packet = parsePacket(bytesOf((await cable.heard())[0] as string));
  await cable.send(ack);
  if (packet.kind !== 'packet') throw new Error(packet.kind);
  const text = packet.fields.get(0x3c);
  const within = (bytes: Uint8Array, wanted: number) =>
    parseTlv(bytes).flatMap(({ tag, value }) => (tag === wanted ? [value] : []));
  const cards = within(packet.fields.get(0x06) ?? new Uint8Array(), 0xe8).flatMap((container) =>
    within(container, 0xff02),
  );
  const objects = cards.map((card) =>
    parseTlv(card).map(({ tag, value }): [string, string] => [tag.toString(16), decodeText(value)]),
  );
  return { text: text === undefined ? null : decodeText(text), objects, result: await offer };
}

describe('who paid', () => {
  test('is told to a till in the text that it shows, with the result', async () => {
    expect(await told(await registered('00'), customer)).toEqual({
      text: 'Loyalty no.: LOYAL-4711, B-2',
      objects: [],
      result: 'acknowledged',
    });
  });

  test('is told as data to a till that has sent the container for it, in the words of its language', async () => {
    expect(await told(await registered('00', '06 08 28 04 15 02 64 61 E8 00'), customer)).toEqual({
      text: 'Medlemsnr.: LOYAL-4711, B-2',
      objects: [
        [['1f66', 'LOYAL-4711']],
        [['1f66', 'B-2']],
        [
          ['1f68', 'receipt-token'],
          ['1f66', 'receipts-of-04'],
        ],
      ],
      result: 'acknowledged',
    });
  });

  test.each([
    ['an empty container', '06 00'],
    ['other objects', '06 06 26 04 0A 02 06 D3'],
  ])(
    'is told in the text alone to a till that has sent %s: it may stop at a tag that it does not know',
    async (_what, container) => {
      expect(await told(await registered('00', container), customer)).toEqual({
        text: 'Loyalty no.: LOYAL-4711, B-2',
        objects: [],
        result: 'acknowledged',
      });
    },
  );

  test.each([
    ['empty', '06 01 0E 04 00 00 00 00 12 34 49 02 08 06 02 E8 00', 3],
    [
      'asking for loyalty',
      '06 01 15 04 00 00 00 00 12 34 49 02 08 06 09 E8 07 FF 02 04 1F 65 01 01',
      3,
    ],
    ['not in it', '06 01 0C 04 00 00 00 00 12 34 49 02 08 06 00', 0],
  ])(
    'is told as data where the payment itself has the container (%s)',
    async (_how, command, count) => {
      expect((await told(await registered('00', '06 00'), customer, command)).objects).toHaveLength(
        count,
      );
      expect((await told(await registered('00'), customer, command)).objects).toHaveLength(count);
    },
  );

  test('is told in the text alone to a till whose profile has short answers, whatever it sends', async () => {
    const cable = await new Cable({ profile: 'minimalAnswers' }).plugIn();
    const command = '06 01 0E 04 00 00 00 00 12 34 49 02 08 06 02 E8 00';
    expect(await told(cable, customer, command)).toMatchObject({
      text: 'Loyalty no.: LOYAL-4711, B-2',
      objects: [],
    });
  });

  test.each([
    ['nothing was looked up', { loyaltyIds: null, receiptToken: null }],
    ['there is nothing', { loyaltyIds: [], receiptToken: '' }],
    ['nothing is handed on', undefined],
    ['it would burst a till', { loyaltyIds: ['x'.repeat(61)], receiptToken: 'y'.repeat(513) }],
  ])('is left out where %s', async (_why, facts) => {
    expect(await told(await registered('00', '06 00'), facts)).toEqual({
      text: null,
      objects: [],
      result: 'acknowledged',
    });
  });

  test('fits whatever the service says: a long token, signs that a till has not', async () => {
    const { objects, text } = await told(await registered('00', '06 02 E8 00'), {
      loyaltyIds: ['Ærø\u0000\n€'],
      receiptToken: 'y'.repeat(300),
    });
    expect(text).toBe('Loyalty no.: AEro??EUR');
    expect(objects).toEqual([
      [['1f66', 'AEro??EUR']],
      [
        ['1f68', 'receipt-token'],
        ['1f66', 'y'.repeat(300)],
      ],
    ]);
  });

  test('is left out where the till takes no packet as long as that: the payment counts', async () => {
    const facts = { loyaltyIds: ['LOYAL-4711'], receiptToken: 'y'.repeat(300) };
    expect(await told(await registered('00', '06 06 1A 02 00 C8 E8 00'), facts)).toEqual({
      text: null,
      objects: [],
      result: 'acknowledged',
    });
    expect(
      (await told(await registered('00', '06 06 1A 02 02 00 E8 00'), facts)).objects,
    ).toHaveLength(2);
  });

  test('is not told again with a repeated receipt', async () => {
    const cable = await registered('00', '06 02 E8 00');
    cable.commands.last = { sale: ticket, outcome: { paid: true }, certainty: 'confirmed' };
    const said = (await cable.send('06 20 05 12 34 56 03 01')).join(' ');
    expect(said).toContain('04 0F');
    expect(said).not.toMatch(/ E8 | 3C F/);
  });
});
