import type { Command, CommandResult } from '../../preload/contract.ts';
import type { Demo } from '../demo/demo.ts';
import type { Lane } from '../lane/lane.ts';
import type { ScreensDesk } from '../screens/door.ts';
import { laneView } from '../screens/lane-view.ts';

/** What the screens see and ask, answered by the lanes and, in a demonstration, by the demo. */
export function createScreensDesk({
  lanes,
  demo,
  listeners,
}: {
  lanes: readonly Lane[];
  demo: Demo | null;
  listeners: Set<(laneId: string) => void>;
}): ScreensDesk {
  const byId = new Map(lanes.map((lane) => [lane.id, lane]));
  return {
    lanes: () => lanes.map((lane) => ({ laneId: lane.id, name: lane.snapshot().name })),
    lane(laneId) {
      const lane = byId.get(laneId);
      return lane === undefined ? null : laneView(lane.snapshot());
    },
    demo: (laneId) => demo?.view(laneId) ?? null,
    subscribe(listener) {
      listeners.add(listener);
      const stopDemo = demo?.subscribe(listener);
      return () => {
        listeners.delete(listener);
        stopDemo?.();
      };
    },
    async command(command): Promise<CommandResult> {
      const lane = byId.get(command.laneId);
      if (lane === undefined) return { ok: false, code: 'unknownLane', message: `there is no lane ${command.laneId}` };
      return command.type === 'cancelSale' ? cancelSale(lane, command.saleId) : demoCommand(command);
    },
  };

  async function demoCommand(command: Exclude<Command, { type: 'cancelSale' }>): Promise<CommandResult> {
    return demo === null ? { ok: false, code: 'notInDemo', message: 'this daemon serves real tills' } : demo.command(command);
  }
}

function cancelSale(lane: Lane, saleId: string): CommandResult {
  switch (lane.cancelByCashier(saleId)) {
    case 'cancelling':
      return { ok: true };
    case 'tooLate':
      return { ok: false, code: 'tooLate', message: 'the customer was faster: the till is being told "paid"' };
    case 'unknownSale':
      return { ok: false, code: 'unknownSale', message: 'this sale has already ended' };
  }
}
