import { describe, expect, test } from 'vitest';
import { decodeText, encodeAscii } from '../../../../main/tills/zvt/text.ts';
import { tillTexts } from '../../../../main/tills/zvt/texts.ts';
import { notRefundedWords } from '../../../../main/tills/zvt/words.ts';
import { ack, bytesOf, Cable, refundTicket, registered, ticket } from './support.ts';

const reversal = '06 30 06 12 34 56 87 00 17';
const partly = '06 30 10 12 34 56 87 00 17 04 00 00 00 00 05 00 49 02 08';
const byRefund = '06 31 10 12 34 56 04 00 00 00 00 05 00 49 02 08 87 00 17';
const partTicket = { ...refundTicket, amountMinor: 500 };
const refundedStatus = /^04 0F .. 27 00 04 00 00 00 00 12 34 0B 00 00 42 37 00 00 41 .* 87 00 18 /;
const danish = '06 06 28 04 15 02 64 61';

const running = async (command = reversal, cable?: Cable): Promise<Cable> => {
  const line = cable ?? (await new Cable().plugIn());
  await line.send(command);
  return line;
};
/** What the terminal sends after a command that it refuses, up to the command's end. */
const declined = async (
  command: string,
  prepare: (cable: Cable) => void = () => {},
  cable?: Cable,
): Promise<string[]> => {
  const line = cable ?? (await new Cable().plugIn());
  prepare(line);
  return [
    ...(await line.send(command)),
    ...(await line.send(ack)),
    ...(await line.send(ack)),
  ].filter((packet) => packet !== 'ACK');
};
/** All text in a packet. */
const textIn = (packet: string | undefined): string => decodeText(bytesOf(packet ?? ''));

