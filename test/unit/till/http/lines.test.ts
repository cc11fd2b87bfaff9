/** The lines of a receipt and the minimum age, as a till over HTTP sends them, with a lane on the point-of-sale interface. */
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
    [{ lines: [{ ...line, totalMinor: 1233 }] }, 'lines', /^must add up to amountMinor, 1234: their totalMinor are 1233$/],
    [{ lines: [line, line] }, 'lines', /^must add up to amountMinor, 1234: their totalMinor are 2468$/],
    [{ lines: [] }, 'lines', /^must be a list of 1 to 200 lines$/],
    [{ lines: Array.from({ length: 201 }, () => ({ ...line, totalMinor: 0, taxMinor: 0 })) }, 'lines', /^must be a list of 1 to 200 lines$/],
    [{ lines: 'bread' }, 'lines', /^must be a list of 1 to 200 lines$/],
    [{ lines: ['bread'] }, 'lines.0', /^must be a line: /],
    [{ lines: [{ ...line, taxMinor: 1235 }] }, 'lines.0.taxMinor', /^must be at most totalMinor, 1234$/],
    [{ lines: [{ ...line, totalMinor: 12.34 }] }, 'lines.0.totalMinor', /^must be a whole number of minor units/],
    [{ lines: [{ ...line, totalMinor: -1 }] }, 'lines.0.totalMinor', /^must be a whole number of minor units/],
    [{ lines: [{ name: 'Bread', totalMinor: 1234 }] }, 'lines.0.taxMinor', /^must be a whole number of minor units/],
    [{ lines: [{ ...line, name: '' }] }, 'lines.0.name', /^must be 1 to 100 characters/],
    [{ lines: [{ ...line, name: 'x'.repeat(101) }] }, 'lines.0.name', /^must be 1 to 100 characters/],
    [{ lines: [{ ...line, name: 'a\u0007b' }] }, 'lines.0.name', /^must be 1 to 100 characters/],
    [{ lines: [{ ...line, taxRate: 25.5 }] }, 'lines.0.taxRate', /^must be a whole number from 0 to 10000/],
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
      body: { type: 'urn:tillbeacon:problem:invalid-request', errors: [{ field, rule: expect.stringMatching(rule) }] },
    });
    expect(creates()).toBe(0);
  });

  test('of a service that takes none are kept with the payment and left out there, which the answer says; the key is for these lines alone', async () => {
    const many = Array.from({ length: 200 }, (_, index) => ({ ...line, name: 'x'.repeat(100), totalMinor: index === 0 ? 1234 : 0, taxMinor: 0 }));
    expect(await at.pay(key, { ...bread, lines: many })).toMatchObject({ status: 201, body: { receiptShown: false, minimumAge: null } });
    expect(await at.pay(key, { ...bread, lines: many })).toMatchObject({ status: 200 });
    expect(await at.pay(key, { ...bread, lines: [line] })).toMatchObject({ status: 422, body: { type: 'urn:tillbeacon:problem:key-reused' } });
    expect(await at.pay(key)).toMatchObject({ status: 422 });
    expect(creates()).toBe(1);
  });
});

test('a least age is refused where the service does not check it: nothing begins', async () => {
  expect(await at.pay(key, { ...bread, minimumAge: 18 })).toMatchObject({
    status: 422,
    body: { type: 'urn:tillbeacon:problem:no-age-limits', action: 'Check the customer’s age yourself, and leave `minimumAge` out.' },
  });
  expect(creates()).toBe(0);
});
