import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { TillLanguages } from '../../../../main/counter/app/till-languages.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import type { Hindrance } from '../../../../main/core/lane/till-port.ts';
import { describe as inWords } from '../../../../main/tills/zvt/describe.ts';
import { encodeText, decodeText } from '../../../../main/tills/zvt/text.ts';
import { hex } from '../../../../main/tills/zvt/packets.ts';
import { ManualClock, settled } from '../../support/manual-clock.ts';
import { ack, bytesOf, Cable, eventually, registered, TcpLine, ticket } from './support.ts';

const authorisation = '06 01 0A 04 00 00 00 00 12 34 49 02 08';

/** The answer to a command, and what follows while the till accepts all of it. */
async function said(command: string, cable: Cable): Promise<string[]> {
  const all: string[] = [];
  for (
    let packets = await cable.send(command);
    packets.some((packet) => packet !== 'ACK');
    packets = await cable.send(ack)
  )
    all.push(...packets.filter((packet) => packet !== 'ACK'));
  return all;
}
const printed = (packets: readonly string[]): string[] =>
  packets
    .filter((packet) => packet.startsWith('06 D1'))
    .map((packet) => decodeText(bytesOf(packet).subarray(4)));

describe('a key that changes nothing here', () => {
  test.each([
    ['06 18, reset', '06 18 00'],
    ['06 70, diagnosis', '06 70 00'],
    ['06 70 of the line', '06 70 05 06 03 1B 01 01'],
    ['06 79, self-test', '06 79 00'],
    ['06 1A, print configuration', '06 1A 00'],
    ['06 91, set time', '06 91 0B 12 34 56 AA 26 11 22 0C 10 15 30'],
    ['06 93, initialisation', '06 93 03 12 34 56'],
    ['08 30, select language', '08 30 01 0C'],
  ])(
    '%s is completed, and prints nothing on a till that prints nothing',
    async (_what, command) => {
      const cable = await new Cable().plugIn();
      expect(await said(command, cable)).toEqual([ack, '06 0F 00']);
      expect(cable.commands.asked).toEqual([]);
    },
  );

  test.each([
    ['06 1B, set terminal id', '06 1B 08 12 34 56 29 00 00 00 02'],
    ['06 95, change password', '06 95 06 12 34 56 65 43 21'],
    ['06 C0, read card', '06 C0 0F 0F 19 10 FC 02 06 08 1F 15 01 D0 1F 60 01 07'],
    ['06 C5, close card session', '06 C5 00'],
    ['06 C6, APDUs to a card', '06 C6 02 06 00'],
    ['06 E1, ask for a key', '06 E1 08 F0 03 F1 F0 F3 4F 6B 3F'],
    ['06 E2, ask for a number', '06 E2 00'],
    ['06 E3, ask for a PIN', '06 E3 00'],
    ['06 D1, print a line of the till', '06 D1 02 00 41'],
    ['06 D3, print a block of the till', '06 D3 02 06 00'],
    ['08 50, activate card reader', '08 50 02 FA 00'],
    ['0F A1, of a manufacturer', '0F A1 02 00 01'],
    ['06 1E, abort from a till', '06 1E 01 6C'],
  ])('%s is 84 83, which lets a till go on, also while a payment runs', async (_what, command) => {
    const cable = await new Cable().plugIn();
    expect(await said(command, cable)).toEqual(['84 83 00']);
    await cable.send(authorisation);
    expect(await cable.send(command)).toEqual(['ACK', '84 83 00']);
    expect(cable.commands.asked).toEqual(['sale 1234 DKK']);
  });

  test('06 E0, a text for the customer in whatever character set, is taken and dropped, also while a payment runs', async () => {
    const display =
      '06 E0 18 F1 F1 F1 47 72 C3 BC C3 9F 20 47 6F 74 74 F2 F0 F7 4B 61 73 73 65 20 31';
    const cable = await new Cable().plugIn();
    expect(await said(display, cable)).toEqual([ack]);
    await cable.send(authorisation);
    expect(await cable.send(display)).toEqual(['ACK', ack]);
  });

  test.each([
    '06 18 00',
    '06 70 00',
    '06 79 00',
    '06 1A 00',
    '06 91 0B 12 34 56 AA 26 11 22 0C 10 15 30',
    '06 93 03 12 34 56',
    '08 30 01 0C',
  ])('%s is "please wait" while a payment runs, which goes on', async (command) => {
    const cable = await registered('08');
    await cable.send(authorisation);
    await cable.heard();
    expect(await cable.send(command)).toEqual(['ACK', '84 9C 00']);
    await cable.send(ack);
    cable.till.progress(ticket.saleId, 'waitingForCustomer');
    expect(await cable.heard()).toEqual(['04 FF 01 0A']);
  });

  test.each([
    ['06 1B 00', 'Set terminal id 06 1B'],
    ['06 95 06 12 34 56 65 43 21', 'Change password 06 95'],
    ['06 C0 01 00', 'Read card 06 C0'],
    ['06 E0 05 F1 F0 F2 4F 6B', 'Display text 06 E0'],
    ['08 30 01 0C', 'Select language 08 30: language 0C'],
    ['06 D3 08 06 06 25 04 07 02 4F 6B', 'Print text block 06 D3: "Ok"'],
  ])('%s is in the log as %s: no password, no text of a display', (bytes, words) => {
    expect(inWords(bytesOf(bytes))).toBe(words);
  });
});

