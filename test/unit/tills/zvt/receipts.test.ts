import { describe, expect, test } from 'vitest';
import { languages } from '../../../../main/core/domain/languages.ts';
import { unnamedShop } from '../../../../main/core/domain/shop.ts';
import { describe as inWords, printedText } from '../../../../main/tills/zvt/describe.ts';
import { type PaperLine, paperPackets } from '../../../../main/tills/zvt/paper.ts';
import { hex, parsePacket } from '../../../../main/tills/zvt/packets.ts';
import { layout, receiptLines } from '../../../../main/tills/zvt/receipt.ts';
import {
  notRegistered,
  readRegistration,
  type Registration,
} from '../../../../main/tills/zvt/registration.ts';
import {
  CHARSET,
  decodeText,
  encodeAscii,
  encodeText,
  isCharset,
  writable,
} from '../../../../main/tills/zvt/text.ts';
import { parseTlv } from '../../../../main/tills/zvt/tlv.ts';
import { statusInformation } from '../../../../main/tills/zvt/answers.ts';
import { resultOf } from '../../../../main/tills/zvt/result-codes.ts';
import { tillTexts } from '../../../../main/tills/zvt/texts.ts';
import { ack, bytesOf, Cable, refundTicket, registered, ticket } from './support.ts';

const authorisation = '06 01 0A 04 00 00 00 00 12 34 49 02 08';
const sized = (command: string): string => {
  const [classByte, instruction, ...data] = command.split(' ');
  return [
    classByte,
    instruction,
    data.length.toString(16).padStart(2, '0').toUpperCase(),
    ...data,
  ].join(' ');
};
const container = (objects: string): string =>
  objects === ''
    ? '06 00'
    : `06 ${objects.split(' ').length.toString(16).padStart(2, '0')} ${objects}`;
const blocks = '26 04 0A 02 06 D3';

/** What the terminal sends while the till accepts everything. */
async function taken(cable: Cable, first: readonly string[] = []): Promise<string[]> {
  const all: string[] = [];
  for (
    let packets = [...first, ...(await cable.heard())];
    packets.some((packet) => packet !== 'ACK');
    packets = await cable.send(ack)
  )
    all.push(...packets.filter((packet) => packet !== 'ACK'));
  return all;
}
/** A till that has registered with these objects in its container and requested a payment. */
async function paying(
  config: string,
  objects: string | null,
  command = authorisation,
): Promise<Cable> {
  const cable = await registered(config, objects === null ? '' : container(objects));
  await cable.send(command);
  await cable.heard();
  return cable;
}
async function paid(cable: Cable): Promise<string[]> {
  const offer = cable.till.offerPaid(ticket);
  const packets = await taken(cable);
  expect(await offer).toBe('acknowledged');
  cable.till.conclude(ticket, { paid: true });
  return [...packets, ...(await taken(cable))];
}
const objectsOf = (packet: string): [string, string][] => {
  const parsed = parsePacket(bytesOf(packet));
  if (parsed.kind !== 'packet') throw new Error(parsed.kind);
  return parseTlv(parsed.fields.get(0x06) ?? new Uint8Array()).map(({ tag, value }) => [
    tag.toString(16),
    hex(value),
  ]);
};
const textsOf = (packet: string, charset: number = CHARSET.codePage437): string[] => {
  const [, , texts] = ['', '', objectsOf(packet).find(([tag]) => tag === '25')?.[1] ?? ''];
  return parseTlv(bytesOf(texts)).flatMap(({ tag, value }) =>
    tag === 0x07 ? [decodeText(value, charset)] : [],
  );
};
const isBlock = (packet: string): boolean => packet.startsWith('06 D3');
const isLine = (packet: string): boolean => packet.startsWith('06 D1');

