/**
 * Replays the till's side of a recording against a terminal, and compares the terminal's packets.
 */
import { type Clock, sleep } from '../../core/domain/clock.ts';
import { encodeBcd } from '../../tills/zvt/bcd.ts';
import { describe } from '../../tills/zvt/describe.ts';
import type { ApduLink } from '../../tills/zvt/link.ts';
import { isOfAnswerClass, positiveAnswer } from '../../tills/zvt/packets.ts';
import { asRecorded, compared } from './compare.ts';
import {
  bytesOf,
  type RecordedCommand,
  exchangesOf,
  hasEnded,
  isIntermediate,
  kindOf,
  revealed,
} from './exchanges.ts';
import type { Bytes, RecordedConnection } from './recording.ts';

export interface ReplayOptions {
  /** Opens a line to the terminal; whole packets go to `received`. */
  readonly connect: (listener: {
    received: (apdu: Uint8Array) => void;
    gone: () => void;
  }) => Promise<ApduLink>;
  /** Six digits, in place of the hidden password of the recording. */
  readonly password: string;
  /** How long the terminal may send nothing. */
  readonly patienceMs: number;
  readonly clock: Clock;
  readonly say: (line: string) => void;
}

/**
 * Longer pauses, such as a cashier's, are shortened to this. It is enough for the order of packets,
 * and for what follows the end of a command, such as the service's confirmation of a cancel.
 */
const maxPauseMs = 1_000;

/** @returns whether the terminal answered as recorded */
export async function replay(
  connections: readonly RecordedConnection[],
  options: ReplayOptions,
): Promise<boolean> {
  let isSame = true;
  for (const { peer, events } of connections) {
    const exchanges = exchangesOf(events);
    if (exchanges.length === 0) continue;
    options.say(`${peer}: ${exchanges.length} commands`);
    const player = new Player(options);
    await player.open();
    try {
      for (const exchange of exchanges) {
        if (exchange.afterMs > 0)
          await sleep(options.clock, Math.min(maxPauseMs, exchange.afterMs));
        const played = await player.play(exchange);
        isSame &&= played.isSame;
        if (!played.isOver) return false;
      }
    } finally {
      player.close();
    }
  }
  return isSame;
}

/** One connection to the terminal. */
class Player {
  readonly #options: ReplayOptions;
  #link: ApduLink | null = null;
  #received: (apdu: Uint8Array) => void = () => {};
  #gone: () => void = () => {};
  #isGone = false;

  constructor(options: ReplayOptions) {
    this.#options = options;
  }

  async open(): Promise<void> {
    this.#link = await this.#options.connect({
      received: (apdu) => this.#received(apdu),
      gone: () => {
        this.#isGone = true;
        this.#gone();
      },
    });
  }

  close(): void {
    this.#link?.close();
  }

  /**
   * @returns `isOver` false when the terminal has not ended the command, so that no further command
   * can follow
   */
  async play(exchange: RecordedCommand): Promise<{ isSame: boolean; isOver: boolean }> {
    const { say, clock, patienceMs } = this.#options;
    const now: Bytes[] = [];
    const meanwhile = [...exchange.meanwhile];
    const answers = new Map([...exchange.answers].map(([kind, all]) => [kind, [...all]]));
    let sent = 1;
    const over = await new Promise<'ended' | 'silent' | 'gone'>((resolve) => {
      let cancel = (): void => {};
      const wait = (): void => {
        cancel();
        cancel = clock.after(patienceMs, () => resolve('silent'));
      };
      const goOn = (): void => {
        const [next] = meanwhile;
        if (next !== undefined && now.length >= next.afterPackets) {
          meanwhile.shift();
          void sleep(clock, Math.min(maxPauseMs, next.afterMs)).then(() => {
            sent += 1;
            this.#send(next.command);
            wait();
          });
        }
        const answered = now.filter(({ bytes }) => isOfAnswerClass(bytes)).length;
        if (
          hasEnded(exchange.command.bytes, bytesOf(now)) &&
          answered >= sent &&
          meanwhile.length === 0
        ) {
          cancel();
          resolve('ended');
        }
      };
      this.#gone = () => {
        cancel();
        resolve('gone');
      };
      this.#received = (apdu) => {
        wait();
        const recorded = answers.get(kindOf(apdu))?.shift();
        if (!isIntermediate(apdu)) now.push(asRecorded(apdu));
        if (!isOfAnswerClass(apdu)) this.#link?.send(recorded?.bytes ?? positiveAnswer);
        goOn();
      };
      if (this.#isGone) return resolve('gone');
      wait();
      this.#send(exchange.command);
      goOn();
    });
    this.#received = () => {};
    const { isSame, lines } = compared(exchange.terminal, now);
    const why = {
      ended: '',
      silent: `: the terminal sent nothing for ${patienceMs / 1000} s`,
      gone: ': the terminal has disconnected',
    }[over];
    const wasCut = over !== 'ended' && hasEnded(exchange.command.bytes, bytesOf(exchange.terminal));
    say(
      `→ ${describe(exchange.command.bytes)}: ${isSame && !wasCut ? 'as recorded' : 'differs'}${why}`,
    );
    if (!isSame) for (const line of lines) say(`  ${line}`);
    return { isSame: isSame && !wasCut, isOver: over === 'ended' };
  }

  #send(command: Bytes): void {
    const { bytes, guessed } = revealed(command, encodeBcd(Number(this.#options.password), 3));
    if (guessed > 0)
      this.#options.say(
        `  ${guessed} bytes of ${describe(command.bytes)} are hidden in the recording, and sent as 00`,
      );
    this.#link?.send(bytes);
  }
}
