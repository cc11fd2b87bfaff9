/** The system around an app: displays, power, questions to the user, the key store, the tray. */
import { EventEmitter } from 'node:events';
import type {
  BaseWindow,
  Dialog,
  Display,
  Menu as ElectronMenu,
  MessageBoxOptions,
  MenuItem,
  MenuItemConstructorOptions,
  NativeImage,
  PowerSaveBlocker,
  Rectangle,
  SafeStorage,
  Tray as ElectronTray,
} from 'electron';
import { isReady, readyOr } from './chromium.ts';
import { control } from './control.ts';

export type FakeDisplay = Pick<Display, 'id' | 'label' | 'bounds'>;
const oneDisplay: FakeDisplay = {
  id: 1,
  label: '',
  bounds: { x: 0, y: 0, width: 1920, height: 1080 },
};
let displays: readonly FakeDisplay[] = [oneDisplay];

class Screen extends EventEmitter {
  getAllDisplays(): Display[] {
    readyOr("The 'screen' module can't be used before the app 'ready' event");
    return [...displays] as Display[];
  }
  getPrimaryDisplay(): Display {
    return this.getAllDisplays()[0] as Display;
  }
}
export const screen = new Screen();
/** @param move is done to windows by the system, before any program hears of it */
export function changeDisplays(
  now: readonly FakeDisplay[],
  {
    move,
    isHeard = true,
  }: { move: (lost: Rectangle, primary: Rectangle) => void; isHeard?: boolean },
): void {
  const before = displays;
  displays = now;
  const isNew = (one: FakeDisplay, all: readonly FakeDisplay[]): boolean =>
    all.every(({ id }) => id !== one.id);
  const [primary] = now;
  if (primary !== undefined)
    for (const lost of before.filter((one) => isNew(one, now))) move(lost.bounds, primary.bounds);
  if (!isHeard) return;
  for (const display of now.filter((one) => isNew(one, before)))
    screen.emit('display-added', {}, display);
  for (const display of before.filter((one) => isNew(one, now)))
    screen.emit('display-removed', {}, display);
}

export const powerMonitor = new EventEmitter();
control('power', (event: 'suspend' | 'resume' | 'shutdown') => powerMonitor.emit(event));

const blockers = new Set<number>();
export const powerSaveBlocker: Pick<PowerSaveBlocker, 'isStarted' | 'start' | 'stop'> = {
  start() {
    blockers.add(blockers.size + 1);
    return blockers.size;
  },
  stop: (id) => blockers.delete(id),
  isStarted: (id) => blockers.has(id),
};
control('isKeptAwake', () => blockers.size > 0);

export const dialog: Pick<Dialog, 'showErrorBox' | 'showMessageBox'> = {
  showErrorBox(title, content) {
    process.stderr.write(`${title}: ${content}\n`);
  },
  /** Presses the button with this number once a message box is shown. */
  showMessageBox(...asked: [MessageBoxOptions] | [BaseWindow, MessageBoxOptions]) {
    if (!isReady()) throw new Error('dialog module can only be used after app is ready');
    const { message, detail, buttons } = asked.length === 1 ? asked[0] : asked[1];
    process.stderr.write(`${JSON.stringify({ asked: message, detail, buttons })}\n`);
    return Promise.resolve({ response: answer, checkboxChecked: false });
  },
};
let answer = Number(process.env['STANDIN_ANSWERS'] ?? 0);
control('answers', (button: number) => (answer = button));

/** A key store that keeps nothing secret, but stores something else than the text. */
export const safeStorage: Pick<
  SafeStorage,
  'isEncryptionAvailable' | 'encryptString' | 'decryptString' | 'getSelectedStorageBackend'
> = {
  getSelectedStorageBackend: () =>
    (process.env['STANDIN_KEY_STORE'] ?? 'gnome_libsecret') as ReturnType<
      SafeStorage['getSelectedStorageBackend']
    >,
  isEncryptionAvailable: () => isReady() && process.env['STANDIN_NO_KEYS'] !== '1',
  encryptString(plain) {
    readyOr('safeStorage cannot be used before app is ready');
    return Buffer.concat([
      Buffer.from('v10'),
      Buffer.from(plain, 'utf8').map((byte) => byte ^ 0x5a),
    ]);
  },
  decryptString(encrypted) {
    readyOr('safeStorage cannot be used before app is ready');
    if (encrypted.subarray(0, 3).toString() !== 'v10' || process.env['STANDIN_LOCKED'] === '1')
      throw new Error(
        'Error while decrypting the ciphertext provided to safeStorage.decryptString.',
      );
    return Buffer.from(encrypted.subarray(3).map((byte) => byte ^ 0x5a)).toString('utf8');
  },
};

type Item = MenuItem | MenuItemConstructorOptions;
/**
 * null when there is no menu. Electron's default menu has keys for reload, developer tools and
 * zoom.
 */
let applicationMenu: object | null = { label: 'Electron' };
export class Menu {
  readonly template: readonly Item[];
  private constructor(template: readonly Item[]) {
    this.template = template;
  }
  static setApplicationMenu(...[menu]: Parameters<typeof ElectronMenu.setApplicationMenu>): void {
    applicationMenu = menu;
  }
  static buildFromTemplate(...[template]: Parameters<typeof ElectronMenu.buildFromTemplate>): Menu {
    return new Menu(template);
  }
}
control('hasApplicationMenu', () => applicationMenu !== null);

export const nativeImage = {
  createFromBitmap(
    pixels: Buffer,
    { width, height }: { width: number; height: number },
  ): NativeImage {
    if (pixels.length !== width * height * 4) throw new Error('invalid buffer');
    return { isEmpty: () => false } as NativeImage;
  },
};

interface Shows {
  tip: string;
  menu: readonly Item[];
}
/** null without a tray icon. */
let tray: Shows | null = null;
export class Tray
  extends EventEmitter
  implements Pick<ElectronTray, 'destroy' | 'setImage' | 'setToolTip'>
{
  readonly #shows: Shows = { tip: '', menu: [] };
  constructor(image: NativeImage) {
    super();
    readyOr('Cannot create Tray before app is ready');
    if (image.isEmpty()) throw new Error('Failed to load image');
    tray = this.#shows;
  }
  setImage(): void {}
  setToolTip(tip: string): void {
    this.#shows.tip = tip;
  }
  setContextMenu(menu: Menu): void {
    this.#shows.menu = menu.template;
  }
  destroy(): void {
    tray = null;
  }
}
control('tray', () => tray && { tip: tray.tip, menu: tray.menu.map(({ label }) => label) });
control('trayMenu', (label: string) => {
  const { click } = tray?.menu.find((item) => item.label === label) ?? {};
  // Called without Electron's arguments, which the app does not use.
  if (click !== undefined) Reflect.apply(click, null, []);
});
