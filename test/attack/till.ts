import { once } from 'node:events';
import { createServer as createHttpServer, type Server } from 'node:http';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import type { Browser, Page } from 'playwright';
import { type CommandOutcome, Register } from '../../main/sandbox/till/register.ts';
import { encodeBlock } from '../../main/tills/zvt/serial-framing.ts';
import { launchChromium } from '../support/browser.ts';
import { Counter } from '../support/counter.ts';
import { until } from '../support/processes.ts';
import { attackArea } from './attack.ts';
import { ScreensShop } from './screens-shop.ts';

/** 84 9C */
const pleaseWait = 0x9c;

/**
 * A counter with one captured payment, receipt 1, and a web page that somebody has open on its PC.
 */
interface Target {
  readonly counter: Counter;
  readonly relay: Relay;
  readonly browser: Browser;
  readonly evil: Server;
  readonly evilUrl: string;
}

/** Between an attacker and the till's port: what arrived there, and what was answered. */
class Relay {
  received = 0;
  answered = 0;
  closed = 0;
  readonly #server;
  readonly #sockets = new Set<Socket>();

  constructor(tillPort: number) {
    this.#server = createServer((attacker) => {
      const till = connect({ host: '127.0.0.1', port: tillPort });
      for (const socket of [attacker, till]) {
        this.#sockets.add(socket);
        socket.on('error', () => {});
        socket.on('close', () => {
          this.#sockets.delete(socket);
          attacker.destroy();
          till.destroy();
        });
      }
      attacker.on('data', (bytes) => {
        this.received += bytes.length;
        till.write(bytes);
      });
      till.on('data', (bytes) => {
        this.answered += bytes.length;
        attacker.write(bytes);
      });
      till.on('close', () => (this.closed += 1));
    });
  }
  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }
  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }
  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}

/**
 * What a page sends: a sled that aligns the parser whatever stood before it, a registration, the
 * reversal of receipt 1, and answers to everything that a terminal asks while it refunds.
 */
const sled = `${'\0'.repeat(600)}\x06\x00\x06\x12\x34\x56\x00\x02\x08${'\x80\0\0'.repeat(50)}\x06\x30\x06\0\0\0\x87\0\x01${'\x80\0\0'.repeat(20_000)}`;
/** A browser writes a form in this character set: € is 80, ‡ is 87. */
const formText = sled.replaceAll('\x80', '€').replaceAll('\x87', '‡');

const page = `<!doctype html><meta charset="windows-1252"><body><script>
const [how, port] = location.hash.slice(1).split(':');
const url = 'http://127.0.0.1:' + port + '/';
const text = ${JSON.stringify(formText)};
const bytes = Uint8Array.from(${JSON.stringify(sled)}, (letter) => letter.charCodeAt(0));
const form = (target) => {
  const element = Object.assign(document.createElement('form'), { action: url, method: 'POST', enctype: 'text/plain', acceptCharset: 'windows-1252', target });
  element.append(Object.assign(document.createElement('textarea'), { name: 'x', value: text }));
  document.body.append(element);
  element.submit();
};
const rtc = async (options) => {
  const connection = new RTCPeerConnection(options);
  connection.createDataChannel('x');
  await connection.setLocalDescription(await connection.createOffer());
  return connection;
};
const ways = {
  formSameTab: () => form('_self'),
  formPopup: () => form('_blank'),
  formFrame: () => { const frame = Object.assign(document.createElement('iframe'), { name: 'frame' }); document.body.append(frame); form('frame'); },
  fetch: () => fetch(url, { method: 'POST', mode: 'no-cors', body: bytes }).catch(() => {}),
  fetchStream: () => { for (let each = 0; each < 5; each += 1) fetch(url + each, { method: 'POST', mode: 'no-cors', body: new Blob([bytes]) }).catch(() => {}); },
  xhr: () => { const request = new XMLHttpRequest(); request.open('POST', url); request.send(bytes); },
  sendBeacon: () => navigator.sendBeacon(url, new Blob([bytes])),
  webSocket: () => { const socket = new WebSocket(url.replace('http', 'ws')); socket.binaryType = 'arraybuffer'; socket.onopen = () => socket.send(bytes); },
  image: () => { new Image().src = url + 'x' + encodeURI(text.slice(0, 2000)); },
  stylesheet: () => document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: url })),
  eventSource: () => new EventSource(url),
  tls: () => fetch(url.replace('http', 'https'), { method: 'POST', mode: 'no-cors', body: bytes }).catch(() => {}),
  webRtcTurn: () => rtc({ iceServers: [{ urls: 'turn:127.0.0.1:' + port + '?transport=tcp', username: 'x', credential: 'x' }] }),
  // It begins with the length of the packet, which a page can stretch: 04 is out of its reach.
  webRtcIce: async () => {
    const here = await rtc({});
    const there = new RTCPeerConnection();
    await there.setRemoteDescription(here.localDescription);
    await there.setLocalDescription(await there.createAnswer());
    const sdp = there.localDescription.sdp.replace(/a=ice-ufrag:.*/g, 'a=ice-ufrag:' + 'a'.repeat(250));
    await here.setRemoteDescription({ type: 'answer', sdp });
    await here.addIceCandidate({ candidate: 'candidate:1 1 tcp 1 127.0.0.1 ' + port + ' typ host tcptype passive', sdpMid: '0' });
  },
  webTransport: () => { try { new WebTransport(url.replace('http', 'https')).ready.catch(() => {}); } catch {} },
};
ways[how]();
</script>`;