describe('a diagnosis', () => {
  test.each([
    ['serviceUnreachable', 'A3'],
    ['starting', 'A3'],
    ['needsPerson', '6B'],
  ] as const)('fails while %s with %s', async (hindrance, code) => {
    const cable = await new Cable().plugIn();
    cable.commands.hindered = hindrance;
    expect(await said('06 70 00', cable)).toEqual([ack, `06 1E 01 ${code}`]);
  });

  test('is not held up by a payment on another line: what the lane knows counts', async () => {
    const cable = await new Cable().plugIn();
    cable.commands.ready = 'busy';
    expect(await said('06 70 00', cable)).toEqual([ack, '06 0F 00']);
  });
});

describe('what the terminal is, on paper', () => {
  test('06 1A prints version, terminal, lane, wallet and clock for a till that prints administration receipts', async () => {
    const cable = await registered('84');
    const packets = await said('06 1A 00', cable);
    expect(packets.at(-1)).toBe('06 0F 00');
    expect(printed(packets)).toEqual([
      'Tillbeacon',
      '-'.repeat(40),
      'Version                            1.2.3',
      'Terminal                        00000001',
      'Lane                         Check-out 1',
      'Mobile wallet                      Ready',
      expect.stringMatching(/^Clock {19}\d{4}-\d\d-\d\d \d\d:\d\d$/),
    ]);
    // The last line says so, the title is centred.
    expect(
      packets.filter((packet) => packet.startsWith('06 D1')).map((packet) => packet.slice(9, 11)),
    ).toEqual(['40', '00', '00', '00', '00', '00', '81']);
  });

  test('06 79 adds how it is, in the till’s language', async () => {
    const cable = await registered('84', '06 06 28 04 15 02 64 61');
    cable.commands.hindered = 'serviceUnreachable';
    expect(printed(await said('06 79 00', cable)).slice(-4)).toEqual([
      expect.stringMatching(/^Mobilbetaling +Ingen forbindelse$/),
      expect.stringMatching(/^Ur +\d/),
      '-'.repeat(40),
      expect.stringMatching(/^Selvtest +FEJL$/),
    ]);
  });

  test('a till that prints receipts alone gets none of it', async () => {
    expect(await said('06 1A 00', await registered('82'))).toEqual([ack, '06 0F 00']);
  });

  test('a till that cannot print ends it with the code for that', async () => {
    const cable = await registered('84');
    await cable.send('06 1A 00');
    expect(await cable.send('84 CC 00')).toEqual(['ACK', '06 1E 01 CC']);
    expect(await cable.send(ack)).toEqual(['ACK']);
  });
});

