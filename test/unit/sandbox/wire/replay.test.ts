import { afterEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../../main/core/domain/clock.ts';
import { Register } from '../../../../main/sandbox/till/register.ts';
import { BMP } from '../../../../main/tills/zvt/bitmaps.ts';
import { encodePacket, hex } from '../../../../main/tills/zvt/packets.ts';
import { encodeText } from '../../../../main/tills/zvt/text.ts';
import { compared, essenceOf } from '../../../../main/sandbox/wire/compare.ts';
import { revealed } from '../../../../main/sandbox/wire/exchanges.ts';
import { readRecording } from '../../../../main/sandbox/wire/recording.ts';
import { replay } from '../../../../main/sandbox/wire/replay.ts';
import { connectTo } from '../../../../main/sandbox/wire/terminal-line.ts';
import { ManualClock, settled } from '../../support/manual-clock.ts';
import { bytesOf, eventually, TcpLine, ticket } from '../../tills/zvt/support.ts';

let line: TcpLine;
afterEach(() => line?.till.close());

/** A lane whose customers approve, or whose till presses its cancel key. */
function behaves(on: TcpLine, sale = ticket): void {
  const request = on.commands.requestSale.bind(on.commands);
  on.commands.sale = { accepted: true, sale };
  on.commands.requestSale = (asked) => {
    if (asked.amountMinor !== 500)
      setImmediate(
        () => void on.till.offerPaid(sale).then(() => on.till.conclude(sale, { paid: true })),
      );
    else on.till.progress(sale.saleId, 'waitingForCustomer');
    return request(asked);
  };
  on.commands.onAbort = () =>
    setImmediate(() => on.till.conclude(sale, { paid: false, reason: 'cancelledByTill' }));
}

/** The recording of a till's day. */
async function recordedDay(): Promise<string> {
  let text = '';
  const first = await TcpLine.open({ password: '424242' }, undefined, {
    isOn: () => true,
    write: (one) => (text += `${one}\n`),
  });
  behaves(first);
  const till = await Register.overTcp({ host: '127.0.0.1', port: first.port, password: '424242' });
  await till.register({ currency: 'DKK' });
  await till.pay(1234, 'DKK');
  const cancelled = till.pay(500, 'DKK');
  await first.asked('sale 500 DKK');
  for (let turn = 0; turn < 20; turn += 1) await settled();
  await till.abort();
  await cancelled;
  await till.repeatReceipt();
  await till.command(bytesOf('06 7A 00'));
  await till.logOff();
  await till.close();
  await eventually(() => first.commands.links.at(-1)?.state === 'open');
  await first.till.close();
  return text;
}
const replayed = async (
  text: string,
  password = '424242',
): Promise<{ isSame: boolean; output: string[] }> => {
  const output: string[] = [];
  const connect = connectTo({ transport: 'tcp', host: '127.0.0.1', port: line.port }, systemClock);
  const isSame = await replay(readRecording(text).connections, {
    connect,
    password,
    patienceMs: 20_000,
    clock: systemClock,
    say: (one) => output.push(one),
  });
  return { isSame, output: output };
};

describe('a recorded day', () => {
  test('is played again with the password that it hides, and compared without what is new each time', async () => {
    const text = await recordedDay();
    expect(text).not.toMatch(/42 42 42/);
    line = await TcpLine.open({ password: '424242' });
    behaves(line, {
      ...ticket,
      receiptNumber: 77,
      traceNumber: 99,
      startedAtMs: ticket.startedAtMs + 86_400_000,
    });
    const { isSame, output: said } = await replayed(text);
    expect(said.slice(1)).toEqual([
      '→ Registration 06 00: config 8E, DKK: as recorded',
      '→ Authorisation 06 01: amount 12.34 DKK: as recorded',
      '→ Authorisation 06 01: amount 5.00 DKK: as recorded',
      '→ Repeat receipt 06 20: as recorded',
      '→ Unknown command 06 7A: as recorded',
      '→ Log-off 06 02: as recorded',
    ]);
    expect(isSame).toBe(true);
    expect(line.commands.asked).toEqual(['sale 1234 DKK', 'sale 500 DKK', 'abort']);
  });

  test('shows what comes instead', async () => {
    const text = await recordedDay();
    line = await TcpLine.open({ password: '424242' });
    behaves(line);
    line.commands.requestSale = () => ({ accepted: false, reason: 'serviceUnreachable' });
    const { isSame, output: said } = await replayed(text);
    expect(isSame).toBe(false);
    const at = said.indexOf('→ Authorisation 06 01: amount 12.34 DKK: differs');
    expect(said.slice(at + 1, at + 3)).toEqual([
      '    Acknowledged 80 00',
      expect.stringMatching(
        /^ {2}- Status information 04 0F: ok, amount 12\.34 DKK.*\(recorded\)$/,
      ),
    ]);
    expect(said).toContainEqual(
      expect.stringMatching(
        /^ {2}\+ Status information 04 0F: no connection, "No connection.*\(now\)$/,
      ),
    );
    expect(said).toContainEqual(
      expect.stringMatching(/^ {2}\+ Aborted 06 1E: no connection {2}\(now\)$/),
    );
  });

  test('with another password is refused where it was not', async () => {
    const text = await recordedDay();
    line = await TcpLine.open({ password: '424242' });
    behaves(line);
    const { isSame, output: said } = await replayed(text, '123456');
    expect(isSame).toBe(false);
    expect(said).toContain('→ Registration 06 00: config 8E, DKK: differs');
    expect(said).toContainEqual(expect.stringContaining('+ Refused 84 37: wrong password  (now)'));
  });
});

test('a terminal that says nothing, or hangs up, ends it', async () => {
  const text = await recordedDay();
  const clock = new ManualClock();
  const said: string[] = [];
  const connect = async () => ({
    isUp: () => true,
    send: () => {},
    unanswered: () => {},
    close: () => {},
  });
  const playing = replay(readRecording(text).connections, {
    connect,
    password: '123456',
    patienceMs: 180_000,
    clock,
    say: (one) => said.push(one),
  });
  await clock.pass(180_000);
  expect(await playing).toBe(false);
  expect(said.at(1)).toBe(
    '→ Registration 06 00: config 8E, DKK: differs: the terminal sent nothing for 180 s',
  );
  const hangsUp = replay(readRecording(text).connections, {
    connect: async ({ gone }) => ({
      isUp: () => true,
      send: () => gone(),
      unanswered: () => {},
      close: () => {},
    }),
    password: '123456',
    patienceMs: 1,
    clock: new ManualClock(),
    say: (one) => said.push(one),
  });
  expect(await hangsUp).toBe(false);
  expect(said).toContain(
    '→ Registration 06 00: config 8E, DKK: differs: the terminal has disconnected',
  );
});

test('hidden bytes that are no password are sent as 00, and counted', () => {
  const hiddenOf = (packet: Uint8Array, from: number, to: number) => ({
    bytes: packet,
    hidden: Array.from(packet, (_, index) => index >= from && index < to),
  });
  const reversal = hiddenOf(bytesOf('06 30 06 2A 2A 2A 87 00 17'), 3, 6);
  expect(hex(revealed(reversal, bytesOf('12 34 56')).bytes)).toBe('06 30 06 12 34 56 87 00 17');
  const unknown = revealed(hiddenOf(bytesOf('06 7A 02 2A 2A'), 3, 5), bytesOf('12 34 56'));
  expect([hex(unknown.bytes), unknown.guessed]).toEqual(['06 7A 02 00 00', 2]);
});

describe('what two packets have in common', () => {
  const visible = (bytes: Uint8Array) => ({ bytes, hidden: Array.from(bytes, () => false) });
  const printed = (text: string) =>
    essenceOf(
      visible(encodePacket('printLine', { parts: [Uint8Array.of(0)], rest: encodeText(text) })),
    );
  const status = (fields: [number, string][]) =>
    visible(
      encodePacket('statusInformation', {
        fields: new Map(fields.map(([bitmap, bytes]) => [bitmap, bytesOf(bytes)])),
      }),
    );

  test.each([
    ['2026-11-23 07:00', '2026-12-01 18:45', true],
    ['Receipt                  0017', 'Receipt                  0018', true],
    ['Order         1-000001-5a1e0000', 'Order         1-000002-77aa0000', true],
    ['Wallet              DKK 1012.34', 'Wallet              DKK 1012.35', false],
    ['Result                     PAID', 'Result                 REFUNDED', false],
  ])('%s and %s: %s', (one, other, same) => {
    expect(printed(one) === printed(other)).toBe(same);
  });

  test('the amount and the code count, numbers and times do not, whatever their order', () => {
    const one = status([
      [BMP.resultCode, '00'],
      [BMP.amount, '00 00 00 00 12 34'],
      [BMP.receiptNumber, '00 17'],
      [BMP.time, '10 00 00'],
    ]);
    const same = status([
      [BMP.time, '11 11 11'],
      [BMP.amount, '00 00 00 00 12 34'],
      [BMP.resultCode, '00'],
      [BMP.receiptNumber, '00 18'],
    ]);
    const less = status([
      [BMP.resultCode, '00'],
      [BMP.amount, '00 00 00 00 12 33'],
      [BMP.receiptNumber, '00 17'],
      [BMP.time, '10 00 00'],
    ]);
    expect(compared([one], [same])).toEqual({
      isSame: true,
      lines: ['  Status information 04 0F: ok, amount 12.34, receipt 18'],
    });
    expect(compared([one], [less]).isSame).toBe(false);
    expect(compared([one], []).lines).toEqual([
      '- Status information 04 0F: ok, amount 12.34, receipt 17  (recorded)',
      expect.stringContaining(hex(one.bytes)),
    ]);
    expect(compared([], [one]).isSame).toBe(false);
  });
});
