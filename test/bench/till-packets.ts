/**
 * How many packets of a payment's conversation are parsed and encoded again, in a second of one
 * core: what the machine does beside is not counted.
 */
import { encodeApdu } from '../../main/tills/zvt/apdu.ts';
import { encodePacket, parseAnswer, parsePacket } from '../../main/tills/zvt/packets.ts';

const nothing = new Uint8Array(0);
const answer = '80 00 00';
const conversation = [
  '06 01 0A 04 00 00 00 00 12 34 49 02 08',
  answer,
  '04 FF 01 0E',
  answer,
  '04 0F 32 27 00 04 00 00 00 00 12 34 0B 00 00 42 0C 09 05 07 0D 11 21 19 70 29 00 00 00 01 49 02 08 87 00 17 8B F1 F4 4D 6F 62 69 6C 65 20 77 61 6C 6C 65 74 00',
  answer,
  '06 0F 00',
  answer,
].map((text) => Uint8Array.from(text.split(' '), (byte) => Number.parseInt(byte, 16)));
const rounds = 40_000;

function again(bytes: Uint8Array): Uint8Array {
  if (parseAnswer(bytes) !== null)
    return encodeApdu({ classByte: 0x80, instruction: 0x00, data: nothing });
  const packet = parsePacket(bytes);
  if (packet.kind !== 'packet') throw new Error(`a packet of the bench is ${packet.kind}`);
  return encodePacket(packet.name, { parts: [...packet.parts.values()], fields: packet.fields });
}

/** One figure a run; the first one warms up. */
export function measurePackets({
  runs,
  say,
}: {
  runs: number;
  say: (text: string) => void;
}): number[] {
  for (const bytes of conversation)
    if (Buffer.compare(again(bytes), bytes) !== 0)
      throw new Error('a packet of the bench does not come back as it was');
  const perSecond: number[] = [];
  for (let run = 0; run <= runs; run += 1) {
    const before = process.threadCpuUsage();
    for (let round = 0; round < rounds; round += 1) for (const bytes of conversation) again(bytes);
    const { user, system } = process.threadCpuUsage(before);
    if (run > 0) perSecond.push((rounds * conversation.length * 1e6) / (user + system));
  }
  say(
    `till packets: ${perSecond.map((count) => (count / 1e6).toFixed(2)).join(', ')} million a second`,
  );
  return perSecond;
}
