import { describe, expect, test } from 'vitest';
import { crc16 } from '../../main/tills/zvt/crc.ts';
import { describe as inWords } from '../../main/tills/zvt/describe.ts';
import { encodePacket, hex } from '../../main/tills/zvt/packets.ts';
import {
  completion,
  intermediateStatus,
  refusalInformation,
  registrationCompletion,
  statusCompletion,
  statusInformation,
  wrongCurrencyAnswer,
} from '../../main/tills/zvt/answers.ts';
import { refundRefusal, resultOf } from '../../main/tills/zvt/result-codes.ts';
import { encodeBlock, SerialDecoder } from '../../main/tills/zvt/serial-framing.ts';

const bytes = (text: string): Uint8Array =>
  Uint8Array.from(text.trim().split(/\s+/), (byte) => Number.parseInt(byte, 16));

/**
 * APDU, whole block, and what it says. The first nine are computed by an independent client, those
 * of refunds by another program.
 */
const vectors: readonly (readonly [apdu: string, block: string, words: string])[] = [
  ['80 00 00', '10 02 80 00 00 10 03 F5 1F', 'Acknowledged 80 00'],
  ['06 0F 00', '10 02 06 0F 00 10 03 C6 33', 'Completion 06 0F'],
  ['06 02 00', '10 02 06 02 00 10 03 B9 CC', 'Log-off 06 02'],
  ['06 1E 01 6C', '10 02 06 1E 01 6C 10 03 C9 F2', 'Aborted 06 1E: timeout or abort'],
  ['04 FF 01 0E', '10 02 04 FF 01 0E 10 03 95 1A', 'Intermediate status 04 FF: status 0E'],
  ['04 0F 02 27 00', '10 02 04 0F 02 27 00 10 03 83 FE', 'Status information 04 0F: ok'],
  [
    '06 00 06 12 34 56 BE 09 78',
    '10 02 06 00 06 12 34 56 BE 09 78 10 03 C8 B1',
    'Registration 06 00: config BE, EUR',
  ],
  [
    '06 00 06 12 34 56 9E 02 08',
    '10 02 06 00 06 12 34 56 9E 02 08 10 03 F9 E7',
    'Registration 06 00: config 9E, DKK',
  ],
  [
    '06 01 0A 04 00 00 00 00 12 34 49 09 78',
    '10 02 06 01 0A 04 00 00 00 00 12 34 49 09 78 10 03 B0 91',
    'Authorisation 06 01: amount 12.34 EUR',
  ],
  [
    '06 01 0A 04 00 00 00 00 10 10 49 02 08',
    '10 02 06 01 0A 04 00 00 00 00 10 10 10 10 49 02 08 10 03 05 0D',
    'Authorisation 06 01: amount 10.10 DKK',
  ],
  [
    '06 01 0A 04 00 00 00 00 02 28 49 09 78',
    '10 02 06 01 0A 04 00 00 00 00 02 28 49 09 78 10 03 70 10',
    'Authorisation 06 01: amount 2.28 EUR',
  ],
  [
    '06 30 06 12 34 56 87 00 17',
    '10 02 06 30 06 12 34 56 87 00 17 10 03 77 76',
    'Reversal 06 30: receipt 17',
  ],
  [
    '06 30 10 12 34 56 87 00 17 04 00 00 00 00 05 00 49 02 08',
    '10 02 06 30 10 10 12 34 56 87 00 17 04 00 00 00 00 05 00 49 02 08 10 03 11 47',
    'Reversal 06 30: amount 5.00 DKK, receipt 17',
  ],
  [
    '06 31 0D 12 34 56 04 00 00 00 00 05 00 49 02 08',
    '10 02 06 31 0D 12 34 56 04 00 00 00 00 05 00 49 02 08 10 03 0D 4E',
    'Refund 06 31: amount 5.00 DKK',
  ],
  [
    '06 31 10 12 34 56 04 00 00 00 00 05 00 49 02 08 87 00 17',
    '10 02 06 31 10 10 12 34 56 04 00 00 00 00 05 00 49 02 08 87 00 17 10 03 01 9C',
    'Refund 06 31: amount 5.00 DKK, receipt 17',
  ],
  ['06 1E 01 B4', '10 02 06 1E 01 B4 10 03 32 63', 'Aborted 06 1E: already refunded'],
  ['06 1E 01 B5', '10 02 06 1E 01 B5 10 03 EA 7A', 'Aborted 06 1E: refund not possible'],
];

test('the checksum is CRC-16/KERMIT', () => {
  expect(crc16(new TextEncoder().encode('123456789'))).toBe(0x2189);
});

describe('every block that is published', () => {
  test.each(vectors)('%s', (apdu, block, words) => {
    expect(hex(encodeBlock(bytes(apdu)))).toBe(block);
    expect(new SerialDecoder().push(bytes(block))).toEqual([{ kind: 'apdu', bytes: bytes(apdu) }]);
    expect(inWords(bytes(apdu))).toBe(words);
  });
});

