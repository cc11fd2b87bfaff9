import { EventEmitter } from 'node:events';
import type { BrowserWindow, BrowserWindowConstructorOptions, Rectangle, Screen } from 'electron';

/** Records what the app does to a window, in order, and acts like one. */
export class FakeWindow extends EventEmitter {
  readonly webContents = new FakeContents();
  readonly options: BrowserWindowConstructorOptions;
  readonly did: string[] = [];
  readonly loaded: string[] = [];
  bounds: Rectangle;
  isKiosk: boolean;
  isGone = false;

  constructor(options: BrowserWindowConstructorOptions) {
    super();
    this.options = options;
    this.isKiosk = options.kiosk === true;
    const { x = 0, y = 0, width = 0, height = 0 } = options;
    this.bounds = { x, y, width, height };
  }

  getBounds = (): Rectangle => this.bounds;
  setBounds(bounds: Rectangle): void {
    if (!this.isKiosk) this.bounds = bounds;
  }
  setKiosk(flag: boolean): void {
    this.did.push(flag ? 'kiosk' : 'no kiosk');
    this.isKiosk = flag;
  }
  isMinimized = (): boolean => false;
  isDestroyed = (): boolean => this.isGone;
  show = (): void => void this.did.push('show');
  showInactive = (): void => void this.did.push('showInactive');
  focus = (): void => void this.did.push('focus');
  loadURL(address: string): Promise<void> {
    this.loaded.push(address);
    this.webContents.startsLoading();
    return new Promise(() => {});
  }
  destroy(): void {
    this.isGone = true;
    this.emit('closed');
  }
  /** Closes the window as a person would. @returns whether it is closed */
  close(): boolean {
    const event = prevented();
    this.emit('close', event);
    if (!event.is) this.destroy();
    return !event.is;
  }

  get asWindow(): BrowserWindow {
    return this as unknown as BrowserWindow;
  }
}

class FakeContents extends EventEmitter {
  readonly sent: unknown[][] = [];
  ended = 0;
  loading = false;

  isDestroyed = (): boolean => false;
  isLoading = (): boolean => this.loading;
  send = (...message: unknown[]): void => void this.sent.push(message);
  setAudioMuted(): void {}
  setZoomFactor(): void {}
  setWindowOpenHandler(): void {}
  forcefullyCrashRenderer(): void {
    this.ended += 1;
  }

  startsLoading(): void {
    this.loading = true;
    this.emit('did-start-navigation', { isMainFrame: true, isSameDocument: false });
  }
  finishes(): void {
    this.loading = false;
    this.emit('did-finish-load');
    this.emit('did-stop-loading');
  }
  fails(code = -2, isMainFrame = true): void {
    this.loading = false;
    this.emit('did-fail-load', {}, code, 'ERR_FAILED', '', isMainFrame);
    this.emit('did-stop-loading');
  }
  crashes(): void {
    this.loading = false;
    this.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 1 });
  }
  /** Asks for another screen as the page would. @returns whether the app prevents the navigation */
  leads(screen: string): boolean {
    const event = prevented();
    this.emit(
      'will-frame-navigate',
      Object.assign(event, { isMainFrame: true, url: `tillbeacon://screens/${screen}/index.html` }),
    );
    return event.is;
  }
  /** @returns whether the app keeps the key from the page */
  press(key: string, more: object = {}): boolean {
    const event = prevented();
    this.emit('before-input-event', event, {
      type: 'keyDown',
      key,
      control: false,
      alt: false,
      shift: false,
      meta: false,
      ...more,
    });
    return event.is;
  }
}

function prevented() {
  const event = { is: false, preventDefault: () => void (event.is = true) };
  return event;
}

interface FakeDisplay {
  readonly id: number;
  readonly label: string;
  readonly bounds: Rectangle;
}

export class FakeScreen extends EventEmitter {
  displays: readonly FakeDisplay[];
  constructor(displays: readonly FakeDisplay[]) {
    super();
    this.displays = displays;
  }
  getAllDisplays = (): readonly FakeDisplay[] => this.displays;
  getPrimaryDisplay = (): FakeDisplay =>
    this.displays[0] ?? { id: -1, label: '', bounds: { x: 0, y: 0, width: 0, height: 0 } };
  get asScreen(): Screen {
    return this as unknown as Screen;
  }
}
