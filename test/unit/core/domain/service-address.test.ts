import { expect, test } from 'vitest';
import { maskedAddress, serviceAddress } from '../../../../main/core/domain/service-address.ts';

const ruleBroken = (text: unknown): string | undefined =>
  serviceAddress.safeParse(text).error?.issues[0]?.message;

test.each([
  'https://api.example',
  'https://api.example:8443/v1/',
  'HTTPS://API.EXAMPLE',
  'https://[2001:db8::1]/',
  'http://127.0.0.1:4191',
  'http://127.8.9.1/x',
  'http://[::1]:4191/',
  'http://localhost:4191',
])('%s may be asked for money', (address) => expect(ruleBroken(address)).toBeUndefined());

test.each([
  ['nowhere', 'must be an address that begins with https://'],
  ['ftp://api.example', 'must be an address that begins with https://'],
  ['https:api.example', 'must be an address that begins with https://'],
  ['https:\\\\api.example', 'must be an address that begins with https://'],
  ['https://api.exa\nmple', 'must be an address that begins with https://'],
  ['https://api.example:99999', 'must be an address that begins with https://'],
  ['javascript://api.example/%0aalert(1)', 'must be an address that begins with https://'],
  ['', 'must be an address that begins with https://'],
  [7, 'Invalid input: expected string, received number'],
  [
    'http://api.example',
    'must begin with https://, because http:// is for services on this machine alone',
  ],
  [
    'http://10.0.0.7',
    'must begin with https://, because http:// is for services on this machine alone',
  ],
  [
    'http://localhost.example',
    'must begin with https://, because http:// is for services on this machine alone',
  ],
  [
    'http://127.0.0.1.example',
    'must begin with https://, because http:// is for services on this machine alone',
  ],
  [
    'http://[::ffff:127.0.0.1]',
    'must begin with https://, because http:// is for services on this machine alone',
  ],
  [
    'http://localhost@api.example',
    'must begin with https://, because http:// is for services on this machine alone',
  ],
  ['https://me:secret@api.example', 'must not hold a user name or a password'],
  ['https://me@api.example', 'must not hold a user name or a password'],
  ['https://@api.example', 'must not hold a user name or a password'],
  ['https://api.example/?key=secret', 'must not hold anything after a ? or #'],
  ['https://api.example/?', 'must not hold anything after a ? or #'],
  ['https://api.example/#v1', 'must not hold anything after a ? or #'],
])('%j may not: it %s', (address, rule) => expect(ruleBroken(address)).toBe(rule));

test.each([
  ['https://me:secret@api.example/v1', 'https://***@api.example/v1'],
  ['https://me:sec/re@t@api.example', 'https://***@api.example'],
  ['me:secret@api.example', '***@api.example'],
  ['https://api.example/?key=secret', 'https://api.example/?***'],
  ['https://me:sec?ret@api.example', 'https://***@api.example'],
  ['https://api.example/v1', 'https://api.example/v1'],
])('%s is told as %s', (address, told) => expect(maskedAddress(address)).toBe(told));
