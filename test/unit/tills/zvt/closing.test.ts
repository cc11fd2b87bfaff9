import { describe, expect, test } from 'vitest';
import type { ClosingTold, DayTotalsTold } from '../../../../main/core/domain/day.ts';
import { isBarredFromClosings } from '../../../../main/tills/zvt/permissions.ts';
import type { Peer } from '../../../../main/tills/line/peer.ts';
import { decodeText } from '../../../../main/tills/zvt/text.ts';
import { ack, bytesOf, Cable, refundTicket, registered, TcpLine, ticket } from './support.ts';

/** Conversations 18d, 19 and 25 of the reference. */
const endOfDay = '06 50 03 12 34 56';
const toldStatus =
  '04 0F 4D 27 00 04 00 00 00 12 34 50 60 F0 F5 F3 00 12 00 48' +
  ' 00 00 00 00 00 00 00'.repeat(6) +
  ' 25 00 00 00 12 34 50 0B 00 00 99 0C 21 05 00 0D 11 22';

const day = {
  fromMs: new Date(2026, 10, 21, 21, 3).getTime(),
  toMs: new Date(2026, 10, 22, 21, 5).getTime(),
  figures: [
    {
      currency: 'DKK',
      payments: { count: 37, sumMinor: 124_450 },
      refunds: { count: 2, sumMinor: 1_000 },
    },
  ],
  receipts: { first: 12, last: 48 },
  reservations: [
    { receiptNumber: 231, orderId: '1-000231-5a1e0000', amountMinor: 2_500, currency: 'DKK' },
  ],
  unsettledCount: 1,
} as const;
const closing: ClosingTold = { ...day, number: 99, atMs: day.toMs, till: 'serial:/dev/ttyTEST' };
const totals: DayTotalsTold = { ...day, traceNumber: 99 };
const nothingYet: DayTotalsTold = {
  ...day,
  figures: [],
  receipts: null,
  reservations: [],
  unsettledCount: 0,
  traceNumber: 0,
};

const line = async (cable?: Cable): Promise<Cable> => {
  const there = cable ?? (await new Cable().plugIn());
  there.commands.closing = { closed: true, closing };
  there.commands.totals = nothingYet;
  return there;
};
const closings = ({ commands }: Cable): number =>
  commands.asked.filter((asked) => asked.startsWith('close')).length;
const linesOf = (said: readonly string[]): string[] =>
  said
    .filter((packet) => packet.startsWith('06 D1'))
    .map((packet) => decodeText(bytesOf(packet).subarray(4)));

/** Answers each packet until the command ends. */
async function rest(cable: Cable, said: readonly string[]): Promise<string[]> {
  const all = [...said];
  for (
    let packets = said;
    packets.some((packet) => /^0[46] (0F|D1|D3|FF|1E)/.test(packet));
    all.push(...packets)
  )
    packets = await cable.send(ack);
  return all.filter((packet) => packet !== 'ACK');
}

