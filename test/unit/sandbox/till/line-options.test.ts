import { expect, test } from 'vitest';
import { passwordOf } from '../../../../main/sandbox/till/line-options.ts';

test('the password of a till is the option, else the variable, else the usual one', () => {
  const environment = { TILLBEACON_TILL_PASSWORD: '424242' };
  expect(passwordOf({ password: '000001' }, environment)).toBe('000001');
  expect(passwordOf({}, environment)).toBe('424242');
  expect(passwordOf({}, {})).toBe('123456');
});

test('a wrong one is refused by its name and its rule, and not shown', () => {
  expect(() => passwordOf({ password: '42' }, {})).toThrow(/^--password: must be six digits$/);
  expect(() => passwordOf({}, { TILLBEACON_TILL_PASSWORD: 'secret' })).toThrow(
    /^TILLBEACON_TILL_PASSWORD: must be six digits$/,
  );
});
