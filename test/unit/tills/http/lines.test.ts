/**
 * The lines of a receipt and the minimum age, as a till over HTTP sends them, with a lane on the
 * point-of-sale interface.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ApiWorld, bread } from './support.ts';

let at: ApiWorld;
beforeEach(async () => {
  at = await new ApiWorld().open();
});
afterEach(() => at.close());

const key = '6f1d0c1e-1111-4000-8000-000000000001';
const line = { name: 'Rye bread', totalMinor: 1234, taxMinor: 247 };
const creates = (): number => at.world.whatLeft().filter((what) => what === 'create').length;

describe('lines', () => {
  test.each<[object, string, RegExp]>([
    [
      { lines: [{ ...line, totalMinor: 1233 }] },
      'lines',
      /^must add up to amountMinor, 1234: their totalMinor are 1233$/,
    ],
    [
      { lines: [line, line] },
      'lines',
      /^must add up to amountMinor, 1234: their totalMinor are 2468$/,
    ],
    [{ lines: [] }, 'lines', /^must be a list of 1 to 200 lines$/],
    [
      { lines: Array.from({ length: 201 }, () => ({ ...line, totalMinor: 0, taxMinor: 0 })) },
      'lines',
      /^must be a list of 1 to 200 lines$/,
    ],
    [{ lines: 'bread' }, 'lines', /^must be a list of 1 to 200 lines$/],
    [{ lines: ['bread'] }, 'lines.0', /^must be a line: /],
    [
      { lines: [{ ...line, taxMinor: 1235 }] },
      'lines.0.taxMinor',
      /^must be at most totalMinor, 1234$/,
    ],
    [
      { lines: [{ ...line, totalMinor: 12.34 }] },
      'lines.0.totalMinor',
      /^must be a whole number of minor units/,
    ],
    [
      { lines: [{ ...line, totalMinor: -1 }] },
      'lines.0.totalMinor',
      /^must be a whole number of minor units/,
    ],
    [
      { lines: [{ name: 'Bread', totalMinor: 1234 }] },
      'lines.0.taxMinor',
      /^must be a whole number of minor units/,
    ],
    [{ lines: [{ totalMinor: 1234, taxMinor: 247 }] }, 'lines.0.name', /^must be a text$/],
    [{ lines: [{ ...line, name: null }] }, 'lines.0.name', /^must be a text$/],
    [{ lines: [{ ...line, name: 4711 }] }, 'lines.0.name', /^must be a text$/],
    [{ lines: [null] }, 'lines.0', /^must be a line: /],
    [
      { lines: [{ ...line, taxRate: 25.5 }] },
      'lines.0.taxRate',
      /^must be a whole number from 0 to 10000/,
    ],
    [{ lines: [{ ...line, quantity: '1,5' }] }, 'lines.0.quantity', /^must be a number in quotes/],
    [{ lines: [{ ...line, quantity: 2 }] }, 'lines.0.quantity', /^must be a number in quotes/],
    [{ lines: [{ ...line, unit: 'BOX' }] }, 'lines.0.unit', /^must be one of PCS, KG/],
    [{ lines: [{ ...line, price: 1 }] }, 'lines.0.price', /./],
    [{ lines: [line], amountFollows: true }, 'lines', /^must be left out with amountFollows/],
    [{ minimumAge: 0 }, 'minimumAge', /^must be a whole number of years from 1 to 100$/],
    [{ minimumAge: '18' }, 'minimumAge', /^must be a whole number of years from 1 to 100$/],
  ])('that break a rule begin nothing (%#)', async (more, field, rule) => {
    const answer = await at.pay(key, { ...bread, ...more });
    expect(answer).toMatchObject({
      status: 400,
      body: {
        type: 'urn:tillbeacon:problem:invalid-request',
        errors: [{ field, rule: expect.stringMatching(rule) }],
      },
    });
    expect(creates()).toBe(0);
  });

  test.each([
    ['a soft hyphen', 'Kaffe\u00adbrød', 'Kaffebrød'],
    ['an emoji with joiners', 'Tea \u{1f469}\u200d\u{1f33e}', 'Tea \u{1f469}\u{1f33e}'],
    ['a byte order mark', '\ufeffRye bread', 'Rye bread'],
    ['a writing direction', 'a\u202eb\u202c', 'ab'],
    ['control characters', 'Rye\r\nbread\u0000', 'Rye bread '],
    ['half a character', 'Tea \ud83d', 'Tea '],
    ['too many characters', 'x'.repeat(5_000), 'x'.repeat(100)],
    ['nothing', '', ''],
    ['letters, blanks and signs of any kind', ' Smørrebrød  №½ 日本 ', ' Smørrebrød  №½ 日本 '],
  ])('a name or number with %s is cleaned, and refuses no payment', async (_, sent, kept) => {
    const lines = [{ ...line, name: sent, id: sent }];
    const answer = await at.pay(key, { ...bread, lines });
    expect(answer.status).toBe(201);
    const [begun] = at.world.journal.story(answer.body.paymentId);
    const cleaned = [{ ...line, name: kept, id: kept.slice(0, 64) }];
    expect(begun?.event).toMatchObject({ sale: { lines: cleaned } });
    expect(await at.pay(key, { ...bread, lines })).toMatchObject({ status: 200 });
  });

  test('with long names in all of them refuse no payment', async () => {
    const lines = Array.from({ length: 200 }, (_, index) => ({
      name: 'ø'.repeat(500),
      totalMinor: index === 0 ? 1234 : 0,
      taxMinor: 0,
    }));
    expect(await at.pay(key, { ...bread, lines })).toMatchObject({ status: 201 });
  });

  test('whose fields are null are those that leave them out', async () => {
    const nulls = {
      id: null,
      taxRate: null,
      quantity: null,
      unit: null,
      unitPriceMinor: null,
      discountMinor: null,
    };
    expect(await at.pay(key, { ...bread, lines: [{ ...line, ...nulls }] })).toMatchObject({
      status: 201,
    });
    expect(await at.pay(key, { ...bread, lines: [line] })).toMatchObject({ status: 200 });
  });

  test('of a service that takes none are kept with the payment and left out there, which the answer says; the key is for these lines alone', async () => {
    const many = Array.from({ length: 200 }, (_, index) => ({
      ...line,
      name: 'x'.repeat(100),
      totalMinor: index === 0 ? 1234 : 0,
      taxMinor: 0,
    }));
    expect(await at.pay(key, { ...bread, lines: many })).toMatchObject({
      status: 201,
      body: { receiptShown: false, minimumAge: null },
    });
    expect(await at.pay(key, { ...bread, lines: many })).toMatchObject({ status: 200 });
    expect(await at.pay(key, { ...bread, lines: [line] })).toMatchObject({
      status: 422,
      body: { type: 'urn:tillbeacon:problem:key-reused' },
    });
    expect(await at.pay(key)).toMatchObject({ status: 422 });
    expect(creates()).toBe(1);
  });
});

test('a least age is refused where the service does not check it: nothing begins', async () => {
  expect(await at.pay(key, { ...bread, minimumAge: 18 })).toMatchObject({
    status: 422,
    body: {
      type: 'urn:tillbeacon:problem:no-age-limits',
      action: 'Check the customer’s age yourself, and leave `minimumAge` out.',
    },
  });
  expect(creates()).toBe(0);
});
