import type { OpenSerialWire, Wire, WireListener } from '../../main/core/domain/wire.ts';
import { hex } from '../../main/tills/zvt/packets.ts';
import type { Life } from './life.ts';
import type { Chance } from './random.ts';
import type { Stage } from './stage.ts';

type Side = 'till' | 'terminal';

/**
 * A serial cable between a till and a counter's PC. It keeps the order of bytes, but may lose or
 * garble them.
 */
export class Cable {
  readonly #stage: Stage;
  readonly #chance: Chance;
  readonly #name: string;
  /** The daemon's end: only one process has the port open. */
  #terminal: { life: Life; listener: WireListener } | null = null;
  #till: WireListener | null = null;
  #arrivesAtMs = { till: 0, terminal: 0 };
  #pulled = false;

  constructor(stage: Stage, chance: Chance, name: string) {
    this.#stage = stage;
    this.#chance = chance;
    this.#name = name;
  }

  openFor(life: Life): OpenSerialWire {
    return (_port, listener) =>
      new Promise((resolve, reject) => {
        this.#stage.time.after(this.#chance.between(1, 20), () => {
          life.receive('serial', () => {
            if (!life.survives('while the port opens')) return;
            if (this.#pulled) return reject(new Error('the port is not there'));
            this.#terminal = { life, listener };
            resolve({
              write: (bytes) => {
                if (life.survives('before a write')) this.#carry('till', bytes);
                life.survives('after a write');
                return Promise.resolve();
              },
              close: () => {
                if (this.#terminal?.life === life) this.#terminal = null;
                return Promise.resolve();
              },
            });
          });
        });
      });
  }

  /** The till's own port never goes away. */
  connectTill(listener: WireListener): Wire {
    this.#till = listener;
    return {
      write: (bytes) => {
        this.#carry('terminal', bytes);
        return Promise.resolve();
      },
      close: () => {
        if (this.#till === listener) this.#till = null;
        return Promise.resolve();
      },
    };
  }

  /** Pulls the USB plug at the PC. */
  pull(): void {
    if (this.#pulled) return;
    this.#pulled = true;
    this.#stage.say(this.#name, () => 'the cable is pulled');
    const end = this.#terminal;
    this.#terminal = null;
    end?.life.receive('serial', () => end.listener.lost('the port is gone'));
  }

  plugIn(): void {
    if (!this.#pulled) return;
    this.#pulled = false;
    this.#stage.say(this.#name, () => 'the cable is back');
  }

  #carry(to: Side, sent: Uint8Array): void {
    const { time, weather } = this.#stage;
    const chance = this.#chance;
    let pieces: Uint8Array[] = [sent];
    if (this.#stage.fault(chance, weather.wireFault)) {
      pieces = this.#spoil(sent);
      this.#stage.say(
        this.#name,
        () =>
          `on the way to the ${to}, ${hex(sent)} becomes ${pieces.map(hex).join(' | ') || 'nothing'}`,
      );
    }
    let atMs = Math.max(time.monotonicMs(), this.#arrivesAtMs[to]) + chance.between(1, 12);
    for (const piece of pieces) {
      time.after(atMs - time.monotonicMs(), () => this.#arrive(to, piece));
      this.#arrivesAtMs[to] = atMs;
      // A gap longer than T1 breaks the block.
      if (pieces.length > 1)
        atMs += chance.is(0.3) ? chance.between(201, 900) : chance.between(1, 50);
    }
  }

  #spoil(sent: Uint8Array): Uint8Array[] {
    const chance = this.#chance;
    const at = chance.between(0, sent.length - 1);
    switch (chance.between(0, 6)) {
      case 0:
      case 1:
        return [];
      case 2: {
        const spoilt = Uint8Array.from(sent);
        spoilt[at] = (spoilt[at] as number) ^ (1 << chance.between(0, 7));
        return [spoilt];
      }
      case 3:
        return [Uint8Array.of(...sent.subarray(0, at), ...sent.subarray(at + 1))];
      case 4:
        return [sent, sent];
      case 5:
        return [Uint8Array.of(chance.between(0, 255)), sent];
      default:
        return [sent.subarray(0, at), sent.subarray(at)];
    }
  }

  #arrive(to: Side, bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    if (to === 'till') this.#till?.data(bytes);
    else {
      const end = this.#terminal;
      end?.life.receive(
        'serial',
        () => end.life.survives('when bytes arrive') && end.listener.data(bytes),
      );
    }
  }
}
