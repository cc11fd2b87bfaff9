import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { until } from '../support/processes.ts';
import {
  type ProxiedCounter,
  proxyPassword,
  proxyUser,
  ShopNetwork,
  walletHost,
} from '../support/proxied-counter.ts';
import type { ProxyMood } from '../support/proxy.ts';
import { selfSigned } from '../support/self-signed.ts';
import { attackArea } from './attack.ts';

interface Target {
  readonly network: ShopNetwork;
  readonly counter: ProxiedCounter;
}

const provider =
  '{"code":"1001","message":"The payment was declined","correlationId":"07e40000-0000-4000-8000-000000000002"}';

/**
 * In mid-payment: the customer approves meanwhile. @returns what the till was told at the end, when
 * the proxy is honest again
 */
async function inMidPayment(
  { network: { proxy }, counter }: Target,
  mood: ProxyMood,
  enough: () => boolean,
): Promise<void> {
  const { paying } = await counter.begin();
  proxy.mood = mood;
  proxy.cut();
  await counter.approve();
  await until(enough, 'the proxy to be asked');
  if (!counter.till.isBusy) throw new Error(`the till was told ${JSON.stringify(await paying)}`);
  proxy.mood = { kind: 'opens' };
  proxy.cut();
  const { ended } = await paying;
  if (ended?.by !== 'completion') throw new Error(`the till was told ${JSON.stringify(ended)}`);
}

/** Attacks by a lying proxy of the network, and by readers of messages about it. */
export const networkArea = attackArea<Target>('network', {
  async open() {
    const network = await ShopNetwork.open();
    return { network, counter: await network.counter(network.environment) };
  },
  close: ({ network }) => network.close(),
  attacks: [
    {
      name: 'the proxy declines a payment in the words of the service',
      attempt: async (target) => {
        const { proxy } = target.network;
        const statuses = [400, 401, 403, 404, 407, 409, 429, 502];
        for (const status of statuses) {
          const before = proxy.asked.length;
          await inMidPayment(
            target,
            { kind: 'refuses', status, body: provider },
            () => proxy.asked.length > before,
          );
        }
        if (target.counter.daemon.stderr.includes('the wallet service refused a request'))
          throw new Error('the log calls it the service’s answer');
        return `${statuses.length} lies, each payment was paid when the proxy opened again`;
      },
    },
    {
      name: 'the proxy answers in the service’s place, with a certificate of its own',
      attempt: async (target) => {
        const received: string[] = [];
        let tried = 0;
        const impostor = createTlsServer(selfSigned, (request, response) => {
          received.push(request.headers.authorization ?? 'nothing');
          response.writeHead(409, { 'content-type': 'application/json' }).end(provider);
        });
        await new Promise<void>((resolve) => impostor.listen(0, '127.0.0.1', resolve));
        const { port } = impostor.address() as AddressInfo;
        await inMidPayment(
          target,
          {
            kind: 'takesOver',
            opened: true,
            serve: (socket) => {
              tried += 1;
              const onward = connect(port, '127.0.0.1');
              onward.on('error', () => socket.destroy());
              socket.pipe(onward).pipe(socket);
            },
          },
          () => tried > 2,
        );
        impostor.close().closeAllConnections();
        if (received.length > 0) throw new Error(`it heard ${received.join(', ')}`);
        return `${tried} attempts, nothing was sent`;
      },
    },
    {
      name: 'the proxy answers a tunnel without end, with headers and with bytes that are no TLS',
      attempt: async (target) => {
        let longest = 0;
        for (const opened of [false, true]) {
          let tried = 0;
          await inMidPayment(
            target,
            {
              kind: 'takesOver',
              opened,
              serve: (socket) => {
                tried += 1;
                let bytes = 0;
                if (!opened) socket.write('HTTP/1.1 407 No\r\n');
                const more = (): void => {
                  if (socket.destroyed) return;
                  bytes += 65_536;
                  longest = Math.max(longest, bytes);
                  if (socket.write(`x-endless: ${'x'.repeat(65_536)}\r\n`)) setImmediate(more);
                  else socket.once('drain', more);
                };
                more();
              },
            },
            () => tried > 2,
          );
        }
        if (longest > 12_000_000) throw new Error(`it took ${longest} bytes of one answer`);
        return `${longest} bytes sent at most`;
      },
    },
    {
      name: 'the proxy takes every connection and never says anything',
      attempt: async ({ network: { proxy }, counter }) => {
        proxy.mood = { kind: 'silent' };
        proxy.cut();
        const { ended } = await counter.till.pay(1234, 'DKK');
        const { open } = proxy;
        proxy.mood = { kind: 'opens' };
        proxy.cut();
        if (ended?.by !== 'abort' || open > 60)
          throw new Error(`${open} connections, the till was told ${JSON.stringify(ended)}`);
        return `${open} connections, and the till was told ${ended.code}`;
      },
    },
    {
      name: 'somebody looks for the proxy’s password in the log, and the proxy for what it may read',
      attempt: async ({ network: { proxy, credentials }, counter }) => {
        const secrets = [
          proxyPassword,
          encodeURIComponent(proxyPassword),
          Buffer.from(`${proxyUser}:${proxyPassword}`).toString('base64'),
        ];
        if (secrets.some((secret) => counter.daemon.stderr.includes(secret)))
          throw new Error('the log has it');
        const through = Buffer.concat(proxy.bytes).toString('latin1');
        if (through.includes(credentials.clientSecret) || through.includes('"amount"'))
          throw new Error('the proxy has read what went through it');
        const others = proxy.asked.filter((host) => host !== `${walletHost}:443`);
        if (others.length > 0 || proxy.readable.length > 0)
          throw new Error(`it was asked for ${[...others, ...proxy.readable].join(', ')}`);
        return `${proxy.asked.length} tunnels, all to the service, and nothing of this machine`;
      },
    },
  ],
});
