/**
 * Measures from a till's request over HTTP to the payment's code at a screen, alone and beside many
 * open event streams.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { Floors, type FloorSample } from './floors.ts';
import { Shop } from './shop.ts';

const readers = fileURLToPath(new URL('event-readers.ts', import.meta.url));
const warmUp = 20;

/** Milliseconds for each payment or sample. */
export interface HttpTimes {
  readonly alone: readonly number[];
  readonly besideStreams: readonly number[];
  readonly floor: readonly FloorSample[];
  /** Processor time of the daemon for a payment and its cancellation, in milliseconds. */
  readonly cpu: { readonly alone: number; readonly besideStreams: number };
}

/**
 * One run, with a fresh daemon. The next payment begins as soon as the one before is cancelled, so
 * that streams are still being told of that.
 */
export async function measureHttpTill({
  payments,
  streams,
}: {
  payments: number;
  streams: number;
}): Promise<HttpTimes> {
  const shop = await new Shop({ lanes: 1, pollDelayInMs: 1_000, till: 'http' }).open();
  await shop.startDaemon();
  await shop.openCounters();
  const floors = await Floors.open();
  const floor = await floors.measure(payments);
  await floors.close();
  const till = new HttpTill(shop);
  await till.payOften(warmUp);
  const { times: alone, cpuMs: cpuAlone } = await till.payMeasured(payments);
  const held = await EventReaders.open(shop.apiUrl, shop.readerTokens(streams), streams);
  await till.payOften(warmUp);
  const { times: besideStreams, cpuMs: cpuBeside } = await till.payMeasured(payments);
  // Without this, streams that are told nothing would seem to cost nothing.
  await held.haveHeard(till.lastPaymentId);
  await held.close();
  till.close();
  await shop.stopDaemon();
  await shop.close();
  return { alone, besideStreams, floor, cpu: { alone: cpuAlone, besideStreams: cpuBeside } };
}

class HttpTill {
  readonly #shop: Shop;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  lastPaymentId = '';

  constructor(shop: Shop) {
    this.#shop = shop;
  }

  async payMeasured(payments: number): Promise<{ times: number[]; cpuMs: number }> {
    const before = this.#shop.daemonCpuMs();
    const times = await this.payOften(payments);
    return { times, cpuMs: (this.#shop.daemonCpuMs() - before) / payments };
  }

  async payOften(payments: number): Promise<number[]> {
    const times: number[] = [];
    for (let payment = 0; payment < payments; payment += 1) {
      const qrAt = this.#shop.whenShown(0, 'waitingForCustomer');
      const startMs = performance.now();
      const paid = this.#ask('/v1/payments', { amountMinor: 1_000 + payment, currency: 'DKK' });
      times.push((await qrAt) - startMs);
      this.lastPaymentId = (JSON.parse(await paid) as { paymentId: string }).paymentId;
      const over = this.#shop.whenShown(0, 'notPaid');
      await this.#ask(`/v1/payments/${this.lastPaymentId}/cancel`, {});
      await over;
    }
    return times;
  }

  close(): void {
    this.#agent.destroy();
  }

  #ask(path: string, body: object): Promise<string> {
    const headers = {
      authorization: `Bearer ${this.#shop.tokenOf(0)}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    };
    return new Promise((resolve, reject) => {
      const httpRequest = request(
        `${this.#shop.apiUrl}${path}`,
        { method: 'POST', agent: this.#agent, headers },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (part: string) => {
            text += part;
          });
          response.once('end', () => {
            if ((response.statusCode ?? 500) < 300) resolve(text);
            else reject(new Error(`${path} was answered ${response.statusCode}: ${text}`));
          });
        },
      );
      httpRequest.once('error', reject);
      httpRequest.end(JSON.stringify(body));
    });
  }
}

class EventReaders {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  static async open(url: string, tokens: readonly string[], count: number): Promise<EventReaders> {
    const held = new EventReaders(
      spawn(process.execPath, [readers, url, tokens.join(','), String(count)], {
        stdio: ['pipe', 'pipe', 'inherit'],
      }),
    );
    await held.#says('ready');
    return held;
  }

  async haveHeard(paymentId: string): Promise<void> {
    this.#child.stdin?.write(`${paymentId}\n`);
    await this.#says('heard');
  }

  async close(): Promise<void> {
    this.#child.stdin?.end();
    await once(this.#child, 'close');
  }

  async #says(word: string): Promise<void> {
    const [line] = (await Promise.race([
      once(this.#child.stdout as NonNullable<ChildProcess['stdout']>, 'data'),
      once(this.#child, 'close'),
    ])) as [unknown];
    if (String(line).trim() !== word)
      throw new Error('the tills that hold event streams have ended');
  }
}
