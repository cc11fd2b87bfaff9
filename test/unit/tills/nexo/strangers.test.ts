/** Who may send messages, and how messages that cannot be read are refused. */
import { pbkdf2Sync } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { reserved } from '../../core/lane/support.ts';
import { settled } from '../../support/manual-clock.ts';
import { deriveKey, nobodysKey, openMessage } from '../../../../main/tills/nexo/secured.ts';
import { key, message, NexoWorld, payment, poiId, protect, reveal } from './support.ts';

let at: NexoWorld;
beforeEach(async () => {
  at = await new NexoWorld().openNexo();
});
afterEach(async () => {
  expect(at.world.whatLeft().filter((what) => what === 'create')).toHaveLength(began);
  began = 0;
  await at.close();
});
/** The number of payments that the test should begin. */
let began = 0;

const asked = (header: object = {}) => message('Payment', payment(at.nowMs, 12.34), header);
const cryptoError = (number: number) => ({
  status: 401,
  body: { errors: [`Nexo Service: crypto error (${number})`] },
});

describe('a protected message', () => {
  test('needs no token, and is answered protected', async () => {
    began = 1;
    at.world.pollAnswers = [{ ...reserved }];
    const answer = at.sayRaw(protect(asked()), 'Payment', { token: null });
    for (let turn = 0; turn < 500 && at.world.lane.tillRequests.readiness() !== 'busy'; turn += 1)
      await settled();
    await at.world.clock.pass(3_000);
    const { status, body } = await answer;
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toContain('PaymentResponse');
    const { SaleToPOIResponse } = body as { SaleToPOIResponse: Parameters<typeof reveal>[0] };
    expect(SaleToPOIResponse.SecurityTrailer).toMatchObject({
      AdyenCryptoVersion: 1,
      KeyIdentifier: 'shop',
      KeyVersion: 1,
    });
    expect(reveal(SaleToPOIResponse)).toMatchObject({
      SaleToPOIResponse: { PaymentResponse: { Response: { Result: 'Success' } } },
    });
    // The same bytes again, as somebody has recorded them.
    expect((await at.sayRaw(protect(asked()), 'Payment', { token: null })).status).toBe(200);
  });

  test('with another passphrase, key, version or terminal begins nothing', async () => {
    const { identifier, passphrase } = key;
    const tries = [
      protect(asked(), { ...key, passphrase: 'another horse, another battery' }),
      protect(asked(), { ...key, identifier: 'other' }),
      protect(asked(), { identifier, passphrase, version: 2 }),
      protect(asked({ POIID: 'Tillbeacon-2' })),
    ];
    const answers = await Promise.all(
      tries.map((sent) => at.sayRaw(sent, 'Payment', { token: null })),
    );
    // One answer: which terminals, keys and versions there are is told to nobody.
    for (const answer of answers) expect(answer).toMatchObject(cryptoError(9));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  test('with another passphrase, or of an unknown key, is told in Health until one is right', async () => {
    const notices = () =>
      at.notices.list().map(({ code, detail, count }) => ({ code, detail, count }));
    await at.sayRaw(
      protect(asked(), { ...key, passphrase: 'another horse, another battery' }),
      'Payment',
      { token: null },
    );
    expect(notices()).toEqual([
      {
        code: 'tillKeyDiffers',
        detail: 'its KeyIdentifier and KeyVersion are right, its passphrase is not',
        count: 1,
      },
    ]);
    await at.sayRaw(protect(asked(), { ...key, version: 2 }), 'Payment', { token: null });
    expect(notices()).toEqual([
      {
        code: 'tillKeyDiffers',
        detail: 'no terminal here has its KeyIdentifier and KeyVersion',
        count: 2,
      },
    ]);
    await at.sayRaw(protect(message('Login', {})), 'Login', { token: null });
    expect(notices()).toEqual([]);
  });

  test.each([
    ['UTF-8', 'utf8'],
    ['Latin-1', 'latin1'],
  ] as const)(
    'of a till that reads its passphrase as %s is opened: the key is the same',
    (_, encoding) => {
      const passphrase = ' !"#$%&()*+,-./09:;<=>?@AZ[]^_`az{|}~';
      const ours = deriveKey({ ...key, passphrase });
      const bytes = pbkdf2Sync(
        Buffer.from(passphrase, encoding),
        'AdyenNexoV1Salt',
        4_000,
        80,
        'sha1',
      );
      expect([ours.hmacKey, ours.cipherKey, ours.iv]).toEqual([
        bytes.subarray(0, 32),
        bytes.subarray(32, 64),
        bytes.subarray(64),
      ]);
    },
  );

  test('that was changed on its way begins nothing, at whichever byte', async () => {
    const { SaleToPOIRequest: sent } = protect(asked());
    const blob = Buffer.from(sent.NexoBlob, 'base64');
    for (let byte = 0; byte < blob.length; byte += 37) {
      const changed = Buffer.from(blob);
      changed.writeUInt8(changed.readUInt8(byte) ^ 1, byte);
      const request = { ...sent, NexoBlob: changed.toString('base64') };
      expect(
        await at.sayRaw({ SaleToPOIRequest: request }, 'Payment', { token: null }),
      ).toMatchObject(cryptoError(9));
    }
    for (const trailer of [
      { Hmac: Buffer.alloc(32).toString('base64') },
      { Hmac: '' },
      { Nonce: Buffer.alloc(16).toString('base64') },
      { Nonce: 'AAAA' },
    ]) {
      const request = { ...sent, SecurityTrailer: { ...sent.SecurityTrailer, ...trailer } };
      expect(
        await at.sayRaw({ SaleToPOIRequest: request }, 'Payment', { token: null }),
      ).toMatchObject(cryptoError(9));
    }
  });

  test('is refused after the same time, whether its key is known, its padding right, or its HMAC', () => {
    const shared = deriveKey(key);
    const { NexoBlob, SecurityTrailer } = protect(asked()).SaleToPOIRequest;
    const padding = Buffer.from(NexoBlob, 'base64');
    padding.writeUInt8(padding.readUInt8(padding.length - 17) ^ 0xff, padding.length - 17);
    const wrongHmac = { ...SecurityTrailer, Hmac: Buffer.alloc(32).toString('base64') };
    const tries = [
      () => openMessage(shared, padding.toString('base64'), SecurityTrailer),
      () => openMessage(shared, NexoBlob, wrongHmac),
      () => openMessage(nobodysKey, NexoBlob, SecurityTrailer),
    ];
    // In turns, so that whatever else the machine does slows each down alike. Wrong padding took a
    // third less than the rest.
    const took = tries.map((): number[] => []);
    for (let turn = 0; turn < 4_000; turn += 1)
      for (const [which, open] of tries.entries()) {
        const began = process.hrtime.bigint();
        expect(open() === null).toBe(true);
        took[which]?.push(Number(process.hrtime.bigint() - began));
      }
    const medians = took.map(
      (times) => times.toSorted((one, other) => one - other)[times.length / 2] ?? 0,
    );
    expect(Math.min(...medians) / Math.max(...medians)).toBeGreaterThan(0.88);
  });

  test('whose header outside says something else than the one inside begins nothing', async () => {
    const { SaleToPOIRequest: sent } = protect(asked());
    for (const header of [
      { ServiceID: '0002' },
      { SaleID: 'POS-2' },
      { MessageCategory: 'Reversal' },
      { POIID: 'Tillbeacon-2' },
    ]) {
      const request = { ...sent, MessageHeader: { ...sent.MessageHeader, ...header } };
      expect(
        await at.sayRaw({ SaleToPOIRequest: request }, 'Payment', { token: null }),
      ).toMatchObject(cryptoError(9));
    }
  });

  test.each([[{ NexoBlob: 5 }], [{ NexoBlob: '', SecurityTrailer: {} }], [{ NexoBlob: '!' }]])(
    'of %j cannot be read',
    async (request) => {
      expect(
        await at.sayRaw(
          { SaleToPOIRequest: { MessageHeader: { POIID: poiId, ServiceID: '1' }, ...request } },
          'Payment',
          { token: null },
        ),
      ).toMatchObject({
        ...cryptoError(1),
        body: { ServiceID: '1' },
      });
    },
  );
});

describe('a plain message', () => {
  test('without a token, with an unknown one, or one that does not allow it begins nothing', async () => {
    expect((await at.sayRaw(asked(), 'Payment', { token: null })).status).toBe(401);
    expect((await at.sayRaw(asked(), 'Payment', { token: `tbt_${'x'.repeat(43)}` })).status).toBe(
      401,
    );
    expect(
      (await at.sayRaw(asked(), 'Payment', { token: at.makeToken(['read', 'refund']) })).status,
    ).toBe(403);
    expect(
      (await at.say('Reversal', {}, {}, { token: at.makeToken(['read', 'pay']) })).status,
    ).toBe(403);
    expect((await at.say('Reconciliation', {}, {}, { token: at.makeToken(['read']) })).status).toBe(
      403,
    );
    expect((await at.say('Diagnosis', {}, {}, { token: at.makeToken(['read']) })).status).toBe(200);
  });

  test('with the token of another lane does not reach this one', async () => {
    expect(
      (await at.sayRaw(asked(), 'Payment', { token: at.makeToken(['pay'], '2') })).status,
    ).toBe(503);
  });

  test('for another terminal begins nothing', async () => {
    expect((await at.sayRaw(asked({ POIID: 'Tillbeacon-2' }))).told.Response).toMatchObject({
      Result: 'Failure',
      ErrorCondition: 'NotFound',
    });
  });

  test('of a web page is refused by its origin, and of a foreign name by that', async () => {
    expect(
      (await at.sayRaw(asked(), 'Payment', { headers: { origin: 'https://evil.example' } })).status,
    ).toBe(403);
    expect(
      (await at.sayRaw(protect(asked()), 'Payment', { token: null, headers: { origin: 'null' } }))
        .status,
    ).toBe(403);
    expect(
      (await at.sayRaw(asked(), 'Payment', { headers: { host: 'evil.example' } })).status,
    ).toBe(421);
  });

  test.each([
    ['MessageClass', 'Device'],
    ['MessageType', 'Response'],
    ['ProtocolVersion', '2.0'],
    ['SaleID', ''],
    ['SaleID', 'a\nb'],
    ['ServiceID', 5],
    ['MessageCategory', '__proto__'],
    ['MessageCategory', null],
  ])('with %s %j is rejected', async (field, value) => {
    const { status, body } = await at.sayRaw(asked({ [field]: value }));
    expect(status).toBe(200);
    const { EventNotification } = (
      body as {
        SaleToPOIRequest: { EventNotification: { EventToNotify: string; EventDetails: string } };
      }
    ).SaleToPOIRequest;
    expect(EventNotification.EventToNotify).toBe('Reject');
    expect(decodeURIComponent(EventNotification.EventDetails)).toContain(`MessageHeader.${field} `);
  });

  test.each([
    '',
    'null',
    '5',
    '[]',
    '{',
    '{}',
    '{"SaleToPOIRequest":5}',
    '{"SaleToPOIRequest":{}}x',
    `${'['.repeat(30_000)}`,
  ])('of %j cannot be read', async (text) => {
    expect((await at.sayRaw(text)).status).toBe(400);
  });

  test('of more than 64 KB is refused, and /nexo is asked with POST alone, also with a slash', async () => {
    expect((await at.sayRaw(`"${'x'.repeat(70_000)}"`)).status).toBe(413);
    expect((await at.ask('GET', '/nexo')).status).toBe(405);
    expect((await at.ask('POST', '/nexo/', { body: message('Logout', {}) })).status).toBe(200);
  });
});
