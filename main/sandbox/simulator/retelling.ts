import type { Happening } from './happening.ts';
import type { Route, Service } from './service.ts';

/** What once came to the world comes to it again; who asked for it then was answered then. */
export function happenAgain(service: Service, happening: Happening): void {
  const { world } = service;
  switch (happening.kind) {
    case 'arrived': {
      const { route, parameters } = found(service, happening);
      return service.arrived(route, parameters, happening);
    }
    case 'acted': {
      const { route, parameters } = found(service, happening);
      return again(() => service.answer(route, parameters, new URLSearchParams(happening.search), happening, happening.body));
    }
    case 'token':
      service.authority.token(happening.authorization, happening.contentType, happening.form);
      return;
    case 'delivered':
      return service.delivered(happening.resource, happening.pollDelayInMs);
    case 'door':
      return again(() => service.door(happening.name)?.(happening.body));
    case 'movedAhead':
      return world.clock.moveTo(happening.toMs);
    case 'wallShifted':
      return world.clock.shiftWall(happening.ms);
    case 'calledBack':
      return world.outbox.answered(happening.number, happening.status);
    case 'due':
      // Whoever keeps the time lets it come.
      return;
  }
}

function again(act: () => unknown): void {
  try {
    act();
  } catch {
    // It failed then as well, and whoever asked was told.
  }
}

function found(service: Service, { method, path }: { readonly method: string; readonly path: string }): { route: Route; parameters: string[] } {
  const way = service.route(method, path);
  if (way === null || way === 'method') throw new Error(`the books have ${method} ${path}, which is no operation`);
  return way;
}