async function open(): Promise<Target> {
  const counter = await Counter.open({ transport: 'tcp' });
  await counter.till.register({ currency: 'DKK', config: 0 });
  const payment = counter.till.pay(1234, 'DKK');
  await counter.customerPays();
  await payment;
  await counter.serviceSays('Captured');
  const relay = await new Relay(tillPort(counter)).listen();
  const evil = createHttpServer((_request, response) =>
    response.setHeader('content-type', 'text/html; charset=windows-1252').end(page, 'latin1'),
  );
  evil.listen(0, '127.0.0.1');
  await once(evil, 'listening');
  const { port } = evil.address() as AddressInfo;
  return {
    counter,
    relay,
    browser: await launchChromium(),
    evil,
    evilUrl: `http://localhost:${port}/`,
  };
}

const tillPort = (counter: Counter): number => Number(counter.started.lanes[0]?.till.split(':')[2]);

async function close({ counter, relay, browser, evil }: Target): Promise<void> {
  await browser.close();
  relay.close();
  evil.close();
  await counter.close();
}

async function nothingMoved({ counter }: Target): Promise<void> {
  const { payments, refunds } = (await counter.state()) as unknown as {
    payments: { status: string }[];
    refunds: unknown[];
  };
  if (refunds.length > 0)
    throw new Error(`the service has ${refunds.length} refund(s): money went out`);
  const statuses = payments.map(({ status }) => status);
  if (statuses.join() !== 'Captured')
    throw new Error(`the service's payments are ${statuses.join()}`);
}

/** Opens the attacking page in a tab of its own. @returns what came of it */
async function pageSends(target: Target, how: string): Promise<string> {
  const { relay, browser, evilUrl } = target;
  const before = { received: relay.received, answered: relay.answered, closed: relay.closed };
  const context = await browser.newContext();
  try {
    const tab: Page = await context.newPage();
    await tab.goto(`${evilUrl}#${how}:${relay.port}`).catch(() => {});
    await until(
      async () => relay.closed > before.closed && relay.received > before.received,
      `bytes of ${how}, and its connection to be closed`,
    );
  } finally {
    await context.close();
  }
  if (relay.answered > before.answered)
    throw new Error(`it was answered with ${relay.answered - before.answered} bytes`);
  await nothingMoved(target);
  return `hung up unanswered after ${relay.received - before.received} bytes had been sent; no refund at the service`;
}

/** Sends bytes unchanged, as a program can, and waits until the connection is closed. */
async function programSends(
  { counter }: Target,
  write: (socket: Socket) => void,
): Promise<{ answered: number }> {
  const socket = connect({ host: '127.0.0.1', port: tillPort(counter) });
  let answered = 0;
  socket.on('data', (bytes) => (answered += bytes.length));
  socket.on('error', () => {});
  await once(socket, 'connect');
  write(socket);
  await until(() => socket.closed, 'the connection to be closed');
  return { answered };
}

