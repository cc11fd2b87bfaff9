/**
 * What a money command leaves unread may hold an amount, a currency or a receipt number: then no
 * money moves.
 */
import { describe, expect, test } from 'vitest';
import { ack, Cable, registered } from './support.ts';

const command = (instruction: string, data: string): string =>
  `06 ${instruction} ${data.split(' ').length.toString(16).padStart(2, '0')} ${data}`;
const amount = '04 00 00 00 00 12 50';
const inDkk = '49 02 08';
const receipt = '87 00 17';
const password = '12 34 56';

async function refusedOn(cable: Cable, sent: string): Promise<void> {
  cable.commands.open = [];
  cable.commands.asked.length = 0;
  expect(await cable.send(sent)).toEqual(['ACK', '84 9A 00']);
  expect(cable.commands.asked).toEqual([]);
}

test('refuses a payment whose currency stands behind an unknown bitmap', async () => {
  await refusedOn(await registered('00'), '06 01 0E 04 00 00 00 00 12 50 19 40 5A 99 49 09 78');
});

describe('every money command refuses an unknown bitmap before a fact about money', () => {
  const facts = [
    ['01', [amount, inDkk]],
    ['22', [amount, inDkk]],
    ['31', [receipt, amount, inDkk]],
    ['30', [receipt, amount, inDkk]],
    ['23', [receipt, amount, inDkk]],
    ['24', [receipt, amount, inDkk]],
    ['25', [receipt, amount, inDkk]],
    ['26', ['0B 00 00 41', amount, inDkk]],
  ] as const;
  const cases = facts.flatMap(([instruction, fields]) =>
    fields.map((_, place) => [instruction, place, fields] as const),
  );
  test.each(cases)('06 %s, before field %i', async (instruction, place, fields) => {
    const data = [
      ...(instruction === '30' || instruction === '31' ? [password] : []),
      ...fields.slice(0, place),
      '5A 99',
      ...fields.slice(place),
    ];
    await refusedOn(await registered('00'), command(instruction, data.join(' ')));
  });

  test.each(facts)('06 %s, before a second value of each field', async (instruction, fields) => {
    for (const other of [
      '04 00 00 00 09 99 99',
      '49 09 78',
      ...(fields.length > 2 ? ['87 00 99', '0B 00 00 99'] : []),
    ]) {
      const data = [
        ...(instruction === '30' || instruction === '31' ? [password] : []),
        ...fields,
        '5A 99',
        other,
      ];
      // A reversal and a refund name no trace number: there it decides nothing.
      if (other.startsWith('0B') && (instruction === '30' || instruction === '31')) continue;
      await refusedOn(await registered('00'), command(instruction, data.join(' ')));
    }
  });
});

test.each([
  [
    'cashback behind an unknown bitmap',
    '01',
    `${amount} ${inDkk} 5A 99 06 09 1F 25 06 00 00 00 00 10 00`,
  ],
  [
    'cashback behind an object that is cut off',
    '01',
    `${amount} ${inDkk} 06 0B 1F 04 20 1F 25 05 00 00 00 10 00`,
  ],
  [
    'a trace number behind an unknown bitmap, so a reservation to be raised',
    '22',
    `${amount} ${inDkk} 5A 99 0B 00 00 41`,
  ],
  [
    'a long trace number behind an object that is cut off',
    '22',
    `${amount} ${inDkk} 06 08 1F 04 20 1F 2B 02 00 41`,
  ],
  [
    'the kind of the reservation behind an unknown bitmap',
    '22',
    `${amount} ${inDkk} 5A 99 06 04 1F 06 01 03`,
  ],
  ['a receipt number of three bytes behind all else', '24', `${amount} ${inDkk} ${receipt} 34`],
  ['an amount of seven bytes behind its currency', '01', `${inDkk} ${amount} 34`],
  [
    'cashback deeper than containers are read',
    '01',
    `${amount} ${inDkk} 06 15 31 13 31 11 31 0F 31 0D 31 0B 31 09 1F 25 06 00 00 00 00 10 00`,
  ],
  ['two long trace numbers', '24', `${inDkk} ${amount} 06 0C 1F 2B 03 00 00 41 1F 2B 03 00 00 42`],
])('refuses %s', async (_what, instruction, data) => {
  await refusedOn(await registered('00'), command(instruction, data));
});

test('declines cashback in an object within another one', async () => {
  const cable = await registered('00');
  await cable.send(command('01', `${amount} ${inDkk} 06 0B 31 09 1F 25 06 00 00 00 00 10 00`));
  expect(cable.commands.asked).toEqual([]);
  expect(await cable.send(ack)).toEqual(['ACK', '06 1E 01 CD']);
});

test.each([
  ['01', `${amount} ${inDkk} 5A 99`, 'sale 1250 DKK'],
  ['01', `${amount} ${inDkk} 06 06 26 04 0A 02 06 D3 5A 04 99`, 'sale 1250 DKK'],
  ['22', `${amount} ${inDkk} 5A 99`, 'reserve 1250 DKK'],
  ['30', `${password} ${receipt} ${amount} ${inDkk} 5A 99`, 'refund of 17: 1250 DKK'],
  ['31', `${password} ${receipt} ${amount} ${inDkk} 5A 99`, 'refund of 17: 1250 DKK'],
  ['24', `${receipt} ${amount} ${inDkk} 5A 99`, 'book 17/-: used 1250 DKK'],
])(
  '06 %s goes on when all that decides about money was read: %s',
  async (instruction, data, asked) => {
    const cable = await registered('00');
    cable.commands.open = [];
    await cable.send(command(instruction, data));
    expect(cable.commands.asked).toEqual([asked]);
  },
);