describe('06 50, the end of the day', () => {
  test('is closed for the till by its address, told with its figures, and completed', async () => {
    const cable = await line();
    expect(await cable.send(endOfDay)).toEqual(['ACK', ack, toldStatus]);
    expect(cable.commands.asked).toEqual(['close the day, from serial:/dev/ttyTEST']);
    expect(await cable.send(ack)).toEqual(['ACK', '06 0F 00']);
    await cable.send(ack);
    expect(await cable.send('06 01 0A 04 00 00 00 00 12 34 49 02 08')).toContain(ack);
  });

  test('is on the line as a block whose 10s are doubled', async () => {
    const cable = await line();
    const tens = {
      ...closing,
      receipts: { first: 1010, last: 1010 },
      figures: [
        {
          ...day.figures[0],
          payments: { count: 1, sumMinor: 10_101_010 },
          refunds: { count: 0, sumMinor: 0 },
        },
      ],
    };
    cable.commands.closing = { closed: true, closing: tens };
    const said = await cable.sendBytes(bytesOf('10 02 06 50 03 12 34 56 10 03 C4 AF'));
    expect(said).toEqual([
      'ACK',
      ack,
      '04 0F 4D 27 00 04 00 00 10 10 10 10 60 F0 F5 F3 10 10 10 10' +
        ' 00 00 00 00 00 00 00'.repeat(6) +
        ' 01 00 00 10 10 10 10 0B 00 00 99 0C 21 05 00 0D 11 22',
    ]);
  });

  test('prints its report to a till that takes reports in lines, with everything that is in it, and what is open', async () => {
    const cable = await line(await registered('86', '06 03 12 01 30'));
    const said = await rest(cable, await cable.send(endOfDay));
    expect(said.slice(0, 2)).toEqual([ack, toldStatus]);
    expect(linesOf(said)).toEqual([
      'Check-out 1',
      '2026-11-22 21:05',
      '-'.repeat(30),
      'Closing report              99',
      'From          2026-11-21 21:03',
      'To            2026-11-22 21:05',
      'Receipts           0012 - 0048',
      '-'.repeat(30),
      'Payments 37        DKK 1244.50',
      'Refunds 2            DKK 10.00',
      'Net                DKK 1234.50',
      '-'.repeat(30),
      'Open reservations            1',
      '0231                 DKK 25.00',
      'Not confirmed yet            1',
    ]);
    expect(said.at(-1)).toBe('06 0F 00');
    expect(closings(cable)).toBe(1);
  });

  test('prints its report as one text block to a till that takes those: as what is no receipt', async () => {
    const cable = await line(await registered('86', '06 06 26 04 0A 02 06 D3'));
    const said = await rest(cable, await cable.send(endOfDay));
    const blocks = said.filter((packet) => packet.startsWith('06 D3'));
    expect(blocks).toHaveLength(1);
    expect(blocks[0]).toMatch(/ 1F 07 01 03 25 /);
    expect(decodeText(bytesOf(blocks[0] ?? ''))).toContain('Not confirmed yet');
    expect(linesOf(said)).toEqual([]);
    expect(said.at(-1)).toBe('06 0F 00');
  });

  test('prints nothing to a till that prints payments alone', async () => {
    const cable = await line(await registered('82'));
    expect(linesOf(await rest(cable, await cable.send(endOfDay)))).toEqual([]);
  });

  test('of a day without payments is told with zeros, and the beginning named', async () => {
    const cable = await line(await registered('84'));
    cable.commands.closing = { closed: true, closing: { ...closing, ...nothingYet, fromMs: 0 } };
    const said = await rest(cable, await cable.send(endOfDay));
    expect(said[1]).toContain(`60 F0 F5 F3${' 00'.repeat(53)} 0B`);
    expect(linesOf(said)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^From +Beginning$/),
        expect.stringMatching(/^Net +DKK 0\.00$/),
      ]),
    );
  });

  test('prints how many test payments of setup are in it, and refunds of them', async () => {
    const cable = await line(await registered('84'));
    const [figures] = day.figures;
    const tests = { payments: { count: 3, sumMinor: 300 }, refunds: { count: 1, sumMinor: 100 } };
    cable.commands.closing = {
      closed: true,
      closing: { ...closing, figures: [{ ...figures, tests }] },
    };
    const said = await rest(cable, await cable.send(endOfDay));
    expect(said[1]).toBe(toldStatus);
    expect(linesOf(said).join('\n')).toMatch(
      /^Net .*\nTest payments included 3\s+DKK 3\.00\nTest refunds included 1\s+DKK 1\.00$/m,
    );
  });

  test('has no sum below 0 and no count above 255 in its fields; the print has them', async () => {
    const cable = await line(await registered('84'));
    const figures = [
      {
        currency: 'DKK' as const,
        payments: { count: 300, sumMinor: 100 },
        refunds: { count: 1, sumMinor: 2_000 },
      },
    ];
    cable.commands.closing = { closed: true, closing: { ...closing, figures } };
    const said = await rest(cable, await cable.send(endOfDay));
    expect(said[1]).toMatch(/ 27 00 04 00 00 00 00 00 00 60 .* FF 00 00 00 00 00 00 0B /);
    expect(linesOf(said)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^Payments 300 /),
        expect.stringMatching(/^Net +DKK -19\.00$/),
      ]),
    );
  });

  test.each([
    ['says nothing', null],
    ['refuses it', '84 66 00'],
  ])(
    'that the till does not take (%s) is told again when it asks again, and not closed twice',
    async (_what, answer) => {
      const cable = await line();
      await cable.send(endOfDay);
      if (answer === null) await cable.clock.pass(5_000);
      const said = answer === null ? await cable.heard() : await cable.send(answer);
      expect(said.at(-1)).toBe('06 1E 01 6C');
      await cable.send(ack);
      await cable.clock.pass(60 * 60_000);
      const again = await cable.send(endOfDay);
      // A missing answer may still be late, and must not be taken for the answer to another packet.
      await cable.clock.pass(0);
      expect([...again, ...(await cable.heard())]).toEqual(['ACK', ack, toldStatus]);
      expect(closings(cable)).toBe(1);
    },
  );

  test('that the till cannot print is not completed, and told again', async () => {
    const cable = await line(await registered('84'));
    await cable.send(endOfDay);
    await cable.send(ack);
    expect(await cable.send('84 CC 00')).toEqual(['ACK', '06 1E 01 6C']);
    await cable.send(ack);
    expect(linesOf(await rest(cable, await cable.send(endOfDay)))).toHaveLength(15);
    expect(closings(cable)).toBe(1);
  });

  test('is closed anew once it was heard, or when there is something new', async () => {
    const heard = await line();
    await rest(heard, await heard.send(endOfDay));
    await heard.send(endOfDay);
    expect(closings(heard)).toBe(2);
    const more = await line();
    await more.send(endOfDay);
    await more.send('84 66 00');
    await more.send(ack);
    more.commands.totals = totals;
    await more.send(endOfDay);
    expect(closings(more)).toBe(2);
  });

  test('is told again for ten minutes after a restart, which knows of no answer; a manager’s closing is not the till’s', async () => {
    const cable = await line();
    cable.commands.closedLast = { ...closing, atMs: cable.clock.wallMs() - 599_000 };
    await rest(cable, await cable.send(endOfDay));
    expect(closings(cable)).toBe(0);
    const later = await line();
    later.commands.closedLast = { ...closing, number: 98, atMs: later.clock.wallMs() - 600_000 };
    await later.send(endOfDay);
    expect(closings(later)).toBe(1);
    const byManager = await line();
    byManager.commands.closedLast = {
      ...closing,
      number: 98,
      atMs: byManager.clock.wallMs(),
      till: null,
    };
    await byManager.send(endOfDay);
    expect(closings(byManager)).toBe(1);
  });

  test('is asked about again while the till says "please wait"', async () => {
    const cable = await line();
    await cable.send(endOfDay);
    await cable.send('84 9C 00');
    await cable.clock.pass(2_000);
    expect(await cable.heard()).toEqual([toldStatus]);
    expect(await cable.send(ack)).toEqual(['ACK', '06 0F 00']);
  });

  test('cannot be aborted, and is busy until it is told: also for 05 01', async () => {
    const cable = await line();
    await cable.send(endOfDay);
    expect(await cable.send('06 B0 00')).toEqual(['ACK', '84 83 00']);
    expect(await cable.send(endOfDay)).toEqual(['ACK', '84 9C 00']);
    await cable.send('05 01 05 12 34 56 03 02');
    expect(await rest(cable, await cable.send(ack))).toEqual(['06 0F 01 9C', '06 0F 00']);
    expect(closings(cable)).toBe(1);
  });

  test('while something is undecided is 84 9C, also of what could be told again', async () => {
    const cable = await line();
    cable.commands.closing = { closed: false, reason: 'busy' };
    expect(await cable.send(endOfDay)).toEqual(['ACK', '84 9C 00']);
    cable.commands.closedLast = { ...closing, atMs: cable.clock.wallMs() };
    cable.commands.ready = 'busy';
    expect(await cable.send(endOfDay)).toEqual(['ACK', '84 9C 00']);
  });

  test('does not wait for the service', async () => {
    const cable = await line();
    cable.commands.ready = 'notReady';
    expect(await cable.send(endOfDay)).toEqual(['ACK', ack, toldStatus]);
  });

  test('while it is not known what time it is, is refused with a reason, and nothing is printed', async () => {
    const cable = await line();
    cable.commands.closing = { closed: false, reason: 'notReady' };
    const said = await rest(cable, await cable.send(endOfDay));
    expect(said.at(-1)).toMatch(/^06 1E 01 /);
    expect(said.filter((one) => one.startsWith('06 D'))).toEqual([]);
  });

  test('on a full disk is B1, where there are no closings 84 83, without its password 84 9A', async () => {
    const cable = await line();
    cable.commands.closing = { closed: false, reason: 'storageFailed' };
    const said = await rest(cable, await cable.send(endOfDay));
    expect([said[1]?.slice(9, 14), said.at(-1)]).toEqual(['27 B1', '06 1E 01 B1']);
    cable.commands.closing = { closed: false, reason: 'noClosings' };
    expect(await cable.send(endOfDay)).toEqual(['ACK', '84 83 00']);
    expect(await cable.send('06 50 00')).toEqual(['ACK', '84 9A 00']);
    expect(await (await new Cable({ password: '111222' }).plugIn()).send(endOfDay)).toEqual([
      'ACK',
      '84 37 00',
    ]);
  });
});

