import type { Session } from '../../../../main/counter/server/session.ts';
import type { Views } from '../../../../main/counter/server/watching.ts';
import type { LaneView } from '../../../../preload/contract.ts';
import type { Answer } from '../../../../preload/procedures/procedure.ts';
import { quietLane } from '../../../support/quiet-lane.ts';

/** Views and answers as a test sets them, in place of the application's views and router. */
export class ScriptedViews implements Views {
  readonly calls: { readonly session: Session; readonly name: string; readonly input: unknown }[] =
    [];
  readonly listeners = new Set<(laneId: string) => void>();
  value: unknown = {};
  answer: () => Promise<Answer> = async () => ({ ok: true, value: this.value });
  view: LaneView = quietLane;

  others: LaneView[] = [];

  lanes(): { laneId: string; name: string }[] {
    return [
      { laneId: '1', name: 'Check-out 1' },
      ...this.others.map(({ laneId, name }) => ({ laneId, name })),
    ];
  }
  lane(laneId: string): LaneView | null {
    return laneId === '1'
      ? this.view
      : (this.others.find((other) => other.laneId === laneId) ?? null);
  }
  language(): LaneView['customer']['language'] {
    return this.view.customer.language;
  }
  restored(): null {
    return null;
  }
  isSetUp(): boolean {
    return this.lanes().length > 0;
  }
  demo(): null {
    return null;
  }
  subscribe(listener: (laneId: string) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
  /** The number of screens that can show the code, by lane. */
  readonly watched = new Map<string, number>();
  showsCode(laneId: string): () => void {
    const count = (more: number): void =>
      void this.watched.set(laneId, (this.watched.get(laneId) ?? 0) + more);
    count(1);
    return () => count(-1);
  }
  call(session: Session, name: string, input: unknown): Promise<Answer> {
    this.calls.push({ session, name, input });
    return this.answer();
  }
  change(laneId = '1'): void {
    for (const listener of this.listeners) listener(laneId);
  }
}