describe('08 30, the till’s language', () => {
  const refusedIn = async (cable: Cable): Promise<string> => {
    await cable.send(ack);
    cable.commands.sale = { accepted: false, reason: 'wrongCurrency' };
    return decodeText(bytesOf((await said(authorisation, cable))[1] ?? ''));
  };
  test.each([
    ['0C', 'Forkert valuta'],
    ['08', 'Fel valuta'],
    ['01', 'Wrong currency'],
    ['00', 'Wrong currency'],
    ['FF', 'Wrong currency'],
  ])('%s', async (language, words) => {
    const cable = await new Cable().plugIn();
    await said(`08 30 01 ${language}`, cable);
    expect(await refusedIn(cable)).toContain(words);
  });

  test('is the shop’s as long as the till names none that we speak', async () => {
    const cable = await new Cable({}, silentLog, undefined, 'fi').plugIn();
    expect(await refusedIn(cable)).toContain('Vaara valuutta');
    await said('06 00 06 12 34 56 00 02 08', cable);
    expect(await refusedIn(cable)).toContain('Vaara valuutta');
    await said('08 30 01 00', cable);
    expect(await refusedIn(cable)).toContain('Vaara valuutta');
    await said('08 30 01 01', cable);
    expect(await refusedIn(cable)).toContain('Wrong currency');
  });

  test('counts more than what the next registration names, and stays after log-off and reset', async () => {
    const cable = await registered('00', '06 06 28 04 15 02 66 69');
    await said('08 30 01 0C', cable);
    await said('06 00 0E 12 34 56 00 02 08 06 06 28 04 15 02 66 69', cable);
    expect(await refusedIn(cable)).toContain('Forkert valuta');
    await said('06 02 00', cable);
    expect(await refusedIn(cable)).toContain('Forkert valuta');
    await said('06 18 00', cable);
    expect(await refusedIn(cable)).toContain('Forkert valuta');
  });

  test('holds after a restart, once it was written', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'tillbeacon-languages-')), 'till-languages.json');
    const clock = new ManualClock();
    const opened = (): TillLanguages => new TillLanguages({ path, clock, log: silentLog });
    const cable = await new Cable({}, silentLog, opened().ofLane('1')).plugIn();
    await said('08 30 01 0C', cable);
    expect(existsSync(path)).toBe(false);
    await clock.pass(1_000);
    const restarted = opened();
    expect(
      await refusedIn(await new Cable({}, silentLog, restarted.ofLane('1')).plugIn()),
    ).toContain('Forkert valuta');
    expect(restarted.ofLane('2').read()).toBeNull();
    restarted.ofLane('2').keep('sv');
    restarted.close();
    expect(opened().ofLane('2').read()).toBe('sv');
    writeFileSync(path, '{"1":"de"}');
    expect(opened().ofLane('1').read()).toBeNull();
    rmSync(dirname(path), { recursive: true });
  });

  test('without its byte cannot be read', async () => {
    expect(await said('08 30 00', await new Cable().plugIn())).toEqual(['84 9A 00']);
  });
});

describe('06 18, reset', () => {
  test('ends what was agreed: no intermediate status, no lines', async () => {
    const cable = await registered('8A');
    expect(await said('06 18 00', cable)).toEqual([ack, '06 0F 00']);
    expect(await cable.send(authorisation)).toEqual(['ACK', ack]);
  });
});

describe('08 40, the speed of the line', () => {
  test.each([
    ['00', ack, 'that it has'],
    ['01', '84 7D 00', 'that it has not'],
    ['06', '84 7D 00', 'that it has not'],
    ['07', '84 7D 00', 'that it has not'],
    ['02', '84 FD 00', 'that is none'],
    ['FF', '84 FD 00', 'that is none'],
  ])('%s on a line of 9600 baud is answered with %s: a speed %s', async (rate, answer) => {
    const cable = await new Cable().plugIn();
    expect(await said(`08 40 01 ${rate}`, cable)).toEqual([answer]);
    await cable.clock.pass(3_000);
    expect(cable.opened).toBe(1);
    expect(await cable.send(authorisation)).toEqual(['ACK', ack]);
  });
});