describe('a reversal', () => {
  test('is accepted at once, told as refunded with the original trace, completed only after the till has acknowledged and the lane has concluded', async () => {
    const cable = await new Cable().plugIn();
    expect(await cable.send(reversal)).toEqual(['ACK', ack]);
    expect(cable.commands.asked).toEqual(['refund of 17: all DKK']);
    const offer = cable.till.offerRefunded(refundTicket);
    expect(await cable.heard()).toEqual([expect.stringMatching(refundedStatus)]);
    expect(await cable.send(ack)).toEqual(['ACK']);
    expect(await offer).toBe('acknowledged');
    cable.till.concludeRefund(refundTicket, { refunded: true });
    expect(await cable.heard()).toEqual(['06 0F 00']);
    await cable.send(ack);
    expect(await cable.send(reversal)).toEqual(['ACK', ack]);
  });

  test('that a service makes in one step is told once it has happened, and then completed, whatever the till answers', async () => {
    const cable = await running();
    await cable.heard();
    cable.till.concludeRefund(refundTicket, { refunded: true });
    expect(await cable.heard()).toEqual([expect.stringMatching(refundedStatus)]);
    expect(await cable.send(ack)).toEqual(['ACK', '06 0F 00']);
    await cable.send(ack);
    expect(await cable.send(reversal)).toEqual(['ACK', ack]);
  });

  test('has its amount as a check, unless the settings make it a part; that of a refund never is one', async () => {
    const wholeOnly = async (command: string, partialReversals?: boolean): Promise<unknown> => {
      const cable = await new Cable({ partialReversals }).plugIn();
      await cable.send(command);
      return cable.commands.refundRequests[0]?.wholeOnly;
    };
    expect([
      await wholeOnly(partly),
      await wholeOnly(partly, true),
      await wholeOnly(byRefund),
    ]).toEqual([true, false, false]);
    expect(
      await declined(
        partly,
        ({ commands }) => (commands.refund = { accepted: false, reason: 'amountDiffers' }),
      ),
    ).toEqual([ack, expect.stringMatching(/^04 0F .. 27 B5 /), '06 1E 01 B5']);
  });

  test.each(['06 30 03 87 00 42', '06 30 0A 87 00 42 04 00 00 00 00 12 34'])(
    'without a password has its receipt number read as one (%s): 84 9A',
    async (command) => {
      expect(await declined(command)).toEqual(['84 9A 00']);
    },
  );

  test('of a part names the amount, and its currency', async () => {
    const cable = await new Cable().plugIn();
    cable.commands.refund = { accepted: true, refund: partTicket };
    await running(partly, cable);
    expect(cable.commands.asked).toEqual(['refund of 17: 500 DKK']);
    void cable.till.offerRefunded(partTicket);
    expect(await cable.heard()).toContainEqual(
      expect.stringMatching(/ 04 00 00 00 00 05 00 .* 49 02 08 /),
    );
  });

  test('that fails is told with its reason, then aborted', async () => {
    const cable = await running();
    await cable.heard();
    cable.till.concludeRefund(refundTicket, { refunded: false, reason: 'balanceTooLow' });
    const [status] = await cable.heard();
    expect(status).toMatch(/^04 0F .. 27 B5 04 /);
    expect(textIn(status)).toContain("Store's balance is too low");
    expect(await cable.send(ack)).toEqual(['ACK', '06 1E 01 B5']);
  });

  test('keeps a till that asked for it informed, and its timer alive', async () => {
    const cable = await registered('08');
    expect(await cable.send(reversal)).toEqual(['ACK', ack, '04 FF 01 0E']);
    await cable.send(ack);
    await cable.clock.pass(10_000);
    expect(await cable.heard()).toEqual(['04 FF 01 0E']);
  });

  test('prints a receipt that says so, and is final when its last line was taken', async () => {
    const cable = await running(reversal, await registered('82'));
    await cable.heard();
    let settledAs: string | null = null;
    void cable.till.offerRefunded(refundTicket).then((result) => {
      settledAs = result;
    });
    await cable.heard();
    const lines: string[] = [];
    for (;;) {
      const line = (await cable.send(ack)).find((packet) => packet.startsWith('06 D1'));
      if (line === undefined) break;
      expect(settledAs).toBeNull();
      lines.push(decodeText(bytesOf(line).subarray(4)));
    }
    expect(lines).toEqual(
      expect.arrayContaining([
        'REFUND',
        expect.stringMatching(/DKK 12\.34$/),
        expect.stringMatching(/^Original receipt +0017$/),
      ]),
    );
    expect(settledAs).toBe('acknowledged');
  });

  test('is not paid out when the till cannot print', async () => {
    const cable = await running(reversal, await registered('82'));
    const offer = cable.till.offerRefunded(refundTicket);
    await cable.heard();
    await cable.send(ack);
    await cable.send('84 CC 00');
    expect(await offer).toBe('notAcknowledged');
  });

  test.each([
    ['v10', '90'],
    ['epayment', '365'],
  ] as const)(
    'of a payment that is too old names the days of its provider: %s, %s',
    async (service, days) => {
      const cable = await running(reversal, await registered('00', danish));
      await cable.heard();
      cable.till.concludeRefund(
        { ...refundTicket, service },
        { refunded: false, reason: 'tooOld' },
      );
      const [status] = await cable.heard();
      expect(textIn(status)).toContain(`end ${days} dage`);
    },
  );

  test.each([
    ['notCaptured', 'B5'],
    ['currencyDiffers', 'B5'],
    ['tooOld', 'B5'],
    ['amountTooHigh', 'B5'],
    ['refusedByService', 'B5'],
    ['cancelledByService', 'B5'],
    ['notOnboarded', '6B'],
    ['serviceUnreachable', 'A3'],
    ['cancelledByManager', '6C'],
    ['timedOut', '6C'],
    ['tillGone', '6C'],
    ['interrupted', '6C'],
  ] as const)(
    'that ends because of %s says %s, and why in the till’s language',
    async (reason, code) => {
      const cable = await running(reversal, await registered('00', danish));
      await cable.heard();
      cable.till.concludeRefund(refundTicket, { refunded: false, reason });
      const [status] = await cable.heard();
      expect(status).toMatch(new RegExp(`^04 0F .. 27 ${code} 04 `));
      expect(textIn(status)).toContain(
        decodeText(encodeAscii(notRefundedWords(reason, {})(tillTexts.da))),
      );
      expect(await cable.send(ack)).toEqual(['ACK', `06 1E 01 ${code}`]);
    },
  );
});

