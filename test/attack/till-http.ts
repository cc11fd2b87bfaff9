import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hashedId } from '../../main/core/domain/ids.ts';
import { Counter } from '../support/counter.ts';
import { until } from '../support/processes.ts';
import { attackArea } from './attack.ts';
import { Intruder } from './screens-shop.ts';

interface Sent {
  readonly method?: 'GET' | 'POST' | 'OPTIONS';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request as a stranger would, with headers of its choice. */
function send(
  counter: Counter,
  { method = 'GET', path, headers = {}, body }: Sent,
): Promise<{ status: number; allowed: string | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const httpRequest = request(
      `${counter.started.api}${path}`,
      { method, headers, agent: false },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            allowed: response.headers['access-control-allow-origin'],
            text,
          }),
        );
      },
    );
    httpRequest.on('error', reject);
    httpRequest.end(body);
  });
}

const policyCommand = fileURLToPath(new URL('../../out/main/service.js', import.meta.url));

const payment = JSON.stringify({ amountMinor: 100, currency: 'DKK' });
const json = { 'content-type': 'application/json' };

/** Checks that the lane has nothing under way, and that the service has received no payment. */
async function nothingBegan(counter: Counter): Promise<void> {
  const { payments } = await counter.state();
  if (payments.length > 0) throw new Error(`the service has ${payments.length} payments`);
  const { status, body } = await counter.ask('GET', '/lanes/1');
  if (status !== 200 || body['state'] !== 'ready')
    throw new Error(`the till reads ${status}, and the lane is ${String(body['state'])}`);
}

const mustBe = (what: string, status: number, wanted: number): void => {
  if (status !== wanted) throw new Error(`${what} was answered with ${status}`);
};

