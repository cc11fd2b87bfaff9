import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { Bridge } from '../../preload/contract.ts';
import type { SerialPortShown } from '../../preload/procedures/setup-till.ts';
import { Polling } from './polling.ts';
import { portToPick, type PortForm } from './ports-choice.ts';

const portsEveryMs = 1_000;
const pollIntervalMs = 500;
/** A pause in typing after which the port is opened, so that no half-typed path is tried. */
const pauseMs = 250;

/** A page on which a device at a serial port is chosen. */
interface PortHost<Heard> extends ReactiveControllerHost {
  readonly bridge: Pick<Bridge, 'ask'>;
  readonly form: PortForm;
  /** null until listed. */
  ports: readonly SerialPortShown[] | null;
  /** null when the port is not being listened to. */
  heard: Heard | null;
}

interface Device<Heard, Refused> {
  /** Listens at the connection of the form. @returns null when the form names none */
  readonly listen: (
    isLatest: () => boolean,
  ) => Promise<{ readonly ok: true; readonly value: Heard } | Refused | null>;
  readonly hear: () => Promise<
    { readonly ok: true; readonly value: Heard } | { readonly ok: false }
  >;
  readonly isStopped: (heard: Heard) => boolean;
  readonly stop: () => Promise<unknown>;
  /** Called when the results shown for the connection are no longer valid. */
  readonly forget: () => void;
  readonly heard?: (heard: Heard) => void;
  readonly refused: (refused: Refused) => void;
  /** Called with a port that was just plugged in, or with the only one. */
  readonly found: (path: string) => void;
}

/**
 * Lists the serial ports of this computer, and shows what a device sends until the page is left.
 */
export class PortListening<Heard, Refused extends { readonly ok: false }>
  implements ReactiveController
{
  readonly #host: PortHost<Heard>;
  readonly #device: Device<Heard, Refused>;
  readonly #listing: Polling;
  readonly #hearing: Polling;
  /** Counts the requests to listen: answers to an earlier one are ignored. */
  #asked = 0;
  #pause: ReturnType<typeof setTimeout> | undefined;

  constructor(host: PortHost<Heard>, device: Device<Heard, Refused>) {
    this.#host = host;
    this.#device = device;
    this.#listing = new Polling(host, portsEveryMs, () => this.#list());
    this.#hearing = new Polling(host, pollIntervalMs, () => this.#hear());
    host.addController(this);
  }

  hostDisconnected(): void {
    clearTimeout(this.#pause);
    this.#asked += 1;
    void this.#device.stop();
  }

  list(isWanted: boolean): void {
    if (isWanted) this.#listing.start();
    else this.#listing.stop();
  }

  /** Listens anew after the connection in the form has changed. */
  again(): void {
    this.#forget();
    this.#pause = setTimeout(() => void this.listen(), pauseMs);
  }

  async listen(): Promise<void> {
    this.#forget();
    const asked = this.#asked;
    const isLatest = (): boolean => asked === this.#asked;
    const answer = await this.#device.listen(isLatest);
    if (answer === null || !isLatest()) return;
    if (!answer.ok) return this.#device.refused(answer);
    this.#show(answer.value);
    this.#hearing.start();
  }

  #forget(): void {
    clearTimeout(this.#pause);
    this.#hearing.stop();
    this.#asked += 1;
    this.#host.heard = null;
    this.#device.forget();
  }

  async #hear(): Promise<void> {
    const asked = this.#asked;
    const answer = await this.#device.hear();
    if (!answer.ok || asked !== this.#asked) return;
    if (this.#device.isStopped(answer.value)) this.again();
    else this.#show(answer.value);
  }

  #show(heard: Heard): void {
    this.#host.heard = heard;
    this.#device.heard?.(heard);
  }

  async #list(): Promise<void> {
    const answer = await this.#host.bridge.ask('serialPorts', {});
    if (!answer.ok) return;
    const before = this.#host.ports;
    this.#host.ports = answer.value.ports;
    const found = portToPick(answer.value.ports, before, this.#host.form);
    if (found !== null) this.#device.found(found.path);
  }
}
