import { createServer } from 'node:net';
import { once } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import { listeningPort } from '../../../../main/core/domain/listening-port.ts';
import { keyHelp, typed } from '../../../../main/sandbox/till/keys.ts';
import { lineOf } from '../../../../main/sandbox/till/line-options.ts';
import type { Script } from '../../../../main/sandbox/till/steps.ts';
import { differences, type StepOutcome } from '../../../../main/sandbox/till/step-outcome.ts';
import {
  packetLine,
  runScript,
  type TimedPacket,
  TryTill,
} from '../../../../main/sandbox/till/try-till.ts';
import type { OpenSerialWire, WireListener } from '../../../../main/core/domain/wire.ts';
import { ACK, encodeBlock } from '../../../../main/tills/zvt/serial-framing.ts';
import { ManualClock, settled } from '../../support/manual-clock.ts';
import { eventually, refundTicket, TcpLine, ticket } from '../../tills/zvt/support.ts';

let line: TcpLine;
let till: TryTill;
afterEach(async () => {
  await till?.close();
  await line?.till.close();
});
const packets: TimedPacket[] = [];
const clock = new ManualClock();
const connect = async (): Promise<void> => {
  line = await TcpLine.open();
  packets.length = 0;
  till = await TryTill.open({
    line: { transport: 'tcp', host: '127.0.0.1', port: line.port },
    currency: 'DKK',
    clock,
    packet: (packet) => packets.push(packet),
  });
};
/** The customer approves. */
const paysAtOnce = (): void => {
  const request = line.commands.requestSale.bind(line.commands);
  line.commands.requestSale = (sale) => {
    setImmediate(
      () => void line.till.offerPaid(ticket).then(() => line.till.conclude(ticket, { paid: true })),
    );
    return request(sale);
  };
};

describe('a script', () => {
  test('pays, reverses what it paid, and says so', async () => {
    await connect();
    paysAtOnce();
    const said: string[] = [];
    const request = line.commands.requestRefund.bind(line.commands);
    line.commands.requestRefund = (refund) => {
      setImmediate(
        () =>
          void line.till
            .offerRefunded(refundTicket)
            .then(() => line.till.concludeRefund(refundTicket, { refunded: true })),
      );
      return request(refund);
    };
    const report = await runScript(
      till,
      {
        steps: [
          { do: 'register' },
          {
            do: 'pay',
            amount: 1234,
            expect: {
              result: '00',
              ended: 'completed',
              amount: 1234,
              printed: ['DKK 12.34', '0001'],
            },
          },
          { do: 'reverse', receipt: 'last' },
          { do: 'status' },
          { do: 'send', bytes: '06 70 00' },
          { do: 'logOff' },
        ],
      },
      (text) => said.push(text),
    );
    expect(report).toMatchObject({ passed: true, differences: [] });
    expect(report.told[1]).toMatchObject({
      receiptNumber: 1,
      traceNumber: 1,
      amount: 1234,
      refused: null,
    });
    expect(line.commands.asked).toEqual(['sale 1234 DKK', 'refund of 1: all DKK']);
    expect(said).toContain(
      'step 3 (reverse): completed, result 00, amount 12.34, receipt 0018, 0 ms: as expected',
    );
  });

  test('closes the day', async () => {
    await connect();
    const told = {
      fromMs: 0,
      toMs: 1,
      figures: [],
      receipts: null,
      reservations: [],
      unsettledCount: 0,
      number: 7,
      atMs: 1,
      till: '127.0.0.1',
    };
    line.commands.closing = { closed: true, closing: told };
    const report = await runScript(till, {
      steps: [
        { do: 'register' },
        { do: 'endOfDay', expect: { result: '00', amount: 0, printed: ['Closing report'] } },
      ],
    });
    expect(report.differences).toEqual([]);
  });

  test('ends at the first step that comes to something else, and names it', async () => {
    await connect();
    line.commands.sale = { accepted: false, reason: 'amountTooHigh' };
    const report = await runScript(till, { steps: [{ do: 'pay', amount: 500 }, { do: 'status' }] });
    expect(report).toMatchObject({
      passed: false,
      differences: [
        'steps.0.ended: expected completed, got aborted',
        'steps.0.result: expected 00, got C3',
      ],
    });
    expect(report.told).toHaveLength(1);
    expect(
      packets.filter(({ direction }) => direction === 'sent').map(({ meaning }) => meaning),
    ).not.toContain('Status enquiry 05 01');
  });

  test('presses the cancel key when the display says so', async () => {
    await connect();
    line.commands.onAbort = () =>
      setImmediate(() => line.till.conclude(ticket, { paid: false, reason: 'cancelledByTill' }));
    const steps: Script['steps'] = [
      { do: 'register' },
      {
        do: 'pay',
        amount: 1234,
        abortWhenShown: 'Scan',
        expect: { ended: 'aborted', abortCode: '6c', result: '6C', shown: 'Scan the QR code' },
      },
    ];
    const running = runScript(till, { steps });
    await line.asked('sale 1234 DKK');
    line.till.progress(ticket.saleId, 'waitingForCustomer');
    expect(await running).toMatchObject({ passed: true, told: [{}, { abortAnswer: 'ok' }] });
  });

  test('refuses the result, and the money is not taken', async () => {
    await connect();
    const running = runScript(till, {
      steps: [
        {
          do: 'pay',
          amount: 1234,
          answers: { statusInformation: '84 66 00' },
          expect: { ended: 'aborted', abortCode: '6C' },
        },
      ],
    });
    await line.asked('sale 1234 DKK');
    expect(await line.till.offerPaid(ticket)).toBe('notAcknowledged');
    line.till.conclude(ticket, { paid: false, reason: 'notDelivered' });
    expect((await running).passed).toBe(true);
  });

  test.each([
    [{ steps: [] }, 'steps: must hold at least one step'],
    [
      { steps: [{ do: 'pay', amount: 12.5 }] },
      'steps.0.amount: must be a whole number of minor units',
    ],
    [
      { steps: [{ do: 'status' }, { do: 'send', bytes: '6 70' }] },
      'steps.1.bytes: must be bytes in hex, such as 06 70 00',
    ],
    [
      { steps: [{ do: 'pay', amount: 1, expect: { code: '00' } }] },
      'steps.0.expect: Unrecognized key: "code"',
    ],
    [
      { steps: [{ do: 'pay', amount: 1, answers: { statusInformation: 'never' } }] },
      'steps.0.answers.statusInformation: must be bytes in hex, such as 84 9C 00, or "none"',
    ],
    [
      { steps: [{ do: 'reverse', receipt: 'last' }] },
      'receipt: "last" needs a payment or reservation before it',
    ],
  ])('with a mistake sends nothing, and names the field and the rule: %j', async (script, why) => {
    await connect();
    await expect(runScript(till, script as never)).rejects.toThrow(why);
    expect(packets).toEqual([]);
  });
});

