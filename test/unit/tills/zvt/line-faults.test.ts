import { afterEach, describe, expect, test } from 'vitest';
import {
  hex,
  parsePacket,
  positiveAnswer,
  resultCodeOf,
} from '../../../../main/tills/zvt/packets.ts';
import { chosen, isLong } from '../../../support/long.ts';
import {
  breaksAt,
  type Carry,
  type Direction,
  PlayedLine,
  type Transport,
  transports,
  whole,
} from './played-line.ts';
import { bytesOf, Cable, ticket } from './support.ts';

const registration = bytesOf('06 00 06 12 34 56 8A 02 08');
const authorisation = bytesOf('06 01 0A 04 00 00 00 00 12 34 49 02 08');
/** How many of a conversation's byte positions are tried, unless all are. */
const tried = 6;
/**
 * While the cable stays out, the terminal waits twice: for the answer to the last packet, and for
 * the next one to be sent.
 */
const maxMs = 90_000;

const timeout = isLong ? 300_000 : 30_000;

let open: PlayedLine[] = [];
afterEach(async () => {
  for (const line of open) await line.till.close();
  open = [];
});

interface Played {
  /** The lane's result of the offer. */
  readonly offer: unknown;
  /** Whether the till answered 80 00 to a 04 0F that says "paid". */
  readonly took: boolean;
  /** The packet that ended the till's command (06 0F, 06 1E or 84 xx); null when none did. */
  readonly ended: string | null;
  /** How many bytes went each way. */
  readonly bytes: Readonly<Record<Direction, number>>;
  readonly line: PlayedLine;
}

/**
 * A registration and a payment with its receipt lines over a line that breaks; the customer
 * approves after a second.
 */
async function pay(
  transport: Transport,
  carry: Carry,
  outMs: number | null = null,
  pulledAtMs: number | null = null,
): Promise<Played> {
  const line = await new PlayedLine(transport).open();
  open.push(line);
  const bytes = { toTerminal: 0, toTill: 0 };
  let took = false;
  let ended: string | null = null;
  line.respond = (apdu) => {
    const packet = parsePacket(apdu);
    if (
      packet.kind === 'packet' &&
      packet.name === 'statusInformation' &&
      resultCodeOf(packet.fields) === 0
    )
      took = true;
    if (
      packet.kind === 'packet' &&
      (packet.name === 'completion' || packet.name === 'abort') &&
      isPaying
    )
      ended = hex(apdu);
    return positiveAnswer;
  };
  line.carry = (direction, sent) => {
    bytes[direction] += sent.length;
    const carried = carry(direction, sent);
    if (carried.cut && outMs !== null) line.clock.after(outMs, () => line.plugIn());
    return carried;
  };
  let isPaying = false;
  line.send(registration);
  await line.clock.pass(20_000);
  isPaying = true;
  line.send(authorisation);
  if (pulledAtMs !== null && outMs !== null)
    line.clock.after(pulledAtMs, () => {
      line.cut();
      line.clock.after(outMs, () => line.plugIn());
    });
  await line.clock.pass(1_000);
  let offer: unknown = null;
  const approve = async (): Promise<void> => {
    offer = await line.till.offerPaid(ticket);
    line.till.conclude(
      ticket,
      offer === 'acknowledged' ? { paid: true } : { paid: false, reason: 'notDelivered' },
    );
  };
  // A block that was broken is repeated: the lane hears of the sale later.
  for (let second = 0; second < 20 && line.commands.asked.length === 0; second += 1)
    await line.clock.pass(1_000);
  const isAsked = line.commands.asked.includes('sale 1234 DKK');
  if (isAsked) void approve();
  await line.clock.pass(maxMs);
  if (isAsked) expect(offer, 'the offer ends').not.toBeNull();
  return { offer, took, ended, bytes, line };
}

function checkMoney({ offer, took, ended, line }: Played): void {
  if (offer === 'acknowledged')
    expect(took, 'nobody is charged whose till did not take the result').toBe(true);
  if (ended === '06 0F 00')
    expect(offer, 'a till that is told "done" has paid').toBe('acknowledged');
  expect(
    line.commands.asked.filter((asked) => asked.startsWith('sale')).length,
    'one command, one sale',
  ).toBeLessThanOrEqual(1);
}

