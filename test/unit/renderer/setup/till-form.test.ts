import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { languages } from '../../../../main/core/domain/languages.ts';
import {
  tillInput,
  formOf as formOfTill,
  isOpenToNetwork,
  lineOf,
  refundChoices,
  securityProblems,
  type TillForm,
  withProtocol,
  apiOf,
  nexoProblems,
  offeredProfileIds,
  originsProblem,
} from '../../../../renderer/setup/till-form.ts';
import { answerShape } from '../../../../preload/procedures/setup-field.ts';
import { zvtFields } from '../../../../preload/procedures/setup-till-fields.ts';
import type { Language } from '../../../../renderer/locales/i18n.ts';
import { setupTexts } from '../../../../renderer/locales/setup.ts';
import {
  profileOf,
  TillInput,
  type TillView,
} from '../../../../preload/procedures/setup-fields.ts';

const usual = {
  ...z.object(answerShape(zvtFields)).parse({}),
  protocol: 'zvt',
  hasPassword: false,
} as const;
const serial = {
  ...usual,
  transport: 'serial',
  path: 'COM3',
  baudRate: 9600,
  stopBits: 2,
} as const;
const network: TillView = {
  ...usual,
  transport: 'tcp',
  host: '0.0.0.0',
  port: 20_007,
  from: ['192.168.1.40', '10.0.0.0/8'],
  refunds: 123_450,
  hasPassword: true,
};
const loopback = {
  ...usual,
  transport: 'tcp',
  host: '127.0.0.1',
  port: 20_007,
  from: [] as string[],
} as const;
const nowMs = Date.parse('2026-11-24T12:00:00Z');
const formOf = (
  till: TillView,
  change: Partial<TillForm> = {},
  language: Language = 'en',
): TillForm => ({ ...formOfTill(till, language), ...change });
type LineAsked = Exclude<TillInput, { transport: 'http' }>;
const asked = (form: TillForm, password = '', language: Language = 'en'): LineAsked | null =>
  tillInput(form, password, language, nowMs) as LineAsked | null;

describe('what a till may do, as it is shown and typed', () => {
  test.each([
    serial,
    network,
    loopback,
    { ...network, refunds: false },
    { ...serial, refunds: true },
    { ...loopback, refunds: true },
  ])('comes back as it was when nothing is touched: %j', (till) => {
    const { hasPassword: _shown, ...untouched } = till;
    for (const language of languages)
      expect(asked(formOf(till, {}, language), '', language), language).toEqual({
        ...untouched,
        password: null,
      });
  });

  test('a password is kept, changed or taken away', () => {
    expect(asked(formOf(network))?.password).toBeNull();
    expect(asked(formOf(network), '012345')?.password).toBe('012345');
    expect(asked(formOf(network, { withoutPassword: true }))?.password).toBe('');
    expect(asked(formOf(network, { withoutPassword: true }), '012345')?.password).toBe('012345');
  });

  test('an amount is typed in kroner or euro and kept in minor units', () => {
    expect(formOf(network).refundLimit).toBe('1,234.50');
    expect(formOf(network, {}, 'da').refundLimit).toBe('1.234,50');
    expect(asked(formOf(serial, { refunds: 'upTo', refundLimit: '500' }))?.refunds).toBe(50_000);
    expect(
      asked(formOf(serial, { refunds: 'upTo', refundLimit: '99,5' }, 'da'), '', 'da')?.refunds,
    ).toBe(9_950);
    expect(asked(formOf(serial, { refunds: 'no', refundLimit: '500' }))?.refunds).toBe(false);
  });

  test('addresses may stand in lines, or with commas', () => {
    expect(formOf(network).from).toBe('192.168.1.40\n10.0.0.0/8');
    expect(
      asked(formOf(network, { from: ' 192.168.1.40, 192.168.1.41;fd00::/8\n\n10.0.0.1 ' })),
    ).toMatchObject({
      from: ['192.168.1.40', '192.168.1.41', 'fd00::/8', '10.0.0.1'],
    });
    expect(asked(formOf(network, { from: ' \n' }))).toMatchObject({ from: [] });
  });

  test('of a line that is not whole or not right there is nothing to listen to', () => {
    expect(lineOf(formOf(serial, { path: null }))).toBeNull();
    expect(lineOf(formOf(network, { port: '' }))).toBeNull();
    expect(lineOf(formOf(network, { from: '192.168.1.' }))).toBeNull();
    expect(lineOf(formOf(network))).toEqual({
      protocol: 'zvt',
      transport: 'tcp',
      host: '0.0.0.0',
      port: 20_007,
      from: ['192.168.1.40', '10.0.0.0/8'],
    });
  });
});

