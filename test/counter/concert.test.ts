import { afterEach, expect, test } from 'vitest';
import { openSerialWire } from '../../main/devices/serial-port.ts';
import type { Wire } from '../../main/domain/wire.ts';
import { Counter } from '../support/counter.ts';
import { until } from '../support/processes.ts';

let counter: Counter;
let wire: Wire | undefined;
afterEach(async () => {
  await wire?.close();
  await counter?.close();
});

const [STX, ETX, EOT, ENQ, ACK] = ['\x02', '\x03', '\x04', '\x05', '\x06'] as const;
const block = (text: string): string => `${STX}${text}${ETX}${String.fromCharCode(Buffer.from(`${text}${ETX}`).reduce((sum, byte) => sum ^ byte, 0))}`;

test('a till of Concert on a serial line is told "paid", and the money is captured once', async () => {
  counter = await Counter.open({ transport: 'serial', protocol: 'concert' });
  let heard = '';
  wire = await openSerialWire(
    { path: counter.cable?.tillPath ?? '', baudRate: 9600, stopBits: 1 },
    {
      data: (bytes) => {
        heard += Buffer.from(bytes).toString('latin1');
      },
      lost: () => {},
    },
  );
  const till = wire;
  const hears = async (expected: string): Promise<void> => {
    await until(() => heard.length >= expected.length, `${JSON.stringify(expected)}, it heard ${JSON.stringify(heard)}`);
    expect(heard).toBe(expected);
    heard = '';
  };
  const say = (text: string): Promise<void> => till.write(Buffer.from(text, 'latin1'));

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