describe('a registration is answered with what was agreed', () => {
  const answered = async (command: string): Promise<string> =>
    (await (await new Cable().plugIn()).send(command))[2] ?? '';
  test.each([
    ['currency alone', '06 00 06 12 34 56 DE 02 08', '06 0F 0A 19 00 29 00 00 00 01 49 02 08'],
    [
      'an empty container',
      '06 00 08 12 34 56 DE 02 08 06 00',
      '06 0F 0A 19 00 29 00 00 00 01 49 02 08',
    ],
    [
      'width, length, blocks, UTF-8 (conversation 3)',
      '06 00 25 12 34 56 BE 02 08 03 01 06 1B 12 01 48 1A 02 08 00 26 08 0A 02 06 D3 0A 02 04 01 27 03 14 01 FE 1F 04 02 A0 00',
      '06 0F 1E 19 00 29 00 00 00 01 49 02 08 06 12 12 01 48 1A 02 0F FF 26 04 0A 02 06 D3 27 03 14 01 FE',
    ],
    [
      'message numbers offered, not taken (conversation 24)',
      '06 00 14 00 00 00 9E 02 08 06 0C 26 04 0A 02 06 D3 1F 73 03 00 00 00',
      '06 0F 12 19 00 29 00 00 00 01 49 02 08 06 06 26 04 0A 02 06 D3',
    ],
    [
      'a character set by itself',
      '06 00 0B 12 34 56 DE 02 08 06 03 14 01 02',
      '06 0F 0F 19 00 29 00 00 00 01 49 02 08 06 03 14 01 02',
    ],
    [
      'several character sets: none',
      '06 00 10 12 34 56 DE 02 08 06 08 27 06 14 01 02 14 01 FE',
      '06 0F 0A 19 00 29 00 00 00 01 49 02 08',
    ],
    [
      'a character set that does not exist',
      '06 00 0B 12 34 56 DE 02 08 06 03 14 01 0C',
      '06 0F 0A 19 00 29 00 00 00 01 49 02 08',
    ],
    [
      'other commands alone',
      '06 00 0E 12 34 56 DE 02 08 06 06 26 04 0A 02 04 01',
      '06 0F 0A 19 00 29 00 00 00 01 49 02 08',
    ],
    [
      'languages: those in common',
      '06 00 16 12 34 56 DE 02 08 06 0E 28 0C 15 02 44 45 15 02 64 61 15 02 46 49',
      '06 0F 16 19 00 29 00 00 00 01 49 02 08 06 0A 28 08 15 02 44 41 15 02 46 49',
    ],
    [
      'languages: Norwegian by the code that the till has for it',
      '06 00 12 12 34 56 DE 02 08 06 0A 28 08 15 02 44 45 15 02 4E 4F',
      '06 0F 12 19 00 29 00 00 00 01 49 02 08 06 06 28 04 15 02 4E 4F',
    ],
  ])('%s', async (_what, command, answer) => {
    expect(await answered(command)).toBe(answer);
  });

  test('with everything that a till can say (conversation 2), in our currency', async () => {
    const everything =
      '06 00 63 00 00 00 FE 02 08 03 00 06 59 10 02 16 02 12 01 40 1A 02 10 00 26 28 0A 02 04 0F 0A 02 06 0F 0A 02 06 1E 0A 02 04 FF 0A 02 06 D8 0A 02 06 DB 0A 02 06 D9 0A 02 06 DA 0A 02 06 DD 0A 02 06 D3 27 03 14 01 FF 28 10 15 02 44 45 15 02 45 4E 15 02 46 52 15 02 49 54 40 02 C0 00 1F 04 02 F1 00 1F 05 01 00';
    expect(await answered(everything)).toBe(
      '06 0F 24 19 00 29 00 00 00 01 49 02 08 06 18 12 01 40 1A 02 0F FF 26 04 0A 02 06 D3 27 03 14 01 FF 28 04 15 02 45 4E',
    );
  });
});

