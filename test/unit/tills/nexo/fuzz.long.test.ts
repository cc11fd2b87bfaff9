/**
 * Random texts for the parser of messages: each is read or refused quickly, and means no more than
 * it says.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { minorIn, readJson, WrittenNumber } from '../../../../main/tills/nexo/json.ts';
import { Header, PaymentRequest, ReversalRequest } from '../../../../main/tills/nexo/messages.ts';
import { isFrom, saleOfSender, senderOf } from '../../../../main/tills/nexo/names.ts';
import {
  deriveKey,
  openMessage,
  secureMessage,
  Trailer,
} from '../../../../main/tills/nexo/secured.ts';
import { chosen, isLong } from '../../../support/long.ts';
import { key, message, payment } from './support.ts';

const numRuns = isLong ? 100_000 : 2_000;
const seed = (what: string) => ({ numRuns, seed: chosen(2 ** 31, `fuzz nexo ${what}`) });

const model = JSON.stringify(message('Payment', payment(Date.UTC(2026, 10, 23), 12.34)));
const change = fc.record({
  at: fc.nat(model.length),
  cut: fc.nat(4),
  put: fc.string({ maxLength: 4, unit: 'binary' }),
});
const spoilt = fc
  .array(change, { maxLength: 4 })
  .map((changes) =>
    changes.reduce(
      (text, { at, cut, put }) => text.slice(0, at) + put + text.slice(at + cut),
      model,
    ),
  );

describe(`${numRuns.toLocaleString('en')} inputs`, { timeout: isLong ? 600_000 : 60_000 }, () => {
  test('of messages: what is taken has an amount of whole cents, as it is written', () => {
    fc.assert(
      fc.property(fc.oneof(spoilt, fc.json(), fc.string()), (text) => {
        const read = readJson(text) as
          | { SaleToPOIRequest?: { MessageHeader?: unknown; PaymentRequest?: unknown } }
          | undefined
          | null;
        const request = read?.SaleToPOIRequest;
        Header.safeParse(request?.MessageHeader);
        ReversalRequest.safeParse(request?.PaymentRequest);
        const taken = PaymentRequest.safeParse(request?.PaymentRequest);
        if (!taken.success) return;
        const minor = taken.data.PaymentTransaction.AmountsReq.RequestedAmount;
        expect(Number.isSafeInteger(minor) && minor > 0).toBe(true);
        expect(text).toContain(`${Math.floor(minor / 100)}`);
      }),
      seed('messages'),
    );
  });

  test('of numbers: an amount is exactly its decimals, or none', () => {
    const decimals = fc.tuple(fc.nat(99_999_999), fc.nat(99)).map(([whole, cents]) => ({
      text: `${whole}.${String(cents).padStart(2, '0')}`,
      minor: whole * 100 + cents,
    }));
    fc.assert(
      fc.property(decimals, ({ text, minor }) => {
        expect(minorIn(new WrittenNumber(text))).toBe(minor);
      }),
      seed('decimals'),
    );
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e9 }), (double) => {
        const minor = minorIn(new WrittenNumber(JSON.stringify(double)));
        if (minor !== null) expect(JSON.stringify(minor / 100)).toBe(JSON.stringify(double));
      }),
      seed('doubles'),
    );
  });

  test('of protected messages: nothing is opened but what was made with the key', () => {
    const shared = deriveKey(key);
    const { NexoBlob, SecurityTrailer } = secureMessage(shared, model);
    const asRead = (trailer: object): Trailer => Trailer.parse(readJson(JSON.stringify(trailer)));
    expect(openMessage(shared, NexoBlob, asRead(SecurityTrailer))).toBe(model);
    const bytes = fc
      .uint8Array({ maxLength: 64 })
      .map((some) => Buffer.from(some).toString('base64'));
    const changed = fc.record({
      blob: fc.oneof(bytes, fc.constant(NexoBlob)),
      Nonce: bytes,
      Hmac: fc.oneof(bytes, fc.constant(SecurityTrailer.Hmac)),
    });
    fc.assert(
      fc.property(changed, ({ blob, Nonce, Hmac }) => {
        const trailer = Trailer.safeParse(
          readJson(JSON.stringify({ ...SecurityTrailer, Nonce, Hmac })),
        );
        if (trailer.success) expect(openMessage(shared, blob, trailer.data)).toBeNull();
      }),
      seed('protected messages'),
    );
  });

  test('of names: a sender is read as it was written', () => {
    const text = fc
      .string({ minLength: 1, maxLength: 40, unit: 'grapheme' })
      .filter((one) => /^\P{C}+$/u.test(one));
    fc.assert(
      fc.property(text, text, text, (saleId, serviceId, TransactionID) => {
        const sale = { TransactionID, TimeStamp: '2026-11-23T09:30:00+01:00' };
        const from = senderOf('127.0.0.1', { saleId, serviceId }, sale, 'T-1');
        expect(saleOfSender(from)).toEqual(sale);
        expect(isFrom(from, { saleId, serviceId }, 'T-1')).toBe(true);
        expect(isFrom(from, { saleId, serviceId: `${serviceId}x` }, 'T-1')).toBe(false);
      }),
      seed('names'),
    );
  });
});
