import { once } from 'node:events';
import type { Socket } from 'node:net';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { TillJudge } from '../../../../main/counter/setup/till-judge.ts';
import { encodeApdu } from '../../../../main/tills/zvt/apdu.ts';
import { hex } from '../../../../main/tills/zvt/packets.ts';
import { framed, framingOf, PrefixedStream } from '../../../../main/tills/zvt/tcp-framing.ts';
import { Register } from '../../../../main/sandbox/till/register.ts';
import { settled } from '../../support/manual-clock.ts';
import { bytesOf, eventually, TcpLine, ticket } from './support.ts';

let line: TcpLine;
afterEach(() => line?.till.close());

test('a till that puts lengths before its packets is answered in the same way, for the whole payment', async () => {
  line = await TcpLine.open();
  const register = await Register.overTcp({
    host: '127.0.0.1',
    port: line.port,
    framing: 'lengthPrefixed',
  });
  expect((await register.register({ currency: 'DKK' })).ended).toMatchObject({ by: 'completion' });
  const payment = register.pay(1234, 'DKK');
  await line.asked('sale 1234 DKK');
  expect(await line.till.offerPaid(ticket)).toBe('acknowledged');
  line.till.conclude(ticket, { paid: true });
  expect(await payment).toMatchObject({ ended: { by: 'completion' }, refused: null });
  await register.close();
});

test('byte by byte it is recognised too, and the first answer is framed', async () => {
  line = await TcpLine.open();
  const socket = await line.socket();
  const answer = once(socket, 'data');
  for (const byte of bytesOf('00 03 06 70 00')) {
    socket.write(Uint8Array.of(byte));
    await settled();
  }
  expect(hex((await answer)[0] as Buffer)).toMatch(/^00 03 80 00 00/);
  socket.destroy();
});

/** Other packets that begin with 00, and packets that their length contradicts. */
const strangers: readonly (readonly [string, string])[] = [
  ['a text behind four bytes of length', '00 00 01 F4 3C 3F 78 6D 6C'],
  ['a STUN request of a web page (RFC 4571)', '00 1C 00 01 00 08 21 12 A4 42'],
  ['a TURN request of a web page', '00 03 00 24 21 12 A4 42'],
  ['DTLS of a web page (RFC 4571)', '00 43 16 FE FF 00 00'],
  ['an empty packet', '00 00 06 01 00'],
  ['a length that is less than the packet', '00 0C 06 01 0A 04 00 00 00 00 12 34 49 02 08'],
  ['a length that is more than the packet', '00 0E 06 01 0A 04 00 00 00 00 12 34 49 02 08'],
  ['a long packet', '00 FF 06 01 FF FA 00'],
  ['a packet behind two lengths', '00 0F 00 0D 06 01 0A 04 00 00 00 00 12 34 49 02 08'],
  ['nothing of a till', '00 05 07 01 02 00 00'],
];

describe.each(strangers)('%s', (_what, bytes) => {
  test.each(['at once', 'byte by byte'])(
    '%s is hung up on, told, and asks for nothing',
    async (how) => {
      line = await TcpLine.open();
      const socket = await line.socket();
      const closed = once(socket, 'close');
      const payment = bytesOf('00 0D 06 01 0A 04 00 00 00 00 12 34 49 02 08');
      const all = [...bytesOf(bytes), ...payment, ...payment.subarray(2)];
      for (const part of how === 'at once' ? [all] : all.map((byte) => [byte])) {
        if (!socket.destroyed) socket.write(Uint8Array.from(part));
        await settled();
      }
      await closed;
      expect(line.commands.asked).toEqual([]);
      expect(line.notices.list().map(({ code }) => code)).toEqual(['tillStranger']);
    },
  );
});

test('who begins with a length and sends no more is hung up on after T3', async () => {
  line = await TcpLine.open();
  const socket = await line.socket();
  const closed = once(socket, 'close');
  socket.write(bytesOf('00 0D'));
  for (let turn = 0; turn < 50; turn += 1) await settled();
  await line.clock.pass(5_000);
  await closed;
});

test('the framing of the first packet counts: another one later ends the connection, and is not obeyed', async () => {
  line = await TcpLine.open();
  const socket = await line.socket();
  await answered(socket, '00 03 06 70 00');
  const closed = once(socket, 'close');
  // Read as a length this is 0601, and what follows is not the APDU that it names.
  socket.write(bytesOf(`06 01 0A 04 00 00 00 00 12 34 49 02 08 ${'00 '.repeat(0x601)}`));
  await closed;
  expect(line.commands.asked).toEqual([]);
});

const answered = async (socket: Socket, bytes: string): Promise<void> => {
  const answer = once(socket, 'data');
  socket.write(bytesOf(bytes));
  await answer;
};

test('any packets, however they are split, come out as they went in', () => {
  const apdu = fc
    .record({
      classByte: fc.constantFrom(4, 6, 0x80),
      instruction: fc.nat(255),
      data: fc.uint8Array({ maxLength: 600 }),
    })
    .map(encodeApdu);
  fc.assert(
    fc.property(
      fc.array(apdu, { maxLength: 5 }),
      fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 30 }),
      (apdus, sizes) => {
        const bytes = Buffer.concat(apdus.map((one) => framed('lengthPrefixed', one)));
        const stream = new PrefixedStream();
        const out: Uint8Array[] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
          const size = sizes[turn % sizes.length] ?? 1;
          out.push(...(stream.push(bytes.subarray(at, at + size)) ?? []));
          at += size;
        }
        expect(out.map(hex)).toEqual(apdus.map(hex));
        expect(stream.isInside).toBe(false);
      },
    ),
  );
});

test('every first packet of a till is recognised in both framings, from whatever has come of it', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(4, 5, 6, 8, 0x0f),
      fc.nat(255),
      fc.uint8Array({ maxLength: 252 }),
      (classByte, instruction, data) => {
        const apdu = encodeApdu({ classByte, instruction, data });
        const prefixed = framed('lengthPrefixed', apdu);
        expect(framingOf(apdu)).toBe('bare');
        for (let count = 0; count < 5; count += 1)
          expect(framingOf(prefixed.subarray(0, count))).toBe(null);
        expect(framingOf(prefixed)).toBe('lengthPrefixed');
      },
    ),
  );
});

test('setup recognises it as ZVT, and says what it means', () => {
  const judge = new TillJudge('tcp');
  judge.push(bytesOf('00 0D 06 01 0A 04 00 00 00 00 12 34 49 02 08'));
  expect(judge.verdict()).toEqual({
    what: 'zvt',
    meaning: 'Authorisation 06 01: amount 12.34 DKK',
  });
});

test('a till and a stranger at once do not disturb each other', async () => {
  line = await TcpLine.open();
  const [till, stranger] = [await line.socket(), await line.socket()];
  await answered(till, '00 03 06 70 00');
  stranger.write('GET / HTTP/1.1\r\n\r\n');
  await eventually(() => stranger.destroyed);
  expect(till.destroyed).toBe(false);
  till.destroy();
});
