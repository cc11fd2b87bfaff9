import { Command, type CommandResult, type DemoView, FromScreen, type LaneView, type ToScreen, type View, Watch } from '../../preload/contract.ts';
import type { Answer } from '../../preload/questions/question.ts';
import type { Session } from './session.ts';

/** What screens can see and ask, whoever answers it. */
export interface ScreensDesk {
  lanes(): { laneId: string; name: string }[];
  lane(laneId: string): LaneView | null;
  /** null: this daemon serves real tills. */
  demo(laneId: string): DemoView | null;
  /** Calls back with the lane at each change, and with null when the lanes themselves are others; returns the way to stop. */
  subscribe(listener: (laneId: string | null) => void): () => void;
  command(command: Command): Promise<CommandResult>;
  /** Never rejects. @param asked unchecked */
  ask(session: Session, name: string, asked: unknown): Promise<Answer>;
}

/** One screen's way in: by WebSocket or Electron's bridge, the same contract, checked on both sides. */
export interface Door {
  /** Takes in a whole message. false: it is none of the contract. */
  message(message: unknown): boolean;
  watch(watch: unknown): boolean;
  command(command: unknown): Promise<CommandResult>;
  ask(name: string, asked: unknown): Promise<Answer>;
  close(): void;
}

const invalid: CommandResult = { ok: false, code: 'invalid', message: 'this is not a command of the contract' };

/** @param send carries one message to the screen */
export function openDoor(desk: ScreensDesk, send: (message: ToScreen) => void): Door {
  let watched: Watch | null = null;
  let laneId: string | null = null;
  let due = false;
  const session: Session = { manager: null };

  const push = (): void => {
    due = false;
    laneId = watched?.laneId ?? desk.lanes()[0]?.laneId ?? null;
    if (watched !== null) send({ type: 'view', view: viewOf(desk, watched, laneId) });
  };
  const stop = desk.subscribe((changed) => {
    // Several changes in one turn are one view: it is whole each time.
    const concerns = changed === null || changed === laneId || watched?.screen === 'manager';
    if (!concerns || due) return;
    due = true;
    queueMicrotask(push);
  });

  const door: Door = {
    message(message) {
      const parsed = FromScreen.safeParse(message);
      if (!parsed.success) return false;
      if (parsed.data.type === 'watch') return door.watch(parsed.data.watch);
      const { id } = parsed.data;
      if (parsed.data.type === 'question') void door.ask(parsed.data.name, parsed.data.asked).then((answer) => send({ type: 'answer', id, answer }));
      else void door.command(parsed.data.command).then((result) => send({ type: 'result', id, result }));
      return true;
    },
    watch(watch) {
      const parsed = Watch.safeParse(watch);
      if (!parsed.success) return false;
      watched = parsed.data;
      push();
      return true;
    },
    async command(command) {
      const parsed = Command.safeParse(command);
      if (!parsed.success) return invalid;
      try {
        return await desk.command(parsed.data);
      } catch (error) {
        // One command that fails is its asker's to hear of, and no reason to stop the till.
        return { ok: false, code: 'failed', message: error instanceof Error ? error.message : String(error) };
      }
    },
    ask: (name, asked) => desk.ask(session, name, asked),
    close() {
      session.manager = null;
      watched = null;
      stop();
    },
  };
  return door;
}

function viewOf(desk: ScreensDesk, watched: Watch, laneId: string | null): View {
  return {
    lanes: desk.lanes(),
    lane: laneId === null ? null : desk.lane(laneId),
    demo: laneId !== null && watched.screen === 'demo' ? desk.demo(laneId) : null,
    ...(watched.screen === 'manager' ? { elsewhere: unsettledElsewhere(desk, laneId) } : {}),
  };
}

/** A manager answers for every lane, whichever is in sight. */
function unsettledElsewhere(desk: ScreensDesk, laneId: string | null): NonNullable<View['elsewhere']> {
  const others = desk.lanes().filter((lane) => lane.laneId !== laneId);
  return others.flatMap(({ laneId: other, name: laneName }) => (desk.lane(other)?.unsettled ?? []).map((money) => ({ ...money, laneName })));
}
