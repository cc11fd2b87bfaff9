/** The blocks of a serial line over TCP, as serial device servers pass them on. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { hex } from '../../../../main/tills/zvt/packets.ts';
import { encodeBlock } from '../../../../main/tills/zvt/serial-framing.ts';
import { framingOfBlocks } from '../../../../main/tills/zvt/tcp-blocks.ts';
import { bytesOf, eventually, TcpLine, ticket } from './support.ts';

let line: TcpLine | null = null;
afterEach(async () => {
  await line?.till.close();
  line = null;
});

async function open(
  settings: Parameters<typeof TcpLine.open>[0] = { framing: 'blocks' },
): Promise<{ line: TcpLine; socket: Socket; heard: () => string }> {
  line = await TcpLine.open(settings);
  const socket = await line.socket();
  let heard = '';
  socket.on('data', (bytes: Buffer) => {
    heard += `${hex(bytes)} `;
  });
  return { line, socket, heard: () => heard };
}
const blockOf = (packet: string): string => hex(encodeBlock(bytesOf(packet)));

test('a payment in blocks is answered in blocks, and acknowledged with 06', async () => {
  const {
    line: { till, commands },
    socket,
    heard,
  } = await open({ profile: 'blocksOverTcp' });
  socket.write(bytesOf('06'));
  socket.write(encodeBlock(bytesOf('06 01 0A 04 00 00 00 00 01 90 49 02 08')));
  await eventually(() => heard().includes(blockOf('80 00 00')));
  expect(heard()).toMatch(/^06 10 02 80 00 00 /);
  expect(commands.asked).toEqual(['sale 190 DKK']);
  socket.write(bytesOf('06'));
  const offer = till.offerPaid(ticket);
  await eventually(() => /10 02 04 0F /.test(heard()));
  socket.write(Buffer.concat([bytesOf('06'), encodeBlock(bytesOf('80 00 00'))]));
  expect(await offer).toBe('acknowledged');
  socket.destroy();
});

test('the bytes of a serial device server, byte by byte', async () => {
  const {
    line: { commands },
    socket,
  } = await open({ framing: 'blocks', missingCurrency: 'lane' });
  for (const byte of bytesOf('10 02 06 01 07 04 00 00 00 00 01 90 10 03 76 57'))
    socket.write(Uint8Array.of(byte));
  await eventually(() => commands.asked.length > 0);
  expect(commands.asked).toEqual(['sale 190 DKK']);
  socket.destroy();
});

test.each([
  ['a web page', Buffer.from('POST / HTTP/1.1\r\n\r\n')],
  ['bare packets', bytesOf('06 01 07 04 00 00 00 00 01 90')],
  ['acknowledgements without end', new Uint8Array(30).fill(0x06)],
  ['TLS', bytesOf('16 03 01 02 00 01')],
])('where blocks are set, %s is hung up on', async (_who, bytes) => {
  const {
    line: { commands, notices },
    socket,
    heard,
  } = await open();
  const closed = once(socket, 'close');
  socket.write(bytes);
  await closed;
  expect([commands.asked, heard()]).toEqual([[], '']);
  expect(notices.list()).toMatchObject([{ code: 'tillStranger' }]);
});

test('what begins like a block and goes on as noise is hung up on', async () => {
  const {
    line: { commands, notices },
    socket,
  } = await open();
  const closed = once(socket, 'close');
  for (let time = 0; time < 6; time += 1) {
    socket.write(
      Buffer.concat([
        encodeBlock(bytesOf('06 01 07 04 00 00 00 00 01 90')).subarray(0, -1),
        Uint8Array.of(0xff),
      ]),
    );
  }
  await closed;
  expect(commands.asked).toEqual([]);
  expect(notices.list()).toMatchObject([{ code: 'tillStranger' }]);
});

test('reaching the port with blocks is no cable: a refund needs a registration', async () => {
  const {
    line: { commands },
    socket,
    heard,
  } = await open();
  socket.write(encodeBlock(bytesOf('06 30 06 12 34 56 87 00 17')));
  await eventually(() => heard().includes('10 02 80 00 00'));
  socket.write(bytesOf('06'));
  await eventually(() => heard().includes('04 0F'));
  expect(commands.asked).toEqual([]);
  socket.destroy();
});

test('a few bytes tell', () => {
  expect(
    [bytesOf('10'), bytesOf('10 02'), bytesOf('06 06 10 02'), bytesOf('10 03'), bytesOf('06')].map(
      framingOfBlocks,
    ),
  ).toEqual([null, 'blocks', 'blocks', 'stranger', null]);
});
