import { statSync } from 'node:fs';
import { type Cancel, type Clock, systemClock } from '../../core/domain/clock.ts';
import { asError } from '../../core/domain/errors.ts';
import { formatOf, type WholePortSettings } from '../../core/domain/serial-format.ts';
import type { OpenSerialWire, Wire, WireListener } from '../../core/domain/wire.ts';
import { portlessAdapter } from './linux-ports.ts';
import { absent, type PortSystem, whyAbsent, whyNotOpen } from './port-failures.ts';
import { holderOf, runningClaimers } from './port-holder.ts';
import { isListed, loadSerialPort, resolvePort } from './serial-ports.ts';

/** A driver that does not open a port within this time is not waited for. */
const openTimeoutMs = 5_000;
/**
 * A driver that does not accept a block within this time has lost its device, even if it reports no
 * error.
 */
const writeTimeoutMs = 2_000;
/** Closing can hang in a driver, so the wait is bounded. */
const closeTimeoutMs = 500;
/**
 * How often the port is checked, because close events are unreliable after an unplug and after
 * power saving.
 */
const watchEveryMs = 2_000;

/** Start bit, eight data bits, two stop bits; a parity bit comes on top. */
const maxBitsWithoutParity = 11;
/** Without the parity bit, which a virtual port leaves in the byte. */
const sevenBits = 0x7f;

type Done = (error: Error | null | undefined) => void;

/** The part of `SerialPort` that is used. */
export interface PortDriver {
  readonly isOpen: boolean;
  open(done: Done): void;
  write(bytes: Buffer, done: Done): unknown;
  /** Reads the modem lines. */
  get(done: (error: Error | null) => void): void;
  close(done: Done): void;
  on(event: 'data', listener: (bytes: Buffer) => void): unknown;
  on(event: 'error' | 'close', listener: (error?: Error | null) => void): unknown;
}

interface SerialSystem extends PortSystem {
  readonly clock: Clock;
  readonly create: (port: WholePortSettings) => Promise<PortDriver>;
  /** The system's name of a port in the settings. @throws PortError */
  readonly resolve: (path: string) => Promise<string>;
  /**
   * Identifies the device at a path: it changes when another takes its place; null when none is
   * there.
   */
  readonly deviceAt: (path: string) => Promise<string | null>;
}

/** Opens a serial port without flow control (ZVT PA00P016, section 2.1). */
export function serialWires(system: SerialSystem): OpenSerialWire {
  return async ({ path, ...line }, listener) => {
    const at = await system.resolve(path).catch(async (error: unknown) => {
      throw await whyAbsent(path, error, system);
    });
    // If the system cannot tell whether the device exists, try to open it.
    const device = await system.deviceAt(at).catch(() => '');
    if (device === null) throw await whyAbsent(path, absent(at), system);
    try {
      const port = { ...line, ...formatOf(line), path: at };
      const driver = await system.create(port);
      await within(
        system.clock,
        openTimeoutMs,
        'the driver does not open it',
        (done) => driver.open(done),
        () => driver.close(() => {}),
      );
      return new SerialWire(device, driver, listener, { ...system, port });
    } catch (thrown) {
      throw await whyNotOpen(at, asError(thrown), system);
    }
  };
}

export const openSerialWire: OpenSerialWire = serialWires({
  clock: systemClock,
  create: async (port) => new (await loadSerialPort())({ ...port, autoOpen: false }),
  resolve: resolvePort,
  deviceAt: deviceOfSystem,
  holderOf,
  ...(process.platform === 'linux' && { runningClaimers, takenAdapter: portlessAdapter }),
});

/**
 * A device that is plugged in again often has its old name, but never its old node. Windows has no
 * nodes, only a list, which lacks some virtual ports.
 */
async function deviceOfSystem(path: string): Promise<string | null> {
  if (process.platform === 'win32') return (await isListed(path)) ? 'listed' : 'not listed';
  const node = statSync(path, { throwIfNoEntry: false });
  return node === undefined ? null : `${node.dev} ${node.ino} ${node.rdev}`;
}

