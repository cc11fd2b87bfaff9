import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CheckIn, type CheckInShown } from '../../../../main/core/lane/check-in.ts';
import type { LaneSettings } from '../../../../main/core/lane/lane.ts';
import type { CheckInAnswer, PollAnswer } from '../../../../main/core/lane/wallet-port.ts';
import { money, reserved, World } from './support.ts';

const nobody: CheckInAnswer = {
  kind: 'seen',
  isCheckedIn: false,
  customer: { loyaltyIds: null, receiptToken: null },
};
const somebody: CheckInAnswer = {
  kind: 'seen',
  isCheckedIn: true,
  customer: { loyaltyIds: ['LOYAL-4711'], receiptToken: 'r' },
};
const unanswered: CheckInAnswer = { kind: 'unknown', detail: 'ECONNRESET' };

const qr = { kind: 'text', text: 'qr' } as const;
let world: World;
let leave: () => void;
const shown = (): CheckInShown | null => world.lane.snapshot().checkIn;
async function open(about: Partial<LaneSettings> = { checkInFirst: true }): Promise<void> {
  world = await new World(undefined, about).open();
}
/** Takes a sale to its end, with the till's acknowledgement. */
async function sell(...answers: PollAnswer[]): Promise<void> {
  world.pollAnswers = answers;
  expect(world.commands.requestSale(money).accepted).toBe(true);
  await world.clock.pass(1_000 * answers.length);
}

afterEach(() => world.remove());

describe('a lane where customers check in first', () => {
  beforeEach(async () => {
    await open();
    leave = world.lane.showsCode();
  });

  test('shows the code from the start, and who is there as long as the service says so', async () => {
    expect(shown()).toEqual({ code: qr, isCheckedIn: false });
    world.checkIn = somebody;
    await world.clock.pass(1_000);
    expect(shown()).toEqual({ code: qr, isCheckedIn: true, loyaltyIds: ['LOYAL-4711'] });
    world.checkIn = nobody;
    await world.clock.pass(1_000);
    expect(shown()).toEqual({ code: qr, isCheckedIn: false });
  });

  test('shows the loyalty ids of whoever is there now: looked up later, of the next customer, of nobody', async () => {
    const withIds = (loyaltyIds: string[] | null): CheckInAnswer => ({
      kind: 'seen',
      isCheckedIn: true,
      customer: { loyaltyIds, receiptToken: null },
    });
    const seen: unknown[] = [];
    for (const answer of [
      withIds(null),
      withIds(['A-1']),
      withIds(null),
      withIds(['B-2', 'C-3']),
      withIds([]),
      nobody,
      withIds(null),
    ]) {
      world.checkIn = answer;
      await world.clock.pass(1_000);
      seen.push(shown()?.loyaltyIds);
    }
    expect(seen).toEqual([null, ['A-1'], null, ['B-2', 'C-3'], [], undefined, null]);
  });

  test('tells the screens when only the loyalty ids are new', async () => {
    world.checkIn = { ...somebody, customer: { loyaltyIds: null, receiptToken: null } };
    await world.clock.pass(1_000);
    let changes = 0;
    world.changed = () => (changes += 1);
    world.checkIn = somebody;
    await world.clock.pass(3_000);
    expect(changes).toBe(1);
  });

  test('sends nothing because of a check-in: it is only looked up', async () => {
    world.checkIn = somebody;
    await world.clock.pass(30_000);
    expect(shown()?.isCheckedIn).toBe(true);
    expect(world.whatLeft()).toEqual([]);
    expect(world.journal.openSales('1')).toEqual([]);
  });

  test('looks it up one at a time, as fast as the service allows, and only while somebody can see the code', async () => {
    await world.clock.pass(5_000);
    expect(world.checkInLookUps).toBe(6);
    const second = world.lane.showsCode();
    leave();
    leave();
    await world.clock.pass(2_000);
    expect(world.checkInLookUps).toBe(8);
    second();
    await world.clock.pass(60_000);
    expect(world.checkInLookUps).toBe(8);
    expect(shown()).toEqual({ code: qr, isCheckedIn: false });
  });

  test('does not look it up during a sale, and takes the code down', async () => {
    await world.clock.pass(0);
    const before = world.checkInLookUps;
    await sell(
      { kind: 'seen', status: 'initiated', ...money },
      { kind: 'seen', status: 'issuedToUser', ...money },
    );
    expect(shown()).toBeNull();
    expect(world.checkInLookUps).toBe(before);
  });

  test('thanks a customer, and then invites the next one: nothing of the one before is left', async () => {
    world.checkIn = somebody;
    await world.clock.pass(1_000);
    await sell(reserved);
    expect(world.lane.snapshot().result?.outcome).toEqual({ paid: true });
    expect(shown()).toBeNull();
    await world.clock.pass(6_000);
    expect(shown()).toEqual({ code: qr, isCheckedIn: false });
    // The service still names the customer who has just paid.
    await world.clock.pass(5_000);
    expect(shown()).toEqual({ code: qr, isCheckedIn: false });
    world.checkIn = nobody;
    await world.clock.pass(1_000);
    world.checkIn = somebody;
    await world.clock.pass(1_000);
    expect(shown()).toEqual({ code: qr, isCheckedIn: true, loyaltyIds: ['LOYAL-4711'] });
  });

  test('forgets who was there after each end of a sale, whichever it is', async () => {
    for (const status of [
      'cancelledByUser',
      'cancelledByService',
      'expired',
      'reserved',
    ] as const) {
      world.checkIn = nobody;
      await world.clock.pass(2_000);
      world.checkIn = somebody;
      await world.clock.pass(2_000);
      expect(shown()?.isCheckedIn, status).toBe(true);
      await sell({ kind: 'seen', status, ...money });
      await world.clock.pass(16_000);
      expect(shown(), status).toEqual({ code: qr, isCheckedIn: false });
    }
  });

  test('knows no longer who is there when the service does not answer', async () => {
    world.checkIn = somebody;
    await world.clock.pass(1_000);
    world.checkIn = unanswered;
    await world.clock.pass(2_000);
    expect(shown()?.isCheckedIn).toBe(true);
    await world.clock.pass(1_000);
    expect(shown()?.isCheckedIn).toBe(false);
  });

  test.each([
    ['a service that does not answer', unanswered, 3_000],
    ['where no customer has come for a quarter of an hour', nobody, 15 * 60_000],
  ])(
    'asks %s six times a minute, and sees who is there soon after, asking as fast as before',
    async (_whom, answer, untilThenMs) => {
      world.checkIn = answer;
      await world.clock.pass(untilThenMs);
      const before = world.checkInLookUps;
      await world.clock.pass(60 * 60_000);
      expect(world.checkInLookUps - before).toBeLessThanOrEqual(6 * 60);
      world.checkIn = somebody;
      await world.clock.pass(11_000);
      expect(shown()?.isCheckedIn).toBe(true);
      const woken = world.checkInLookUps;
      await world.clock.pass(60_000);
      expect(world.checkInLookUps - woken).toBeGreaterThanOrEqual(59);
    },
  );

  test('looks nothing up any more when it is closed', async () => {
    await world.clock.pass(1_000);
    const before = world.checkInLookUps;
    const closed = world.lane.close();
    await world.clock.pass(10_000);
    await closed;
    expect(world.checkInLookUps).toBe(before);
  });
});