describe('05 01, status enquiry', () => {
  test.each([
    ['ready', null, '00'],
    ['busy', null, '9C'],
    ['busy', 'needsPerson', '9C'],
    ['notReady', 'serviceUnreachable', '9C'],
    ['notReady', 'starting', '9C'],
    ['notReady', 'needsPerson', 'DF'],
  ] as const)('%s, %s: %s', async (ready, hindrance: Hindrance | null, status) => {
    const cable = await new Cable().plugIn();
    cable.commands.ready = ready;
    cable.commands.hindered = hindrance;
    expect(await said('05 01 05 12 34 56 03 02', cable)).toEqual([ack, `06 0F 01 ${status}`]);
  });

  test('without data or with a password alone names the version', async () => {
    const withVersion = [
      ack,
      '06 0F 14 F0 F1 F6 54 69 6C 6C 62 65 61 63 6F 6E 20 31 2E 32 2E 33 00',
    ];
    const cable = await new Cable().plugIn();
    expect(await said('05 01 00', cable)).toEqual(withVersion);
    expect(await said('05 01 03 12 34 56', cable)).toEqual(withVersion);
  });

  test('with service bit 04 tells what the terminal is: id, name, version, state, clock', async () => {
    const cable = await new Cable().plugIn();
    const at = new Date(cable.clock.wallMs());
    const two = (value: number): string => String(value).padStart(2, '0');
    const date = `${String(at.getFullYear()).slice(0, 2)} ${String(at.getFullYear()).slice(2)} ${two(at.getMonth() + 1)} ${two(at.getDate())}`;
    const time = `${two(at.getHours())} ${two(at.getMinutes())} ${two(at.getSeconds())}`;
    const objects = [
      '1F 44 04 00 00 00 01',
      'E4 20 1F 40 0A 54 69 6C 6C 62 65 61 63 6F 6E 1F 41 05 31 2E 32 2E 33 1F 42 04 00 00 00 01 1F 43 01 00',
      `34 0D 1F 0E 04 ${date} 1F 0F 03 ${time}`,
    ];
    expect(await said('05 01 05 12 34 56 03 06', cable)).toEqual([
      ack,
      `06 0F 3B 00 06 38 ${objects.join(' ')}`,
    ]);
    cable.commands.ready = 'notReady';
    expect((await said('05 01 05 12 34 56 03 06', cable))[1]).toMatch(
      /^06 0F 40 9C 06 3D .* 1F 55 02 00 10$/,
    );
  });

  test('names the terminal id of its lane, also as the serial number, on paper and in every result', async () => {
    const cable = await new Cable({ terminalId: '00471234' }).plugIn();
    expect((await said('05 01 05 00 00 00 03 06', cable))[1]).toMatch(
      / 1F 44 04 00 47 12 34 E4 .* 1F 42 04 00 47 12 34 1F 43 /,
    );
    expect((await said('06 00 06 12 34 56 82 02 08', cable))[1]).toBe(
      '06 0F 0A 19 00 29 00 47 12 34 49 02 08',
    );
    await cable.send(authorisation);
    void cable.till.offerPaid(ticket);
    expect((await cable.heard())[0]).toContain(' 29 00 47 12 34 ');
    const paper = printed(await said(ack, cable)).join('\n');
    expect(paper).toMatch(/Terminal +00471234/);
  });

  test('with every service bit set names the status alone, as captured terminals do', async () => {
    const cable = await new Cable().plugIn();
    expect(await said('05 01 05 12 34 56 03 07', cable)).toEqual([ack, '06 0F 01 00']);
    const agreed = await registered('3E', '03 03 06 06 26 04 0A 02 06 D3');
    expect(await said('05 01 05 12 34 56 03 07', agreed)).toEqual([ack, '06 0F 01 00']);
  });

  test('is answered within a running command, which goes on', async () => {
    const cable = await registered('82');
    cable.commands.last = { sale: ticket, outcome: { paid: true }, certainty: 'confirmed' };
    await cable.send('06 20 03 12 34 56');
    expect(await cable.send('05 01 05 12 34 56 03 02')).toEqual(['ACK', ack]);
    const rest: string[] = [];
    for (
      let packets = await cable.send(ack);
      packets.some((packet) => packet !== 'ACK');
      packets = await cable.send(ack)
    )
      rest.push(...packets.filter((packet) => packet !== 'ACK'));
    expect(rest).toContain('06 0F 01 00');
    expect(rest.filter((packet) => packet === '06 0F 00')).toHaveLength(1);
  });
});

