import { Backoff } from '../../core/domain/backoff.ts';
import type { Clock } from '../../core/domain/clock.ts';
import type { Log } from '../../core/domain/log.ts';
import type { SerialPortSettings } from '../../core/domain/serial-format.ts';
import { systemTurns, type Turns } from '../../core/domain/turns.ts';
import {
  type OpenSerialWire,
  portClaimerOf,
  portProblemOf,
  type Wire,
} from '../../core/domain/wire.ts';
import { PacedInput } from './paced-input.ts';
import type { TillLink } from '../../core/lane/till-port.ts';
import { messageOf } from '../../core/domain/errors.ts';

/** What speaks over the port while it is open. */
export interface SerialLink {
  attach(wire: Wire): void;
  /** The port is gone, and may come back. */
  detach(): void;
  data(bytes: Uint8Array): void;
  close(): void;
}

export interface SerialLine {
  /**
   * `serial:` and what the system calls the port while it is open, otherwise its name in the
   * settings: where it was may be another device's place by now.
   */
  readonly address: string;
  readonly firstAttempt: Promise<void>;
  close(): Promise<void>;
}

/**
 * A computer that wakes up has its adapters again within a second or two; the till's line is to be
 * there within five.
 */
const reopening = { firstMs: 250, maxMs: 4_000 };
/** Read in one step: a few of the shortest blocks. */
const pieceBytes = 64;
/**
 * More than the longest packet has. What a virtual port brings beyond that is lost, as with any
 * receiver that is too slow.
 */
const maxWaitingBytes = 256 * 1_024;

/**
 * Keeps a serial port open under a link: opened again with growing pauses whenever it is gone, each
 * time as a new instance (an instance that vanished would send what it had queued once it is
 * reopened).
 */
export function keepSerialLine(options: {
  readonly port: SerialPortSettings;
  /** What the line leads to; a till by default. */
  readonly device?: 'till' | 'scanner';
  readonly link: SerialLink;
  readonly open: OpenSerialWire;
  readonly clock: Clock;
  readonly log: Log;
  readonly state: (link: TillLink) => void;
  /** The event loop's, or the simulation's. */
  readonly turns?: Turns;
}): SerialLine {
  const { port, device = 'till', link, open, clock, log, turns = systemTurns } = options;
  const closing = new AbortController();
  let wire: Wire | null = null;
  let at = port.path;
  let heardAtMs: number | null = null;
  let tried = (): void => {};
  const firstAttempt = new Promise<void>((resolve) => {
    tried = resolve;
  });

  function state(link: TillLink): void {
    if (link.state !== 'open' && link.state !== 'connected') at = port.path;
    options.state(link);
  }

  /** Resolves when the port is lost again. @throws when it cannot be opened */
  async function openOnce(): Promise<void> {
    let onLost = (): void => {};
    const lost = new Promise<void>((resolve) => {
      onLost = resolve;
    });
    const take = (piece: Uint8Array): void => {
      if (!closing.signal.aborted) link.data(piece);
    };
    const input = new PacedInput({ turns, clock, pieceBytes, split: (piece) => [piece], take });
    const opened = await open(port, {
      data(bytes) {
        heardAtMs = clock.wallMs();
        state({ state: 'connected', detail: null, heardAtMs });
        if (input.waitingBytes + bytes.length <= maxWaitingBytes) input.push(bytes);
        else
          log.warn(
            { byteCount: bytes.length },
            `the ${device} sends faster than anybody could read: bytes are lost`,
          );
      },
      lost(why) {
        log.warn({ path: port.path, why }, `the serial port of the ${device} is gone`);
        state({ state: 'absent', detail: why, heardAtMs });
        input.finish(() => {
          link.detach();
          onLost();
        });
      },
    });
    // Closed while the port was being opened: nobody else would let go of it.
    if (closing.signal.aborted) return opened.close();
    wire = opened;
    log.info({ path: port.path, at: opened.at }, `the serial port of the ${device} is open`);
    at = opened.at ?? port.path;
    state({ state: 'open', detail: null, heardAtMs });
    link.attach(opened);
    tried();
    await lost;
    wire = null;
    await opened.close();
  }

  async function keep(): Promise<void> {
    const pauses = new Backoff(clock, reopening);
    let lastProblem: string | null = null;
    while (!closing.signal.aborted) {
      try {
        await openOnce();
        pauses.reset();
        lastProblem = null;
      } catch (error) {
        const why = messageOf(error);
        if (why !== lastProblem)
          log.warn(
            { path: port.path, detail: why },
            `the serial port of the ${device} cannot be opened yet`,
          );
        lastProblem = why;
        state({ state: portProblemOf(error), detail: why, ...portClaimerOf(error), heardAtMs });
      }
      tried();
      await pauses.wait(closing.signal);
    }
  }

  void keep();
  return {
    get address() {
      return `serial:${at}`;
    },
    firstAttempt,
    async close() {
      closing.abort(new Error('closing'));
      link.close();
      await wire?.close();
    },
  };
}
