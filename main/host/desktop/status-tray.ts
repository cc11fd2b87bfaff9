/** A sign among those of the system: whether payments can be taken, and if not, why. */
import { Menu, nativeImage, Tray } from 'electron';
import type { LaneView } from '../../../preload/contract.ts';
import type { Clock } from '../../core/domain/clock.ts';
import { messageOf } from '../../core/domain/errors.ts';
import type { Language } from '../../core/domain/languages.ts';
import type { Log } from '../../core/domain/log.ts';
import { desktopTexts } from './texts.ts';
import { statusOf, type TrayStatus } from './tray-status.ts';

const lookEveryMs = 2_000;

interface StatusOptions {
  /** null: nobody answers. */
  readonly lanes: () => readonly LaneView[] | null;
  readonly language: () => Language;
  readonly onShow: () => void;
  readonly clock: Clock;
  readonly log: Log;
}

export function showStatus({ lanes, language, onShow, clock, log }: StatusOptions): void {
  const tray = new StatusTray({ onShow, log });
  const look = (): void => {
    const words = desktopTexts[language()].tray;
    tray.show(statusOf(lanes(), words), words.show);
    clock.after(lookEveryMs, look);
  };
  look();
}

class StatusTray {
  readonly #tray: Tray | null;
  readonly #onShow: () => void;
  #lastStatus = '';

  constructor({ onShow, log }: { readonly onShow: () => void; readonly log: Log }) {
    this.#onShow = onShow;
    try {
      this.#tray = new Tray(picture(false));
      this.#tray.on('click', onShow);
    } catch (error) {
      this.#tray = null;
      log.warn({ detail: messageOf(error) }, 'this desktop has no tray for the status icon');
    }
  }

  show({ takesPayments, words }: TrayStatus, showScreens: string): void {
    const now = JSON.stringify([takesPayments, words, showScreens]);
    if (this.#tray === null || this.#lastStatus === now) return;
    this.#lastStatus = now;
    this.#tray.setImage(picture(takesPayments));
    this.#tray.setToolTip(`Tillbeacon\n${words}`);
    // The menu does not end the app: only a manager can.
    this.#tray.setContextMenu(
      Menu.buildFromTemplate([
        ...words.split('\n').map((label) => ({ label, enabled: false })),
        { label: showScreens, click: this.#onShow },
      ]),
    );
  }
}

const sidePx = 32;
/** Blue, green and red, as Electron's bitmaps have them. */
const colours = { green: [0x3c, 0x8a, 0x16], red: [0x2a, 0x2a, 0xc0] } as const;

/** A full disc, or a ring while no payments are taken: readable without colours. */
function picture(takesPayments: boolean): Electron.NativeImage {
  const pixels = Buffer.alloc(sidePx * sidePx * 4);
  const middle = (sidePx - 1) / 2;
  for (let place = 0; place < sidePx * sidePx; place += 1) {
    const distance = Math.hypot((place % sidePx) - middle, Math.floor(place / sidePx) - middle);
    if (distance > middle || (!takesPayments && distance < middle / 2)) continue;
    pixels.set([...(takesPayments ? colours.green : colours.red), 0xff], place * 4);
  }
  return nativeImage.createFromBitmap(pixels, { width: sidePx, height: sidePx });
}
