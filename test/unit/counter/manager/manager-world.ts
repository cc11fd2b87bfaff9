import { join } from 'node:path';
import { systemIds } from '../../../../main/core/domain/ids.ts';
import { DownloadStore } from '../../../../main/counter/server/download-store.ts';
import { afterEach, beforeEach, expect } from 'vitest';
import { type JournalReader, openJournalReader } from '../../../../main/core/journal/reader.ts';
import { dayHandlers } from '../../../../main/counter/manager/day/day-handlers.ts';
import { pointOfSaleCapabilities } from '../../../../main/wallets/v10/point-of-sale/point-of-sale-capabilities.ts';
import { refundHandlers } from '../../../../main/counter/manager/refunds/refunds-handlers.ts';
import { reservationHandlers } from '../../../../main/counter/manager/reservations/reservations-handlers.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { Router } from '../../../../main/counter/server/router.ts';
import type { AnswerTo, InputOf, ProcedureName } from '../../../../preload/procedures.ts';
import { money, reserved, World } from '../../core/lane/support.ts';

export const shop = {
  name: 'Hansens Købmand',
  address: 'Nørregade 12, 1165 København K',
  vat: 'DK12345678',
};

const anna = { manager: { managerId: '3d500000-0000-4000-8000-000000000001', name: 'Anna' } };
export const actionId = 'a3c70000-0000-4000-8000-000000000001';
export const dayMs = 24 * 60 * 60 * 1_000;

/** The lane of the test under way, with its journal. */
export let world: World;
/** A sale that is paid and confirmed. */
export let saleId: string;
let reader: JournalReader;
let isTimeKnown: boolean;
let downloads: DownloadStore | null;

async function open(): Promise<void> {
  await world.open();
  reader = openJournalReader(join(world.folder, 'journal.sqlite'));
}
/** Gives each test of a file a lane with one paid sale. */
export function openManagerWorld(): void {
  beforeEach(async () => {
    isTimeKnown = true;
    downloads = null;
    world = new World();
    await open();
    saleId = await pay();
  });
  afterEach(() => {
    reader.close();
    world.remove();
  });
}
/** Replaces the lane of the test under way by another one, without a sale. */
export async function replaceWorld(next: World): Promise<void> {
  reader.close();
  world.remove();
  world = next;
  await open();
}
export function loseTime(): void {
  isTimeKnown = false;
}

export async function ask<Name extends ProcedureName>(
  name: Name,
  asked: InputOf<Name>,
): Promise<AnswerTo<Name>> {
  const lanes = () => [world.lane];
  const { clock, journal } = world;
  const files = (downloads ??= new DownloadStore({ clock, ids: systemIds }));
  const handlers = {
    ...refundHandlers({
      reader: () => reader,
      lanes,
      service: () => null,
      shop: () => shop,
      capabilities: () => pointOfSaleCapabilities,
      clock,
    }),
    ...dayHandlers({
      reader: () => reader,
      journal,
      lanes,
      shop: () => shop,
      isTimeKnown: () => isTimeKnown,
      downloads: files,
      clock,
    }),
    ...files.handlers,
    ...reservationHandlers({ lanes }),
  };
  const router = new Router({
    handlers,
    middleware: { mayCall: () => true, record() {}, recordRefused() {} },
    log: silentLog,
  });
  return (await router.call(anna, name, asked)) as AnswerTo<Name>;
}
export async function value<Name extends ProcedureName>(name: Name, asked: InputOf<Name>) {
  const answer = await ask(name, asked);
  if (!answer.ok) throw new Error(`${answer.code}: ${answer.message}`);
  return answer.value;
}

/** @returns a sale that is paid and confirmed */
export async function pay(amountMinor: number = money.amountMinor): Promise<string> {
  world.pollAnswers = [{ ...reserved, amountMinor }];
  const answer = world.commands.requestSale({ ...money, amountMinor });
  if (!answer.accepted) throw new Error(answer.reason);
  await world.clock.pass(1_000);
  return answer.sale.saleId;
}
export async function refuse(): Promise<string> {
  world.pollAnswers = [{ ...reserved, status: 'cancelledByUser' }];
  const answer = world.commands.requestSale(money);
  if (!answer.accepted) throw new Error(answer.reason);
  await world.clock.pass(1_000);
  return answer.sale.saleId;
}
export const refund = (about: Partial<InputOf<'refund'>> = {}) =>
  ask('refund', { actionId, saleId, amountMinor: 234, note: 'broken lid', ...about });
export async function refunded(about: Partial<InputOf<'refund'>> = {}): Promise<void> {
  world.refundPollAnswers = [{ kind: 'seen', status: 'reserved' }];
  expect(await refund(about)).toMatchObject({ ok: true });
  await world.clock.pass(1_000);
}
