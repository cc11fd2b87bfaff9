import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { Register } from '../../main/sandbox/till/register.ts';
import { socketPath, type ToPage } from '../../preload/contract.ts';
import type { AnswerTo, InputOf, ProcedureName } from '../../preload/procedures.ts';
import { callMessage } from '../support/contract-client.ts';
import { firstManagerCode } from '../support/first-manager.ts';
import { type DaemonReady, Product, until } from '../support/processes.ts';

/** A raw connection, without our own client code. */
export class Intruder {
  readonly received: ToPage[] = [];
  readonly socket: WebSocket;
  #closedWith: number | null = null;
  #id = 0;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('error', () => {});
    socket.on('message', (data) => {
      const message = JSON.parse((data as Buffer).toString()) as ToPage;
      // The version is public, because the pages' files contain it.
      if (message.t === 's' || message.m !== 'hello') this.received.push(message);
    });
    socket.on('close', (code) => (this.#closedWith = code));
  }

  /** @throws Error with the status when it is refused */
  static async at(
    address: string,
    options: { readonly localAddress?: string; readonly origin?: string } = {},
  ): Promise<Intruder> {
    const intruder = new Intruder(
      new WebSocket(`${address.replace('http', 'ws')}${socketPath}`, {
        origin: address,
        ...options,
      }),
    );
    await new Promise((resolve, reject) =>
      intruder.socket.once('open', resolve).once('error', reject),
    );
    return intruder;
  }

  /** @returns the code with which the other side closed it */
  async closed(): Promise<number> {
    await until(() => this.#closedWith !== null, 'the connection to be closed');
    return this.#closedWith ?? 0;
  }

  say(message: unknown): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  async ask<Name extends ProcedureName>(name: Name, input: InputOf<Name>): Promise<AnswerTo<Name>> {
    this.#id += 1;
    const id = String(this.#id);
    this.say(callMessage(id, name, input));
    const answered = (message: ToPage): boolean => message.t === 's' && message.i === id;
    await until(
      () => this.received.some(answered) || this.socket.readyState !== this.socket.OPEN,
      `the answer to ${name}`,
    );
    const found = this.received.find(answered);
    if (found?.t !== 's') throw new Error(`the connection was closed instead of answering ${name}`);
    return found.r as AnswerTo<Name>;
  }
}

/** Two lanes over the simulated service, with displays in the network. */
export class ScreensShop {
  readonly data = mkdtempSync(join(tmpdir(), 'tillbeacon-attack-screens-'));
  readonly daemon: Product;
  screens = '';
  displays = '';
  tills: readonly string[] = [];

  /** @param till further settings of the lanes' tills */
  private constructor(till: object) {
    const lane = (id: string) => ({
      id,
      name: `Check-out ${id}`,
      currency: 'DKK',
      pointOfSale: {
        merchantPosId: `shop-${id}`,
        storeId: '51070000-0000-4000-8000-00000000abcd',
        name: `Check-out ${id}`,
        beaconTypes: ['QR'],
      },
      till: { protocol: 'zvt', transport: 'tcp', host: '127.0.0.1', port: 0, ...till },
    });
    mkdirSync(this.data, { recursive: true });
    const screens = { customerDisplays: { host: '127.0.0.1', port: 0 } };
    writeFileSync(
      join(this.data, 'settings.json'),
      JSON.stringify({ wallet: { simulator: true }, screens, lanes: [lane('1'), lane('2')] }),
    );
    this.daemon = new Product('daemon', ['--data', this.data, '--port', '0']);
  }

  static async open(till: object = {}): Promise<ScreensShop> {
    const shop = new ScreensShop(till);
    const { screens, lanes } = await shop.daemon.ready<DaemonReady>();
    shop.screens = screens;
    shop.tills = lanes.map(({ till }) => till);
    const served = 'customers’ screens are served to other devices';
    await shop.daemon.logs(served);
    shop.displays = `http://127.0.0.1:${String(shop.daemon.log().find(({ msg }) => msg === served)?.['port'])}`;
    return shop;
  }

  get code(): string {
    return firstManagerCode(this.data);
  }

  till(index: number, password?: string): Promise<Register> {
    const port = Number(this.tills[index]?.split(':')[2]);
    return Register.overTcp({
      host: '127.0.0.1',
      port,
      ...(password !== undefined && { password }),
    });
  }

  /** Resident memory of the daemon in megabytes, as the system counts it. */
  megabytes(): number {
    const [, kilobytes = '0'] =
      /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.daemon.child.pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) / 1024;
  }

  logLines(): number {
    return this.daemon.stderr.split('\n').length;
  }

  async close(): Promise<void> {
    await this.daemon.end('SIGKILL');
    rmSync(this.data, { recursive: true, force: true });
  }
}