describe('a till that does not take the result of a refund', () => {
  test.each(['84 66 00', '84 9A 00', '84 9D 00'])(
    'answers %s: not acknowledged, ended with 6C',
    async (answer) => {
      const cable = await running();
      const offer = cable.till.offerRefunded(refundTicket);
      await cable.heard();
      await cable.send(answer);
      expect(await offer).toBe('notAcknowledged');
      cable.till.concludeRefund(refundTicket, { refunded: false, reason: 'notDelivered' });
      expect(await cable.heard()).toEqual([expect.stringMatching(/^04 0F .. 27 6C /)]);
      expect(await cable.send(ack)).toEqual(['ACK', '06 1E 01 6C']);
    },
  );

  test('never answers it: not acknowledged after T3', async () => {
    const cable = await running();
    const offer = cable.till.offerRefunded(refundTicket);
    await cable.clock.pass(5_000);
    expect(await offer).toBe('notAcknowledged');
  });

  test('takes no block, three times: not acknowledged', async () => {
    const cable = await running();
    cable.acknowledgesBlocks = false;
    await cable.heard();
    const offer = cable.till.offerRefunded(refundTicket);
    await cable.clock.pass(15_000);
    expect((await cable.heard()).filter((packet) => refundedStatus.test(packet))).toHaveLength(3);
    expect(await offer).toBe('notAcknowledged');
  });

  test('says "please wait" as often as it allows itself, then hears the failure in full', async () => {
    const cable = await running('06 30 08 12 34 56 87 00 17 02 01');
    const offer = cable.till.offerRefunded(refundTicket);
    await cable.heard();
    await cable.send('84 9C 00');
    await cable.clock.pass(2_000);
    expect(await cable.heard()).toEqual([expect.stringMatching(refundedStatus)]);
    await cable.send('84 9C 00');
    expect(await offer).toBe('notAcknowledged');
    cable.till.concludeRefund(refundTicket, { refunded: false, reason: 'notDelivered' });
    expect(await cable.heard()).toEqual([expect.stringMatching(/^04 0F .. 27 6C /)]);
    expect(await cable.send(ack)).toEqual(['ACK', '06 1E 01 6C']);
  });
});

describe('a till that wants out of a refund', () => {
  test('is acknowledged before anything that follows from it', async () => {
    const cable = await running();
    await cable.heard();
    cable.commands.onAbort = () =>
      cable.till.concludeRefund(refundTicket, { refunded: false, reason: 'cancelledByTill' });
    expect(await cable.send('06 B0 00')).toEqual([
      'ACK',
      ack,
      expect.stringMatching(/^04 0F .. 27 6C /),
    ]);
    expect(cable.commands.asked).toContain(`abort ${refundTicket.refundOrderId}`);
    expect(await cable.send(ack)).toEqual(['ACK', '06 1E 01 6C']);
  });

  test('too late is refused, and the refund ends as done', async () => {
    const cable = await running();
    cable.commands.abortAnswer = 'tooLate';
    const offer = cable.till.offerRefunded(refundTicket);
    await cable.heard();
    expect(await cable.send('06 B0 00')).toEqual(['ACK', '84 83 00']);
    await cable.send(ack);
    expect(await offer).toBe('acknowledged');
  });

  test('is heard whatever it writes behind its abort', async () => {
    const cable = await running();
    await cable.heard();
    expect(await cable.send('06 B0 02 D2 04')).toEqual(['ACK', ack]);
    expect(await cable.send('06 B0 03 3C F9 F9')).toEqual(['ACK', ack]);
    expect(cable.commands.asked.filter((asked) => asked.startsWith('abort'))).toHaveLength(2);
  });
});

