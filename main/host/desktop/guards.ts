/**
 * Actions that are forbidden to every page, also to one that loads foreign content. The rules are
 * Electron's events.
 */
import type { Session, WebContents } from 'electron';
import type { ScreenName } from '../../../preload/contract.ts';
import type { Log } from '../../core/domain/log.ts';
import { pageOrigin, screenAt } from './page-address.ts';

export function guardSession(session: Session, log: Log): void {
  session.setPermissionRequestHandler((_contents, permission, answer) => {
    log.warn({ permission }, 'refused a permission that a page asked for');
    answer(false);
  });
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.setSpellCheckerEnabled(false);
  session.on('will-download', (event, item) => {
    // A file that our own page has made for a manager; the system asks where to save it.
    if (item.getURL().startsWith(`blob:${pageOrigin}/`)) return;
    log.warn({ from: item.getURL().slice(0, 200) }, 'refused a download that a page began');
    event.preventDefault();
  });
}

/** @param mayLead whether this window may go from its page to that screen */
export function guardContents(
  contents: WebContents,
  mayLead: (screen: ScreenName) => boolean,
  log: Log,
): void {
  const refuse = (event: { preventDefault(): void; readonly url: string }): void => {
    log.warn({ to: event.url.slice(0, 200) }, 'refused a page that tried to navigate elsewhere');
    event.preventDefault();
  };
  const leads = (url: string): boolean => {
    const screen = screenAt(url);
    return screen !== null && mayLead(screen);
  };
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.on('will-frame-navigate', (event) => {
    if (!event.isMainFrame || !leads(event.url)) refuse(event);
  });
  contents.on('will-redirect', (event) => {
    if (!leads(event.url)) refuse(event);
  });
}
