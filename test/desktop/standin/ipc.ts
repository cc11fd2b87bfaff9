import { EventEmitter } from 'node:events';
import type { IpcMain as ElectronIpcMain } from 'electron';

/**
 * Has one-way messages only: the app has no handlers, so every call of a page is refused
 * (`worlds.ts`).
 */
class IpcMain extends EventEmitter implements Pick<ElectronIpcMain, 'handle'> {
  handle(channel: string): never {
    throw new Error(`the stand-in has no ipcMain.handle: ${channel}`);
  }
}
export const ipcMain = new IpcMain();

/**
 * Electron drops a message that nobody listens to without a word; here the test fails by it
 * (`app-of-test.ts`).
 */
export function deliver(channel: string, event: object, args: readonly unknown[]): void {
  if (!ipcMain.emit(channel, event, ...args))
    process.stderr.write(
      `${JSON.stringify({ standIn: `nobody listens to the channel ${channel}` })}\n`,
    );
}

/** @throws what Electron throws for a value that cannot be cloned */
export function jsonOf(values: readonly unknown[]): string {
  let cloned: unknown;
  try {
    cloned = structuredClone(values);
  } catch {
    throw new Error('Failed to serialize arguments');
  }
  return JSON.stringify(cloned);
}