describe('a refund that does not begin', () => {
  test.each([
    ['alreadyRefunded', 'B4', 'Already refunded'],
    ['unknownReceipt', 'B5', 'No paid sale with this receipt'],
    ['amountTooHigh', 'B5', 'More than is left to refund'],
    ['notReady', 'A3', 'Not ready'],
    ['wrongCurrency', '6F', 'Wrong currency'],
    ['amountTooSmall', 'C8', 'Amount too small'],
    ['storageFailed', 'B1', 'The terminal cannot store refunds'],
  ] as const)('%s: declined with %s, "%s"', async (reason, code, text) => {
    const said = await declined(reversal, ({ commands }) => {
      commands.refund = { accepted: false, reason };
    });
    expect(said).toEqual([
      ack,
      expect.stringMatching(new RegExp(`^04 0F .. 27 ${code} 3C `)),
      `06 1E 01 ${code}`,
    ]);
    expect(textIn(said[1])).toContain(text);
  });

  test.each([
    [1, 'Refund pending, try again in 1 min'],
    [6, 'Refund pending, try again in 6 min'],
    [null, 'Unclear: ask the manager'],
  ])(
    'because another one is open, to be known in %s min: "please wait" with words, and never as refunded',
    async (askAgainMinutes, text) => {
      const said = await declined(reversal, ({ commands }) => {
        commands.refund = { accepted: false, reason: 'refundOpen', askAgainMinutes };
      });
      expect(said).toEqual([ack, expect.stringMatching(/^04 0F .. 27 9C 3C /), '06 1E 01 9C']);
      expect(textIn(said[1])).toContain(text);
    },
  );

  test('busy: "please wait", as for payments', async () => {
    const said = await declined(reversal, ({ commands }) => {
      commands.refund = { accepted: false, reason: 'busy' };
    });
    expect(said).toEqual(['84 9C 00']);
  });

  test('in Danish where the till registered so', async () => {
    const said = await declined(
      reversal,
      ({ commands }) => {
        commands.refund = { accepted: false, reason: 'alreadyRefunded' };
      },
      await registered('00', danish),
    );
    expect(textIn(said[1])).toContain('Allerede refunderet');
  });

  test.each([
    ['no receipt number', '06 30 03 12 34 56'],
    ['a receipt number that is none', '06 30 06 12 34 56 87 FF FF'],
    ['a receipt number of three bytes', '06 30 0E 12 34 56 04 00 00 00 00 05 00 87 00 17 34'],
    ['no password', '06 30 03 87 00 17'],
    ['an amount that is cut off', '06 30 0A 12 34 56 87 00 17 04 00 00 00'],
    ['an amount of seven bytes', '06 30 0E 12 34 56 87 00 17 04 00 00 00 00 05 00 34'],
    [
      'an unknown bitmap, and behind it what may be the amount',
      '06 30 12 12 34 56 87 00 17 49 02 08 7E 01 04 00 00 00 00 05 00',
    ],
    ['two amounts', '06 30 14 12 34 56 87 00 17 04 00 00 00 00 05 00 04 00 00 00 00 50 00'],
    ['a refund without an amount', '06 31 06 12 34 56 87 00 17'],
  ])('%s: 84 9A, and nothing is asked of the lane', async (_what, command) => {
    const cable = await new Cable().plugIn();
    expect(await declined(command, () => {}, cable)).toEqual(['84 9A 00']);
    expect(cable.commands.asked).toEqual([]);
  });

  test('an unknown bitmap behind the amount does not matter', async () => {
    const cable = await running(
      '06 30 13 12 34 56 87 00 17 04 00 00 00 00 05 00 49 02 08 7E 01 02',
    );
    expect(cable.commands.asked).toEqual(['refund of 17: 500 DKK']);
  });

  test('an amount without a currency is euro by the standard; all of a sale is what it was paid in', async () => {
    const cable = await running('06 30 0D 12 34 56 87 00 17 04 00 00 00 00 05 00');
    expect(cable.commands.asked).toEqual(['refund of 17: 500 EUR']);
    expect((await running()).commands.asked).toEqual(['refund of 17: all DKK']);
  });

  test('in a currency that no wallet has', async () => {
    const cable = await new Cable().plugIn();
    const said = await declined(
      '06 30 10 12 34 56 87 00 17 04 00 00 00 00 05 00 49 07 52',
      () => {},
      cable,
    );
    expect(said).toEqual([ack, expect.stringMatching(/^04 0F .. 27 6F /), '06 1E 01 6F']);
    expect(cable.commands.asked).toEqual([]);
  });
});