describe('what a till does differently', () => {
  test('comes back as it was when nothing is touched, and is not asked of Concert', () => {
    const about = {
      profile: 'noRegistration',
      record: '2026-12-01T00:00:00Z',
      partialReversals: true,
    } as const;
    for (const till of [serial, network, loopback])
      expect(asked(formOf({ ...till, ...about }))).toMatchObject(about);
    const concert = asked({ ...formOf({ ...network, ...about }), protocol: 'concert' }, '123456');
    expect(concert).toMatchObject({
      protocol: 'concert',
      profile: null,
      record: null,
      partialReversals: false,
      refunds: null,
      password: null,
    });
  });

  test('is recorded for a week from now, always, or when a manager asks for it', () => {
    const record = (value: TillForm['record']) =>
      asked(formOf({ ...serial, record: '2026-12-01T00:00:00Z' }, { record: value }))?.record;
    expect([record('week'), record('always'), record('asked')]).toEqual([
      '2026-12-01T12:00:00.000Z',
      true,
      null,
    ]);
  });

  test('has data bits and parity that come back as they were, and eight data bits with ZVT', () => {
    const sevenBits = {
      ...serial,
      protocol: 'concert',
      stopBits: 1,
      dataBits: 7,
      parity: 'even',
    } as const;
    expect(asked(formOf(sevenBits))).toMatchObject({ dataBits: 7, parity: 'even' });
    const form = formOf(sevenBits);
    expect(asked({ ...form, ...withProtocol(form, 'zvt') })).not.toHaveProperty('dataBits');
    expect(asked(formOf({ ...serial, parity: 'odd' }))).toMatchObject({ parity: 'odd' });
  });

  test('what is usual follows the protocol and the profile; what was changed stays', () => {
    const changed = (form: TillForm, change: Partial<TillForm>) => ({ ...form, ...change });
    expect(changed(formOf(network), withProtocol(formOf(network), 'concert'))).toMatchObject({
      protocol: 'concert',
      port: '8888',
      stopBits: 1,
    });
    const own = formOf(network, { port: '3000' });
    expect(changed(own, withProtocol(own, 'concert')).port).toBe('3000');
  });

  test('has stop bits in one place: no profile that is offered sets them, and one of the settings becomes the number', () => {
    expect(
      offeredProfileIds.filter(
        (profile) => profileOf({ profile }).stopBits !== profileOf({}).stopBits,
      ),
    ).toEqual([]);
    const oneBit = formOf({ ...serial, profile: 'oneStopBit', stopBits: 1 });
    expect(oneBit).toMatchObject({ profile: '', stopBits: 1 });
    expect(asked(oneBit)).toMatchObject({ profile: null, stopBits: 1 });
  });
});

describe('a till that is a program', () => {
  const api = {
    host: '192.168.1.20',
    port: 4_182,
    tls: { certificate: '/etc/till.pem', key: '/etc/till.key' },
    origins: ['https://till.example'],
  };
  const program: Extract<TillView, { transport: 'http' }> = {
    transport: 'http',
    ...api,
    names: [],
    nexo: null,
  };
  const nexo = {
    poiId: 'Tillbeacon-1',
    key: { identifier: 'shop', version: 3, hasPassphrase: true },
  };
  const input = (form: TillForm, passphrase = '') => tillInput(form, passphrase, 'en', nowMs);

  test('comes back as it was when nothing is touched', () => {
    expect(input(formOf(program))).toEqual({ transport: 'http', ...api, nexo: null });
    expect(input(formOf({ ...program, nexo }))).toMatchObject({
      nexo: { poiId: 'Tillbeacon-1', key: { identifier: 'shop', version: 3, passphrase: null } },
    });
    expect(input(formOf({ ...program, nexo: { ...nexo, key: null } }))).toMatchObject({
      nexo: { poiId: 'Tillbeacon-1', key: null },
    });
    expect(lineOf(formOf(program))).toBeNull();
  });

  test('needs no certificate on this computer alone; elsewhere both files, or the daemon says what is missing', () => {
    expect(apiOf(formOf(program, { apiHost: '127.0.0.1' }))).toMatchObject({ tls: null });
    expect(apiOf(formOf(program, { certificate: '', key: '' }))).toMatchObject({ tls: null });
    expect(apiOf(formOf(program, { key: ' ' }))).toBeNull();
    for (const apiPort of ['', '4182x', '70000', '-1'])
      expect(apiOf(formOf(program, { apiPort })), apiPort).toBeNull();
  });

  test('names the pages that may call it, each as browsers write it', () => {
    const typed = (origins: string) => ({
      asked: apiOf(formOf(program, { origins }))?.origins,
      problem: originsProblem(origins, 'en'),
    });
    expect(typed(' https://a.example, http://localhost:8080\n')).toEqual({
      asked: ['https://a.example', 'http://localhost:8080'],
      problem: null,
    });
    expect(typed('')).toEqual({ asked: [], problem: null });
    expect(typed('https://a.example/till')).toEqual({
      asked: undefined,
      problem: expect.stringContaining('https://a.example/till'),
    });
    expect(
      typed(Array.from({ length: 21 }, (_, index) => `https://a${index}.example`).join(' ')),
    ).toEqual({
      asked: undefined,
      problem: expect.stringContaining('20'),
    });
  });

  test('a rule of Nexo that is broken stands at its field', () => {
    const broken = (change: Partial<TillForm>, passphrase = '', stored = true) =>
      Object.entries(nexoProblems(formOf({ ...program, nexo }, change), passphrase, stored, 'en'))
        .filter(([, rule]) => rule !== null)
        .map(([id]) => id);
    expect(broken({})).toEqual([]);
    expect(broken({}, '', false)).toEqual(['passphrase']);
    expect(broken({}, 'fifteen letters')).toEqual(['passphrase']);
    expect(broken({}, 'correct horse battery staple')).toEqual([]);
    expect(broken({}, 'smørrebrød på broen')).toEqual(['passphrase']);
    expect(broken({ poiId: 'a b', keyIdentifier: ' ', keyVersion: '1.5' })).toEqual([
      'poiId',
      'keyIdentifier',
      'keyVersion',
    ]);
    expect(broken({ hasKey: false, keyVersion: '' }, '', false)).toEqual([]);
    expect(broken({ httpProtocol: 'api', poiId: '' }, '', false)).toEqual([]);
  });
});

