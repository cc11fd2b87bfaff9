import type { Context, Hono } from 'hono';
import { pageType } from './metrics.ts';
import type { Readiness } from './readiness.ts';

export interface MonitoringPages {
  readonly readiness: () => Readiness | Promise<Readiness>;
  /** The page of the metrics. */
  readonly metrics: () => Promise<string>;
}

/**
 * Liveness and readiness. They tell nothing but the status, so everybody who reaches the server may
 * read them.
 */
export function statusPages(app: Hono, { readiness }: Pick<MonitoringPages, 'readiness'>): void {
  app.get('/healthz', (context) => context.text('ok\n'));
  app.get('/readyz', async (context) => {
    const { isReady, words } = await readiness();
    return context.text(`${isReady ? 'ready' : 'not ready'}: ${words}\n`, isReady ? 200 : 503);
  });
}

/** @param refused the answer to a request that may not read them; null when it may */
export function metricsPage(
  app: Hono,
  { metrics }: Pick<MonitoringPages, 'metrics'>,
  refused: (context: Context) => Response | null,
): void {
  app.get(
    '/metrics',
    async (context) =>
      refused(context) ?? context.body(await metrics(), 200, { 'content-type': pageType }),
  );
}

/**
 * A page of a web site cannot read the answer. It is refused, so that it learns nothing from the
 * answer's length or time either.
 */
export function refusedToPages(context: Context): Response | null {
  const site = context.req.header('sec-fetch-site');
  const isOfPage =
    context.req.header('origin') !== undefined ||
    (site !== undefined && site !== 'none' && site !== 'same-origin');
  return isOfPage ? context.text('Metrics are for no web page\n', 403) : null;
}