describe('06 31', () => {
  test('with a receipt number is a refund of that sale by that amount', async () => {
    const cable = await new Cable().plugIn();
    cable.commands.refund = { accepted: true, refund: partTicket };
    await running(byRefund, cable);
    expect(cable.commands.asked).toEqual(['refund of 17: 500 DKK']);
    const offer = cable.till.offerRefunded(partTicket);
    await cable.heard();
    await cable.send(ack);
    expect(await offer).toBe('acknowledged');
  });

  test('without one is refused with what to do instead: a payment is never guessed', async () => {
    const cable = await new Cable().plugIn();
    const said = await declined('06 31 0D 12 34 56 04 00 00 00 00 05 00 49 02 08', () => {}, cable);
    expect(said).toEqual([ack, expect.stringMatching(/^04 0F .. 27 B5 3C /), '06 1E 01 B5']);
    expect(textIn(said[1])).toContain('use reversal 06 30, or ask the manager');
    expect(cable.commands.asked).toEqual([]);
  });
});

describe('a refund that is asked for again', () => {
  test.each([reversal, partly, byRefund])(
    'because our answer was lost (%s): acknowledged and answered again, nothing begins',
    async (command) => {
      const cable = await new Cable().plugIn();
      cable.acknowledgesBlocks = false;
      expect(await cable.send(command)).toEqual(['ACK', ack]);
      expect(await cable.send(command)).toEqual(['ACK', ack]);
      cable.raw('06');
      expect(cable.commands.asked).toHaveLength(1);
    },
  );

  test.each([reversal, partly, byRefund])('while it runs (%s): "please wait"', async (command) => {
    const cable = await running(command);
    await cable.heard();
    expect(await cable.send(command)).toEqual(['ACK', '84 9C 00']);
    expect(cable.commands.asked).toHaveLength(1);
  });

  /**
   * A part was refunded and acknowledged, and then the till did not answer the terminal's last
   * packet.
   */
  const unheard = async (): Promise<Cable> => {
    const cable = await running(partly);
    const offer = cable.till.offerRefunded(partTicket);
    await cable.heard();
    await cable.send(ack);
    await offer;
    cable.till.concludeRefund(partTicket, { refunded: true });
    cable.commands.last = {
      refund: partTicket,
      outcome: { refunded: true },
      certainty: 'confirmed',
    };
    await cable.clock.pass(5_000);
    await cable.heard();
    return cable;
  };

  test('because its end was not heard: told once more, not repeated', async () => {
    const cable = await unheard();
    expect(await cable.send(partly)).toEqual([
      'ACK',
      ack,
      expect.stringMatching(/^04 0F .. 27 00 04 00 00 00 00 05 00 0B 00 00 42 37 00 00 41 /),
    ]);
    expect(await cable.send(ack)).toEqual(['ACK', '06 0F 00']);
    await cable.send(ack);
    expect(cable.commands.asked).toHaveLength(1);
    expect(await cable.send(partly)).toEqual(['ACK', ack]);
    expect(cable.commands.asked).toHaveLength(2);
  });

  test('after a restart in which nobody knows what the till heard: told once more, not repeated', async () => {
    const cable = await new Cable().plugIn();
    cable.commands.last = {
      refund: partTicket,
      outcome: { refunded: true },
      certainty: 'confirmed',
    };
    expect(await cable.send(partly)).toEqual([
      'ACK',
      ack,
      expect.stringMatching(/^04 0F .. 27 00 /),
    ]);
    expect(cable.commands.asked).toEqual([]);
  });

  test('while the lane still decides one: the lane says so, what was last is not told', async () => {
    const cable = await new Cable().plugIn();
    cable.commands.last = {
      refund: partTicket,
      outcome: { refunded: true },
      certainty: 'confirmed',
    };
    cable.commands.ready = 'busy';
    cable.commands.refund = { accepted: false, reason: 'busy' };
    expect(await cable.send(partly)).toEqual(['ACK', '84 9C 00']);
  });

  test('because its end was not heard, but it had failed: begins anew', async () => {
    const cable = await unheard();
    cable.commands.last = {
      refund: partTicket,
      outcome: { refunded: false, reason: 'notDelivered' },
      certainty: 'confirmed',
    };
    await cable.send(partly);
    expect(cable.commands.asked).toHaveLength(2);
  });

  test('because its end was not heard, and the service contradicts it since: the lane says what is so, "refunded" is not told again', async () => {
    const cable = await unheard();
    cable.commands.last = {
      refund: partTicket,
      outcome: { refunded: true },
      certainty: 'contested',
    };
    await cable.send(partly);
    expect(cable.commands.asked).toHaveLength(2);
  });

  test('with another amount, or much later, is another refund', async () => {
    const cable = await unheard();
    await cable.send('06 30 10 12 34 56 87 00 17 04 00 00 00 00 06 00 49 02 08');
    expect(cable.commands.asked.at(-1)).toBe('refund of 17: 600 DKK');
    const later = await unheard();
    await later.clock.pass(600_000);
    await later.send(partly);
    expect(later.commands.asked).toHaveLength(2);
  });

  test('after the till has read the receipt again, is another refund', async () => {
    const cable = await unheard();
    await cable.send('06 20 05 12 34 56 03 01');
    await cable.send(ack);
    await cable.send(ack);
    await cable.send(partly);
    expect(cable.commands.asked).toHaveLength(2);
  });
});

