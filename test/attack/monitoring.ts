import { request } from 'node:http';
import { connect } from 'node:net';
import { Counter } from '../support/counter.ts';
import { attackArea } from './attack.ts';

const paths = ['/metrics', '/readyz', '/healthz'] as const;

/** Sends a request as a stranger would, with headers of its choice. */
function get(
  counter: Counter,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; readable: boolean; text: string }> {
  return new Promise((resolve, reject) => {
    const httpRequest = request(
      `${counter.started.screens}${path}`,
      { headers, agent: false },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            readable: response.headers['access-control-allow-origin'] !== undefined,
            text,
          }),
        );
      },
    );
    httpRequest.on('error', reject).end();
  });
}

/** Attacks by somebody who can reach the addresses for monitoring. */
export const monitoringArea = attackArea<Counter>('monitoring', {
  open: () => Counter.open(),
  close: (counter) => counter.close(),
  attacks: [
    {
      name: 'a web page reads metrics and status',
      async attempt(counter) {
        const asks = [
          { origin: 'https://evil.example' },
          { origin: 'null' },
          { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
        ];
        for (const headers of asks) {
          const { status, text } = await get(counter, '/metrics', headers);
          if (status !== 403 || text.includes('tillbeacon_'))
            throw new Error(`the metrics were answered with ${status}`);
          for (const path of paths)
            if ((await get(counter, path, headers)).readable)
              throw new Error(`${path} can be read by a page`);
        }
        return 'metrics refused; no answer says that a page may read it';
      },
    },
    {
      name: 'a name in the DNS that points at this machine reads metrics and status',
      async attempt(counter) {
        const { port } = new URL(counter.started.screens);
        for (const host of [
          `evil.example:${port}`,
          'evil.example',
          `127.0.0.1.evil.example:${port}`,
        ])
          for (const path of paths) {
            const { status } = await get(counter, path, { host });
            if (status !== 403) throw new Error(`${path} of ${host} was answered with ${status}`);
          }
        return 'refused by its name';
      },
    },
    {
      name: 'status and metrics tell of a payment under way: who pays, what, and with which credentials',
      async attempt(counter) {
        const payment = counter.till.pay(7_319, 'DKK');
        await counter.customerPays();
        await payment;
        const { paymentId, orderId, posId } = await counter.serviceSays('Captured');
        const bodies = (await Promise.all(paths.map((path) => get(counter, path))))
          .map(({ text }) => text)
          .join('\n');
        if (!/tillbeacon_payments_total\{lane="1",outcome="paid"\} 1\n/.test(bodies))
          throw new Error(`the payment is not counted:\n${bodies}`);
        const { clientSecret, merchantVat, baseUrl } = counter.credentials;
        const secrets = {
          paymentId,
          orderId,
          posId,
          clientSecret,
          merchantVat,
          baseUrl,
          amount: '7319',
          decimal: '73.19',
          phone: '20031801',
        };
        const leaked = Object.entries(secrets).filter(([, secret]) => bodies.includes(secret));
        if (leaked.length > 0)
          throw new Error(`they tell ${leaked.map(([name]) => name).join(', ')}`);
        return 'it is counted, and nothing else is told';
      },
    },
    {
      name: 'a program of another user reads the metrics in a loop, to keep payments waiting',
      async attempt(counter) {
        let isOver = false;
        const pages = new Set<string>();
        const greedy = Array.from({ length: 8 }, async () => {
          while (!isOver) pages.add((await get(counter, '/metrics')).text);
        });
        const startedAt = Date.now();
        const payment = counter.till.pay(500, 'DKK');
        await counter.customerPays();
        const { ended } = await payment;
        const ms = Date.now() - startedAt;
        isOver = true;
        await Promise.all(greedy);
        if (ended?.by !== 'completion')
          throw new Error(`the payment ended by ${ended?.by ?? 'nothing'}`);
        if (pages.size > ms / 1_000 + 2)
          throw new Error(`the page was written ${pages.size} times in ${ms} ms`);
        return `the payment is taken meanwhile; the page was written ${pages.size} times`;
      },
    },
    {
      name: 'a program takes every connection, pipelines requests without end over some of them, and a program that watches is to hear nothing',
      async attempt(counter) {
        const { port, host } = new URL(counter.started.screens);
        const many = `GET /readyz HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(5_000);
        const sockets = Array.from({ length: 420 }, (_, index) => {
          const socket = connect(
            Number(port),
            '127.0.0.1',
            () => index % 20 === 0 && socket.write(many),
          ).on('error', () => {});
          return socket.resume();
        });
        await new Promise((resolve) => setTimeout(resolve, 300));
        const startedAt = performance.now();
        const { status } = await get(counter, '/readyz');
        const ms = Math.round(performance.now() - startedAt);
        for (const socket of sockets) socket.destroy();
        if (status !== 200 || ms > 2_000) throw new Error(`answered with ${status} after ${ms} ms`);
        return `answered in ${ms} ms`;
      },
    },
  ],
});
