/** The cases of the ePayment checklist that drive the client (document 5, section 6.3). */
import { isAnswered, sentField } from '../exchange.ts';
import { broken, holds } from '../finding.ts';
import { answered, of } from '../checks.ts';
import {
  endsAs,
  type EpaymentCase,
  lastEvents,
  logs,
  never,
  onlyAfter,
  repeats,
  source,
} from './epayment-checks.ts';
import type { EpaymentHarness } from './epayment-harness.ts';

const reading = async (harness: EpaymentHarness, reference: string) => {
  await harness.read(reference);
  return { reference };
};

export const completePayment: EpaymentCase = {
  id: '3',
  title: 'A payment: created, shown, approved, captured',
  run: async (harness) => reading(harness, await harness.captured()),
  rules: [
    {
      says: 'it is created with the customer present, a code for the screen, and a text that says where it is',
      source: 'document 5, section 2.2',
      kind: 'conduct',
      look({ own }) {
        const create = of(own, 'createEpayment')[0];
        if (create === undefined) return broken('none was created', own);
        const is = ['customerInteraction', 'userFlow']
          .map((name) => sentField(create, name))
          .join(', ');
        if (is !== 'CUSTOMER_PRESENT, QR') return broken(`it was created with ${is}`, [create]);
        return typeof sentField(create, 'paymentDescription') === 'string'
          ? holds(is, [create])
          : broken('without a text', [create]);
      },
    },
    onlyAfter('captureEpayment', 'AUTHORIZED'),
    endsAs('AUTHORIZED', { captured: 1 }),
    logs('CREATED', 'AUTHORIZED', 'CAPTURED'),
  ],
};

export const customerRefuses: EpaymentCase = {
  id: '4',
  title: 'The customer refuses',
  async run(harness) {
    const reference = await harness.create();
    await harness.refuse(reference);
    await harness.follow(reference, 'cancelledByUser');
    return reading(harness, reference);
  },
  rules: [
    endsAs('ABORTED'),
    logs('CREATED', 'ABORTED'),
    never('captureEpayment', 'the customer has refused'),
  ],
};

export const tillCancels: EpaymentCase = {
  id: '5',
  title: 'Cancelled before anybody approves',
  async run(harness) {
    const reference = await harness.create();
    await harness.settle('cancel', () =>
      harness.counter.cancel(reference, { ifNotApproved: true }),
    );
    return reading(harness, reference);
  },
  rules: [
    {
      says: 'an open payment is cancelled on the condition that nobody has approved it',
      source: 'document 5, section 2.6',
      kind: 'conduct',
      look({ own }) {
        const cancels = of(own, 'cancelEpayment');
        return cancels.some((exchange) => sentField(exchange, 'cancelTransactionOnly') === true)
          ? holds('with cancelTransactionOnly', cancels)
          : broken('without', cancels);
      },
    },
    endsAs('TERMINATED'),
    logs('CREATED', 'TERMINATED'),
    never('captureEpayment', 'the till has cancelled'),
  ],
};

export const customerIsFaster: EpaymentCase = {
  id: '6',
  title: 'The customer is faster than the cancel; the reservation is released',
  async run(harness) {
    const reference = await harness.authorized();
    const refused = await harness.counter.cancel(reference, { ifNotApproved: true });
    await harness.follow(reference, 'reserved');
    await harness.settle('cancel', () =>
      harness.counter.cancel(reference, { ifNotApproved: false }),
    );
    return { ...(await reading(harness, reference)), refused };
  },
  rules: [
    {
      says: 'a cancel that comes too late is refused with 6060 and taken for that, not for a cancelled payment',
      source: 'document 5, section 8.5',
      kind: 'outcome',
      look({ own, evidence }) {
        const refused = of(own, 'cancelEpayment').filter(
          (exchange) =>
            isAnswered(exchange, 400) && exchange.answer?.body.includes('6060') === true,
        );
        return JSON.stringify(evidence['refused'] ?? null).includes('"approved"') &&
          refused.length > 0
          ? holds('refused as approved', refused)
          : broken('the client did not see it', of(own, 'cancelEpayment'));
      },
    },
    endsAs('AUTHORIZED', { cancelled: 1 }),
    logs('CREATED', 'AUTHORIZED', 'CANCELLED'),
  ],
};

/** More than the time after which the service ends a payment that nobody approves. */
const expiresAfterMs = 11 * 60_000;

export const nobodyActs: EpaymentCase = {
  id: '7',
  title: 'Nobody acts until the payment expires',
  async run(harness) {
    const reference = await harness.create();
    await harness.letPass(expiresAfterMs);
    await harness.follow(reference, 'cancelledByService');
    return reading(harness, reference);
  },
  rules: [
    endsAs('EXPIRED'),
    logs('CREATED', 'EXPIRED'),
    never('captureEpayment', 'nobody has approved'),
  ],
};

