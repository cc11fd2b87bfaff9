import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * What the calls to a service are made for. It goes along with the work instead of being a
 * parameter of everything on the way, because it decides nothing: it names requests in the logs,
 * ours and the service's.
 */
const current = new AsyncLocalStorage<string | undefined>();

/**
 * Runs `work`; the calls it makes, also later, have this id. A payment's is its `saleId`, which its
 * refunds share.
 */
export const withCorrelation = <Result>(correlationId: string, work: () => Result): Result =>
  current.run(correlationId, work);

/** The correlation id of what is done now; undefined when it belongs to no payment. */
export const currentCorrelation = (): string | undefined => current.getStore();
