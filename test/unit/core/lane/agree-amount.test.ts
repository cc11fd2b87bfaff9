import { DatabaseSync } from 'node:sqlite';
import { screenPaymentId } from '../../../../main/core/domain/ids.ts';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SlowCheck } from '../../../../main/core/journal/check.ts';
import { openJournalReader } from '../../../../main/core/journal/reader.ts';
import { forCustomer, laneView } from '../../../../main/counter/server/lane-view.ts';
import type { PollAnswer } from '../../../../main/core/lane/wallet-port.ts';
import type { LaneState, LaneView } from '../../../../preload/contract.ts';
import { settled } from '../../support/manual-clock.ts';
import { money, World } from './support.ts';

const actionId = 'ac700000-0000-4000-8000-000000000001';
const saleId = screenPaymentId(actionId);
const seen = (
  status: Extract<PollAnswer, { kind: 'seen' }>['status'],
  amountMinor: number | null = null,
  loyaltyIds: string[] | null = null,
): PollAnswer => ({
  kind: 'seen',
  status,
  amountMinor,
  currency: amountMinor === null ? null : 'DKK',
  customer: { loyaltyIds, receiptToken: null },
});

let world: World;
beforeEach(async () => {
  world = await new World(undefined, { flow: 'prepare' }).open();
});
afterEach(() => world.remove());

const state = (): LaneState => laneView(world.lane.snapshot()).state;
const loyaltyIds = (): LaneView['loyaltyIds'] => laneView(world.lane.snapshot()).loyaltyIds;
const events = (): string[] => world.journal.story(saleId).map(({ event }) => event.type);
/** A cashier has typed 12.34, and the customer is found. */
async function found(...loyaltyIds: string[]): Promise<void> {
  world.pollAnswers = [seen('prepared'), seen('paired', null, loyaltyIds)];
  expect(world.lane.payByHand({ actionId, amountMinor: 1_234, orderText: null })).toMatchObject({
    accepted: true,
  });
  await world.clock.pass(2_000);
}
async function restart(): Promise<void> {
  world.close();
  world = await new World(world.folder, { flow: 'prepare' }).open();
  await settled();
}