describe('text blocks', () => {
  test('a payment with both copies (conversation 6): TLV of the command, 04 FF in words, no line to sign, blocks, end', async () => {
    const cable = await registered(
      'BE',
      container(`12 01 48 1A 02 08 00 26 08 0A 02 06 D3 0A 02 04 01 27 03 14 01 FE 1F 04 02 A0 00`),
    );
    const sale = {
      ...ticket,
      amountMinor: 10_100,
      receiptNumber: 42,
      traceNumber: 42,
      startedAtMs: new Date(2026, 10, 22, 10, 15, 0).getTime(),
    };
    cable.commands.sale = { accepted: true, sale };
    await cable.send('06 01 0E 04 00 00 00 01 01 00 49 02 08 19 40 06 00');
    await cable.send(ack);
    cable.till.progress(sale.saleId, 'waitingForCustomer');
    expect(await cable.heard()).toEqual([
      '04 FF 18 FF 03 06 14 24 12 07 10 53 63 61 6E 20 74 68 65 20 51 52 20 63 6F 64 65',
    ]);
    await cable.send(ack);
    const offer = cable.till.offerPaid(sale);
    const [status, merchant, customer, ...more] = await taken(cable);
    expect(await offer).toBe('acknowledged');
    expect(more).toEqual([]);
    const told =
      '04 0F 3C 27 00 04 00 00 00 01 01 00 0B 00 00 42 0C 10 15 00 0D 11 22 19 70 29 00 00 00 01 49 02 08 87 00 42 8B F1 F4';
    expect(status).toBe(
      `${told} 4D 6F 62 69 6C 65 20 77 61 6C 6C 65 74 00 06 08 1F 10 01 00 1F 12 01 02`,
    );
    for (const [packet, holder, title] of [
      [merchant, '01', 'MERCHANT COPY'],
      [customer, '02', 'CUSTOMER COPY'],
    ] as const) {
      expect(objectsOf(packet ?? '').slice(0, 2)).toEqual([
        ['1f07', holder],
        ['1f37', '01'],
      ]);
      const lines = textsOf(packet ?? '', CHARSET.utf8);
      expect(lines.map((line) => line.trim())).toContain(title);
      expect(Math.max(...lines.map((line) => line.length))).toBe(48);
      // The attribute is in the last packet only.
      expect(packet).toMatch(/ 09 01 81$/);
      expect(packet?.match(/ 09 01 /g)).toHaveLength(1);
    }
    cable.till.conclude(sale, { paid: true });
    expect(await taken(cable)).toEqual(['06 0F 00']);
  });

  test('are sent only to a till that lists them; line by line otherwise', async () => {
    expect((await paid(await paying('82', blocks))).map((packet) => packet.slice(0, 5))).toEqual([
      '04 0F',
      '06 D3',
      '06 0F',
    ]);
    const lines = await paid(await paying('82', '26 04 0A 02 04 01'));
    expect(lines.filter(isLine)).toHaveLength(10);
    expect(lines.filter(isBlock)).toEqual([]);
  });

  test('decide like lines: a till that cannot print one is not paid, and hears so (conversation 7)', async () => {
    const cable = await paying('82', blocks);
    const offer = cable.till.offerPaid(ticket);
    await cable.heard();
    expect((await cable.send(ack)).some(isBlock)).toBe(true);
    await cable.send('84 CC 00');
    expect(await offer).toBe('notAcknowledged');
    cable.till.conclude(ticket, { paid: false, reason: 'notDelivered' });
    expect(await taken(cable)).toEqual([expect.stringMatching(/^04 0F .. 27 6C /), '06 1E 01 6C']);
  });

  test.each([0x80, 0xa0, 0x100])(
    'are split where the till takes no packet longer than %i bytes, and lose no line',
    async (longest) => {
      const limit = longest.toString(16).padStart(4, '0').replace(/../, '$& ');
      const packets = (await paid(await paying('82', `1A 02 ${limit} ${blocks}`))).filter(isBlock);
      expect(packets.length).toBeGreaterThan(1);
      expect(Math.max(...packets.map((packet) => bytesOf(packet).length))).toBeLessThanOrEqual(
        longest,
      );
      expect(packets.map((packet) => objectsOf(packet)[0])).toEqual(
        packets.map(() => ['1f07', '02']),
      );
      expect(packets.map((packet) => packet.includes(' 09 01 '))).toEqual(
        packets.map((_packet, index) => index === packets.length - 1),
      );
      const [whole] = (await paid(await paying('82', blocks))).filter(isBlock);
      expect(packets.flatMap((packet) => textsOf(packet))).toEqual(textsOf(whole ?? ''));
    },
  );

  test('are never longer than that, whatever the length is', () => {
    const lines = receiptLines(ticket, about);
    for (let longest = 70; longest < 500; longest += 1) {
      const sent = paperPackets(
        lines,
        { holder: 'customer', ended: 'done' },
        { ...notRegistered(), wantsTextBlocks: true, maxApduBytes: longest },
      );
      expect(Math.max(...sent.map((packet) => packet.length))).toBeLessThanOrEqual(longest);
    }
  });

  test('carry a line each where the till’s longest packet is shorter than any', () => {
    const registration: Registration = {
      ...notRegistered(),
      wantsTextBlocks: true,
      maxApduBytes: 1,
    };
    const sent = paperPackets(
      ['one', '', 'three'],
      { holder: 'administration', ended: 'done' },
      registration,
    );
    expect(sent.map(hex)).toEqual([
      '06 D3 0D 06 0B 1F 07 01 03 25 05 07 03 6F 6E 65',
      '06 D3 0A 06 08 1F 07 01 03 25 02 07 00',
      '06 D3 12 06 10 1F 07 01 03 25 0A 07 05 74 68 72 65 65 09 01 81',
    ]);
    expect(inWords(sent[0] ?? new Uint8Array())).toBe('Print text block 06 D3: "one"');
  });
});

