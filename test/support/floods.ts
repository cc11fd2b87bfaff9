/** Floods of every port of a daemon, and how long a till of another lane waits meanwhile. */
import type { LoopPause } from '../bench/loop-pause.ts';
import { TillClient } from '../bench/till-client.ts';
import { socketPath } from '../../preload/contract.ts';
import { Register } from '../../main/sandbox/till/register.ts';
import { encodePacket } from '../../main/tills/zvt/packets.ts';
import { watchMessage } from './contract-client.ts';
import { Counter } from './counter.ts';
import type { Flooding } from './flooder.ts';
import { Product, until } from './processes.ts';

/** Its lanes: the till that is measured, and those that are flooded. */
const lanes = { till: '1', zvt: '2', concert: '3' } as const;

/** A counter that listens at every port that it can have. */
export class FloodedCounter {
  readonly counter: Counter;
  readonly #ports: Readonly<Record<Port, number>>;

  private constructor(counter: Counter, ports: Readonly<Record<Port, number>>) {
    this.counter = counter;
    this.#ports = ports;
  }

  static async open(): Promise<FloodedCounter> {
    const counter = await Counter.open({
      transport: 'tcp',
      environment: {
        NODE_OPTIONS: `--import=${new URL('../bench/loop-pause.ts', import.meta.url).href}`,
      },
      more: async ({ storeIds }) => ({
        settings: {
          screens: { customerDisplays: { host: '127.0.0.1', port: 0 } },
          api: { port: 0 },
          monitoring: { metrics: { host: '127.0.0.1', port: 0, token: 'a'.repeat(32) } },
        },
        lanes: [
          {
            id: lanes.zvt,
            till: { protocol: 'zvt', transport: 'tcp', host: '127.0.0.1', port: 0 },
          },
          {
            id: lanes.concert,
            till: { protocol: 'concert', transport: 'tcp', host: '127.0.0.1', port: 0 },
          },
          { id: '4', till: { protocol: 'http' } },
        ].map((lane) => ({
          ...lane,
          name: `Check-out ${lane.id}`,
          currency: 'DKK',
          pointOfSale: {
            merchantPosId: `shop-1-lane-${lane.id}`,
            storeId: storeIds[0],
            name: `Check-out ${lane.id}`,
            beaconTypes: ['QR'],
            beaconId: null,
          },
        })),
      }),
    });
    const served = {
      displays: 'customers’ screens are served to other devices',
      metrics: 'the metrics are served to other machines',
    };
    await counter.daemon.logs(...Object.values(served));
    const logged = (message: string): number =>
      Number(counter.daemon.log().find(({ msg }) => msg === message)?.['port']);
    const tillPort = (laneId: string): number =>
      Number(counter.started.lanes.find(({ id }) => id === laneId)?.till.split(':')[2]);
    return new FloodedCounter(counter, {
      zvt: tillPort(lanes.zvt),
      concert: tillPort(lanes.concert),
      screens: Number(new URL(counter.started.screens).port),
      displays: logged(served.displays),
      api: Number(new URL(counter.started.api ?? '').port),
      metrics: logged(served.metrics),
    });
  }

  close(): Promise<void> {
    return this.counter.close();
  }

