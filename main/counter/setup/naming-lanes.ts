import { Refusal } from '../../../preload/procedures/procedure.ts';
import type { Handlers } from '../server/router.ts';

type AnyHandler = (input: unknown, session: unknown) => unknown;

/**
 * Handlers whose refusals name the lane of `facts.laneId` in `facts.lane`: people know a lane by
 * its name alone.
 */
export function namingLanes(
  handlers: Handlers,
  nameOf: (laneId: string) => string | undefined,
): Handlers {
  const refuse = (error: unknown): never => {
    if (!(error instanceof Refusal)) throw error;
    const { code, message, field, facts } = error;
    const lane = nameOf(String(facts['laneId']));
    throw lane === undefined
      ? error
      : new Refusal(code, message, { ...(field !== null && { field }), facts: { ...facts, lane } });
  };
  const naming = (handler: AnyHandler): AnyHandler => {
    return (input, session) => {
      try {
        const answer = handler(input, session);
        return answer instanceof Promise ? answer.catch(refuse) : answer;
      } catch (error) {
        return refuse(error);
      }
    };
  };
  return Object.fromEntries(
    Object.entries(handlers).map(([name, handler]) => [name, naming(handler as AnyHandler)]),
  );
}