describe('06 B0, abort, phase by phase', () => {
  const abort = '06 B0 00';
  const conversation = {
    ...ticket,
    amountMinor: 10_100,
    receiptNumber: 43,
    traceNumber: 43,
    startedAtMs: new Date(2026, 10, 22, 10, 15, 0).getTime(),
  };
  const begun = async (): Promise<Cable> => {
    const cable = await new Cable().plugIn();
    cable.commands.sale = { accepted: true, sale: conversation };
    await cable.send('06 01 0A 04 00 00 00 01 01 00 49 02 08');
    await cable.heard();
    return cable;
  };
  const cancelled = [
    '04 0F 4B 27 6C 04 00 00 00 01 01 00 0B 00 00 43 0C 10 15 00 0D 11 22 19 70 29 00 00 00 01 49 02 08 87 00 43',
    '3C F0 F2 F1 43 61 6E 63 65 6C 6C 65 64 20 61 74 20 74 68 65 20 74 69 6C 6C',
    '8B F1 F4 4D 6F 62 69 6C 65 20 77 61 6C 6C 65 74 00',
  ].join(' ');

  test('while the customer has not approved: taken, then told as cancelled, byte by byte', async () => {
    const cable = await begun();
    cable.commands.onAbort = () =>
      cable.till.conclude(conversation, { paid: false, reason: 'cancelledByTill' });
    expect(await said(abort, cable)).toEqual([ack, cancelled, '06 1E 01 6C']);
  });

  test('that crosses an intermediate status: the late answer to that is none to what follows', async () => {
    const cable = await registered('08');
    cable.commands.sale = { accepted: true, sale: conversation };
    await cable.send('06 01 0A 04 00 00 00 01 01 00 49 02 08');
    expect(await cable.send(abort)).toEqual(['ACK', ack]);
    cable.till.conclude(conversation, { paid: false, reason: 'cancelledByTill' });
    expect(await cable.heard()).toEqual([]);
    expect(await cable.send(ack)).toEqual(['ACK', cancelled]);
    expect(await cable.send(ack)).toEqual(['ACK', '06 1E 01 6C']);
  });

  test('too late: the payment goes on as paid', async () => {
    const cable = await begun();
    cable.commands.abortAnswer = 'tooLate';
    expect(await cable.send(abort)).toEqual(['ACK', '84 83 00']);
    const offer = cable.till.offerPaid(conversation);
    const paid =
      '04 0F 32 27 00 04 00 00 00 01 01 00 0B 00 00 43 0C 10 15 00 0D 11 22 19 70 29 00 00 00 01 49 02 08 87 00 43 8B F1 F4';
    expect(await cable.heard()).toEqual([`${paid} 4D 6F 62 69 6C 65 20 77 61 6C 6C 65 74 00`]);
    await cable.send(ack);
    expect(await offer).toBe('acknowledged');
    cable.till.conclude(conversation, { paid: true });
    expect(await cable.heard()).toEqual(['06 0F 00']);
    // The lane has nothing left to cancel, and would say so.
    cable.commands.abortAnswer = 'aborting';
    expect(await cable.send(abort)).toEqual(['ACK', '84 83 00']);
    await cable.send(ack);
    expect(await cable.send(abort)).toEqual(['ACK', ack]);
  });

  test('behind a failure that is being told: taken, and asks the lane for nothing', async () => {
    const cable = await begun();
    cable.till.conclude(conversation, { paid: false, reason: 'declinedByCustomer' });
    await cable.heard();
    cable.commands.abortAnswer = 'tooLate';
    expect(await cable.send(abort)).toEqual(['ACK', ack]);
    expect(await cable.send(ack)).toEqual(['ACK', '06 1E 01 05']);
    expect(cable.commands.asked).not.toContain('abort');
  });

  test.each([
    ['06 20, what is printed again', '82', '06 20 03 12 34 56'],
    ['06 1A', '84', '06 1A 00'],
    ['06 79', '84', '06 79 00'],
    ['06 70', '84', '06 70 00'],
    ['06 93', '84', '06 93 03 12 34 56'],
  ])('of %s: too late, it goes on to its end', async (_what, config, command) => {
    const cable = await registered(config);
    cable.commands.last = { sale: ticket, outcome: { paid: true }, certainty: 'confirmed' };
    await cable.send(command);
    const all = await said(abort, cable);
    expect(all[0]).toBe('84 83 00');
    // The first of these belongs to what was sent before the abort.
    expect(
      command.startsWith('06 70') || command.startsWith('06 93') ? '06 0F 00' : all.at(-1),
    ).toBe('06 0F 00');
    expect(await cable.send(abort)).toEqual(['ACK', ack]);
  });

  test('of nothing: taken, and nothing more, whatever its data', async () => {
    const cable = await new Cable().plugIn();
    expect(await said('06 B0 04 D2 01 FA 00', cable)).toEqual([ack]);
    expect(cable.commands.asked).toEqual([]);
  });
});

