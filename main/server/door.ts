import { Command, type CommandResult, FromScreen, type ToScreen, Watch } from '../../preload/contract.ts';
import { isQuestion } from '../../preload/procedures.ts';
import type { Answer } from '../../preload/procedures/procedure.ts';
import type { Log } from '../domain/log.ts';
import type { Session } from './session.ts';
import { openWatching, type SeenDesk, type WatchingOptions } from './watching.ts';

/** What screens can see and ask, whoever answers it. */
export interface ScreensDesk extends SeenDesk {
  command(command: Command): Promise<CommandResult>;
  /** Never rejects. @param asked unchecked */
  ask(session: Session, name: string, asked: unknown): Promise<Answer>;
}

/** One screen's way in: by WebSocket or Electron's bridge, the same contract, checked on both sides. */
export interface Door {
  /** Takes in a whole message: settles when it is answered. null: it is none of the contract. */
  message(message: unknown): Promise<void> | null;
  watch(watch: unknown): boolean;
  command(command: unknown): Promise<CommandResult>;
  ask(name: string, asked: unknown): Promise<Answer>;
  close(): void;
}

const invalid: CommandResult = { ok: false, code: 'invalid', message: 'this is not a command of the contract' };

export interface DoorOptions extends Pick<WatchingOptions, 'pictureAt'>, Pick<Session, 'address'> {
  /** Of what whoever stands there causes; left out: one of our own windows. */
  readonly log?: Pick<Log, 'warn'>;
}

/** @param send carries one message to the screen */
export function openDoor(desk: ScreensDesk, send: (message: ToScreen) => void, { address, log, ...options }: DoorOptions = {}): Door {
  const watching = openWatching({ ...options, desk, send: (view) => send({ type: 'view', view }) });
  const session: Session = { manager: null, ...(address !== undefined && { address }) };

  const door: Door = {
    message(message) {
      const parsed = FromScreen.safeParse(message);
      if (!parsed.success) return null;
      if (parsed.data.type === 'watch') return door.watch(parsed.data.watch) ? Promise.resolve() : null;
      const { id } = parsed.data;
      if (parsed.data.type === 'question') return door.ask(parsed.data.name, parsed.data.asked).then((answer) => send({ type: 'answer', id, answer }));
      return door.command(parsed.data.command).then((result) => send({ type: 'result', id, result }));
    },
    watch(watch) {
      const parsed = Watch.safeParse(watch);
      if (parsed.success) {
        session.screen = parsed.data.screen;
        watching.watch(parsed.data);
      }
      return parsed.success;
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
    ask(name, asked) {
      if (!isQuestion(name)) log?.warn({ question: name }, 'a screen asked a question that is not of the contract');
      return desk.ask(session, name, asked);
    },
    close() {
      session.manager = null;
      watching.close();
    },
  };
  return door;
}