class SerialWire implements Wire {
  readonly at: string;
  readonly #device: string;
  readonly #driver: PortDriver;
  readonly #listener: WireListener;
  readonly #system: SerialSystem & { readonly port: WholePortSettings };
  /**
   * When what was written has left at the line's speed: a driver takes it sooner. By the monotonic
   * clock.
   */
  #leavesAtMs = 0;
  #isOver = false;
  /**
   * Whether the modem lines could be read once, so that a later failure means that the device is
   * dead. A pseudo-terminal has none.
   */
  #hasModemLines = false;
  #cancelWatch: Cancel = () => {};

  constructor(
    device: string,
    driver: PortDriver,
    listener: WireListener,
    system: SerialSystem & { readonly port: WholePortSettings },
  ) {
    this.at = system.port.path;
    this.#device = device;
    this.#driver = driver;
    this.#listener = listener;
    this.#system = system;
    const hasSevenBits = system.port.dataBits === 7;
    driver.on('data', (bytes) => {
      if (!this.#isOver)
        listener.data(hasSevenBits ? bytes.map((byte) => byte & sevenBits) : bytes);
    });
    driver.on('error', (error) => this.#lose(error?.message ?? 'the port failed'));
    driver.on('close', () => this.#lose('the port was unplugged'));
    void this.#look();
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#isOver) throw new Error('the port is closed');
    const { clock, port } = this.#system;
    const bits = bytes.length * (maxBitsWithoutParity + (port.parity === 'none' ? 0 : 1));
    this.#leavesAtMs =
      Math.max(this.#leavesAtMs, clock.monotonicMs()) + (bits * 1_000) / port.baudRate;
    try {
      await within(clock, writeTimeoutMs, 'the port does not take any bytes', (done) =>
        this.#driver.write(Buffer.from(bytes), done),
      );
    } catch (thrown) {
      const error = asError(thrown);
      this.#lose(error.message);
      throw error;
    }
  }

  leavesInMs(): number {
    return Math.max(0, this.#leavesAtMs - this.#system.clock.monotonicMs());
  }

  async close(): Promise<void> {
    this.#end();
    if (!this.#driver.isOpen) return;
    await within(this.#system.clock, closeTimeoutMs, 'the driver does not close it', (done) =>
      this.#driver.close(done),
    ).catch(() => {});
  }

  #end(): void {
    this.#isOver = true;
    this.#cancelWatch();
  }

  #lose(why: string): void {
    if (this.#isOver) return;
    this.#end();
    this.#listener.lost(why);
  }

  async #look(): Promise<void> {
    const why = await this.#whatIsWrong().catch(() => null);
    if (why !== null) return this.#lose(why);
    if (!this.#isOver)
      this.#cancelWatch = this.#system.clock.after(watchEveryMs, () => void this.#look());
  }

  async #whatIsWrong(): Promise<string | null> {
    if (!this.#driver.isOpen) return 'the port was closed';
    const device = await this.#system.deviceAt(this.at);
    if (device === null) return 'the port is no longer there';
    if (device !== this.#device) return 'the port was unplugged, or plugged in again';
    const { clock } = this.#system;
    const failure = await within(clock, writeTimeoutMs, 'it does not answer', (done) =>
      this.#driver.get((error) => done(error)),
    ).then(
      () => null,
      (thrown: unknown) => asError(thrown).message,
    );
    if (failure === null) this.#hasModemLines = true;
    return failure !== null && this.#hasModemLines ? `the port is dead: ${failure}` : null;
  }
}

/** Rejects after `limitMs`. @param late called when the operation succeeds only after that */
function within(
  clock: Clock,
  limitMs: number,
  overdue: string,
  start: (done: Done) => void,
  late: () => void = () => {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    const cancel = clock.after(limitMs, () => {
      isOver = true;
      reject(new Error(overdue));
    });
    start((error) => {
      if (isOver) {
        if (!error) late();
        return;
      }
      isOver = true;
      cancel();
      if (error) reject(error);
      else resolve();
    });
  });
}
