import { expect, test } from 'vitest';
import { openDoor } from '../../../main/server/door.ts';
import type { LaneView, ToScreen, View } from '../../../preload/contract.ts';
import { settled } from '../support/manual-clock.ts';
import { ScriptedDesk } from './scripted-desk.ts';

const money = {
  kind: 'sale',
  saleId: '3d500000-0000-4000-8000-000000000001',
  orderId: '2-1',
  amountMinor: 100,
  currency: 'DKK',
  intent: 'capture',
  needsPerson: true,
  sinceMs: 0,
} as const;

class TwoLanes extends ScriptedDesk {
  second: LaneView = { ...this.view, laneId: '2', name: 'Check-out 2', unsettled: [money] };
  override lanes(): { laneId: string; name: string }[] {
    return [...super.lanes(), { laneId: '2', name: 'Check-out 2' }];
  }
  override lane(laneId: string): LaneView | null {
    return laneId === '2' ? this.second : super.lane(laneId);
  }
}

test('a manager hears of money at every lane, whichever is in sight, and at once; a cashier of their own', async () => {
  const desk = new TwoLanes();
  const views: Record<string, View[]> = { manager: [], cashier: [] };
  for (const screen of ['manager', 'cashier'] as const)
    openDoor(desk, (message: ToScreen) => void (message.type === 'view' && views[screen]?.push(message.view))).watch({ screen, laneId: '1' });
  expect(views['manager']?.at(-1)?.elsewhere).toEqual([{ ...money, laneName: 'Check-out 2' }]);
  expect(views['cashier']?.at(-1)).not.toHaveProperty('elsewhere');

  desk.second = { ...desk.second, unsettled: [] };
  desk.change('2');
  await settled();
  expect(views['manager']?.at(-1)?.elsewhere).toEqual([]);
  expect(views['cashier']).toHaveLength(1);
});
