import { EventEmitter } from 'node:events';
import type { createServer, Socket } from 'node:net';
import { Duplex } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { noNotices } from '../../main/core/domain/notices.ts';
import { silentLog } from '../../main/core/domain/log.ts';
import { createZvtTill } from '../../main/tills/zvt/till.ts';
import { ScriptedViews } from '../unit/tills/zvt/support.ts';
import { ManualClock, settled } from '../unit/support/manual-clock.ts';

/** The beginnings of other protocols, as browsers and scanners send them. */
const heads = [
  'POST / HTTP/1.1\r\nHost: 127.0.0.1:20007\r\nContent-Type: text/plain\r\nContent-Length: 70000\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: 127.0.0.1:20007\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  'OPTIONS / HTTP/1.1\r\nOrigin: http://evil.example\r\nAccess-Control-Request-Method: POST\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0',
  '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03',
  '\x16\x03\x03\0\x05',
  'SSH-2.0-OpenSSH_9.2\r\n',
  '<?xml version="1.0"?><CardServiceRequest/>',
  // Bytes that could be the length before a packet: STUN of a web page, bare and after its length,
  // DTLS, XML after a length of four bytes.
  '\0\x1c\0\x01\0\x08\x21\x12\xa4\x42',
  '\0\x03\0\x24\x21\x12\xa4\x42',
  '\0\x43\x16\xfe\xff\0\0',
  '\0\0\x01\xf4<?xml version="1.0"?>',
  '\0\x0e\x06\x01\x0a',
].map((head) => Buffer.from(head, 'latin1'));

const money = [
  '0630061234568700 17',
  '063006000000870001',
  '06300d 123456 870017 04000000000500',
  '063109000000870017040000000005',
  '06010a04000000001234490208',
].map((packet) => Buffer.from(packet.replaceAll(' ', ''), 'hex'));
/**
 * What an attacker puts around them: a sled that aligns the parser, a registration, answers to the
 * terminal's possible requests.
 */
const padding = fc.constantFrom(
  Buffer.alloc(1),
  Buffer.alloc(259),
  Buffer.from('800000'.repeat(40), 'hex'),
  Buffer.from('060006123456000208', 'hex'),
  Buffer.from('0601', 'hex'),
  Buffer.from('ff', 'hex'),
);
const body = fc
  .array(
    fc.oneof(
      padding,
      fc.constantFrom(...money),
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((parts) => Buffer.concat(parts));

/** Everything that a connection sent was taken in; what the lane was asked then. */
async function asks(chunks: readonly Uint8Array[]): Promise<readonly string[]> {
  let connected = (_socket: Socket): void => {};
  const server = Object.assign(new EventEmitter(), {
    listen: (_port: number, _host: string, done: () => void) => done(),
    address: () => ({ port: 1 }),
    close: (done: () => void) => done(),
  });
  const commands = new ScriptedViews();
  const till = createZvtTill({
    settings: { protocol: 'zvt', transport: 'tcp', host: '127.0.0.1', port: 0 },
    currency: 'DKK',
    laneName: 'Check-out 1',
    beacons: ['QR'],
    softwareVersion: '1.2.3',
    clock: new ManualClock(),
    log: silentLog,
    notices: noNotices,
    openSerialWire: () => Promise.reject(new Error('no serial port here')),
    createTcpServer: ((_options: unknown, onConnection: typeof connected) => {
      connected = onConnection;
      return server;
    }) as unknown as typeof createServer,
  });
  await till.open(commands);
  const socket = Object.assign(
    new Duplex({ read() {}, write: (_bytes, _encoding, done) => done() }),
    { remoteAddress: '127.0.0.1', remotePort: 40_000 },
  );
  connected(socket as unknown as Socket);
  for (const chunk of chunks) {
    if (chunk.length > 0) socket.push(chunk);
    await settled();
  }
  await till.close();
  return commands.asked.filter((asked) => /^(sale|refund)/.test(asked));
}

test('no command that moves money is taken from HTTP, TLS or any other protocol, whatever follows its head and however it is cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...heads),
      body,
      fc.array(fc.nat(2_000), { maxLength: 4 }),
      async (head, rest, cuts) => {
        const bytes = Buffer.concat([head, rest]);
        const at = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
        expect(
          await asks(
            [0, ...at].map((from, index) => bytes.subarray(from, at[index] ?? bytes.length)),
          ),
        ).toEqual([]);
      },
    ),
    { numRuns: 400 },
  );
});

test('no refund is taken from bytes that begin like a till’s and were written blindly', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('0f9900', '050100', '800000', '0618 00'),
      body,
      async (head, rest) => {
        const taken = await asks([
          Buffer.concat([Buffer.from(head.replaceAll(' ', ''), 'hex'), rest]),
        ]);
        expect(taken.filter((asked) => asked.startsWith('refund'))).toEqual([]);
      },
    ),
    { numRuns: 400 },
  );
});

test('a till that says the same bytes at the right moments is taken seriously', async () => {
  expect(
    await asks(
      ['060006123456000208', '800000', '063006123456870017'].map((packet) =>
        Buffer.from(packet, 'hex'),
      ),
    ),
  ).toEqual(['refund of 17: all DKK']);
});
