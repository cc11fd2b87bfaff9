import { describe, expect, test } from 'vitest';
import { encodeBlock } from '../../../../main/tills/zvt/serial-framing.ts';
import { decodeText } from '../../../../main/tills/zvt/text.ts';
import { ack, bytesOf, Cable, registered, ticket } from './support.ts';

const authorisation = '06 01 0A 04 00 00 00 00 12 34 49 02 08';
const running = async (cable?: Cable): Promise<Cable> => {
  const line = cable ?? (await new Cable().plugIn());
  await line.send(authorisation);
  return line;
};
const paidStatus = /^04 0F .. 27 00 04 00 00 00 00 12 34 /;

describe('a payment', () => {
  test('is accepted at once, told as paid, completed only after the till has acknowledged and the lane has concluded', async () => {
    const cable = await new Cable().plugIn();
    expect(await cable.send(authorisation)).toEqual(['ACK', ack]);
    expect(cable.commands.asked).toEqual(['sale 1234 DKK']);
    const offer = cable.till.offerPaid(ticket);
    expect(await cable.heard()).toEqual([expect.stringMatching(paidStatus)]);
    expect(await cable.send(ack)).toEqual(['ACK']);
    expect(await offer).toBe('acknowledged');
    cable.till.conclude(ticket, { paid: true });
    expect(await cable.heard()).toEqual(['06 0F 00']);
    await cable.send(ack);
    expect(await cable.send(authorisation)).toEqual(['ACK', ack]);
  });

  test('that fails is told with its reason, then aborted', async () => {
    const cable = await running();
    await cable.heard();
    cable.till.conclude(ticket, { paid: false, reason: 'declinedByCustomer' });
    expect(await cable.heard()).toEqual([expect.stringMatching(/^04 0F .. 27 05 04 /)]);
    expect(await cable.send(ack)).toEqual(['ACK', '06 1E 01 05']);
  });

  test('needs no registration, and sends nothing that was not agreed: no intermediate status, no lines', async () => {
    const cable = await running();
    await cable.heard();
    cable.till.progress(ticket.saleId, 'approveInApp');
    await cable.clock.pass(60_000);
    expect(await cable.heard()).toEqual([]);
    void cable.till.offerPaid(ticket);
    await cable.heard();
    await cable.send(ack);
    expect(await cable.heard()).toEqual([]);
  });

  test('keeps a till that asked for it informed, and its timer alive, every ten seconds', async () => {
    const cable = await registered('08');
    expect(await cable.send(authorisation)).toEqual(['ACK', ack, '04 FF 01 0E']);
    await cable.send(ack);
    cable.till.progress(ticket.saleId, 'waitingForCustomer');
    expect(await cable.heard()).toEqual(['04 FF 01 0A']);
    await cable.send(ack);
    await cable.clock.pass(10_000);
    expect(await cable.heard()).toEqual(['04 FF 01 0A']);
  });

  test('prints its receipt line by line where the till asked for lines, and is final when the last one was taken', async () => {
    const cable = await running(await registered('8A'));
    await cable.send(ack);
    await cable.heard();
    let settledAs: unknown = null;
    void cable.till.offerPaid(ticket).then((result) => {
      settledAs = result;
    });
    expect((await cable.heard())[0]).toMatch(paidStatus);
    let lines = 0;
    for (;;) {
      const said = (await cable.send(ack)).filter((packet) => packet.startsWith('06 D1'));
      if (said.length === 0) break;
      lines += 1;
      expect(settledAs).toBeNull();
    }
    expect(lines).toBe(10);
    expect(settledAs).toBe('acknowledged');
  });

  test('is not paid when the till cannot print', async () => {
    const cable = await running(await registered('8A'));
    await cable.send(ack);
    await cable.heard();
    const offer = cable.till.offerPaid(ticket);
    await cable.heard();
    await cable.send(ack);
    await cable.send('84 CC 00');
    expect(await offer).toBe('notAcknowledged');
    cable.till.conclude(ticket, { paid: false, reason: 'notDelivered' });
    expect(await cable.heard()).toEqual([expect.stringMatching(/^04 0F .. 27 6C /)]);
    expect(await cable.send(ack)).toEqual(['ACK', '06 1E 01 6C']);
  });

  test.each(['84 66 00', '84 9A 00', '84 9D 00'])(
    'is not paid when the till answers %s to the result',
    async (answer) => {
      const cable = await running();
      const offer = cable.till.offerPaid(ticket);
      await cable.heard();
      await cable.send(answer);
      expect(await offer).toBe('notAcknowledged');
    },
  );

  test('is offered again every two seconds while the till says "please wait", for half a minute', async () => {
    const cable = await running();
    await cable.heard();
    const offer = cable.till.offerPaid(ticket);
    await cable.heard();
    for (let second = 2; second <= 28; second += 2) {
      await cable.send('84 9C 00');
      await cable.clock.pass(1_999);
      expect(await cable.heard()).toEqual([]);
      await cable.clock.pass(1);
      expect((await cable.heard())[0]).toMatch(paidStatus);
    }
    await cable.send(ack);
    expect(await offer).toBe('acknowledged');
  });

  test('is offered as often as the till allows, where it names a number and no time', async () => {
    const cable = await new Cable().plugIn();
    await cable.send('06 01 0C 04 00 00 00 00 12 34 02 FF 49 02 08');
    const offer = cable.till.offerPaid(ticket);
    await cable.heard();
    let offered = 1;
    for (; offered < 300; offered += 1) {
      await cable.send('84 9C 00');
      await cable.clock.pass(2_000);
      if (!(await cable.heard()).some((packet) => paidStatus.test(packet))) break;
    }
    expect(offered).toBe(256);
    expect(await offer).toBe('notAcknowledged');
  });

  test('a number without a time shortens the usual half minute by its count alone', async () => {
    const cable = await new Cable().plugIn();
    await cable.send('06 01 0C 04 00 00 00 00 12 34 02 03 49 02 08');
    const offer = cable.till.offerPaid(ticket);
    await cable.heard();
    for (let asked = 0; asked < 3; asked += 1) {
      await cable.clock.pass(4_000);
      await cable.send('84 9C 00');
      await cable.clock.pass(2_000);
      expect((await cable.heard())[0]).toMatch(paidStatus);
    }
    await cable.send(ack);
    expect(await offer).toBe('acknowledged');
  });

  test('is not paid when the till says "please wait" without end', async () => {
    const cable = await running();
    let result: unknown = null;
    void cable.till.offerPaid(ticket).then((answer) => {
      result = answer;
    });
    for (let second = 0; second < 40; second += 2) {
      await cable.send('84 9C 00');
      await cable.clock.pass(2_000);
    }
    expect(result).toBe('notAcknowledged');
  });

  test('is not paid when the till takes the block and never answers it', async () => {
    const cable = await running();
    const offer = cable.till.offerPaid(ticket);
    await cable.heard();
    await cable.clock.pass(5_000);
    expect(await offer).toBe('notAcknowledged');
  });

  test('is not paid when the till takes no block, three times', async () => {
    const cable = await running();
    cable.acknowledgesBlocks = false;
    await cable.heard();
    const offer = cable.till.offerPaid(ticket);
    await cable.clock.pass(15_000);
    expect((await cable.heard()).filter((packet) => paidStatus.test(packet))).toHaveLength(3);
    expect(await offer).toBe('notAcknowledged');
  });

  test('is over with the till’s last answer: its next command may be in the same bytes', async () => {
    const cable = await running();
    await cable.heard();
    cable.till.conclude(ticket, { paid: false, reason: 'timedOut' });
    await cable.heard();
    expect(await cable.send(ack)).toEqual(['ACK', '06 1E 01 6C']);
    expect(
      await cable.sendBytes(
        Uint8Array.of(...encodeBlock(bytesOf(ack)), ...encodeBlock(bytesOf(authorisation))),
      ),
    ).toEqual(['ACK', 'ACK', ack]);
    expect(cable.commands.asked).toHaveLength(2);
  });

  test('that another sale has nothing to do with this till', async () => {
    const cable = await new Cable().plugIn();
    expect(await cable.till.offerPaid(ticket)).toBe('notAcknowledged');
    cable.till.conclude(ticket, { paid: true });
    expect(await cable.heard()).toEqual([]);
  });
});