describe('totals', () => {
  test.each([
    ['06 10', '06 10 03 12 34 56'],
    ['06 52', '06 52 03 12 34 56'],
    ['06 52 without data', '06 52 00'],
  ])('%s are told and close nothing; nothing is printed', async (_what, command) => {
    const cable = await line(await registered('86'));
    cable.commands.totals = totals;
    expect(await rest(cable, await cable.send(command))).toEqual([ack, toldStatus, '06 0F 00']);
    expect(closings(cable)).toBe(0);
  });

  test('0F 10 are printed, without a number, to a till that takes reports in lines', async () => {
    const cable = await line(await registered('84'));
    cable.commands.totals = totals;
    const said = await rest(cable, await cable.send('0F 10 05 12 34 56 03 01'));
    expect([said[0], said.at(-1)]).toEqual([ack, '06 0F 00']);
    expect(linesOf(said)).toEqual(
      expect.arrayContaining(['Totals', expect.stringMatching(/^Net +DKK 1234\.50$/)]),
    );
    expect(linesOf(said).join()).not.toContain('Closing report');
    const mute = await line();
    expect(await rest(mute, await mute.send('0F 10 05 12 34 56 03 01'))).toEqual([ack, '06 0F 00']);
  });

  test('go on to their end when the till presses cancel', async () => {
    const cable = await line();
    cable.commands.totals = totals;
    await cable.send('06 10 03 12 34 56');
    expect(await cable.send('06 B0 00')).toEqual(['ACK', '84 83 00']);
    expect(await cable.send(ack)).toEqual(['ACK', '06 0F 00']);
  });

  test('are 84 83 where there are no closings', async () => {
    const cable = await line();
    cable.commands.totals = null;
    expect(await cable.send('06 10 03 12 34 56')).toEqual(['ACK', '84 83 00']);
  });
});

