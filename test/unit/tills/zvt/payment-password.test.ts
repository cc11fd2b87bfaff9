/** Tills that send their password in the payment command, where the standard has none. */
import { afterEach, describe, expect, test } from 'vitest';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { maskOf } from '../../../../main/tills/zvt/masking.ts';
import { paymentWithPassword } from '../../../../main/tills/zvt/payment-password.ts';
import { bytesOf, Cable, eventually, TcpLine } from './support.ts';

const behind = '06 01 0A 04 00 00 00 00 12 34 01 02 03';
const before = '06 01 0D 12 34 56 04 00 00 00 00 12 34 49 02 08';
const forms = [
  ['behind the amount', behind, 'sale 1234 EUR'],
  ['before the amount', before, 'sale 1234 DKK'],
] as const;

let line: TcpLine | null = null;
afterEach(async () => {
  await line?.till.close();
  line = null;
});

test.each(forms)('%s: refused, logged, and named in Health', async (_where, payment) => {
  const warnings: string[] = [];
  const cable = await new Cable(
    {},
    { ...silentLog, warn: (_fields, message) => void warnings.push(message) },
  ).plugIn();
  expect(await cable.send(payment)).toEqual(['ACK', '84 9A 00']);
  expect(cable.commands.asked).toEqual([]);
  expect(warnings.join()).toContain('this till sends a password in the payment command');
  line = await TcpLine.open();
  const socket = await line.socket();
  // Not a stranger, however often it tries.
  for (let time = 0; time < 10; time += 1) socket.write(bytesOf(payment));
  await eventually(() => line?.notices.list()[0]?.count === 10);
  expect(line.notices.list()).toMatchObject([
    { code: 'tillPasswordInPayment', subject: '127.0.0.1' },
  ]);
  expect(socket.destroyed).toBe(false);
  socket.destroy();
});

describe('with the setting', () => {
  test.each(forms)('%s: taken', async (_where, payment, asked) => {
    const cable = await new Cable({ passwordInPayment: true }).plugIn();
    await cable.send(payment);
    expect(cable.commands.asked).toEqual([asked]);
  });

  test.each(forms)(
    '%s: refused when it is not the password of the settings',
    async (_where, payment) => {
      const cable = await new Cable({ passwordInPayment: true, password: '654321' }).plugIn();
      expect(await cable.send(payment)).toEqual(['ACK', '84 37 00']);
      expect(cable.commands.asked).toEqual([]);
    },
  );

  test.each([
    ['an amount of seven bytes, and a currency', '06 01 0B 04 00 00 00 00 12 34 56 49 02 08'],
    ['a password before the amount alone', '06 01 0A 12 34 56 04 00 00 00 00 12 34'],
    ['a password behind amount and currency', '06 01 0D 04 00 00 00 00 12 34 49 02 08 12 34 56'],
    ['two currencies', '06 01 0D 49 09 78 04 00 00 00 00 12 34 49 02 08'],
    ['letters in the password', '06 01 0A 04 00 00 00 00 12 34 1A 02 03'],
    ['letters in the amount', '06 01 0D 12 34 56 04 00 00 00 00 1A 34 49 02 08'],
    ['a reservation', '06 22 0A 04 00 00 00 00 12 34 01 02 03'],
  ])('no other form is taken: %s', async (_what, payment) => {
    const cable = await new Cable({ passwordInPayment: true }).plugIn();
    cable.commands.open = [];
    await cable.send(payment);
    expect(cable.commands.asked.filter((asked) => !asked.startsWith('sale 1234 DKK'))).toEqual([]);
    if (!payment.endsWith('49 02 08 12 34 56')) expect(cable.commands.asked).toEqual([]);
  });

  test('a payment that is as the standard has it stays as it is', () => {
    expect(paymentWithPassword(bytesOf('06 01 0A 04 00 00 00 00 12 34 49 02 08'))).toBeNull();
    expect(paymentWithPassword(bytesOf('06 01 09 04 00 00 00 00 01 00 02 FF'))).toBeNull();
  });
});

test.each(forms)('%s: a recording does not hold it', (_where, payment) => {
  const bytes = bytesOf(payment);
  const hidden = [...maskOf(bytes, 'till')].flatMap((mark, at) => (mark === 1 ? [bytes[at]] : []));
  expect(hidden).toEqual(payment === behind ? [1, 2, 3] : [0x12, 0x34, 0x56]);
});
