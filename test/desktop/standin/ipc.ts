import { EventEmitter } from 'node:events';

/** Only what is sent one way: a handler, which the app has none of, would be refused here. */
class IpcMain extends EventEmitter {
  handle(channel: string): never {
    throw new Error(`the stand-in has no ipcMain.handle: ${channel}`);
  }
}
export const ipcMain = new IpcMain();

/** Electron drops a message that nobody listens to without a word; here the log of the test says so. */
export function deliver(channel: string, event: object, args: readonly unknown[]): void {
  if (!ipcMain.emit(channel, event, ...args)) process.stderr.write(`${JSON.stringify({ standIn: `nobody listens to the channel ${channel}` })}\n`);
}

/** @throws what Electron throws where a value cannot be cloned */
export function jsonOf(values: readonly unknown[]): string {
  let cloned: unknown;
  try {
    cloned = structuredClone(values);
  } catch {
    throw new Error('Failed to serialize arguments');
  }
  return JSON.stringify(cloned);
}
