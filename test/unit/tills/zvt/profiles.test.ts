/** The differences of tills that settings can name. */
import { describe, expect, test } from 'vitest';
import { type Deviations, profileOf } from '../../../../main/core/domain/till-profiles.ts';
import { readRegistration } from '../../../../main/tills/zvt/registration.ts';
import { ack, bytesOf, Cable, TcpLine, ticket } from './support.ts';

const cableWith = (settings: Deviations): Promise<Cable> => new Cable(settings).plugIn();
const pay = '06 01 07 04 00 00 00 00 12 34';
const register = (more: string): string => {
  const data = `12 34 56 ${more}`;
  return `06 00 ${data.split(' ').length.toString(16).padStart(2, '0')} ${data}`;
};
const inDkk = '02 08';
const inEur = '09 78';
const inSek = '07 52';

test.each([
  ['minimalAnswers', '06 0F 00', '04 FF 01 0E'],
  [
    'standard',
    expect.stringMatching(/^06 0F .*12 01 48/),
    expect.stringMatching(/^04 FF .* FF 03 06 /),
  ],
] as const)(
  'to a till that sends containers, as %s: the end of its registration and what it shows',
  async (profile, end, shown) => {
    const cable = await cableWith({ profile });
    const registration = [
      ...(await cable.send(register(`08 ${inDkk} 06 03 12 01 48`))),
      ...(await cable.send(ack)),
    ];
    expect(registration).toContainEqual(end);
    const began = await cable.send('06 01 09 04 00 00 00 00 12 34 06 00');
    expect([...began, ...(await cable.send(ack))]).toContainEqual(shown);
  },
);

test.each([
  ['minimalAnswers', /^06 0F 01 00$/],
  ['standard', /^06 0F .. 00 06 /],
] as const)('a status enquiry that asks for a container, as %s', async (profile, end) => {
  const cable = await cableWith({ profile });
  const said = [...(await cable.send('05 01 05 12 34 56 03 06')), ...(await cable.send(ack))];
  expect(said).toContainEqual(expect.stringMatching(end));
});

test('without a registration, lines of a receipt are for a till whose profile says so', async () => {
  const paidAt = async (settings: Deviations): Promise<string[]> => {
    const cable = await cableWith(settings);
    await cable.send(pay);
    void cable.till.offerPaid(ticket);
    await cable.heard();
    return cable.send(ack);
  };
  expect(await paidAt({ profile: 'noRegistrationPrintsLines' })).toEqual([
    'ACK',
    expect.stringMatching(/^06 D1 /),
  ]);
  expect(await paidAt({ profile: 'noRegistration' })).toEqual(['ACK']);
});

test('the width is fixed, whatever the till says; the letters are those that it names, if any', () => {
  const said = (bytes: string, settings: Deviations) =>
    readRegistration(0x8e, bytesOf(inDkk), new Map([[0x06, bytesOf(bytes)]]), {
      profile: profileOf(settings),
      shopLanguage: 'en',
    });
  expect(said('12 01 48', { profile: 'narrowPaper' })?.columns).toBe(24);
  expect(said('12 01 48', { columns: 32 })?.columns).toBe(32);
  expect(said('12 01 48', {})?.columns).toBe(48);
  expect(said('12 01 48', { profile: 'latinLetters' })?.charset).toBe(0x01);
  expect(said('14 01 FE', { profile: 'latinLetters' })?.charset).toBe(0xfe);
});

test.each([
  ['by the standard', {}, [], 'sale 1234 EUR'],
  ['of a till that never registers', { profile: 'noRegistration' }, [], 'sale 1234 DKK'],
  [
    'of a till that registered without one',
    { missingCurrency: 'lane' },
    [register('00')],
    'sale 1234 DKK',
  ],
  [
    'whose registration in another one was refused',
    { missingCurrency: 'lane' },
    [register(`00 ${inEur}`)],
    null,
  ],
  [
    'whose registration in an unknown one was refused',
    { missingCurrency: 'lane' },
    [register(`00 ${inSek}`)],
    null,
  ],
  [
    'whose last payment named another one',
    { missingCurrency: 'lane' },
    [`06 01 0A 04 00 00 00 00 12 34 49 ${inSek}`],
    null,
  ],
  [
    'that has then registered in the lane’s',
    { missingCurrency: 'lane' },
    [register(`00 ${inEur}`), register(`00 ${inDkk}`)],
    'sale 1234 DKK',
  ],
] as const)('an amount without a currency, %s', async (_what, settings, before, asked) => {
  const cable = await cableWith(settings);
  const exchange = async (packet: string): Promise<string[]> => [
    ...(await cable.send(packet)),
    ...(await cable.send(ack)),
    ...(await cable.send(ack)),
  ];
  for (const packet of before) await exchange(packet);
  cable.commands.asked.length = 0;
  const said = await exchange(pay);
  expect(cable.commands.asked).toEqual(asked === null ? [] : [asked]);
  if (asked === null)
    expect(said).toEqual(
      expect.arrayContaining([expect.stringMatching(/^04 0F .. 27 6F /), '06 1E 01 6F']),
    );
});