export const tillHttpArea = attackArea<Counter>('till-http', {
  open: () => Counter.open({ transport: 'http' }),
  close: (counter) => counter.close(),
  attacks: [
    {
      name: 'a web page begins a payment over the HTTP API, by fetch, by a form, and with a stolen token',
      async attempt(counter) {
        const origin = 'https://evil.example';
        const key = { 'idempotency-key': randomUUID() };
        const token = { authorization: `Bearer ${counter.token}` };
        const asks: readonly Sent[] = [
          {
            method: 'OPTIONS',
            path: '/v1/payments',
            headers: {
              origin,
              'access-control-request-method': 'POST',
              'access-control-request-headers': 'authorization',
            },
          },
          {
            method: 'POST',
            path: '/v1/payments',
            headers: { origin, 'content-type': 'text/plain' },
            body: payment,
          },
          {
            method: 'POST',
            path: '/v1/payments',
            headers: { origin: 'null', 'content-type': 'application/x-www-form-urlencoded' },
            body: 'amountMinor=100',
          },
          {
            method: 'POST',
            path: '/v1/payments',
            headers: { origin, ...json, ...key, ...token },
            body: payment,
          },
          { path: '/v1/openapi.json', headers: { origin } },
        ];
        for (const one of asks) {
          const { status, allowed } = await send(counter, one);
          mustBe(`${one.method ?? 'GET'} ${one.path}`, status, 403);
          if (allowed !== undefined) throw new Error(`the page of ${allowed} may read the answer`);
        }
        await nothingBegan(counter);
        return 'refused by its origin, before its token is looked at';
      },
    },
    {
      name: 'a name in the DNS that points at this machine calls the HTTP API',
      async attempt(counter) {
        const port = new URL(counter.started.api ?? '').port;
        for (const host of [
          `evil.example:${port}`,
          'evil.example',
          `127.0.0.1.evil.example:${port}`,
        ])
          for (const path of ['/v1/docs', '/v1/openapi.json', '/v1/lanes'])
            mustBe(
              `${path} of ${host}`,
              (
                await send(counter, {
                  path,
                  headers: { host, authorization: `Bearer ${counter.token}` },
                })
              ).status,
              421,
            );
        await nothingBegan(counter);
        return 'refused by its name';
      },
    },
    {
      name: 'a program of another user guesses tokens, and so locks the till out',
      async attempt(counter) {
        const statuses = new Set<number>();
        for (let guess = 0; guess < 200; guess += 1) {
          const authorization = `Bearer tbt_${String(guess).padStart(43, 'x')}`;
          const { status } = await send(counter, {
            method: 'POST',
            path: '/v1/payments',
            headers: { authorization, ...json, 'idempotency-key': randomUUID() },
            body: payment,
          });
          statuses.add(status);
        }
        if ([...statuses].some((status) => status !== 401 && status !== 429) || !statuses.has(429))
          throw new Error(`answered with ${[...statuses].join()}`);
        await nothingBegan(counter);
        const lines = counter.daemon.stderr
          .split('\n')
          .filter((line) => line.includes('a token that is not known'));
        if (lines.length > 20) throw new Error(`${lines.length} lines in the log`);
        return `answered with ${[...statuses].join(' and ')}; the till is taken; ${lines.length} lines in the log`;
      },
    },
    {
      name: 'another user reads the file of the tokens',
      async attempt(counter) {
        const path = join(counter.folder, 'data', 'till-tokens.json');
        const { mode } = statSync(path);
        if ((mode & 0o077) !== 0) throw new Error(`its mode is ${(mode & 0o777).toString(8)}`);
        if (readFileSync(path, 'utf8').includes(counter.token))
          throw new Error('it holds the token');
        return 'closed to others, and it holds hashes alone';
      },
    },
    {
      name: 'a program of another user holds connections open, and sends its requests byte by byte',
      async attempt(counter) {
        const port = Number(new URL(counter.started.api ?? '').port);
        const open = await Promise.all(
          Array.from(
            { length: 810 },
            (_, index) =>
              new Promise<Socket>((resolve, reject) => {
                const socket = connect({ port, host: '127.0.0.1' }, () => resolve(socket));
                socket.on('error', reject);
                if (index % 2 === 0)
                  socket.write('POST /v1/payments HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-le');
              }),
          ),
        );
        const startMs = performance.now();
        // Over a connection of its own: the till may have one from before.
        const lanes = await send(counter, {
          path: '/v1/lanes/1',
          headers: { authorization: `Bearer ${counter.token}` },
        });
        mustBe('the till', lanes.status, 200);
        await nothingBegan(counter);
        const tookMs = Math.round(performance.now() - startMs);
        for (const socket of open) socket.destroy();
        if (tookMs > 2_000) throw new Error(`the till waited ${tookMs} ms`);
        return `the till is answered in ${tookMs} ms meanwhile`;
      },
    },
    {
      name: 'a program with a token opens 600 event streams, so that nobody else gets one',
      async attempt(counter) {
        const open = new Set<number>();
        const streams = Array.from({ length: 600 }, (_, index) => {
          const httpRequest = request(
            `${counter.started.api}/v1/events`,
            { agent: false, headers: { authorization: `Bearer ${counter.token}` } },
            (response) => {
              open.add(index);
              response.resume().on('close', () => open.delete(index));
            },
          );
          httpRequest.on('error', () => {});
          httpRequest.end();
          return httpRequest;
        });
        await until(() => open.has(599), 'the last stream');
        await until(() => open.size <= 8, 'the streams of the token to be bounded', 10_000);
        await nothingBegan(counter);
        const openCount = open.size;
        for (const stream of streams) stream.destroy();
        return `${openCount} are kept, the newest ones; the till is answered meanwhile`;
      },
    },
    {
      name: 'a request is smuggled behind another one',
      async attempt(counter) {
        const { host, port } = new URL(counter.started.api ?? '');
        const inner = [
          'POST /v1/payments HTTP/1.1',
          `Host: ${host}`,
          `Authorization: Bearer ${counter.token}`,
          `Idempotency-Key: ${randomUUID()}`,
          'Content-Type: application/json',
          `Content-Length: ${payment.length}`,
          '',
          payment,
        ].join('\r\n');
        const outer = `POST /v1/lanes HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${inner.length + 5}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner}`;
        const answered = await new Promise<string>((resolve) => {
          let text = '';
          const socket = connect({ port: Number(port), host: '127.0.0.1' }, () =>
            socket.write(outer),
          );
          socket.on('data', (part) => (text += String(part)));
          socket.on('error', () => resolve(text));
          socket.on('close', () => resolve(text));
          setTimeout(() => socket.destroy(), 1_000);
        });
        if (answered.includes(' 201 ')) throw new Error('the inner request was carried out');
        await nothingBegan(counter);
        return `answered with ${/HTTP\/1.1 (\d+)/.exec(answered)?.[1] ?? 'nothing'}, and hung up on`;
      },
    },
    {
      name: 'a program with a token sends null for what decides about money, also behind a value',
      async attempt(counter) {
        const bodies = [
          'null',
          '{"amountMinor":null,"currency":"DKK"}',
          '{"amountMinor":100,"currency":null}',
          '{"amountMinor":100,"currency":"DKK","amountMinor":null}',
          '{"amountMinor":100,"currency":"DKK","lines":[null]}',
          '{"amountMinor":100,"currency":"DKK","lines":[{"name":"x","totalMinor":null,"taxMinor":0}]}',
          '[null]',
          '['.repeat(4_000),
        ];
        const headers = { ...json, authorization: `Bearer ${counter.token}` };
        for (const body of bodies) {
          const { status } = await send(counter, {
            method: 'POST',
            path: '/v1/payments',
            headers: { ...headers, 'idempotency-key': randomUUID() },
            body,
          });
          if (status !== 400 && status !== 415)
            throw new Error(`${body.slice(0, 80)} was answered with ${status}`);
        }
        await nothingBegan(counter);
        return `${bodies.length} bodies refused`;
      },
    },
    {
      name: 'two clients send one key with different amounts at the same time',
      async attempt(counter) {
        const key = randomUUID();
        const amounts = [100, 200, 100, 200, 100, 200];
        const answers = await Promise.all(
          amounts.map((amountMinor) =>
            counter.ask('POST', '/payments', { key, body: { amountMinor, currency: 'DKK' } }),
          ),
        );
        const paymentIds = new Set(
          answers.flatMap(({ status, body }) => (status < 300 ? [body['paymentId']] : [])),
        );
        if (paymentIds.size !== 1 || answers.filter(({ status }) => status === 201).length !== 1)
          throw new Error('more than one payment has begun');
        if (answers.filter(({ status }) => status === 422).length !== 3)
          throw new Error('the other amount was not refused');
        await counter.serviceSays('Initiated');
        const { payments } = await counter.state();
        if (payments.length !== 1) throw new Error(`the service has ${payments.length} payments`);
        return 'one payment; the other amount is refused';
      },
    },
    {
      name: 'settings that a stranger has put there open this computer’s browsers to every page, or show a file of an administrator',
      async attempt(counter) {
        const folder = join(counter.folder, 'planted');
        mkdirSync(folder);
        const path = join(folder, 'settings.json');
        const policy = (): string => {
          const { stdout, stderr } = spawnSync(
            process.execPath,
            [policyCommand, 'browsers', '--print', '--data', folder],
            {
              encoding: 'utf8',
              timeout: 10_000,
            },
          );
          return `${stdout}${stderr}`;
        };
        for (const origin of [
          '*',
          'https://*',
          'https://[*.]example',
          'https://evil.example/*',
          'https://a.example","*',
          'http://evil.example',
        ]) {
          writeFileSync(path, JSON.stringify({ ...counter.settings, api: { origins: [origin] } }));
          if (/make the folder|write \//.test(policy()))
            throw new Error(`a policy is written for ${origin}`);
        }
        const secret = join(counter.folder, 'secret');
        writeFileSync(secret, 'root:$6$kept-by-an-administrator');
        rmSync(path);
        symlinkSync(secret, path);
        const policyText = policy();
        if (policyText.includes('kept-by') || policyText.includes('$6$'))
          throw new Error(`it says ${policyText}`);
        rmSync(path);
        spawnSync('mkfifo', [path]);
        if (/write \//.test(policy())) throw new Error('a policy is written for a pipe');
        return `no policy; of the file it says: ${policyText.trim()}`;
      },
    },
    {
      name: 'a till asks for the totals of days that no calendar has',
      async attempt(counter) {
        const headers = { authorization: `Bearer ${counter.token}` };
        const days = [
          '9999-12-31',
          '0001-01-01',
          '0099-01-01',
          '3000-01-01',
          '%2B10000-01-01',
          '2026-02-30',
        ];
        for (const day of days)
          mustBe(
            day,
            (await send(counter, { path: `/v1/totals?day=${day}`, headers })).status,
            400,
          );
        mustBe('today', (await send(counter, { path: '/v1/totals', headers })).status, 200);
        return `${days.length} refused with 400`;
      },
    },
    {
      name: 'a program without credentials pays by hand under the id that the till’s key leads to',
      async attempt(counter) {
        await counter.customerPays();
        await counter.serviceSays('Captured');
        const key = randomUUID();
        const intruder = await Intruder.at(counter.started.screens);
        const actionId = hashedId(JSON.stringify(['payment', '1', key]));
        const answer = await intruder.ask('payByHand', {
          laneId: '1',
          actionId,
          amountMinor: 100,
          orderText: null,
        });
        if (!answer.ok) throw new Error(`it could not pay: ${answer.code}`);
        await counter.customerPays();
        await counter.serviceSays('Captured');
        intruder.socket.terminate();
        const { status, body } = await counter.ask('POST', '/payments', {
          key,
          body: { amountMinor: 500, currency: 'DKK' },
        });
        if (status !== 201)
          throw new Error(`the till was answered ${status} ${JSON.stringify(body)}`);
        return 'the till’s payment begins all the same';
      },
    },
  ],
});
