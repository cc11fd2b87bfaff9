import type { LaneView } from '../../preload/contract.ts';

export type SoundName = 'found' | 'approve' | 'paid' | 'refused' | 'attention';

/** Frequency in Hz, when it begins and how long it lasts in seconds. */
type Note = readonly [frequencyHz: number, atS: number, lengthS: number];

/** Told apart by their melody, also where the pitch is lost in the noise of a shop: up, one bell, a rising chord, down, a double knock. */
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

/** Modest: it is heard at the counter, not in the shop. */
const loudness = 0.12;
const mutedKey = 'tillbeacon.sound.cashier';

/** What a change of the lane sounds like; null: nothing. @param before null: the lane was not in sight, so nothing has changed */
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
      return now.unsettled.length > before.unsettled.length ? 'attention' : null;
  }
}

const saleIdOf = ({ state }: LaneView): string | null => ('saleId' in state ? state.saleId : null);

/** Plays them, once somebody has touched the screen: no browser lets a page be heard before. */
export class Sounds {
  #context: AudioContext | null = null;
  #muted = localStorage.getItem(mutedKey) === 'off';
  readonly #unlock = (): void => {
    this.#stopWaiting();
    this.#context = new AudioContext();
  };

  /** Waits for the first touch or key. */
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

  /** Remembered on this screen. */
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
      // Begins and ends softly: a tone that is cut off clicks.
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