describe('a repeated receipt of a refund', () => {
  test('tells its status information, and prints', async () => {
    const cable = await registered('82');
    cable.commands.last = {
      refund: refundTicket,
      outcome: { refunded: true },
      certainty: 'confirmed',
    };
    expect(await cable.send('06 20 05 12 34 56 03 01')).toEqual([
      'ACK',
      ack,
      expect.stringMatching(refundedStatus),
    ]);
    const lines: string[] = [];
    for (
      let packet = await cable.send(ack);
      packet[1]?.startsWith('06 D1');
      packet = await cable.send(ack)
    )
      lines.push(textIn(packet[1]));
    expect(lines.join('\n')).toMatch(
      /REFUND\n[^]*DKK 12\.34\n[^]*REFUNDED\n[^]*Original receipt +0017/,
    );
  });

  test('that did not happen tells why, and prints nothing', async () => {
    const cable = await registered('82');
    cable.commands.last = {
      refund: refundTicket,
      outcome: { refunded: false, reason: 'tooOld' },
      certainty: 'confirmed',
    };
    expect((await cable.send('06 20 05 12 34 56 03 01'))[2]).toMatch(/^04 0F .. 27 B5 /);
    expect(await cable.send(ack)).toEqual(['ACK', '06 0F 00']);
  });

  test('says REFUNDERING to a Danish till', async () => {
    const cable = await registered('82', danish);
    cable.commands.last = {
      refund: refundTicket,
      outcome: { refunded: true },
      certainty: 'confirmed',
    };
    await cable.send('06 20 03 12 34 56');
    const lines: string[] = [];
    for (
      let packet = await cable.send(ack);
      packet[1]?.startsWith('06 D1');
      packet = await cable.send(ack)
    )
      lines.push(textIn(packet[1]));
    expect(lines.join('\n')).toMatch(/REFUNDERING\n[^]*Oprindelig bon +0017/);
  });
});

test('a refund and a sale do not answer for each other', async () => {
  const cable = await running();
  expect(await cable.till.offerPaid(ticket)).toBe('notAcknowledged');
  expect(await cable.till.offerRefunded({ ...refundTicket, refundOrderId: 'another' })).toBe(
    'notAcknowledged',
  );
});
