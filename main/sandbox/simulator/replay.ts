import type { ServiceEngine } from './service-engine.ts';
import type { WorldEvent } from './world-event.ts';

/**
 * Executes an event of the log again. The answer is dropped, because the client had it the first
 * time.
 */
export function replayEvent(service: ServiceEngine, event: WorldEvent): void {
  const { world } = service;
  switch (event.kind) {
    case 'arrived': {
      const { route, path } = routeOf(service, event);
      return service.arrived(route, path, event);
    }
    case 'acted': {
      const { route, path } = routeOf(service, event);
      return ignoringErrors(() =>
        service.answer(route, path, new URLSearchParams(event.search), event, event.body),
      );
    }
    case 'token':
      service.integratorAuth.token(event.authorization, event.contentType, event.form);
      return;
    case 'delivered':
      return service.delivered(event.resource, world.clock.monotonicMs() + event.pollDelayInMs);
    case 'door':
      return ignoringErrors(() => service.testEndpoints.get(event.name)?.(event.body));
    case 'movedAhead':
      return world.clock.moveTo(event.toMs);
    case 'wallShifted':
      return world.clock.shiftWall(event.ms);
    case 'calledBack':
      return world.outbox.answered(event.number, event.status);
    case 'rulesAdopted':
      return world.adoptRules(event.version);
    case 'storeAdded':
      return void world.addStore(event);
    case 'due':
      // The log runs the timer itself, because it is the clock.
      return;
  }
}

/** A request that failed the first time fails again in the same way. */
function ignoringErrors(act: () => unknown): void {
  try {
    act();
  } catch {}
}

function routeOf(
  service: ServiceEngine,
  { method, path }: { readonly method: string; readonly path: string },
) {
  const route = service.route(method, path);
  if (route === null || route === 'method')
    throw new Error(`the event log has ${method} ${path}, which is not an operation`);
  return route;
}