  /**
   * Measures a till that asks and pays, for so long, while somebody floods a port; null for nobody.
   */
  async measure(flood: Flood | null, seconds: number): Promise<Measured> {
    const { counter } = this;
    // What the flood before has left is over.
    await until(
      async () => (await this.#ask(1, calmMs).catch(() => calmMs)) < calmMs,
      'a calm daemon',
      maxUncalmMs,
    );
    await this.#pause();
    const linesBefore = counter.daemon.log().length;
    const flooder =
      flood &&
      new Product('test/support/flooder.ts', [
        JSON.stringify({ ...flood.flooding(this.#ports[flood.at]), seconds }),
      ]);
    try {
      const [maxMs, paidMs] = await Promise.all([this.#ask(seconds), this.#pay(seconds)]);
      const sent = (await flooder?.ready<Sent>()) ?? { connections: 0, bytes: 0 };
      const { busiestMs } = await this.#pause();
      return {
        maxMs: maxMs,
        paidMs,
        busiestMs,
        sent,
        logLines: counter.daemon.log().length - linesBefore,
      };
    } finally {
      await flooder?.end('SIGKILL');
    }
  }

  /** How the daemon's loop has paused since the last call. */
  async #pause(): Promise<LoopPause> {
    const { daemon } = this.counter;
    const lines = daemon.lines.length;
    daemon.child.kill('SIGUSR2');
    await until(() => daemon.lines.length > lines, 'the pause of the loop', maxUncalmMs);
    return JSON.parse(daemon.lines.at(-1) as string) as LoopPause;
  }

  /** @returns the longest wait of a till for the answer to a status enquiry, in milliseconds */
  async #ask(seconds: number, limitMs = waitMs): Promise<number> {
    const endsAtMs = performance.now() + seconds * 1_000;
    const till = await within(
      limitMs,
      'a connection',
      Register.overTcp({ host: '127.0.0.1', port: this.#tillPort }),
    );
    let maxMs = 0;
    try {
      do {
        const startMs = performance.now();
        const { ended } = await within(limitMs, 'a status enquiry', till.statusEnquiry());
        maxMs = Math.max(maxMs, performance.now() - startMs);
        if (ended?.by !== 'completion')
          throw new Error(`the till's status enquiry ended with ${ended?.by ?? 'nothing'}`);
        await new Promise((resolve) => setTimeout(resolve, everyMs));
      } while (performance.now() < endsAtMs);
    } finally {
      await till.close();
    }
    return maxMs;
  }

  get #tillPort(): number {
    return Number(this.counter.started.lanes[0]?.till.split(':')[2]);
  }

  /**
   * Pays in the middle of the flood. @returns how long the till waited until its request was
   * accepted, in milliseconds
   */
  async #pay(seconds: number): Promise<number> {
    const { counter } = this;
    await new Promise((resolve) => setTimeout(resolve, seconds * 400));
    const till = await within(waitMs, 'a connection', TillClient.connect(this.#tillPort));
    try {
      const before = (await counter.state()).payments.length;
      const paying = within(waitMs, 'the payment', till.pay(1_234));
      const approving = until(
        async () => (await counter.state()).payments.length > before,
        'the payment at the service',
        waitMs,
      ).then(() => counter.customerPays());
      const [{ acceptedAtMs, startMs: askedAtMs, completed }] = await Promise.all([
        paying,
        approving,
      ]);
      if (!completed) throw new Error('the payment failed');
      await counter.serviceSays('Captured', waitMs);
      return acceptedAtMs - askedAtMs;
    } finally {
      till.close();
    }
  }
}

interface Sent {
  readonly connections: number;
  readonly bytes: number;
}

export interface Measured {
  /** The longest wait for the answer to a status enquiry, which a till asks every 50 ms. */
  readonly maxMs: number;
  /** How long a payment waited until it was accepted. */
  readonly paidMs: number;
  /**
   * How long the daemon was at work at most without a look at its clock: the wait without what
   * other programs take of the processor.
   */
  readonly busiestMs: number;
  readonly sent: Sent;
  /** How many lines the daemon logged. */
  readonly logLines: number;
}

const everyMs = 50;
/** Nothing is waited for longer than this. */
const waitMs = 15_000;
const calmMs = 500;
const maxUncalmMs = 60_000;

function within<Result>(limitMs: number, what: string, result: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`no answer to ${what} within ${limitMs / 1_000} s`)),
      limitMs,
    );
  });
  return Promise.race([result, late]).finally(() => clearTimeout(timer));
}

type Port = 'zvt' | 'concert' | 'screens' | 'displays' | 'api' | 'metrics';

export interface Flood {
  /** E.g. "one connection asks for payments of nothing". */
  readonly name: string;
  readonly at: Port;
  readonly flooding: (port: number) => Omit<Flooding, 'seconds'>;
}

const base64 = (bytes: Uint8Array | string): string =>
  Buffer.from(bytes as string, 'latin1').toString('base64');
const hex = (text: string): string =>
  Buffer.from(text.replaceAll(' ', ''), 'hex').toString('base64');

const statusEnquiry = hex('05 01 00');
const noAmount = hex('06 01 0A 04 00 00 00 00 00 00 49 02 08');
/** Registers, and answers what follows as a till does. */
const registers = Buffer.concat([
  encodePacket('registration', {
    parts: [Uint8Array.of(0x12, 0x34, 0x56), Uint8Array.of(0), Uint8Array.of(0x02, 0x08)],
  }),
  Uint8Array.of(0x80, 0x00, 0x00),
]).toString('base64');
const identification = base64('CZ0040300CA00201CD001I\n');

const get = (port: number, path: string): string =>
  base64(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
const upgrade = (port: number): string =>
  base64(
    [
      `GET ${socketPath} HTTP/1.1`,
      `Host: 127.0.0.1:${port}`,
      `Origin: http://127.0.0.1:${port}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      '\r\n',
    ].join('\r\n'),
  );
/** A frame with the mask 0, which does not change the payload. */
function frame(opcode: number, payload = ''): string {
  const length =
    payload.length < 126
      ? [0x80 | payload.length]
      : [0x80 | 126, payload.length >>> 8, payload.length & 0xff];
  return Buffer.concat([
    Uint8Array.of(0x80 | opcode, ...length, 0, 0, 0, 0),
    Buffer.from(payload, 'latin1'),
  ]).toString('base64');
}
const ping = frame(9);
const watch = frame(1, JSON.stringify(watchMessage({ screen: 'cashier', laneId: lanes.zvt })));
const webSockets = (connections: number, unit: string) => (port: number) => ({
  port,
  connections,
  head: upgrade(port),
  waitsForAnswer: true,
  unit,
});

/** Floods of the tills' ports. */
export const tillFloods: readonly Flood[] = [
  {
    name: 'one connection of a till asks for payments of nothing',
    at: 'zvt',
    flooding: (port) => ({ port, connections: 1, unit: noAmount }),
  },
  {
    name: 'ten connections of tills ask for the status',
    at: 'zvt',
    flooding: (port) => ({ port, connections: 10, unit: statusEnquiry }),
  },
  {
    name: 'eight connections of tills send 600 kB at once',
    at: 'zvt',
    flooding: (port) => ({ port, connections: 8, unit: statusEnquiry, maxBytes: 600_000 }),
  },
  {
    name: 'tills register again and again',
    at: 'zvt',
    flooding: (port) => ({ port, connections: 10, unit: registers }),
  },
  {
    name: 'a till connects in a loop',
    at: 'zvt',
    flooding: (port) => ({ port, connections: 10, unit: statusEnquiry, reconnects: true }),
  },
  {
    name: 'ten tills send a long packet in single bytes',
    at: 'zvt',
    flooding: (port) => ({
      port,
      connections: 10,
      head: hex('06 01 FF FF FF'),
      unit: hex('00'),
      inSingleBytes: true,
    }),
  },
  {
    name: 'ten tills of Concert identify themselves',
    at: 'concert',
    flooding: (port) => ({ port, connections: 10, unit: identification }),
  },
];

/** Floods of the ports for pages and programs. */
export const serverFloods: readonly Flood[] = [
  {
    name: 'twenty connections ask for pages',
    at: 'screens',
    flooding: (port) => ({ port, connections: 20, unit: get(port, '/cashier/') }),
  },
  { name: 'one WebSocket at the screens pings', at: 'screens', flooding: webSockets(1, ping) },
  {
    name: 'one WebSocket at the screens sends messages',
    at: 'screens',
    flooding: webSockets(1, watch),
  },
  {
    name: 'sixteen WebSockets at the customers’ displays ping',
    at: 'displays',
    flooding: webSockets(16, ping),
  },
  {
    name: 'sixteen WebSockets at the customers’ displays send messages',
    at: 'displays',
    flooding: webSockets(16, watch),
  },
  {
    name: 'twenty connections call the API without a token',
    at: 'api',
    flooding: (port) => ({ port, connections: 20, unit: get(port, '/v1/lane') }),
  },
  {
    name: 'twenty connections ask for the metrics without a token',
    at: 'metrics',
    flooding: (port) => ({ port, connections: 20, unit: get(port, '/metrics') }),
  },
];
