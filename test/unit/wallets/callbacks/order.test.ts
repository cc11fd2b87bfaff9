import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Kind } from '../../../../main/wallets/callbacks/callback-record.ts';
import {
  agreement,
  Callbacks,
  id,
  invoice,
  notification,
  type Path,
  payment,
  refund,
} from './callbacks-support.ts';

let callbacks: Callbacks;
beforeEach(async () => {
  callbacks = await new Callbacks().start();
});
afterEach(() => callbacks.stop());

const subject = id();
const state = (kind: Kind) => callbacks.store.state(kind, subject)?.record.status;
const changes = () =>
  callbacks.store
    .since(0)
    .filter(({ changed }) => changed)
    .map(({ record }) => record.status);
const at = (minute: number) => `2026-11-21T08:${String(minute).padStart(2, '0')}:00Z`;

const builders: Readonly<Record<string, (status: string, about?: object) => [Path, object]>> = {
  payment: (status, about) => [
    'subscription-payments',
    payment({ payment_id: subject, status, ...about }),
  ],
  oneOff: (status, about) => [
    'subscription-payments',
    payment({ payment_id: subject, payment_type: 'OneOff', status, ...about }),
  ],
  agreement: (status, about) => [
    'agreements',
    agreement({ agreement_id: subject, status, timestamp: undefined, ...about }),
  ],
  refund: (status, about) => ['refunds', refund({ refund_id: subject, status, ...about })],
  invoice: (status, about) => [
    'invoices',
    invoice({ InvoiceId: subject, Status: status, ...about }),
  ],
  appPayment: (status, about) => [
    'app-payments',
    notification({ eventType: `payment.${status}`, ...about }, { id: subject }),
  ],
};
const send = async (
  kind: Kind,
  status: string,
  about?: object,
): Promise<{ stored: number; repeated: number }> => {
  const [path, body] = (builders[kind] as (status: string, about?: object) => [Path, object])(
    status,
    about,
  );
  return JSON.parse((await callbacks.post(path, body)).text) as {
    stored: number;
    repeated: number;
  };
};

describe('a duplicate is stored once', () => {
  test.each(Object.keys(builders) as Kind[])('of a %s, also after a restart', async (kind) => {
    expect(await send(kind, 'Reserved')).toMatchObject({ stored: 1, repeated: 0 });
    expect(await send(kind, 'Reserved')).toMatchObject({ stored: 0, repeated: 1 });
    await callbacks.restart();
    expect(await send(kind, 'Reserved')).toMatchObject({ stored: 0, repeated: 1 });
    expect(callbacks.statuses()).toHaveLength(1);
  });

  test('within one batch', async () => {
    const one = payment();
    expect(JSON.parse((await callbacks.post('subscription-payments', [one, one])).text)).toEqual({
      stored: 1,
      repeated: 1,
      rejected: 0,
    });
  });

  test('however it is written: order of fields, case of the status, code as number or string, amount as text or number', async () => {
    await callbacks.post(
      'subscription-payments',
      payment({ payment_id: subject, status_code: 50002, amount: '12.50' }),
    );
    const again = Object.fromEntries(
      Object.entries(
        payment({
          payment_id: subject.toUpperCase(),
          status: 'EXECUTED',
          status_code: '50002',
          amount: 12.5,
        }),
      ).toReversed(),
    );
    expect(JSON.parse((await callbacks.post('subscription-payments', again)).text)).toMatchObject({
      stored: 0,
      repeated: 1,
    });
  });

  test.each([
    ['another code', { status_code: 1 }],
    ['another amount', { amount: '12.51' }],
    ['another currency', { currency: 'EUR' }],
    ['another external id', { external_id: 'order-2' }],
    ['another payment', { payment_id: id() }],
    ['another type', { payment_type: 'OneOff' }],
  ])('with %s it is none', async (_what, about) => {
    await send('payment', 'Executed');
    expect(await send('payment', 'Executed', about)).toMatchObject({ stored: 1 });
  });
});

describe('Date and Sequence decide for invoices', () => {
  test.each<[string, [string, object][], string]>([
    [
      'a later Date is newer, whatever its Sequence',
      [
        ['Accepted', { Date: at(2), Sequence: 0 }],
        ['Created', { Date: at(1), Sequence: 5 }],
      ],
      'accepted',
    ],
    [
      'within a Date the Sequence decides',
      [
        ['Paid', { Sequence: 2 }],
        ['Accepted', { Sequence: 1 }],
      ],
      'paid',
    ],
    [
      'within a Date the Sequence decides also against a final state',
      [
        ['Rejected', { Sequence: 1 }],
        ['Created', { Sequence: 2 }],
      ],
      'created',
    ],
    [
      'a rejected link that was created again is created',
      [
        ['Rejected', { Date: at(1) }],
        ['Created', { Date: at(2) }],
      ],
      'created',
    ],
    [
      'a final state is not overwritten by an earlier one',
      [
        ['Paid', { Date: at(3) }],
        ['Expired', { Date: at(2) }],
      ],
      'paid',
    ],
    [
      'without a Date an end is not overwritten by what comes before it',
      [
        ['Paid', { Date: null, Sequence: null }],
        ['Accepted', { Date: null, Sequence: null }],
      ],
      'paid',
    ],
  ])('%s', async (_rule, sent, expected) => {
    for (const [status, about] of sent) await send('invoice', status, about);
    expect(state('invoice')).toBe(expected);
    expect(callbacks.statuses()).toHaveLength(sent.length);
  });

  test('in whatever order three of them arrive', async () => {
    const three: [string, object][] = [
      ['Created', { Date: at(1), Sequence: 0 }],
      ['Accepted', { Date: at(2), Sequence: 2 }],
      ['Paid', { Date: at(2), Sequence: 3 }],
    ];
    for (const [a, b, c] of [
      [0, 1, 2],
      [0, 2, 1],
      [1, 0, 2],
      [1, 2, 0],
      [2, 0, 1],
      [2, 1, 0],
    ] as const) {
      const InvoiceId = id();
      for (const index of [a, b, c])
        await send('invoice', three[index]?.[0] ?? '', { ...three[index]?.[1], InvoiceId });
      expect(callbacks.store.state('invoice', InvoiceId)?.record.status).toBe('paid');
    }
  });
});

