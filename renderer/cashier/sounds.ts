import type { LaneView } from '../../preload/contract.ts';
import { isUnanswered } from './state-styles.ts';

export type SoundName = 'found' | 'approve' | 'paid' | 'refused' | 'attention';

type Note = readonly [frequencyHz: number, atS: number, lengthS: number];

/**
 * Melodies that can be distinguished in a noisy shop: rising, one tone, a rising chord, falling,
 * twice the same tone.
 */
const melodies: Readonly<Record<SoundName, readonly Note[]>> = {
  found: [
    [523, 0, 0.12],
    [659, 0.13, 0.18],
  ],
  approve: [[784, 0, 0.35]],
  paid: [
    [523, 0, 0.14],
    [659, 0.11, 0.14],
    [784, 0.22, 0.14],
    [1047, 0.33, 0.4],
  ],
  refused: [
    [392, 0, 0.2],
    [294, 0.22, 0.4],
  ],
  attention: [
    [880, 0, 0.12],
    [880, 0.2, 0.12],
  ],
}; // prettier-ignore

/** Loud enough for the counter, not for the whole shop. */
const loudness = 0.12;
const mutedKey = 'tillbeacon.sound.cashier';

/**
 * The sound of a change of the lane; null when there is none. @param before null when the lane was
 * not shown before, so nothing has changed
 */
export function soundOf(before: LaneView | null, now: LaneView): SoundName | null {
  if (before === null || before.laneId !== now.laneId) return null;
  const isNew = before.state.kind !== now.state.kind || saleIdOf(before) !== saleIdOf(now);
  switch (isNew ? now.state.kind : null) {
    case 'customerFound':
      return 'found';
    case 'approveInApp':
      return 'approve';
    case 'paid':
      return 'paid';
    case 'notPaid':
      return 'refused';
    case 'notReady':
      return 'attention';
    default:
      if (
        now.customer.checkIn?.isCheckedIn === true &&
        before.customer.checkIn?.isCheckedIn === false
      )
        return 'found';
      if (isUnanswered(now) && !isUnanswered(before)) return 'attention';
      return now.unsettled.length > before.unsettled.length ? 'attention' : null;
  }
}

const saleIdOf = ({ state }: LaneView): string | null => ('saleId' in state ? state.saleId : null);

/** Plays sounds after the first touch or key, because browsers keep a page silent before. */
export class Sounds {
  #context: AudioContext | null = null;
  #muted = localStorage.getItem(mutedKey) === 'off';
  readonly #unlock = (): void => {
    this.#stopWaiting();
    this.#context = new AudioContext();
  };

  connect(): void {
    window.addEventListener('pointerdown', this.#unlock, { capture: true });
    window.addEventListener('keydown', this.#unlock, { capture: true });
  }

  disconnect(): void {
    this.#stopWaiting();
    void this.#context?.close();
    this.#context = null;
  }

  get muted(): boolean {
    return this.#muted;
  }

  /** Stored on this screen's device. */
  mute(muted: boolean): void {
    this.#muted = muted;
    localStorage.setItem(mutedKey, muted ? 'off' : 'on');
  }

  play(name: SoundName): void {
    const context = this.#context;
    if (context === null || this.#muted) return;
    void context.resume();
    for (const [frequencyHz, atS, lengthS] of melodies[name]) {
      const from = context.currentTime + atS;
      const tone = new OscillatorNode(context, { type: 'triangle', frequency: frequencyHz });
      const volume = new GainNode(context, { gain: 0 });
      // Fades in and out: a tone that is cut off clicks.
      volume.gain.setValueAtTime(0, from);
      volume.gain.linearRampToValueAtTime(loudness, from + 0.015);
      volume.gain.exponentialRampToValueAtTime(0.001, from + lengthS);
      tone.connect(volume).connect(context.destination);
      tone.start(from);
      tone.stop(from + lengthS);
    }
  }

  #stopWaiting(): void {
    window.removeEventListener('pointerdown', this.#unlock, { capture: true });
    window.removeEventListener('keydown', this.#unlock, { capture: true });
  }
}
