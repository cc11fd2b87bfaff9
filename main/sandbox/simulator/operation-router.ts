import { UnsupportedPathError } from 'hono/router';
import { RegExpRouter } from 'hono/router/reg-exp-router';
import { type Operation, pathParameterNames } from '../../wallet/http/operation.ts';

export interface MatchedOperation {
  readonly operation: Operation;
  /** Path parameters by name, as sent. */
  readonly path: Readonly<Record<string, string>>;
}

/** Finds the declared operation of a request, with hono's router. */
export class OperationRouter {
  /**
   * hono's fastest router takes no path where another one has a parameter, such as `/stores/detailed` and `/stores/{storeId}`: that path is in the
   * next router. The first is for those without parameters.
   */
  readonly #routers = [new RegExpRouter<Operation | null>(), new RegExpRouter<Operation | null>(), new RegExpRouter<Operation | null>()] as const;

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

  /** null when no operation has this path; 'method': none has it with this method. */
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
