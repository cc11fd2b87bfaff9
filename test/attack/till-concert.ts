import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { blockOf } from '../../main/tills/concert/blocks.ts';
import { Counter } from '../support/counter.ts';
import { until } from '../support/processes.ts';
import { attackArea } from './attack.ts';

const payment = 'CZ0040320CA00201CE003208CD0010CB0041234';
const identification = 'CZ0040320CA00201CD001I';
const block = (text: string): Buffer => Buffer.from(blockOf(Buffer.from(text, 'latin1')));

/** Somebody's connection to the till's port. */
class Connection {
  readonly socket: Socket;
  heard = '';
  ended = false;
  closed = false;

  private constructor(port: number) {
    this.socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
    this.socket.on('error', () => {});
    this.socket.on('data', (bytes) => (this.heard += bytes.toString('latin1')));
    this.socket.on('end', () => (this.ended = true));
    this.socket.on('close', () => (this.closed = true));
  }

  static async open({ started }: Counter, bytes: Buffer | string): Promise<Connection> {
    const connection = new Connection(Number(started.lanes[0]?.till.split(':')[2]));
    await once(connection.socket, 'connect');
    connection.socket.write(bytes, 'latin1');
    return connection;
  }
}

async function nothingBegan(counter: Counter, before: number): Promise<void> {
  const { payments, refunds } = (await counter.state()) as unknown as {
    payments: unknown[];
    refunds: unknown[];
  };
  if (payments.length > before) throw new Error('a payment began');
  if (refunds.length > 0) throw new Error('money went out');
}

const paymentsOf = async (counter: Counter): Promise<number> =>
  (await counter.state()).payments.length;

/** A peer that is not a till gets no answer: its connection is closed. */
const stranger = (bytes: Buffer | string) => async (counter: Counter) => {
  const before = await paymentsOf(counter);
  const connection = await Connection.open(counter, bytes);
  await until(() => connection.closed || connection.ended, 'the connection to be closed');
  connection.socket.destroy();
  // A message would be complete by then.
  await sleep(400);
  await nothingBegan(counter, before);
  if (connection.heard !== '')
    throw new Error(`it was answered with ${JSON.stringify(connection.heard)}`);
  return 'hung up unanswered; nothing at the service';
};

/** A request of a till that is refused, and begins nothing. */
const refusedRequest = (text: string, answer: string) => async (counter: Counter) => {
  const before = await paymentsOf(counter);
  const connection = await Connection.open(counter, block(text));
  await until(() => connection.heard !== '', 'an answer');
  connection.socket.destroy();
  await nothingBegan(counter, before);
  if (!connection.heard.includes(answer))
    throw new Error(`it was answered with ${JSON.stringify(connection.heard)}`);
  return `refused with ${answer}; nothing at the service`;
};

/**
 * As Chromium sends it over ICE with TCP: a page chooses the length, and the text of the user's
 * name.
 */
function stunMessage(): Buffer {
  const userName = Buffer.alloc(500, block(payment));
  const attribute = Buffer.concat([
    Buffer.from([0x00, 0x06, userName.length >>> 8, userName.length & 0xff]),
    userName,
  ]);
  const head = Buffer.concat([
    Buffer.from([
      0x00,
      0x01,
      attribute.length >>> 8,
      attribute.length & 0xff,
      0x21,
      0x12,
      0xa4,
      0x42,
    ]),
    Buffer.alloc(12, 0x30),
  ]);
  const message = Buffer.concat([head, attribute]);
  return Buffer.concat([Buffer.from([message.length >>> 8, message.length & 0xff]), message]);
}

const openFiles = ({ daemon }: Counter): number =>
  readdirSync(`/proc/${daemon.child.pid}/fd`).length;

