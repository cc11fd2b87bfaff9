import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Desktop, settingsFor } from '../desktop/desktop-app.ts';
import { Product } from '../support/processes.ts';

export interface AppStart {
  /** Time from the start of the process until its lane can take a payment. */
  readonly readyMs: number;
  /** First contentful paint of the cashier's window, from the load of its page. */
  readonly paintMs: number;
}

/**
 * The app with payments of its own over the stand-in for Electron, at a point of sale that the
 * first start has created.
 */
export async function measureAppStarts(
  runs: number,
  say: (line: string) => void,
): Promise<readonly AppStart[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-bench-'));
  const settingsFile = join(folder, 'settings.json');
  const service = new Product('simulator', ['--port', '0']);
  writeFileSync(settingsFile, JSON.stringify((await settingsFor(service, 'lane-1')).settings), {
    mode: 0o600,
  });
  const starts: AppStart[] = [];
  for (let run = 0; run <= runs; run += 1) {
    const startedAtMs = performance.now();
    const app = await Desktop.start(['--settings', settingsFile], folder);
    await app.isReady();
    const readyMs = performance.now() - startedAtMs;
    const cashier = await app.window('cashier');
    await cashier.locator('[data-state="idle"]').waitFor();
    await cashier.waitForFunction(
      () => performance.getEntriesByName('first-contentful-paint').length > 0,
    );
    const paintMs = await cashier.evaluate(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    );
    if (run > 0) starts.push({ readyMs, paintMs });
    await app.end();
  }
  await service.end();
  rmSync(folder, { recursive: true });
  say(
    `the app: ${starts.map(({ readyMs, paintMs }) => `ready ${readyMs.toFixed(0)}, first paint ${paintMs.toFixed(0)} ms`).join('; ')}`,
  );
  return starts;
}