describe('what we send', () => {
  const sale = {
    saleId: '5a1e0000-0000-4000-8000-000000000001',
    orderId: '1-000042-5a1e0000',
    amountMinor: 1010,
    currency: 'DKK' as const,
    receiptNumber: 17,
    traceNumber: 42,
    startedAtMs: new Date(2026, 10, 21, 9, 5, 7).getTime(),
  };

  test('a paid status information, its fields in the order that old tills rely on', () => {
    const expected = [
      '04 0F 32 27 00 04 00 00 00 00 10 10 0B 00 00 42 0C 09 05 07 0D 11 21 19 70 29 00 00 00 01 49 02 08 87 00 17',
      '8B F1 F4 4D 6F 62 69 6C 65 20 77 61 6C 6C 65 74 00',
    ].join(' ');
    expect(
      hex(
        statusInformation(sale, resultOf({ paid: true }), {
          namesCurrency: true,
          language: 'en',
          allowsTlv: false,
        }),
      ),
    ).toBe(expected);
  });

  const refund = {
    refundOrderId: '1-000043-0f0d0000',
    saleId: sale.saleId,
    amountMinor: 500,
    currency: 'DKK' as const,
    receiptNumber: 18,
    traceNumber: 43,
    originalReceiptNumber: 17,
    originalTraceNumber: 42,
    startedAtMs: sale.startedAtMs,
  };

  test('a refunded status information: own receipt and trace, and the trace of the sale', () => {
    const expected = [
      '04 0F 36 27 00 04 00 00 00 00 05 00 0B 00 00 43 37 00 00 42 0C 09 05 07 0D 11 21 19 70 29 00 00 00 01 49 02 08 87 00 18',
      '8B F1 F4 4D 6F 62 69 6C 65 20 77 61 6C 6C 65 74 00',
    ].join(' ');
    const sent = statusInformation(refund, resultOf({ refunded: true }), {
      namesCurrency: true,
      language: 'en',
      allowsTlv: false,
    });
    expect(hex(sent)).toBe(expected);
    expect(inWords(sent)).toBe(
      'Status information 04 0F: ok, amount 5.00 DKK, receipt 18, trace 43, original trace 42',
    );
  });

  test('a refund that was not done: its result code, then the reason as text', () => {
    const sent = hex(
      statusInformation(refund, resultOf({ refunded: false, reason: 'tooOld' }), {
        namesCurrency: false,
        language: 'da',
        allowsTlv: false,
      }),
    );
    expect(sent).toMatch(
      /^04 0F .. 27 B5 04 00 00 00 00 05 00 .* 3C F0 F2 F7 42 65 74 61 6C 69 6E 67 20 61 65 6C 64 72 65 /,
    );
  });

  test('a refund that never began: a result code and a text, no numbers', () => {
    expect(hex(refusalInformation(refundRefusal('alreadyRefunded'), 'en'))).toBe(
      '04 0F 16 27 B4 3C F0 F1 F6 41 6C 72 65 61 64 79 20 72 65 66 75 6E 64 65 64',
    );
  });

  test('no currency to a till that named none', () => {
    expect(
      hex(
        statusInformation(sale, resultOf({ paid: true }), {
          namesCurrency: false,
          language: 'en',
          allowsTlv: false,
        }),
      ),
    ).not.toContain(' 49 02 08');
  });

  test.each([
    ['declinedByCustomer', '05'],
    ['cancelledByCustomer', '6C'],
    ['cancelledByTill', '6C'],
    ['timedOut', '6C'],
    ['cancelledByService', '05'],
    ['notOnboarded', '6B'],
    ['serviceUnreachable', 'A3'],
    ['refusedByService', 'FF'],
  ] as const)('%s with result code %s, and the reason as text', (reason, code) => {
    const sent = hex(
      statusInformation(sale, resultOf({ paid: false, reason }), {
        namesCurrency: false,
        language: 'en',
        allowsTlv: false,
      }),
    );
    expect(sent).toMatch(new RegExp(`^04 0F .. 27 ${code} 04`));
    expect(sent).toContain(' 3C F0 ');
  });

  test.each([
    ['code', 'Scan the QR code'],
    ['beacon', 'Hold phone to beacon'],
    ['either', 'Scan code or hold to beacon'],
  ] as const)(
    'intermediate status for a customer who finds the counter by %s',
    (approach, words) => {
      expect(
        inWords(
          intermediateStatus(
            'waitingForCustomer',
            { allowsTlv: true, language: 'en', charset: 0xff },
            approach,
          ),
        ),
      ).toContain(`"${words}"`);
    },
  );

  test('intermediate status: a code, or text where the till reads TLV', () => {
    expect(
      hex(
        intermediateStatus(
          'waitingForCustomer',
          { allowsTlv: false, language: 'en', charset: 0xff },
          'code',
        ),
      ),
    ).toBe('04 FF 01 0A');
    expect(
      hex(
        intermediateStatus(
          'customerFound',
          { allowsTlv: true, language: 'en', charset: 0xff },
          'code',
        ),
      ),
    ).toBe('04 FF 16 FF 03 06 12 24 10 07 0E 43 75 73 74 6F 6D 65 72 20 66 6F 75 6E 64');
    expect(
      inWords(
        intermediateStatus(
          'customerFound',
          { allowsTlv: true, language: 'en', charset: 0xff },
          'code',
        ),
      ),
    ).toBe('Intermediate status 04 FF: status FF, "Customer found"');
  });

  test('completions: of a payment, a registration, a status enquiry', () => {
    expect(hex(completion)).toBe('06 0F 00');
    expect(hex(registrationCompletion('DKK'))).toBe('06 0F 0A 19 00 29 00 00 00 01 49 02 08');
    expect(hex(statusCompletion(0x00, null))).toBe('06 0F 01 00');
    expect(hex(statusCompletion(0x9c, 'T 1'))).toBe('06 0F 07 F0 F0 F3 54 20 31 9C');
  });

  test('a registration in the wrong currency is answered with ours', () => {
    expect(hex(wrongCurrencyAnswer('DKK'))).toBe('84 1E 03 6F 02 08');
  });

  test('a packet of 255 bytes and more has the long length, low byte first', () => {
    const packet = encodePacket('printLine', {
      parts: [Uint8Array.of(0)],
      rest: new Uint8Array(299).fill(0x41),
    });
    expect(hex(packet.subarray(0, 6))).toBe('06 D1 FF 2C 01 00');
  });
});