export const tillConcertArea = attackArea<Counter>('till-concert', {
  open: () => Counter.open({ transport: 'tcp', protocol: 'concert' }),
  close: (counter) => counter.close(),
  attacks: [
    {
      name: 'a block with a strange LRC asks for a payment',
      attempt: stranger(block(payment).with(-1, 0x00) as Buffer),
    },
    { name: 'a block of another protocol', attempt: stranger(block('P0000000100000000')) },
    {
      name: 'a web page’s STUN message begins as a block, with a payment in its user name',
      attempt: stranger(stunMessage()),
    },
    {
      name: 'a form that a web page posts holds a block',
      attempt: stranger(
        `POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n${block(payment).toString('latin1')}`,
      ),
    },
    {
      name: 'a request of HTTP hides in the value of a record',
      attempt: stranger(
        `${payment}ZZ060 / HTTP/1.1\r\nHost: 127.0.0.1:8888\r\nContent-Length: 12345\r\n\r\n`,
      ),
    },
    {
      name: 'a block that never ends, of bytes that could end it',
      attempt: stranger(
        Buffer.concat([Buffer.from('\x02CZ0040320CF999'), Buffer.alloc(20_000, 0x03)]),
      ),
    },
    {
      name: 'records go on as a block',
      attempt: stranger(`${payment}${block(payment).toString('latin1')}`),
    },
    {
      name: 'a block asks for money back',
      attempt: refusedRequest(payment.replace('CD0010', 'CD0011'), 'AE00201AF00212'),
    },
    {
      name: 'an option behind others asks for an answer before the payment is paid',
      attempt: refusedRequest('01000012340102080123456789B010T012A011', '017'),
    },
    {
      name: 'two amounts in a block',
      attempt: refusedRequest(`${payment}CB0049999`, 'AE00201AF00209'),
    },
    {
      name: 'another connection cancels the till’s payment',
      async attempt(counter) {
        const before = await paymentsOf(counter);
        const till = await Connection.open(counter, block(payment));
        await until(async () => (await paymentsOf(counter)) > before, 'the till’s payment');
        const other = await Connection.open(counter, block(identification));
        await until(() => other.heard !== '', 'the answer');
        other.socket.write('\x18\x18\x18\x04', 'latin1');
        await counter.customerPays();
        await until(() => till.heard !== '', 'the till’s answer');
        for (const { socket } of [till, other]) socket.destroy();
        if (!till.heard.includes('AE00210'))
          throw new Error(`the till is told ${JSON.stringify(till.heard)}`);
        await counter.serviceSays('Captured');
        return 'the till is paid';
      },
    },
    {
      name: 'a connection that was closed to asks for a payment',
      async attempt(counter) {
        const before = await paymentsOf(counter);
        const connection = await Connection.open(counter, identification);
        await until(() => connection.ended, 'the end of the answer');
        connection.socket.write(payment);
        await sleep(400);
        await nothingBegan(counter, before);
        // The system refuses what is sent to a connection that is closed.
        await until(
          () => !connection.socket.write(payment) || connection.socket.errored !== null,
          'the connection to be gone',
          2_000,
        );
        await nothingBegan(counter, before);
        return 'hung up; nothing at the service';
      },
    },
    {
      name: 'two hundred connections are answered, and never close their half',
      async attempt(counter) {
        const before = openFiles(counter);
        const connections: Connection[] = [];
        for (let round = 0; round < 20; round += 1) {
          const some = await Promise.all(
            Array.from({ length: 10 }, () => Connection.open(counter, identification)),
          );
          await until(
            () => some.every(({ heard, closed, ended }) => heard !== '' || closed || ended),
            'answers',
          );
          connections.push(...some);
        }
        const till = await Connection.open(counter, identification);
        await until(() => till.heard !== '', 'an answer to the till');
        await until(() => openFiles(counter) <= before + 1, 'the connections to be gone', 10_000);
        for (const { socket } of [...connections, till]) socket.destroy();
        return 'the till is answered, and after a few seconds no connection is left';
      },
    },
  ],
});