describe('the amount of a payment by hand, once its customer is found', () => {
  test('waits for the cashier, who sees the loyalty ids; customers see neither', async () => {
    await found('LOYAL-4711');
    expect(state()).toMatchObject({
      kind: 'customerFound',
      amountMinor: 1_234,
      canCancel: true,
      toAgree: true,
    });
    expect(loyaltyIds()).toEqual(['LOYAL-4711']);
    const seenByCustomer = forCustomer(laneView(world.lane.snapshot()));
    expect(seenByCustomer.state).toMatchObject({ kind: 'customerFound', toAgree: true });
    expect(JSON.stringify(seenByCustomer)).not.toMatch(/loyal/i);
    world.pollAnswers.push(seen('paired', null, ['LOYAL-4711']));
    await world.clock.pass(60_000);
    expect(world.whatLeft()).toEqual(['create']);
  });

  test('shows loyalty ids that the service finds later', async () => {
    world.pollAnswers = [seen('paired')];
    world.lane.payByHand({ actionId, amountMinor: 1_234, orderText: null });
    await world.clock.pass(1_000);
    expect(loyaltyIds()).toBeNull();
    const { changes } = world;
    world.pollAnswers.push(seen('paired', null, ['LOYAL-4711']));
    await world.clock.pass(1_000);
    expect(loyaltyIds()).toEqual(['LOYAL-4711']);
    expect(world.changes).toBe(changes + 1);
  });

  test('is changed on disk before it is sent, and what was agreed is captured', async () => {
    await found();
    expect(world.lane.agreeAmount(saleId, 1_000)).toBe('agreed');
    await settled();
    expect(world.onDiskWhen('ready')?.at(-1)).toBe('amountAgreed');
    expect(state()).toMatchObject({ kind: 'customerFound', amountMinor: 1_000 });
    expect(state()).not.toHaveProperty('toAgree');
    world.pollAnswers.push(seen('issuedToUser', 1_000), seen('reserved', 1_000));
    await world.clock.pass(3_000);
    expect(world.amounts).toEqual([
      ['ready', 1_000],
      ['capture', 1_000],
    ]);
    expect(world.lane.snapshot()).toMatchObject({
      result: { amountMinor: 1_000, outcome: { paid: true } },
      recent: [{ amountMinor: 1_000 }],
    });
    expect(world.journal.paidSale('1', 1)).toMatchObject({
      sale: { amountMinor: 1_000, typedMinor: 1_234 },
      captured: true,
    });
  });

  test('is kept by agreeing to it', async () => {
    await found();
    expect(world.lane.agreeAmount(saleId, 1_234)).toBe('agreed');
    await settled();
    expect(world.amounts).toEqual([['ready', 1_234]]);
  });

  test('is agreed once: again is the same, another is refused', async () => {
    await found();
    expect(world.lane.agreeAmount(saleId, 1_000)).toBe('agreed');
    expect(world.lane.agreeAmount(saleId, 1_000)).toBe('agreed');
    expect(world.lane.agreeAmount(saleId, 900)).toBe('amountFixed');
    expect(events().filter((type) => type === 'amountAgreed')).toHaveLength(1);
    // The action id is still the one that began the payment.
    expect(world.lane.payByHand({ actionId, amountMinor: 1_234, orderText: null })).toMatchObject({
      accepted: true,
    });
    expect(world.lane.payByHand({ actionId, amountMinor: 1_000, orderText: null })).toEqual({
      accepted: false,
      reason: 'actionUsed',
    });
  });

  test.each([
    [0, 'amountTooSmall'],
    [-1, 'amountTooSmall'],
    [12.5, 'amountTooSmall'],
    [1_000_000_000_000, 'amountTooHigh'],
  ])('of %d is refused, and nothing is changed', async (amountMinor, reason) => {
    await found();
    expect(world.lane.agreeAmount(saleId, amountMinor)).toBe(reason);
    expect(state()).toMatchObject({ amountMinor: 1_234, toAgree: true });
    expect(world.whatLeft()).toEqual(['create']);
  });

  test('that cannot be written is refused for good: it does not come about later', async () => {
    await found();
    world.diskWorks = false;
    expect(world.lane.agreeAmount(saleId, 1_000)).toBe('storageFailed');
    world.diskWorks = true;
    await world.clock.pass(5_000);
    expect(events()).not.toContain('amountAgreed');
    expect(world.lane.agreeAmount(saleId, 900)).toBe('agreed');
  });

  test('cannot be agreed before the customer is found, while it is cancelled, or of another payment', async () => {
    world.pollAnswers = [seen('paired')];
    world.lane.payByHand({ actionId, amountMinor: 1_234, orderText: null });
    await settled();
    expect(world.lane.agreeAmount(saleId, 1_000)).toBe('amountFixed');
    await world.clock.pass(1_000);
    world.lane.cancelByCashier(saleId);
    expect(world.lane.agreeAmount(saleId, 1_000)).toBe('amountFixed');
    expect(world.lane.agreeAmount('ac700000-0000-4000-8000-000000000002', 1_000)).toBe(
      'unknownSale',
    );
    expect(state()).toMatchObject({ kind: 'cancelling', amountMinor: 1_234 });
  });

  test('is cancelled after a restart, agreed or not, and has the right amount in the journal', async () => {
    await found();
    world.lane.agreeAmount(saleId, 1_000);
    await restart();
    expect(world.whatLeft()).toContain('cancel');
    expect(world.whatLeft()).not.toContain('capture');
    expect(world.lane.snapshot().recent).toMatchObject([
      { saleId, amountMinor: 1_000, outcome: { paid: false, reason: 'interrupted' } },
    ]);
  });

  test('that was agreed is the one that searches, lists and the check of the journal read', async () => {
    await found();
    world.lane.agreeAmount(saleId, 1_000);
    world.pollAnswers.push(seen('reserved', 1_000));
    await world.clock.pass(2_000);
    const path = join(world.folder, 'journal.sqlite');
    const reader = openJournalReader(path);
    const page = { size: 10, after: null };
    expect(reader.findSales({ amountMinor: 1_000 }, page).rows).toMatchObject([
      { saleId, amountMinor: 1_000 },
    ]);
    expect(reader.findSales({ amountMinor: 1_234 }, page).rows).toEqual([]);
    reader.close();
    const db = new DatabaseSync(path);
    const check = new SlowCheck(db);
    while (!check.next(100));
    expect(check.problems()).toEqual([]);
    db.close();
  });
});

test('a till’s amount is sent as soon as the customer is found: its protocol cannot change it', async () => {
  world.pollAnswers = [seen('paired')];
  const answer = world.commands.requestSale(money);
  await world.clock.pass(1_000);
  expect(world.amounts).toEqual([['ready', 1_234]]);
  expect(state()).not.toHaveProperty('toAgree');
  expect(answer.accepted && world.lane.agreeAmount(answer.sale.saleId, 1_000)).toBe('amountFixed');
});
