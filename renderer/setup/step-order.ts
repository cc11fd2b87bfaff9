import type { OutputOf } from '../../preload/procedures.ts';
import type { CustomersSee } from '../../preload/procedures/setup-customer.ts';
import type { CustomerWays } from '../../preload/procedures/setup-ways.ts';

export type SetupState = OutputOf<'setupState'>;
export type Draft = NonNullable<SetupState['draft']>;
type LaneInUse = NonNullable<SetupState['inUse']>['lanes'][number];
type TestedWith = NonNullable<Draft['tested']>;

const order = [
  'language',
  'wallet',
  'store',
  'pointOfSale',
  'till',
  'test',
  'manager',
  'finish',
] as const;
export type StepId = (typeof order)[number];

export type Finished = OutputOf<'finishSetup'>;

/** The pages outside the steps. */
export type Page =
  | { readonly at: 'overview' }
  | { readonly at: 'done'; readonly finished: Finished };
export type Where =
  | Page
  /** `from` is the page on which an edit began and to which it returns. */
  | { readonly at: 'step'; readonly step: StepId; readonly from?: 'overview' | 'review' }
  | { readonly at: 'customers'; readonly seen: CustomersSee; readonly from: Page }
  | { readonly at: 'ways'; readonly kept: CustomerWays; readonly from: Page }
  | { readonly at: 'paymentTest' | 'checkInTest'; readonly laneId: string };

/** A lane as people call it. */
export const laneName = (
  lanes: NonNullable<SetupState['inUse']>['lanes'],
  laneId: string | null,
): string => lanes.find((lane) => lane.laneId === laneId)?.name ?? laneId ?? '';

/** The steps of this draft. @param makesManager the counter had no manager when this setup began */
export function stepsOf(draft: Draft | null, makesManager: boolean): readonly StepId[] {
  // The simulator has a store of its own, and a sales unit is one.
  const hasStore = draft?.wallet == null || draft.wallet.kind === 'service';
  return order.filter((id) => (id === 'store' ? hasStore : id === 'manager' ? makesManager : true));
}

/**
 * The step to continue at. It is derived from the draft alone, so it is the same on another screen
 * and after a reload.
 */
export function resumeAt(draft: Draft | null, hasManager: boolean): StepId {
  if (draft === null) return 'language';
  if (draft.next !== 'finish') return draft.next;
  // A change of a lane in use begins at the summary.
  if (draft.laneId !== null) return 'finish';
  if (draft.tested === null) return 'test';
  return hasManager ? 'finish' : 'manager';
}

/**
 * The step after one that is done. An earlier step that is incomplete comes first, e.g. the store
 * after a change of the wallet.
 * @param isEdit whether the step was opened from the review, to which it returns
 */
export function stepAfter(done: StepId, draft: Draft, hasManager: boolean, isEdit = false): StepId {
  if ((draft.laneId !== null || isEdit) && draft.next === 'finish') return 'finish';
  const path = stepsOf(draft, !hasManager);
  const next = path[path.indexOf(done) + 1] ?? 'finish';
  if (draft.next === 'finish') return next;
  return path.indexOf(draft.next) < path.indexOf(next) ? draft.next : next;
}

export function stepBefore(current: StepId, path: readonly StepId[]): StepId | null {
  return path[path.indexOf(current) - 1] ?? null;
}

export function stepsDone(draft: Draft | null, hasManager: boolean): ReadonlySet<StepId> {
  const done = new Set<StepId>();
  if (draft !== null) {
    for (const id of ['language', 'store', 'pointOfSale', 'till'] as const)
      if (draft[id] !== null) done.add(id);
    if (draft.wallet !== null && draft.next !== 'wallet') done.add('wallet');
    if (draft.tested !== null) done.add('test');
  }
  if (hasManager) done.add('manager');
  return done;
}

/**
 * The till that the test payment suggests: the shop's own when it was heard, the built-in one
 * otherwise.
 * @param lanes the lanes in use. Each listens at its line, so that its till can be tried at another
 * line only
 */
export function suggestedTestTill(
  draft: Draft | null,
  lanes: readonly Pick<LaneInUse, 'laneId' | 'till'>[],
): TestedWith {
  const till = draft?.till ?? null;
  if (draft === null || till === null || draft.unheard) return 'own';
  const inUse = lanes.find(({ laneId }) => laneId === draft.laneId);
  if (inUse === undefined) return 'till';
  if (till.transport === 'http') return 'own';
  const address =
    till.transport === 'serial' ? `serial:${till.path}` : `tcp:${till.host}:${till.port}`;
  return inUse.till === address ? 'own' : 'till';
}

/** The steps that are done but not proven: the till's, when nothing was received from it. */
export const stepsToCheck = (draft: Draft | null): ReadonlySet<StepId> =>
  new Set(draft?.unheard === true ? ['till' as const] : []);
