import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ScreenName } from '../../preload/contract.ts';
import { watchMessage } from '../support/contract-client.ts';
import { Product, until } from '../support/processes.ts';
import { selfSigned } from '../support/self-signed.ts';
import { attackArea } from './attack.ts';
import { Intruder } from './screens-shop.ts';
import {
  Counter,
  json,
  deep,
  settings,
  notPaid,
  refused,
  password,
  noWayIn,
} from './service-counter.ts';

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
        const report: string[] = [];
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
          report.push(await notPaid(till));
          if (liar.lies === 0) throw new Error('it was not asked: the attack did not reach it');
        }
        liar.lie = null;
        if (/Maximum call stack|RangeError/.test(daemon.stderr.slice(before)))
          throw new Error('its stack ran over');
        if (!(await fetch(screens)).ok) throw new Error('its screens are gone');
        return `the till was told ${report.join(', ')}`;
      },
    },
    {
      name: 'the service answers without end, a letter at a time',
      attempt: async (counter) => {
        let most = 0;
        const requestCount = await counter.during(2_000, (_request, response) => {
          most = Math.max(most, counter.liar.open.size);
          response.writeHead(200, json);
          const drip = setInterval(() => response.write(' '), 10);
          response.once('close', () => clearInterval(drip));
        });
        if (most > 1) throw new Error(`${most} answers were waited for at a time`);
        return `${requestCount} questions, one at a time, each given up`;
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
        const requestCount = await counter.during(
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
        return `${requestCount} answers, and the clock stayed`;
      },
    },
    {
      name: 'the service answers without end, as fast as it can',
      attempt: async (counter) => {
        let longest = 0;
        const requestCount = await counter.during(1_500, (_request, response) => {
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
        return `${requestCount} questions, ${longest} bytes sent at most`;
      },
    },
    {
      name: 'the service sends the token on to another host',
      attempt: async (counter) => {
        const received: string[] = [];
        const thief = createServer((request, response) => {
          received.push(request.headers.authorization ?? 'nothing');
          response.end('{}');
        });
        await new Promise<void>((resolve) => thief.listen(0, '127.0.0.1', resolve));
        const location = `http://localhost:${(thief.address() as AddressInfo).port}/`;
        let status = 301;
        const requestCount = await counter.during(1_200, (_request, response) => {
          response.writeHead(status, { location }).end();
          status = status === 301 ? 302 : status === 302 ? 307 : status === 307 ? 308 : 301;
        });
        thief.close().closeAllConnections();
        if (received.length > 0) throw new Error(`the other host heard ${received.join(', ')}`);
        return `${requestCount} redirections, none followed`;
      },
    },
    {
      name: 'the service gives a payment an id that is a path',
      attempt: async ({ liar, till }) => {
        const from = liar.requestCount.length;
        liar.tells(/^POST \/[^?]*\/payments$/, (request, response) => {
          request.resume();
          response
            .writeHead(200, json)
            .end(JSON.stringify({ paymentId: '../../simulator/clock?x=' }));
        });
        const { ended } = await till.pay(1234, 'DKK');
        liar.lie = null;
        const led = liar.requestCount
          .slice(from)
          .filter((what) => /\.\.|simulator|%2e/i.test(what));
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
        const messages = watching
          .filter(({ intruder }) => JSON.stringify(intruder.received).includes('KNOWN-'))
          .map(({ screen }) => screen);
        const views = watching.flatMap(({ screen, intruder }) =>
          screen === 'cashier' ? intruder.received : [],
        );
        for (const { intruder } of watching) intruder.socket.close();
        if (messages.join() !== 'cashier')
          throw new Error(`they were told to ${messages.join(', ') || 'nobody'}`);
        const states = views.flatMap((message) =>
          message.t === 'q' && message.m === 'view' ? (message.a[0].lane?.loyaltyIds ?? []) : [],
        );
        const wrong = states.find((id) => id.length > 60 || /\p{C}/u.test(id));
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
              const names = {
                paymentId: about === 'payment' ? otherId : own,
                posId: otherId,
                orderId: '1-000099-0badcafe',
              };
              response.writeHead(200, json).end(
                JSON.stringify({
                  ...names,
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
        const received: string[] = [];
        let tried = 0;
        const impostor = createTlsServer(selfSigned, (request, response) => {
          received.push(request.headers.authorization ?? 'nothing');
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
          () => tried > 0 || received.length > 0 || daemon.child.exitCode !== null,
          'the daemon to ask the impostor',
        );
        await daemon.logs('the lane cannot be opened at the wallet service yet');
        await daemon.end('SIGKILL');
        impostor.close().closeAllConnections();
        if (received.length > 0 || tried === 0)
          throw new Error(`after ${tried} attempts it heard ${received.join(', ')}`);
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
        const answers = await Promise.all([
          refused('daemon', [...data, '--settings', path, '--port', '0'], off),
          refused('daemon', [...data, '--port', '0'], off),
          refused('certify', ['--settings', path, '--report', join(folder, 'report')], off),
          refused('callbacks', ['--settings', callbacks, ...data], off),
        ]);
        const unclear = answers
          .flat()
          .find(
            (line) =>
              !line.startsWith('NODE_TLS_REJECT_UNAUTHORIZED=0 disables certificate checks'),
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
        const refusalTexts = (await Promise.all(refusals)).flat();
        refusalTexts.forEach(noWayIn);
        const unclear = refusalTexts.find(
          (line) => !/^wallet\.(base|auth|reporting)Url: must /.test(line),
        );
        if (unclear !== undefined) throw new Error(`it said ${unclear}`);
        return `${refusalTexts.length} refused, each by field and rule, none with its password`;
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