describe('an older record never overwrites a newer one', () => {
  test.each<[string, Kind, [string, object?][], string]>([
    [
      'by timestamp',
      'agreement',
      [
        ['Canceled', { timestamp: at(2) }],
        ['Accepted', { timestamp: at(1) }],
      ],
      'canceled',
    ],
    [
      'by the date of the event',
      'appPayment',
      [
        ['expired', { eventDate: at(2) }],
        ['reserved', { eventDate: at(1) }],
      ],
      'expired',
    ],
    ['by stage where there is no time', 'agreement', [['Canceled'], ['Active']], 'canceled'],
    ['by stage, a one-off', 'oneOff', [['Expired'], ['Reserved'], ['Requested']], 'expired'],
    [
      'by stage before the end too',
      'oneOff',
      [['Reserved'], ['Requested', { status_code: 50013 }]],
      'reserved',
    ],
    [
      'one end does not follow another',
      'payment',
      [['Executed'], ['Failed', { status_code: 50000 }]],
      'executed',
    ],
    [
      'what nobody knows does not overwrite an end',
      'payment',
      [['Executed'], ['Suspended']],
      'executed',
    ],
    ['what nobody knows gives way', 'payment', [['Suspended'], ['Executed']], 'executed'],
    [
      'a refund that was issued can be declined hours later, and not the other way round',
      'refund',
      [['Issued'], ['Declined'], ['Issued', { status_code: 1 }]],
      'declined',
    ],
  ])('%s', async (_rule, kind, sent, expected) => {
    for (const [status, about] of sent) await send(kind, status, about);
    expect(state(kind)).toBe(expected);
    expect(callbacks.statuses()).toHaveLength(sent.length);
  });

  test('a consumer sees which records gave a new status: a late one and a repeated one did not', async () => {
    await send('oneOff', 'Reserved');
    await send('oneOff', 'Requested');
    await send('oneOff', 'Reserved', { status_code: 7 });
    await send('oneOff', 'Captured');
    expect(callbacks.statuses()).toEqual(['reserved', 'requested', 'reserved', 'captured']);
    expect(changes()).toEqual(['reserved', 'captured']);
  });

  test('subjects of different kinds with the same id are different', async () => {
    await send('payment', 'Executed');
    await send('agreement', 'Accepted');
    expect([state('payment'), state('agreement'), state('refund')]).toEqual([
      'executed',
      'accepted',
      undefined,
    ]);
  });
});

describe('open', () => {
  test.each<[Kind, string, boolean]>([
    ['payment', 'Suspended', true],
    ['payment', 'Executed', false],
    ['oneOff', 'Reserved', true],
    ['oneOff', 'Captured', false],
    ['agreement', 'Accepted', true],
    ['agreement', 'Canceled', false],
    ['refund', 'Declined', false],
    ['invoice', 'Accepted', true],
    ['invoice', 'Paid', false],
    ['appPayment', 'reserved', true],
    ['appPayment', 'cancelled_by_user', false],
  ])('a %s that is %s: %s', async (kind, status, open) => {
    await send(kind, status);
    expect(
      callbacks.store.openSubjects(callbacks.clock.wallMs()).map((one) => one.subjectId),
    ).toEqual(open ? [subject] : []);
  });

  test('a refund that was issued is open for a day', async () => {
    await send('refund', 'Issued');
    const receivedAtMs = callbacks.clock.wallMs();
    const day = 86_400_000;
    expect(callbacks.store.openSubjects(receivedAtMs + day - 1)).toEqual([
      {
        kind: 'refund',
        subjectId: subject,
        status: 'issued',
        agreementId: expect.any(String),
        paymentId: expect.any(String),
      },
    ]);
    expect(callbacks.store.openSubjects(receivedAtMs + day)).toEqual([]);
  });

  test('a subject leaves when its end comes', async () => {
    await send('oneOff', 'Reserved');
    await send('oneOff', 'Captured');
    expect(callbacks.store.openSubjects(0)).toEqual([]);
  });
});

test('a sender that goes mad about one subject does not make it grow without end', async () => {
  for (let batch = 0; batch < 3; batch += 1)
    await callbacks.post(
      'invoices',
      Array.from({ length: 500 }, (_, index) =>
        invoice({ InvoiceId: subject, Sequence: batch * 500 + index }),
      ),
    );
  expect(callbacks.store.health().lastSeq).toBe(1_500);
  expect(await send('invoice', 'Created', { Sequence: 1_499 })).toMatchObject({ repeated: 1 });
  const db = new DatabaseSync(callbacks.path, { readOnly: true });
  expect(db.prepare('SELECT length(seen) AS bytes FROM subjects').get()).toEqual({
    bytes: 8 * 1_000,
  });
  db.close();
});