export const unansweredCreate: EpaymentCase = {
  id: '8',
  title: 'The answer to a creation is lost',
  async run(harness) {
    harness.inject({ operation: 'createEpayment', kind: 'status500After' });
    const reference = await harness.create();
    await harness.settle('cancel', () =>
      harness.counter.cancel(reference, { ifNotApproved: true }),
    );
    return reading(harness, reference);
  },
  rules: [repeats('createEpayment'), endsAs('TERMINATED'), logs('CREATED', 'TERMINATED')],
};

export const unansweredCapture: EpaymentCase = {
  id: '9',
  title: 'Captures without an answer; the client starts anew in between',
  async run(harness) {
    const reference = await harness.authorized();
    harness.inject(
      { operation: 'captureEpayment', kind: 'status500After' },
      { operation: 'captureEpayment', kind: 'status500' },
    );
    const first = await harness.counter.capture(reference, harness.money);
    harness.restart();
    await harness.settle('capture', () => harness.counter.capture(reference, harness.money));
    return { ...(await reading(harness, reference)), first };
  },
  rules: [
    repeats('captureEpayment'),
    endsAs('AUTHORIZED', { captured: 1 }),
    logs('CREATED', 'AUTHORIZED', 'CAPTURED'),
  ],
};

/**
 * Requests a refund and waits until it is in the event log, as the product does. @throws unless it
 * is there
 */
async function refunded(
  harness: EpaymentHarness,
  reference: string,
  part?: number,
): Promise<string> {
  const request = harness.refund(reference, part);
  const answer = await harness.counter.createRefund(request);
  if (answer.kind === 'refused') throw new Error(`the refund was refused: ${answer.detail}`);
  const identified = await harness.counter.identifyRefund({
    ...request,
    startedAtMs: harness.nowMs,
  });
  if (identified.kind !== 'found')
    throw new Error(`the refund is not in the log: ${identified.kind}`);
  return request.idempotencyKey;
}

export const wholeRefund: EpaymentCase = {
  id: '10',
  title: 'A refund of everything',
  async run(harness) {
    const reference = await harness.captured();
    await refunded(harness, reference);
    return reading(harness, reference);
  },
  rules: [
    answered('refundEpayment'),
    endsAs('AUTHORIZED', { captured: 1, refunded: 1 }),
    logs('CREATED', 'AUTHORIZED', 'CAPTURED', 'REFUNDED'),
  ],
};

export const partialRefunds: EpaymentCase = {
  id: '11',
  title: 'Two refunds of parts, each with its own key',
  async run(harness) {
    const reference = await harness.captured();
    const half = harness.money.amountMinor / 2;
    const keys = [
      await refunded(harness, reference, half),
      await refunded(harness, reference, half),
    ];
    return { ...(await reading(harness, reference)), keys };
  },
  rules: [
    {
      says: 'each is found in the event log by the key of its request',
      source: 'document 5, section 2.5',
      kind: 'outcome',
      look({ own, evidence }) {
        const inLog = lastEvents(own).flatMap(({ name, idempotencyKey }) =>
          name === 'REFUNDED' ? [idempotencyKey] : [],
        );
        return JSON.stringify(inLog) === JSON.stringify(evidence['keys'])
          ? holds(inLog.join(', '), own.slice(-1))
          : broken(`the log has ${inLog.join(', ')}`, own);
      },
    },
    endsAs('AUTHORIZED', { captured: 1, refunded: 1 }),
    logs('CREATED', 'AUTHORIZED', 'CAPTURED', 'REFUNDED', 'REFUNDED'),
  ],
};

export const unansweredRefund: EpaymentCase = {
  id: '12',
  title: 'The answer to a refund is lost',
  async run(harness) {
    const reference = await harness.captured();
    harness.inject({ operation: 'refundEpayment', kind: 'status500' });
    await refunded(harness, reference);
    return reading(harness, reference);
  },
  rules: [repeats('refundEpayment'), logs('CREATED', 'AUTHORIZED', 'CAPTURED', 'REFUNDED')],
};

export const callbacks: EpaymentCase = {
  id: '13',
  title: 'Callbacks beside polling',
  run: async (harness) => ({ registrations: await harness.registrations() }),
  rules: [{ ...answered('listRegisteredWebhooks'), source }],
  documented: [
    'A payment with a code on the screen is polled, as the provider says of that flow. A chain’s receiver (npm run callbacks) takes callbacks beside it, ' +
      'refuses those with a wrong signature or an old date, and passes scans of stickers on to their counters. Counters learn of payments by polling alone ' +
      '(test/unit/wallets/epayment/signature.test.ts, test/unit/wallets/callbacks).',
  ],
};
