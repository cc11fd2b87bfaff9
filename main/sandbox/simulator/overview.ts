import type { Faults } from './faults.ts';
import { glance } from './glance.ts';
import type { LoggedRequest } from './request-log.ts';
import type { Service } from './service.ts';

/** What the page shows: all interfaces at a glance, who is called back, and what was asked last. */
export function overview({ world, faces, ruleChecker }: Service, faults: ReturnType<Faults['planned']>, latest: readonly LoggedRequest[]): object {
  const callbacks = glance('Callbacks', ['Kind', 'To', 'State', 'Answers'], world.outbox.deliveries, ({ callback, state, attempts }) => ({
    cells: [callback.kind, callback.url, state, attempts.map(({ status }) => status ?? 'none').join(', ')],
    actions: [],
  }));
  const requests = glance('Requests', ['Operation', 'Path', 'Answer', 'Fault'], latest, ({ operation, method, path, status, code, fault }) => ({
    cells: [operation ?? '', `${method} ${path}`, [status ?? 'none', code ?? ''].join(' ').trim(), fault ?? ''],
    actions: [],
  }));
  return {
    at: world.at(),
    phones: [...world.phones.values()].map(({ phoneNumber, userName, card }) => ({ phoneNumber, name: `${userName}, ${card}` })),
    violations: ruleChecker.violations,
    faults,
    sections: [...faces.flatMap((face) => face.glance?.() ?? []), callbacks, requests],
  };
}
