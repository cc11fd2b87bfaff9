import type { Handlers } from '../../../main/counter/server/router.ts';
import type { Refusal } from '../../../preload/procedures/procedure.ts';
import { type Scene } from '../stage.ts';
import { quietLane } from '../../support/quiet-lane.ts';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
/** Midnight of the day that is shown. */
export const todayMs = Date.parse('2026-11-21T00:00:00+01:00');

const ada = { managerId: 'ada00000-0000-4000-8000-000000000001', name: 'Ada Lund' };
const bo = { managerId: 'b0000000-0000-4000-8000-000000000002', name: 'Bo Kristensen-Nørgaard' };
export const managers = [ada, bo];

const lanes = [quietLane, { ...quietLane, laneId: '2', name: 'Itsepalvelukassa 2' }];
const signsOutAfterMs = 300_000;

export const session = (
  people: readonly { managerId: string; name: string }[],
  isSignedIn: boolean,
  codeFile: string | null = null,
): Handlers => ({
  session: () => ({
    managers: [...people],
    signedIn: isSignedIn ? (people[0] ?? null) : null,
    signsOutAfterMs,
    codeFile,
  }),
});

/** Ada has signed in. */
export function managerScene(answers: Handlers, about: Partial<Scene> = {}): Scene {
  return { lanes, ...about, answers: { ...session(managers, true), ...answers } };
}

export const refuses = (refusal: Refusal) => (): never => {
  throw refusal;
};