const bytesOf = (text: string): Uint8Array =>
  Uint8Array.from(text.split(' '), (byte) => Number.parseInt(byte, 16));

/** A payment on a registered connection that must not begin. */
async function paymentIsRefused(target: Target, packet: string): Promise<string> {
  const till = await Register.overTcp({ host: '127.0.0.1', port: tillPort(target.counter) });
  await till.register({ currency: 'DKK', config: 0 });
  const { refused } = await till.command(bytesOf(packet));
  await till.close();
  await nothingMoved(target);
  if (refused !== 0x9a)
    throw new Error(`it was answered with ${refused?.toString(16) ?? '80 00 00'}`);
  return 'refused with 84 9a; nothing at the service';
}

const blind = (head: string) => async (target: Target) => {
  const { answered } = await programSends(target, (socket) =>
    socket.write(Buffer.from(head + sled, 'latin1')),
  );
  await nothingMoved(target);
  if (answered > 0) throw new Error(`it was answered with ${answered} bytes`);
  return 'hung up unanswered; no refund at the service';
};

const ways = [
  'formSameTab',
  'formPopup',
  'formFrame',
  'fetch',
  'fetchStream',
  'xhr',
  'sendBeacon',
  'webSocket',
  'image',
  'stylesheet',
  'eventSource',
  'tls',
  'webRtcTurn',
  'webRtcIce',
];

