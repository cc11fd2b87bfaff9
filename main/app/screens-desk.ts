import type { CommandResult, DemoCommand } from '../../preload/contract.ts';
import type { Lane } from '../lane/lane.ts';
import type { ScreensDesk } from '../server/door.ts';
import { laneView, type ShopShown } from '../server/lane-view.ts';
import type { Router } from '../server/router.ts';
import { cashierCommand } from './cashier-commands.ts';
import type { Counter } from './counter.ts';

/** What the screens see and ask, answered by the lanes and, in a demonstration, by the demo. */
export function createScreensDesk({
  counter,
  questions,
  shop,
  listeners,
}: {
  /** null: not set up yet. */
  counter: () => Counter | null;
  questions: Router;
  shop: () => ShopShown;
  listeners: Set<(laneId: string | null) => void>;
}): ScreensDesk {
  const laneOf = (laneId: string): Lane | undefined => counter()?.lanes.find(({ id }) => id === laneId);
  return {
    lanes: () => counter()?.lanes.map((lane) => ({ laneId: lane.id, name: lane.name })) ?? [],
    lane(laneId) {
      const lane = laneOf(laneId);
      return lane === undefined ? null : laneView(lane.snapshot(), shop(), counter()?.service);
    },
    language: () => shop().language,
    demo: (laneId) => counter()?.demo?.view(laneId) ?? null,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    watchedByCustomer: (laneId) => laneOf(laneId)?.watchedByCustomer() ?? (() => {}),
    ask: (session, name, asked) => questions.ask(session, name, asked),
    async command(command): Promise<CommandResult> {
      const lane = laneOf(command.laneId);
      if (lane === undefined) return { ok: false, code: 'unknownLane', message: `there is no lane ${command.laneId}` };
      switch (command.type) {
        case 'cancelSale':
        case 'leaveSale':
        case 'payByHand':
          return cashierCommand(lane, command);
        case 'demoTill':
        case 'demoTillPay':
        case 'demoPhone':
          return demoCommand(command);
      }
    },
  };

  async function demoCommand(command: DemoCommand): Promise<CommandResult> {
    return counter()?.demo?.command(command) ?? { ok: false, code: 'notInDemo', message: 'this daemon serves real tills' };
  }
}
