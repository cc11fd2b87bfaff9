import { describe, expect, test } from 'vitest';
import type { Currency } from '../../../../main/core/domain/money.ts';
import { shownBytes } from '../../../../main/counter/setup/shown-bytes.ts';
import { TillJudge } from '../../../../main/counter/setup/till-judge.ts';
import { blockOf } from '../../../../main/tills/concert/blocks.ts';
import { encodeBcd } from '../../../../main/tills/zvt/bcd.ts';
import { BMP } from '../../../../main/tills/zvt/bitmaps.ts';
import { encodeCurrency } from '../../../../main/tills/zvt/currency.ts';
import { encodePacket } from '../../../../main/tills/zvt/packets.ts';
import { encodeBlock } from '../../../../main/tills/zvt/serial-framing.ts';
import { bytesOf } from '../../tills/zvt/support.ts';
import {
  registration,
  opi,
  prefixed,
  concert,
  enquiry,
  blockOfConcert,
  withParity,
  garbage,
} from './till-support.ts';

const judgeOf = (transport: 'serial' | 'tcp', bytes: Uint8Array | string): TillJudge => {
  const judge = new TillJudge(transport);
  for (const byte of Buffer.from(bytes)) judge.push(Uint8Array.of(byte));
  return judge;
};
const heardOn = (transport: 'serial' | 'tcp', bytes: Uint8Array | string) =>
  judgeOf(transport, bytes).verdict();