describe('what a till asks for and does not get', () => {
  const asked = async (
    apdu: string,
    prepare: (cable: Cable) => void = () => {},
  ): Promise<{ said: string[]; asked: string[] }> => {
    const cable = await new Cable().plugIn();
    prepare(cable);
    const said = await cable.send(apdu);
    return {
      said: [...said, ...(await cable.send(ack)), ...(await cable.send(ack))].filter(
        (packet) => packet !== 'ACK',
      ),
      asked: cable.commands.asked,
    };
  };

  test('no currency at all is euro by the standard, never guessed from the lane', async () => {
    expect((await asked('06 01 07 04 00 00 00 00 12 34')).asked).toEqual(['sale 1234 EUR']);
  });
  test('the currency of the registration holds for amounts without one', async () => {
    const cable = await registered('00');
    await cable.send('06 01 07 04 00 00 00 00 12 34');
    expect(cable.commands.asked).toEqual(['sale 1234 DKK']);
  });
  test('a currency that no wallet has', async () => {
    const { said, asked: sales } = await asked('06 01 0A 04 00 00 00 00 12 34 49 07 52');
    expect(said).toEqual([ack, expect.stringMatching(/^04 0F .. 27 6F /), '06 1E 01 6F']);
    expect(sales).toEqual([]);
  });
  test.each([
    ['wrongCurrency', '6F'],
    ['amountTooSmall', 'C8'],
    ['amountTooHigh', 'C3'],
    ['notReady', 'A3'],
    ['storageFailed', 'B1'],
  ] as const)('%s is declined with %s', async (reason, code) => {
    const { said } = await asked(authorisation, ({ commands }) => {
      commands.sale = { accepted: false, reason };
    });
    expect(said).toEqual([
      ack,
      expect.stringMatching(new RegExp(`^04 0F .. 27 ${code} `)),
      `06 1E 01 ${code}`,
    ]);
  });
  test.each([
    ['no amount', '06 01 00'],
    ['an amount that is cut off', '06 01 04 04 00 00 00'],
    ['an amount of seven bytes', '06 01 0B 04 00 00 00 00 12 34 56 49 02 08'],
    ['an amount with letters in it', '06 01 07 04 00 00 00 00 1A 34'],
    ['a length that does not fit', '06 01 0A 04 00 00 00 00 12 34'],
  ])('%s: 84 9A, and no sale', async (_what, apdu) => {
    const { said, asked: sales } = await asked(apdu);
    expect(said).toEqual(['84 9A 00']);
    expect(sales).toEqual([]);
  });
  test('unknown bitmaps after the amount do not matter', async () => {
    expect((await asked('06 01 0D 04 00 00 00 00 12 34 49 02 08 7E 01 02')).asked).toEqual([
      'sale 1234 DKK',
    ]);
  });
  test.each(['06 50 03 12 34 56', '06 22 00', '06 95 00', '0F A1 02 00 01', 'FF FF 00'])(
    '%s, which this terminal does not have: 84 83',
    async (apdu) => {
      expect((await asked(apdu)).said).toEqual(['84 83 00']);
    },
  );
});

