import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { Desktop } from './desktop-app.ts';

interface AppOfTest {
  /** The app's data folder, a new one for each test. */
  readonly userData: string;
  /** Starts an app that ends with the test. */
  readonly start: (
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
  ) => Promise<Desktop>;
}

/**
 * @param entry what is started, unless it is the app itself @param endsBy SIGTERM where it has
 * started others, which end with it
 */
export function appOfTest({
  entry,
  endsBy = 'SIGKILL',
}: {
  readonly entry?: string;
  readonly endsBy?: 'SIGKILL' | 'SIGTERM';
} = {}): AppOfTest {
  let userData = '';
  let desktop: Desktop | null = null;
  beforeEach(() => {
    userData = mkdtempSync(join(tmpdir(), 'tillbeacon-desktop-'));
  });
  afterEach(async () => {
    desktop?.child.kill(endsBy);
    await desktop?.exited;
    const stderr = desktop?.stderr ?? '';
    desktop = null;
    rmSync(userData, { recursive: true, force: true });
    expect(stderr).not.toContain('nobody listens to the channel');
  });
  return {
    get userData() {
      return userData;
    },
    async start(args, env = {}) {
      desktop = await Desktop.start(args, userData, env, entry);
      return desktop;
    },
  };
}