describe('what a till says, before anybody answers', () => {
  test.each<[string, 'serial' | 'tcp', Uint8Array | string, object]>([
    ['nothing', 'serial', '', { what: 'nothing' }],
    ['two bytes', 'serial', Uint8Array.of(5, 6), { what: 'unclear' }],
    [
      'a block of ZVT',
      'serial',
      encodeBlock(registration),
      { what: 'zvt', meaning: expect.stringContaining('Registration 06 00') },
    ],
    [
      'a block of ZVT after noise',
      'serial',
      Buffer.concat([garbage, encodeBlock(registration)]),
      { what: 'zvt' },
    ],
    [
      'a block whose checksum is wrong',
      'serial',
      encodeBlock(registration).with(6, 0x55),
      { what: 'zvtDamaged' },
    ],
    [
      'a bare packet on a serial line',
      'serial',
      registration,
      { what: 'otherProtocol', protocol: 'zvtTcp' },
    ],
    [
      'a bare packet over TCP',
      'tcp',
      registration,
      { what: 'zvt', meaning: expect.stringContaining('Registration') },
    ],
    [
      'a serial block over TCP',
      'tcp',
      encodeBlock(registration),
      { what: 'zvt', meaning: expect.stringContaining('Registration') },
    ],
    ['O.P.I. over TCP', 'tcp', `\0\0\0\x44${opi}`, { what: 'otherProtocol', protocol: 'opi' }],
    ['O.P.I. on a serial line', 'serial', opi, { what: 'otherProtocol', protocol: 'opi' }],
    [
      'other XML',
      'serial',
      '<?xml version="1.0"?><Hello/>',
      { what: 'otherProtocol', protocol: 'xml' },
    ],
    [
      'a receipt',
      'serial',
      '\x1b@\x1b!\x30TOTAL  12,34\n',
      { what: 'otherProtocol', protocol: 'printer' },
    ],
    ['text', 'serial', 'AT+GMR\r\nAT+GMR\r\n', { what: 'otherProtocol', protocol: 'text' }],
    [
      'a bare packet behind its length',
      'tcp',
      prefixed,
      { what: 'zvt', meaning: expect.stringContaining('Registration') },
    ],
    [
      'a payment of Concert over TCP',
      'tcp',
      concert,
      { what: 'otherProtocol', protocol: 'concert' },
    ],
    [
      'the enquiries of Concert on a serial line',
      'serial',
      Uint8Array.of(5, 4, 5),
      { what: 'otherProtocol', protocol: 'concert' },
    ],
    ['one enquiry', 'serial', Uint8Array.of(5), { what: 'unclear' }],
    [
      'an enquiry of Concert and its block',
      'serial',
      Buffer.concat([enquiry, blockOfConcert]),
      { what: 'otherProtocol', protocol: 'concert' },
    ],
    [
      'a block of Concert alone',
      'serial',
      blockOfConcert,
      { what: 'otherProtocol', protocol: 'concert' },
    ],
    [
      'with even parity',
      'serial',
      withParity(Buffer.concat([enquiry, blockOfConcert]), 'even'),
      { what: 'otherProtocol', protocol: 'concert' },
    ],
    [
      'the same without its enquiry',
      'serial',
      withParity(blockOfConcert, 'even'),
      { what: 'otherProtocol', protocol: 'concert' },
    ],
    [
      'its beginning',
      'serial',
      Buffer.from('058230b130303030b1b233b4', 'hex'),
      { what: 'otherProtocol', protocol: 'concert' },
    ],
    ['a block of another protocol', 'serial', blockOf(Buffer.from('P00')), { what: 'noise' }],
    [
      'a block of Concert with a wrong LRC',
      'serial',
      blockOfConcert.with(-1, 0),
      { what: 'otherProtocol', protocol: 'text' },
    ],
    [
      'a block of Concert over TCP',
      'tcp',
      blockOf(Buffer.from(concert)),
      { what: 'otherProtocol', protocol: 'concert' },
    ],
    [
      'a block of another protocol over TCP',
      'tcp',
      blockOf(Buffer.from('P0000000100000000')),
      { what: 'otherProtocol', protocol: 'text' },
    ],
    [
      'a program',
      'tcp',
      'POST /v1/payments HTTP/1.1\r\n',
      { what: 'otherProtocol', protocol: 'http' },
    ],
    [
      'a till of Nexo, by its address',
      'tcp',
      'POST /nexo/ HTTP/1.1\r\n',
      { what: 'otherProtocol', protocol: 'nexo' },
    ],
    [
      'a till of Nexo, by what it says',
      'tcp',
      'POST / HTTP/1.1\r\n\r\n{"SaleToPOIRequest":{',
      { what: 'otherProtocol', protocol: 'nexo' },
    ],
    [
      'a browser',
      'tcp',
      'GET / HTTP/1.1\r\nHost: 10.0.0.1\r\n',
      { what: 'otherProtocol', protocol: 'http' },
    ],
    [
      'a scanner that tries TLS',
      'tcp',
      Uint8Array.of(0x16, 3, 1, 2, 0, 1),
      { what: 'otherProtocol', protocol: 'tls' },
    ],
    ['noise', 'serial', garbage, { what: 'noise' }],
  ])('%s', (_what, transport, bytes, verdict) =>
    expect(heardOn(transport, bytes)).toMatchObject(verdict),
  );

  test.each<[string, 'serial' | 'tcp', Uint8Array | string, object]>([
    ['Concert over TCP', 'tcp', concert, { what: 'concert' }],
    ['Concert on a serial line', 'serial', Uint8Array.of(5, 4, 5), { what: 'concert' }],
    ['ZVT over TCP', 'tcp', registration, { what: 'otherProtocol', protocol: 'zvt' }],
    [
      'ZVT on a serial line',
      'serial',
      encodeBlock(registration),
      { what: 'otherProtocol', protocol: 'zvt' },
    ],
    ['O.P.I.', 'tcp', opi, { what: 'otherProtocol', protocol: 'opi' }],
  ])('where Concert is waited for: %s', (_what, transport, bytes, verdict) => {
    expect(judgeOf(transport, bytes).verdict('concert')).toMatchObject(verdict);
  });

  const eight = { dataBits: 8, parity: 'none' };
  test.each<[string, Uint8Array, object | null]>([
    ['enquiries alone: either', Uint8Array.of(5, 5, 5), null],
    ['enquiries and EOT without parity', Uint8Array.of(5, 4, 5), eight],
    ['with even parity', Uint8Array.of(5, 0x84, 5), { dataBits: 7, parity: 'even' }],
    ['with odd parity', Uint8Array.of(0x85, 4, 0x85), { dataBits: 7, parity: 'odd' }],
    ['a block without parity', Buffer.concat([enquiry, blockOfConcert]), eight],
    [
      'a block with even parity',
      withParity(Buffer.concat([enquiry, blockOfConcert]), 'even'),
      { dataBits: 7, parity: 'even' },
    ],
    [
      'a block with odd parity',
      withParity(Buffer.concat([enquiry, blockOfConcert]), 'odd'),
      { dataBits: 7, parity: 'odd' },
    ],
    [
      'the beginning of a block with even parity',
      Buffer.from('058230b130303030b1b233b4', 'hex'),
      { dataBits: 7, parity: 'even' },
    ],
    [
      'a block with a byte of eight bits',
      Buffer.concat([enquiry, blockOf(Buffer.from(`${concert}CG001\xe9`, 'latin1'))]),
      null,
    ],
    ['noise', garbage, null],
  ])('data bits and parity of a till of Concert: %s', (_what, bytes, format) =>
    expect(judgeOf('serial', bytes).format).toEqual(format),
  );

  const amount = [BMP.amount, encodeBcd(100, 6)] as const;
  const paying = (...fields: readonly (readonly [number, Uint8Array])[]) =>
    encodePacket('authorisation', { fields: new Map(fields) });
  test.each<[string, 'serial' | 'tcp', Uint8Array, string | null]>([
    ['a till that registers', 'tcp', registration, null],
    ['that pays first, without a currency', 'tcp', paying(amount), 'noRegistration'],
    ['and on a serial line', 'serial', encodeBlock(paying(amount)), 'noRegistration'],
    [
      'that pays first, and names its currency',
      'tcp',
      paying(amount, [BMP.currency, encodeCurrency('DKK')]),
      null,
    ],
    [
      'that pays after it has registered',
      'tcp',
      Buffer.concat([registration, paying(amount)]),
      null,
    ],
    ['whose blocks come over TCP', 'tcp', encodeBlock(registration), 'blocksOverTcp'],
    [
      'whose password stands before the amount',
      'tcp',
      bytesOf('06 01 0D 12 34 56 04 00 00 00 00 12 34 49 09 78'),
      'passwordInPayment',
    ],
    [
      'whose password stands behind the amount',
      'serial',
      encodeBlock(bytesOf('06 01 0A 04 00 00 00 00 12 34 01 02 03')),
      'passwordInPayment',
    ],
  ])('which profile fits: %s', (_what, transport, bytes, profile) =>
    expect(judgeOf(transport, bytes).profile).toBe(profile),
  );

  test('a till that registers in another currency than the lane is named', () => {
    const profileFor = (lane: Currency | null): string | null => {
      const judge = new TillJudge('tcp', lane);
      judge.push(bytesOf('06 00 10 00 00 00 BE 09 78 03 01 06 06 26 04 0A 02 06 D3'));
      return judge.profile;
    };
    expect([profileFor('DKK'), profileFor('EUR'), profileFor(null)]).toEqual([
      'currencyOfLane',
      null,
      null,
    ]);
  });
});