describe('while a payment runs', () => {
  test('another one is refused with "please wait", and the lane hears of it', async () => {
    const cable = await running();
    expect(await cable.send('06 01 0A 04 00 00 00 00 99 99 49 02 08')).toEqual(['ACK', '84 9C 00']);
    expect(cable.commands.asked).toEqual(['sale 1234 DKK', 'tried 9999 DKK']);
  });

  test('the same one again is "please wait" too, once our answer has arrived', async () => {
    const cable = await running();
    await cable.heard();
    expect(await cable.send(authorisation)).toEqual(['ACK', '84 9C 00']);
    expect(cable.commands.asked).toEqual(['sale 1234 DKK', 'tried 1234 DKK']);
  });

  test('a block repeated because our answer was lost starts nothing: it is acknowledged and answered again', async () => {
    const cable = await new Cable().plugIn();
    cable.acknowledgesBlocks = false;
    expect(await cable.send(authorisation)).toEqual(['ACK', ack]);
    expect(await cable.send(authorisation)).toEqual(['ACK', ack]);
    cable.raw('06');
    expect(cable.commands.asked).toEqual(['sale 1234 DKK']);
  });

  test('an abort is acknowledged before anything that follows from it', async () => {
    const cable = await running();
    await cable.heard();
    cable.commands.onAbort = () =>
      cable.till.conclude(ticket, { paid: false, reason: 'cancelledByTill' });
    expect(await cable.send('06 B0 00')).toEqual([
      'ACK',
      ack,
      expect.stringMatching(/^04 0F .. 27 6C /),
    ]);
    expect(await cable.send(ack)).toEqual(['ACK', '06 1E 01 6C']);
  });

  test('an abort that comes too late is refused, and the payment ends as paid', async () => {
    const cable = await running();
    cable.commands.abortAnswer = 'tooLate';
    const offer = cable.till.offerPaid(ticket);
    await cable.heard();
    expect(await cable.send('06 B0 00')).toEqual(['ACK', '84 83 00']);
    await cable.send(ack);
    expect(await offer).toBe('acknowledged');
  });

  test('a status enquiry is told to wait', async () => {
    const cable = await running();
    cable.commands.ready = 'busy';
    await cable.heard();
    expect(await cable.send('05 01 05 12 34 56 03 02')).toEqual(['ACK', '84 9C 00']);
  });
});