/** Checks that the next customer can pay, whatever has happened. */
async function checkNextPayment(line: PlayedLine): Promise<void> {
  line.carry = whole;
  line.plugIn();
  await line.clock.pass(60_000);
  if (line.transport === 'tcp') line.connect();
  await line.heard();
  line.send(authorisation);
  expect((await line.heard()).map(hex)[0]).toBe('80 00 00');
}

const undisturbed = { serial: await pay('serial', whole), tcp: await pay('tcp', whole) };
const positions = transports.flatMap((transport) =>
  (['toTerminal', 'toTill'] as const).flatMap((direction) => {
    const count = undisturbed[transport].bytes[direction];
    // Positions at equal distances, so that each phase is tried in each run.
    const every = isLong ? 1 : Math.ceil(count / tried);
    const first = chosen(every, `${transport} ${direction}`);
    return Array.from({ length: Math.ceil((count - first) / every) }, (_, index) => ({
      transport,
      direction,
      position: first + index * every,
    }));
  }),
);

test('a conversation that nothing disturbs is acknowledged and completed, and has bytes enough to be disturbed', () => {
  for (const transport of transports) {
    expect(undisturbed[transport]).toMatchObject({
      offer: 'acknowledged',
      took: true,
      ended: '06 0F 00',
    });
    expect(undisturbed[transport].bytes.toTerminal).toBeGreaterThan(50);
    expect(undisturbed[transport].bytes.toTill).toBeGreaterThan(400);
  }
});

describe('a payment', { timeout }, () => {
  test('ends as if nothing had happened when the line splits its bytes anywhere', async () => {
    for (const { transport, direction, position } of positions) {
      const played = await pay(transport, breaksAt(direction, position, { gapMs: 0 }));
      expect(played, `${transport}, ${direction} ${position}`).toMatchObject({
        offer: 'acknowledged',
        ended: '06 0F 00',
      });
      checkMoney(played);
    }
  });

  test('does so too when the rest comes late: longer than T1, on TCP shorter than T3', async () => {
    for (const { transport, direction, position } of positions) {
      const played = await pay(
        transport,
        breaksAt(direction, position, { gapMs: transport === 'serial' ? 300 : 4_000 }),
      );
      expect(played, `${transport}, ${direction} ${position}`).toMatchObject({
        offer: 'acknowledged',
        ended: '06 0F 00',
      });
      checkMoney(played);
    }
  });

  test('does so when every byte comes alone', async () => {
    for (const transport of transports) {
      const alone: Carry = (_direction, bytes) => ({
        pieces: [...bytes].map((byte) => ({ bytes: Uint8Array.of(byte), lateMs: 1 })),
      });
      expect(await pay(transport, alone)).toMatchObject({
        offer: 'acknowledged',
        ended: '06 0F 00',
      });
    }
  });

  test('survives the serial cable out for five seconds, from whatever byte on', async () => {
    for (const { direction, position } of positions.filter(
      ({ transport }) => transport === 'serial',
    )) {
      const played = await pay('serial', breaksAt(direction, position, 'cut'), 5_000);
      expect(played, `${direction} ${position}`).toMatchObject({
        offer: 'acknowledged',
        ended: '06 0F 00',
      });
      checkMoney(played);
    }
  });

  test.each([1, 500, 999, 1_000, 1_001])(
    'survives it while nothing is said, from %i ms after its command on',
    async (pulledAtMs) => {
      for (const outMs of [100, 1_500, 5_000])
        expect(await pay('serial', whole, outMs, pulledAtMs), `${outMs} ms`).toMatchObject({
          offer: 'acknowledged',
          ended: '06 0F 00',
        });
    },
  );

  test('takes no money that the till does not know of when the line breaks for good, and the next one is possible', async () => {
    for (const { transport, direction, position } of positions) {
      const played = await pay(transport, breaksAt(direction, position, 'cut'));
      checkMoney(played);
      await checkNextPayment(played.line);
    }
  });
});

test('a block of which the first byte came long before the rest is asked for again at once, as any that has a gap', async () => {
  const cable = await new Cable().plugIn();
  cable.raw('10');
  await cable.clock.pass(200);
  expect(await cable.heard()).toEqual(['NAK']);
});
