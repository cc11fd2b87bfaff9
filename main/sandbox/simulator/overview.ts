import type { Faults } from './faults.ts';
import { summaryTable } from './summary.ts';
import type { LoggedRequest } from './request-log.ts';
import type { ServiceEngine } from './service-engine.ts';

/**
 * The content of the simulator's page: the tables of all interfaces, the callbacks and the last
 * requests.
 */
export function overview(
  { world, modules, ruleChecker }: ServiceEngine,
  faults: ReturnType<Faults['planned']>,
  latest: readonly LoggedRequest[],
): object {
  const callbacks = summaryTable(
    'Callbacks',
    ['Kind', 'To', 'State', 'Answers'],
    world.outbox.deliveries,
    ({ callback, state, attempts }) => ({
      cells: [
        callback.kind,
        callback.url,
        state,
        attempts.map(({ status }) => status ?? 'none').join(', '),
      ],
      actions: [],
    }),
  );
  const requests = summaryTable(
    'Requests',
    ['Operation', 'Path', 'Answer', 'Fault', 'Correlation id'],
    latest,
    (request) => ({
      cells: [
        request.operation ?? '',
        `${request.method} ${request.path}`,
        [request.status ?? 'none', request.code ?? ''].join(' ').trim(),
        request.fault ?? '',
        request.correlationId ?? '',
      ],
      actions: [],
    }),
  );
  return {
    at: world.at(),
    phones: [...world.phones.values()].map(({ phoneNumber, userName, card }) => ({
      phoneNumber,
      name: `${userName}, ${card}`,
    })),
    violations: ruleChecker.violations,
    faults,
    sections: [...modules.flatMap((module) => module.summary?.() ?? []), callbacks, requests],
  };
}
