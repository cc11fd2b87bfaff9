/** Web pages and programs that write to a till's port, and their checks. */
import { once } from 'node:events';
import { createServer as createHttpServer, type Server } from 'node:http';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { Browser, Page } from 'playwright';
import { Register } from '../../main/sandbox/till/register.ts';
import { launchChromium } from '../support/browser.ts';
import { Counter } from '../support/counter.ts';
import { until } from '../support/processes.ts';

export const pleaseWait = 0x9c;

/**
 * A counter with one captured payment, receipt 1, and a web page that somebody has open on its PC.
 */
export interface Target {
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
export const sled = `${'\0'.repeat(600)}\x06\x00\x06\x12\x34\x56\x00\x02\x08${'\x80\0\0'.repeat(50)}\x06\x30\x06\0\0\0\x87\0\x01${'\x80\0\0'.repeat(20_000)}`;
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

export async function open(): Promise<Target> {
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

export const tillPort = (counter: Counter): number =>
  Number(counter.started.lanes[0]?.till.split(':')[2]);

export async function close({ counter, relay, browser, evil }: Target): Promise<void> {
  await browser.close();
  relay.close();
  evil.close();
  await counter.close();
}

export async function nothingMoved({ counter }: Target): Promise<void> {
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
export async function pageSends(target: Target, how: string): Promise<string> {
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
export async function programSends(
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

export const bytesOf = (text: string): Uint8Array =>
  Uint8Array.from(text.split(' '), (byte) => Number.parseInt(byte, 16));

/** A payment on a registered connection that must not begin. */
export async function paymentIsRefused(target: Target, packet: string): Promise<string> {
  const till = await Register.overTcp({ host: '127.0.0.1', port: tillPort(target.counter) });
  await till.register({ currency: 'DKK', config: 0 });
  const { refused } = await till.command(bytesOf(packet));
  await till.close();
  await nothingMoved(target);
  if (refused !== 0x9a)
    throw new Error(`it was answered with ${refused?.toString(16) ?? '80 00 00'}`);
  return 'refused with 84 9a; nothing at the service';
}

export const blind = (head: string) => async (target: Target) => {
  const { answered } = await programSends(target, (socket) =>
    socket.write(Buffer.from(head + sled, 'latin1')),
  );
  await nothingMoved(target);
  if (answered > 0) throw new Error(`it was answered with ${answered} bytes`);
  return 'hung up unanswered; no refund at the service';
};

export const ways = [
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