describe('06 20 with 1F01 04, the last closing report', () => {
  const repeat = '06 20 0B 12 34 56 03 01 06 04 1F 01 01 04';

  test('is printed again', async () => {
    const cable = await line(await registered('86'));
    cable.commands.closedLast = closing;
    const said = await rest(cable, await cable.send(repeat));
    expect(linesOf(said)).toContainEqual(expect.stringMatching(/^Closing report +99$/));
    expect([said[0], said.at(-1), closings(cable)]).toEqual([ack, '06 0F 00', 0]);
  });

  test('is printed to a till that says so with the command alone', async () => {
    const cable = await line();
    cable.commands.closedLast = closing;
    const said = await rest(
      cable,
      await cable.send('06 20 0F 12 34 56 03 01 06 08 1F 01 01 04 1F 04 01 01'),
    );
    expect(linesOf(said)).toContainEqual(expect.stringMatching(/^Closing report +99$/));
  });

  test('is told to a till that writes it itself, and 06 1E 83 when there is none', async () => {
    const cable = await line();
    expect(await rest(cable, await cable.send(repeat))).toEqual([ack, '06 1E 01 83']);
    cable.commands.closedLast = closing;
    expect(await rest(cable, await cable.send(repeat))).toEqual([ack, toldStatus, '06 0F 00']);
  });
});

