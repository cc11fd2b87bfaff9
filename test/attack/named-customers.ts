import { setTimeout as sleep } from 'node:timers/promises';
import {
  authorizationOf,
  contentHash,
} from '../../main/wallets/epayment/webhooks/webhook-message.ts';
import { createEpayment } from '../../main/wallets/epayment/payments/payments-operations.ts';
import { type Watch } from '../../preload/contract.ts';
import { watchMessage } from '../support/contract-client.ts';
import { Counter } from '../support/counter.ts';
import { until } from '../support/processes.ts';
import { StickerReceiver } from '../support/sticker-receiver.ts';
import { attackArea } from './attack.ts';
import { Intruder } from './screens-shop.ts';

/**
 * A lane on the ePayment service, whose customers type their number, show their code or scan a
 * sticker; its display in the network, and its receiver.
 */
class Shop {
  readonly receiver = new StickerReceiver();
  counter!: Counter;
  displays = '';
  #cashier!: Intruder;

  static async open(): Promise<Shop> {
    const shop = new Shop();
    const { receiver } = shop;
    shop.counter = await Counter.open({
      service: 'epayment',
      flow: 'prepare',
      async more(credentials) {
        // Unsigned callbacks are accepted too, because a forger would use those.
        const { settings, lane } = (await receiver.register(credentials, { checkin: true }))
          .forCounter;
        const screens = { customerDisplays: { host: '127.0.0.1', port: 0 } };
        return { settings: { ...settings, screens }, lane: { ...lane, customerTypesNumber: true } };
      },
    });
    const { counter } = shop;
    await shop.act('set-sales-unit', {
      msn: counter.credentials.epayment.merchantSerialNumber,
      mayPush: true,
    });
    await receiver.start();
    const served = 'customers’ screens are served to other devices';
    await counter.daemon.logs(served, 'scans of stickers come from the callback receiver');
    shop.displays = `http://127.0.0.1:${String(counter.daemon.log().find(({ msg }) => msg === served)?.['port'])}`;
    await counter.till.register({ currency: 'DKK', config: 0 });
    shop.#cashier = await Intruder.at(counter.started.screens);
    shop.#cashier.say(watchMessage({ screen: 'cashier', laneId: '1' }));
    return shop;
  }

