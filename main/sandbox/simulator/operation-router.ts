import { RegExpRouter } from 'hono/router/reg-exp-router';
import { type Operation, pathParameterNames } from '../../wallet/http/operation.ts';

export interface MatchedOperation {
  readonly operation: Operation;
  /** Path parameters by name, as sent. */
  readonly path: Readonly<Record<string, string>>;
}

/** Finds the declared operation of a request, with hono's router. */
export class OperationRouter {
  /** hono's fastest router takes no path that another path's parameter also matches, such as `/stores/detailed` and `/stores/{storeId}`. */
  readonly #routers = [new RegExpRouter<Operation | null>(), new RegExpRouter<Operation | null>()] as const;

  /** @param pathOf the whole path of an operation, with its `{parameter}`s */
  constructor(operations: Iterable<Operation>, pathOf: (operation: Operation) => string) {
    for (const operation of operations) {
      const path = pathOf(operation).replaceAll(/\{(\w+)\}/g, ':$1');
      const router = this.#routers[path.includes(':') ? 1 : 0];
      router.add(operation.method, path, operation);
      // Matches every other method, to tell 405 from 404.
      router.add('ALL', path, null);
    }
  }

  /** null: no operation has this path; 'method': none has it with this method. */
  match(method: string, path: string): MatchedOperation | 'method' | null {
    let isPathKnown = false;
    for (const router of this.#routers) {
      const [matches, values = []] = router.match(method, path);
      isPathKnown ||= matches.length > 0;
      for (const [operation, places] of matches) {
        if (operation === null) continue;
        const parameters: Record<string, string> = {};
        for (const name of pathParameterNames(operation.path)) parameters[name] = values[Number(places[name])] ?? '';
        return { operation, path: parameters };
      }
    }
    return isPathKnown ? 'method' : null;
  }
}