test('lines have their attribute: a title is centred, the last one says so', () => {
  const sent = paperPackets(
    [{ title: 'Shop 1' }, 'A', '', 'Receipt 0042'],
    { holder: 'customer', ended: 'done' },
    notRegistered(),
  );
  expect(sent.map(hex)).toEqual([
    '06 D1 07 40 53 68 6F 70 20 31',
    '06 D1 02 00 41',
    '06 D1 01 00',
    '06 D1 0D 81 52 65 63 65 69 70 74 20 30 30 34 32',
  ]);
});

describe('which copies are printed', () => {
  const endsOf = (packets: readonly string[]): string[] =>
    packets
      .filter((packet) => isBlock(packet))
      .map((packet) =>
        objectsOf(packet)
          .slice(0, 2)
          .map(([, value]) => value)
          .join('/'),
      );
  test.each([
    ['not said: one, the customer’s', '', ['02/01'], []],
    ['merchant and customer of what succeeded', '1F 04 01 A0', ['01/01', '02/01'], []],
    ['the customer first', '1F 04 01 A8', ['02/01', '01/01'], []],
    ['of failures too', '1F 04 01 F0', ['01/01', '02/01'], ['01/04', '02/04']],
    ['of failures for the merchant alone', '1F 04 01 10', [], ['01/04']],
    ['none', '1F 04 01 00', [], []],
  ])('%s', async (_what, wish, done, failed) => {
    const objects = `${blocks} ${wish}`.trim();
    expect(endsOf(await paid(await paying('82', objects)))).toEqual(done);
    const cable = await paying('82', objects);
    cable.till.conclude(ticket, { paid: false, reason: 'declinedByCustomer' });
    const packets = await taken(cable);
    expect([packets[0]?.slice(0, 5), packets.at(-1)]).toEqual(['04 0F', '06 1E 01 05']);
    expect(endsOf(packets)).toEqual(failed);
  });

  test('a wish of the command counts for it alone, also that the till prints for us', async () => {
    const cable = await paying(
      '00',
      null,
      sized(`06 01 04 00 00 00 00 12 34 49 02 08 ${container('1F 04 01 A1')}`),
    );
    const lines = (await paid(cable))
      .filter(isLine)
      .map((packet) => decodeText(bytesOf(packet).subarray(4)));
    expect(lines.filter((line) => line.endsWith('COPY'))).toEqual([
      'MERCHANT COPY',
      'CUSTOMER COPY',
    ]);
    await cable.send(authorisation);
    await cable.heard();
    expect((await paid(cable)).filter(isLine)).toEqual([]);
  });

  test('a container of the command, also an empty one, lets its result have one', async () => {
    const [status] = await paid(
      await paying('00', null, sized(`06 01 04 00 00 00 00 12 34 49 02 08 06 00`)),
    );
    expect(objectsOf(status ?? '')).toEqual([
      ['1f10', '00'],
      ['1f12', '02'],
    ]);
    expect(objectsOf((await paid(await paying('00', null)))[0] ?? '')).toEqual([]);
  });

  test('a receipt of what was refused says that nothing was paid, and why', async () => {
    const cable = await paying('82', '1F 04 01 40');
    cable.till.conclude(ticket, { paid: false, reason: 'declinedByCustomer' });
    const lines = (await taken(cable))
      .filter(isLine)
      .map((packet) => decodeText(bytesOf(packet).subarray(4)));
    expect(lines).toEqual(
      expect.arrayContaining([
        'CUSTOMER COPY',
        expect.stringMatching(/^Mobile wallet +DKK 12\.34$/),
        expect.stringMatching(/^Result +NOT PAID$/),
        'Declined by customer',
      ]),
    );
    expect(lines.join(' ')).not.toMatch(/[^T] PAID/);
  });

  test('a till that cannot print it hears the end all the same', async () => {
    const cable = await paying('82', '1F 04 01 40');
    cable.till.conclude(ticket, { paid: false, reason: 'declinedByCustomer' });
    await cable.heard();
    expect((await cable.send(ack)).some(isLine)).toBe(true);
    expect(await cable.send('84 CC 00')).toEqual(['ACK', '06 1E 01 05']);
  });

  test('a refund that failed is printed as that', () => {
    const lines = receiptLines(refundTicket, {
      ...about,
      failed: ({ notRefunded }) => notRefunded.balanceTooLow,
    });
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/NOT REFUNDED$/),
        { title: "Store's balance is too low" },
      ]),
    );
  });
});

