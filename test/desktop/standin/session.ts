import { EventEmitter } from 'node:events';
import type { Download } from 'playwright';
import type { Session, WebContents } from 'electron';
import { readyOr } from './chromium.ts';
import { isPrevented } from './control.ts';
import { own, shownOrigin } from './protocol.ts';

type RequestHandler = Parameters<Session['setPermissionRequestHandler']>[0];
type CheckHandler = Parameters<Session['setPermissionCheckHandler']>[0];
type Permission = Parameters<NonNullable<CheckHandler>>[1];
type Used = Pick<
  Session,
  | 'setPermissionRequestHandler'
  | 'setPermissionCheckHandler'
  | 'setDevicePermissionHandler'
  | 'setSpellCheckerEnabled'
>;

/** The name of each of Electron's permissions in Chromium. */
const permissions: Readonly<Partial<Record<Permission, readonly string[]>>> = {
  geolocation: ['geolocation'],
  notifications: ['notifications'],
  midi: ['midi'],
  media: ['camera', 'microphone'],
  'clipboard-read': ['clipboard-read'],
};

class DefaultSession extends EventEmitter implements Used {
  #request: RequestHandler = null;
  #check: CheckHandler = null;

  setPermissionRequestHandler(handler: RequestHandler): void {
    this.#request = handler;
  }
  setPermissionCheckHandler(handler: CheckHandler): void {
    this.#check = handler;
  }
  setDevicePermissionHandler(): void {}
  setSpellCheckerEnabled(): void {}

  /**
   * As in Electron, a permission that no handler refuses is granted. Asked once for each window,
   * before its first page.
   */
  async applyTo(contents: WebContents): Promise<void> {
    const { cdp, context } = readyOr('no session');
    void context;
    for (const [permission, names] of Object.entries(permissions) as [
      Permission,
      readonly string[],
    ][]) {
      const isGranted = this.#allows(contents, permission);
      for (const name of names)
        await cdp.send('Browser.setPermission', {
          permission: { name },
          setting: isGranted ? 'granted' : 'denied',
          origin: shownOrigin,
          browserContextId: await contextId(),
        });
    }
  }

  #allows(contents: WebContents, permission: Permission): boolean {
    const checked =
      this.#check === null || this.#check(contents, permission, own(shownOrigin), {} as never);
    let requested = this.#request === null;
    this.#request?.(contents, permission, (granted) => (requested = granted), {} as never);
    return checked && requested;
  }

  downloaded(contents: WebContents, download: Download): void {
    const item = {
      getURL: () => own(download.url()),
      getFilename: () => download.suggestedFilename(),
    };
    const refused = isPrevented((event) => this.emit('will-download', event, item, contents));
    process.stderr.write(
      `${JSON.stringify({ standIn: refused ? 'a download was refused' : 'a download was allowed' })}\n`,
    );
    if (refused) void download.cancel().catch(() => undefined);
  }
}

const defaultSession = new DefaultSession();
export const theSession = defaultSession;
export const session = {
  /** Used for requests of the main process, which no page can make. */
  fromPartition(name: string): { readonly partition: string } {
    readyOr('Session can only be received when app is ready');
    return { partition: name };
  },
  get defaultSession(): DefaultSession {
    readyOr('Session can only be received when app is ready');
    return defaultSession;
  },
};

let current: string | null = null;
/** Playwright does not tell the id of its context: a target in it does. */
async function contextId(): Promise<string> {
  const { context } = readyOr('no context');
  const [page] = context.pages();
  if (current === null && page !== undefined) {
    const cdp = await context.newCDPSession(page);
    current = (await cdp.send('Target.getTargetInfo')).targetInfo.browserContextId ?? '';
    await cdp.detach();
  }
  return current ?? '';
}