describe('06 12, the receipts of a range', () => {
  const range = '06 12 07 12 34 56 00 01 00 18';
  const finished = [
    { sale: ticket, outcome: { paid: true }, certainty: 'confirmed' },
    {
      sale: { ...ticket, receiptNumber: 2 },
      outcome: { paid: false, reason: 'declinedByCustomer' },
      certainty: 'confirmed',
    },
    { sale: { ...ticket, receiptNumber: 3 }, outcome: { paid: true }, certainty: 'contested' },
    { refund: refundTicket, outcome: { refunded: true }, certainty: 'decided' },
  ] as const;

  test('are printed one after another, as copies: of what moved, and of nothing else', async () => {
    const cable = await line(await registered('84'));
    cable.commands.between = finished;
    const said = await rest(cable, await cable.send(range));
    expect(cable.commands.asked).toEqual(['receipts 1 to 18']);
    const lines = linesOf(said);
    expect(lines.filter((text) => text === 'COPY')).toHaveLength(2);
    expect(lines.filter((text) => /^Receipt +\d/.test(text))).toEqual([
      expect.stringMatching(/0001$/),
      expect.stringMatching(/0018$/),
    ]);
    expect(said.filter((packet) => /^06 D1 .. 81/.test(packet))).toHaveLength(2);
    expect([said[0], said.at(-1)]).toEqual([ack, '06 0F 00']);
    expect(said.some((packet) => packet.startsWith('04 0F'))).toBe(false);
  });

  test('in the copies that the till has agreed on, or asks for', async () => {
    const cable = await line(await registered('84', '06 04 1F 04 01 A0'));
    cable.commands.between = finished.slice(0, 1);
    const copies = (said: readonly string[]) => linesOf(said).filter((text) => /copy$/i.test(text));
    expect(copies(await rest(cable, await cable.send(range)))).toEqual([
      'MERCHANT COPY',
      'COPY',
      'CUSTOMER COPY',
      'COPY',
    ]);
    expect(
      copies(
        await rest(cable, await cable.send('06 12 0D 12 34 56 00 01 00 18 06 04 1F 04 01 80')),
      ),
    ).toEqual(['CUSTOMER COPY', 'COPY']);
  });

  test('of one number, when it names no other', async () => {
    const cable = await line();
    cable.commands.between = finished.slice(0, 1);
    expect(await rest(cable, await cable.send('06 12 05 12 34 56 00 42'))).toEqual([
      ack,
      '06 0F 00',
    ]);
    expect(cable.commands.asked).toEqual(['receipts 42 to 42']);
  });

  test('06 1E 83 when there is none, or more than fifty are asked for; 84 9A when they cannot be read', async () => {
    const cable = await line(await registered('84'));
    cable.commands.between = finished.slice(1, 3);
    expect(await rest(cable, await cable.send(range))).toEqual([ack, '06 1E 01 83']);
    cable.commands.between = finished;
    expect(await rest(cable, await cable.send('06 12 07 12 34 56 00 01 00 51'))).toEqual([
      ack,
      '06 1E 01 83',
    ]);
    expect(await cable.send('06 12 07 12 34 56 00 0A 00 18')).toEqual(['ACK', '84 9A 00']);
    expect(await cable.send('06 12 04 12 34 56 00')).toEqual(['ACK', '84 9A 00']);
    cable.commands.between = null;
    expect(await cable.send(range)).toEqual(['ACK', '84 83 00']);
  });
});