test.each([
  ['over TCP', registration, '06 00 06 ** ** ** 8A 02 08'],
  [
    'on a serial line',
    encodeBlock(registration).subarray(0, 11),
    '10 02 06 00 06 ** ** ** 8A 02 08',
  ],
  [
    'with a byte that is sent twice there',
    encodeBlock(encodePacket('reversal', { parts: [encodeBcd(101_056, 3)] })).subarray(0, 11),
    '10 02 06 30 03 ** ** ** 10',
  ],
  ['in a status enquiry', Uint8Array.of(5, 1, 3, 0x12, 0x34, 0x56), '05 01 03 ** ** **'],
  [
    'of a payment',
    encodePacket('authorisation', { fields: new Map([[BMP.password, encodeBcd(123_456, 3)]]) }),
    '06 01 04 3D ** ** **',
  ],
  [
    'before the amount of a payment',
    bytesOf('06 01 0D 12 34 56 04 00 00 00 00 12 34 49 09 78'),
    '06 01 0D ** ** ** 04 00 00 00 00 12 34 49 09 78',
  ],
  [
    'behind the amount of a payment',
    bytesOf('06 01 0A 04 00 00 00 00 12 34 01 02 03'),
    '06 01 0A 04 00 00 00 00 12 34 ** ** **',
  ],
  ['which is not of ZVT', Buffer.from('a=1234'), '61 3D 31 32 33 34'],
])('the bytes that are shown hold no password: %s', (_what, bytes, text) =>
  expect(shownBytes(bytes)).toBe(text),
);
