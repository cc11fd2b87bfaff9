import { describe, expect, test } from 'vitest';
import { readArguments } from '../../../../main/wallets/callbacks/options.ts';

const read = (line: string) => readArguments(line.split(' ').filter((word) => word !== ''));

describe('the command line', () => {
  test('without a command receives, as it always has', () => {
    expect(read('--settings s.json --data d --port 0')).toEqual({
      command: 'receive',
      settings: 's.json',
      data: 'd',
      port: 0,
      since: undefined,
    });
  });

  test('the filters of list; a day is meant with all of it', () => {
    const { wanted } = read(
      'list --data d --state Cancelled --from 2026-11-21 --to 2026-11-21 --agreement A1',
    ) as { wanted: { fromMs: number; toMs: number } };
    expect(wanted).toMatchObject({
      status: 'canceled',
      agreementId: 'A1',
      kind: null,
      paymentId: null,
    });
    expect(new Date(wanted.fromMs).getHours()).toBe(0);
    expect(new Date(wanted.toMs).toDateString()).toBe('Sun Nov 22 2026');
  });

  test('an address to forward to is one address, however it is written', () => {
    expect(read('forward HTTPS://Hub.Example:443 --data d --secret-env S')).toMatchObject({
      url: 'https://hub.example/',
      secrets: [{ env: 'S' }],
      since: null,
    });
  });

  test('what is registered, and which of several, as people count them', () => {
    const [about, none] = [
      { command: 'register', settings: 's' },
      {
        address: null,
        counter: null,
        webhook: null,
        remove: null,
        merchant: null,
        credential: null,
      },
    ];
    expect(read('register --settings s --show')).toEqual({
      ...about,
      ...none,
      show: true,
      newSettings: null,
    });
    expect(read('register --settings s --merchant 2 --credential 3')).toEqual({
      ...about,
      ...none,
      show: false,
      newSettings: null,
      merchant: 1,
      credential: 2,
    });
    expect(read('register --settings s --counter c --webhook 1')).toEqual({
      ...about,
      ...none,
      show: false,
      newSettings: null,
      counter: 'c',
      webhook: 0,
    });
    expect(read('register --settings s --counter c --remove ID')).toMatchObject({
      counter: 'c',
      remove: 'ID',
    });
    const [service, address] = ['https://api.example', 'https://shop.example'];
    const newSettings = { service, keyEnv: 'K', profile: 'generic' };
    expect(
      read(`register --settings s --service ${service} --key-env K --address ${address}`),
    ).toEqual({ ...about, ...none, show: false, address, newSettings });
  });

  test.each<[string, RegExp]>([
    ['', /^a command is missing\nusage: /],
    ['weigh --data d', /^there is no command weigh\nusage: /],
    ['receive --settings s --data d', /^receive: is what it does without a command\nusage: /],
    ['--settings s', /^--data: is missing\nusage: /],
    [
      '--settings s --data d --port 70000',
      /^--port: must be a whole number from 0 to 65535, got 70000/,
    ],
    ['--settings s --data d --catch-up soon', /^--catch-up: must be a date and time, got soon/],
    ['list', /^--data: is missing\nusage: /],
    ['list more --data d', /'more'.*\nusage: /],
    ['list --data d --limit 0', /^--limit: must be a whole number from 1 to /],
    ['list --data d --from 2026-02-30', /^--from: must be a day such as .*, got 2026-02-30/],
    ['list --data d --from yesterday', /^--from: must be a day such as .*, got yesterday/],
    ['list --data d --from 2026-03-02 --to 2026-03-01', /^--to: must be later than --from/],
    ['list --data d --kind payments', /^--kind: must be one of payment, oneOff/],
    ['list --data d --rejected --state paid', /^--state: does not go with --rejected/],
    ['list --data d --since 3', /Unknown option '--since'/],
    ['show --data d', /^ID, --seq or --rejected: must be one of them\nusage: /],
    ['show abc --seq 1 --data d', /^ID, --seq or --rejected: must be one of them\nusage: /],
    [
      'show --seq 1 --rejected 1 --data d',
      /^ID, --seq or --rejected: must be one of them\nusage: /,
    ],
    ['show --seq first --data d', /^--seq: must be a whole number from 1 on, got first/],
    ['follow --data d --since -1', /--since/],
    ['follow --data d --since 1.5', /^--since: must be a whole number from 0 on, got 1.5/],
    ['forward --data d --secret-env S', /^URL: must be a single value\nusage: /],
    ['forward http://hub.example/ --data d --secret-env S', /^URL: must begin with https:\/\//],
    [
      'forward https://me:pw@hub.example/ --data d --secret-env S',
      /^URL: must not hold a user name or a password$/,
    ],
    [
      'forward https://hub.example/?token=1 --data d --secret-env S',
      /^URL: must not hold anything after a \? or #$/,
    ],
    [
      'forward https://hub.example/ --data d',
      /^--secret-file or --secret-env: one of them must name/,
    ],
    ['resend some --data d', /^NUMBER: must be a whole number from 1 on, got some/],
    ['register', /^--settings: is missing\nusage: /],
    [
      'register --settings s --address http://shop.example',
      /^--address: must begin with https:\/\//,
    ],
    [
      'register --settings s --merchant 0',
      /^--merchant: must be a whole number from 1 to 1000, got 0/,
    ],
    ['register --settings s --service https://api.example', /^--key-env: is missing\nusage: /],
    [
      'register --settings s --service https://api.example --key-env K',
      /^--address: is missing\nusage: /,
    ],
    [
      'register --settings s --key-env K --address https://shop.example',
      /^--service: is missing\nusage: /,
    ],
    ['register --settings s --profile generic', /^--service: is missing\nusage: /],
    [
      'register --settings s --service ftp://api.example --key-env K --address https://shop.example',
      /^--service: must be an address that begins with/,
    ],
    [
      'register --settings s --service https://a --key-env K --address https://b --merchant 2',
      /^--merchant: applies to existing settings/,
    ],
    [
      'register --settings s --webhook 1',
      /^--webhook: needs --counter: its settings have the keys/,
    ],
    ['register --settings s --remove ID', /^--remove: needs --counter: its settings have the keys/],
    ['register --settings s --counter c --remove ID --show', /^--remove: does not go with --show/],
    [
      'register --settings s --service https://a --key-env K --address https://b --profile x',
      /^--profile: must be one of generic, mobilepay, got x/,
    ],
  ])('%j is refused with a sentence', (line, says) => {
    expect(() => read(line)).toThrow(says);
  });

  test('what is refused is not repeated where it may be a secret', () => {
    expect(() =>
      read('forward https://me:hunter2@hub.example/ --data d --secret-env S'),
    ).not.toThrow(/hunter2/);
  });
});
