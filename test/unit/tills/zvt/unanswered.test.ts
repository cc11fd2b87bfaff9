/**
 * A packet that the till never answers, and the command that it sends instead; and 06 0F, which
 * some tills take for "paid" whatever it ends.
 */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { hex } from '../../../../main/tills/zvt/packets.ts';
import { settled } from '../../support/manual-clock.ts';
import {
  ack,
  authorisation,
  bytesOf,
  Cable,
  eventually,
  paidStatus,
  registered,
  running,
  TcpLine,
  ticket,
} from './support.ts';

const busy = '84 9C 00';
const status = '05 01 05 12 34 56 03 07';
const registration = '06 00 06 12 34 56 00 02 08';

describe('a status enquiry on the connection that pays', () => {
  const booking = {
    saleId: ticket.saleId,
    receiptNumber: 19,
    traceNumber: 43,
    originalTraceNumber: 41,
  } as const;

  test.each([
    ['a payment', authorisation],
    ['a refund', '06 30 06 12 34 56 87 00 17'],
    ['a reservation', '06 22 0A 04 00 00 00 00 12 34 49 02 08'],
  ])(
    'is told to wait while %s runs, so that no 06 0F comes in the middle',
    async (_what, command) => {
      const cable = await registered('00');
      cable.commands.open = [];
      expect(await cable.send(command)).toEqual(['ACK', ack]);
      expect(await cable.send(status)).toEqual(['ACK', busy]);
    },
  );

  test('is told to wait while a booking is told', async () => {
    const cable = await registered('00');
    cable.commands.open = [];
    cable.commands.booking = {
      accepted: true,
      booking: { ...ticket, ...booking, originalReceiptNumber: 17, kind: 'capture' },
    } as unknown as typeof cable.commands.booking;
    expect(await cable.send('06 24 0D 87 00 17 04 00 00 00 00 12 34 49 02 08')).toEqual([
      'ACK',
      ack,
      expect.stringMatching(/^04 0F /),
    ]);
    expect(await cable.send(status)).toEqual(['ACK', busy]);
  });

  test('is told to wait while the till hears that its payment is declined', async () => {
    const cable = await registered('00');
    cable.commands.sale = { accepted: false, reason: 'wrongCurrency' };
    const declined = await cable.send('06 01 0A 04 00 00 00 00 12 34 49 09 78');
    expect(declined).toEqual(['ACK', ack, expect.stringMatching(/^04 0F .. 27 6F /)]);
    expect(await cable.send(status)).toEqual(['ACK', busy]);
    expect(await cable.send(ack)).toEqual(['ACK', '06 1E 01 6F']);
    expect(await cable.send(status)).toEqual(['ACK', busy]);
    await cable.send(ack);
    expect(await cable.send(status)).toEqual(['ACK', ack, expect.stringMatching(/^06 0F /)]);
  });

  test('before it is not completed within the payment', async () => {
    const cable = await registered('00');
    await cable.send(status);
    await cable.send(status);
    expect(await cable.send(authorisation)).toEqual(['ACK', ack]);
    await cable.send(ack);
    expect(await cable.send(ack)).toEqual(['ACK']);
    await cable.clock.pass(30_000);
    expect(await cable.heard()).toEqual([]);
  });
});

describe('on a cable, a payment while the end of an earlier command is unanswered', () => {
  test.each([
    ['of a registration', registration],
    ['of a diagnosis', '06 70 00'],
    ['of a status enquiry', status],
  ])(
    '%s: is taken, and its result does not wait longer than an answer could',
    async (_what, before) => {
      const cable = await new Cable().plugIn();
      await cable.send(before);
      expect(await cable.send(authorisation)).toEqual(['ACK', ack]);
      const offer = cable.till.offerPaid(ticket);
      await cable.clock.pass(5_000);
      expect(await cable.heard()).toEqual([expect.stringMatching(paidStatus)]);
      await cable.send(ack);
      expect(await offer).toBe('acknowledged');
    },
  );

  test('its late answer does not acknowledge the result', async () => {
    const cable = await new Cable().plugIn();
    await cable.send(registration);
    await cable.send(authorisation);
    const offer = cable.till.offerPaid(ticket);
    await cable.clock.pass(4_900);
    expect(await cable.heard()).toEqual([]);
    expect(await cable.send(ack)).toEqual(['ACK', expect.stringMatching(paidStatus)]);
    await cable.send('84 66 00');
    expect(await offer).toBe('notAcknowledged');
  });

  test('intermediate statuses come at once', async () => {
    const cable = await new Cable().plugIn();
    await cable.send('06 00 06 12 34 56 08 02 08');
    expect(await cable.send(authorisation)).toEqual(['ACK', ack, '04 FF 01 0E']);
  });
});

describe('over TCP, a command while the end of an earlier one is unanswered', () => {
  const lines: TcpLine[] = [];
  const sockets: Socket[] = [];
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    for (const line of lines.splice(0)) await line.till.close();
  });

  async function conversation(): Promise<{
    line: TcpLine;
    socket: Socket;
    send: (packet: string, answer: string) => Promise<void>;
    heard: () => string;
  }> {
    const line = await TcpLine.open();
    lines.push(line);
    const socket = await line.socket();
    sockets.push(socket);
    let heard = '';
    socket.on('data', (bytes: Buffer) => {
      heard += `${hex(bytes)} `;
    });
    const send = async (packet: string, answer: string): Promise<void> => {
      heard = '';
      socket.write(bytesOf(packet));
      await eventually(() => heard.includes(answer));
    };
    return { line, socket, send, heard: () => heard };
  }
  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < 200; turn += 1) await settled();
  };

  test('is taken, and the connection stays', async () => {
    const { line, socket, send, heard } = await conversation();
    await send(registration, '06 0F');
    await line.clock.pass(1_000);
    await send(authorisation, ack);
    await line.asked('sale 1234 DKK');
    await line.clock.pass(30_000);
    await turns();
    expect(socket.destroyed || socket.readableEnded).toBe(false);
    expect(line.commands.asked).toEqual(['sale 1234 DKK']);
    void line.till.offerPaid(ticket);
    await eventually(() => heard().includes('04 0F'));
  });

  test('is taken, also when it is one that asks for the status again and again', async () => {
    const { line, socket, send } = await conversation();
    for (let asked = 0; asked < 20; asked += 1) {
      await send(status, '06 0F');
      await line.clock.pass(1_000);
    }
    await turns();
    expect(socket.destroyed || socket.readableEnded).toBe(false);
  });

  test('and then sends nothing: it is hung up on as before', async () => {
    const { line, socket, send } = await conversation();
    await send(registration, '06 0F');
    const closed = once(socket, 'close');
    await line.clock.pass(5_000);
    await closed;
  });
});

test('a payment while the end of another payment is unanswered is told to wait', async () => {
  const cable = await running();
  cable.till.conclude(ticket, { paid: false, reason: 'timedOut' });
  await cable.heard();
  await cable.send(ack);
  expect(await cable.send(authorisation)).toEqual(['ACK', busy]);
});
