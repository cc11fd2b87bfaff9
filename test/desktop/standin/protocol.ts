import type { CustomScheme, Protocol } from 'electron';
import { isReady, readyOr } from './chromium.ts';
import { control } from './control.ts';

/**
 * Chromium serves no scheme of ours without Electron: the pages are at this origin instead, and
 * every address is translated.
 */
export const shownOrigin = 'https://screens.invalid';
export const shown = (address: string): string =>
  address.replace(/^tillbeacon:\/\/screens(?=\/|$)/, shownOrigin);
export const own = (address: string): string =>
  address.replace(shownOrigin, 'tillbeacon://screens');

type Handler = Parameters<Protocol['handle']>[1];
const privileged = new Set<string>();
const handlers = new Map<string, Handler>();

export const protocol: Pick<Protocol, 'handle' | 'registerSchemesAsPrivileged'> = {
  registerSchemesAsPrivileged(schemes: CustomScheme[]): void {
    if (isReady())
      throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready');
    for (const { scheme, privileges } of schemes) {
      if (privileges?.bypassCSP)
        throw new Error(`the scheme ${scheme} would go round the content policy`);
      privileged.add(scheme);
    }
  },
  handle(scheme, handler): void {
    readyOr('Session can only be received when app is ready');
    if (!privileged.has(scheme))
      throw new Error(`the scheme ${scheme} has no origin: it was not registered`);
    if (handlers.has(scheme)) throw new Error('The scheme has been intercepted');
    handlers.set(scheme, handler);
  },
};

/** The file that the system fails to read, and how many times it fails. */
let unreadable = { part: '', times: 0 };
control('unreadable', (now: typeof unreadable) => (unreadable = now));
control('isUnreadable', () => unreadable);

/** null when nothing answers this scheme: no page gets anything from elsewhere. */
export async function answerOf(url: string, method: string): Promise<Response | null> {
  const handler = handlers.get(url.slice(0, url.indexOf(':')));
  if (handler === undefined) return null;
  if (unreadable.times > 0 && url.includes(unreadable.part)) {
    unreadable.times -= 1;
    throw new Error('EMFILE: too many open files');
  }
  return handler(new Request(url, { method }));
}
