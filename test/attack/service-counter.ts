/** A counter whose provider lies, and its checks. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CommandOutcome, Register } from '../../main/sandbox/till/register.ts';
import { type DaemonReady, Product, type SimulatorReady, until } from '../support/processes.ts';
import { LyingService } from './lying-service.ts';

/** A counter whose wallet service lies when it is told to. */
export class Counter {
  readonly service: Product;
  readonly credentials: SimulatorReady;
  readonly liar: LyingService;
  readonly daemon: Product;
  readonly folder: string;
  readonly screens: string;
  readonly till: Register;

  private constructor(
    parts: Pick<
      Counter,
      'service' | 'credentials' | 'liar' | 'daemon' | 'folder' | 'screens' | 'till'
    >,
  ) {
    this.service = parts.service;
    this.credentials = parts.credentials;
    this.liar = parts.liar;
    this.daemon = parts.daemon;
    this.folder = parts.folder;
    this.screens = parts.screens;
    this.till = parts.till;
  }

  static async open(): Promise<Counter> {
    const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-attack-'));
    mkdirSync(join(folder, 'data'));
    const service = new Product('simulator', ['--port', '0', '--poll-delay', '200']);
    const credentials = await service.ready<SimulatorReady>();
    const liar = await LyingService.before(credentials.baseUrl);
    const own = {
      ...credentials,
      baseUrl: `http://127.0.0.1:${liar.port}`,
      authUrl: `http://127.0.0.1:${liar.port}`,
    };
    writeFileSync(join(folder, 'data', 'settings.json'), JSON.stringify(settings(own)));
    const daemon = new Product('daemon', ['--data', join(folder, 'data'), '--port', '0']);
    const { screens, lanes } = await daemon.ready<DaemonReady>();
    const till = await Register.overTcp({
      host: '127.0.0.1',
      port: Number(lanes[0]?.till.split(':')[2]),
    });
    return new Counter({ service, credentials: own, liar, daemon, folder, screens, till });
  }

  async close(): Promise<void> {
    await this.till.close();
    await this.daemon.end('SIGKILL');
    await this.service.end('SIGKILL');
    this.liar.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Starts a payment and returns once the customer is waited for. */
  async begin(): Promise<{ readonly paying: Promise<CommandOutcome> }> {
    const before = this.#polls();
    const paying = this.till.pay(1234, 'DKK');
    await until(
      () => this.#polls() > before + 1 || !this.till.isBusy,
      'a payment to be asked about',
    );
    if (!this.till.isBusy) throw new Error(`no payment began: ${JSON.stringify(await paying)}`);
    return { paying };
  }
  #polls(): number {
    return this.liar.requestCount.filter((what) => polled.test(what)).length;
  }

  /** What the service has, as JSON. */
  async state(): Promise<string> {
    return (await fetch(`${this.credentials.authUrl}/simulator/state`)).text();
  }

  /** A customer checks in and approves the payment. */
  async approve(): Promise<void> {
    const { pointsOfSale } = JSON.parse(await this.state()) as {
      pointsOfSale: { beaconId: string; deleted: boolean }[];
    };
    const beaconId = pointsOfSale.find(({ deleted }) => !deleted)?.beaconId;
    for (const action of ['checkin', 'accept'])
      await fetch(`${this.credentials.authUrl}/simulator/phone/${action}`, {
        method: 'POST',
        body: JSON.stringify({ beaconId, phoneNumber: '+4520031801' }),
      });
  }

  /** Ends the payment without money, and makes the service honest again. */
  async end(paying: Promise<CommandOutcome>): Promise<void> {
    this.liar.lie = null;
    await this.till.abort();
    const { ended } = await paying;
    if (ended?.by !== 'abort') throw new Error(`the till was told ${JSON.stringify(ended)}`);
    await until(async () => (await this.state()).includes('CancelledByClient'), 'the cancel');
  }

  /** While it asks about a payment. @returns how often that was */
  async during(ms: number, lie: Parameters<LyingService['tells']>[1], least = 1): Promise<number> {
    const { paying } = await this.begin();
    this.liar.tells(polled, lie);
    await sleep(ms);
    // A busy machine needs longer to send so many.
    await until(() => this.liar.lies >= least, `${least} questions`);
    const { lies } = this.liar;
    await this.end(paying);
    if (lies === 0) throw new Error('it was not asked: the attack did not reach it');
    return lies;
  }
}

const polled = /^GET \/[^?]*\/payments\/[0-9a-f-]{36}$/;
export const json = { 'content-type': 'application/json' };
export const deep = (depth: number, name: string): string =>
  `${`{"${name}":`.repeat(depth)}1${'}'.repeat(depth)}`;
export const settings = (
  { baseUrl, authUrl, clientId, clientSecret, merchantVat, storeIds }: SimulatorReady,
  wallet: object = {},
): object => ({
  wallet: { baseUrl, authUrl, clientId, clientSecret, merchantVat, ...wallet },
  lanes: [
    {
      id: '1',
      name: 'Check-out 1',
      currency: 'DKK',
      pointOfSale: {
        merchantPosId: 'shop-1',
        storeId: storeIds[0],
        name: 'Check-out 1',
        beaconTypes: ['QR'],
      },
      till: { protocol: 'zvt', transport: 'tcp', port: 0 },
    },
  ],
});

/**
 * Takes the next payment as soon as the terminal accepts one. @returns the result that the till was
 * told
 */
export async function notPaid(till: Register): Promise<string> {
  let outcome: CommandOutcome | null = null;
  await until(
    async () => (outcome = await till.pay(1234, 'DKK')).refused === null,
    'the terminal to take a payment',
  );
  const { ended } = outcome as unknown as CommandOutcome;
  if (ended?.by !== 'abort') throw new Error(`the till was told ${JSON.stringify(ended)}`);
  return String(ended.code);
}

/** Starts it with invalid settings. @returns its lines, one for each reason */
export async function refused(
  entry: string,
  args: readonly string[],
  environment: Record<string, string> = {},
  reasons = 1,
): Promise<string[]> {
  const product = new Product(entry, args, environment);
  const ended = await Promise.race([product.exited, sleep(15_000, null, { ref: false })]);
  if (ended?.code !== 2) {
    await product.end('SIGKILL');
    throw new Error(
      `it ended with ${ended?.code ?? 'nothing: it runs'}: ${product.stderr.slice(0, 500)}`,
    );
  }
  const lines = product.stderr.trim().split('\n');
  if (lines.length !== reasons)
    throw new Error(`it said ${lines.length} lines: ${product.stderr.slice(0, 500)}`);
  return lines;
}

export const password = 'hunter2-of-the-service';
export const noWayIn = (output: string): void => {
  if (output.includes('hunter2')) throw new Error(`the password was told: ${output.slice(0, 300)}`);
};