const about = {
  laneName: 'Lane 1',
  shop: unnamedShop,
  language: 'en',
  columns: 40,
  charset: CHARSET.codePage437,
} as const;

describe('a receipt printed again (06 20)', () => {
  const again = async (objects: string, more = ''): Promise<string[]> => {
    const cable = await registered('82', container(objects));
    cable.commands.last = { sale: ticket, outcome: { paid: true }, certainty: 'confirmed' };
    return taken(cable, await cable.send(sized(`06 20 12 34 56${more}`)));
  };
  test('is marked as a copy, in the till’s language; the first one is not', async () => {
    const lines = (await again('28 04 15 02 64 61'))
      .filter(isLine)
      .map((packet) => decodeText(bytesOf(packet).subarray(4)));
    expect(lines).toContain('KOPI');
    expect((await paid(await paying('82', '28 04 15 02 64 61'))).join(' ')).not.toContain(
      hex(encodeText('KOPI')),
    );
  });

  test.each([
    ['the last one', '01', ['02']],
    ['the merchant’s copy', '02', ['01']],
    ['the customer’s copy', '03', ['02']],
  ])('is %s', async (_what, which, holders) => {
    const packets = await again(blocks, ` ${container(`1F 01 01 ${which}`)}`);
    expect(packets.filter(isBlock).map((packet) => objectsOf(packet)[0]?.[1])).toEqual(holders);
    expect(packets.at(-1)).toBe('06 0F 00');
  });

  test.each(['04', '05', '06'])('of another kind (%s) is not here', async (which) => {
    expect(await again(blocks, ` ${container(`1F 01 01 ${which}`)}`)).toEqual([ack, '06 1E 01 83']);
  });

  test('that the till cannot print ends with the code for that', async () => {
    const cable = await registered('82');
    cable.commands.last = { sale: ticket, outcome: { paid: true }, certainty: 'confirmed' };
    await cable.send('06 20 03 12 34 56');
    expect(await cable.send('84 CC 00')).toEqual(['ACK', '06 1E 01 CC']);
  });

  test('is data alone with service 03, byte by byte (conversation 20)', async () => {
    const cable = await new Cable().plugIn();
    const sale = {
      ...ticket,
      amountMinor: 10_100,
      receiptNumber: 42,
      traceNumber: 42,
      startedAtMs: new Date(2026, 10, 22, 10, 15, 0).getTime(),
    };
    cable.commands.last = { sale, outcome: { paid: true }, certainty: 'confirmed' };
    const told =
      '04 0F 2F 27 00 04 00 00 00 01 01 00 0B 00 00 42 0C 10 15 00 0D 11 22 19 70 29 00 00 00 01 87 00 42 8B F1 F4';
    expect(await taken(cable, await cable.send('06 20 05 12 34 56 03 03'))).toEqual([
      ack,
      `${told} 4D 6F 62 69 6C 65 20 77 61 6C 6C 65 74 00`,
      '06 0F 00',
    ]);
  });
});

