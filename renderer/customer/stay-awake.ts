import type { ReactiveController, ReactiveControllerHost } from 'lit';
import silentVideo from './awake.mp4?url&no-inline';

/**
 * Keeps the display of a tablet on while the page is visible. The app's windows have hours of their
 * own for that.
 */
export class StayAwake implements ReactiveController {
  #lock: WakeLockSentinel | null = null;
  #video: HTMLVideoElement | null = null;
  #isAsking = false;

  constructor(host: ReactiveControllerHost) {
    if (window.tillbeacon === undefined) host.addController(this);
  }

  hostConnected(): void {
    document.addEventListener('visibilitychange', this.#look);
    this.#look();
  }

  hostDisconnected(): void {
    document.removeEventListener('visibilitychange', this.#look);
    this.#release();
  }

  readonly #look = (): void => {
    if (document.visibilityState === 'hidden') this.#release();
    // Browsers have wake locks on secure pages only.
    else if ('wakeLock' in navigator) void this.#takeLock();
    else this.#play();
  };

  async #takeLock(): Promise<void> {
    if (this.#lock?.released === false || this.#isAsking) return;
    this.#isAsking = true;
    try {
      this.#lock = await navigator.wakeLock.request('screen');
      // The page was hidden meanwhile.
      if (document.visibilityState === 'hidden') this.#release();
    } catch {
      // Refused, e.g. because the battery is low.
      this.#play();
    } finally {
      this.#isAsking = false;
    }
  }

  /**
   * Devices do not sleep while a video is played, of which some count only one that fills the page.
   * It lies behind everything.
   */
  #play(): void {
    this.#video ??= document.body.appendChild(videoBehind());
    // A browser that does not play it lets the display sleep as without it.
    this.#video.play().catch(() => {});
  }

  #release(): void {
    this.#lock?.release().catch(() => {});
    this.#lock = null;
    this.#video?.pause();
  }
}

function videoBehind(): HTMLVideoElement {
  const video = document.createElement('video');
  Object.assign(video, {
    src: silentVideo,
    muted: true,
    loop: true,
    playsInline: true,
    tabIndex: -1,
  });
  video.setAttribute('aria-hidden', 'true');
  Object.assign(video.style, {
    position: 'fixed',
    inset: '0',
    width: '100%',
    height: '100%',
    objectFit: 'fill',
    zIndex: '-1',
    pointerEvents: 'none',
  });
  return video;
}
