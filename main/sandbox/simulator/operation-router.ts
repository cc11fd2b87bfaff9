import { UnsupportedPathError } from 'hono/router';
import { RegExpRouter } from 'hono/router/reg-exp-router';
import { type Operation, pathParameterNames } from '../../wallets/http/operation.ts';

export interface MatchedOperation {
  readonly operation: Operation;
  /** Path parameters by name, as sent. */
  readonly path: Readonly<Record<string, string>>;
}

/** Finds the declared operation of a request, with hono's router. */
export class OperationRouter {
  /**
   * hono's fastest router refuses a path that another one covers with a parameter, as
   * `/stores/{storeId}` covers `/stores/detailed`, so such paths are added to the next router. The
   * first router has the paths without parameters.
   */
  readonly #routers = [
    new RegExpRouter<Operation | null>(),
    new RegExpRouter<Operation | null>(),
    new RegExpRouter<Operation | null>(),
  ] as const;

  /** @param pathOf the whole path of an operation, with its `{parameter}`s */
  constructor(operations: Iterable<Operation>, pathOf: (operation: Operation) => string) {
    for (const operation of operations) {
      const path = pathOf(operation).replaceAll(/\{(\w+)\}/g, ':$1');
      this.#add(operation, path, path.includes(':') ? 1 : 0);
    }
  }

  #add(operation: Operation, path: string, from: number): void {
    try {
      const router = this.#routers[from];
      router?.add(operation.method, path, operation);
      // Matches every other method, to tell 405 from 404.
      router?.add('ALL', path, null);
    } catch (error) {
      if (!(error instanceof UnsupportedPathError) || from + 1 >= this.#routers.length) throw error;
      this.#add(operation, path, from + 1);
    }
  }

  /** @returns null when no operation has this path, 'method' when one has it with another method */
  match(method: string, path: string): MatchedOperation | 'method' | null {
    let isPathKnown = false;
    for (const router of this.#routers) {
      const [matches, values = []] = router.match(method, path);
      isPathKnown ||= matches.length > 0;
      for (const [operation, places] of matches) {
        if (operation === null) continue;
        const parameters: Record<string, string> = {};
        for (const name of pathParameterNames(operation.path))
          parameters[name] = values[Number(places[name])] ?? '';
        return { operation, path: parameters };
      }
    }
    return isPathKnown ? 'method' : null;
  }
}