describe('the letters of a text', () => {
  const text = 'Æble Ærø Øl Åse å ä ö Ö Ä €5';
  test.each([
    ['code page 437', 0xff, 'Æble Æro Ol Åse å ä ö Ö Ä EUR5'],
    ['ASCII', 0x00, 'AEble AEro Ol Ase a a o O A EUR5'],
    ['ISO 8859-1', 0x01, 'Æble Ærø Øl Åse å ä ö Ö Ä EUR5'],
    ['ISO 8859-2', 0x02, 'AEble AEro Ol Ase a ä ö Ö Ä EUR5'],
    ['ISO 8859-5', 0x05, 'AEble AEro Ol Ase a a o O A EUR5'],
    ['ISO 8859-7', 0x07, 'AEble AEro Ol Ase a a o O A €5'],
    ['ISO 8859-10', 0x0a, 'Æble Ærø Øl Åse å ä ö Ö Ä EUR5'],
    ['ISO 8859-15', 0x0f, 'Æble Ærø Øl Åse å ä ö Ö Ä €5'],
    ['UTF-8', 0xfe, 'Æble Ærø Øl Åse å ä ö Ö Ä €5'],
  ])('%s', (_name, charset, written) => {
    expect(decodeText(encodeText(text, charset), charset)).toBe(written);
    expect(writable(text, charset)).toBe(written);
  });

  test('are the bytes of the set', () => {
    expect(hex(encodeText('Åø€', 0x0f))).toBe('C5 F8 A4');
    expect(hex(encodeText('Åø€', 0x01))).toBe('C5 F8 45 55 52');
    expect(hex(encodeText('Åø€', 0xff))).toBe('8F 6F 45 55 52');
    expect(hex(encodeText('Åø€', 0xfe))).toBe('C3 85 C3 B8 E2 82 AC');
    expect(hex(encodeAscii('Åø€'))).toBe('41 6F 45 55 52');
  });

  test.each(Array.from({ length: 256 }, (_, code) => code).filter(isCharset))(
    'of set %i are all written so that it can read them, and no control character',
    (charset) => {
      const all = `${text}\u0000\u001b\n\u0085\u200b\u00ad\u00a0 “q” ’ – … é ğ Ж ☎ 😀 e\u0301`;
      const written = writable(all, charset);
      expect(decodeText(encodeText(all, charset), charset)).toBe(written);
      expect(written).not.toMatch(/[\p{C}]/u);
    },
  );

  test('are those of 18 sets', () => {
    // ASCII, fifteen of ISO 8859 (there is no 12), UTF-8 and code page 437.
    expect(Array.from({ length: 256 }, (_, code) => code).filter(isCharset)).toHaveLength(18);
  });

  test.each(languages)(
    'says first and last that it is a test where no real money moves, in %s',
    (language) => {
      const lines = receiptLines(ticket, {
        ...about,
        language,
        shop: { ...unnamedShop, isTest: true },
      });
      const mark = { title: tillTexts[language].receipt.test };
      expect([lines[0], lines.at(-1)]).toEqual([mark, mark]);
      expect(receiptLines(ticket, { ...about, language })).not.toContainEqual(mark);
    },
  );

  test('is marked in what a till prints by itself as well', () => {
    const status = statusInformation(ticket, resultOf({ paid: true }), {
      namesCurrency: true,
      language: 'en',
      allowsTlv: false,
      isTest: true,
    });
    expect(Buffer.from(status).toString('latin1')).toContain('TEST - NOT A PAYMENT');
  });

  test('of a refund of setup’s test payment say the same, at a real service too', () => {
    const ofTest = { ...refundTicket, isTest: true } as const;
    const mark = { title: tillTexts.en.receipt.test };
    const lines = receiptLines(ofTest, { ...about, language: 'en' });
    expect([lines[0], lines.at(-1)]).toEqual([mark, mark]);
    const status = statusInformation(ofTest, resultOf({ refunded: true }), {
      namesCurrency: true,
      language: 'en',
      allowsTlv: false,
    });
    expect(Buffer.from(status).toString('latin1')).toContain('TEST - NOT A PAYMENT');
  });

  test('of paper and display are in the set that was agreed, those of bitmaps in ASCII', async () => {
    const cable = await registered('8A', container('27 03 14 01 0F 28 04 15 02 73 76'));
    await cable.send(authorisation);
    const [progress] = (await cable.send(ack)).filter((packet) => packet.startsWith('04 FF'));
    expect(progress).toBeUndefined();
    cable.till.progress(ticket.saleId, 'approveInApp');
    const [shown] = await cable.heard();
    expect(decodeText(bytesOf(shown ?? ''), 0x0f)).toContain('Godkänn i appen');
    await cable.send(ack);
    cable.till.conclude(ticket, { paid: false, reason: 'serviceUnreachable' });
    const status = parsePacket(bytesOf((await cable.heard())[0] ?? ''));
    expect(
      status.kind === 'packet' && Buffer.from(status.fields.get(0x3c) ?? []).toString('latin1'),
    ).toBe('Ingen anslutning till tjansten');
  });
});