test('a lane that is closed while it thanks tells nobody anything any more', async () => {
  await open();
  let changes = 0;
  const checkIn = new CheckIn({
    clock: world.clock,
    isWanted: true,
    changed: () => (changes += 1),
    wallet: { watchCheckIn: () => ({ poll: () => new Promise(() => {}) }) },
  });
  checkIn.follow({ code: qr, takesPayments: true, isBusy: false, showsResult: true });
  checkIn.close();
  await world.clock.pass(10_000);
  expect(changes).toBe(0);
});

test('without the setting no code stands there before the amount, and nothing is looked up', async () => {
  await open({});
  world.lane.showsCode();
  await world.clock.pass(5_000);
  expect(shown()).toBeNull();
  expect(world.checkInLookUps).toBe(0);
});

describe('a lane without a code, where customers hold the phone to a beacon', () => {
  const posId = '905e0000-0000-4000-8000-000000000001';
  const openWith = async (beacons: LaneSettings['beacons']): Promise<void> => {
    world = new World(undefined, { checkInFirst: true, beacons });
    world.openAnswer = { kind: 'open', posId, qr: null };
    await world.open();
  };

  test.each([[['NFC']], [['Bluetooth']], [['NFC', 'Bluetooth']]] as const)(
    'asks for it before the amount with %j, and looks nothing up',
    async (beacons) => {
      await openWith(beacons);
      world.lane.showsCode();
      world.checkIn = somebody;
      await world.clock.pass(5_000);
      // Look-ups are allowed only while a code is shown.
      expect([shown(), world.checkInLookUps]).toEqual([{ code: null, isCheckedIn: false }, 0]);
      await sell(reserved);
      expect(shown()).toBeNull();
      await world.clock.pass(6_000);
      expect(shown()).toEqual({ code: null, isCheckedIn: false });
    },
  );

  test('asks for none where it is not wanted', async () => {
    world = new World(undefined, { beacons: ['NFC'] });
    world.openAnswer = { kind: 'open', posId, qr: null };
    await world.open();
    expect(shown()).toBeNull();
  });
});

test('a counter that has no code and no beacon shows none', async () => {
  world = new World(undefined, { checkInFirst: true });
  world.openAnswer = { kind: 'open', posId: '905e0000-0000-4000-8000-000000000001', qr: null };
  await world.open();
  world.lane.showsCode();
  await world.clock.pass(2_000);
  expect([shown(), world.checkInLookUps]).toEqual([null, 0]);
});