describe('a passphrase of Nexo', () => {
  const key = { identifier: 'shop', version: 3, hasPassphrase: true };
  const form = formOf({
    transport: 'http',
    host: '127.0.0.1',
    port: 4182,
    tls: null,
    origins: [],
    names: [],
    nexo: { poiId: 'Tillbeacon-1', key },
  });

  test.each(languages)(
    'with a letter beyond ASCII is refused with the reason, and is not sent (%s)',
    (language) => {
      const { passphraseLetters, passphraseRule } = setupTexts[language].nexo;
      for (const typed of ['smørrebrød på broen', 'ä', 'lösenfras som är lång'])
        expect(nexoProblems(form, typed, true, language).passphrase).toBe(passphraseLetters);
      expect(nexoProblems(form, 'fifteen letters', true, language).passphrase).toBe(passphraseRule);
      expect(tillInput(form, 'smørrebrød på broen', language, 0)).toBeNull();
      expect(tillInput(form, 'correct horse battery staple', language, 0)).toMatchObject({
        nexo: { key: { passphrase: 'correct horse battery staple' } },
      });
    },
  );
});

describe('a rule that is broken stands at its field', () => {
  const problems = (form: TillForm, password = ''): Record<string, string> =>
    Object.fromEntries(
      Object.entries(securityProblems(form, password, 'en')).filter(
        (entry): entry is [string, string] => entry[1] !== null,
      ),
    );

  test('none is', () => expect(problems(formOf(network), '123456')).toEqual({}));
  test.each(['12345', '1234567', '12345a', ' 123456'])('the password %j', (password) =>
    expect(problems(formOf(serial), password)).toEqual({ tillPassword: 'Exactly six digits.' }),
  );
  test.each([
    ['', 'Type an amount.'],
    ['0', 'Type an amount above zero.'],
    ['12.345', 'Type at most two digits after the point, for example 12.50.'],
    ['a lot', 'Type digits only, for example 12.50.'],
  ])('the amount %j', (refundLimit, rule) => {
    const form = formOf(serial, { refunds: 'upTo', refundLimit });
    expect(problems(form)).toEqual({ refundLimit: rule });
    expect(problems({ ...form, refunds: 'no' })).toEqual({});
  });
  test('an address, by its name; of a serial cable nobody asks for one', () => {
    expect(problems(formOf(network, { from: '192.168.1.40, 192.168.1.400' }))).toEqual({
      from: '“192.168.1.400” is no address. Write it like 192.168.1.40 or 192.168.1.0/24.',
    });
    expect(problems(formOf(serial, { from: 'x' }))).toEqual({});
  });
  test('too many addresses', () => {
    const from = Array.from({ length: 101 }, (_, number) => `10.0.0.${number}`).join('\n');
    expect(problems(formOf(network, { from }))).toEqual({ from: 'At most 100 addresses.' });
  });
});

describe('refunds that can be chosen', () => {
  const choices = (form: TillForm): string[] =>
    refundChoices(form).map(({ value, says }) => `${value}: ${says}`);

  test('on a line of the till’s own they are allowed or not', () => {
    for (const till of [serial, loopback])
      expect(choices(formOf(till))).toEqual(['usual: yes', 'no: no', 'upTo: upTo']);
    expect(choices(formOf({ ...serial, refunds: true }))[0]).toBe('yes: yes');
  });

  test('in the network they may hang on the password', () => {
    expect(choices(formOf(network))).toEqual([
      'usual: withPassword',
      'yes: yes',
      'no: no',
      'upTo: upTo',
    ]);
  });
});

test('a till’s connection is open to the network at every address but those of this machine alone', () => {
  for (const host of ['127.0.0.1', '127.1.2.3', 'localhost', '::1', ' 127.0.0.1 ', ' '])
    expect(isOpenToNetwork(formOf({ ...loopback, host })), host).toBe(false);
  for (const host of ['0.0.0.0', '::', '192.168.1.20', '127.0.0.1.example', 'till.shop'])
    expect(isOpenToNetwork(formOf({ ...loopback, host })), host).toBe(true);
  expect(isOpenToNetwork(formOf(serial))).toBe(false);
});