export const tillArea = attackArea<Target>('till', {
  open,
  close,
  attacks: [
    ...ways.map((how) => ({
      name: `a web page sends a reversal by ${how}`,
      attempt: (target: Target) => pageSends(target, how),
    })),
    {
      name: 'a web page tries WebTransport',
      async attempt(target) {
        const context = await target.browser.newContext();
        const tab = await context.newPage();
        await tab.goto(`${target.evilUrl}#webTransport:${target.relay.port}`);
        await tab.waitForTimeout(300);
        await context.close();
        await nothingMoved(target);
        return 'it is UDP, where nobody listens; no refund at the service';
      },
    },
    {
      name: 'a program writes an HTTP request with a reversal in it',
      attempt: blind('POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 61000\r\n\r\n'),
    },
    {
      name: 'a program writes an HTTP/2 preface and a reversal',
      attempt: blind('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    },
    { name: 'a program writes a TLS record and a reversal', attempt: blind('\x16\x03\x01\x02\0') },
    {
      name: 'a program begins a real TLS handshake',
      async attempt(target) {
        const socket = connectTls({
          host: '127.0.0.1',
          port: tillPort(target.counter),
          rejectUnauthorized: false,
        });
        socket.on('error', () => {});
        await new Promise((resolve) => socket.once('close', resolve));
        await nothingMoved(target);
        return 'hung up';
      },
    },
    {
      name: 'a device that begins like a till pads a reversal with blind answers',
      async attempt(target) {
        await programSends(target, (socket) => {
          socket.resume();
          socket.write(Buffer.from(`\x05\x01\x00${sled}`, 'latin1'));
        });
        await nothingMoved(target);
        return 'hung up after a few packets that no till sends; no refund at the service';
      },
    },
    {
      name: 'a connection that has not registered asks for a reversal',
      async attempt(target) {
        const till = await Register.overTcp({ host: '127.0.0.1', port: tillPort(target.counter) });
        const { ended } = await till.reverse(1);
        await till.close();
        await nothingMoved(target);
        if (ended?.by !== 'abort') throw new Error('it was not refused');
        return `refused with ${ended.code.toString(16)}`;
      },
    },
    {
      name: 'a connection that has not registered closes the day, and asks what the shop has taken',
      async attempt({ counter }) {
        const stranger = await Register.overTcp({ host: '127.0.0.1', port: tillPort(counter) });
        const answers = [
          await stranger.endOfDay(),
          await stranger.totals(),
          await stranger.repeatClosing(),
        ];
        await stranger.close();
        if (answers.some(({ ended }) => ended?.by !== 'abort'))
          throw new Error('it was not refused');
        if (
          answers.some(
            ({ statusInformations: [received] }) =>
              received === undefined || received.has(0x04) || received.has(0x60),
          )
        )
          throw new Error('it was told a sum');
        if ((await counter.till.repeatClosing()).ended?.by !== 'abort')
          throw new Error('the day is closed');
        const told = Buffer.from(
          (await counter.till.totals()).statusInformations[0]?.get(0x04) ?? [],
        ).toString('hex');
        if (told !== '000000001234') throw new Error(`the till is told ${told}`);
        return 'refused, and told no sum; the day is open, and the till is told its totals';
      },
    },
    {
      name: 'a stranger registers and logs off beside the till',
      async attempt(target) {
        const { counter } = target;
        const stranger = await Register.overTcp({ host: '127.0.0.1', port: tillPort(counter) });
        await stranger.register({ currency: 'DKK', config: 0xff });
        await stranger.logOff();
        const { ended } = await counter.till.statusEnquiry();
        const refused = await counter.till.reverse(9_999);
        await stranger.close();
        if (
          ended?.by !== 'completion' ||
          refused.ended?.by !== 'abort' ||
          refused.printed.length > 0
        )
          throw new Error('the till was disturbed');
        const words = Buffer.from(refused.statusInformations[0]?.get(0x3c) ?? []).toString(
          'latin1',
        );
        if (!words.startsWith('No paid sale'))
          throw new Error(`the till's registration is gone: ${words}`);
        return 'the till notices nothing';
      },
    },
    {
      name: 'forty silent connections try to lock the till out',
      async attempt({ counter }) {
        const port = tillPort(counter);
        const silent = Array.from({ length: 40 }, () =>
          connect({ host: '127.0.0.1', port }).on('error', () => {}),
        );
        await Promise.all(silent.map((socket) => once(socket, 'connect')));
        const till = await Register.overTcp({ host: '127.0.0.1', port });
        const { ended } = await till.statusEnquiry();
        await till.close();
        for (const socket of silent) socket.destroy();
        if (ended?.by !== 'completion') throw new Error('the till was not answered');
        return 'the till is answered';
      },
    },
    {
      name: 'two hundred receipt numbers are guessed, each on a connection of its own',
      async attempt(target) {
        const port = tillPort(target.counter);
        const startedAtMs = performance.now();
        let tried = 0;
        let looked = 0;
        while (tried < 7 || (tried < 200 && performance.now() - startedAtMs < 3_000)) {
          const till = await Register.overTcp({ host: '127.0.0.1', port });
          await till.register({ currency: 'DKK', config: 0 });
          tried += 1;
          // A till that is delayed is left behind.
          const outcome = await Promise.race([
            till.reverse(5_000 + tried),
            new Promise<null>((resolve) => setTimeout(resolve, 300, null)),
          ]);
          if (outcome?.refused === null) looked += 1;
          await till.close();
        }
        // Six at once, and then one after 2 s, after 4 s, after 8 s and so on. A busy machine may
        // see fewer of these.
        const most = 6 + Math.floor(Math.log2((performance.now() - startedAtMs) / 2_000 + 1));
        if (looked > most)
          throw new Error(
            `${looked} of ${tried} were looked up within ${(performance.now() - startedAtMs).toFixed(0)} ms`,
          );
        return `${looked} of ${tried} were answered within ${(performance.now() - startedAtMs).toFixed(0)} ms`;
      },
    },
    {
      name: 'a payment hides its currency behind a bitmap that nobody knows',
      attempt: (target) =>
        paymentIsRefused(target, '06 01 0E 04 00 00 00 00 12 50 19 40 5A 99 49 09 78'),
    },
    {
      name: 'a payment brings a password behind its amount',
      attempt: (target) => paymentIsRefused(target, '06 01 0A 04 00 00 00 00 12 50 01 02 03'),
    },
    {
      name: 'a payment brings a password before its amount',
      attempt: (target) =>
        paymentIsRefused(target, '06 01 0D 12 34 56 04 00 00 00 00 12 50 49 02 08'),
    },
    {
      name: 'a device sends a reversal in the blocks of a serial line',
      async attempt(target) {
        const { answered } = await programSends(target, (socket) =>
          socket.write(encodeBlock(bytesOf('06 30 06 12 34 56 87 00 01'))),
        );
        await nothingMoved(target);
        if (answered > 0) throw new Error(`it was answered with ${answered} bytes`);
        return 'hung up unanswered; no refund at the service';
      },
    },
    {
      name: 'a device uses the registration that the till has completed on another connection',
      async attempt(target) {
        const first = await Register.overTcp({ host: '127.0.0.1', port: tillPort(target.counter) });
        await first.register({ currency: 'DKK', config: 0 });
        await first.close();
        const second = await Register.overTcp({
          host: '127.0.0.1',
          port: tillPort(target.counter),
        });
        const { ended } = await second.reverse(1);
        await second.close();
        await nothingMoved(target);
        if (ended?.by !== 'abort') throw new Error('it was not refused');
        return `refused with ${ended.code.toString(16)}`;
      },
    },
    {
      name: 'a program on the till’s own computer guesses receipt numbers, so that the till cannot refund',
      async attempt({ counter }) {
        const till = await counter.connectTill();
        await till.register({ currency: 'DKK', config: 0 });
        const payment = till.pay(500, 'DKK');
        await counter.customerPays();
        const receipt = Number(
          Buffer.from((await payment).statusInformations[0]?.get(0x87) ?? []).toString('hex'),
        );
        const guessing = guesses(tillPort(counter), (guesser, guess) =>
          guesser.reverse(6_000 + guess),
        );
        await until(() => guessing.tried >= 30, 'thirty guesses');
        const refunds: string[] = [];
        for (let part = 0; part < 5; part += 1)
          refunds.push((await till.refund(receipt, 50 + part, 'DKK')).ended?.by ?? 'refused');
        await guessing.stop();
        await till.close();
        if (refunds.some((ended) => ended !== 'completion'))
          throw new Error(`the till's refunds were answered ${refunds.join(', ')}`);
        return `five refunds were made beside ${guessing.tried} guesses`;
      },
    },
    {
      name: 'a program on the till’s own computer guesses the password, so that the till cannot come back',
      async attempt() {
        const shop = await ScreensShop.open({ password: '111222' });
        try {
          const guessing = guesses(Number(shop.tills[0]?.split(':')[2]), (guesser) =>
            guesser.reverse(1),
          );
          await until(() => guessing.tried >= 30, 'thirty guesses');
          const answers: string[] = [];
          for (let time = 0; time < 20; time += 1) {
            const till = await shop.till(0, '111222');
            answers.push(
              (await till.register({ currency: 'DKK', config: 0 })).ended?.by ?? 'refused',
            );
            // There is no receipt 1. A wrong password would be refused as that.
            if (time === 19)
              answers.push(
                (await till.reverse(1)).ended?.by === 'abort' ? 'completion' : 'no refund',
              );
            await till.close();
          }
          await guessing.stop();
          if (answers.some((ended) => ended !== 'completion'))
            throw new Error(`the till was answered ${answers.join(', ')}`);
          if (guessing.looked > 6)
            throw new Error(`${guessing.looked} of ${guessing.tried} guesses were compared`);
          return `it came back twenty times, and ${guessing.looked} of ${guessing.tried} guesses were compared`;
        } finally {
          await shop.close();
        }
      },
    },
    {
      name: 'after all this the till itself refunds',
      async attempt({ counter }) {
        // The delay that the attacker has caused is over first.
        await until(
          async () => (await counter.till.reverse(1)).ended?.by === 'completion',
          'the refund',
          20_000,
        );
        return 'refunded, as it should be';
      },
    },
  ],
});

/**
 * Guesses until it is stopped, each time on a connection of its own. A terminal that does not
 * answer is left behind.
 */
function guesses(
  port: number,
  guess: (guesser: Register, index: number) => Promise<CommandOutcome>,
) {
  const guessing = { tried: 0, looked: 0, stop: async (): Promise<void> => {} };
  let isOver = false;
  const run = async (): Promise<void> => {
    while (!isOver) {
      const guesser = await Register.overTcp({ host: '127.0.0.1', port, password: '000000' });
      await Promise.race([guesser.register({ currency: 'DKK', config: 0 }), sleep(200)]);
      guessing.tried += 1;
      const outcome = await Promise.race([
        guess(guesser, guessing.tried).catch(() => null),
        sleep(200, null),
      ]);
      if (outcome !== null && outcome.refused !== pleaseWait) guessing.looked += 1;
      await guesser.close();
    }
  };
  const running = run().catch(() => {});
  guessing.stop = async () => {
    isOver = true;
    await running;
  };
  return guessing;
}