describe('a till that can read the result alone', () => {
  test.each([
    ['an intermediate status', '06 00 06 12 34 56 08 02 08', /^04 FF/],
    ['receipt lines', '06 00 06 12 34 56 82 02 08', /^06 D1/],
    ['text blocks', '06 00 10 12 34 56 82 02 08 06 08 26 04 0A 02 06 D3 12 00', /^06 D3/],
  ])(
    'gets no %s, which the configuration byte asks for otherwise',
    async (_what, registration, packet) => {
      const told = async (settings: Deviations): Promise<string[]> => {
        const cable = await cableWith(settings);
        await cable.send(registration);
        await cable.send(ack);
        const said = await cable.send('06 01 0A 04 00 00 00 00 12 34 49 02 08');
        void cable.till.offerPaid(ticket);
        for (let packets = 0; packets < 3; packets += 1) said.push(...(await cable.send(ack)));
        return said;
      };
      expect(await told({})).toContainEqual(expect.stringMatching(packet));
      const alone = await told({ profile: 'resultAlone' });
      expect(alone).not.toContainEqual(expect.stringMatching(/^(04 FF|06 D1|06 D3)/));
      expect(alone).toContainEqual(expect.stringMatching(/^04 0F .. 27 00/));
    },
  );

  test('gets no report either, nor a receipt that its command asks for', async () => {
    const cable = await cableWith({ profile: 'resultAlone' });
    await cable.send(register(`86 ${inDkk}`));
    await cable.send(ack);
    expect(await cable.send('06 1A 00')).toEqual(['ACK', ack, '06 0F 00']);
    await cable.send(ack);
    await cable.send('06 01 11 04 00 00 00 00 12 34 49 02 08 06 05 1F 04 02 A1 00');
    void cable.till.offerPaid(ticket);
    await cable.heard();
    expect(await cable.send(ack)).toEqual(['ACK']);
  });
});

describe('a till that registers in EUR always, at a lane in DKK', () => {
  const registration = '06 00 10 00 00 00 BE 09 78 03 01 06 06 26 04 0A 02 06 D3';
  const payment = '06 01 07 04 00 00 00 00 04 79';
  const inEuro = '06 01 0A 04 00 00 00 00 04 79 49 09 78';

  test('is refused, and Health says why until it registers in DKK', async () => {
    const line = await TcpLine.open();
    try {
      const notices = () => line.notices.list().map(({ code }) => code);
      const till = await line.register();
      await till.command(bytesOf(registration));
      expect(notices()).toEqual(['tillCurrencyOther']);
      await till.register({ currency: 'DKK', config: 0 });
      expect(notices()).toEqual([]);
      await till.close();
    } finally {
      await line.till.close();
    }
  });

  test('pays in the lane’s currency where its profile says so', async () => {
    const cable = await cableWith({ profile: 'currencyOfLane' });
    expect((await cable.send(registration))[1]).toBe(ack);
    await cable.send(ack);
    await cable.send(payment);
    expect(cable.commands.asked).toEqual(['sale 479 DKK']);
  });

  test('pays no more once it has named another currency in a payment', async () => {
    const cable = await cableWith({ profile: 'currencyOfLane' });
    cable.commands.sale = { accepted: false, reason: 'wrongCurrency' };
    const exchange = async (packet: string): Promise<void> => {
      await cable.send(packet);
      await cable.send(ack);
      await cable.send(ack);
    };
    for (const packet of [registration, inEuro, registration, payment]) await exchange(packet);
    expect(cable.commands.asked).toEqual(['sale 479 EUR']);
    for (const packet of [register(`00 ${inDkk}`), payment]) await exchange(packet);
    expect(cable.commands.asked).toEqual(['sale 479 EUR', 'sale 479 DKK']);
  });
});

test('the port is opened with the stop bits of the profile, or of the lane', async () => {
  const stopBits = async (settings: Deviations): Promise<number | null> =>
    (await cableWith(settings)).stopBits;
  expect(
    await Promise.all([
      stopBits({}),
      stopBits({ profile: 'oneStopBit' }),
      stopBits({ profile: 'oneStopBit', stopBits: 2 }),
    ]),
  ).toEqual([2, 1, 2]);
});