describe('a terminal', () => {
  test('that says nothing is hung up after five seconds', async () => {
    const mute = createServer((socket) => socket.resume());
    await once(mute.listen(0, '127.0.0.1'), 'listening');
    till = await TryTill.open({
      line: { transport: 'tcp', host: '127.0.0.1', port: listeningPort(mute) },
      currency: null,
      clock,
    });
    const asked = till.do({ do: 'status' });
    const why = expect(asked).rejects.toThrow('the terminal has sent nothing for 5 s');
    await clock.pass(5_000);
    await why;
    expect(till.isOpen).toBe(false);
    await expect(till.do({ do: 'status' })).rejects.toThrow(
      'the connection to the terminal is closed',
    );
    mute.close();
  });

  test('that repeats the end of an earlier command ends none that it has not accepted', async () => {
    const completion = Buffer.from('060F00', 'hex');
    const accepted = Buffer.from('800000', 'hex');
    const abort = Buffer.from('061E016C', 'hex');
    const server = createServer((socket) => {
      const answers = [completion, Buffer.concat([accepted, abort])];
      socket.on('data', () => socket.write(answers.shift() ?? ''));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    till = await TryTill.open({
      line: { transport: 'tcp', host: '127.0.0.1', port: listeningPort(server) },
      currency: null,
      clock,
    });
    expect(await till.do({ do: 'reverse', receipt: 42 })).toMatchObject({
      ended: 'aborted',
      abortCode: '6C',
    });
    server.close();
  });

  test('that hangs up in the middle of a payment ends it, without a result', async () => {
    await connect();
    const paying = till.do({ do: 'pay', amount: 1234 });
    const ended = paying.then(
      (told) => told.ended,
      (error: Error) => error.message,
    );
    await line.asked('sale 1234 DKK');
    await line.till.close();
    expect(['none', 'the connection to the terminal is closed']).toContain(await ended);
    await eventually(() => !till.isOpen);
  });
});

test('on a cable it hangs up once the terminal has its last answer, or does not take it', async () => {
  const block = (hex: string): Uint8Array => encodeBlock(Buffer.from(hex, 'hex'));
  for (const takesIt of [true, false]) {
    let terminal: WireListener | null = null;
    let isOpen = true;
    const open: OpenSerialWire = (_port, listener) => {
      terminal = listener;
      return Promise.resolve({
        write: () => Promise.resolve(),
        close: () => Promise.resolve(void (isOpen = false)),
      });
    };
    const says = (...bytes: readonly number[]): void => terminal?.data(Uint8Array.from(bytes));
    const cable = await TryTill.open({
      line: { transport: 'serial', path: 'COM3', open },
      currency: null,
      clock,
    });
    const told = cable.do({ do: 'diagnosis' });
    await settled();
    says(ACK, ...block('800000'), ...block('060f00'));
    expect(await told).toMatchObject({ ended: 'completed' });
    const closed = cable.close();
    await clock.pass(999);
    expect(isOpen).toBe(true);
    if (takesIt) says(ACK);
    else await clock.pass(1);
    await closed;
    expect(isOpen).toBe(false);
  }
});

test('a packet is shown with its time, what it means and how long it took', () => {
  const packet = {
    direction: 'received',
    hex: '80 00 00',
    meaning: 'Acknowledged 80 00',
    atMs: Date.UTC(2026, 10, 23, 6, 50, 1, 123),
    afterMs: 7.25,
  } as const;
  expect(packetLine(packet)).toBe(
    '06:50:01.123 ← Acknowledged 80 00  (after 7.3 ms)\n             80 00 00',
  );
});

test('what differs is named, each by itself', () => {
  const told: StepOutcome = {
    refused: null,
    ended: 'completed',
    abortCode: null,
    result: '05',
    amount: 100,
    receiptNumber: 1,
    traceNumber: 1,
    text: 'Declined',
    inWords: ['Scan'],
    printed: ['DKK 1.00', 'PAID'],
    abortAnswer: null,
    tookMs: 12.3,
  };
  expect(differences(told, { ended: 'completed' })).toEqual(['result: expected 00, got 05']);
  expect(
    differences(told, {
      result: '05',
      amount: 100,
      text: 'Decl',
      shown: 'Scan',
      printed: ['DKK', 'PAID'],
      withinMs: 13,
    }),
  ).toEqual([]);
  expect(
    differences(told, {
      refused: '9c',
      amount: 1,
      text: 'x',
      shown: 'y',
      printed: ['PAID', 'DKK'],
      withinMs: 12,
    }),
  ).toEqual([
    'refused: expected 9c, got none',
    'amount: expected 1, got 100',
    'text: expected x, got Declined',
    'shown: expected y, got ["Scan"]',
    'printed: expected DKK, got ["DKK 1.00","PAID"]',
    'withinMs: expected 12, got 13',
  ]);
});

describe('what a person types', () => {
  test.each([
    ['pay 12.50', { do: 'pay', amount: 1250 }],
    ['p 12', { do: 'pay', amount: 1200 }],
    ['v 0,05', { do: 'reserve', amount: 5 }],
    ['r', { do: 'reverse', receipt: 'last' }],
    ['reverse 17 5.00', { do: 'reverse', receipt: 17, amount: 500 }],
    ['c 17 5.00', { do: 'capture', receipt: 17, used: 500 }],
    ['e', { do: 'endOfDay' }],
    ['06 70 00', { do: 'send', bytes: '06 70 00' }],
  ])('%s', (text, step) => {
    expect(typed(text)).toEqual({ what: 'step', step });
  });

  test.each([
    ['pay', 'pay: takes AMOUNT, got nothing'],
    ['pay 1.5', 'pay: takes AMOUNT, got 1.5'],
    ['status 1', 'status: takes nothing, got 1'],
    ['release 17 5.00', 'release: takes [RECEIPT], got 17 5.00'],
    ['sing', 'there is no key sing; h lists them'],
  ])('%s is a mistake', (text, why) => {
    expect(typed(text)).toEqual({ what: 'mistake', why });
  });

  test('each key has a line of help', () => {
    expect(keyHelp).toContain('  p, pay AMOUNT                   a payment, such as pay 12.50');
    expect(typed('h')).toEqual({ what: 'help' });
    expect(typed('q')).toEqual({ what: 'quit' });
    expect(typed(' ')).toEqual({ what: 'nothing' });
  });
});

test('where the terminal is has to be one of two, and whole', () => {
  const usual = {
    tcp: undefined,
    'length-prefix': false,
    serial: undefined,
    baud: '9600',
    'stop-bits': '2',
  };
  const open = (): never => {
    throw new Error('never');
  };
  expect(lineOf({ ...usual, tcp: '[::1]:20007' }, open)).toEqual({
    transport: 'tcp',
    host: '::1',
    port: 20_007,
    framing: 'bare',
  });
  expect(lineOf({ ...usual, serial: 'COM3', 'stop-bits': '1' }, open)).toMatchObject({
    path: 'COM3',
    baudRate: 9600,
    stopBits: 1,
  });
  for (const wrong of [usual, { ...usual, tcp: 'a:1', serial: 'b' }])
    expect(() => lineOf(wrong, open)).toThrow('--tcp, --serial: exactly one of them is required');
  expect(() => lineOf({ ...usual, tcp: '20007' }, open)).toThrow(
    '--tcp: must be HOST:PORT, got 20007',
  );
  expect(() => lineOf({ ...usual, tcp: 'a:0' }, open)).toThrow(
    '--tcp: must be a whole number from 1 to 65535, got 0',
  );
});
