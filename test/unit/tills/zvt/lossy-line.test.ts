import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parsePacket, positiveAnswer, resultCodeOf } from '../../../../main/tills/zvt/packets.ts';
import { chosen, isLong } from '../../../support/long.ts';
import { settled } from '../../support/manual-clock.ts';
import { type Carried, PlayedLine, type Transport, transports } from './played-line.ts';
import { bytesOf, refundTicket, ticket } from './support.ts';

/** What happens to one write. The order is kept, as on a line. */
interface Fate {
  readonly lateMs: number;
  readonly damage: 'none' | 'lost' | 'changed' | 'twice' | 'noise' | 'cut';
  /** The write comes in two portions, or a byte is added or changed, here; modulo its length. */
  readonly at: number;
  readonly gapMs: number;
}

/**
 * A cable loses, changes, repeats and adds bytes. TCP does none of that: it delays, splits and
 * ends.
 */
const damages = { serial: ['lost', 'changed', 'twice', 'noise'], tcp: ['cut'] } as const;
const latest = { serial: 2_000, tcp: 7_000 } as const;
const fateOn = (transport: Transport): fc.Arbitrary<Fate> =>
  fc.record({
    lateMs: fc.oneof(
      { weight: 6, arbitrary: fc.constant(0) },
      { weight: 2, arbitrary: fc.integer({ min: 1, max: latest[transport] }) },
    ),
    damage: fc.oneof(
      { weight: transport === 'serial' ? 8 : 16, arbitrary: fc.constant('none' as const) },
      { weight: transport === 'serial' ? 3 : 1, arbitrary: fc.constantFrom(...damages[transport]) },
    ),
    at: fc.nat(100),
    gapMs: fc.oneof(
      { weight: 4, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: transport === 'serial' ? 500 : 7_000 }) },
    ),
  });

function befall(bytes: Uint8Array, { lateMs, damage, at, gapMs }: Fate): Carried {
  const place = at % bytes.length;
  const late = (what: Uint8Array): Carried => ({
    pieces: [
      { bytes: what.slice(0, place), lateMs },
      { bytes: what.slice(place), lateMs: gapMs },
    ],
  });
  switch (damage) {
    case 'none':
      return late(bytes);
    case 'lost':
      return { pieces: [] };
    case 'changed':
      return late(bytes.map((byte, index) => (index === place ? byte ^ 0x41 : byte)));
    case 'twice':
      return late(Uint8Array.of(...bytes, ...bytes));
    case 'noise':
      return late(Uint8Array.of(at, ...bytes));
    case 'cut':
      return { pieces: [{ bytes: bytes.slice(0, place), lateMs }], cut: true };
  }
}

const registration = bytesOf('06 00 06 12 34 56 08 02 08');
const commands = {
  sale: bytesOf('06 01 0A 04 00 00 00 00 12 34 49 02 08'),
  refund: bytesOf('06 30 10 12 34 56 87 00 17 04 00 00 00 00 05 00 49 02 08'),
};
const refused = Uint8Array.of(0x84, 0x66, 0x00);

interface Customer {
  readonly fates: readonly Fate[];
  readonly takesResult: boolean;
  readonly isRefund: boolean;
  readonly approvedAfterMs: number;
}

async function checkMoney(
  transport: Transport,
  { fates, takesResult, isRefund, approvedAfterMs }: Customer,
): Promise<void> {
  const line = await new PlayedLine(transport).open();
  const { clock, till } = line;
  let took = 0;
  let completed = false;
  let runs = false;
  line.respond = (apdu) => {
    const packet = parsePacket(apdu);
    if (packet.kind !== 'packet') return positiveAnswer;
    if (packet.name === 'completion' && runs) completed = true;
    if (packet.name !== 'statusInformation' || resultCodeOf(packet.fields) !== 0)
      return positiveAnswer;
    if (takesResult) took += 1;
    return takesResult ? positiveAnswer : refused;
  };
  line.send(registration);
  await clock.pass(1_000);
  const left = [...fates];
  line.carry = (direction, bytes) => {
    const fate = left.shift();
    // A till that does not get our 06 takes nothing else until it has repeated its block; this one
    // would, so our 06 always arrives.
    if (
      fate === undefined ||
      (transport === 'serial' && direction === 'toTill' && bytes.length === 1)
    )
      return { pieces: [{ bytes, lateMs: fate?.lateMs ?? 0 }] };
    // No cable doubles what it carries, tills do: nobody could tell which 06 is for which block, or
    // what a till answers that has one of ours twice.
    const isTillsBlock = direction === 'toTerminal' && bytes.length > 1;
    return befall(
      bytes,
      fate.damage === 'twice' && !isTillsBlock ? { ...fate, damage: 'none' } : fate,
    );
  };
  runs = true;
  line.send(isRefund ? commands.refund : commands.sale);
  await clock.pass(approvedAfterMs);
  let result: unknown = null;
  const offer = isRefund ? till.offerRefunded(refundTicket) : till.offerPaid(ticket);
  void offer.then((answer) => {
    result = answer;
    const done = answer === 'acknowledged';
    if (isRefund)
      till.concludeRefund(
        refundTicket,
        done ? { refunded: true } : { refunded: false, reason: 'notDelivered' },
      );
    else till.conclude(ticket, done ? { paid: true } : { paid: false, reason: 'notDelivered' });
  });
  await clock.pass(120_000);
  expect(result).not.toBeNull();
  if (result === 'acknowledged') expect(took).toBeGreaterThan(0);
  if (completed) expect(result).toBe('acknowledged');
  expect(
    line.commands.asked.filter((asked) => /^(sale|refund)/.test(asked)).length,
  ).toBeLessThanOrEqual(1);
  await settled();
  await till.close();
}

describe.each(transports)('however the line spoils, splits and delays, over %s', (transport) => {
  test('"acknowledged" is what the till said to the result, and every command ends', {
    timeout: isLong ? 600_000 : 20_000,
  }, async () => {
    const customer = fc.record({
      fates: fc.array(fateOn(transport), { maxLength: 60, size: 'max' }),
      takesResult: fc.boolean(),
      isRefund: fc.boolean(),
      approvedAfterMs: fc.nat(20_000),
    });
    // The long run has 10,000 payments and refunds over both lines.
    await fc.assert(
      fc.asyncProperty(customer, (one) => checkMoney(transport, one)),
      { numRuns: isLong ? 5_000 : 100, seed: chosen(2 ** 31, `lossy ${transport}`) },
    );
  });
});
