import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CommandOutcome, Register } from '../../main/sandbox/till/register.ts';
import { ScreenName } from '../../preload/contract.ts';
import { watchMessage } from '../support/contract-client.ts';
import { type DaemonReady, Product, type SimulatorReady, until } from '../support/processes.ts';
import { selfSigned } from '../support/self-signed.ts';
import { attackArea } from './attack.ts';
import { LyingService } from './lying-service.ts';
import { Intruder } from './screens-shop.ts';

/** A counter whose wallet service lies when it is told to. */
class Counter {
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
    return this.liar.asked.filter((what) => polled.test(what)).length;
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
const json = { 'content-type': 'application/json' };
const deep = (depth: number, name: string): string =>
  `${`{"${name}":`.repeat(depth)}1${'}'.repeat(depth)}`;
const settings = (
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
async function notPaid(till: Register): Promise<string> {
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
async function refused(
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

const password = 'hunter2-of-the-service';
const noWayIn = (said: string): void => {
  if (said.includes('hunter2')) throw new Error(`the password was told: ${said.slice(0, 300)}`);
};

/**
 * Attacks by a wallet service that lies, by somebody between it and the counter, and by settings
 * that lead to either.
 */
export const serviceArea = attackArea('service', {
  open: () => Counter.open(),
  close: (counter) => counter.close(),
  attacks: [
    {
      name: 'the service fails every request with a megabyte of text for a terminal',
      attempt: async ({ daemon, liar, till }) => {
        const before = daemon.stderr.length;
        const message = `\u001b[2J\u202e\u009b31m${'x'.repeat(300_000)}`;
        const body = JSON.stringify({ code: message, message, correlationId: message });
        liar.tells(
          /\/payments/,
          (_request, response) => void response.writeHead(500, json).end(body),
        );
        const { ended } = await till.pay(1234, 'DKK');
        const { lies } = liar;
        liar.lie = null;
        const log = daemon.stderr.slice(before);
        if (ended?.by !== 'abort' || lies < 6)
          throw new Error(`after ${lies} lies the till was told ${JSON.stringify(ended)}`);
        // oxlint-disable-next-line no-control-regex
        if (log.length > 3_000 * lies || /[\u001b\u009b\u202e]/.test(log))
          throw new Error(
            `${log.length} characters of log for ${lies} requests: ${log.slice(0, 300)}`,
          );
        return `${log.length} characters of log for ${lies} requests of ${body.length} characters`;
      },
    },
    {
      name: 'the service nests its answers and refusals a hundred thousand levels deep',
      attempt: async ({ daemon, liar, till, screens }) => {
        const before = daemon.stderr.length;
        const told: string[] = [];
        for (const [status, body] of [
          [409, deep(40_000, 'error_description')],
          [200, deep(100_000, 'a')],
          [409, '['.repeat(900_000)],
          [200, `[${'{},'.repeat(300_000)}{}]`],
        ] as const) {
          liar.tells(/^POST \/[^?]*\/payments$/, (request, response) => {
            request.resume();
            response.writeHead(status, json).end(body);
          });
          told.push(await notPaid(till));
          if (liar.lies === 0) throw new Error('it was not asked: the attack did not reach it');
        }
        liar.lie = null;
        if (/Maximum call stack|RangeError/.test(daemon.stderr.slice(before)))
          throw new Error('its stack ran over');
        if (!(await fetch(screens)).ok) throw new Error('its screens are gone');
        return `the till was told ${told.join(', ')}`;
      },
    },
    {
      name: 'the service answers without end, a letter at a time',
      attempt: async (counter) => {
        let most = 0;
        const asked = await counter.during(2_000, (_request, response) => {
          most = Math.max(most, counter.liar.open.size);
          response.writeHead(200, json);
          const drip = setInterval(() => response.write(' '), 10);
          response.once('close', () => clearInterval(drip));
        });
        if (most > 1) throw new Error(`${most} answers were waited for at a time`);
        return `${asked} questions, one at a time, each given up`;
      },
    },
    {
      name: 'the service dates its answers 1970, 2099, or each on another day',
      attempt: async (counter) => {
        const before = counter.daemon.stderr.length;
        const dates = [
          0,
          Date.UTC(2099, 0, 1),
          Date.UTC(2099, 0, 1),
          Date.UTC(2031, 0, 1),
          Date.UTC(2028, 0, 1),
        ];
        let next = 0;
        const asked = await counter.during(
          2_000,
          (_request, response) => {
            response.sendDate = false;
            const date = new Date(dates[next % dates.length] ?? 0).toUTCString();
            next += 1;
            response.writeHead(500, { ...json, date }).end('{}');
          },
          dates.length,
        );
        const log = counter.daemon.stderr.slice(before);
        if (!log.includes("clock is not the wallet service's"))
          throw new Error('no date was read: the attack did not reach it');
        if (/clock is wrong/.test(log)) throw new Error('its clock was moved');
        return `${asked} answers, and the clock stayed`;
      },
    },
    {
      name: 'the service answers without end, as fast as it can',
      attempt: async (counter) => {
        let longest = 0;
        const asked = await counter.during(1_500, (_request, response) => {
          let bytes = 0;
          const more = (): void => {
            if (response.destroyed) return;
            bytes += 65_536;
            longest = Math.max(longest, bytes);
            if (response.write('['.repeat(65_536))) setImmediate(more);
            else response.once('drain', more);
          };
          response.writeHead(200, json);
          more();
        });
        // The allowance covers what is on its way in the system's buffers.
        if (longest > 12_000_000) throw new Error(`it took ${longest} bytes of one answer`);
        return `${asked} questions, ${longest} bytes sent at most`;
      },
    },
    {
      name: 'the service sends the token on to another host',
      attempt: async (counter) => {
        const heard: string[] = [];
        const thief = createServer((request, response) => {
          heard.push(request.headers.authorization ?? 'nothing');
          response.end('{}');
        });
        await new Promise<void>((resolve) => thief.listen(0, '127.0.0.1', resolve));
        const location = `http://localhost:${(thief.address() as AddressInfo).port}/`;
        let status = 301;
        const asked = await counter.during(1_200, (_request, response) => {
          response.writeHead(status, { location }).end();
          status = status === 301 ? 302 : status === 302 ? 307 : status === 307 ? 308 : 301;
        });
        thief.close().closeAllConnections();
        if (heard.length > 0) throw new Error(`the other host heard ${heard.join(', ')}`);
        return `${asked} redirections, none followed`;
      },
    },
    {
      name: 'the service gives a payment an id that is a path',
      attempt: async ({ liar, till }) => {
        const from = liar.asked.length;
        liar.tells(/^POST \/[^?]*\/payments$/, (request, response) => {
          request.resume();
          response
            .writeHead(200, json)
            .end(JSON.stringify({ paymentId: '../../simulator/clock?x=' }));
        });
        const { ended } = await till.pay(1234, 'DKK');
        liar.lie = null;
        const led = liar.asked.slice(from).filter((what) => /\.\.|simulator|%2e/i.test(what));
        if (liar.lies === 0 || ended?.by !== 'abort' || led.length > 0)
          throw new Error(`${JSON.stringify(ended)} after ${led.join(', ')}`);
        return `the till was told ${ended.code}, and nothing was asked there`;
      },
    },
    {
      name: 'the service names a hundred loyalty numbers with codes for a terminal, and other screens want to read them',
      attempt: async (counter) => {
        const { screens, liar } = counter;
        const loyaltyIds = Array.from(
          { length: 100 },
          (_, index) => `KNOWN-${index}\u001b[2J\u202e\n${'9'.repeat(100)}`,
        );
        const watching = await Promise.all(
          ScreenName.options.map(async (screen) => {
            const intruder = await Intruder.at(screens);
            intruder.say(watchMessage({ screen, laneId: '1' }));
            return { screen, intruder };
          }),
        );
        await counter.during(2_500, (request, response) => {
          const { host: _, connection: __, ...headers } = request.headers as Record<string, string>;
          void fetch(new URL(request.url ?? '', liar.service), { headers })
            .then((answer) => answer.json())
            .then((payment) =>
              response
                .writeHead(200, json)
                .end(JSON.stringify({ ...(payment as object), loyaltyIds })),
            )
            .catch(() => response.destroy());
        });
        const told = watching
          .filter(({ intruder }) => JSON.stringify(intruder.received).includes('KNOWN-'))
          .map(({ screen }) => screen);
        const views = watching.flatMap(({ screen, intruder }) =>
          screen === 'cashier' ? intruder.received : [],
        );
        for (const { intruder } of watching) intruder.socket.close();
        if (told.join() !== 'cashier')
          throw new Error(`they were told to ${told.join(', ') || 'nobody'}`);
        const shown = views.flatMap((message) =>
          message.t === 'q' && message.m === 'view' ? (message.a[0].lane?.loyaltyIds ?? []) : [],
        );
        const wrong = shown.find((id) => id.length > 60 || /\p{C}/u.test(id));
        const most = Math.max(
          ...views.map((message) =>
            message.t === 'q' && message.m === 'view'
              ? (message.a[0].lane?.loyaltyIds?.length ?? 0)
              : 0,
          ),
        );
        if (wrong !== undefined || most > 10)
          throw new Error(`the cashier was shown ${most} of them: ${JSON.stringify(wrong)}`);
        return `the cashier was shown ${most} of them, cleaned and cut, and no other screen any`;
      },
    },
    {
      name: 'the service wants to be asked at once, never, or at no time',
      attempt: async (counter) => {
        const delays = ['0', '-1', '1e300', '"soon"', '1e-9', 'null'];
        let turn = 0;
        let answeredAtMs = Number.NEGATIVE_INFINITY;
        let soonestMs = Number.POSITIVE_INFINITY;
        const lie: Parameters<typeof counter.during>[1] = (request, response) => {
          soonestMs = Math.min(soonestMs, performance.now() - answeredAtMs);
          const paymentId = request.url?.split('/').at(-1);
          const payment = {
            paymentId,
            posId: paymentId,
            orderId: 'x',
            amount: 12.34,
            currencyCode: 'DKK',
            status: 'Initiated',
          };
          turn += 1;
          answeredAtMs = performance.now();
          response
            .writeHead(200, json)
            .end(
              `${JSON.stringify(payment).slice(0, -1)},"pollDelayInMs":${delays[turn % delays.length]}}`,
            );
        };
        // Judged by the pauses, not by the number of requests in a time: on a busy machine a pause
        // may be longer, but never shorter.
        const asked = await counter.during(2_500, lie, delays.length + 1);
        if (soonestMs < 99) throw new Error(`it asked again after ${soonestMs.toFixed(0)} ms`);
        return `asked ${asked} times, never sooner than ${soonestMs.toFixed(0)} ms after an answer`;
      },
    },
    {
      name: 'the service answers a capture with 204 and does nothing',
      attempt: async (counter) => {
        const { daemon, liar } = counter;
        const before = daemon.stderr.length;
        const isCalledCaptured = (): boolean =>
          daemon.stderr.slice(before).includes('"type":"captured"');
        const { paying } = await counter.begin();
        liar.tells(/^POST \/[^?]*\/capture$/, (request, response) => {
          request.resume();
          response.writeHead(204).end();
        });
        await counter.approve();
        const { ended } = await paying;
        if (ended?.by !== 'completion')
          throw new Error(`the till was told ${JSON.stringify(ended)}`);
        await until(() => liar.lies >= 2, 'the capture to be repeated');
        const { lies } = liar;
        if (isCalledCaptured()) throw new Error('the journal calls it captured');
        liar.lie = null;
        await until(isCalledCaptured, 'the capture to be confirmed');
        if (!(await counter.state()).includes('"Captured"'))
          throw new Error('the service has not captured it');
        return `captured again after ${lies} lies, and called captured when a poll showed it`;
      },
    },
    {
      name: 'the service answers a poll with another payment, and with another order, that is reserved for the same amount',
      attempt: async (counter) => {
        const otherId = '07e40000-0000-4000-8000-000000000002';
        const lies: number[] = [];
        for (const about of ['payment', 'order'] as const)
          lies.push(
            await counter.during(1_500, (request, response) => {
              const own = request.url?.split('/').at(-1);
              const named = {
                paymentId: about === 'payment' ? otherId : own,
                posId: otherId,
                orderId: '1-000099-0badcafe',
              };
              response.writeHead(200, json).end(
                JSON.stringify({
                  ...named,
                  amount: 12.34,
                  currencyCode: 'DKK',
                  status: 'Reserved',
                }),
              );
            }),
          );
        return `${lies.join(' and ')} lies, none believed: the till was never told "paid"`;
      },
    },
    {
      name: 'somebody answers in the service’s place, with a certificate of their own',
      attempt: async ({ folder, credentials }) => {
        const heard: string[] = [];
        let tried = 0;
        const impostor = createTlsServer(selfSigned, (request, response) => {
          heard.push(request.headers.authorization ?? 'nothing');
          response.end('{}');
        });
        impostor.on('tlsClientError', () => (tried += 1));
        await new Promise<void>((resolve) => impostor.listen(0, '127.0.0.1', resolve));
        const url = `https://127.0.0.1:${(impostor.address() as AddressInfo).port}`;
        const data = join(folder, 'impostor');
        mkdirSync(data);
        writeFileSync(
          join(data, 'settings.json'),
          JSON.stringify(settings(credentials, { baseUrl: url, authUrl: url })),
        );
        const daemon = new Product('daemon', ['--data', data, '--port', '0'], {
          NODE_TLS_REJECT_UNAUTHORIZED: '1',
        });
        await until(
          () => tried > 0 || heard.length > 0 || daemon.child.exitCode !== null,
          'the daemon to ask the impostor',
        );
        await daemon.logs('the lane cannot be opened at the wallet service yet');
        await daemon.end('SIGKILL');
        impostor.close().closeAllConnections();
        if (heard.length > 0 || tried === 0)
          throw new Error(`after ${tried} attempts it heard ${heard.join(', ')}`);
        return 'it heard nothing, and the log says why';
      },
    },
    {
      name: 'the environment switches the checks of certificates off',
      attempt: async ({ folder, credentials }) => {
        const off = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };
        const path = join(folder, 'real.json');
        writeFileSync(path, JSON.stringify(settings(credentials)));
        const callbacks = join(folder, 'callbacks.json');
        writeFileSync(callbacks, JSON.stringify({ checkin: true, listen: { port: 0 } }));
        const data = ['--data', join(folder, 'off')];
        const said = await Promise.all([
          refused('daemon', [...data, '--settings', path, '--port', '0'], off),
          refused('daemon', [...data, '--port', '0'], off),
          refused('certify', ['--settings', path, '--report', join(folder, 'report')], off),
          refused('callbacks', ['--settings', callbacks, ...data], off),
        ]);
        const unclear = said
          .flat()
          .find(
            (line) =>
              !line.startsWith(
                'NODE_TLS_REJECT_UNAUTHORIZED=0 switches the checks of certificates off',
              ),
          );
        if (unclear !== undefined) throw new Error(`it said ${unclear}`);
        return 'nothing starts: exit code 2 and one line';
      },
    },
    {
      name: 'settings lead to a service without TLS, or with a password in its address',
      attempt: async ({ folder, credentials }) => {
        const addresses = [
          'http://10.0.0.7:4191',
          'http://api.example',
          `https://me:${password}@api.example`,
          `https://api.example/?key=${password}`,
        ];
        const refusals = addresses.map((address, number) => {
          const path = join(folder, `address-${number}.json`);
          writeFileSync(
            path,
            JSON.stringify(
              settings(credentials, { baseUrl: address, authUrl: address, reportingUrl: address }),
            ),
          );
          return refused(
            'daemon',
            ['--settings', path, '--data', join(folder, 'address'), '--port', '0'],
            {},
            3,
          );
        });
        const said = (await Promise.all(refusals)).flat();
        said.forEach(noWayIn);
        const unclear = said.find((line) => !/^wallet\.(base|auth|reporting)Url: must /.test(line));
        if (unclear !== undefined) throw new Error(`it said ${unclear}`);
        return `${said.length} refused, each by field and rule, none with its password`;
      },
    },
    {
      name: 'the settings file of the running daemon is given an address with a password',
      attempt: async ({ folder, credentials, daemon }) => {
        const path = join(folder, 'data', 'settings.json');
        const right = readFileSync(path);
        writeFileSync(
          path,
          JSON.stringify(settings(credentials, { baseUrl: `http://me:${password}@127.0.0.1:1` })),
        );
        await daemon.logs('the settings file is invalid: the previous settings stay in use');
        writeFileSync(path, right);
        noWayIn(daemon.stderr);
        return 'what was in use stays, and the log has no password';
      },
    },
    {
      name: 'after all of it a customer pays',
      attempt: async (counter) => {
        const { paying } = await counter.begin();
        await counter.approve();
        const { ended } = await paying;
        if (ended?.by !== 'completion')
          throw new Error(`the till was told ${JSON.stringify(ended)}`);
        return 'the till was told it is paid';
      },
    },
  ],
});