describe('without a payment', () => {
  test('an abort is acknowledged and asks for nothing', async () => {
    const cable = await new Cable().plugIn();
    expect(await cable.send('06 B0 00')).toEqual(['ACK', ack]);
    expect(cable.commands.asked).toEqual([]);
  });

  test('a status enquiry tells version and readiness', async () => {
    const cable = await new Cable().plugIn();
    expect(await cable.send('05 01 03 12 34 56')).toEqual([
      'ACK',
      ack,
      '06 0F 14 F0 F1 F6 54 69 6C 6C 62 65 61 63 6F 6E 20 31 2E 32 2E 33 00',
    ]);
  });

  test('a registration is completed with terminal id and currency; one in another currency is refused with ours', async () => {
    const cable = await new Cable().plugIn();
    expect(await cable.send('06 00 06 12 34 56 9E 02 08')).toEqual([
      'ACK',
      ack,
      '06 0F 0A 19 00 29 00 00 00 01 49 02 08',
    ]);
    await cable.send(ack);
    expect(await cable.send('06 00 06 12 34 56 9E 09 78')).toEqual(['ACK', '84 1E 03 6F 02 08']);
  });

  test('a log-off ends what was agreed', async () => {
    const cable = await registered('08');
    expect(await cable.send('06 02 00')).toEqual(['ACK', ack]);
    expect(await cable.send(authorisation)).toEqual(['ACK', ack]);
  });

  test('a repeated receipt tells the last outcome, paid or not', async () => {
    const cable = await new Cable().plugIn();
    cable.commands.last = { sale: ticket, outcome: { paid: true }, certainty: 'confirmed' };
    expect(await cable.send('06 20 05 12 34 56 03 01')).toEqual([
      'ACK',
      ack,
      expect.stringMatching(paidStatus),
    ]);
    expect(await cable.send(ack)).toEqual(['ACK', '06 0F 00']);
    await cable.send(ack);
    cable.commands.last = {
      sale: ticket,
      outcome: { paid: false, reason: 'interrupted' },
      certainty: 'confirmed',
    };
    expect((await cable.send('06 20 05 12 34 56 03 01'))[2]).toMatch(/^04 0F .. 27 6C /);
  });

  test.each([
    [{ paid: false, reason: 'interrupted' }, 'decided', '6C', 'Cancelled, not confirmed yet'],
    [{ paid: false, reason: 'unclear' }, 'contested', 'FF', 'Unclear: ask the manager'],
    [{ paid: true }, 'contested', '00', 'Unclear: ask the manager'],
  ] as const)(
    'a repeated receipt of %j that is only %s says so; its code stays what the till was told',
    async (outcome, certainty, code, text) => {
      const cable = await registered('82');
      cable.commands.last = { sale: ticket, outcome, certainty };
      const [, , status] = await cable.send('06 20 05 12 34 56 03 01');
      expect(status).toMatch(new RegExp(`^04 0F .. 27 ${code} `));
      expect(decodeText(bytesOf(status ?? ''))).toContain(text);
      // No receipt is printed for a payment that the service contradicts.
      expect(await cable.send(ack)).toEqual(['ACK', '06 0F 00']);
    },
  );

  test('a repeated receipt of what was paid and is not confirmed yet is as it was told', async () => {
    const cable = await new Cable().plugIn();
    cable.commands.last = { sale: ticket, outcome: { paid: true }, certainty: 'decided' };
    expect(await cable.send('06 20 05 12 34 56 03 01')).toEqual([
      'ACK',
      ack,
      expect.stringMatching(paidStatus),
    ]);
  });

  test('a repeated receipt while the lane is still deciding one is "please wait", never the one before', async () => {
    const cable = await new Cable().plugIn();
    cable.commands.last = { sale: ticket, outcome: { paid: true }, certainty: 'confirmed' };
    cable.commands.ready = 'busy';
    expect(await cable.send('06 20 05 12 34 56 03 01')).toEqual(['ACK', '84 9C 00']);
  });

  test('a repeated receipt without any sale yet is not possible', async () => {
    const cable = await new Cable().plugIn();
    expect(await cable.send('06 20 03 12 34 56')).toEqual(['ACK', ack, '06 1E 01 83']);
  });

  test('a diagnosis says whether payments are possible', async () => {
    const cable = await new Cable().plugIn();
    expect(await cable.send('06 70 00')).toEqual(['ACK', ack, '06 0F 00']);
    await cable.send(ack);
    cable.commands.ready = 'notReady';
    expect(await cable.send('06 70 00')).toEqual(['ACK', ack, '06 1E 01 A3']);
  });
});