describe('somebody else in the network', () => {
  let line: TcpLine;
  afterEach(() => line.till.close());
  const ask = async (socket: Socket, bytes: string): Promise<string> => {
    const heard: Uint8Array[] = [];
    const hear = (chunk: Uint8Array): void => void heard.push(chunk);
    socket.on('data', hear);
    socket.write(bytesOf(bytes));
    await eventually(() => heard.length > 0);
    for (let turn = 0; turn < 50; turn += 1) await settled();
    socket.off('data', hear);
    return hex(Buffer.concat(heard));
  };
  /** Runs a whole command that prints nothing. */
  const done = async (socket: Socket, command: string): Promise<void> => {
    expect(await ask(socket, command)).toMatch(/^80 00 00 06 0F /);
    socket.write(bytesOf(ack));
    for (let turn = 0; turn < 50; turn += 1) await settled();
  };
  /** The language of the text with which a new connection is refused. */
  const wordsOfAnother = async (): Promise<string> => {
    const till = await line.register();
    line.commands.sale = { accepted: false, reason: 'wrongCurrency' };
    const refused = await till.pay(1234, 'DKK');
    await till.close();
    return decodeText(refused.statusInformations[0]?.get(0x3c) ?? encodeText(''));
  };

  test('chooses a language for itself alone', async () => {
    line = await TcpLine.open();
    const stranger = await line.socket();
    await done(stranger, '08 30 01 0C');
    expect(await wordsOfAnother()).toBe('Wrong currency');
    stranger.destroy();
  });

  test('does not choose it for a till with a password, and does not take away what that has chosen', async () => {
    line = await TcpLine.open({ password: '111222' });
    const till = await line.socket();
    await done(till, '06 00 06 11 12 22 00 02 08');
    await done(till, '08 30 01 0C');
    till.destroy();
    expect(await wordsOfAnother()).toBe('Forkert valuta');
    const stranger = await line.socket();
    await done(stranger, '08 30 01 08');
    await done(stranger, '06 18 00');
    stranger.destroy();
    expect(await wordsOfAnother()).toBe('Forkert valuta');
  });

  test('resets nobody’s registration and ends nobody’s payment', async () => {
    line = await TcpLine.open();
    const till = await line.registered();
    const payment = till.pay(1234, null);
    await line.asked('sale 1234 DKK');
    const stranger = await line.socket();
    for (const command of [
      '06 18 00',
      '06 02 00',
      '06 B0 00',
      '06 93 03 12 34 56',
      '08 40 01 07',
      '06 E0 00',
    ])
      expect(await ask(stranger, command)).toContain(ack);
    stranger.destroy();
    expect(await line.till.offerPaid(ticket)).toBe('acknowledged');
    line.till.conclude(ticket, { paid: true });
    expect((await payment).ended).toMatchObject({ by: 'completion' });
    expect(line.commands.asked).toEqual(['sale 1234 DKK']);
  });

  test('changes no speed: there is none, and the connection stays as it is', async () => {
    line = await TcpLine.open();
    const stranger = await line.socket();
    expect(await ask(stranger, '08 40 01 07')).toBe(ack);
    await line.clock.pass(3_000);
    expect(await ask(stranger, '05 01 05 12 34 56 03 02')).toContain(ack);
    stranger.destroy();
  });

  test('learns nothing of the password from changing it, and proves nothing with it', async () => {
    line = await TcpLine.open({ password: '111222' });
    const stranger = await line.socket();
    for (const guess of ['12 34 56', '11 12 22'])
      expect(await ask(stranger, `06 95 06 ${guess} 00 00 00`)).toBe('84 83 00');
    stranger.write(bytesOf('06 30 0D 99 99 99 87 00 17 04 00 00 00 00 12 34'));
    await eventually(() => line.notices.list().length > 0);
    expect(line.notices.list()).toMatchObject([{ code: 'tillPasswordWrong', count: 1 }]);
    expect(line.commands.asked).toEqual([]);
    stranger.destroy();
  });

  test('does not set the clock with a wrong password', async () => {
    line = await TcpLine.open({ password: '111222' });
    const stranger = await line.socket();
    expect(await ask(stranger, '06 91 0B 12 34 56 AA 26 11 22 0C 10 15 30')).toBe('84 37 00');
    stranger.destroy();
  });
});