describe.each([24, 27, 32, 38, 40, 48])('a receipt of %i columns', (columns) => {
  const shop = {
    name: 'Købmand Ærø & Sønner €uro',
    address: 'Strøget 1, 1160 København',
    vat: 'DK12345678',
  };
  const textOf = (line: PaperLine): string => (typeof line === 'string' ? line : line.title);
  test.each([0x00, 0x0f, 0xfe, 0xff])(
    'in set %i has no line that is longer, also where letters become two',
    (charset) => {
      for (const language of languages)
        for (const receipt of [
          receiptLines(ticket, { ...about, shop, language, columns, charset }),
          receiptLines(refundTicket, { ...about, shop, language, columns, charset }),
        ]) {
          const lengths = receipt.map(
            (line) => decodeText(encodeText(textOf(line), charset), charset).length,
          );
          expect(Math.max(...lengths)).toBe(columns);
        }
    },
  );
});

test('a receipt has what the standard wants: means, amount, terminal, date and time, trace and receipt number; a refund the original trace', () => {
  const lines = receiptLines(refundTicket, about).map(String).join('\n');
  for (const wanted of [
    /Mobile wallet +DKK 12\.34/,
    /Terminal +00000001/,
    /\d{4}-\d\d-\d\d \d\d:\d\d/,
    /Trace +000042/,
    /Original trace +000041/,
    /Receipt +0018/,
  ])
    expect(lines).toMatch(wanted);
});

test.each([
  ['06 D1', false, '06 D1 09 81 D8 6C 2C 20 35 20 A4 21'],
  [
    '06 D3',
    true,
    '06 D3 19 06 17 1F 07 01 02 1F 37 01 01 25 0D 07 08 D8 6C 2C 20 35 20 A4 21 09 01 81',
  ],
] as const)('%s has the letters of the agreed set', (_how, wantsTextBlocks, bytes) => {
  const sent = paperPackets(
    ['Øl, 5 €!'],
    { holder: 'customer', ended: 'done' },
    { ...notRegistered(), charset: 0x0f, wantsTextBlocks },
  );
  expect(sent.map(hex)).toEqual([bytes]);
});

test('a row is as wide as the paper when it is written', () => {
  expect(layout({ columns: 24, charset: CHARSET.ascii }).row('Kasse Ærø', '5 €')).toEqual([
    `Kasse AEro${' '.repeat(9)}5 EUR`,
  ]);
});

test('a tag that begins with 1F has two bytes, as the standard has its own 1F80', () => {
  expect(
    parseTlv(bytesOf('1F 80 01 41 07 01 42')).map(({ tag, value }) => [tag, hex(value)]),
  ).toEqual([
    [0x1f80, '41'],
    [0x07, '42'],
  ]);
});

test('the bits of the configuration: what prints what', () => {
  const read = (config: number) => readRegistration(config, undefined, new Map());
  expect(
    [0x82, 0x84, 0x86, 0x06, 0x80].map((config) => [
      read(config)?.wantsPrintLines,
      read(config)?.wantsAdministrationLines,
    ]),
  ).toEqual([
    [true, false],
    [false, true],
    [true, true],
    [false, false],
    [false, false],
  ]);
});

test('a block is read back as the till sees it', () => {
  const [packet] = paperPackets(
    ['one', 'two'],
    { holder: 'customer', ended: 'failed' },
    { ...notRegistered(), wantsTextBlocks: true },
  );
  const parsed = parsePacket(packet ?? new Uint8Array());
  expect(parsed.kind === 'packet' && printedText(parsed.fields)).toEqual(['one', 'two']);
});