describe('the serial line', () => {
  test('garbage before a block is passed over', async () => {
    const cable = await new Cable().plugIn();
    cable.raw('00 41 10 FF 42');
    expect(await cable.send(authorisation)).toEqual(['ACK', ack]);
  });

  test('a broken block is asked for again, and starts nothing', async () => {
    const cable = await new Cable().plugIn();
    const broken = encodeBlock(bytesOf(authorisation));
    broken[8] = (broken[8] as number) ^ 0x01;
    expect(await cable.sendBytes(broken)).toEqual(['NAK']);
    expect(cable.commands.asked).toEqual([]);
    expect(await cable.send(authorisation)).toEqual(['ACK', ack]);
  });

  test('a block that stops in the middle is given up after T1, 200 ms', async () => {
    const cable = await new Cable().plugIn();
    await cable.sendBytes(encodeBlock(bytesOf(authorisation)).subarray(0, 9));
    await cable.clock.pass(199);
    expect(await cable.heard()).toEqual([]);
    await cable.clock.pass(1);
    expect(await cable.heard()).toEqual(['NAK']);
    expect(await cable.send(authorisation)).toEqual(['ACK', ack]);
  });

  test('a block that comes slowly, byte by byte, is read', async () => {
    const cable = await new Cable().plugIn();
    for (const byte of encodeBlock(bytesOf(authorisation))) {
      await cable.sendBytes(Uint8Array.of(byte));
      await cable.clock.pass(150);
    }
    expect(cable.commands.asked).toEqual(['sale 1234 DKK']);
  });

  test('two blocks in one portion are two packets', async () => {
    const cable = await new Cable().plugIn();
    expect(
      await cable.sendBytes(
        Uint8Array.of(
          ...encodeBlock(bytesOf('06 B0 00')),
          ...encodeBlock(bytesOf('05 01 05 12 34 56 03 02')),
        ),
      ),
    ).toEqual(['ACK', ack, 'ACK', ack, '06 0F 01 00']);
  });

  test('a block that the till refuses is sent three times in all', async () => {
    const cable = await new Cable().plugIn();
    cable.acknowledgesBlocks = false;
    await cable.send('06 B0 00');
    cable.raw('15');
    cable.raw('15');
    cable.raw('15');
    expect(await cable.heard()).toEqual([ack, ack]);
    cable.acknowledgesBlocks = true;
    expect(await cable.send(authorisation)).toEqual(['ACK', ack]);
  });

  test('a cable that is pulled and comes back: a new port, and the block that was under way is sent again over it', async () => {
    const cable = await running();
    await cable.heard();
    cable.acknowledgesBlocks = false;
    const offer = cable.till.offerPaid(ticket);
    await cable.heard();
    cable.pull();
    await cable.clock.pass(5_000);
    expect(cable.opened).toBe(1);
    cable.present = true;
    cable.acknowledgesBlocks = true;
    await cable.clock.pass(5_000);
    expect(cable.opened).toBe(2);
    expect(await cable.heard()).toEqual([expect.stringMatching(paidStatus)]);
    await cable.send(ack);
    expect(await offer).toBe('acknowledged');
    expect(cable.commands.links.map(({ state }) => state)).toEqual(
      expect.arrayContaining(['open', 'connected', 'absent', 'open']),
    );
  });

  test('a cable pulled between the result and its answer: the answer is waited for until the cable is back', async () => {
    const cable = await running();
    await cable.heard();
    const offer = cable.till.offerPaid(ticket);
    await cable.heard();
    cable.pull();
    await cable.clock.pass(6_000);
    cable.present = true;
    await cable.clock.pass(4_000);
    await cable.send(ack);
    expect(await offer).toBe('acknowledged');
  });

  test('a cable that stays out for half a minute: the result is not delivered', async () => {
    const cable = await running();
    cable.pull();
    const offer = cable.till.offerPaid(ticket);
    await cable.clock.pass(30_000);
    expect(await offer).toBe('notAcknowledged');
  });

  test('a port that is not there at the start is waited for, with a reason that a person can read', async () => {
    const cable = new Cable();
    cable.present = false;
    await cable.plugIn();
    expect(cable.commands.links).toEqual([
      { state: 'absent', detail: '/dev/ttyTEST is not there', heardAtMs: null },
    ]);
    cable.present = true;
    await cable.clock.pass(250);
    expect(cable.commands.links.at(-1)).toEqual({ state: 'open', detail: null, heardAtMs: null });
  });
});
