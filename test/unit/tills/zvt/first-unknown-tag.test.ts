/**
 * A till that stops at the first tag it does not know, as bezahl-online/zvt does: it reads every
 * packet of a payment in the standard profile.
 */
import { expect, test } from 'vitest';
import { parsePacket } from '../../../../main/tills/zvt/packets.ts';
import { parseTlv } from '../../../../main/tills/zvt/tlv.ts';
import { ack, bytesOf, Cable, registered, ticket } from './support.ts';

/** apdu/tlv/tag/tag.go of that library. Objects inside others are not looked at. */
const tags: ReadonlySet<number> = new Set([
  0x22, 0x24, 0x25, 0x26, 0x43, 0x45, 0x46, 0x47, 0x6f, 0x1f04, 0x1f07, 0x1f10, 0x1f12, 0x1f5b,
]);

/** @throws Error at a tag that the library does not know */
function read(hexBytes: string): void {
  const packet = parsePacket(bytesOf(hexBytes));
  if (packet.kind !== 'packet') return;
  const isOpaque = packet.name === 'completion' || packet.name === 'abort';
  const container = isOpaque ? afterContainer(packet.rest) : packet.fields.get(0x06);
  for (const { tag } of parseTlv(container ?? new Uint8Array(0)))
    if (!tags.has(tag)) throw new Error(`${hexBytes}: tag ${tag.toString(16)}`);
}
/** It looks for the first 06, and takes what follows for the container. */
const afterContainer = (rest: Uint8Array): Uint8Array =>
  rest.includes(0x06) ? rest.subarray(rest.indexOf(0x06) + 2) : new Uint8Array(0);

async function converse(cable: Cable, command: string): Promise<string[]> {
  const heard: string[] = [];
  for (
    let packets = await cable.send(command);
    packets.length > 0;
    packets = await cable.send(ack)
  ) {
    const told = packets.filter((packet) => packet !== 'ACK');
    for (const packet of told) read(packet);
    heard.push(...told);
    if (told.length === 0) break;
  }
  return heard;
}

test.each([
  ['that has announced containers', () => registered('3E', '03 03 06 06 26 04 0A 02 06 D3')],
  ['that has not', () => registered('3E')],
  ['that has not registered', () => new Cable().plugIn()],
])('a till %s reads status enquiry, payment and repeated receipt', async (_who, open) => {
  const cable = await open();
  expect(await converse(cable, '05 01 05 12 34 56 03 07')).toEqual([ack, '06 0F 01 00']);
  await converse(cable, '06 01 07 04 00 00 00 00 12 34');
  void cable.till.offerPaid(ticket, { loyaltyIds: ['LOYAL-4711'], receiptToken: 'receipts-of-04' });
  for (const packet of (await cable.heard()).filter((one) => one !== 'ACK')) read(packet);
  cable.till.conclude(ticket, { paid: true });
  await cable.send(ack);
  await cable.send(ack);
  cable.commands.last = { sale: ticket, outcome: { paid: true }, certainty: 'confirmed' };
  expect(await converse(cable, '06 20 05 12 34 56 03 03')).toContainEqual(
    expect.stringMatching(/^04 0F /),
  );
});