describe('who may close a day, and read totals', () => {
  const peer = (kind: Peer['kind']): Peer => ({ name: 'x:1', address: 'x', kind });
  const of = (
    permissions: Parameters<typeof isBarredFromClosings>[0],
    kind: Peer['kind'],
    about: { proven?: boolean; registered?: boolean } = {},
  ) =>
    isBarredFromClosings(permissions, {
      peer: peer(kind),
      proven: false,
      registered: false,
      ...about,
    });

  test('a cable; on this computer who has registered; in the network with the password, or where the settings trust it', () => {
    expect(of({}, 'serial')).toBe(false);
    expect(of({}, 'loopback')).toBe(true);
    expect(of({}, 'loopback', { registered: true })).toBe(false);
    expect(of({}, 'network', { registered: true })).toBe(true);
    expect(of({ refunds: false }, 'network', { registered: true })).toBe(true);
    expect(of({ password: '111222' }, 'network', { proven: true })).toBe(false);
    // Without a password in the settings, every password is accepted.
    expect(of({}, 'network', { proven: true })).toBe(true);
    expect(of({ from: ['192.168.1.40'] }, 'network', { registered: true })).toBe(false);
    expect(of({ from: ['192.168.1.40'] }, 'network')).toBe(true);
    expect(of({ refunds: 100 }, 'network', { registered: true })).toBe(false);
  });

  test('a connection that has not registered closes nothing and learns no sum', async () => {
    const tcp = await TcpLine.open();
    tcp.commands.closing = { closed: true, closing };
    tcp.commands.totals = totals;
    tcp.commands.closedLast = closing;
    for (const [command, code] of [
      [endOfDay, 0x77],
      ['06 10 03 12 34 56', 0x83],
      ['0F 10 03 12 34 56', 0x83],
      ['06 52 03 12 34 56', 0x83],
      ['06 20 0B 12 34 56 03 01 06 04 1F 01 01 04', 0x83],
      ['06 12 07 12 34 56 00 01 00 18', 0x83],
    ] as const) {
      const { ended, statusInformations, printed } = await (await tcp.register()).command(
        bytesOf(command),
      );
      expect([ended, printed]).toEqual([{ by: 'abort', code }, []]);
      expect(statusInformations.map((fields) => fields.has(0x04))).toEqual([false]);
    }
    expect(tcp.commands.asked).toEqual([]);
    const till = await tcp.registered();
    tcp.commands.totals = nothingYet;
    expect((await till.command(bytesOf(endOfDay))).ended).toMatchObject({ by: 'completion' });
    await tcp.till.close();
  });

  test('a connection that is lost while it is told leaves nothing that blocks the next, which is told the same', async () => {
    const tcp = await TcpLine.open();
    tcp.commands.closing = { closed: true, closing };
    tcp.commands.totals = nothingYet;
    const till = await tcp.registered();
    till.respondTo = (name) => {
      if (name === 'statusInformation') void till.close();
      return null;
    };
    await till.command(bytesOf(endOfDay));
    const again = await tcp.registered();
    expect((await again.command(bytesOf(endOfDay))).ended).toMatchObject({ by: 'completion' });
    expect(tcp.commands.asked.filter((asked) => asked.startsWith('close'))).toHaveLength(1);
    await tcp.till.close();
  });
});
