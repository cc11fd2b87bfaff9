/** Attachments of subscription payments, at the simulated service. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { minorUnits } from '../../../../main/core/domain/money.ts';
import { Merchant, providerId } from '../../sandbox/simulator/subscriptions-support.ts';

let shop: Merchant;
let agreementId: string;
beforeAll(async () => {
  shop = await new Merchant().start();
  agreementId = await shop.acceptedAgreement();
});
afterAll(() => shop.stop());
afterEach(() => shop.service.simulator.faults.clear());

const x = (length: number): string => 'x'.repeat(length);

describe('an attachment', () => {
  const attachment = {
    generate_pdf: true,
    attachment_details: {
      document_title: 'Faktura (nr. 1)',
      consumer_name: 'Søren Ærlig',
      consumer_address_lines: ['Strøget 1'],
      delivery_address_lines: ['Østerbrogade 120'],
      invoice_number: '58652',
      payment_reference: '',
      comment: `First line\nSecond ${x(100)} 💸`,
      total_amount: minorUnits(12_50),
      price_discount: minorUnits(-2_00),
      articles: [
        {
          article_description: 'Newspaper',
          quantity: 6,
          unit: 'pcs',
          price_per_unit: 2.0833333333,
          vat_rate: 25,
          total_price_including_vat: minorUnits(12_50),
        },
      ],
    },
  };

  test('reads under other names than it was put under, with whose payment point it is; amounts are converted', async () => {
    const paymentId = await shop.oneOff(agreementId);
    const money = {
      price_reduction: minorUnits(1_01),
      bonus: minorUnits(1_02),
      total_amount_ex_vat: minorUnits(10_03),
      total_vat_amount: minorUnits(2_04),
    };
    const orders = {
      merchant_order_number: 'M-1',
      buyer_order_number: 'B-1',
      consumer_phone_number: '+4520031801',
    };
    const attachment_details = { ...attachment.attachment_details, ...money, ...orders };
    await shop.client.putAttachment({
      providerId,
      paymentId,
      body: { ...attachment, attachment_details },
    });
    const { price_discount, articles, ...sameNames } = attachment.attachment_details;
    const [{ total_price_including_vat, ...article } = { total_price_including_vat: 0 }] = articles;
    expect(await shop.client.getAttachment({ providerId, paymentId })).toEqual({
      generate_pdf: true,
      attachment_details: {
        ...sameNames,
        price_deduction: 1_01,
        discount: price_discount,
        bonus: 1_02,
        total_ex_vat: 10_03,
        total_vat_amount: 2_04,
        merchant_order_id: 'M-1',
        buyer_id: 'B-1',
        articles: [{ ...article, total_article_amount: total_price_including_vat }],
        alias: '+4520031801',
        payment_point_name: expect.any(String),
        payment_point_address_lines: expect.any(Array),
        merchant_cvr: '90000028',
        country_code: expect.any(Number),
        hide_payment_point_address: false,
      },
    });
    const wire = await shop.call(
      'GET',
      `/subscriptions/api/providers/${providerId}/payments/${paymentId}/attachment`,
    );
    expect(wire.body).toMatchObject({
      attachment_details: {
        price_deduction: 1.01,
        discount: -2,
        bonus: 1.02,
        total_ex_vat: 10.03,
        articles: [{ total_article_amount: 12.5 }],
      },
    });
  });

  test('has a PDF that says what it says', async () => {
    const paymentId = await shop.oneOff(agreementId);
    await shop.client.putAttachment({ providerId, paymentId, body: attachment });
    const file = Buffer.from(
      await shop.client.getAttachmentPdf({ providerId, paymentId }),
    ).toString('latin1');
    expect(file).toMatch(/^%PDF-1\.4\n[^]*\n%%EOF\n$/);
    const shown = [
      'Faktura \\(nr. 1\\)',
      'Name: Søren Ærlig',
      'Payment reference: 58652',
      '6 pcs  at 2.0833333333  VAT 25 %  12.50 DKK',
      'Discount: -2.00 DKK',
      '(First line)',
    ];
    for (const text of shown) expect(file).toContain(text);
    for (const [, number = '', offset = ''] of [...file.matchAll(/^(\d{10}) 00000 n $/gm)].map(
      (found, index) => [found[0], String(index + 1), found[1]],
    ))
      expect(file.slice(Number(offset))).toMatch(new RegExp(`^${number} 0 obj\n`));
    expect(file.slice(Number(file.match(/startxref\n(\d+)/)?.[1]))).toMatch(/^xref\n/);
  });

  test('without a PDF has none, and is gone when it is deleted', async () => {
    const paymentId = await shop.oneOff(agreementId);
    const gone = expect.objectContaining({ name: 'ServiceRefusedError', status: 404 });
    await expect(shop.client.getAttachment({ providerId, paymentId })).rejects.toEqual(gone);
    await shop.client.putAttachment({
      providerId,
      paymentId,
      body: { ...attachment, generate_pdf: false },
    });
    await expect(shop.client.getAttachmentPdf({ providerId, paymentId })).rejects.toEqual(gone);
    await shop.client.deleteAttachment({ providerId, paymentId });
    await expect(shop.client.getAttachment({ providerId, paymentId })).rejects.toEqual(gone);
  });
});