  async act(name: string, body: object): Promise<Record<string, unknown>> {
    const answer = await fetch(`${this.counter.credentials.baseUrl}/simulator/epayment/${name}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    if (answer.status !== 200) throw new Error(`${name} was answered ${answer.status}`);
    return (await answer.json()) as Record<string, unknown>;
  }

  /** The number of payments that were created, each of which may ask somebody's phone. */
  async pushes(): Promise<number> {
    return (await this.counter.requests()).filter(
      ({ operation }) => operation === createEpayment.name,
    ).length;
  }

  /**
   * Runs `attempt` while a payment waits for its customer. @returns its result @throws when more
   * than `most` payments were created
   */
  async whilePaying<Seen>(most: number, attempt: () => Promise<Seen>): Promise<Seen> {
    const before = await this.pushes();
    const paying = this.counter.till.pay(1_234, 'DKK');
    await until(() => this.#state() === 'waitingForCustomer', 'the payment to wait');
    try {
      const seen = await attempt();
      await sleep(settledMs);
      const requests = (await this.pushes()) - before;
      if (requests > most) throw new Error(`${requests} phones were asked`);
      return seen;
    } finally {
      await this.counter.till.abort();
      await paying;
    }
  }

  #state(): unknown {
    const last = this.#cashier.received.findLast((message) => message.t === 'q');
    return (last as { a?: [{ lane?: { state?: { kind?: string } } }] } | undefined)?.a?.[0]?.lane
      ?.state?.kind;
  }

  async close(): Promise<void> {
    await this.counter.close();
    await this.receiver.close();
  }
}

/** Longer than anything takes from the receiver or a screen to the phone. */
const settledMs = 2_500;
const number = { laneId: '1', phoneNumber: '20031801' };
const customer: Watch = { screen: 'customer', laneId: '1' };

export const namedCustomersArea = attackArea<Shop>('named-customers', {
  open: () => Shop.open(),
  close: (shop) => shop.close(),
  attacks: [
    {
      name: 'a device in the network types a stranger’s number at the customer’s display',
      attempt: (shop) =>
        shop.whilePaying(0, async () => {
          const display = await Intruder.at(shop.displays);
          display.say(watchMessage(customer));
          await until(() => display.received.length > 0, 'the display’s view');
          const answer = await display.ask('typeNumber', number).catch(String);
          const closed = await display.closed();
          if (typeof answer !== 'string' || closed !== 1008)
            throw new Error(`it was answered ${JSON.stringify(answer)}, closed with ${closed}`);
          return 'shown out, unheard';
        }),
    },
    {
      name: 'a web page types a stranger’s number over the screens’ WebSocket',
      attempt: (shop) =>
        shop.whilePaying(0, async () => {
          const page = await Intruder.at(shop.counter.started.screens, {
            origin: 'http://evil.example',
          }).catch(String);
          if (typeof page !== 'string') {
            page.say(watchMessage(customer));
            await page.ask('typeNumber', number);
            throw new Error('it was let in');
          }
          return `refused: ${page}`;
        }),
    },
    {
      name: 'a page that is not the customer’s screen of the lane types a stranger’s number',
      attempt: (shop) =>
        shop.whilePaying(0, async () => {
          const others: (Watch | null)[] = [
            null,
            { screen: 'cashier', laneId: '1' },
            { screen: 'manager', laneId: '1' },
            { ...customer, hidden: true },
          ];
          for (const watch of others) {
            const page = await Intruder.at(shop.counter.started.screens);
            if (watch !== null) page.say(watchMessage(watch));
            const answer = await page.ask('typeNumber', number);
            page.socket.terminate();
            if (answer.ok || answer.code !== 'noneNamed')
              throw new Error(`${JSON.stringify(watch)} was answered ${JSON.stringify(answer)}`);
          }
          return 'refused each time: nobody is named there';
        }),
    },
    {
      name: 'somebody at the customer’s screen types one number after the other',
      attempt: async (shop) => {
        const numbers = Array.from({ length: 25 }, (_, at) => String(20_031_810 + at));
        for (const phoneNumber of numbers)
          await shop.act('set-customer', { phoneNumber: `+45${phoneNumber}`, isStranger: true });
        return shop.whilePaying(3, async () => {
          const screen = await Intruder.at(shop.counter.started.screens);
          screen.say(watchMessage(customer));
          let accepted = 0;
          for (const phoneNumber of numbers) {
            if ((await screen.ask('typeNumber', { laneId: '1', phoneNumber })).ok) accepted += 1;
            await sleep(300);
          }
          screen.socket.terminate();
          if (accepted === 0) throw new Error('none was taken, not even the first');
          return `${accepted} of ${numbers.length} were taken, and no more of this payment`;
        });
      },
    },
    {
      name: 'a code that is not this wallet’s, or only looks so, is shown to the scanner',
      attempt: (shop) =>
        shop.whilePaying(0, async () => {
          const codes = [
            'https://pay.example/p/1',
            'https://qr.vipps.no.evil.example/p/1',
            'https://qr.vipps.no@evil.example/p/1',
            'https://evil.example/?https://qr.vipps.no/p/1',
            'http://qr.vipps.no/p/1',
            'https://qr.vipps.no:8443/p/1',
            'https://qr.vipps.no/about',
            `https://qr.vipps.no/p/${'1'.repeat(300)}`,
            '4520031801',
          ];
          const cashier = await Intruder.at(shop.counter.started.screens);
          const refusals = new Set<string>();
          for (const scanned of codes) {
            const answer = await cashier.ask('nameCustomer', { laneId: '1', by: { scanned } });
            if (answer.ok) throw new Error(`${scanned} was taken`);
            refusals.add(answer.code);
          }
          cashier.socket.terminate();
          return `${codes.length} codes: ${[...refusals].join(', ')}; nothing was sent`;
        }),
    },
    {
      name: 'somebody makes up a scan of the sticker: unsigned, signed by another, old, or of another sales unit',
      attempt: (shop) =>
        shop.whilePaying(0, async () => {
          const { receiver } = shop;
          const answers = [
            await post(
              receiver,
              '/callbacks/checkin',
              { ...scan(shop), PosId: receiver.merchantQrId, status: 'scanned' },
              {},
            ),
            await say(shop, {}, { secret: 'of somebody else' }),
            await say(shop, {}, { agoMs: 6 * 60_000 }),
            await say(shop, { msn: '999999' }),
            await say(shop, { merchantQrId: 'shop-1-lane-2' }),
            await say(shop, { initiatedAt: new Date(Date.now() - 15 * 60_000).toISOString() }),
          ];
          if (answers.slice(1, 3).join() !== '401,401')
            throw new Error(`they were answered ${answers.join(', ')}`);
          return `answered ${answers.join(', ')}, and nobody was asked`;
        }),
    },
    {
      name: 'a scan that was heard on the wire is sent again, for the next customer’s payment',
      async attempt(shop) {
        const { customerToken } = await shop.act('check-in', {
          merchantQrId: shop.receiver.merchantQrId,
        });
        const before = await shop.pushes();
        const paying = shop.counter.till.pay(700, 'DKK');
        await until(async () => (await shop.pushes()) > before, 'the first to be asked');
        await shop.counter.customerApproves();
        await paying;
        return shop.whilePaying(
          0,
          async () =>
            `answered ${await say(shop, { customerToken })}, and nobody was asked a second time`,
        );
      },
    },
  ],
});

const scan = ({ counter, receiver }: Shop, about: object = {}) => ({
  customerToken: 'bWFkZS11cC10b2tlbg==',
  merchantQrId: receiver.merchantQrId,
  msn: counter.credentials.epayment.merchantSerialNumber,
  initiatedAt: new Date().toISOString(),
  ...about,
});

/** Sends a callback as the service does, with the right secret by default. @returns the status */
function say(
  shop: Shop,
  about: object,
  { secret = shop.receiver.secret, agoMs = 0 } = {},
): Promise<number> {
  const message = scan(shop, about);
  const path = '/callbacks/epayment';
  const date = new Date(Date.now() - agoMs).toUTCString();
  const body = Buffer.from(JSON.stringify(message));
  const authorization = authorizationOf(secret, {
    path,
    host: new URL(shop.receiver.url).host,
    date,
    body,
  });
  return post(shop.receiver, path, message, {
    'x-ms-date': date,
    'x-ms-content-sha256': contentHash(body),
    'x-vipps-authorization': authorization,
  });
}

async function post(
  { url }: StickerReceiver,
  path: string,
  body: object,
  headers: Record<string, string>,
): Promise<number> {
  return (await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) }))
    .status;
}
