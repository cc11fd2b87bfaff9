import type { ScreensDesk } from '../../../main/server/door.ts';
import type { Session } from '../../../main/server/session.ts';
import type { Command, CommandResult, LaneView } from '../../../preload/contract.ts';
import type { Answer } from '../../../preload/procedures/procedure.ts';

/** What the screens see and ask, said by a test. */
export class ScriptedDesk implements ScreensDesk {
  readonly commands: Command[] = [];
  readonly asked: { readonly session: Session; readonly name: string; readonly asked: unknown }[] = [];
  readonly listeners = new Set<(laneId: string) => void>();
  value: unknown = {};
  beforeAnswer: () => Promise<void> = async () => {};
  answer: () => Promise<CommandResult> = async () => ({ ok: true });
  view: LaneView = {
    laneId: '1',
    name: 'Check-out 1',
    currency: 'DKK',
    state: { kind: 'idle' },
    service: 'real',
    customer: { shopName: null, logo: null, picture: null, language: null, checkIn: null },
    till: { address: 'serial:/dev/ttyUSB0', link: 'connected', detail: null },
    refund: null,
    unsettled: [],
    recent: [],
    journalDamage: null,
  };

  others: LaneView[] = [];

  lanes(): { laneId: string; name: string }[] {
    return [{ laneId: '1', name: 'Check-out 1' }, ...this.others.map(({ laneId, name }) => ({ laneId, name }))];
  }
  lane(laneId: string): LaneView | null {
    return laneId === '1' ? this.view : (this.others.find((other) => other.laneId === laneId) ?? null);
  }
  language(): LaneView['customer']['language'] {
    return this.view.customer.language;
  }
  demo(): null {
    return null;
  }
  subscribe(listener: (laneId: string) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
  /** How many customers' screens show each lane. */
  readonly watched = new Map<string, number>();
  watchedByCustomer(laneId: string): () => void {
    const count = (more: number): void => void this.watched.set(laneId, (this.watched.get(laneId) ?? 0) + more);
    count(1);
    return () => count(-1);
  }
  command(command: Command): Promise<CommandResult> {
    this.commands.push(command);
    return this.answer();
  }
  ask(session: Session, name: string, asked: unknown): Promise<Answer> {
    this.asked.push({ session, name, asked });
    return this.beforeAnswer().then(() => ({ ok: true, value: this.value }));
  }
  change(laneId = '1'): void {
    for (const listener of this.listeners) listener(laneId);
  }
}
