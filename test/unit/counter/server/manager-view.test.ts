import { expect, test } from 'vitest';
import { openConnection } from '../../../../main/counter/server/connection.ts';
import { type LaneView, ScreenName, type View } from '../../../../preload/contract.ts';
import { watchMessage } from '../../../support/contract-client.ts';
import { settled } from '../../support/manual-clock.ts';
import { ScriptedViews } from './scripted-views.ts';

const money = {
  kind: 'sale',
  saleId: '3d500000-0000-4000-8000-000000000001',
  orderId: '2-1',
  amountMinor: 100,
  currency: 'DKK',
  intent: 'capture',
  known: 'lost',
  needsPerson: true,
  sinceMs: 0,
} as const;

class TwoLanes extends ScriptedViews {
  second: LaneView = { ...this.view, laneId: '2', name: 'Check-out 2', unsettled: [money] };
  override lanes(): { laneId: string; name: string }[] {
    return [...super.lanes(), { laneId: '2', name: 'Check-out 2' }];
  }
  override lane(laneId: string): LaneView | null {
    return laneId === '2' ? this.second : super.lane(laneId);
  }
}

test('a manager hears of money at every lane, whichever is in sight, and at once; a cashier of their own', async () => {
  const scripted = new TwoLanes();
  const views: Record<string, View[]> = { manager: [], cashier: [] };
  for (const screen of ['manager', 'cashier'] as const)
    void openConnection(
      { views: scripted, router: scripted },
      (message) =>
        void (message.t === 'q' && message.m === 'view' && views[screen]?.push(message.a[0])),
    ).receive(watchMessage({ screen, laneId: '1' }));
  expect(views['manager']?.at(-1)?.elsewhere).toEqual([{ ...money, laneName: 'Check-out 2' }]);
  expect(views['cashier']?.at(-1)).not.toHaveProperty('elsewhere');

  scripted.second = { ...scripted.second, unsettled: [] };
  scripted.change('2');
  await settled();
  expect(views['manager']?.at(-1)?.elsewhere).toEqual([]);
  expect(views['cashier']).toHaveLength(1);
});

test('a customer’s loyalty ids are on the cashier’s screen and on no other', () => {
  const scripted = new ScriptedViews();
  scripted.view = { ...scripted.view, loyaltyIds: ['LOYAL-4711'] };
  const seen = ScreenName.options.filter((screen) => {
    const sent: string[] = [];
    const connection = openConnection(
      { views: scripted, router: scripted },
      (message) => void sent.push(JSON.stringify(message)),
    );
    void connection.receive(watchMessage({ screen, laneId: '1' }));
    connection.close();
    return sent.some((message) => /loyal/i.test(message));
  });
  expect(seen).toEqual(['cashier']);
});
