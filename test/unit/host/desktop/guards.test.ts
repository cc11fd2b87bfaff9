import { EventEmitter } from 'node:events';
import type { Session, WebContents } from 'electron';
import { describe, expect, test } from 'vitest';
import { guardContents, guardSession } from '../../../../main/host/desktop/guards.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';

type Handler = (...args: unknown[]) => unknown;

/** Records what the guard registers at Electron. */
class Guarded extends EventEmitter {
  readonly given: Record<string, Handler | boolean> = {};
  setPermissionRequestHandler = (handler: Handler): void => void (this.given['request'] = handler);
  setPermissionCheckHandler = (handler: Handler): void => void (this.given['check'] = handler);
  setDevicePermissionHandler = (handler: Handler): void => void (this.given['device'] = handler);
  setWindowOpenHandler = (handler: Handler): void => void (this.given['open'] = handler);
  setSpellCheckerEnabled = (enabled: boolean): void => void (this.given['spelling'] = enabled);
  call(name: string, ...args: unknown[]): unknown {
    return (this.given[name] as Handler)(...args);
  }
  /** Whether the guard prevents it. */
  prevents(name: string, about: object, ...args: unknown[]): boolean {
    let prevented = false;
    this.emit(name, { ...about, preventDefault: () => (prevented = true) }, ...args);
    return prevented;
  }
}

function session(): Guarded {
  const guarded = new Guarded();
  guardSession(guarded as unknown as Session, silentLog);
  return guarded;
}

function contents(mayLead: (screen: string) => boolean = () => true): Guarded {
  const guarded = new Guarded();
  guardContents(guarded as unknown as WebContents, mayLead, silentLog);
  return guarded;
}

describe('a page', () => {
  test.each([
    'geolocation',
    'media',
    'notifications',
    'midi',
    'clipboard-read',
    'hid',
    'serial',
    'usb',
    'fullscreen',
    'openExternal',
    'unknown',
  ])('is refused the permission %s, asked for and looked up', (permission) => {
    const guarded = session();
    const answers: unknown[] = [];
    guarded.call('request', null, permission, (granted: boolean) => answers.push(granted), {});
    expect(answers).toEqual([false]);
    expect(guarded.call('check', null, permission, 'tillbeacon://screens', {})).toBe(false);
  });

  test('is refused every device', () => {
    expect(session().call('device', { deviceType: 'usb', origin: 'tillbeacon://screens' })).toBe(
      false,
    );
    expect(session().given['spelling']).toBe(false);
  });

  test('may offer a file that it has made, and downloads nothing', () => {
    const downloads = (url: string): boolean =>
      !session().prevents('will-download', {}, { getURL: () => url });
    expect(downloads('blob:tillbeacon://screens/5f1c')).toBe(true);
    for (const url of [
      'https://example.com/a.exe',
      'blob:https://example.com/5f1c',
      'blob:tillbeacon://screens.evil/5f1c',
      'data:text/plain,a',
      'file:///etc/passwd',
    ])
      expect(downloads(url), url).toBe(false);
  });

  test('leads to the screens that its window may show, and nowhere else', () => {
    const guarded = contents((screen) => screen === 'cashier');
    const leads = (event: string, url: string, isMainFrame = true): boolean =>
      !guarded.prevents(event, { url, isMainFrame });
    for (const event of ['will-frame-navigate', 'will-redirect']) {
      expect(leads(event, 'tillbeacon://screens/cashier/index.html?lane=2')).toBe(true);
      for (const url of [
        'tillbeacon://screens/manager/index.html',
        'tillbeacon://screens/',
        'tillbeacon://screens.evil/cashier/',
        'https://example.com/',
        'file:///etc/passwd',
        'about:blank',
        'javascript:alert(1)',
        'data:text/html,a',
      ])
        expect(leads(event, url), `${event} ${url}`).toBe(false);
    }
    expect(leads('will-frame-navigate', 'tillbeacon://screens/cashier/index.html', false)).toBe(
      false,
    );
  });

  test('opens no window, and includes no other page', () => {
    expect(contents().call('open', { url: 'tillbeacon://screens/cashier/index.html' })).toEqual({
      action: 'deny',
    });
    expect(
      contents().prevents('will-attach-webview', {}, {}, { src: 'https://example.com/' }),
    ).toBe(true);
  });
});
