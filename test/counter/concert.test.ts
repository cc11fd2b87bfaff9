import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { openSerialWire } from '../../main/counter/devices/serial-port.ts';
import type { Wire } from '../../main/core/domain/wire.ts';
import { Counter } from '../support/counter.ts';
import { until } from '../support/processes.ts';

let counter: Counter;
let wire: Wire | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await wire?.close();
  wire = undefined;
  await counter?.close();
});

const [STX, ETX, EOT, ENQ, ACK] = ['\x02', '\x03', '\x04', '\x05', '\x06'] as const;
const lrcOf = (text: string): string =>
  String.fromCharCode(Buffer.from(`${text}${ETX}`, 'latin1').reduce((sum, byte) => sum ^ byte, 0));
const block = (text: string): string => `${STX}${text}${ETX}${lrcOf(text)}`;
/** Seven data bits with even parity, as a line without parity carries them. */
const withParity = (byte: number): number =>
  byte.toString(2).replaceAll('0', '').length % 2 === 0 ? byte : byte | 0x80;

/** The till's end of the cable. */
async function tillOnCable(sent: (byte: number) => number = (byte) => byte) {
  let heard = '';
  const listener = {
    data: (bytes: Uint8Array) => void (heard += Buffer.from(bytes).toString('latin1')),
    lost: () => {},
  };
  const till = await openSerialWire(
    { path: counter.cable?.tillPath ?? '', baudRate: 9600, stopBits: 1 },
    listener,
  );
  wire = till;
  return {
    say: (text: string): Promise<void> => till.write(Buffer.from(text, 'latin1').map(sent)),
    hears: async (expected: string): Promise<void> => {
      await until(
        () => heard.length >= expected.length,
        `${JSON.stringify(expected)}, it heard ${JSON.stringify(heard)}`,
      );
      expect(heard).toBe(expected);
      heard = '';
    },
  };
}

test('a till of Concert on a serial line is told "paid", and the money is captured once', async () => {
  counter = await Counter.open({ transport: 'serial', protocol: 'concert' });
  const { say, hears } = await tillOnCable();
  await say(ENQ);
  await hears(ACK);
  await say(block(['01', '00001010', '0', '1', '0', '208', '0123456789', 'A010', 'B010'].join('')));
  await hears(ACK);
  await say(EOT);
  const pays = counter.customerPays();
  await hears(ENQ);
  await pays;
  await say(ACK);
  await hears(block(['01', '0', '00001010', '1', '208', '0123456789'].join('')));
  expect((await counter.lastPayment())?.captureCount).toBe(0);
  await say(ACK);
  await hears(EOT);
  expect(await counter.serviceSays('Captured')).toMatchObject({ amount: 10.1, captureCount: 1 });
});

test('one with seven data bits and even parity pays, with any option, and is refused what cannot be read', async () => {
  counter = await Counter.open({
    transport: 'serial',
    protocol: 'concert',
    serialFormat: { dataBits: 7, parity: 'even' },
  });
  const { say, hears } = await tillOnCable(withParity);
  const asks = async (text: string): Promise<void> => {
    await say(ENQ);
    await hears(ACK);
    await say(block(text));
    await hears(ACK);
    await say(EOT);
  };
  await asks('01010000001234978');
  await hears(ENQ);
  await say(ACK);
  await hears(block(`  7${' '.repeat(22)}`));
  await say(ACK);
  await hears(EOT);

  await asks('01000001001102080123456789T012');
  const pays = counter.customerPays();
  await hears(ENQ);
  await pays;
  await say(ACK);
  await hears(block(`010000001001${' '.repeat(55)}2080123456789`));
  await say(ACK);
  await hears(EOT);
  expect(await counter.serviceSays('Captured')).toMatchObject({ amount: 1, captureCount: 1 });
});

test('one over TCP pays in blocks and in records, reads until the terminal closes, and asks for the status', async () => {
  counter = await Counter.open({ transport: 'tcp', protocol: 'concert' });
  const port = Number(counter.started.lanes[0]?.till.split(':')[2]);
  const asks = async (bytes: string) => {
    const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
    sockets.push(socket);
    await once(socket, 'connect');
    const line = { socket, heard: '', ended: false, closed: false };
    socket.on('data', (chunk) => (line.heard += chunk.toString('latin1')));
    socket.on('end', () => (line.ended = true));
    socket.on('error', () => {});
    socket.on('close', () => (line.closed = true));
    socket.write(bytes, 'latin1');
    return line;
  };

  const blocks = await asks(
    block('CZ0040320CA00201CE003208BA0010CD0010CB012000000001250TI006123456LB006CAISSE'),
  );
  await counter.customerPays();
  const paid = 'CZ0040320AE00210CA00201CB012000000001250CD0010CE003208CC003607AC0040001';
  await until(
    () => blocks.heard.length > paid.length,
    `the answer, it heard ${JSON.stringify(blocks.heard)}`,
  );
  expect(blocks.heard).toBe(block(paid));
  blocks.socket.write(`${ACK}${EOT}`);
  await until(() => blocks.ended, 'the end of the answer');
  expect(await counter.serviceSays('Captured')).toMatchObject({ amount: 12.5, captureCount: 1 });

  const records = await asks(
    'CZ0040300CJ012247300123456CA00201CB0042500CD0010CE003208CF003A\x1dBCH003A17',
  );
  await counter.customerPays();
  await until(
    () => records.ended,
    `the end of the answer, it heard ${JSON.stringify(records.heard)}`,
  );
  expect(records.heard).toBe(
    'CZ0040300AE00210CJ012247300123456CA00201CB0042500CD0010CE003208CF003A\x1dBCH003A17CC003607AC0040002',
  );

  const status = await asks('CZ0040300CA00201CD001TCH003A17');
  await until(() => status.heard !== '', 'the status');
  expect(status.heard).toContain('AE00210');
  expect(status.heard).toContain('CB0042500');

  const cancelled = await asks(block('CZ0040320CA00201CE003208CD0010CB0041250'));
  await until(
    async () =>
      (await counter.lastPayment())?.amount === 12.5 &&
      (await counter.state()).payments.length === 3,
    'the third payment',
  );
  cancelled.socket.write('\x18\x18\x18\x04', 'latin1');
  await until(() => cancelled.heard !== '', 'the answer to a payment that is cancelled');
  expect(cancelled.heard).toContain('AE00201AF00211');

  const stranger = await asks(`${block('CZ0040320CA00201CE003208CD0010CB0041250').slice(0, -1)}!`);
  await until(() => stranger.closed || stranger.ended, 'the stranger to be hung up on');
  expect(stranger.heard).toBe('');
  expect((await counter.state()).payments).toHaveLength(3);
});
